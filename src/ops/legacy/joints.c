/* Layers that join and part tensors: Concat, Split (Slice), Tile and Crop; and Permute. */
#include "ops/legacy/legacy.h"

typedef struct params {
  ir_ints order, axes, offset, dim, crop_begin, crop_end;
  int64_t axis, tiles;
} params;

/* ---- Permute, Concat and Tile ---- */

static const ir_attr_spec permute_attrs[] = {IR_LEGACY_INTS("order", params, order, .required = true), IR_LEGACY_END};
static const ir_attr_spec axis_attrs[] = {IR_LEGACY_INT("axis", params, axis, .fallback = "1"), IR_LEGACY_END};
static const ir_attr_spec tile_attrs[] = {IR_LEGACY_INT("axis", params, axis, .required = true),
                                          IR_LEGACY_INT("tiles", params, tiles, .required = true), IR_LEGACY_END};

static void expand_permute(ir_expansion *x) {
  const params *p = x->node->params;
  ir_give_converted(x, 0, ir_new_transpose(x, ir_old_input(x, 0), p->order.n, p->order.items), ir_old_type(x, 0));
}

static void expand_concat(ir_expansion *x) {
  const params *p = x->node->params;
  const int32_t n = x->node->n_inputs;
  ir_wire *inputs = ir_old_inputs(x);
  for (int32_t i = 0; inputs != NULL && i < n; i++)
    inputs[i] = ir_new_convert(x, inputs[i], ir_old_type(x, i), ir_old_output_type(x, 0));
  const ir_wire made = ir_new_op(x, "Concat", 1, 1, n, inputs);
  ir_set_int(x, made, "axis", p->axis);
  ir_give_output(x, 0, made);
}

static void expand_tile(ir_expansion *x) {
  const params *p = x->node->params;
  const int rank = ir_old_rank(x, 0);
  int64_t repeats[IR_MAX_RANK];
  if (p->axis < 0 || p->axis >= rank) {
    ir_refuse_layer(x, "'axis' is no axis of its input");
    return;
  }
  for (int i = 0; i < rank; i++)
    repeats[i] = i == p->axis ? p->tiles : 1;
  ir_give_converted(x, 0, IR_NEW(x, "Tile", 1, ir_old_input(x, 0), ir_new_ints(x, rank, repeats)), ir_old_type(x, 0));
}

/* ---- Split and Slice ---- */

/* The outputs say how long the parts are. Early Model Optimizers left out the last outputs that nobody reads. */
static void expand_split(ir_expansion *x) {
  const params *p = x->node->params;
  const int32_t n = x->node->layer->n_outputs;
  bool is_even = true;
  if (p->axis < 0 || p->axis >= ir_old_rank(x, 0)) {
    ir_refuse_layer(x, "'axis' is no axis of its input");
    return;
  }
  int64_t rest = ir_old_dim(x, 0, (int)p->axis);
  int64_t *lengths = ir_arena_array(&x->graph->arena, (size_t)n + 1, sizeof *lengths);
  x->failed = x->failed || lengths == NULL;
  for (int32_t i = 0; lengths != NULL && i < n; i++) {
    lengths[i] = ir_old_output_dim(x, i, (int)p->axis);
    rest = ir_plus(rest, -lengths[i]);
    is_even = is_even && lengths[i] == lengths[0];
  }
  if (lengths == NULL)
    return;
  if (rest < 0) {
    ir_refuse_layer(x, "its outputs have more elements on the axis than its input");
    return;
  }
  const int n_parts = n + (rest > 0);
  lengths[n] = rest;
  const ir_wire axis = ir_new_int(x, p->axis);
  ir_wire made;
  if (is_even && rest == 0) {
    made = ir_new_op(x, "Split", 1, n_parts, 2, (ir_wire[]){ir_old_input(x, 0), axis});
    ir_set_int(x, made, "num_splits", n_parts);
  } else {
    const ir_wire parts = ir_new_ints(x, n_parts, lengths);
    made = ir_new_op(x, "VariadicSplit", 1, n_parts, 3, (ir_wire[]){ir_old_input(x, 0), axis, parts});
  }
  for (int32_t i = 0; i < n; i++)
    ir_give_converted(x, i, ir_port_of(made, i), ir_old_type(x, 0));
}

