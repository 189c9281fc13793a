/* MatMul-1 multiplies matrices: the last two axes of an input are rows and columns, or columns and rows if its
 * attribute transpose_a or transpose_b is true. The axes before them broadcast by numpy's rules. A vector [K] is a
 * matrix [1, K] on the left and [K, 1] on the right; the output has no axis for that 1. Page:
 * operation-specs/matrix/matmul-1. */
#include "ops/fast/fast.h"
#include "ops/kernels/contraction.h"
#include "ops/math/broadcast.h"
#include "ops/op.h"

typedef struct mat_mul_params {
  bool transpose_a, transpose_b;
} mat_mul_params;

/* An input as a batch of matrices, after the transposition. */
typedef struct matrices {
  ir_shape batch;
  ir_dim rows, columns;
  bool is_vector;
} matrices;

static matrices matrices_of(const ir_shape *shape, bool is_transposed, bool is_left) {
  matrices m = {.batch = ir_shape_of(0, NULL), .is_vector = shape->rank == 1};
  if (m.is_vector) {
    m.rows = is_left ? ir_dim_of(1) : shape->dims[0];
    m.columns = is_left ? shape->dims[0] : ir_dim_of(1);
    return m;
  }
  m.batch = *shape;
  m.batch.rank -= 2;
  m.rows = shape->dims[shape->rank - (is_transposed ? 1 : 2)];
  m.columns = shape->dims[shape->rank - (is_transposed ? 2 : 1)];
  return m;
}

/* Checks that `b` has as many rows as `a` has columns, and that the batch axes broadcast. Reports faults and then
 * returns false. */
static bool fit(const ir_node *node, const ir_value *const *in, const matrices *a, const matrices *b,
                const ir_broadcast_result *batch, ir_scope *scope) {
  char texts[2][IR_SHAPE_TEXT], dims[2][IR_DIM_TEXT];
  ir_shape_text(&in[0]->shape, texts[0], sizeof texts[0]);
  ir_shape_text(&in[1]->shape, texts[1], sizeof texts[1]);
  const bool meet = ir_dims_meet(a->columns, b->rows), fits = batch->fit == IR_BROADCAST_FITS;
  const ir_where where = ir_input_where(scope, node, 1, -1);
  if (!meet)
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, where,
              "a matrix of input 0 has %s columns, one of input 1 has %s rows: %s%s and %s%s",
              ir_dim_text(a->columns, dims[0], sizeof dims[0]), ir_dim_text(b->rows, dims[1], sizeof dims[1]), texts[0],
              a->is_vector || !((const mat_mul_params *)node->params)->transpose_a ? "" : " transposed", texts[1],
              b->is_vector || !((const mat_mul_params *)node->params)->transpose_b ? "" : " transposed");
  if (!fits)
    ir_report(scope->diags, IR316_SHAPES_NOT_BROADCASTABLE, where,
              "the axes before the matrices do not broadcast: %s and %s", texts[0], texts[1]);
  return meet && fits;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const mat_mul_params *params = node->params;
  out->type = in[0]->type != IR_DYNAMIC ? in[0]->type : in[1]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || node->attrs_at_fault != 0;
  if (out->poisoned || in[0]->shape.rank == IR_RANK_UNKNOWN || in[1]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const matrices a = matrices_of(&in[0]->shape, params->transpose_a, true);
  const matrices b = matrices_of(&in[1]->shape, params->transpose_b, false);
  const ir_broadcast_result batch = ir_broadcast_shapes((ir_broadcast){.mode = IR_BROADCAST_NUMPY}, &a.batch, &b.batch);
  out->poisoned = !fit(node, in, &a, &b, &batch, scope);
  if (out->poisoned)
    return IR_OK;
  out->shape = batch.shape;
  if (!a.is_vector)
    out->shape.dims[out->shape.rank++] = a.rows;
  if (!b.is_vector)
    out->shape.dims[out->shape.rank++] = b.columns;
  return IR_OK;
}

/* ---- running ---- */

enum { ROWS = IR_MAX_RANK, SUMMED, COLUMNS }; /* labels of axes; the label of a batch axis is its index in the output */

