/* Layers that choose elements by indices or conditions, or make tensors of chosen elements. */
#include "ops/legacy/legacy.h"
#include <string.h>

typedef struct params {
  int64_t axis, depth;
} params;

/* Input i as a scalar of a type. The files have [1] for a scalar. */
static ir_wire scalar(ir_expansion *x, int32_t i, ir_type type) {
  const ir_wire wire = ir_new_convert(x, ir_old_input(x, i), ir_old_type(x, i), type);
  return ir_old_rank(x, i) == 1 ? ir_new_squeeze(x, wire, 0) : wire;
}

static ir_wire converted(ir_expansion *x, int32_t i) {
  return ir_new_convert(x, ir_old_input(x, i), ir_old_type(x, i), ir_old_output_type(x, 0));
}

/* ---- Gather and GatherTree ---- */

static const ir_attr_spec axis_attrs[] = {IR_LEGACY_INT("axis", params, axis, .fallback = "0"), IR_LEGACY_END};

static void expand_gather(ir_expansion *x) {
  const params *p = x->node->params;
  const bool is_scalar = ir_old_rank(x, 1) == 1 && ir_old_output_rank(x, 0) == ir_old_rank(x, 0) - 1;
  ir_wire indices = ir_old_input_as_ints(x, 1);
  if (is_scalar)
    indices = ir_new_squeeze(x, indices, 0);
  ir_give_converted(x, 0, IR_NEW(x, "Gather", 1, ir_old_input(x, 0), indices, ir_new_int(x, p->axis)),
                    ir_old_type(x, 0));
}

static void expand_gather_tree(ir_expansion *x) {
  const ir_wire end = scalar(x, 3, ir_old_output_type(x, 0));
  ir_give_output(x, 0, IR_NEW(x, "GatherTree", 1, converted(x, 0), converted(x, 1), converted(x, 2), end));
}

/* ---- Select ---- */

static void expand_select(ir_expansion *x) {
  const ir_wire condition = ir_new_convert(x, ir_old_input(x, 0), ir_old_type(x, 0), IR_BOOLEAN);
  ir_give_output(x, 0, IR_NEW(x, "Select", 1, condition, converted(x, 1), converted(x, 2)));
}

/* ---- Scatter.. and SparseToDense ---- */

/* ScatterUpdate and ScatterElementsUpdate. ScatterUpdate of 2019 had the axis as an attribute, and indices for each
 * element. */
static void expand_scatter(ir_expansion *x) {
  const params *p = x->node->params;
  const bool has_axis = ir_has_old_input(x, 3);
  const ir_wire axis = has_axis ? ir_old_input_as_ints(x, 3) : ir_new_int(x, p->axis);
  ir_give_converted(x, 0,
                    IR_NEW(x, has_axis ? x->node->op->type : "ScatterElementsUpdate", 3, ir_old_input(x, 0),
                           ir_old_input_as_ints(x, 1), ir_old_input(x, 2), axis),
                    ir_old_type(x, 0));
}

static void expand_scatter_nd(ir_expansion *x) {
  ir_give_converted(x, 0,
                    IR_NEW(x, "ScatterNDUpdate", 4, ir_old_input(x, 0), ir_old_input_as_ints(x, 1), ir_old_input(x, 2)),
                    ir_old_type(x, 0));
}

/* A tensor of input 3 (0 if absent) with the dims of input 1; at the indices of input 0 are the values of input 2. */
static void expand_sparse_to_dense(ir_expansion *x) {
  const ir_wire rest = ir_has_old_input(x, 3) ? converted(x, 3) : ir_new_number(x, ir_old_output_type(x, 0), 0);
  const ir_wire full = ir_new_broadcast(x, rest, ir_old_input_as_ints(x, 1));
  ir_give_output(x, 0, IR_NEW(x, "ScatterNDUpdate", 4, full, ir_old_input_as_ints(x, 0), converted(x, 2)));
}

/* ---- Broadcast, Fill and Range ---- */

static void expand_broadcast(ir_expansion *x) {
  ir_give_output(x, 0, ir_new_broadcast(x, converted(x, 0), ir_old_input_as_ints(x, 1)));
}

/* Input 0 has the dims, input 1 the value. */
static void expand_fill(ir_expansion *x) {
  ir_give_output(x, 0, ir_new_broadcast(x, converted(x, 1), ir_old_input_as_ints(x, 0)));
}

static void expand_range(ir_expansion *x) {
  const ir_type type = ir_old_output_type(x, 0);
  const ir_wire made = IR_NEW(x, "Range", 4, scalar(x, 0, type), scalar(x, 1, type), scalar(x, 2, type));
  ir_set_text(x, made, "output_type", ir_type_name(type));
  ir_give_output(x, 0, made);
}

/* ---- OneHot ---- */

static const ir_attr_spec one_hot_attrs[] = {IR_LEGACY_INT("axis", params, axis, .fallback = "-1"),
                                             IR_LEGACY_INT("depth", params, depth, .required = true),
                                             {.name = "on_value", .kind = IR_ATTR_TEXT, .fallback = "1"},
                                             {.name = "off_value", .kind = IR_ATTR_TEXT, .fallback = "0"},
                                             IR_LEGACY_END};

