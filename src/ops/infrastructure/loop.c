/* Loop-5 and TensorIterator-1 repeat a body. */
#include "ops/agree.h"
#include "ops/bodies.h"

enum { TRIP_COUNT, CONDITION }; /* inputs of a Loop */

static const ir_line_params *params_of(const ir_body_link *link) {
  return link->line->params;
}

/* ---- values that enter the body ---- */

/* Checks that the shape has the axis along which the link slices or concatenates. Reports a missing axis. */
static bool has_axis(const ir_body_link *link, const ir_shape *shape, const char *what, ir_scope *scope) {
  const int64_t axis = params_of(link)->axis;
  char text[IR_SHAPE_TEXT];
  if (shape->rank == IR_RANK_UNKNOWN || axis < shape->rank)
    return true;
  ir_report(scope->diags, IR315_AXES_UNUSABLE, ir_attr_where(scope, link->line, "axis"),
            "'axis' is %lld; %s is %s, and its axes are 0 to %d", (long long)axis, what,
            ir_shape_text(shape, text, sizeof text), shape->rank - 1);
  return false;
}

/* Sets the Parameter's value for a sliced input: the shape of one part, since each iteration gets one part. */
static void give_part(const ir_body_link *link, const ir_value *value, ir_body *body, ir_scope *scope) {
  ir_value part = *value;
  if (part.poisoned || !has_axis(link, &part.shape, "the input", scope))
    part.poisoned = true;
  else if (part.shape.rank != IR_RANK_UNKNOWN)
    part.shape.dims[params_of(link)->axis] = ir_dim_of(params_of(link)->part_size);
  ir_body_give(link, &part, body);
}

/* Widens the Parameter's shape until it includes that of `back`, the value on the back edge. A dim that changes becomes
 * open. Returns whether the shape changed. */
static bool widen(ir_body_param *param, const ir_value *back) {
  ir_shape *shape = &param->value.shape;
  bool changed = false;
  if (back->poisoned || param->value.poisoned || shape->rank == IR_RANK_UNKNOWN)
    return false;
  if (back->shape.rank != shape->rank) {
    *shape = ir_shape_unknown();
    return true;
  }
  for (int i = 0; i < shape->rank; i++)
    if (back->shape.dims[i].lo < shape->dims[i].lo || back->shape.dims[i].hi > shape->dims[i].hi) {
      shape->dims[i] = ir_dim_any();
      changed = true;
    }
  return changed;
}

static void check_back_type(const ir_body_param *param, const ir_value *back, ir_scope *scope) {
  const ir_type type = param->value.type;
  if (back->poisoned || param->value.poisoned || back->type == IR_DYNAMIC || type == IR_DYNAMIC || back->type == type)
    return;
  ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_node_where(scope, param->back),
                 "the back edge brings %s to a Parameter of %s", ir_type_name(back->type), ir_type_name(type));
}

static bool enter(const ir_node *node, const ir_value *const *in, int round, ir_scope *scope) {
  ir_body *body = &node->bodies[0];
  for (int32_t i = 0; round == 0 && i < body->n_inputs; i++) {
    const ir_body_link *link = &body->inputs[i];
    if (link->is_sliced)
      give_part(link, in[link->port], body, scope);
    else
      ir_body_give(link, in[link->port], body);
  }
  bool changed = round == 0;
  for (int32_t p = 0; round > 0 && p < body->n_params; p++) {
    ir_body_param *param = &body->params[p];
    if (param->next < 0)
      continue;
    if (round == 1)
      check_back_type(param, body->results[param->next], scope);
    changed = widen(param, body->results[param->next]) || changed;
  }
  return changed;
}

/* ---- number of iterations ---- */

/* Returns whether the body's condition is known and the same in every iteration, and sets `*out` to it. */
static bool find_condition(const ir_node *node, const ir_value *const *in, bool *out) {
  const ir_body *body = &node->bodies[0];
  const ir_value *value = body->results[body->condition];
  const int32_t p = body->param_of[body->condition];
  /* If the condition is a Parameter that no iteration changes, its value is the layer's input. */
  if (p >= 0) {
    const ir_body_param *param = &body->params[p];
    if (param->port < 0 || (param->next >= 0 && body->param_of[param->next] != p))
      return false;
    value = in[param->port];
  }
  if (value->poisoned || value->contents == NULL || ir_tensor_elements(value->contents) != 1)
    return false;
  *out = ir_tensor_get(value->contents, 0).i != 0;
  return true;
}

