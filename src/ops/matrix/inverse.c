/* Inverse-14 inverts square matrices [.., N, N]. If `adjoint` is true, it inverts their transposes. Page:
 * operation-specs/matrix/inverse-14. */
#include "base/stop.h"
#include "ops/kernels/compute_type.h"
#include "ops/prepare.h"
#include <math.h>

typedef struct inverse_params {
  bool adjoint;
} inverse_params;

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  *out = (ir_value){.type = in[0]->type, .shape = in[0]->shape};
  out->poisoned = in[0]->poisoned || node->attrs_at_fault != 0;
  if (out->poisoned || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const ir_dim rows = out->shape.dims[out->shape.rank - 2], columns = out->shape.dims[out->shape.rank - 1];
  if (!ir_dims_meet(rows, columns)) {
    char texts[2][IR_DIM_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, out->shape.rank - 1),
              "the matrices have %s rows and %s columns, expected square ones",
              ir_dim_text(rows, texts[0], sizeof texts[0]), ir_dim_text(columns, texts[1], sizeof texts[1]));
    out->poisoned = true;
  }
  return IR_OK;
}

/* ---- running: LU decomposition with partial pivoting, in f64 ---- */

typedef struct inverse_state {
  int64_t n;
  bool is_transposed;
} inverse_state;

typedef struct inverse_call {
  const inverse_state *state;
  const ir_tensor *in, *out;
  ir_exec *exec;
} inverse_call;

/* Decomposes matrix A in place: P * A = L * U, with L below the diagonal and U on and above it. The diagonal of L is 1
 * and not stored. Row i of P * A is row order[i] of A. */
static void decompose(double *a, int64_t n, int64_t *order, ir_stop *stop, int worker) {
  for (int64_t i = 0; i < n; i++)
    order[i] = i;
  for (int64_t k = 0; k < n && !ir_stop_asked_of(stop, worker); k++) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k]))
        pivot = i;
    for (int64_t j = 0; j < n && pivot != k; j++) {
      const double swapped = a[k * n + j];
      a[k * n + j] = a[pivot * n + j];
      a[pivot * n + j] = swapped;
    }
    const int64_t swapped = order[k];
    order[k] = order[pivot];
    order[pivot] = swapped;
    for (int64_t i = k + 1; i < n; i++) {
      const double factor = a[i * n + k] /= a[k * n + k];
      for (int64_t j = k + 1; j < n; j++)
        a[i * n + j] -= factor * a[k * n + j];
    }
  }
}

/* Computes a column of the inverse: solves L * U * x = P * e, for the unit vector e with e[column] = 1. */
static void solve(const double *lu, int64_t n, const int64_t *order, int64_t column, double *x) {
  for (int64_t i = 0; i < n; i++) {
    x[i] = order[i] == column;
    for (int64_t j = 0; j < i; j++)
      x[i] -= lu[i * n + j] * x[j];
  }
  for (int64_t i = n - 1; i >= 0; i--) {
    for (int64_t j = i + 1; j < n; j++)
      x[i] -= lu[i * n + j] * x[j];
    x[i] /= lu[i * n + i];
  }
}

static void invert(void *user, int64_t begin, int64_t end, int worker) {
  const inverse_call *call = user;
  const int64_t n = call->state->n;
  const ir_type type = call->in->type;
  const size_t size = ir_type_size(type);
  double *lu = ir_exec_scratch(call->exec, worker), *x = lu + n * n;
  int64_t *order = (int64_t *)(x + n);
  for (; begin < end; begin++) {
    const size_t at = (size_t)(begin * n * n) * size;
    char *to = (char *)call->out->data + at;
    ir_compute_load(type, (const char *)call->in->data + at, IR_COMPUTE_F64, lu, n * n);
    decompose(lu, n, order, call->exec->stop, worker);
    for (int64_t column = 0; column < n && !ir_stop_asked_of(call->exec->stop, worker); column++) {
      solve(lu, n, order, column, x);
      if (call->state->is_transposed)
        ir_compute_store(IR_COMPUTE_F64, x, type, to + (size_t)(column * n) * size, n);
      for (int64_t i = 0; i < n && !call->state->is_transposed; i++)
        ir_compute_store(IR_COMPUTE_F64, &x[i], type, to + (size_t)(i * n + column) * size, 1);
    }
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  inverse_call call = {step->state, in[0], out[0], exec};
  const int64_t n = call.state->n, elements = ir_tensor_elements(out[0]);
  int64_t products;
  if (elements > 0)
    exec->share(exec, elements / (n * n), ir_mul(elements, n, &products) ? products : INT64_MAX, invert, &call);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "inverse", .isa = "any", .run = run};
  const ir_shape *shape = &in[0]->shape;
  inverse_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int64_t elements, scratch;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (inverse_state){shape->dims[shape->rank - 1].lo, ((const inverse_params *)node->params)->adjoint};
  if (!ir_shape_elements(shape, &elements) || elements == 0)
    return ir_plan_step(plan, node, &kernel, state, 0);
  /* scratch for `lu`, `x` and `order` of invert */
  if (!ir_mul(state->n, state->n + 2, &scratch) || !ir_mul(scratch, sizeof(double), &scratch))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step(plan, node, &kernel, state, (size_t)scratch);
}

static const ir_attr_spec attrs[] = {
    {.name = "adjoint", .kind = IR_ATTR_BOOL, .offset = offsetof(inverse_params, adjoint), .fallback = "false"},
    {.name = NULL}};

#define MATRICES(port)                                                                                                 \
  { .name = port, .type_var = "T", .types = IR_SET_FLOATS, .rank_min = 2, .rank_max = IR_MAX_RANK }

const ir_op ir_op_inverse_14 = {
    .dialect = IR_OPENVINO,
    .type = "Inverse",
    .version = 14,
    .spec = IR_SPEC_PAGE("matrix/inverse-14"),
    .params_size = sizeof(inverse_params),
    .attrs = attrs,
    .inputs = IR_PORTS(MATRICES("data")),
    .outputs = IR_PORTS(MATRICES("output")),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
};
