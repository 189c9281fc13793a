/* DepthToSpace-1 and SpaceToDepth-1 move blocks of the spatial axes out of or into the channels. BatchToSpace-2 and
 * SpaceToBatch-2 move blocks out of or into the batch, and crop or pad the spatial axes. */
#include "ops/agree.h"
#include "ops/axes.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/sections.h"
#include "ops/kernels/strided_copy.h"
#include "ops/movement/movement.h"
#include "ops/op.h"

enum { BLOCKS_FIRST, DEPTH_FIRST };

typedef struct blocks_params {
  int64_t block_size;
  int mode;
} blocks_params;

/* Divides sizes `dim` by block sizes `n`, both intervals, n.lo >= 1. Returns false if `out` is empty. If n is one
 * number, that means that no size is a multiple of n. */
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
  *out = ir_size_of_range(ir_range_multiply(dim, n));
}

/* ---- channels ---- */

static ir_dim block_of(const ir_node *node, int n_spatial) {
  ir_dim elements = ir_dim_of(1);
  for (int i = 0; i < n_spatial; i++)
    elements = ir_range_multiply(elements, ir_dim_of(((const blocks_params *)node->params)->block_size));
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
    out->poisoned = !report_no_multiple(node, in[0], 1, in[0]->shape.dims[1], block, scope);
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
  for (int i = 2; i < out->shape.rank && !out->poisoned; i++)
    if (!divide(dims[i], size, &dims[i]))
      out->poisoned = !report_no_multiple(node, in[0], i, in[0]->shape.dims[i], size, scope);
  return IR_OK;
}

/* ---- the batch ---- */

/* Checks the lists, which have a number for each axis. Known elements of block_shape must be at least 1, known elements
 * of the other lists at least 0. */
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
  return ir_size_of_range(ir_has_ranges(list) ? ir_range_at(list, i) : ir_dim_any());
}

static ir_dim block_at(const ir_value *blocks, int i) {
  return ir_range_most(told(blocks, i), ir_dim_of(1));
}

/* Returns the product of block_shape, by which the batch is divided or multiplied. */
static ir_dim batch_blocks(const ir_value *blocks, int rank) {
  ir_dim n = ir_dim_of(1);
  for (int i = 0; i < rank; i++)
    n = ir_range_multiply(n, block_at(blocks, i));
  return n;
}

/* Sets *dim to the output size of spatial axis `i`. Returns false, after a report, if no size is possible. */
static bool set_spatial(const ir_node *node, const ir_value *const *in, int i, bool to_batch, ir_dim *dim,
                        ir_scope *scope) {
  const ir_dim block = block_at(in[1], i), ends = ir_range_add(told(in[2], i), told(in[3], i));
  char shape[IR_SHAPE_TEXT], texts[2][IR_DIM_TEXT];
  if (to_batch) {
    const ir_dim padded = ir_range_add(*dim, ends);
    return divide(padded, block, dim) || report_no_multiple(node, in[0], i, padded, block, scope);
  }
  ir_dim all;
  multiply(*dim, block, &all);
  *dim = ir_size_of_range(ir_range_subtract(all, ends));
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
  out->poisoned = !ir_movement_count(node, in, 1, 3, &count, scope) || !check_lists(node, in, count, scope);
  if (out->poisoned || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  ir_dim *batch = &out->shape.dims[0];
  const ir_dim n = batch_blocks(in[1], out->shape.rank);
  if (to_batch)
    multiply(*batch, n, batch);
  else if (!divide(*batch, n, batch))
    out->poisoned = !report_no_multiple(node, in[0], 0, in[0]->shape.dims[0], n, scope);
  for (int i = 1; i < out->shape.rank && !out->poisoned; i++)
    out->poisoned = !set_spatial(node, in, i, to_batch, &out->shape.dims[i], scope);
  return IR_OK;
}

static ir_code infer_batch_to_space(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_batch(node, in, out, scope, false);
}

static ir_code infer_space_to_batch(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  return infer_batch(node, in, out, scope, true);
}

/* ---- running ---- */

/* Copies between `deep` and `wide`: blocks lie in the channels of `deep` and in the spatial axes of `wide`. [N, C, H,
 * W] of `wide` is [N, blocks of H, blocks of W, C, ..] of `deep`, or with depth_first [N, C, blocks, ..]. */
static ir_code prepare_channels(const ir_node *node, const ir_shape *deep, const ir_shape *wide, bool to_deep,
                                ir_plan *plan) {
  const blocks_params *params = node->params;
  const int rank = wide->rank;
  const int64_t block = params->block_size, channels = wide->dims[1].lo;
  int64_t deep_steps[IR_MAX_RANK], wide_steps[IR_MAX_RANK];
  int64_t dims[2 * IR_MAX_RANK], in_deep[2 * IR_MAX_RANK], in_wide[2 * IR_MAX_RANK];
  ir_nd_iter_steps(deep, 0, rank, deep_steps);
  ir_nd_iter_steps(wide, 0, rank, wide_steps);
  /* Starts at the last axis. Two neighbours of a block are one element apart on the axis of `wide`, and `step` elements
   * apart in `deep`. */
  int64_t step = params->mode == BLOCKS_FIRST ? channels * deep_steps[1] : deep_steps[1];
  int n = 0;
  for (int i = rank - 1; i > 1; i--) {
    dims[n] = deep->dims[i].lo;
    in_deep[n] = deep_steps[i];
    in_wide[n++] = block * wide_steps[i];
    dims[n] = block;
    in_deep[n] = step;
    in_wide[n++] = wide_steps[i];
    step *= block;
  }
  for (int i = 1; i >= 0; i--) {
    dims[n] = wide->dims[i].lo;
    in_deep[n] = i == 1 && params->mode != BLOCKS_FIRST ? step : deep_steps[i];
    in_wide[n++] = wide_steps[i];
  }
  const ir_strided_copy copy =
      to_deep ? ir_strided_copy_of(n, dims, in_wide, in_deep) : ir_strided_copy_of(n, dims, in_deep, in_wide);
  return ir_strided_copy_step(plan, node, &copy);
}

static ir_code prepare_depth_to_space(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)scope;
  return prepare_channels(node, &in[0]->shape, &node->outputs[0].shape, false, plan);
}