static ir_dim loop_rounds(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  int64_t trips = -1, first = 1;
  bool again;
  const bool knows_trips = ir_body_scalar(node, TRIP_COUNT, in[TRIP_COUNT], scope, &trips);
  const bool knows_first = ir_body_scalar(node, CONDITION, in[CONDITION], scope, &first);
  const bool has_trips = knows_trips && trips >= 0;
  if (knows_first && first == 0)
    return ir_dim_of(0);
  const int64_t certain = knows_first && knows_trips && trips != 0; /* a negative trip count is no limit */
  if (!find_condition(node, in, &again))
    return (ir_dim){certain, has_trips ? trips : IR_DIM_MAX};
  if (!again)
    return ir_dim_of(has_trips && trips == 0 ? 0 : 1);
  return has_trips ? ir_dim_of(trips) : (ir_dim){certain, IR_DIM_MAX};
}

static ir_dim iterator_rounds(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  const ir_body *body = &node->bodies[0];
  ir_size rounds = ir_size_of("iterations");
  bool sliced = false;
  for (int32_t i = 0; i < body->n_inputs; i++) {
    const ir_body_link *link = &body->inputs[i];
    const ir_value *value = in[link->port];
    if (!link->is_sliced)
      continue;
    sliced = true;
    if (value->poisoned || value->shape.rank == IR_RANK_UNKNOWN || params_of(link)->axis >= value->shape.rank)
      continue;
    const ir_dim n = ir_body_rounds(params_of(link), value->shape.dims[params_of(link)->axis]);
    if (!ir_dims_meet(n, rounds.dim)) {
      char text[2][IR_DIM_TEXT];
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_node_where(scope, link->line),
                "input %d makes %s iterations, input %d %s", link->port, ir_dim_text(n, text[0], sizeof text[0]),
                rounds.port, ir_dim_text(rounds.dim, text[1], sizeof text[1]));
      return ir_dim_any();
    }
    rounds.dim = ir_dims_common(n, rounds.dim);
    rounds.port = link->port;
  }
  /* If no input is sliced, the first concatenated output determines the number of iterations, as in OpenVINO. */
  for (int32_t i = 0; !sliced && i < body->n_outputs; i++)
    if (body->outputs[i].is_sliced) {
      int64_t n;
      return ir_body_output_rounds(params_of(&body->outputs[i]), &n) ? ir_dim_of(n) : ir_dim_any();
    }
  return rounds.dim;
}

/* ---- values that leave the body ---- */

/* Sets the shape of an output that concatenates the parts of all iterations. part_size 0: the size of a part is that of
 * the body's Result. */
static void put_together(const ir_body_link *link, ir_dim rounds, int64_t part_size, ir_value *out, ir_scope *scope) {
  const ir_line_params *line = params_of(link);
  ir_shape *shape = &out->shape;
  if (shape->rank == 0)
    *shape = (ir_shape){.rank = 1, .dims = {ir_dim_of(1)}};
  if (shape->rank == IR_RANK_UNKNOWN)
    return;
  if (!has_axis(link, shape, "what the body gives", scope)) {
    out->poisoned = true;
    return;
  }
  ir_dim *dim = &shape->dims[line->axis];
  if (part_size > 0 && !ir_dims_meet(*dim, ir_dim_of(part_size))) {
    char text[IR_DIM_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_node_where(scope, link->line),
              "'part_size' is %lld; the body gives parts of %s along axis %lld", (long long)part_size,
              ir_dim_text(*dim, text, sizeof text), (long long)line->axis);
    out->poisoned = true;
    return;
  }
  *dim = ir_dims_product(rounds, part_size > 0 ? ir_dim_of(part_size) : *dim);
}

/* Sets the shape of each Result after the last iteration. If a back edge feeds it to a Parameter, its dims include the
 * Parameter's dims, as in OpenVINO. */
