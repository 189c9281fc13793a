/* TopK-1, -3 and -11: the K greatest or least elements of each line along `axis`, and where they were. K is the
 * contents of input 1. Pages: operation-specs/sort/top-k-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/axes.h"
#include "ops/parts.h"
#include "ops/pool/pool_indices.h"

typedef struct top_k_params {
  int64_t axis;
  int index_type;
  ir_other_attrs other;
} top_k_params;

/* The lines have as many elements as K says; any number of theirs where K is not known. */
static bool line_of(const ir_node *node, const ir_value *const *in, int axis, ir_dim *line, ir_scope *scope) {
  const ir_dim k = ir_parts_count(in[1]) == 1 ? ir_part_at(in[1], 0) : ir_part_any();
  if (k.hi >= 0 && k.lo <= line->hi) {
    *line = (ir_dim){k.lo > 0 ? k.lo : 0, k.hi < line->hi ? k.hi : line->hi};
    return true;
  }
  char found[IR_DIM_TEXT], expected[IR_DIM_TEXT], shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "K is %s; axis %d of input 0 has %s elements: %s%s", ir_dim_text(k, found, sizeof found), axis,
            ir_dim_text(*line, expected, sizeof expected), ir_type_name(in[0]->type),
            ir_shape_text(&in[0]->shape, shape, sizeof shape));
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const top_k_params *params = node->params;
  int axis;
  out[0].type = in[0]->type;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out[1].type = ir_index_type(params->index_type);
  if (in[0]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out[0].shape = in[0]->shape;
  if (!ir_axis_attr(node, "axis", params->axis, in[0]->shape.rank, &axis, scope) ||
      !line_of(node, in, axis, &out[0].shape.dims[axis], scope))
    ir_outputs_set_unknown(node, out);
  out[1].shape = out[0].shape;
  return IR_OK;
}

#define AT(field) offsetof(top_k_params, field)
static const char *const modes[] = {"min", "max", NULL};
static const char *const orders[] = {"value", "index", "none", NULL};
#define COMMON_ROWS                                                                                                    \
  IR_INT_ROW("axis", AT(axis), -IR_MAX_RANK, IR_MAX_RANK - 1, .required = true),                                       \
      IR_ENUM_ROW("mode", AT(other.word[0]), modes, .required = true),                                                 \
      IR_ENUM_ROW("sort", AT(other.word[1]), orders, .required = true),                                                \
      IR_ENUM_ROW("index_element_type", AT(index_type), ir_index_type_names, .fallback = "i32")
static const ir_attr_spec attrs[] = {COMMON_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_11[] = {COMMON_ROWS, IR_BOOL_ROW("stable", AT(other.flag[0]), "false"), {.name = NULL}};

#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 1,          \
    .rank_max = IR_MAX_RANK                                                                                            \
  }
#define TOP_K(number, schema, k_types)                                                                                 \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "TopK", .version = number, .spec = IR_SPEC_PAGE("sort/top-k-" #number),            \
    .params_size = sizeof(top_k_params), .attrs = schema,                                                              \
    .inputs = {T_PORT("data"), {.name = "k", .type_var = "T_K", .types = k_types, .parts = true}},                     \
    .outputs = {T_PORT("values"),                                                                                      \
                {.name = "indices",                                                                                    \
                 .type_var = "T_IND",                                                                                  \
                 .types = IR_SET(IR_I32) | IR_SET(IR_I64),                                                             \
                 .types_misdeclared = IR_SET_FLOATS,                                                                   \
                 .rank_min = 1,                                                                                        \
                 .rank_max = IR_MAX_RANK}},                                                                            \
    .infer = infer                                                                                                     \
  }

/* The page of version 1 names no types of K. */
const ir_op ir_op_top_k_1 = TOP_K(1, attrs, IR_SET(IR_I8) | IR_SET(IR_I32) | IR_SET(IR_I64));
const ir_op ir_op_top_k_3 = TOP_K(3, attrs, IR_SET_INTEGERS);
const ir_op ir_op_top_k_11 = TOP_K(11, attrs_11, IR_SET_INTEGERS);
