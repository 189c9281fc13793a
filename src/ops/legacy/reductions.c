/* Reductions: ReduceSum and its like. The second input has the axes. */
#include "ops/legacy/legacy.h"
#include <string.h>

typedef struct params {
  bool keep_dims;
} params;

static const ir_attr_spec attrs[] = {IR_LEGACY_BOOL("keep_dims", params, keep_dims, .fallback = "true"), IR_LEGACY_END};

/* The op that reduces, and the ops for its elements before and after, or NULL: the family of a row. */
typedef struct reduction {
  const char *type;
  int opset;
  const char *before, *after;
} reduction;

/* The tools of the time disagreed about the default of keep_dims, so that the declared output decides. */
static bool keeps_dims(const ir_expansion *x) {
  const params *p = x->node->params;
  const bool is_stated = ir_layer_attr(x->node->layer, "keep_dims") != NULL;
  return is_stated ? p->keep_dims : ir_old_output_rank(x, 0) == ir_old_rank(x, 0);
}

static ir_wire prepared(ir_expansion *x, const reduction *r, ir_type type) {
  const ir_wire data = ir_new_convert(x, ir_old_input(x, 0), ir_old_type(x, 0), type);
  if (r->before == NULL)
    return data;
  return strcmp(r->before, "Multiply") == 0 ? IR_NEW(x, r->before, 1, data, data) : IR_NEW(x, r->before, 1, data);
}

static void expand_reduction(ir_expansion *x) {
  const reduction *r = x->node->op->family;
  const bool is_logic = strstr(r->type, "Logical") != NULL, keep = keeps_dims(x);
  const ir_type type = is_logic ? IR_BOOLEAN : ir_old_type(x, 0);
  ir_wire made = IR_NEW(x, r->type, r->opset, prepared(x, r, type), ir_old_input_as_ints(x, 1));
  ir_set_bool(x, made, "keep_dims", keep);
  if (r->after != NULL)
    made = IR_NEW(x, r->after, 1, made);
  /* [1] stands for a scalar */
  if (!keep && ir_old_dim(x, 1, 0) == ir_old_rank(x, 0) && ir_old_output_rank(x, 0) == 1)
    made = ir_new_unsqueeze(x, made, 0);
  ir_give_converted(x, 0, made, type);
}

#define REDUCE(name, text, ...)                                                                                        \
  IR_LEGACY_ROW(name, text, sizeof(params), attrs, IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("axes")),           \
                IR_LEGACY_ONE_OUT, expand_reduction, .family = &(const reduction){__VA_ARGS__})
REDUCE(reduce_and, "ReduceAnd", "ReduceLogicalAnd", 1, NULL, NULL);
REDUCE(reduce_l1, "ReduceL1", "ReduceL1", 4, NULL, NULL);
REDUCE(reduce_l2, "ReduceL2", "ReduceL2", 4, NULL, NULL);
REDUCE(reduce_log_sum, "ReduceLogSum", "ReduceSum", 1, NULL, "Log");
REDUCE(reduce_log_sum_exp, "ReduceLogSumExp", "ReduceSum", 1, "Exp", "Log");
REDUCE(reduce_max, "ReduceMax", "ReduceMax", 1, NULL, NULL);
REDUCE(reduce_mean, "ReduceMean", "ReduceMean", 1, NULL, NULL);
REDUCE(reduce_min, "ReduceMin", "ReduceMin", 1, NULL, NULL);
REDUCE(reduce_or, "ReduceOr", "ReduceLogicalOr", 1, NULL, NULL);
REDUCE(reduce_prod, "ReduceProd", "ReduceProd", 1, NULL, NULL);
REDUCE(reduce_sum, "ReduceSum", "ReduceSum", 1, NULL, NULL);
REDUCE(reduce_sum_square, "ReduceSumSquare", "ReduceSum", 1, "Multiply", NULL);
