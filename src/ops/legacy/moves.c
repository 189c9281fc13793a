/* Layers that move elements to other places by attributes: StridedSlice, Pad, ShuffleChannels, DepthToSpace,
 * SpaceToDepth, SpaceToBatch, BatchToSpace, ReverseSequence and ExtractImagePatches. */
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

/* Sets a mask of n items: the layer's, then `rest`. `passes` is what the op has for a 1. */
static void set_mask(ir_expansion *x, ir_wire made, const char *name, ir_ints mask, int64_t n, int64_t rest,
                     int64_t passes) {
  int64_t items[IR_MAX_RANK];
  for (int64_t i = 0; i < n; i++) {
    const int64_t item = i < mask.n ? mask.items[i] : rest;
    items[i] = item == 1 ? passes : 1 - passes;
  }
  ir_set_ints(x, made, name, n, items);
}

/* The masks can have different lengths. A 1 of the layer's begin_mask and end_mask means to use the item, a 1 of the
 * op's to pass over it. */
static void expand_strided_slice(ir_expansion *x) {
  const slice_params *p = x->node->params;
  const ir_ints *masks[] = {&p->begin_mask, &p->end_mask, &p->new_axis_mask, &p->shrink_axis_mask, &p->ellipsis_mask};
  int64_t n = 0;
  for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
    n = masks[i]->n > n ? masks[i]->n : n;
  if (n > IR_MAX_RANK) {
    ir_refuse_layer(x, "a mask has more items than a tensor can have axes");
    return;
  }
  const ir_wire inputs[] = {ir_old_input(x, 0), ir_old_input_as_ints(x, 1), ir_old_input_as_ints(x, 2),
                            ir_has_old_input(x, 3) ? ir_old_input_as_ints(x, 3) : (ir_wire){.layer = -1}};
  const ir_wire made = ir_new_op(x, "StridedSlice", 1, 1, ir_has_old_input(x, 3) ? 4 : 3, inputs);
  set_mask(x, made, "begin_mask", p->begin_mask, n, 1, 0);
  set_mask(x, made, "end_mask", p->end_mask, n, 1, 0);
  set_mask(x, made, "new_axis_mask", p->new_axis_mask, n, 0, 1);
  set_mask(x, made, "shrink_axis_mask", p->shrink_axis_mask, n, 0, 1);
  set_mask(x, made, "ellipsis_mask", p->ellipsis_mask, n, 0, 1);
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

static const ir_attr_spec shuffle_attrs[] = {IR_LEGACY_TEXT("axis", .fallback = "1"),
                                             IR_LEGACY_TEXT("group", .fallback = "1"), IR_LEGACY_END};
static const ir_attr_spec block_attrs[] = {IR_LEGACY_TEXT("block_size", .fallback = "1"),
                                           IR_LEGACY_TEXT("mode", .fallback = "blocks_first"), IR_LEGACY_END};
static const ir_attr_spec reverse_attrs[] = {IR_LEGACY_TEXT("seq_axis", .fallback = "1"),
                                             IR_LEGACY_TEXT("batch_axis", .fallback = "0"), IR_LEGACY_END};
static const ir_attr_spec patch_attrs[] = {
    IR_LEGACY_TEXT("sizes", .required = true), IR_LEGACY_TEXT("strides", .required = true),
    IR_LEGACY_TEXT("rates", .required = true), IR_LEGACY_TEXT("auto_pad", .required = true), IR_LEGACY_END};
static const ir_attr_spec no_attrs[] = {IR_LEGACY_END};

/* The inputs behind the first one have lengths or sizes. */
static void expand_move(ir_expansion *x) {
  ir_wire inputs[IR_MAX_OP_PORTS] = {ir_old_input(x, 0)};
  const int32_t n = x->node->n_inputs < IR_MAX_OP_PORTS ? x->node->n_inputs : IR_MAX_OP_PORTS;
  for (int32_t i = 1; i < n; i++)
    inputs[i] = ir_old_input_as_ints(x, i);
  const ir_wire made = ir_new_op(x, x->node->op->type, 3, 1, n, inputs);
  ir_copy_attributes(x, made);
  ir_give_converted(x, 0, made, ir_old_type(x, 0));
}

#define BATCH_INPUTS                                                                                                   \
  IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("block_shape"), IR_LEGACY_PORT("begin"), IR_LEGACY_PORT("end"))
#define MOVE(name, text, schema) IR_LEGACY_ROW(name, text, 0, schema, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_move)

IR_LEGACY_ROW(strided_slice, "StridedSlice", sizeof(slice_params), slice_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("begin"), IR_LEGACY_PORT("end"),
                       IR_LEGACY_MORE("strides")),
              IR_LEGACY_ONE_OUT, expand_strided_slice);
IR_LEGACY_ROW(pad, "Pad", sizeof(pad_params), pad_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_pad);
MOVE(shuffle_channels, "ShuffleChannels", shuffle_attrs);
MOVE(depth_to_space, "DepthToSpace", block_attrs);
MOVE(space_to_depth, "SpaceToDepth", block_attrs);
MOVE(extract_image_patches, "ExtractImagePatches", patch_attrs);
IR_LEGACY_ROW(reverse_sequence, "ReverseSequence", 0, reverse_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("lengths")), IR_LEGACY_ONE_OUT, expand_move);
IR_LEGACY_ROW(space_to_batch, "SpaceToBatch", 0, no_attrs, BATCH_INPUTS, IR_LEGACY_ONE_OUT, expand_move);
IR_LEGACY_ROW(batch_to_space, "BatchToSpace", 0, no_attrs, BATCH_INPUTS, IR_LEGACY_ONE_OUT, expand_move);
