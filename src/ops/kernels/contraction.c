#include "ops/kernels/contraction.h"
#include "base/stop.h"
#include "ops/kernels/products.h"
#include <assert.h>
#include <string.h>

typedef struct contraction_call {
  const ir_contraction *contraction;
  const ir_tensor *a, *b;
  const ir_tensor *out;
  ir_exec *exec;
  int64_t m, n, k;
  int64_t m_tiles, n_tiles; /* tiles of a matrix, along m and along n */
} contraction_call;

/* ---- loading and storing ---- */

/* Whether the offsets are contiguous, and not -1. */
static bool is_run(const int64_t *at, int64_t n) {
  for (int64_t i = 1; i < n; i++)
    if (at[i] != at[0] + i)
      return false;
  return at[0] >= 0;
}

#define GATHER(bits)                                                                                                   \
  case bits / 8:                                                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      ((uint##bits##_t *)to)[i] = at[i] < 0 ? 0 : ((const uint##bits##_t *)from)[at[i]];                               \
    break;
#define SCATTER(bits)                                                                                                  \
  case bits / 8:                                                                                                       \
    for (int64_t i = 0; i < n; i++)                                                                                    \
      ((uint##bits##_t *)to)[at[i]] = ((const uint##bits##_t *)from)[i];                                               \
    break;

static void gather(size_t size, const void *from, const int64_t *at, int64_t n, void *to) {
  switch (size) {
    GATHER(8)
    GATHER(16)
    GATHER(32)
    GATHER(64)
  }
}

static void scatter(size_t size, const void *from, const int64_t *at, int64_t n, void *to) {
  switch (size) {
    SCATTER(8)
    SCATTER(16)
    SCATTER(32)
    SCATTER(64)
  }
}

void ir_compute_gather(const ir_tensor *tensor, const int64_t *at, int64_t n, ir_compute_type compute, void *to) {
  ir_piece piece;
  assert(n <= IR_PIECE);
  gather(ir_type_size(tensor->type), tensor->data, at, n, &piece);
  ir_compute_load(tensor->type, &piece, compute, to, n);
}

/* Loads contiguous columns of f32, f16 or bf16, as load_block does, by transposing them. */
static void load_columns(const ir_tensor *tensor, int64_t row, int64_t n_rows, const int64_t *columns,
                         int64_t n_columns, float *to, int64_t stride, float *spare) {
  const int bits = stride == IR_TILE_N ? 6 : 8;
  float *x = bits == 6 ? spare : to, *other = bits == 6 ? to : spare; /* 3 or 4 passes: the last one writes `to` */
  assert(stride == 1 << bits);
  for (int64_t j = 0; j < stride; j++)
    if (j < n_columns && columns[j] >= 0)
      ir_compute_load(tensor->type, ir_tensor_at(tensor, row + columns[j]), IR_COMPUTE_F32, x + j * n_rows, n_rows);
    else
      memset(x + j * n_rows, 0, (size_t)n_rows * sizeof *x);
  ir_transpose(&x, &other, bits, n_rows);
}

/* Loads the elements at offsets rows[i] + columns[j] into to[i * stride + j]. If columns[j] is -1, the element is 0. */
static void load_block(const ir_tensor *tensor, const int64_t *rows, int64_t n_rows, const int64_t *columns,
                       int64_t n_columns, ir_compute_type compute, void *to, int64_t stride, float *spare) {
  const size_t size = ir_compute_size(compute);
  const bool has_runs = is_run(columns, n_columns);
  int64_t at[IR_TILE_K], places[IR_TILE_K];
  ir_piece piece;
  assert(n_rows <= IR_TILE_K && n_columns <= stride && stride <= IR_TILE_K);
  if (has_runs || n_rows == 1 || !is_run(rows, n_rows)) {
    for (int64_t i = 0; i < n_rows; i++, to = (char *)to + (size_t)stride * size) {
      if (has_runs) {
        ir_compute_load(tensor->type, ir_tensor_at(tensor, rows[i] + columns[0]), compute, to, n_columns);
        continue;
      }
      for (int64_t j = 0; j < n_columns; j++)
        at[j] = columns[j] < 0 ? -1 : rows[i] + columns[j];
      ir_compute_gather(tensor, at, n_columns, compute, to);
    }
    return;
  }
  if (compute == IR_COMPUTE_F32 && n_columns > stride / 4) { /* transposing a few columns would cost more */
    load_columns(tensor, rows[0], n_rows, columns, n_columns, to, stride, spare);
    return;
  }
  for (int64_t j = 0; j < n_columns; j++) { /* each column is contiguous */
    for (int64_t i = 0; i < n_rows; i++)
      places[i] = i * stride + j;
    if (columns[j] >= 0)
      ir_compute_load(tensor->type, ir_tensor_at(tensor, rows[0] + columns[j]), compute, &piece, n_rows);
    else
      memset(&piece, 0, size * (size_t)n_rows);
    scatter(size, &piece, places, n_rows, to);
  }
}

static void store_row(const ir_tensor *out, ir_compute_type compute, const void *sums, int64_t row,
                      const int64_t *columns, int64_t n) {
  char *to = ir_tensor_at(out, row);
  ir_piece piece;
  if (is_run(columns, n)) {
    ir_compute_store(compute, sums, out->type, to + (size_t)columns[0] * ir_type_size(out->type), n);
    return;
  }
  ir_compute_store(compute, sums, out->type, &piece, n);
  scatter(ir_type_size(out->type), &piece, columns, n, to);
}

/* ---- multiplying ---- */

/* Defines tile->sums += tile->left * tile->right. Takes four terms at a time, to load and store the sums less often. */
#define MULTIPLY(number, type)                                                                                         \
  static void multiply_##number(ir_tile *tile) {                                                                       \
    type *restrict sums = tile->sums.number;                                                                           \
    const int64_t n = tile->n_n, n_k = tile->n_k;                                                                      \
    for (int64_t i = 0; i < tile->n_m; i++, sums += IR_TILE_N) {                                                       \
      const type *a = tile->left.number + i * IR_TILE_K, *b = tile->right.number;                                      \
      int64_t k = 0;                                                                                                   \
      for (; k + 4 <= n_k; k += 4, a += 4, b += 4 * IR_TILE_N)                                                         \
        for (int64_t j = 0; j < n; j++)                                                                                \
          sums[j] +=                                                                                                   \
              (a[0] * b[j] + a[1] * b[j + IR_TILE_N]) + (a[2] * b[j + 2 * IR_TILE_N] + a[3] * b[j + 3 * IR_TILE_N]);   \
      for (; k < n_k; k++, a++, b += IR_TILE_N)                                                                        \
        for (int64_t j = 0; j < n; j++)                                                                                \
          sums[j] += a[0] * b[j];                                                                                      \
    }                                                                                                                  \
  }

MULTIPLY(f64, double)
MULTIPLY(u64, uint64_t)

static void multiply_f32(ir_tile *tile) {
  ir_product_add(&(ir_product){.m = tile->n_m,
                               .n = tile->n_n,
                               .k = tile->n_k,
                               .a = tile->left.f32,
                               .a_row = IR_TILE_K,
                               .a_term = 1,
                               .b = tile->right.f32,
                               .b_step = IR_TILE_N,
                               .c = tile->sums.f32,
                               .c_row = IR_TILE_N});
}

/* Modulo 2^64, signed and unsigned products are equal. */
static void (*const multiply[IR_N_COMPUTE_TYPES])(ir_tile *) = {
    [IR_COMPUTE_F32] = multiply_f32, [IR_COMPUTE_F64] = multiply_f64, [IR_COMPUTE_I64] = multiply_u64, multiply_u64};

/* ---- tiles ---- */

static void add_turn(const contraction_call *call, ir_tile *tile, int64_t a_begin, int worker) {
  const ir_contraction *contraction = call->contraction;
  for (int64_t k = 0; k < call->k && !ir_stop_asked_of(call->exec->stop, worker); k += IR_TILE_K) {
    tile->n_k = call->k - k < IR_TILE_K ? call->k - k : IR_TILE_K;
    ir_nd_iter_offsets(&contraction->k, 0, k, tile->n_k, a_begin, tile->a_k);
    ir_nd_iter_offsets(&contraction->k, 1, k, tile->n_k, 0, tile->b_k);
    load_block(tile->a, tile->a_m, tile->n_m, tile->a_k, tile->n_k, contraction->compute, &tile->left, IR_TILE_K,
               tile->spare);
    if (contraction->load != NULL)
      contraction->load(tile, k);
    else
      load_block(tile->b, tile->b_k, tile->n_k, tile->b_n, tile->n_n, contraction->compute, &tile->right, IR_TILE_N,
                 tile->spare);
    multiply[contraction->compute](tile);
  }
}

/* Sets up the tile for item number `item` of the work. Items are tiles in the order [matrix, row of tiles, column of
 * tiles]. */
static void begin_tile(const contraction_call *call, int64_t item, ir_tile *tile) {
  const ir_contraction *contraction = call->contraction;
  const int64_t m = item / call->n_tiles % call->m_tiles * IR_TILE_M;
  tile->column = item % call->n_tiles * IR_TILE_N;
  tile->batch = item / call->n_tiles / call->m_tiles;
  tile->n_m = call->m - m < IR_TILE_M ? call->m - m : IR_TILE_M;
  tile->n_n = call->n - tile->column < IR_TILE_N ? call->n - tile->column : IR_TILE_N;
  ir_nd_iter_offsets(&contraction->batch, 0, tile->batch, 1, 0, &tile->a_at);
  ir_nd_iter_offsets(&contraction->batch, 1, tile->batch, 1, 0, &tile->b_at);
  ir_nd_iter_offsets(&contraction->batch, 2, tile->batch, 1, contraction->out_begin, &tile->out_at);
  ir_nd_iter_offsets(&contraction->m, 0, m, tile->n_m, tile->a_at, tile->a_m);
  ir_nd_iter_offsets(&contraction->m, 1, m, tile->n_m, tile->out_at, tile->out_m);
  ir_nd_iter_offsets(&contraction->n, 0, tile->column, tile->n_n, tile->b_at, tile->b_n);
  ir_nd_iter_offsets(&contraction->n, 1, tile->column, tile->n_n, 0, tile->out_n);
  memset(&tile->sums, 0, (size_t)tile->n_m * IR_TILE_N * ir_compute_size(contraction->compute));
}

static void work(void *user, int64_t begin, int64_t end, int worker) {
  const contraction_call *call = user;
  const ir_contraction *contraction = call->contraction;
  ir_tile *tile = ir_exec_scratch(call->exec, worker);
  tile->contraction = contraction;
  tile->a = call->a;
  tile->b = call->b;
  for (; begin < end; begin++) {
    begin_tile(call, begin, tile);
    for (tile->turn = 0; tile->turn < contraction->n_turns && !ir_stop_asked_of(call->exec->stop, worker);
         tile->turn++) {
      int64_t a_begin = 0;
      if (contraction->take == NULL || contraction->take(tile, &a_begin))
        add_turn(call, tile, a_begin, worker);
    }
    const char *sums = (const char *)&tile->sums;
    for (int64_t i = 0; i < tile->n_m; i++, sums += IR_TILE_N * ir_compute_size(contraction->compute))
      store_row(call->out, contraction->compute, sums, tile->out_m[i], tile->out_n, tile->n_n);
  }
}

/* ---- few rows of f32 ---- */

enum { FEW = 8 }; /* fewer rows than this are faster without copies of b */

/* Whether a has few rows, and the terms of rows and of columns are neighbours, as in the product of a token and fixed
 * weights [N, K]. */
static bool has_dots(const contraction_call *call) {
  const ir_contraction *contraction = call->contraction;
  const bool is_f32 =
      call->b != NULL && call->a->type == IR_F32 && call->b->type == IR_F32 && call->out->type == IR_F32;
  const bool is_plain = contraction->take == NULL && contraction->load == NULL && contraction->n_turns == 1;
  const ir_nd_iter *m = &contraction->m, *n = &contraction->n, *k = &contraction->k;
  return is_f32 && is_plain && call->m < FEW && m->n_axes == 1 && n->n_axes == 1 && k->n_axes == 1 &&
         k->steps[0][0] == 1 && k->steps[1][0] == 1 && n->steps[1][0] == 1;
}

static void multiply_few(void *user, int64_t begin, int64_t end, int worker) {
  const contraction_call *call = user;
  const ir_contraction *contraction = call->contraction;
  ir_tile *tile = ir_exec_scratch(call->exec, worker);
  for (; begin < end && !ir_stop_asked_of(call->exec->stop, worker); begin++) {
    begin_tile(call, begin, tile);
    ir_product_dots(&(ir_product){.m = call->m,
                                  .n = tile->n_n,
                                  .k = call->k,
                                  .a = ir_tensor_at(call->a, tile->a_at),
                                  .a_row = contraction->m.steps[0][0],
                                  .b = ir_tensor_at(call->b, tile->b_n[0]),
                                  .b_step = contraction->n.steps[0][0],
                                  .c = ir_tensor_at(call->out, tile->out_at + tile->out_n[0]),
                                  .c_row = contraction->m.steps[1][0]});
  }
}

void ir_contraction_run(const ir_contraction *contraction, const ir_tensor *a, const ir_tensor *b, ir_tensor *out,
                        ir_exec *exec) {
  if (ir_tensor_elements(out) == 0)
    return;
  contraction_call call = {.contraction = contraction, .a = a, .b = b, .out = out, .exec = exec};
  call.m = ir_nd_iter_elements(&contraction->m);
  call.n = ir_nd_iter_elements(&contraction->n);
  call.k = ir_nd_iter_elements(&contraction->k);
  call.m_tiles = ir_ceil_div(call.m, IR_TILE_M);
  call.n_tiles = ir_ceil_div(call.n, IR_TILE_N);
  /* The cost of the work counts bytes. A multiplication costs about as much as reading a byte, or a quarter of it in
   * f32 that is loaded by rows and columns. */
  int64_t products, terms = 0;
  const bool fits = ir_mul(call.k, contraction->n_turns, &terms) && ir_mul(ir_tensor_elements(out), terms, &products);
  const int64_t items = ir_nd_iter_elements(&contraction->batch) * call.m_tiles * call.n_tiles;
  const int64_t most = contraction->compute == IR_COMPUTE_F32 && contraction->load == NULL ? 4 : 1;
  const int64_t bytes = (int64_t)(a->bytes + out->bytes + (b != NULL ? b->bytes : 0));
  exec->share(exec, items, fits && products / most < INT64_MAX - bytes ? products / most + bytes : INT64_MAX,
              has_dots(&call) ? multiply_few : work, &call);
}

/* ---- tensors with labelled axes ---- */

typedef struct labels_facts {
  int64_t sizes[IR_N_LABELS], steps[3][IR_N_LABELS]; /* size of each label; its step in a, b and out */
  bool is_made[IR_N_LABELS];                         /* whether the output has the label */
  int order[3 * IR_MAX_RANK], n;                     /* the labels in use: the output's, then a's, then b's */
} labels_facts;

static void add_labels(labels_facts *facts, int tensor, const ir_labelled *labelled) {
  int64_t steps[IR_MAX_RANK];
  ir_nd_iter_steps(&labelled->shape, 0, labelled->shape.rank, steps);
  for (int i = 0; i < labelled->shape.rank; i++) {
    const int label = labelled->labels[i];
    const int64_t size = labelled->shape.dims[i].lo;
    bool is_there = false;
    for (int j = 0; j < facts->n; j++)
      is_there = is_there || facts->order[j] == label;
    if (!is_there)
      facts->order[facts->n++] = label;
    if (!is_there || facts->sizes[label] == 1)
      facts->sizes[label] = size;
    facts->steps[tensor][label] += steps[i];
    facts->is_made[label] = facts->is_made[label] || tensor == 2;
  }
}

enum { BATCH, M, N, K };

static int group_of(const labels_facts *facts, int label) {
  if (!facts->is_made[label])
    return K;
  return facts->steps[1][label] == 0 ? M : facts->steps[0][label] == 0 ? N : BATCH;
}

/* Makes an iterator over the labels of a group (BATCH, M, N or K). Returns false if the group has too many labels. */
static bool gather_group(const labels_facts *facts, int group, ir_nd_iter *out) {
  static const int tensors[][3] = {[BATCH] = {0, 1, 2}, [M] = {0, 2}, [N] = {1, 2}, [K] = {0, 1}};
  int64_t dims[IR_MAX_RANK], steps[3][IR_MAX_RANK];
  const int n_tensors = group == BATCH ? 3 : 2;
  int n = 0;
  for (int i = 0; i < facts->n; i++) {
    const int label = facts->order[i];
    if (group_of(facts, label) != group || facts->sizes[label] == 1)
      continue;
    if (n == IR_MAX_RANK)
      return false;
    for (int t = 0; t < n_tensors; t++)
      steps[t][n] = facts->steps[tensors[group][t]][label];
    dims[n++] = facts->sizes[label];
  }
  *out = ir_nd_iter_of(n, dims, n_tensors, steps);
  return true;
}

static bool contraction_of(const ir_labelled *a, const ir_labelled *b, const ir_labelled *out,
                           ir_contraction *contraction) {
  labels_facts facts = {.n = 0};
  add_labels(&facts, 2, out);
  add_labels(&facts, 0, a);
  if (b != NULL)
    add_labels(&facts, 1, b);
  *contraction = (ir_contraction){.compute = ir_compute_type_of(out->type), .n_turns = 1};
  return gather_group(&facts, BATCH, &contraction->batch) && gather_group(&facts, M, &contraction->m) &&
         gather_group(&facts, N, &contraction->n) && gather_group(&facts, K, &contraction->k);
}

/* Implements ir_contraction.load for a contraction without b: loads ones. */
static void load_ones(ir_tile *tile, int64_t k) {
  (void)k;
  for (int64_t i = 0; i < tile->n_k * IR_TILE_N; i++)
    if (tile->contraction->compute == IR_COMPUTE_F32)
      tile->right.f32[i] = 1;
    else if (tile->contraction->compute == IR_COMPUTE_F64)
      tile->right.f64[i] = 1;
    else
      tile->right.u64[i] = 1;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  ir_contraction_run(step->state, in[0], step->n_in > 1 ? in[1] : NULL, out[0], exec);
  return IR_OK;
}

ir_labelled ir_labelled_input(const ir_plan *plan, const ir_value *const *in, int port) {
  return (ir_labelled){.slot = ir_plan_input_slot(plan, port), .type = in[port]->type, .shape = in[port]->shape};
}

ir_labelled ir_labelled_output(const ir_plan *plan, const ir_node *node) {
  const ir_value *out = &node->outputs[0];
  return (ir_labelled){.slot = ir_plan_output_slot(plan, 0), .type = out->type, .shape = out->shape};
}

ir_code ir_contraction_step(ir_plan *plan, const ir_node *node, const char *name, const ir_labelled *a,
                            const ir_labelled *b, const ir_labelled *out, ir_scope *scope) {
  ir_contraction *contraction = ir_arena_alloc(plan->arena, sizeof *contraction);
  ir_kernel *kernel = ir_arena_alloc(plan->arena, sizeof *kernel);
  if (contraction == NULL || kernel == NULL)
    return ir_out_of_memory(scope->diags);
  *kernel = (ir_kernel){.name = name, .isa = "any", .run = run};
  bool fits = contraction_of(a, b, out, contraction);
  int64_t elements;
  const bool is_empty = ir_shape_elements(&out->shape, &elements) && elements == 0;
  if (fits && b != NULL && !is_empty && ir_nd_iter_elements(&contraction->n) < ir_nd_iter_elements(&contraction->m)) {
    const ir_labelled *left = a; /* swap a and b, so that n is the longer side */
    a = b;
    b = left;
    fits = contraction_of(a, b, out, contraction);
  }
  if (!fits) {
    ir_report(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
              "irrun sums over at most %d axes at a time", IR_MAX_RANK);
    return IR_UNSUPPORTED;
  }
  contraction->load = b == NULL ? load_ones : NULL;
  const int32_t in[] = {a->slot, b != NULL ? b->slot : -1};
  return ir_plan_step_on(plan, node, kernel, contraction, sizeof(ir_tile), in, b != NULL ? 2 : 1, &out->slot, 1);
}