static void label(ir_labelled *input, int n_batch, bool is_transposed, int first, int second) {
  const int rank = input->shape.rank;
  for (int i = 0; i < rank - 2; i++)
    input->labels[i] = n_batch - (rank - 2) + i;
  input->labels[rank - 1] = is_transposed ? first : second;
  if (rank > 1)
    input->labels[rank - 2] = is_transposed ? second : first;
  else
    input->labels[0] = SUMMED;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const mat_mul_params *params = node->params;
  ir_labelled a = ir_labelled_input(plan, in, 0), b = ir_labelled_input(plan, in, 1);
  ir_labelled out = ir_labelled_output(plan, node);
  const bool has_rows = a.shape.rank > 1, has_columns = b.shape.rank > 1;
  const int n_batch = out.shape.rank - has_rows - has_columns;
  label(&a, n_batch, params->transpose_a, ROWS, SUMMED);
  label(&b, n_batch, params->transpose_b, SUMMED, COLUMNS);
  for (int i = 0; i < n_batch; i++)
    out.labels[i] = i;
  if (has_rows)
    out.labels[n_batch] = ROWS;
  if (has_columns)
    out.labels[out.shape.rank - 1] = COLUMNS;
  return ir_contraction_step(plan, node, "mat_mul", &a, &b, &out, scope);
}

/* Describes the product for the fast module. If b is a single matrix, the rows of all matrices of a are treated as one
 * matrix. The last batch axis counts heads. */
static bool contraction(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_fast_desc *out) {
  (void)scope;
  const mat_mul_params *params = node->params;
  const ir_shape *shape = &node->outputs[0].shape;
  const matrices a = matrices_of(&in[0]->shape, params->transpose_a, true);
  const matrices b = matrices_of(&in[1]->shape, params->transpose_b, false);
  int64_t batch, b_batch, elements;
  if (ir_compute_type_of(node->outputs[0].type) != IR_COMPUTE_F32 || !ir_shape_elements(&a.batch, &batch) ||
      !ir_shape_elements(&b.batch, &b_batch) || !ir_shape_elements(shape, &elements) || elements == 0 ||
      a.columns.lo == 0)
    return false;
  *out = (ir_fast_desc){.kind = IR_FAST_MATMUL,
                        .batch = batch,
                        .heads = 1,
                        .m = a.rows.lo,
                        .k = a.columns.lo,
                        .n = b.columns.lo,
                        .a.is_transposed = params->transpose_a && !a.is_vector,
                        .b.is_transposed = params->transpose_b && !b.is_vector};
  if (b_batch == 1 && !out->a.is_transposed) {
    out->m *= batch;
    out->batch = 1;
    return true;
  }
  if (a.batch.rank > 0) {
    out->heads = a.batch.dims[a.batch.rank - 1].lo;
    out->batch = batch / out->heads;
  }
  return ir_shapes_equal(&a.batch, &b.batch);
}

/* ir_op.cost: the number of multiplications; -1 if unknown. */
static int64_t cost(const ir_node *node, const ir_value *const *in) {
  const ir_value *out = &node->outputs[0];
  const ir_shape *a = &in[0]->shape;
  const bool is_known = !out->poisoned && ir_shape_known(&out->shape) && ir_shape_known(a);
  int64_t elements, products;
  if (!is_known || !ir_shape_elements(&out->shape, &elements))
    return -1;
  const int64_t terms = matrices_of(a, ((const mat_mul_params *)node->params)->transpose_a, true).columns.lo;
  return ir_mul(elements, terms, &products) ? products : -1;
}

static const ir_attr_spec attrs[] = {
    {.name = "transpose_a", .kind = IR_ATTR_BOOL, .offset = offsetof(mat_mul_params, transpose_a), .fallback = "false"},
    {.name = "transpose_b", .kind = IR_ATTR_BOOL, .offset = offsetof(mat_mul_params, transpose_b), .fallback = "false"},
    {.name = NULL}};

#define MATRIX(port)                                                                                                   \
  { .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .rank_min = 1, .rank_max = IR_MAX_RANK }

const ir_op ir_op_mat_mul_1 = {
    .dialect = IR_OPENVINO,
    .type = "MatMul",
    .version = 1,
    .spec = IR_SPEC_PAGE("matrix/matmul-1"),
    .params_size = sizeof(mat_mul_params),
    .attrs = attrs,
    .inputs = IR_PORTS(MATRIX("a"), MATRIX("b")),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .contraction = contraction,
    .cost = cost,
    .multiplies = true,
};
