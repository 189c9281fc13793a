#include "base/low_bit_types.h"
#include "ops/kernels/element_loads.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/strided_copy.h"
#include "program/packed_product.h"
#include <string.h>

/* Rows and columns that are transposed together. */
enum { TILE = 64, TILE_ROOM = TILE + 8 /* ir_codes_load fills its last pack */ };

typedef struct transposing {
  const ir_tensor *in;
  ir_tensor *out;
  int64_t rows, columns; /* of the input */
  int64_t first;         /* number of its first element */
} transposing;

/* Transposes tiles of columns of elements that are smaller than a byte. */
static void transpose_codes(void *user, int64_t begin, int64_t end, int worker) {
  const transposing *t = user;
  uint8_t codes[TILE][TILE_ROOM], turned[TILE_ROOM];
  (void)worker;
  for (int64_t column = begin * TILE; column < least(end * TILE, t->columns); column += TILE)
    for (int64_t row = 0; row < t->rows; row += TILE) {
      const int64_t n_rows = least(TILE, t->rows - row), n = least(TILE, t->columns - column);
      for (int64_t i = 0; i < n_rows; i++)
        ir_codes_load(t->in->type, t->in->data, t->first + (row + i) * t->columns + column, n, codes[i]);
      for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n_rows; i++)
          turned[i] = codes[i][j];
        ir_codes_store(t->in->type, turned, t->first + (column + j) * t->rows + row, n_rows, t->out->data);
      }
    }
}

/* Transposes elements that are smaller than a byte, one by one: rows of the input or output are no whole bytes. The
 * output is 0 before. */
static void transpose_elements(const transposing *t) {
  for (int64_t row = 0; row < t->rows; row++)
    for (int64_t column = 0; column < t->columns; column++)
      ir_narrow_set_bits(t->in->type, t->out->data, t->first + column * t->rows + row,
                         ir_narrow_bits(t->in->type, t->in->data, t->first + row * t->columns + column));
}

static void transpose(const transposing *t, ir_exec *exec) {
  const ir_type type = t->in->type;
  const int64_t n = t->rows * t->columns, bits = ir_type_bits(type);
  if (ir_type_in(type, IR_SET_STORED)) {
    const ir_strided_copy copy = ir_strided_copy_of(2, (const int64_t[]){t->columns, t->rows},
                                                    (const int64_t[]){1, t->columns}, (const int64_t[]){t->rows, 1});
    const int64_t at = t->first * (int64_t)ir_type_size(type);
    ir_strided_copy_run(&copy, ir_type_size(type), (const char *)t->in->data + at, (char *)t->out->data + at, exec);
  } else if (t->rows * bits % 8 != 0 || t->columns * bits % 8 != 0) {
    transpose_elements(t);
  } else {
    exec->share(exec, ir_ceil_div(t->columns, TILE), n * bits / 4, transpose_codes, (void *)(uintptr_t)t);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_packed_transpose *params = step->state;
  const int64_t columns = in[0]->dims[in[0]->rank - 1], n = ir_tensor_elements(in[0]) / params->batch;
  transposing t = {.in = in[0], .out = out[0], .rows = n / columns, .columns = columns};
  if (!ir_type_in(in[0]->type, IR_SET_STORED))
    memset(out[0]->data, 0, out[0]->bytes);
  for (; t.first < n * params->batch; t.first += n)
    transpose(&t, exec);
  if (in[0]->is_mapped)
    ir_release_pages(in[0]->data, in[0]->bytes); /* only this step reads the file's weights */
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "transpose_packed", .isa = "any", .run = run};
  const int32_t out = ir_plan_output_slot(plan, 0);
  (void)in;
  (void)scope;
  return ir_plan_step_on(plan, node, &kernel, node->params, 0, plan->in_slots, 1, &out, 1);
}

const ir_op ir_op_packed_transpose = {
    .dialect = IR_OPENVINO, .type = "PackedTranspose", .run = {IR_RUN_PREPARED, .prepare = prepare}};
