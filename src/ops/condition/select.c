/* Select-1 computes cond ? then : else for each element; the three inputs are broadcast. Exported models also choose
 * sizes with Select, so `ranges` infers intervals of elements. Page: operation-specs/condition/select-1. */
#include "base/tensor.h"
#include "ops/agree.h"
#include "ops/math/binary.h"
#include "ops/ranges.h"

enum { COND, THEN, ELSE };

static ir_broadcast rule_of(const ir_node *node) {
  const ir_binary_params *params = node->params;
  return (ir_broadcast){params->auto_broadcast, params->axis};
}

static bool is_pdpd(const ir_node *node) {
  return rule_of(node).mode == IR_BROADCAST_PDPD;
}

/* Sets `*shape`, the broadcast shape of earlier inputs, to its broadcast with input `port`. Reports shapes that do not
 * fit. */
static bool join(const ir_node *node, const ir_value *const *in, int port, const char *to, ir_shape *shape,
                 ir_scope *scope) {
  const ir_broadcast_result result = ir_broadcast_shapes(rule_of(node), shape, &in[port]->shape);
  if (result.fit == IR_BROADCAST_FITS) {
    *shape = result.shape;
    return true;
  }
  char texts[2][IR_SHAPE_TEXT];
  ir_report(scope->diags, IR316_SHAPES_NOT_BROADCASTABLE, ir_input_where(scope, node, port, -1),
            "input %d ('%s') %s cannot be broadcast to %s, %s, by the rule '%s'", port,
            ir_op_input(node->op, port)->name, ir_shape_text(&in[port]->shape, texts[0], sizeof texts[0]),
            ir_shape_text(shape, texts[1], sizeof texts[1]), to, ir_broadcast_names[rule_of(node).mode]);
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  out->type = ir_inputs_type(node, in, THEN, ELSE);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  const bool has_else = ir_input_told(node, in, ELSE), has_cond = ir_input_told(node, in, COND);
  /* With 'numpy', the output's shape depends on all inputs. With 'pdpd', it is the shape of `then`. With 'none', all
   * shapes are equal, so the shape of any input will do. */
  const ir_broadcast_mode mode = rule_of(node).mode;
  int first = THEN;
  if (mode == IR_BROADCAST_NONE && !ir_input_told(node, in, THEN))
    first = has_else ? ELSE : COND;
  if (out->poisoned || !ir_input_told(node, in, first) || (mode == IR_BROADCAST_NUMPY && (!has_else || !has_cond)))
    return IR_OK;
  ir_shape shape = in[first]->shape;
  out->poisoned = (has_else && !join(node, in, ELSE, "the shape of 'then'", &shape, scope)) ||
                  (has_cond && !join(node, in, COND, "the shape of 'then' and 'else'", &shape, scope));
  out->shape = shape;
  return IR_OK;
}

/* ---- intervals of elements ---- */

static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const int64_t n = ir_ranges_count(out);
  ir_dim made[IR_MAX_RANGES];
  if (n < 0 || is_pdpd(node) || ir_ranges_count(in[COND]) < 0 || ir_ranges_count(in[THEN]) < 0 ||
      ir_ranges_count(in[ELSE]) < 0)
    return IR_OK;
  for (int64_t i = 0; i < n; i++) {
    ir_dim of[3];
    for (int p = COND; p <= ELSE; p++)
      of[p] = ir_range_at(in[p], ir_ranges_source(&in[p]->shape, &out->shape, i));
    if (of[COND].lo > 0 || of[COND].hi < 0)
      made[i] = of[THEN];
    else if (of[COND].lo == 0 && of[COND].hi == 0)
      made[i] = of[ELSE];
    else
      made[i] = ir_dims_hull(of[THEN], of[ELSE]);
  }
  return ir_ranges_set(out, made, scope);
}

/* ---- running ---- */

#define SELECT_ROW(name, type)                                                                                         \
  IR_LOOP void name##_loop(const ir_elementwise_call *call) {                                                          \
    const uint8_t *cond = call->in[COND];                                                                              \
    const type *then = call->in[THEN], *otherwise = call->in[ELSE];                                                    \
    type *out = call->out;                                                                                             \
    const int64_t n = call->n;                                                                                         \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const type if_true = then[i], if_false = otherwise[i];                                                           \
      out[i] = cond[i] != 0 ? if_true : if_false;                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_elementwise_call *call), (call))
SELECT_ROW(select_8, uint8_t)
SELECT_ROW(select_f32, float)
SELECT_ROW(select_64, uint64_t)
static const ir_elementwise elementwise = {.name = "select",
                                           .rows = {select_f32, select_64, select_64, select_64, select_8},
                                           .chosen_by = THEN,
                                           .has_condition = true};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  if (!is_pdpd(node))
    return ir_elementwise_prepare(node, in, plan, scope);
  const int64_t axis = rule_of(node).axis;
  int offsets[3];
  for (int i = 0; i < 3; i++)
    offsets[i] = i == THEN || axis < 0 ? in[THEN]->shape.rank - in[i]->shape.rank : (int)axis;
  return ir_elementwise_step(plan, node, in, &elementwise, offsets, scope);
}

#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN),                         \
    .types_carried = IR_CARRIED_WIDENED, .rank_max = IR_MAX_RANK, .ranges = true                                       \
  }

const ir_op ir_op_select_1 = {
    .dialect = IR_OPENVINO,
    .type = "Select",
    .version = 1,
    .spec = IR_SPEC_PAGE("condition/select-1"),
    .params_size = sizeof(ir_binary_params),
    .attrs = ir_binary_attrs,
    .inputs = IR_PORTS(
        {.name = "cond", .type_var = "T_COND", .types = IR_SET(IR_BOOLEAN), .rank_max = IR_MAX_RANK, .ranges = true},
        T_PORT("then"), T_PORT("else")),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)),
    .check_attributes = ir_binary_check_attributes,
    .infer = infer,
    .ranges = ranges,
    .elementwise = &elementwise,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .cost = ir_elementwise_cost,
};