static void find_last_shapes(const ir_body *body, ir_shape *out) {
  for (int32_t r = 0; r < body->n_results; r++)
    out[r] = body->results[r]->shape;
  for (int32_t p = 0; p < body->n_params; p++) {
    const ir_shape *in = &body->params[p].value.shape;
    ir_shape *to = body->params[p].next < 0 ? NULL : &out[body->params[p].next];
    for (int i = 0; to != NULL && to->rank == in->rank && i < in->rank; i++)
      to->dims[i] = ir_dims_hull(to->dims[i], in->dims[i]);
  }
}

static ir_code set_outputs(const ir_node *node, ir_dim rounds, bool is_loop, ir_value *out, ir_scope *scope) {
  const ir_body *body = &node->bodies[0];
  ir_shape *last = ir_alloc_zero(scope->memory, (size_t)body->n_results + 1, sizeof *last);
  if (last == NULL)
    return ir_out_of_memory(scope->diags);
  find_last_shapes(body, last);
  ir_poison_outputs(node, out);
  for (int32_t i = 0; i < body->n_outputs; i++) {
    const ir_body_link *link = &body->outputs[i];
    const ir_value *result = body->results[link->inner];
    ir_value *to = &out[link->port];
    *to = (ir_value){.type = result->type, .shape = result->shape, .poisoned = result->poisoned};
    if (to->poisoned)
      continue;
    /* For a Loop without iterations, OpenVINO declares shapes by its own rules. An unknown shape agrees with them. */
    if (is_loop && ir_dim_known(rounds) && rounds.lo == 0)
      to->shape = ir_shape_unknown();
    else if (link->is_sliced)
      put_together(link, rounds, is_loop ? 0 : params_of(link)->part_size, to, scope);
    else
      to->shape = last[link->inner];
  }
  ir_free(scope->memory, last);
  return IR_OK;
}

static ir_code infer_loop(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return set_outputs(node, loop_rounds(node, in, scope), true, out, scope);
}

static ir_code infer_iterator(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return set_outputs(node, iterator_rounds(node, in, scope), false, out, scope);
}

/* ---- rows of the op table ---- */

static const ir_body_rule loop_bodies = {.n_bodies = 1,
                                         .n_own_inputs = 2,
                                         .takes_all = true,
                                         .has_condition = true,
                                         .names = {"body"},
                                         .map_names = {"port_map"},
                                         .line_rows = ir_lines_of_loop,
                                         .enter = enter,
                                         .rounds = loop_rounds};
static const ir_body_rule iterator_bodies = {.n_bodies = 1,
                                             .takes_all = true,
                                             .names = {"body"},
                                             .map_names = {"port_map"},
                                             .line_rows = ir_lines_of_tensor_iterator,
                                             .enter = enter,
                                             .rounds = iterator_rounds};

#define MANY(port, left_out)                                                                                           \
  { .name = port, .types = IR_SET_ANY, .rank_max = IR_MAX_RANK, .variadic = true, .optional = left_out }

const ir_op ir_op_loop_5 = {
    .dialect = IR_OPENVINO,
    .type = "Loop",
    .version = 5,
    .spec = IR_SPEC_PAGE("infrastructure/loop-5"),
    .run = {IR_RUN_BODIES, .bodies = &loop_bodies},
    .inputs = IR_PORTS({.name = "trip_count",
                        .types = IR_SET(IR_I32) | IR_SET(IR_I64),
                        .types_noted = IR_SET_NUMBERS,
                        .rank_max = 1,
                        .contents = true},
                       {.name = "execution_condition",
                        .types = IR_SET(IR_BOOLEAN),
                        .types_noted = IR_SET_NUMBERS,
                        .rank_max = 1,
                        .contents = true},
                       MANY("inputs", true)),
    .outputs = IR_PORTS(MANY("outputs", false)),
    .infer = infer_loop,
};

const ir_op ir_op_tensor_iterator_1 = {
    .dialect = IR_OPENVINO,
    .type = "TensorIterator",
    .version = 1,
    .spec = IR_SPEC_PAGE("infrastructure/tensor-iterator-1"),
    .run = {IR_RUN_BODIES, .bodies = &iterator_bodies},
    .inputs = IR_PORTS(MANY("inputs", false)),
    .outputs = IR_PORTS(MANY("outputs", false)),
    .infer = infer_iterator,
};
