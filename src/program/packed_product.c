#include "program/packed_product.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/packed_lanes.h"
#include "ops/kernels/products.h"
#include <string.h>

typedef struct product_work {
  const ir_packed_product *product;
  ir_packed_rows weights;
  const float *rows;
  float *out;
  float *ordered; /* the rows, as ir_packed_lanes reads them */
  int64_t block;  /* rows of the weights that are unpacked together */
  int64_t first;  /* first row of a tile */
  float *tile;    /* the unpacked rows of a tile */
  ir_exec *exec;
} product_work;

/* ---- few rows ---- */

/* Unpacks so many rows of the weights that half of a L1 cache of 32 KB holds them. */
static int64_t rows_of_block(const ir_packed_rows *weights) {
  enum { MOST = 4096, LEAST_ROWS = 2, MOST_ROWS = 32 };
  return least(most(MOST / weights->k, LEAST_ROWS), MOST_ROWS);
}

/* From 5 rows on, it is faster to unpack weights once for all rows. */
static bool has_lanes(const ir_packed_product *product) {
  enum { MOST_ROWS = 4 };
  return product->m <= MOST_ROWS && ir_packed_has_lanes(&product->weights, product->m);
}

/* Multiplies without a copy of unpacked weights. */
static void multiply_lanes(void *user, int64_t begin, int64_t end, int worker) {
  const product_work *w = user;
  const int64_t m = w->product->m, n = w->weights.n, size = ir_packed_ordered(&w->weights);
  float *scratch = ir_exec_scratch(w->exec, worker);
  float lanes[IR_COLUMNS * IR_LANES];
  for (int64_t first = begin * IR_COLUMNS; first < least(end * IR_COLUMNS, n); first += IR_COLUMNS)
    for (int64_t i = 0; i < m; i++) {
      const int64_t n_rows = least(IR_COLUMNS, n - first);
      for (int64_t j = 0; j < n_rows; j++)
        ir_packed_lanes(&w->weights, first + j, scratch, w->ordered + i * size, lanes + j * IR_LANES);
      ir_product_fold(lanes, n_rows, w->out + i * n + first);
    }
}

static void multiply_blocks(void *user, int64_t begin, int64_t end, int worker) {
  const product_work *w = user;
  const int64_t k = w->weights.k, n = w->weights.n;
  const float *in_place = ir_packed_in_place(&w->weights);
  float *scratch = ir_exec_scratch(w->exec, worker), *unpacked = scratch + ir_packed_scratch(&w->weights);
  for (; begin < end; begin++) {
    const int64_t first = begin * w->block, n_rows = least(w->block, n - first);
    for (int64_t i = 0; i < n_rows; i++) {
      ir_packed_prefetch(&w->weights, first + w->block + i);
      if (in_place == NULL)
        ir_packed_row(&w->weights, first + i, scratch, unpacked + i * k);
    }
    ir_product_dots(&(ir_product){.m = w->product->m,
                                  .n = n_rows,
                                  .k = k,
                                  .a = w->rows,
                                  .a_row = k,
                                  .b = in_place != NULL ? in_place + first * k : unpacked,
                                  .b_step = k,
                                  .c = w->out + first,
                                  .c_row = n});
  }
}

/* ---- many rows ---- */

static void unpack_tile(void *user, int64_t begin, int64_t end, int worker) {
  const product_work *w = user;
  for (; begin < end; begin++)
    ir_packed_row(&w->weights, w->first + begin, ir_exec_scratch(w->exec, worker), w->tile + begin * w->weights.k);
}

static ir_code multiply_tiles(product_work *w, float *made, ir_diags *diags) {
  const ir_packed_product *product = w->product;
  const int64_t n = w->weights.n;
  const int64_t n_rows = product->tile;
  for (int64_t at = 0; at < n; at += n_rows) {
    w->first = least(at, n - n_rows); /* the last tile can repeat rows of the one before */
    const ir_fast_tensors tensors = {.in = w->rows, .b = w->tile, .out = made};
    w->exec->share(w->exec, n_rows, n_rows * w->weights.k * (int64_t)sizeof *w->tile, unpack_tile, w);
    if (!ir_fast()->run(product->whole, &tensors, product->n_threads))
      return ir_out_of_memory(diags);
    for (int64_t i = 0; i < product->m; i++)
      memcpy(w->out + i * n + w->first, made + i * n_rows, (size_t)n_rows * sizeof *made);
  }
  return IR_OK;
}