/* The number of an attribute, which can be the word True or False. */
static ir_wire number_or_word(ir_expansion *x, const char *name, double otherwise) {
  const ir_raw_attr *raw = ir_layer_attr(x->node->layer, name);
  double number = otherwise;
  if (raw != NULL && (strcmp(raw->value, "True") == 0 || strcmp(raw->value, "False") == 0))
    number = strcmp(raw->value, "True") == 0;
  else if (raw != NULL) {
    const ir_text_value value = ir_text_value_of(x->old, x->node->layer, raw);
    if (ir_text_float(&value, &number, x->scope->diags) != IR_OK)
      return (ir_wire){.layer = -1};
  }
  return ir_new_number(x, ir_old_output_type(x, 0), number);
}

static void expand_one_hot(ir_expansion *x) {
  const params *p = x->node->params;
  ir_wire indices = ir_old_input_as_ints(x, 0);
  if (ir_old_rank(x, 0) == 1 && ir_old_output_rank(x, 0) == 1)
    indices = ir_new_squeeze(x, indices, 0);
  const ir_wire on = number_or_word(x, "on_value", 1), off = number_or_word(x, "off_value", 0);
  const ir_wire made = IR_NEW(x, "OneHot", 1, indices, ir_new_int(x, p->depth), on, off);
  ir_set_int(x, made, "axis", p->axis);
  ir_give_output(x, 0, made);
}

/* ---- Shape, Convert and Copy ---- */

static void expand_shape(ir_expansion *x) {
  ir_give_converted(x, 0, IR_NEW(x, "ShapeOf", 1, ir_old_input(x, 0)), IR_I64);
}

/* The output declares the type that `precision` names. */
static void expand_convert(ir_expansion *x) {
  ir_give_output(x, 0, converted(x, 0));
}

#define TWO(a, b)      IR_PORTS(IR_LEGACY_PORT(a), IR_LEGACY_PORT(b))
#define THREE(a, b, c) IR_PORTS(IR_LEGACY_PORT(a), IR_LEGACY_PORT(b), IR_LEGACY_PORT(c))
#define SCATTERED                                                                                                      \
  IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("indices"), IR_LEGACY_PORT("updates"), IR_LEGACY_MORE("axis"))

IR_LEGACY_ROW(gather, "Gather", sizeof(params), axis_attrs, TWO("data", "indices"), IR_LEGACY_ONE_OUT, expand_gather);
IR_LEGACY_ROW(gather_tree, "GatherTree", 0, NULL,
              IR_PORTS(IR_LEGACY_PORT("step_ids"), IR_LEGACY_PORT("parent_ids"), IR_LEGACY_PORT("max_seq_len"),
                       IR_LEGACY_PORT("end_token")),
              IR_LEGACY_ONE_OUT, expand_gather_tree);
IR_LEGACY_ROW(select, "Select", 0, NULL, THREE("condition", "then", "else"), IR_LEGACY_ONE_OUT, expand_select);
IR_LEGACY_ROW(scatter_update, "ScatterUpdate", sizeof(params), axis_attrs, SCATTERED, IR_LEGACY_ONE_OUT,
              expand_scatter);
IR_LEGACY_ROW(scatter_elements_update, "ScatterElementsUpdate", sizeof(params), axis_attrs, SCATTERED,
              IR_LEGACY_ONE_OUT, expand_scatter);
IR_LEGACY_ROW(scatter_nd_update, "ScatterNDUpdate", 0, NULL, THREE("data", "indices", "updates"), IR_LEGACY_ONE_OUT,
              expand_scatter_nd);
IR_LEGACY_ROW(sparse_to_dense, "SparseToDense", 0, NULL,
              IR_PORTS(IR_LEGACY_PORT("indices"), IR_LEGACY_PORT("dims"), IR_LEGACY_PORT("values"),
                       IR_LEGACY_MORE("rest")),
              IR_LEGACY_ONE_OUT, expand_sparse_to_dense);
IR_LEGACY_ROW(broadcast, "Broadcast", 0, NULL, TWO("data", "dims"), IR_LEGACY_ONE_OUT, expand_broadcast);
IR_LEGACY_ROW(fill, "Fill", 0, NULL, TWO("dims", "value"), IR_LEGACY_ONE_OUT, expand_fill);
IR_LEGACY_ROW(range, "Range", 0, NULL, THREE("start", "stop", "step"), IR_LEGACY_ONE_OUT, expand_range);
IR_LEGACY_ROW(one_hot, "OneHot", sizeof(params), one_hot_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_one_hot);
IR_LEGACY_ROW(shape, "Shape", 0, NULL, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_shape);
IR_LEGACY_ROW(convert, "Convert", 0, NULL, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_convert);
IR_LEGACY_ROW(copy, "Copy", 0, NULL, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_convert);
