/* DepthToSpace-1, SpaceToDepth-1: blocks of every spatial axis from or into channels. BatchToSpace-2, SpaceToBatch-2:
 * from or into the batch, cut or padded at the ends. */
#include "ops/agree.h"
#include "ops/axes.h"
#include "ops/bind.h"
#include "ops/movement/movement.h"

typedef struct blocks_params {
  int64_t block_size;
  int mode;
} blocks_params;

/* Sizes of which one part in `n`, at least 1, is taken; false when there is no multiple of n among them. */
static bool divide(ir_dim dim, ir_dim n, ir_dim *out) {
  if (!ir_dim_known(n)) {
    *out = (ir_dim){dim.lo > 0 && n.hi != IR_DIM_MAX ? ir_ceil_div(dim.lo, n.hi) : dim.lo > 0,
                    dim.hi == IR_DIM_MAX ? dim.hi : dim.hi / n.lo};
    return out->lo <= out->hi;
  }
  *out = (ir_dim){ir_ceil_div(dim.lo, n.lo), dim.hi == IR_DIM_MAX ? IR_DIM_MAX : dim.hi / n.lo};
  return out->lo <= out->hi;
}

static bool report_no_multiple(const ir_node *node, const ir_value *in, int axis, ir_dim dim, ir_dim n,
                               ir_scope *scope) {
  char shape[IR_SHAPE_TEXT], texts[2][IR_DIM_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, axis),
            "axis %d of %s%s: %s is no multiple of %s, the elements of a block", axis, ir_type_name(in->type),
            ir_shape_text(&in->shape, shape, sizeof shape), ir_dim_text(dim, texts[0], sizeof texts[0]),
            ir_dim_text(n, texts[1], sizeof texts[1]));
  return false;
}

static void multiply(ir_dim dim, ir_dim n, ir_dim *out) {
  *out = ir_size_of_part(ir_part_multiply(dim, n));
}

/* ---- channels ---- */

static ir_dim block_of(const ir_node *node, int n_spatial) {
  ir_dim elements = ir_dim_of(1);
  for (int i = 0; i < n_spatial; i++)
    elements = ir_part_multiply(elements, ir_dim_of(((const blocks_params *)node->params)->block_size));
  return elements;
}

static void check_block_size(const ir_node *node, ir_scope *scope) {
  ir_warn_of_default(node, "block_size", "1", "refused", scope);
}

static ir_code infer_depth_to_space(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (!ir_movement_same(node, in, out) || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_dim *dims = out->shape.dims;
  const ir_dim block = block_of(node, out->shape.rank - 2), size = block_of(node, 1);
  if (!divide(dims[1], block, &dims[1]))
    out->unknown = !report_no_multiple(node, in[0], 1, in[0]->shape.dims[1], block, scope);
  for (int i = 2; i < out->shape.rank; i++)
    multiply(dims[i], size, &dims[i]);
  return IR_OK;
}

static ir_code infer_space_to_depth(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (!ir_movement_same(node, in, out) || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_dim *dims = out->shape.dims;
  const ir_dim size = block_of(node, 1);
  multiply(dims[1], block_of(node, out->shape.rank - 2), &dims[1]);
  for (int i = 2; i < out->shape.rank && !out->unknown; i++)
    if (!divide(dims[i], size, &dims[i]))
      out->unknown = !report_no_multiple(node, in[0], i, in[0]->shape.dims[i], size, scope);
  return IR_OK;
}

/* ---- the batch ---- */

/* Lists of one number for each axis, as far as they are told: blocks of at least 1, ends of at least 0; 1 and 0 for the
 * batch. */
static bool check_lists(const ir_node *node, const ir_value *const *in, ir_dim count, ir_scope *scope) {
  const int rank = in[0]->shape.rank;
  char text[IR_DIM_TEXT];
  if (rank != IR_RANK_UNKNOWN && !ir_dims_meet(count, ir_dim_of(rank))) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
              "'%s' holds %s numbers, expected one for each of the %d axes of 'data'", ir_op_input(node->op, 1)->name,
              ir_dim_text(count, text, sizeof text), rank);
    return false;
  }
  return ir_elements_check(node, in, 1, 1, scope) && ir_elements_check(node, in, 2, 0, scope) &&
         ir_elements_check(node, in, 3, 0, scope);
}

static ir_dim told(const ir_value *list, int i) {
  return ir_size_of_part(ir_has_parts(list) ? ir_part_at(list, i) : ir_dim_any());
}

static ir_dim block_at(const ir_value *blocks, int i) {
  return ir_part_most(told(blocks, i), ir_dim_of(1));
}

/* All blocks' elements: what the batch is divided by, or multiplied with. */
static ir_dim batch_blocks(const ir_value *blocks, int rank) {
  ir_dim n = ir_dim_of(1);
  for (int i = 0; i < rank; i++)
    n = ir_part_multiply(n, block_at(blocks, i));
  return n;
}

