/* Layers that move elements to other places by attributes: StridedSlice, Pad, ShuffleChannels, DepthToSpace,
 * SpaceToDepth, SpaceToBatch, BatchToSpace and ReverseSequence. */
#include "ops/legacy/legacy.h"

/* ---- StridedSlice ---- */

typedef struct slice_params {
  ir_ints begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask;
} slice_params;

#define MASK(text, field) IR_LEGACY_ATTR(text, INT, ANY, slice_params, field, .min = 0, .max = 1, .fallback = NULL)

static const ir_attr_spec slice_attrs[] = {
    MASK("begin_mask", begin_mask),       MASK("end_mask", end_mask),
    MASK("new_axis_mask", new_axis_mask), MASK("shrink_axis_mask", shrink_axis_mask),
    MASK("ellipsis_mask", ellipsis_mask), IR_LEGACY_END};

/* A 1 of the layer's begin_mask and end_mask means to use the item, a 1 of the op's to pass over it. */
static void set_inverted(ir_expansion *x, ir_wire made, const char *name, ir_ints mask) {
  int64_t items[IR_MAX_RANK];
  const int64_t n = mask.n < IR_MAX_RANK ? mask.n : IR_MAX_RANK;
  for (int64_t i = 0; i < n; i++)
    items[i] = 1 - mask.items[i];
  ir_set_ints(x, made, name, n, items);
}

static void set_mask(ir_expansion *x, ir_wire made, const char *name, ir_ints mask) {
  if (mask.n > 0)
    ir_set_ints(x, made, name, mask.n, mask.items);
}

static void expand_strided_slice(ir_expansion *x) {
  const slice_params *p = x->node->params;
  const ir_wire inputs[] = {ir_old_input(x, 0), ir_old_input_as_ints(x, 1), ir_old_input_as_ints(x, 2),
                            ir_has_old_input(x, 3) ? ir_old_input_as_ints(x, 3) : (ir_wire){.layer = -1}};
  const ir_wire made = ir_new_op(x, "StridedSlice", 1, 1, ir_has_old_input(x, 3) ? 4 : 3, inputs);
  set_inverted(x, made, "begin_mask", p->begin_mask);
  set_inverted(x, made, "end_mask", p->end_mask);
  set_mask(x, made, "new_axis_mask", p->new_axis_mask);
  set_mask(x, made, "shrink_axis_mask", p->shrink_axis_mask);
  set_mask(x, made, "ellipsis_mask", p->ellipsis_mask);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

/* ---- Pad ---- */

typedef struct pad_params {
  ir_ints pads_begin, pads_end;
  double pad_value;
  int pad_mode;
} pad_params;

static const char *const pad_modes[] = {"constant", "edge", "reflect", "symmetric", NULL};
static const ir_attr_spec pad_attrs[] = {
    IR_LEGACY_INTS("pads_begin", pad_params, pads_begin, .required = true),
    IR_LEGACY_INTS("pads_end", pad_params, pads_end, .required = true),
    IR_LEGACY_FLOAT("pad_value", pad_params, pad_value, .fallback = "0"),
    IR_LEGACY_ENUM("pad_mode", pad_params, pad_mode, pad_modes, .fallback = "constant"), IR_LEGACY_END};

static void expand_pad(ir_expansion *x) {
  const pad_params *p = x->node->params;
  const ir_wire begin = ir_new_ints(x, p->pads_begin.n, p->pads_begin.items);
  const ir_wire end = ir_new_ints(x, p->pads_end.n, p->pads_end.items);
  const ir_wire made =
      IR_NEW(x, "Pad", 1, ir_old_input(x, 0), begin, end, ir_new_number(x, ir_old_type(x, 0), p->pad_value));
  ir_set_text(x, made, "pad_mode", pad_modes[p->pad_mode]);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

/* ---- layers whose op has the same name and attributes ---- */

typedef struct move_params {
  int64_t axis, group, block_size, seq_axis, batch_axis;
  int mode;
} move_params;

static const char *const block_modes[] = {"blocks_first", "depth_first", NULL};
static const ir_attr_spec shuffle_attrs[] = {IR_LEGACY_INT("axis", move_params, axis, .fallback = "1"),
                                             IR_LEGACY_INT("group", move_params, group, .fallback = "1"),
                                             IR_LEGACY_END};
static const ir_attr_spec block_attrs[] = {
    IR_LEGACY_INT("block_size", move_params, block_size, .fallback = "1"),
    IR_LEGACY_ENUM("mode", move_params, mode, block_modes, .fallback = "blocks_first"), IR_LEGACY_END};
static const ir_attr_spec reverse_attrs[] = {IR_LEGACY_INT("seq_axis", move_params, seq_axis, .fallback = "1"),
                                             IR_LEGACY_INT("batch_axis", move_params, batch_axis, .fallback = "0"),
                                             IR_LEGACY_END};

static void expand_shuffle(ir_expansion *x) {
  const move_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, "ShuffleChannels", 1, ir_old_input(x, 0));
  ir_set_int(x, made, "axis", p->axis);
  ir_set_int(x, made, "group", p->group);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

/* DepthToSpace and SpaceToDepth. */
static void expand_blocks(ir_expansion *x) {
  const move_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, x->node->op->type, 1, ir_old_input(x, 0));
  ir_set_int(x, made, "block_size", p->block_size);
  ir_set_text(x, made, "mode", block_modes[p->mode]);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

/* SpaceToBatch and BatchToSpace. */
static void expand_batches(ir_expansion *x) {
  ir_give_converted(x, 0,
                    IR_NEW(x, x->node->op->type, 2, ir_old_input(x, 0), ir_old_input_as_ints(x, 1),
                           ir_old_input_as_ints(x, 2), ir_old_input_as_ints(x, 3)),
                    ir_old_type(x, 0));
}

static void expand_reverse(ir_expansion *x) {
  const move_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, "ReverseSequence", 1, ir_old_input(x, 0), ir_old_input_as_ints(x, 1));
  ir_set_int(x, made, "batch_axis", p->batch_axis);
  ir_set_int(x, made, "seq_axis", p->seq_axis);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

#define BATCH_INPUTS                                                                                                   \
  IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("block_shape"), IR_LEGACY_PORT("begin"), IR_LEGACY_PORT("end"))
#define MOVE(name, text, schema, function)                                                                             \
  IR_LEGACY_ROW(name, text, sizeof(move_params), schema, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, function)

IR_LEGACY_ROW(strided_slice, "StridedSlice", sizeof(slice_params), slice_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("begin"), IR_LEGACY_PORT("end"),
                       IR_LEGACY_MORE("strides")),
              IR_LEGACY_ONE_OUT, expand_strided_slice);
IR_LEGACY_ROW(pad, "Pad", sizeof(pad_params), pad_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_pad);
MOVE(shuffle_channels, "ShuffleChannels", shuffle_attrs, expand_shuffle);
MOVE(depth_to_space, "DepthToSpace", block_attrs, expand_blocks);
MOVE(space_to_depth, "SpaceToDepth", block_attrs, expand_blocks);
IR_LEGACY_ROW(reverse_sequence, "ReverseSequence", sizeof(move_params), reverse_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("lengths")), IR_LEGACY_ONE_OUT, expand_reverse);
IR_LEGACY_ROW(space_to_batch, "SpaceToBatch", 0, NULL, BATCH_INPUTS, IR_LEGACY_ONE_OUT, expand_batches);
IR_LEGACY_ROW(batch_to_space, "BatchToSpace", 0, NULL, BATCH_INPUTS, IR_LEGACY_ONE_OUT, expand_batches);
