/* Unique-10: the different elements, or the different slices along the axis that input 1 holds; where each first
 * stands, which one each element is, and how often each stands there. Page: operation-specs/movement/unique-10. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/axes.h"
#include "ops/pool/pool_indices.h"

typedef struct unique_params {
  int index_type, count_type;
  ir_other_attrs other;
} unique_params;

/* Of `n` things at least one is different from those before it, if there is any. */
static ir_dim different(ir_dim n) {
  return (ir_dim){n.lo > 0, n.hi};
}

/* The output, and how many things are compared. False, and reported, for an axis that the input has not. */
static bool slices(const ir_node *node, const ir_value *const *in, ir_shape *shape, ir_dim *n, ir_scope *scope) {
  ir_axes axes;
  const ir_axes_rule rule = {.rank = in[0]->shape.rank};
  *shape = in[0]->shape;
  *n = ir_dim_any();
  if (shape->rank == IR_RANK_UNKNOWN)
    return true;
  if (in[1]->known == NULL) { /* any of the axes */
    for (int i = 0; i < shape->rank; i++)
      shape->dims[i] = different(shape->dims[i]);
    return true;
  }
  if (!ir_axes_read(node, 1, in[1]->known, rule, scope, &axes) || axes.n != 1)
    return false;
  *n = shape->dims[axes.items[0]];
  shape->dims[axes.items[0]] = different(*n);
  return true;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const unique_params *params = node->params;
  out[0].type = in[0]->type;
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out[1].type = out[2].type = ir_index_type(params->index_type);
  out[3].type = ir_index_type(params->count_type);
  ir_dim n = ir_size_elements(&in[0]->shape);
  if (node->n_inputs == 1) {
    out[0].shape = (ir_shape){.rank = 1, .dims = {different(n)}};
  } else if ((in[1]->shape.rank == 1 && !ir_size_check(node, in, 1, 0, ir_dim_of(1), "one axis", scope)) ||
             !slices(node, in, &out[0].shape, &n, scope)) {
    ir_outputs_set_unknown(node, out);
    return IR_OK;
  }
  out[1].shape = out[3].shape = (ir_shape){.rank = 1, .dims = {different(n)}};
  out[2].shape = (ir_shape){.rank = 1, .dims = {n}};
  return IR_OK;
}

#define AT(field) offsetof(unique_params, field)
static const ir_attr_spec attrs[] = {
    IR_BOOL_ROW("sorted", AT(other.flag[0]), "true"),
    IR_ENUM_ROW("index_element_type", AT(index_type), ir_index_type_names, .fallback = "i64"),
    IR_ENUM_ROW("count_element_type", AT(count_type), ir_index_type_names, .fallback = "i64"),
    {.name = NULL}};

#define INDICES(port, var) IR_PORT(port, var, IR_SET(IR_I32) | IR_SET(IR_I64), 1)

const ir_op ir_op_unique_10 = {
    .dialect = IR_OPENVINO,
    .type = "Unique",
    .version = 10,
    .spec = IR_SPEC_PAGE("movement/unique-10"),
    .params_size = sizeof(unique_params),
    .attrs = attrs,
    .inputs = {IR_PORT_OF_ANY_RANK("data", "T", IR_SET_ANY),
               {.name = "axis",
                .type_var = "T_AXIS",
                .types = IR_SET(IR_I32) | IR_SET(IR_I64),
                .rank_max = 1,
                .contents = true,
                .optional = true}},
    .outputs = {IR_PORT_OF_ANY_RANK("unique_elements", "T", IR_SET_ANY), INDICES("first_indices", "T_IND"),
                INDICES("reverse_indices", "T_IND"), INDICES("counts", "T_COUNT")},
    .infer = infer,
};