static ir_code prepare_space_to_depth(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)scope;
  return prepare_channels(node, &node->outputs[0].shape, &in[0]->shape, true, plan);
}

/* An axis of `wide` with `size` elements, `wide_step` apart. In the batch op the axis follows `first` elements that are
 * cropped or padded, and all these elements together are cut into blocks of `block`. Element e of block b is at b *
 * step + e * block_step of `deep`. */
typedef struct block_axis {
  int64_t size, first, block;
  int64_t step, block_step, wide_step;
} block_axis;

static void add_blocks(const block_axis *axis, int64_t begin, int64_t n_blocks, int64_t n, bool to_deep,
                       ir_axis_sections *out) {
  const int64_t at = begin + axis->first;
  const int64_t deep = at / axis->block * axis->step + at % axis->block * axis->block_step;
  ir_section section = {.dims = {n_blocks, n}};
  const int64_t wide_steps[] = {axis->block * axis->wide_step, axis->wide_step};
  const int64_t deep_steps[] = {axis->step, axis->block_step};
  section.from = to_deep ? begin * axis->wide_step : deep;
  section.to = to_deep ? deep : begin * axis->wide_step;
  for (int i = 0; i < 2; i++) {
    section.from_steps[i] = to_deep ? wide_steps[i] : deep_steps[i];
    section.to_steps[i] = to_deep ? deep_steps[i] : wide_steps[i];
  }
  ir_sections_add(out, &section);
}

static void cut_blocks(const block_axis *axis, bool to_deep, ir_axis_sections *out) {
  const int64_t within = axis->first % axis->block;
  int64_t begin = within > 0 ? axis->block - within : 0;
  if (begin > axis->size)
    begin = axis->size;
  const int64_t n = (axis->size - begin) / axis->block, end = begin + n * axis->block;
  add_blocks(axis, 0, 1, begin, to_deep, out);
  add_blocks(axis, begin, n, axis->block, to_deep, out);
  add_blocks(axis, end, 1, axis->size - end, to_deep, out);
}

/* Checks entry 0 of the lists, which belongs to the batch axis. The specification requires a block of 1 and neither
 * cropping nor padding. */
static bool check_batch(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  for (int port = 1; port < 4; port++) {
    const int64_t of_batch = ir_range_at(in[port], 0).lo;
    if (of_batch == (port == 1))
      continue;
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
              "'%s' holds %lld for the batch, expected %d", ir_op_input(node->op, port)->name, (long long)of_batch,
              port == 1);
    return false;
  }
  return true;
}

/* Copies between `deep` and `wide`: blocks lie in the batch of `deep` and in the spatial axes of `wide`. [blocks of H,
 * blocks of W, N, H, W] of `deep` is [N, blocks of H, ..] of `wide`. */
