#include "ops/attention/state_rows.h"
#include <string.h>

/* Copies the first `n` rows of each head. The matrices of `to` are the matrices beams[i] of `from`, zeros where that is
 * -1; NULL: its own. */
static void copy_rows(const ir_tensor *from, const int64_t *beams, int64_t n, ir_tensor *to) {
  const size_t size = ir_type_size(from->type);
  const size_t row = (size_t)from->dims[3] * size, bytes = (size_t)n * row;
  const size_t from_head = (size_t)from->dims[2] * row, to_head = (size_t)to->dims[2] * row;
  for (int64_t i = 0; i < to->dims[0] && bytes > 0; i++)
    for (int64_t h = 0; h < to->dims[1]; h++) {
      const int64_t matrix = beams == NULL ? i : beams[i];
      char *out = (char *)to->data + (size_t)(i * to->dims[1] + h) * to_head;
      if (matrix < 0)
        memset(out, 0, bytes);
      else
        memcpy(out, (const char *)from->data + (size_t)(matrix * from->dims[1] + h) * from_head, bytes);
    }
}

/* Makes room for `length` rows in each head, of `batch` matrices. A room that has grown doubles, so that the copies of
 * a row are at most two on average. */
static bool make_room(const ir_state_rows *rows, const ir_tensor *now, int64_t length, const ir_memory *memory,
                      ir_tensor *out) {
  const int64_t before = rows->room.rank > 0 ? rows->room.dims[2] : 0;
  const int64_t capacity = length <= before ? before : before > length / 2 ? 2 * before : length;
  const int64_t dims[] = {now->dims[0], now->dims[1], capacity, now->dims[3]};
  const ir_shape shape = ir_shape_of(4, dims);
  return ir_tensor_alloc(out, memory, now->type, &shape);
}

/* Loads beams into `out`, -1 for one that is out of range. Returns whether every matrix continues its own rows. */
static bool load_beams(const ir_state_rows *rows, const ir_tensor *now, const ir_tensor *beams, int64_t *out) {
  const int64_t n_before = rows->room.rank > 0 ? rows->room.dims[0] : now->dims[0];
  bool is_same = n_before == now->dims[0];
  ir_index_load(beams, 0, now->dims[0], out);
  for (int64_t i = 0; i < now->dims[0]; i++) {
    const bool is_inside = out[i] >= -n_before && out[i] < n_before;
    out[i] = !is_inside ? -1 : out[i] < 0 ? out[i] + n_before : out[i];
    is_same = is_same && out[i] == i;
  }
  return is_same;
}

static ir_code report_batch(const ir_index_input *input, int64_t found, int64_t expected) {
  ir_report_firm(input->diags, IR322_SHAPES_DO_NOT_FIT, input->where,
                 "'%s' makes the batch of the kept rows %lld, and the new rows have %lld", input->name,
                 (long long)found, (long long)expected);
  return IR_BAD_DATA;
}

/* Makes the room for `length` rows: it stays, it grows, or its matrices are reordered. */
static ir_code make_place(ir_state_rows *rows, const ir_tensor *now, const int64_t *beams, int64_t length,
                          const ir_index_input *input, const ir_memory *memory) {
  ir_tensor made;
  if (beams == NULL && rows->room.rank > 0 && rows->room.dims[0] == now->dims[0] && rows->room.dims[2] >= length)
    return IR_OK;
  if (!make_room(rows, now, length, memory, &made))
    return ir_out_of_memory(input->diags);
  if (rows->room.rank > 0)
    copy_rows(&rows->room, beams, rows->length, &made);
  if (beams != NULL) {
    rows->next_room = made;
    return IR_OK;
  }
  ir_tensor_release(&rows->room);
  rows->room = made;
  return IR_OK;
}

ir_code ir_state_append(ir_state_rows *rows, const ir_tensor *now, const ir_tensor *beams, const ir_index_input *input,
                        const ir_memory *memory) {
  const int64_t length = rows->length + now->dims[2], batch = now->dims[0];
  ir_state_end(rows, false);
  if (beams != NULL && ir_tensor_elements(beams) != batch)
    return report_batch(input, ir_tensor_elements(beams), batch);
  if (beams == NULL && rows->length > 0 && rows->room.dims[0] != batch)
    return report_batch(input, rows->room.dims[0], batch);
  int64_t *order = beams == NULL ? NULL : ir_alloc_zero(memory, (size_t)batch + 1, sizeof *order);
  if (beams != NULL && order == NULL)
    return ir_out_of_memory(input->diags);
  const bool is_same = beams == NULL || load_beams(rows, now, beams, order);
  const ir_code code = make_place(rows, now, is_same ? NULL : order, length, input, memory);
  ir_free(memory, order);
  if (code != IR_OK)
    return code;
  const ir_tensor *room = ir_state_room(rows);
  const size_t bytes = (size_t)(now->dims[2] * now->dims[3]) * ir_type_size(now->type);
  for (int64_t head = 0; head < batch * now->dims[1] && bytes > 0; head++)
    memcpy(ir_tensor_at(room, (head * room->dims[2] + rows->length) * room->dims[3]),
           (char *)now->data + head * (int64_t)bytes, bytes);
  rows->next_length = length;
  rows->is_appended = true;
  return IR_OK;
}

void ir_state_end(ir_state_rows *rows, bool is_kept) {
  if (is_kept && rows->is_appended) {
    rows->length = rows->next_length;
    if (rows->next_room.rank > 0) {
      ir_tensor_release(&rows->room);
      rows->room = rows->next_room;
      rows->next_room = (ir_tensor){.data = NULL};
    }
  }
  ir_tensor_release(&rows->next_room);
  rows->is_appended = false;
}

void ir_state_take(ir_state_rows *rows, ir_tensor *tensor) {
  ir_state_release(rows);
  rows->room = *tensor;
  rows->length = tensor->dims[2];
  *tensor = (ir_tensor){.data = NULL};
}

bool ir_state_move(ir_state_rows *rows, const ir_memory *memory, ir_tensor *out) {
  const ir_tensor *room = &rows->room;
  const ir_shape shape = ir_shape_of(4, (const int64_t[]){room->dims[0], room->dims[1], rows->length, room->dims[3]});
  ir_tensor moved;
  if (!ir_tensor_alloc(&moved, memory, room->type, &shape))
    return false;
  copy_rows(room, NULL, rows->length, &moved);
  ir_tensor_release(out);
  *out = moved;
  ir_state_release(rows);
  return true;
}

void ir_state_release(ir_state_rows *rows) {
  ir_tensor_release(&rows->room);
  ir_tensor_release(&rows->next_room);
  *rows = (ir_state_rows){.length = 0};
}
