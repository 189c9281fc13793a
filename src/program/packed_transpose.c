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
        ir_codes_load(t->in->type, t->in->data, (row + i) * t->columns + column, n, codes[i]);
      for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n_rows; i++)
          turned[i] = codes[i][j];
        ir_codes_store(t->in->type, turned, (column + j) * t->rows + row, n_rows, t->out->data);
      }
    }
}

/* Transposes elements that are smaller than a byte, one by one: rows of the input or output are no whole bytes. */
static void transpose_elements(const transposing *t) {
  memset(t->out->data, 0, t->out->bytes);
  for (int64_t row = 0; row < t->rows; row++)
    for (int64_t column = 0; column < t->columns; column++)
      ir_narrow_set_bits(t->in->type, t->out->data, column * t->rows + row,
                         ir_narrow_bits(t->in->type, t->in->data, row * t->columns + column));
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const int64_t columns = in[0]->dims[in[0]->rank - 1];
  transposing t = {.in = in[0], .out = out[0], .rows = ir_tensor_elements(in[0]) / columns, .columns = columns};
  (void)step;
  if (ir_type_in(in[0]->type, IR_SET_STORED)) {
    const ir_strided_copy copy = ir_strided_copy_of(2, (const int64_t[]){columns, t.rows},
                                                    (const int64_t[]){1, columns}, (const int64_t[]){t.rows, 1});
    ir_strided_copy_run(&copy, ir_type_size(in[0]->type), in[0]->data, out[0]->data, exec);
  } else if (t.rows * ir_type_bits(in[0]->type) % 8 != 0 || columns * ir_type_bits(in[0]->type) % 8 != 0) {
    transpose_elements(&t);
  } else {
    exec->share(exec, ir_ceil_div(columns, TILE), 2 * (int64_t)in[0]->bytes, transpose_codes, &t);
  }
  if (in[0]->is_mapped)
    ir_release_pages(in[0]->data, in[0]->bytes); /* only this step reads the file's weights */
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "transpose_packed", .isa = "any", .run = run};
  const int32_t out = ir_plan_output_slot(plan, 0);
  (void)in;
  (void)scope;
  return ir_plan_step_on(plan, node, &kernel, NULL, 0, plan->in_slots, 1, &out, 1);
}

const ir_op ir_op_packed_transpose = {
    .dialect = IR_OPENVINO, .type = "PackedTranspose", .run = {IR_RUN_PREPARED, .prepare = prepare}};
