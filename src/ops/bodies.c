#include "ops/bodies.h"
#include "ops/axes.h"
#include <stdlib.h>

#define ID(name_, field, least)                                                                                        \
  {                                                                                                                    \
    .name = name_, .kind = IR_ATTR_INT, .offset = offsetof(ir_line_params, field), .required = true, .min = least,     \
    .max = INT64_MAX                                                                                                   \
  }
#define NUMBER(name_, field, least, value)                                                                             \
  {                                                                                                                    \
    .name = name_, .kind = IR_ATTR_INT, .offset = offsetof(ir_line_params, field), .min = least, .max = INT64_MAX,     \
    .fallback = value                                                                                                  \
  }
#define LAYERS ID("external_port_id", external_port_id, 0), ID("internal_layer_id", internal_layer_id, 0)
/* OpenVINO writes and reads only axes that count from the front. */
#define SLICES                                                                                                         \
  {.name = "axis", .kind = IR_ATTR_INT, .offset = offsetof(ir_line_params, axis), .max = INT64_MAX},                   \
      NUMBER("start", start, INT64_MIN, "0"), NUMBER("end", end, INT64_MIN, "-1"),                                     \
      NUMBER("stride", stride, INT64_MIN, "1"), NUMBER("part_size", part_size, 1, "1")

static const char *const purposes[] = {"current_iteration", "execution_condition", NULL};

static const ir_attr_spec of_if[] = {LAYERS, {.name = NULL}};
static const ir_attr_spec of_tensor_iterator[] = {LAYERS, SLICES, {.name = NULL}};
static const ir_attr_spec of_loop[] = {
    ID("external_port_id", external_port_id, -1),
    ID("internal_layer_id", internal_layer_id, 0),
    SLICES,
    {.name = "purpose", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_line_params, purpose), .names = purposes},
    {.name = NULL}};
static const ir_attr_spec of_back_edge[] = {{.name = "from-layer",
                                             .kind = IR_ATTR_INT,
                                             .offset = offsetof(ir_back_edge_params, from_layer),
                                             .required = true,
                                             .max = INT64_MAX},
                                            {.name = "to-layer",
                                             .kind = IR_ATTR_INT,
                                             .offset = offsetof(ir_back_edge_params, to_layer),
                                             .required = true,
                                             .max = INT64_MAX},
                                            {.name = NULL}};

/* Attributes of IRs up to version 10. They are redundant, because Parameters and Results have one port. */
static const char *const old_line[] = {"internal_port_id", NULL};
static const char *const old_back_edge[] = {"from-port", "to-port", NULL};

#define LINE(element, owner, number, schema, old)                                                                      \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "<" element "> of " owner, .version = number,                                      \
    .params_size = sizeof(ir_line_params), .attrs = schema, .ignored_attrs = old                                       \
  }
static const ir_op if_input = LINE("input", "If", 8, of_if, NULL);
static const ir_op if_output = LINE("output", "If", 8, of_if, NULL);
static const ir_op loop_input = LINE("input", "Loop", 5, of_loop, old_line);
static const ir_op loop_output = LINE("output", "Loop", 5, of_loop, old_line);
static const ir_op loop_edge = LINE("edge", "Loop", 5, of_back_edge, old_back_edge);
static const ir_op iterator_input = LINE("input", "TensorIterator", 1, of_tensor_iterator, old_line);
static const ir_op iterator_output = LINE("output", "TensorIterator", 1, of_tensor_iterator, old_line);
static const ir_op iterator_edge = LINE("edge", "TensorIterator", 1, of_back_edge, old_back_edge);

const ir_op *const ir_lines_of_if[] = {&if_input, &if_output, NULL};
const ir_op *const ir_lines_of_loop[] = {&loop_input, &loop_output, &loop_edge};
const ir_op *const ir_lines_of_tensor_iterator[] = {&iterator_input, &iterator_output, &iterator_edge};

/* ---- helpers of the rules ---- */

void ir_body_give(const ir_body_link *link, const ir_value *value, ir_body *body) {
  ir_body_param *param = &body->params[link->inner];
  param->value = (ir_value){.type = value->type, .shape = value->shape, .poisoned = value->poisoned};
  param->is_given = true;
}

ir_dim ir_body_rounds(const ir_line_params *line, ir_dim size) {
  const bool whole = (line->start == 0 && line->end == -1) || (line->start == -1 && line->end == 0);
  if (whole)
    return (ir_dim){size.lo / line->part_size, size.hi == IR_DIM_MAX ? IR_DIM_MAX : size.hi / line->part_size};
  int64_t start = line->start, end = line->end, span;
  const bool same_side = (start < 0) == (end < 0);
  if (!same_side && !ir_dim_known(size))
    return ir_dim_any();
  if (!same_side && !ir_add(start < 0 ? start : end, size.lo, start < 0 ? &start : &end))
    return ir_dim_any();
  if (__builtin_sub_overflow(end, start, &span) || span == INT64_MIN || !ir_add(llabs(span), 1, &span))
    return ir_dim_any();
  return ir_dim_of(span / line->part_size);
}

bool ir_body_output_rounds(const ir_line_params *line, int64_t *out) {
  int64_t span;
  if (__builtin_sub_overflow(line->end, line->start, &span) || span == INT64_MIN)
    return false;
  *out = llabs(span) / line->part_size;
  return true;
}

bool ir_body_scalar(const ir_node *node, int port, const ir_value *value, ir_scope *scope, int64_t *out) {
  if (value->poisoned || !ir_is_single(node, port, value, scope) || value->contents == NULL)
    return false;
  const ir_number number = ir_tensor_get(value->contents, 0);
  if (number.kind == IR_NUMBER_FLOAT)
    return false;
  *out = number.i;
  return true;
}