/* ---- Crop ---- */

static const ir_attr_spec crop_attrs[] = {IR_LEGACY_INTS("axis", params, axes, .required = true),
                                          IR_LEGACY_INTS("offset", params, offset, .fallback = NULL),
                                          IR_LEGACY_INTS("dim", params, dim, .fallback = NULL),
                                          IR_LEGACY_INTS("crop_begin", params, crop_begin, .fallback = NULL),
                                          IR_LEGACY_INTS("crop_end", params, crop_end, .fallback = NULL),
                                          IR_LEGACY_END};

/* The dims of input 1 on the axes, plus the offsets: where to stop. */
static ir_wire stops_of_input(ir_expansion *x, int64_t n, const int64_t *axes, const int64_t *starts) {
  const ir_wire shape = IR_NEW(x, "ShapeOf", 1, ir_old_input(x, 1));
  const ir_wire dims = IR_NEW(x, "Gather", 1, shape, ir_new_ints(x, n, axes), ir_new_int(x, 0));
  return IR_NEW(x, "Add", 1, dims, ir_new_ints(x, n, starts));
}

/* Keeps, on each listed axis, the elements from `offset` or `crop_begin` on: as many as `dim` or input 1 says, or all
 * but the last `crop_end`; without these, as many as the output has. */
static void expand_crop(ir_expansion *x) {
  const params *p = x->node->params;
  const ir_ints begin = p->crop_begin.n > 0 ? p->crop_begin : p->offset;
  const int64_t n = p->axes.n;
  int64_t starts[IR_MAX_RANK], stops[IR_MAX_RANK], ones[IR_MAX_RANK];
  if (n > ir_old_rank(x, 0)) {
    ir_refuse_layer(x, "'axis' has more items than its input has axes");
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    const int64_t axis = p->axes.items[i];
    if (axis < 0 || axis >= ir_old_rank(x, 0)) {
      ir_refuse_layer(x, "an item of 'axis' is no axis of its input");
      return;
    }
    ones[i] = 1;
    starts[i] = i < begin.n ? begin.items[i] : 0;
    if (i < p->dim.n)
      stops[i] = ir_plus(starts[i], p->dim.items[i]);
    else if (i < p->crop_end.n)
      stops[i] = p->crop_end.items[i] == 0 ? INT64_MAX : ir_times(p->crop_end.items[i], -1);
    else
      stops[i] = ir_plus(starts[i], ir_old_output_dim(x, 0, (int)axis));
  }
  const ir_wire from = ir_new_ints(x, n, starts);
  const ir_wire to = ir_has_old_input(x, 1) ? stops_of_input(x, n, p->axes.items, starts) : ir_new_ints(x, n, stops);
  ir_give_converted(
      x, 0,
      IR_NEW(x, "Slice", 8, ir_old_input(x, 0), from, to, ir_new_ints(x, n, ones), ir_new_ints(x, n, p->axes.items)),
      ir_old_type(x, 0));
}

#define PARTS IR_PORTS(IR_LEGACY_MANY("output"))

IR_LEGACY_ROW(permute, "Permute", sizeof(params), permute_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_permute);
IR_LEGACY_ROW(concat, "Concat", sizeof(params), axis_attrs, IR_PORTS(IR_LEGACY_MANY("data")), IR_LEGACY_ONE_OUT,
              expand_concat);
IR_LEGACY_ROW(tile, "Tile", sizeof(params), tile_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_tile);
IR_LEGACY_ROW(split, "Split", sizeof(params), axis_attrs, IR_LEGACY_ONE_IN, PARTS, expand_split);
IR_LEGACY_ROW(slice, "Slice", sizeof(params), axis_attrs, IR_LEGACY_ONE_IN, PARTS, expand_split);
IR_LEGACY_ROW(crop, "Crop", sizeof(params), crop_attrs, IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("size")),
              IR_LEGACY_ONE_OUT, expand_crop);
