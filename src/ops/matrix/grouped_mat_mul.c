/* GroupedMatMul-17 computes a matrix product for each of G groups, as in a mixture of experts. It has two forms:
 * - a [G, M, K], b [G, N, K], output [G, M, N]
 * - a [T, K], b [G, N, K], offsets [G], output [T, N]: the rows of group g begin at offsets[g - 1], or at 0 for g = 0,
 *   and end before offsets[g]. Output rows from offsets[G - 1] on are 0.
 *
 * Page: operation-specs/matrix/grouped-matmul-17. That page has b as [G, K, N], and a third form with two matrices, but
 * OpenVINO 2026.4 accepts neither. */
#include "base/stop.h"
#include "ops/agree.h"
#include "ops/fast/fast.h"
#include "ops/kernels/contraction.h"
#include "ops/kernels/index_input.h"

enum { A, B, OFFSETS };

/* Whether the node has the form with offsets. The rank of `a` must be known. */
static bool is_packed(const ir_value *const *in) {
  return in[A]->shape.rank == 2;
}

static bool check_count(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  if (is_packed(in) && node->n_inputs <= OFFSETS) {
    ir_report(scope->diags, IR110_PORT_COUNT_DIFFERS, ir_node_where(scope, node),
              "GroupedMatMul-17 has %d inputs, expected 3: 'mat_a' of rank 2 needs 'offsets'", node->n_inputs);
    return false;
  }
  if (in[A]->shape.rank == 3 && node->n_inputs > OFFSETS)
    ir_report_as(scope->diags, IR110_PORT_COUNT_DIFFERS, IR_WARNING, ir_input_where(scope, node, OFFSETS, -1),
                 "'offsets' has no effect where 'mat_a' has rank 3; OpenVINO does not read it either");
  return true;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  out->type = in[A]->type != IR_DYNAMIC ? in[A]->type : in[B]->type;
  out->poisoned = in[A]->poisoned || in[B]->poisoned;
  if (out->poisoned || in[A]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const int rank = in[A]->shape.rank;
  ir_dim groups = ir_dim_any(), columns = ir_dim_any(), terms = in[A]->shape.dims[rank - 1];
  bool fine = check_count(node, in, scope);
  if (!is_packed(in))
    groups = in[A]->shape.dims[0];
  fine = ir_dim_agrees(node, in, B, 2, "the last axis of 'mat_a'", &terms, scope) && fine;
  fine = ir_dim_agrees(node, in, B, 0, "G (groups) of 'mat_a'", &groups, scope) && fine;
  if (in[B]->shape.rank != IR_RANK_UNKNOWN)
    columns = in[B]->shape.dims[1];
  if (is_packed(in) && node->n_inputs > OFFSETS && !in[OFFSETS]->poisoned)
    fine = ir_dim_agrees(node, in, OFFSETS, 0, "G (groups) of 'mat_b'", &groups, scope) && fine;
  out->poisoned = !fine;
  if (!fine)
    return IR_OK;
  out->shape = in[A]->shape;
  if (!is_packed(in))
    out->shape.dims[0] = groups;
  out->shape.dims[rank - 1] = columns;
  return IR_OK;
}

/* ---- running ---- */

typedef struct packed_state {
  ir_index_input offsets;
} packed_state;

static ir_nd_iter axis(int64_t n, int64_t first_step, int64_t second_step) {
  int64_t steps[2][IR_MAX_RANK] = {{first_step}, {second_step}};
  return ir_nd_iter_of(1, &n, 2, steps);
}

/* Multiplies rows [begin, end) of a by the group's matrix of b. */
static void multiply(const ir_tensor *const *in, ir_tensor *out, int64_t group, int64_t begin, int64_t end,
                     ir_exec *exec) {
  const int64_t n = in[B]->dims[1], k = in[B]->dims[2];
  int64_t none[3][IR_MAX_RANK] = {{0}};
  ir_contraction contraction = {
      .compute = ir_compute_type_of(out->type), .n_turns = 1, .batch = ir_nd_iter_of(0, NULL, 3, none)};
  contraction.m = axis(end - begin, k, n);
  contraction.n = axis(n, k, 1);
  contraction.k = axis(k, 1, 1);
  ir_tensor a = *in[A], b = *in[B], to = *out;
  a.data = ir_tensor_at(in[A], begin * k);
  b.data = ir_tensor_at(in[B], group * n * k);
  to.data = ir_tensor_at(out, begin * n);
  ir_contraction_run(&contraction, &a, &b, &to, exec);
}

static ir_code run_packed(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const packed_state *state = step->state;
  const int64_t rows = out[0]->dims[0];
  int64_t begin = 0, since = 0;
  for (int64_t group = 0; group < in[B]->dims[0]; group++) {
    if (ir_stop_asked_after(exec->stop, 0, IR_TILE_N, &since))
      return IR_OK;
    const int64_t end = ir_index_at(in[OFFSETS], group);
    if (end < begin || end > rows)
      return ir_index_report(&state->offsets, group, end, begin, rows + 1);
    if (end > begin && out[0]->dims[1] > 0)
      multiply(in, out[0], group, begin, end, exec);
    begin = end;
  }
  const size_t row_bytes = (size_t)out[0]->dims[1] * ir_type_size(out[0]->type);
  if (begin < rows && row_bytes > 0)
    memset(ir_tensor_at(out[0], begin * out[0]->dims[1]), 0, (size_t)(rows - begin) * row_bytes);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel packed = {.name = "grouped_mat_mul", .isa = "any", .run = run_packed};
  enum { GROUPS, ROWS, COLUMNS, SUMMED }; /* labels of the axes G, M, N and K */
  if (is_packed(in)) {
    packed_state *state = ir_arena_alloc(plan->arena, sizeof *state);
    if (state == NULL)
      return ir_out_of_memory(scope->diags);
    state->offsets = ir_index_input_of(plan, node, OFFSETS, scope);
    return ir_plan_step(plan, node, &packed, state, sizeof(ir_tile));
  }
  ir_labelled a = ir_labelled_input(plan, in, A), b = ir_labelled_input(plan, in, B);
  ir_labelled out = ir_labelled_output(plan, node);
  memcpy(a.labels, (const int[]){GROUPS, ROWS, SUMMED}, 3 * sizeof(int));
  memcpy(b.labels, (const int[]){GROUPS, COLUMNS, SUMMED}, 3 * sizeof(int));
  memcpy(out.labels, (const int[]){GROUPS, ROWS, COLUMNS}, 3 * sizeof(int));
  return ir_contraction_step(plan, node, "grouped_mat_mul", &a, &b, &out, scope);
}

static bool contraction(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_fast_desc *out) {
  (void)scope;
  const ir_shape *a = &in[A]->shape, *b = &in[B]->shape;
  int64_t elements;
  if (is_packed(in) || ir_compute_type_of(node->outputs[0].type) != IR_COMPUTE_F32 ||
      !ir_shape_elements(&node->outputs[0].shape, &elements) || elements == 0 || a->dims[2].lo == 0)
    return false;
  *out = (ir_fast_desc){.kind = IR_FAST_MATMUL,
                        .batch = a->dims[0].lo,
                        .heads = 1,
                        .m = a->dims[1].lo,
                        .k = a->dims[2].lo,
                        .n = b->dims[1].lo,
                        .b.is_transposed = true};
  return true;
}

/* ir_op.cost: the number of multiplications; -1 if unknown. */
static int64_t cost(const ir_node *node, const ir_value *const *in) {
  const ir_value *out = &node->outputs[0];
  const ir_shape *a = &in[A]->shape;
  int64_t elements, products;
  if (out->poisoned || !ir_shape_known(&out->shape) || !ir_shape_known(a) || !ir_shape_elements(&out->shape, &elements))
    return -1;
  return ir_mul(elements, a->dims[a->rank - 1].lo, &products) ? products : -1;
}

#define MATRICES(port, least)                                                                                          \
  { .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .rank_min = least, .rank_max = 3 }

const ir_op ir_op_grouped_mat_mul_17 = {
    .dialect = IR_OPENVINO,
    .type = "GroupedMatMul",
    .version = 17,
    .spec = IR_SPEC_PAGE("matrix/grouped-matmul-17"),
    .inputs = IR_PORTS(MATRICES("mat_a", 2), MATRICES("mat_b", 3),
                       {.name = "offsets",
                        .type_var = "T_IDX",
                        .types = IR_SET(IR_I32) | IR_SET(IR_I64),
                        .rank_min = 1,
                        .rank_max = 1,
                        .optional = true}),
    .outputs = IR_PORTS(MATRICES("output", 2)),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .contraction = contraction,
    .cost = cost,
    .multiplies = true,
};
