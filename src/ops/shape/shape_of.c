/* ShapeOf-1 and ShapeOf-3 return the dims of the input as a list. */
#include "ops/op.h"
#include "ops/prepare.h"
#include "ops/ranges.h"

typedef struct shape_of_params {
  int output_type; /* index in `types` */
} shape_of_params;

static const char *const type_names[] = {"i64", "i32", NULL};
static const ir_type types[] = {IR_I64, IR_I32};

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const shape_of_params *params = node->params;
  const int rank = in[0]->shape.rank;
  out->type = types[params->output_type];
  if (node->op->version == 3)
    ir_warn_of_default(node, "output_type", "i64", "refused", scope);
  out->poisoned = in[0]->poisoned || node->attrs_at_fault != 0;
  out->shape = ir_shape_of_rank(1);
  if (rank != IR_RANK_UNKNOWN)
    out->shape.dims[0] = ir_dim_of(rank);
  return IR_OK;
}

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node;
  return in[0]->shape.rank != IR_RANK_UNKNOWN ? ir_ranges_set(out, in[0]->shape.dims, scope) : IR_OK;
}

/* ---- running ---- */

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)in, (void)exec;
  const ir_shape *shape = step->state;
  for (int i = 0; i < shape->rank; i++)
    if (out[0]->type == IR_I32)
      ((int32_t *)out[0]->data)[i] = (int32_t)shape->dims[i].lo;
    else
      ((int64_t *)out[0]->data)[i] = shape->dims[i].lo;
  return IR_OK;
}

static const ir_kernel kernel = {.name = "shape_of", .isa = "any", .run = run};

/* Adds a step without inputs: the dims are known, and the input's elements are not read. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_shape *shape = ir_arena_alloc(plan->arena, sizeof *shape);
  const int32_t out = ir_plan_output_slot(plan, 0);
  if (shape == NULL)
    return ir_out_of_memory(scope->diags);
  *shape = in[0]->shape;
  for (int i = 0; i < shape->rank && node->outputs[0].type == IR_I32; i++)
    if (shape->dims[i].lo > INT32_MAX)
      return ir_report_firm(scope->diags, IR308_SIZE_OVERFLOW, ir_node_where(scope, node),
                            "axis %d has %lld elements, which do not fit i32", i, (long long)shape->dims[i].lo);
  return ir_plan_step_on(plan, node, &kernel, shape, 0, NULL, 0, &out, 1);
}

static int64_t cost(const ir_node *node, const ir_value *const *in) {
  (void)node, (void)in;
  return 0;
}

static const ir_attr_spec attrs_3[] = {{.name = "output_type",
                                        .kind = IR_ATTR_ENUM,
                                        .offset = offsetof(shape_of_params, output_type),
                                        .names = type_names,
                                        .fallback = "i64"},
                                       {.name = NULL}};

static const char *const ignored_attrs[] = {"output_type", NULL};

#define SHAPE_OF(number, schema, output_types)                                                                         \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "ShapeOf", .version = number, .spec = IR_SPEC_PAGE("shape/shape-of-" #number),     \
    .params_size = sizeof(shape_of_params), .attrs = schema, .ignored_attrs = ignored_attrs,                           \
    .inputs = IR_PORTS(                                                                                                \
        {.name = "data", .type_var = "T", .types = IR_SET_STORED, .rank_max = IR_MAX_RANK, .shape_only = true}),       \
    .outputs = IR_PORTS({.name = "output", .type_var = "T_IND", .types = output_types, .rank_min = 1, .rank_max = 1}), \
    .narrow = IR_SET_NARROW, .infer = infer, .ranges = ranges, .run = {IR_RUN_PREPARED, .prepare = prepare},           \
    .cost = cost                                                                                                       \
  }

const ir_op ir_op_shape_of_1 = SHAPE_OF(1, NULL, IR_SET(IR_I64));
const ir_op ir_op_shape_of_3 = SHAPE_OF(3, attrs_3, IR_SET(IR_I32) | IR_SET(IR_I64));
