/* TopK, ArgMax, Unique and Bucketize. */
#include "ops/legacy/legacy.h"

/* A TopK with values (output 0) and indices (output 1, i32). `k` is a scalar. */
static ir_wire new_top_k(ir_expansion *x, ir_wire data, ir_wire k, int64_t axis, const char *mode, const char *sort) {
  const ir_wire made = ir_new_op(x, "TopK", 3, 2, 2, (ir_wire[]){data, k});
  ir_set_int(x, made, "axis", axis);
  ir_set_text(x, made, "mode", mode);
  ir_set_text(x, made, "sort", sort);
  ir_set_text(x, made, "index_element_type", "i32");
  return made;
}

/* ---- TopK ---- */

typedef struct top_k_params {
  int64_t axis;
  int mode, sort;
} top_k_params;

static const char *const modes[] = {"max", "min", NULL};
static const char *const sorts[] = {"index", "value", "none", NULL};
enum { SORT_NONE = 2 };

static const ir_attr_spec top_k_attrs[] = {IR_LEGACY_INT("axis", top_k_params, axis, .fallback = "-1"),
                                           IR_LEGACY_ENUM("mode", top_k_params, mode, modes, .fallback = "max"),
                                           IR_LEGACY_ENUM("sort", top_k_params, sort, sorts, .fallback = "index"),
                                           IR_LEGACY_END};

/* A single output of integers has the indices. Without an order, the tools of the time sorted by index. */
static void expand_top_k(ir_expansion *x) {
  const top_k_params *p = x->node->params;
  ir_wire k = ir_old_input_as_ints(x, 1);
  if (ir_old_rank(x, 1) > 0)
    k = ir_new_squeeze(x, k, 0);
  const ir_wire made =
      new_top_k(x, ir_old_input(x, 0), k, p->axis, modes[p->mode], sorts[p->sort == SORT_NONE ? 0 : p->sort]);
  if (x->node->layer->n_outputs == 1 && ir_type_in(ir_old_output_type(x, 0), IR_SET_INTEGERS)) {
    ir_give_converted(x, 0, ir_port_of(made, 1), IR_I32);
    return;
  }
  ir_give_output(x, 0, made);
  ir_give_converted(x, 1, ir_port_of(made, 1), IR_I32);
}

/* ---- ArgMax ---- */

typedef struct arg_max_params {
  int64_t axis, top_k;
  bool out_max_val;
} arg_max_params;

static const ir_attr_spec arg_max_attrs[] = {
    IR_LEGACY_INT("axis", arg_max_params, axis, .fallback = "0"),
    IR_LEGACY_INT("top_k", arg_max_params, top_k, .required = true),
    IR_LEGACY_BOOL("out_max_val", arg_max_params, out_max_val, .fallback = "false"), IR_LEGACY_END};

/* With an axis, gives the indices or the values along it. Without, looks at all axes after the first as one, and gives
 * [N, 1, top_k, 1..] of indices or [N, 2, top_k, 1..] of indices and values. */
static void expand_arg_max(ir_expansion *x) {
  const arg_max_params *p = x->node->params;
  const ir_type type = ir_old_output_type(x, 0);
  const int rank = ir_old_rank(x, 0);
  const ir_wire k = ir_new_int(x, p->top_k);
  if (ir_layer_attr(x->node->layer, "axis") != NULL) {
    const ir_wire made = new_top_k(x, ir_old_input(x, 0), k, p->axis, "max", "value");
    ir_give_converted(x, 0, ir_port_of(made, p->out_max_val ? 0 : 1), p->out_max_val ? type : IR_I32);
    return;
  }
  int64_t dims[IR_MAX_RANK] = {0, p->out_max_val ? 2 : 1, p->top_k};
  for (int i = 3; i < rank; i++)
    dims[i] = 1;
  const ir_wire flat = ir_new_reshape(x, ir_old_input(x, 0), 2, (int64_t[]){0, -1});
  const ir_wire made = new_top_k(x, flat, k, 1, "max", "value");
  ir_wire all = ir_new_convert(x, ir_port_of(made, 1), IR_I32, type);
  if (p->out_max_val) {
    all = IR_NEW(x, "Concat", 1, all, made);
    ir_set_int(x, all, "axis", 1);
  }
  ir_give_output(x, 0, ir_new_reshape(x, all, rank > 3 ? rank : 3, dims));
}