/* False when the cut, or padded, axis cannot be. */
static bool set_spatial(const ir_node *node, const ir_value *const *in, int i, bool to_batch, ir_dim *dim,
                        ir_scope *scope) {
  const ir_dim block = block_at(in[1], i), ends = ir_part_add(told(in[2], i), told(in[3], i));
  char shape[IR_SHAPE_TEXT], texts[2][IR_DIM_TEXT];
  if (to_batch) {
    const ir_dim padded = ir_part_add(*dim, ends);
    return divide(padded, block, dim) || report_no_multiple(node, in[0], i, padded, block, scope);
  }
  ir_dim all;
  multiply(*dim, block, &all);
  *dim = ir_size_of_part(ir_part_subtract(all, ends));
  if (ends.lo <= all.hi)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
            "axis %d of %s%s becomes %s, from which %s are cut", i, ir_type_name(in[0]->type),
            ir_shape_text(&in[0]->shape, shape, sizeof shape), ir_dim_text(all, texts[0], sizeof texts[0]),
            ir_dim_text(ends, texts[1], sizeof texts[1]));
  return false;
}

static ir_code infer_batch(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope,
                           bool to_batch) {
  ir_dim count;
  if (!ir_movement_same(node, in, out))
    return IR_OK;
  out->unknown = !ir_movement_count(node, in, 1, 3, &count, scope) || !check_lists(node, in, count, scope);
  if (out->unknown || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_dim *batch = &out->shape.dims[0];
  const ir_dim n = batch_blocks(in[1], out->shape.rank);
  if (to_batch)
    multiply(*batch, n, batch);
  else if (!divide(*batch, n, batch))
    out->unknown = !report_no_multiple(node, in[0], 0, in[0]->shape.dims[0], n, scope);
  for (int i = 1; i < out->shape.rank && !out->unknown; i++)
    out->unknown = !set_spatial(node, in, i, to_batch, &out->shape.dims[i], scope);
  return IR_OK;
}

static ir_code infer_batch_to_space(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_batch(node, in, out, scope, false);
}

static ir_code infer_space_to_batch(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_batch(node, in, out, scope, true);
}

/* ---- the rows ---- */

static const char *const modes[] = {"blocks_first", "depth_first", NULL};
static const ir_attr_spec attrs[] = {
    {.name = "block_size",
     .kind = IR_ATTR_INT,
     .offset = offsetof(blocks_params, block_size),
     .min = 1,
     .max = INT32_MAX,
     .fallback = "1"},
    {.name = "mode", .kind = IR_ATTR_ENUM, .offset = offsetof(blocks_params, mode), .names = modes, .required = true},
    {.name = NULL}};

#define FROM_RANK(port, var, least)                                                                                    \
  { .name = port, .type_var = var, .types = IR_SET_STORED, .rank_min = least, .rank_max = IR_MAX_RANK }
#define CHANNELS(name, page, rule)                                                                                     \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = 1, .spec = IR_SPEC_PAGE("movement/" page),                        \
    .params_size = sizeof(blocks_params), .attrs = attrs, .check_attributes = check_block_size,                        \
    .inputs = {FROM_RANK("data", "T", 3)}, .outputs = {FROM_RANK("output", "T", 3)}, .infer = rule                     \
  }
#define LIST(port, var, may_differ)                                                                                    \
  {                                                                                                                    \
    .name = port, .type_var = var, .types = IR_SET_INTEGERS, .types_may_differ = may_differ, .rank_min = 1,            \
    .rank_max = 1, .contents = true                                                                                    \
  }
#define BATCH(name, page, var, list_var, may_differ, begin, end, rule)                                                 \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = 1, .spec = IR_SPEC_PAGE("movement/" page),                        \
    .inputs = {FROM_RANK("data", var, 2), LIST("block_shape", list_var, may_differ),                                   \
               LIST(begin, list_var, may_differ), LIST(end, list_var, may_differ)},                                    \
    .outputs = {FROM_RANK("output", var, 2)}, .infer = rule                                                            \
  }

const ir_op ir_op_depth_to_space_1 = CHANNELS("DepthToSpace", "depth-to-space-1", infer_depth_to_space);
const ir_op ir_op_space_to_depth_1 = CHANNELS("SpaceToDepth", "space-to-depth-1", infer_space_to_depth);
/* OpenVINO's tables call both version 1, their pages 2, after the first opset that has them. */
const ir_op ir_op_batch_to_space_1 =
    BATCH("BatchToSpace", "batch-to-space-2", "T", "T_INT", false, "crops_begin", "crops_end", infer_batch_to_space);
const ir_op ir_op_space_to_batch_1 =
    BATCH("SpaceToBatch", "space-to-batch-2", "T1", "T2", true, "pads_begin", "pads_end", infer_space_to_batch);
