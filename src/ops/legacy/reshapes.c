/* Reshape, Flatten, Squeeze and Unsqueeze: other dims, the same elements. */
#include "ops/legacy/legacy.h"

typedef struct params {
  ir_ints dim;
  int64_t axis, end_axis;
} params;

static const ir_attr_spec reshape_attrs[] = {IR_LEGACY_INTS("dim", params, dim, .fallback = NULL), IR_LEGACY_END};
static const ir_attr_spec flatten_attrs[] = {IR_LEGACY_INT("axis", params, axis, .fallback = "0"),
                                             IR_LEGACY_INT("end_axis", params, end_axis, .fallback = "-1"),
                                             IR_LEGACY_END};

/* Whether the list `dim` gives the declared output: people changed the batch in files by hand, and the tools of the
 * time took the output as it was declared. */
static bool gives_declared(const ir_expansion *x, const params *p) {
  const int rank = ir_old_output_rank(x, 0);
  for (int i = 0; i < rank && i < p->dim.n; i++) {
    const int64_t dim = p->dim.items[i] == 0 ? ir_old_dim(x, 0, i) : p->dim.items[i];
    if (dim >= 0 && dim != ir_old_output_dim(x, 0, i))
      return false;
  }
  return p->dim.n == rank;
}

/* The dims are an input or the list `dim`; without both, those that the output declares. */
static void expand_reshape(ir_expansion *x) {
  const params *p = x->node->params;
  int64_t dims[IR_MAX_RANK];
  const int rank = ir_old_output_dims(x, 0, dims);
  if (ir_has_old_input(x, 1)) {
    const ir_wire made = IR_NEW(x, "Reshape", 1, ir_old_input(x, 0), ir_old_input_as_ints(x, 1));
    ir_set_bool(x, made, "special_zero", true);
    ir_give_converted(x, 0, made, ir_old_type(x, 0));
  } else if (gives_declared(x, p)) {
    ir_give_converted(x, 0, ir_new_reshape(x, ir_old_input(x, 0), p->dim.n, p->dim.items), ir_old_type(x, 0));
  } else {
    ir_give_converted(x, 0, ir_new_reshape(x, ir_old_input(x, 0), rank, dims), ir_old_type(x, 0));
  }
}

/* The axes from `axis` to `end_axis` become one. */
static void expand_flatten(ir_expansion *x) {
  const params *p = x->node->params;
  const int rank = ir_old_rank(x, 0);
  const int64_t first = p->axis < 0 ? p->axis + rank : p->axis;
  const int64_t last = p->end_axis < 0 ? p->end_axis + rank : p->end_axis;
  int64_t dims[IR_MAX_RANK + 1];
  int n = 0;
  if (first < 0 || last < first || last >= rank) {
    ir_refuse_layer(x, "its input has no axes from 'axis' to 'end_axis'");
    return;
  }
  while (n < first)
    dims[n++] = 0;
  dims[n++] = -1;
  /* a 0 would take the input's dim at this place of the output */
  for (int64_t i = last + 1; i < rank; i++)
    dims[n++] = ir_old_dim(x, 0, (int)i);
  ir_give_converted(x, 0, ir_new_reshape(x, ir_old_input(x, 0), n, dims), ir_old_type(x, 0));
}

static void expand_squeeze(ir_expansion *x) {
  const ir_wire axes[] = {ir_old_input(x, 0), ir_old_input_as_ints(x, 1)};
  ir_wire made = ir_new_op(x, "Squeeze", 1, 1, ir_has_old_input(x, 1) ? 2 : 1, axes);
  /* the tools of the time wrote [1] for a scalar */
  if (ir_old_rank(x, 0) == 1 && ir_old_output_rank(x, 0) == 1)
    made = ir_new_unsqueeze(x, made, 0);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

static void expand_unsqueeze(ir_expansion *x) {
  ir_give_converted(x, 0, IR_NEW(x, "Unsqueeze", 1, ir_old_input(x, 0), ir_old_input_as_ints(x, 1)), ir_old_type(x, 0));
}

IR_LEGACY_ROW(reshape, "Reshape", sizeof(params), reshape_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("dims")), IR_LEGACY_ONE_OUT, expand_reshape);
IR_LEGACY_ROW(flatten, "Flatten", sizeof(params), flatten_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_flatten);
IR_LEGACY_ROW(squeeze, "Squeeze", 0, NULL, IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("axes")), IR_LEGACY_ONE_OUT,
              expand_squeeze);
IR_LEGACY_ROW(unsqueeze, "Unsqueeze", 0, NULL, IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("axes")),
              IR_LEGACY_ONE_OUT, expand_unsqueeze);
