#include "program/packed_product.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/packed_lanes.h"
#include "ops/kernels/products.h"
#include <stdatomic.h>
#include <string.h>

typedef struct product_work {
  const ir_packed_product *product;
  ir_packed_rows weights;
  const float *rows;
  float *out;
  float *ordered; /* the rows, as ir_packed_lanes reads them */
  int64_t block;  /* rows of the weights that are an item of work: they belong to one matrix */
  ir_exec *exec;
  atomic_bool failed;
} product_work;

/* An item of work: the product of all rows of a matrix and a block of its weights. */
typedef struct product_item {
  int64_t matrix;
  int64_t first, n_rows; /* of the matrix's weights */
  int64_t weights_row;   /* number of the first row among those of all matrices */
} product_item;

static int64_t blocks_of(const product_work *w) {
  return ir_ceil_div(w->product->n, w->block);
}

static product_item item_of(const product_work *w, int64_t i) {
  const int64_t n = w->product->n, matrix = i / blocks_of(w), first = i % blocks_of(w) * w->block;
  return (product_item){matrix, first, least(w->block, n - first), matrix * n + first};
}

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
  const int64_t m = w->product->m, n = w->product->n, size = ir_packed_ordered(&w->weights);
  float *scratch = ir_exec_scratch(w->exec, worker);
  float lanes[IR_COLUMNS * IR_LANES];
  for (; begin < end; begin++) {
    const product_item item = item_of(w, begin);
    for (int64_t i = item.matrix * m; i < (item.matrix + 1) * m; i++) {
      for (int64_t j = 0; j < item.n_rows; j++)
        ir_packed_lanes(&w->weights, item.weights_row + j, scratch, w->ordered + i * size, lanes + j * IR_LANES);
      ir_product_fold(lanes, item.n_rows, w->out + i * n + item.first);
    }
  }
}

static void multiply_blocks(void *user, int64_t begin, int64_t end, int worker) {
  const product_work *w = user;
  const int64_t m = w->product->m, n = w->product->n, k = w->weights.k;
  const float *in_place = ir_packed_in_place(&w->weights);
  float *scratch = ir_exec_scratch(w->exec, worker), *unpacked = scratch + ir_packed_scratch(&w->weights);
  for (; begin < end; begin++) {
    const product_item item = item_of(w, begin);
    for (int64_t i = 0; i < item.n_rows; i++) {
      ir_packed_prefetch(&w->weights, item.weights_row + w->block + i);
      if (in_place == NULL)
        ir_packed_row(&w->weights, item.weights_row + i, scratch, unpacked + i * k);
    }
    ir_product_dots(&(ir_product){.m = m,
                                  .n = item.n_rows,
                                  .k = k,
                                  .a = w->rows + item.matrix * m * k,
                                  .a_row = k,
                                  .b = in_place != NULL ? in_place + item.weights_row * k : unpacked,
                                  .b_step = k,
                                  .c = w->out + item.matrix * m * n + item.first,
                                  .c_row = n});
  }
}

/* ---- many rows ---- */

/* Unpacks tiles, and multiplies each by the module. All tiles have as many rows: the last one of a matrix can repeat
 * rows of the one before. */
static void multiply_tiles(void *user, int64_t begin, int64_t end, int worker) {
  product_work *w = user;
  const ir_packed_product *product = w->product;
  const int64_t m = product->m, n = product->n, k = w->weights.k, n_rows = product->tile;
  float *tile = ir_exec_scratch(w->exec, worker), *made = tile + n_rows * k, *scratch = made + m * n_rows;
  for (; begin < end && !w->failed; begin++) {
    const product_item item = item_of(w, begin);
    const int64_t skipped = n_rows - item.n_rows, weights_row = item.weights_row - skipped;
    const ir_fast_tensors tensors = {.in = w->rows + item.matrix * m * k, .b = tile, .out = made};
    for (int64_t i = 0; i < n_rows; i++)
      ir_packed_row(&w->weights, weights_row + i, scratch, tile + i * k);
    if (!ir_fast()->run(product->primitives[worker], &tensors, 1))
      w->failed = true;
    float *out = w->out + item.matrix * m * n + item.first - skipped;
    for (int64_t i = 0; i < m; i++)
      memcpy(out + i * n, made + i * n_rows, (size_t)n_rows * sizeof *made);
  }
}