/* ---- the step ---- */

typedef struct product_state {
  const ir_packed_product *product;
  ir_diags *diags;
} product_state;

/* Multiplies by weights that the module reads as they lie. */
static ir_code run_plain(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)exec;
  const product_state *state = step->state;
  const ir_fast_tensors tensors = {.in = in[0]->data, .b = in[1]->data, .out = out[0]->data};
  return ir_fast()->run(state->product->whole, &tensors, state->product->n_threads) ? IR_OK
                                                                                    : ir_out_of_memory(state->diags);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const product_state *state = step->state;
  const ir_packed_product *product = state->product;
  product_work work = {
      .product = product, .weights = product->weights, .rows = in[0]->data, .out = out[0]->data, .exec = exec};
  work.weights.weights.data = in[1]->data;
  work.weights.zeros.elements.data = product->weights.has_zeros ? in[2]->data : NULL;
  work.weights.scales.elements.data = product->weights.has_scales ? in[step->n_in - 1]->data : NULL;
  if (product->tile > 0) {
    work.tile = out[1]->data;
    return multiply_tiles(&work, out[2]->data, state->diags);
  }
  const bool by_lanes = has_lanes(product);
  for (int64_t i = 0; by_lanes && i < product->m; i++) {
    work.ordered = out[1]->data;
    ir_packed_order(&work.weights, work.rows + i * work.weights.k, work.ordered + i * ir_packed_ordered(&work.weights));
  }
  work.block = by_lanes ? IR_COLUMNS : rows_of_block(&work.weights);
  exec->share(exec, ir_ceil_div(work.weights.n, work.block), (int64_t)(in[0]->bytes + in[1]->bytes),
              by_lanes ? multiply_lanes : multiply_blocks, &work);
  return IR_OK;
}

/* Adds a slot for f32[rows, columns]; -1 when memory is out (reported). */
static int32_t add_matrix(ir_plan *plan, int64_t rows, int64_t columns) {
  const ir_shape shape = ir_shape_of(2, (const int64_t[]){rows, columns});
  return ir_plan_temporary(plan, IR_F32, &shape);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  static const ir_kernel few = {.name = "packed_rows", .isa = "any", .run = run, .reads_unaligned = true};
  /* Denormals are not flushed: elements of f16 are f32 denormals before they are scaled. */
  static const ir_kernel many = {.name = "packed_tiles", .isa = "onednn", .run = run, .reads_unaligned = true};
  static const ir_kernel plain = {.name = "plain_rows", .isa = "onednn", .run = run_plain};
  const ir_packed_product *product = node->params;
  product_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int32_t outs[] = {ir_plan_output_slot(plan, 0), -1, -1};
  size_t floats = (size_t)ir_packed_scratch(&product->weights);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (product_state){product, plan->diags};
  if (product->tile == 0) {
    const bool by_lanes = has_lanes(product);
    floats += (size_t)(rows_of_block(&product->weights) * product->weights.k);
    if (by_lanes) {
      floats = (size_t)ir_packed_lanes_scratch(&product->weights);
      outs[1] = add_matrix(plan, product->m, ir_packed_ordered(&product->weights));
    }
    return by_lanes && outs[1] < 0 ? IR_NO_MEMORY
                                   : ir_plan_step_on(plan, node, &few, state, floats * sizeof(float), plan->in_slots,
                                                     node->n_inputs, outs, by_lanes ? 2 : 1);
  }
  if (product->n_threads > 1)
    plan->omp_pool = ir_fast()->omp_pool;
  if (ir_packed_are_plain(&product->weights))
    return ir_plan_step_on(plan, node, &plain, state, 0, plan->in_slots, node->n_inputs, outs, 1);
  outs[1] = add_matrix(plan, product->tile, product->weights.k);
  outs[2] = add_matrix(plan, product->m, product->tile);
  if (outs[1] < 0 || outs[2] < 0)
    return IR_NO_MEMORY;
  return ir_plan_step_on(plan, node, &many, state, floats * sizeof(float), plan->in_slots, node->n_inputs, outs, 3);
}

const ir_op ir_op_packed_product = {
    .dialect = IR_OPENVINO, .type = "PackedProduct", .run = {IR_RUN_PREPARED, .prepare = prepare}};