/* ---- Unique ---- */

typedef struct unique_params {
  bool sorted, return_inverse, return_counts;
} unique_params;

static const ir_attr_spec unique_attrs[] = {
    IR_LEGACY_BOOL("sorted", unique_params, sorted, .required = true),
    IR_LEGACY_BOOL("return_inverse", unique_params, return_inverse, .required = true),
    IR_LEGACY_BOOL("return_counts", unique_params, return_counts, .required = true), IR_LEGACY_END};

/* The number of elements of a wire with one axis, as [1]. */
static ir_wire new_length(ir_expansion *x, ir_wire wire) {
  const ir_wire made = IR_NEW(x, "ShapeOf", 3, wire);
  ir_set_text(x, made, "output_type", "i64");
  return made;
}

/* Each output has as many elements as the input: the last unique element is repeated, counts end with zeros. */
static void expand_unique(ir_expansion *x) {
  const unique_params *p = x->node->params;
  const ir_wire made = ir_new_op(x, "Unique", 10, 4, 1, (ir_wire[]){ir_old_input(x, 0)});
  ir_set_bool(x, made, "sorted", p->sorted);
  const ir_wire length = new_length(x, ir_old_input(x, 0)), n_unique = new_length(x, made);
  const ir_wire places = IR_NEW(x, "Range", 4, ir_new_int(x, 0), ir_new_squeeze(x, length, 0), ir_new_int(x, 1));
  ir_set_text(x, places, "output_type", "i64");
  const ir_wire last = IR_NEW(x, "Subtract", 1, n_unique, ir_new_int(x, 1));
  const ir_wire used = IR_NEW(x, "Minimum", 1, places, last);
  ir_give_output(x, 0, IR_NEW(x, "Gather", 1, made, used, ir_new_int(x, 0)));
  if (p->return_inverse)
    ir_give_converted(x, 1, ir_port_of(made, 2), IR_I64);
  if (!p->return_counts)
    return;
  const ir_wire counts = IR_NEW(x, "Pad", 1, ir_port_of(made, 3), IR_NEW_INTS(x, 0),
                                IR_NEW(x, "Subtract", 1, length, n_unique), ir_new_int(x, 0));
  ir_set_text(x, counts, "pad_mode", "constant");
  ir_give_converted(x, p->return_inverse ? 2 : 1, counts, IR_I64);
}

/* ---- Bucketize ---- */

typedef struct bucketize_params {
  bool with_right_bound;
} bucketize_params;

static const ir_attr_spec bucketize_attrs[] = {
    IR_LEGACY_BOOL("with_right_bound", bucketize_params, with_right_bound, .fallback = "true"), IR_LEGACY_END};

static void expand_bucketize(ir_expansion *x) {
  const bucketize_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, "Bucketize", 3, ir_old_input(x, 0), ir_old_input(x, 1));
  ir_set_text(x, made, "output_type", "i64");
  ir_set_bool(x, made, "with_right_bound", p->with_right_bound);
  ir_give_converted(x, 0, made, IR_I64);
}

IR_LEGACY_ROW(top_k, "TopK", sizeof(top_k_params), top_k_attrs, IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("k")),
              IR_PORTS(IR_LEGACY_PORT("values"), IR_LEGACY_MORE("indices")), expand_top_k);
IR_LEGACY_ROW(arg_max, "ArgMax", sizeof(arg_max_params), arg_max_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT,
              expand_arg_max);
IR_LEGACY_ROW(unique, "Unique", sizeof(unique_params), unique_attrs, IR_LEGACY_ONE_IN,
              IR_PORTS(IR_LEGACY_PORT("values"), IR_LEGACY_MORE("inverse_or_counts"), IR_LEGACY_MORE("counts")),
              expand_unique);
IR_LEGACY_ROW(bucketize, "Bucketize", sizeof(bucketize_params), bucketize_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("buckets")), IR_LEGACY_ONE_OUT, expand_bucketize);