static int64_t tile_scratch(const ir_packed_product *product) {
  return product->tile * (product->weights.k + product->m) + ir_packed_scratch(&product->weights);
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
  const ir_packed_product *product = state->product;
  const ir_fast_tensors tensors = {.in = in[0]->data, .b = in[1]->data, .out = out[0]->data};
  return ir_fast()->run(product->primitives[0], &tensors, product->n_threads) ? IR_OK : ir_out_of_memory(state->diags);
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const product_state *state = step->state;
  const ir_packed_product *product = state->product;
  product_work work = {
      .product = product, .weights = product->weights, .rows = in[0]->data, .out = out[0]->data, .exec = exec};
  ir_packed_set_data(&work.weights, in + 1);
  const bool by_tiles = product->tile > 0, by_lanes = !by_tiles && has_lanes(product);
  work.ordered = by_lanes ? out[1]->data : NULL;
  for (int64_t i = 0; by_lanes && i < product->batch * product->m; i++)
    ir_packed_order(&work.weights, work.rows + i * work.weights.k, work.ordered + i * ir_packed_ordered(&work.weights));
  work.block = by_tiles ? product->tile : by_lanes ? IR_COLUMNS : rows_of_block(&work.weights);
  const int64_t n_items = product->batch * blocks_of(&work);
  if (by_tiles)
    exec->share(exec, n_items, n_items * tile_scratch(product) * (int64_t)sizeof(float), multiply_tiles, &work);
  else
    exec->share(exec, n_items, (int64_t)(in[0]->bytes + in[1]->bytes), by_lanes ? multiply_lanes : multiply_blocks,
                &work);
  return work.failed ? ir_out_of_memory(state->diags) : IR_OK;
}

/* Adds the step of few rows, which the module does not compute. */
static ir_code add_few(const ir_node *node, ir_plan *plan, const product_state *state) {
  static const ir_kernel kernel = {.name = "packed_rows", .isa = "any", .run = run, .reads_unaligned = true};
  const ir_packed_product *product = state->product;
  const ir_packed_rows *weights = &product->weights;
  int32_t outs[] = {ir_plan_output_slot(plan, 0), -1};
  int64_t floats = ir_packed_scratch(weights) + rows_of_block(weights) * weights->k;
  const bool by_lanes = has_lanes(product);
  if (by_lanes) {
    const ir_shape shape = ir_shape_of(2, (const int64_t[]){product->batch * product->m, ir_packed_ordered(weights)});
    floats = ir_packed_lanes_scratch(weights);
    outs[1] = ir_plan_temporary(plan, IR_F32, &shape);
    if (outs[1] < 0)
      return IR_NO_MEMORY;
  }
  return ir_plan_step_on(plan, node, &kernel, state, (size_t)floats * sizeof(float), plan->in_slots, node->n_inputs,
                         outs, by_lanes ? 2 : 1);
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  /* Denormals are not flushed: elements of f16 are f32 denormals before they are scaled. */
  static const ir_kernel tiles = {.name = "packed_tiles", .isa = "onednn", .run = run, .reads_unaligned = true};
  static const ir_kernel plain = {.name = "plain_rows", .isa = "onednn", .run = run_plain};
  const ir_packed_product *product = node->params;
  const int32_t out = ir_plan_output_slot(plan, 0);
  product_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (product_state){product, plan->diags};
  if (product->tile == 0)
    return add_few(node, plan, state);
  if (product->n_threads > 1)
    plan->omp_pool = ir_fast()->omp_pool;
  const bool are_plain = ir_packed_are_plain(&product->weights);
  return ir_plan_step_on(plan, node, are_plain ? &plain : &tiles, state,
                         are_plain ? 0 : (size_t)tile_scratch(product) * sizeof(float), plan->in_slots, node->n_inputs,
                         &out, 1);
}

const ir_op ir_op_packed_product = {
    .dialect = IR_OPENVINO, .type = "PackedProduct", .run = {IR_RUN_PREPARED, .prepare = prepare}};