static ir_code prepare_batch(const ir_node *node, const ir_value *const *in, const ir_shape *deep, const ir_shape *wide,
                             bool to_deep, ir_plan *plan, ir_scope *scope) {
  const int rank = wide->rank;
  int64_t deep_steps[IR_MAX_RANK], wide_steps[IR_MAX_RANK];
  ir_sections sections = {.n_axes = rank};
  bool pads = false;
  if (!check_batch(node, in, scope))
    return IR_INVALID;
  ir_nd_iter_steps(deep, 0, rank, deep_steps);
  ir_nd_iter_steps(wide, 0, rank, wide_steps);
  const int64_t batch = wide->dims[0].lo;
  int64_t block_step = batch * deep_steps[0];
  ir_sections_add_line(&sections.axes[0], batch, 0, to_deep ? wide_steps[0] : deep_steps[0], 0,
                       to_deep ? deep_steps[0] : wide_steps[0]);
  for (int i = rank - 1; i > 0; i--) {
    const block_axis axis = {.size = wide->dims[i].lo,
                             .first = ir_range_at(in[2], i).lo,
                             .block = ir_range_at(in[1], i).lo,
                             .step = deep_steps[i],
                             .block_step = block_step,
                             .wide_step = wide_steps[i]};
    cut_blocks(&axis, to_deep, &sections.axes[i]);
    block_step *= axis.block;
    pads = pads || axis.first > 0 || ir_range_at(in[3], i).lo > 0;
  }
  return ir_sections_step(plan, node, &sections, to_deep && pads ? IR_FILL_ZERO : IR_FILL_NONE);
}

static ir_code prepare_batch_to_space(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return prepare_batch(node, in, &in[0]->shape, &node->outputs[0].shape, false, plan, scope);
}

static ir_code prepare_space_to_batch(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return prepare_batch(node, in, &node->outputs[0].shape, &in[0]->shape, true, plan, scope);
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
#define CHANNELS(name, page, rule, run_by)                                                                             \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = 1, .spec = IR_SPEC_PAGE("movement/" page),                        \
    .params_size = sizeof(blocks_params), .attrs = attrs, .check_attributes = check_block_size,                        \
    .inputs = IR_PORTS(FROM_RANK("data", "T", 3)), .outputs = IR_PORTS(FROM_RANK("output", "T", 3)),                   \
    .narrow = IR_SET_NARROW_BYTES, .infer = rule, .function = IR_FUNCTION_MOVE, .run = {                               \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = run_by                                                                                                \
    }                                                                                                                  \
  }
#define LIST(port, var, may_differ)                                                                                    \
  {                                                                                                                    \
    .name = port, .type_var = var, .types = IR_SET_INTEGERS, .types_may_differ = may_differ, .rank_min = 1,            \
    .rank_max = 1, .contents = true                                                                                    \
  }
#define BATCH(name, page, var, list_var, may_differ, begin, end, rule, run_by)                                         \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = 1, .spec = IR_SPEC_PAGE("movement/" page),                        \
    .inputs = IR_PORTS(FROM_RANK("data", var, 2), LIST("block_shape", list_var, may_differ),                           \
                       LIST(begin, list_var, may_differ), LIST(end, list_var, may_differ)),                            \
    .outputs = IR_PORTS(FROM_RANK("output", var, 2)), .infer = rule, .run = {                                          \
      IR_RUN_PREPARED,                                                                                                 \
      .prepare = run_by                                                                                                \
    }                                                                                                                  \
  }

const ir_op ir_op_depth_to_space_1 =
    CHANNELS("DepthToSpace", "depth-to-space-1", infer_depth_to_space, prepare_depth_to_space);
const ir_op ir_op_space_to_depth_1 =
    CHANNELS("SpaceToDepth", "space-to-depth-1", infer_space_to_depth, prepare_space_to_depth);
/* OpenVINO's op tables have version 1 for both ops. The names of the pages have 2, because the ops came with opset2. */
const ir_op ir_op_batch_to_space_1 = BATCH("BatchToSpace", "batch-to-space-2", "T", "T_INT", false, "crops_begin",
                                           "crops_end", infer_batch_to_space, prepare_batch_to_space);
const ir_op ir_op_space_to_batch_1 = BATCH("SpaceToBatch", "space-to-batch-2", "T1", "T2", true, "pads_begin",
                                           "pads_end", infer_space_to_batch, prepare_space_to_batch);
