/* If-8 runs one of two bodies. Input 0, the condition, chooses the body. */
#include "ops/bodies.h"

enum { CONDITION, THEN = 0, ELSE = 1 };

/* Passes the layer's inputs to both bodies. Both are inferred even if the condition is known, as in OpenVINO. */
static bool enter(const ir_node *node, const ir_value *const *in, int round, ir_scope *scope) {
  (void)scope;
  for (int b = THEN; round == 0 && b <= ELSE; b++)
    for (int32_t i = 0; i < node->bodies[b].n_inputs; i++) {
      const ir_body_link *link = &node->bodies[b].inputs[i];
      ir_body_give(link, in[link->port], &node->bodies[b]);
    }
  return round == 0;
}

/* Returns the link from a Result of the body to output `port`. NULL: the body has no such link; an earlier check
 * reported that. */
static const ir_body_link *find_output(const ir_body *body, int32_t port) {
  for (int32_t i = 0; i < body->n_outputs; i++)
    if (body->outputs[i].port == port)
      return &body->outputs[i];
  return NULL;
}

/* Sets the output for an unknown condition, from the bodies' Results `a` and `b`: their common type, and a shape whose
 * intervals contain both shapes. */
static void set_either(int32_t port, const ir_value *a, const ir_value *b, const ir_body_link *else_line, ir_value *out,
                       ir_scope *scope) {
  out->poisoned = a->poisoned || b->poisoned;
  if (out->poisoned)
    return;
  out->type = a->type == IR_DYNAMIC ? b->type : a->type;
  if (b->type != IR_DYNAMIC && out->type != b->type) {
    ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_node_where(scope, else_line->line),
                   "output %d is %s from then_body and %s from else_body; it has one type", port, ir_type_name(a->type),
                   ir_type_name(b->type));
    out->poisoned = true;
  }
  out->shape = a->shape.rank == b->shape.rank ? a->shape : ir_shape_unknown();
  for (int i = 0; i < out->shape.rank; i++)
    out->shape.dims[i] = ir_dims_hull(a->shape.dims[i], b->shape.dims[i]);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  int64_t condition;
  const bool known = ir_body_scalar(node, CONDITION, in[CONDITION], scope, &condition);
  for (int32_t p = 0; p < node->n_outputs; p++) {
    const ir_body_link *lines[2];
    const ir_value *from[2] = {NULL, NULL};
    for (int b = THEN; b <= ELSE; b++) {
      lines[b] = find_output(&node->bodies[b], p);
      from[b] = lines[b] == NULL ? NULL : node->bodies[b].results[lines[b]->inner];
    }
    if (from[THEN] == NULL || from[ELSE] == NULL)
      out[p].poisoned = true;
    else if (known)
      out[p] = (ir_value){.type = from[condition == 0]->type,
                          .shape = from[condition == 0]->shape,
                          .poisoned = from[condition == 0]->poisoned};
    else
      set_either(p, from[THEN], from[ELSE], lines[ELSE], &out[p], scope);
  }
  return IR_OK;
}

static const ir_body_rule bodies = {.n_bodies = 2,
                                    .n_own_inputs = 1,
                                    .names = {"then_body", "else_body"},
                                    .map_names = {"then_port_map", "else_port_map"},
                                    .line_rows = ir_lines_of_if,
                                    .enter = enter};

const ir_op ir_op_if_8 = {
    .dialect = IR_OPENVINO,
    .type = "If",
    .version = 8,
    .spec = IR_SPEC_PAGE("condition/if-8"),
    .run = {IR_RUN_BODIES, .bodies = &bodies},
    .inputs = IR_PORTS(
        {.name = "cond", .types = IR_SET(IR_BOOLEAN), .types_noted = IR_SET_NUMBERS, .rank_max = 1, .contents = true},
        {.name = "inputs", .types = IR_SET_ANY, .rank_max = IR_MAX_RANK, .variadic = true, .optional = true}),
    .outputs = IR_PORTS({.name = "outputs", .types = IR_SET_ANY, .rank_max = IR_MAX_RANK, .variadic = true}),
    .infer = infer,
};
