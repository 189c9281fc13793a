#include "runtime/convert/compaction.h"
#include "base/index_map.h"
#include "ops/const.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 8 }; /* bytes of the largest element type */

/* A constant's bytes in the old and in the new .bin. */
typedef struct ir_piece {
  int64_t offset, size, new_offset;
  const ir_layer *layer;
  size_t number; /* in the order of the file */
  bool is_copy;  /* an earlier piece has the same bytes */
} ir_piece;

/* Whether a layer of the model or of a body is in a wanted layer of the model, or is one. */
static bool is_wanted(const ir_graph *graph, size_t layer, const bool *wanted) {
  for (; wanted != NULL && graph->outer != NULL; graph = graph->outer)
    layer = graph->owner;
  return wanted == NULL || wanted[layer];
}

static void list_graph(const irrun_model *model, const bool *wanted, ir_compaction *c) {
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[i];
    const ir_const_params *params = node->params;
    if (!ir_op_is(node->op, IR_RUN_CONSTANT) || !is_wanted(&model->graph, i, wanted))
      continue;
    c->pieces[c->n] = (ir_piece){.offset = params->offset, .size = params->size, .layer = node->layer, .number = c->n};
    c->n++;
  }
}

ir_code ir_list_constants(irrun_model *model, const bool *wanted, ir_compaction *out) {
  const ir_graph *graph = &model->graph;
  size_t n_layers = graph->n_layers;
  for (size_t b = 0; b < graph->n_bodies; b++)
    n_layers += graph->bodies[b]->n_layers;
  *out = (ir_compaction){.pieces = ir_arena_array(&model->arena, n_layers + 1, sizeof *out->pieces)};
  if (out->pieces == NULL)
    return ir_out_of_memory(&model->context->diags);
  list_graph(model, wanted, out);
  for (size_t b = 0; b < graph->n_bodies; b++)
    list_graph(model->bodies[b], wanted, out);
  return IR_OK;
}

static int by_size(const void *a, const void *b) {
  const ir_piece *x = a, *y = b;
  const int order = (x->size > y->size) - (x->size < y->size);
  return order != 0 ? order : (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b) {
  const ir_piece *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

static uint64_t hash_bytes(const unsigned char *bytes, int64_t n) {
  uint64_t hash = ir_hash_number(n), word = 0;
  for (int64_t i = 0; i + 8 <= n; i += 8) {
    memcpy(&word, bytes + i, 8);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  for (int64_t i = n / 8 * 8; i < n; i++)
    hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
  return hash;
}

typedef struct piece_search {
  ir_piece *pieces;
  ir_weights *weights;
} piece_search;

static bool same_bytes(const void *key, int32_t value, const void *user) {
  const piece_search *s = user;
  const ir_piece *one = key, *other = &s->pieces[value];
  return one->size == other->size &&
         memcmp(ir_weights_bytes(s->weights, one->offset, one->size),
                ir_weights_bytes(s->weights, other->offset, one->size), (size_t)one->size) == 0;
}

/* Sets `is_copy`, and `new_offset` of a copy to the index of the piece that it equals. Reads only constants that are
 * as long as another. The pieces are sorted by size. */
static bool find_copies(ir_piece *pieces, size_t n, ir_weights *weights, const ir_memory *memory) {
  piece_search search = {pieces, weights};
  ir_index_map map;
  if (!ir_index_map_init(&map, memory, n))
    return false;
  for (size_t i = 0; i < n; i++) {
    const bool alone =
        (i == 0 || pieces[i - 1].size != pieces[i].size) && (i + 1 == n || pieces[i + 1].size != pieces[i].size);
    const unsigned char *bytes = alone ? NULL : ir_weights_bytes(weights, pieces[i].offset, pieces[i].size);
    if (bytes == NULL)
      continue;
    const int32_t before =
        ir_index_map_add(&map, hash_bytes(bytes, pieces[i].size), &pieces[i], (int32_t)i, same_bytes, &search);
    ir_weights_release(weights, pieces[i].offset, pieces[i].size);
    pieces[i].is_copy = before >= 0;
    if (before >= 0)
      pieces[i].new_offset = (int64_t)pieces[before].number;
  }
  ir_index_map_reset(&map);
  return true;
}

static ir_code set_offsets(ir_compaction *c, ir_edits *edits) {
  ir_code code = IR_OK;
  char text[24];
  for (size_t i = 0; i < c->n && code == IR_OK; i++) {
    ir_piece *piece = &c->pieces[i];
    if (piece->is_copy) {
      piece->new_offset = c->pieces[piece->new_offset].new_offset;
    } else if (!ir_add(c->bytes, -c->bytes & (ALIGNMENT - 1), &piece->new_offset) ||
               !ir_add(piece->new_offset, piece->size, &c->bytes)) {
      return ir_report(edits->diags, IR308_SIZE_OVERFLOW, (ir_where){.source = edits->graph->source, .at = IR_NOWHERE},
                       "the bytes of the constants, side by side, do not fit 64 bits");
    }
    const ir_at at = ir_layer_attr(piece->layer, "offset")->at;
    const int length = snprintf(text, sizeof text, "%" PRId64, piece->new_offset);
    if (piece->new_offset != piece->offset)
      code = ir_add_edit(edits, at.begin, (int64_t)at.begin + at.length, text, (size_t)length);
  }
  return code;
}

ir_code ir_compact(const irrun_model *model, ir_compaction *c, ir_edits *edits) {
  qsort(c->pieces, c->n, sizeof *c->pieces, by_size);
  if (c->n > 0 && !find_copies(c->pieces, c->n, model->graph.weights, &model->context->memory))
    return ir_out_of_memory(edits->diags);
  qsort(c->pieces, c->n, sizeof *c->pieces, by_number);
  return set_offsets(c, edits);
}

ir_code ir_write_compact(const ir_compaction *compaction, ir_weights *weights, ir_byte_sink sink, ir_diags *diags) {
  static const char zeros[ALIGNMENT] = {0};
  int64_t at = 0;
  for (size_t i = 0; i < compaction->n; i++) {
    const ir_piece *piece = &compaction->pieces[i];
    if (piece->is_copy)
      continue;
    const unsigned char *bytes = ir_weights_bytes(weights, piece->offset, piece->size);
    if (bytes == NULL)
      return ir_report_unreadable_bin(weights, diags);
    if (!sink.write(sink.user, zeros, (size_t)(piece->new_offset - at)) ||
        !sink.write(sink.user, bytes, (size_t)piece->size))
      return IR_OK; /* the sink keeps the reason */
    ir_weights_release(weights, piece->offset, piece->size);
    at = piece->new_offset + piece->size;
  }
  return IR_OK;
}
