/* FullyConnected (InnerProduct) and Gemm. */
#include "ops/legacy/legacy.h"

typedef struct full_params {
  int64_t out_size;
} full_params;

static const ir_attr_spec full_attrs[] = {IR_LEGACY_INT("out-size", full_params, out_size, .required = true),
                                          IR_LEGACY_END};

/* y = x W^T + b, for x of [N, I] with the axes behind N as one, and weights [O, I]. An input of rank 3 keeps its
 * second axis. */
static void expand_full(ir_expansion *x) {
  const full_params *p = x->node->params;
  const ir_blob *weights = ir_old_blob(x, "weights"), *biases = ir_old_blob(x, "biases");
  const int rank = ir_old_rank(x, 0);
  const bool keeps = rank == 3 && ir_old_output_rank(x, 0) == 3;
  int64_t n_inputs = 1;
  for (int i = keeps ? 2 : 1; i < rank; i++)
    n_inputs = ir_times(n_inputs, ir_old_dim(x, 0, i));
  ir_wire data = ir_old_input(x, 0);
  if (rank > 2 && !keeps)
    data = ir_new_reshape(x, data, 2, (const int64_t[]){0, -1});
  if (weights == NULL && !ir_has_old_input(x, 1)) {
    ir_refuse_layer(x, "it has no weights");
    return;
  }
  const ir_wire of =
      weights != NULL ? ir_new_blob(x, weights, 2, (const int64_t[]){p->out_size, n_inputs}) : ir_old_input_like(x, 1);
  ir_wire made = IR_NEW(x, "MatMul", 1, data, of);
  ir_set_bool(x, made, "transpose_a", false);
  ir_set_bool(x, made, "transpose_b", true);
  if (biases != NULL)
    made = IR_NEW(x, "Add", 1, made, ir_new_blob(x, biases, 2, (const int64_t[]){1, p->out_size}));
  else if (ir_has_old_input(x, 2))
    made = IR_NEW(x, "Add", 1, made, ir_old_input_like(x, 2));
  ir_give_output(x, 0, made);
}

typedef struct gemm_params {
  double alpha, beta;
  bool transpose_a, transpose_b;
} gemm_params;

static const ir_attr_spec gemm_attrs[] = {IR_LEGACY_FLOAT("alpha", gemm_params, alpha, .fallback = "1"),
                                          IR_LEGACY_FLOAT("beta", gemm_params, beta, .fallback = "1"),
                                          IR_LEGACY_BOOL("transpose_a", gemm_params, transpose_a, .fallback = "false"),
                                          IR_LEGACY_BOOL("transpose_b", gemm_params, transpose_b, .fallback = "false"),
                                          IR_LEGACY_END};

static ir_wire scaled(ir_expansion *x, ir_wire wire, double factor) {
  return factor == 1 ? wire : IR_NEW(x, "Multiply", 1, wire, ir_new_number(x, ir_old_type(x, 0), factor));
}

/* alpha A B + beta C. */
static void expand_gemm(ir_expansion *x) {
  const gemm_params *p = x->node->params;
  ir_wire made = IR_NEW(x, "MatMul", 1, ir_old_input(x, 0), ir_old_input_like(x, 1));
  ir_set_bool(x, made, "transpose_a", p->transpose_a);
  ir_set_bool(x, made, "transpose_b", p->transpose_b);
  made = scaled(x, made, p->alpha);
  if (ir_has_old_input(x, 2))
    made = IR_NEW(x, "Add", 1, made, scaled(x, ir_old_input_like(x, 2), p->beta));
  ir_give_output(x, 0, made);
}

#define FULL(name, text)                                                                                               \
  IR_LEGACY_ROW(name, text, sizeof(full_params), full_attrs,                                                           \
                IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("weights"), IR_LEGACY_MORE("biases")),                 \
                IR_LEGACY_ONE_OUT, expand_full)
FULL(fully_connected, "FullyConnected");
FULL(inner_product, "InnerProduct");
IR_LEGACY_ROW(gemm, "Gemm", sizeof(gemm_params), gemm_attrs,
              IR_PORTS(IR_LEGACY_PORT("a"), IR_LEGACY_PORT("b"), IR_LEGACY_MORE("c")), IR_LEGACY_ONE_OUT, expand_gemm);
