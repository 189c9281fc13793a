/* ExtractImagePatches-3 copies patches of an image into channels. Col2Im-15 sums columns into an image; each column is
 * a patch. */
#include "base/stop.h"
#include "ops/agree.h"
#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include "ops/movement/movement.h"
#include "ops/op.h"
#include <string.h>

enum { N_SPATIAL = 2 };

typedef struct patches_params {
  ir_ints sizes, strides, rates;
  int auto_pad;
  ir_ints dilations, pads_begin, pads_end;
} patches_params;

/* One spatial axis. Element e of patch p is element p * stride + e * dilation - pad of the image. */
typedef struct patch_axis {
  int64_t image, size, n_patches;
  int64_t stride, dilation, pad;
} patch_axis;

/* Finds the patches [begin, end) whose element e is one of the elements [from, to) of the image. */
static void find_patches(const patch_axis *axis, int64_t e, int64_t from, int64_t to, int64_t *begin, int64_t *end) {
  const int64_t offset = e * axis->dilation - axis->pad;
  *begin = from > offset ? ir_ceil_div(from - offset, axis->stride) : 0;
  *end = to > offset ? ir_ceil_div(to - offset, axis->stride) : 0;
  if (*end > axis->n_patches)
    *end = axis->n_patches;
}

/* ---- ExtractImagePatches ---- */

enum { PAD_VALID, PAD_SAME_UPPER, PAD_SAME_LOWER };

/* Returns the number of patches along an axis of known size. */
static int64_t patches_in(const patches_params *params, int axis, int64_t size) {
  const int64_t stride = params->strides.items[axis];
  int64_t reach;
  if (params->auto_pad != PAD_VALID)
    return ir_ceil_div(size, stride);
  if (!ir_mul(params->sizes.items[axis] - 1, params->rates.items[axis], &reach) || reach >= size)
    return 0;
  return (size - reach - 1) / stride + 1;
}

static ir_code infer_extract(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  const patches_params *params = node->params;
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->shape = in[0]->shape.rank == IR_RANK_UNKNOWN ? ir_shape_of_rank(N_SPATIAL + 2) : in[0]->shape;
  ir_dim *dims = out->shape.dims;
  for (int i = 0; i < N_SPATIAL; i++) {
    const ir_dim dim = dims[i + 2];
    dims[1] = ir_size_of_range(ir_range_multiply(dims[1], ir_dim_of(params->sizes.items[i])));
    dims[i + 2] =
        (ir_dim){patches_in(params, i, dim.lo), dim.hi == IR_DIM_MAX ? IR_DIM_MAX : patches_in(params, i, dim.hi)};
  }
  return IR_OK;
}

typedef struct extract_state {
  int64_t images, channels;
  patch_axis axes[N_SPATIAL];
  int64_t from[N_SPATIAL + 2], to[N_SPATIAL + 2]; /* strides of input and output */
} extract_state;

typedef struct extract_work {
  const extract_state *state;
  const ir_tensor *in, *out;
  ir_exec *exec; /* shares each copy; NULL: the copies are shared as a whole */
} extract_work;

/* Copies elements [begin, end) of every patch. Each element is a strided copy from the image to its own channels of the
 * output. */
static void extract_elements(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const extract_work *work = user;
  const extract_state *state = work->state;
  const patch_axis *axes = state->axes;
  for (int64_t item = begin; item < end; item++) {
    const int64_t e[] = {item / axes[1].size, item % axes[1].size};
    int64_t dims[] = {state->images, state->channels, 0, 0}, from[] = {state->from[0], state->from[1], 0, 0};
    int64_t from_first = 0, to_first = item * state->channels * state->to[1], first, behind;
    for (int i = 0; i < N_SPATIAL; i++) {
      find_patches(&axes[i], e[i], 0, axes[i].image, &first, &behind);
      if (behind <= first)
        break;
      dims[i + 2] = behind - first;
      from[i + 2] = behind - first > 1 ? axes[i].stride * state->from[i + 2] : 0;
      from_first += (first * axes[i].stride + e[i] * axes[i].dilation - axes[i].pad) * state->from[i + 2];
      to_first += first * state->to[i + 2];
    }
    ir_strided_copy copy = ir_strided_copy_of(N_SPATIAL + 2, dims, from, state->to);
    copy.from_first = from_first;
    copy.to_first = to_first;
    ir_strided_copy_run(&copy, ir_type_size(work->in->type), work->in->data, work->out->data, work->exec);
  }
}

static ir_code run_extract(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const extract_state *state = step->state;
  static const uint64_t zero = 0; /* zero of any type */
  if (out[0]->bytes == 0)
    return IR_OK;
  const int64_t n = state->axes[0].size * state->axes[1].size;
  extract_work work = {state, in[0], out[0], ir_strided_copy_exec(out[0], n, exec)};
  ir_fill_tensor(out[0], &zero, exec);
  if (work.exec != NULL)
    extract_elements(&work, 0, n, 0);
  else
    exec->share(exec, n, (int64_t)(in[0]->bytes + out[0]->bytes), extract_elements, &work);
  return IR_OK;
}

/* Sets the axis of the patches. Returns false, after a report, if an offset within a patch exceeds 64 bits. */
static bool set_axis(const ir_node *node, int i, int64_t image, int64_t n_patches, patch_axis *out, ir_scope *scope) {
  const patches_params *params = node->params;
  *out = (patch_axis){.image = image,
                      .size = params->sizes.items[i],
                      .n_patches = n_patches,
                      .stride = params->strides.items[i],
                      .dilation = params->rates.items[i]};
  int64_t reach; /* distance from the first element of a patch to its last */
  if (!ir_mul(out->size - 1, out->dilation, &reach) || reach > INT64_MAX / 4) {
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_attr_item_where(scope, node, "rates", i),
              "a patch of %lld elements at a rate of %lld is larger than 64 bits hold", (long long)out->size,
              (long long)out->dilation);
    return false;
  }
  const int64_t over = n_patches > 0 ? (n_patches - 1) * out->stride + reach + 1 - image : 0;
  if (params->auto_pad != PAD_VALID && over > 0)
    out->pad = params->auto_pad == PAD_SAME_UPPER ? over / 2 : over - over / 2;
  return true;
}

static ir_code prepare_extract(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "extract_image_patches", .isa = "any", .run = run_extract};
  const ir_shape *shape = &in[0]->shape, *to_shape = &node->outputs[0].shape;
  extract_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  int64_t elements;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (extract_state){.images = shape->dims[0].lo, .channels = shape->dims[1].lo};
  ir_nd_iter_steps(shape, 0, shape->rank, state->from);
  ir_nd_iter_steps(to_shape, 0, shape->rank, state->to);
  if (ir_shape_elements(to_shape, &elements) && elements > 0)
    for (int i = 0; i < N_SPATIAL; i++)
      if (!set_axis(node, i, shape->dims[i + 2].lo, to_shape->dims[i + 2].lo, &state->axes[i], scope))
        return IR_INVALID;
  return ir_plan_step(plan, node, &kernel, state, 0);
}

/* ---- Col2Im ---- */

/* Checks that the attributes have two elements each. */
static bool check_lists(const ir_node *node, ir_scope *scope) {
  const patches_params *params = node->params;
  const ir_ints lists[] = {params->strides, params->dilations, params->pads_begin, params->pads_end};
  static const char *const names[] = {"strides", "dilations", "pads_begin", "pads_end"};
  for (int i = 0; i < 4; i++)
    if (lists[i].n != N_SPATIAL) {
      ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(scope, node, names[i]),
                "'%s' has %lld value%s, expected 2: an image has two spatial axes", names[i], (long long)lists[i].n,
                lists[i].n == 1 ? "" : "s");
      return false;
    }
  return true;
}

static bool is_pair(const ir_node *node, int port, const ir_value *value, ir_scope *scope) {
  char text[IR_DIM_TEXT];
  const ir_dim count = ir_axes_count(value);
  if (ir_dims_meet(count, ir_dim_of(N_SPATIAL)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' holds %s sizes, expected 2: an image has two spatial axes", ir_op_input(node->op, port)->name,
            ir_dim_text(count, text, sizeof text));
  return false;
}

/* Counts the patches along spatial axis `i` of the image. Returns false if a size is unknown or exceeds 64 bits. */
static bool count_patches(const patches_params *params, const ir_value *const *in, int i, int64_t *out) {
  const ir_dim image = ir_range_at(in[1], i), kernel = ir_range_at(in[2], i);
  int64_t padded, reach;
  if (!ir_dim_known(image) || !ir_dim_known(kernel) || image.lo < 0 || kernel.lo < 1 ||
      !ir_add(image.lo, params->pads_begin.items[i], &padded) || !ir_add(padded, params->pads_end.items[i], &padded) ||
      !ir_mul(params->dilations.items[i], kernel.lo - 1, &reach) || !ir_add(reach, 1, &reach))
    return false;
  *out = padded < reach ? 0 : (padded - reach) / params->strides.items[i] + 1;
  return true;
}

/* Checks that `data` has a column for each patch, and computes the number of channels. */
static bool fit_columns(const ir_node *node, const ir_value *const *in, ir_dim *channels, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  const ir_dim rows = shape->dims[shape->rank - 2], columns = shape->dims[shape->rank - 1];
  char text[IR_SHAPE_TEXT];
  int64_t counts[N_SPATIAL], n;
  const ir_dim patch = ir_size_of_range(ir_range_multiply(ir_range_at(in[2], 0), ir_range_at(in[2], 1)));
  *channels = ir_dim_any();
  if (ir_dim_known(patch) && patch.lo > 0) {
    *channels = (ir_dim){ir_ceil_div(rows.lo, patch.lo), rows.hi == IR_DIM_MAX ? rows.hi : rows.hi / patch.lo};
    if (channels->lo > channels->hi) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, shape->rank - 2),
                "the columns of %s are no multiple of %lld, the elements of a patch",
                ir_shape_text(shape, text, sizeof text), (long long)patch.lo);
      return false;
    }
  }
  if (!count_patches(node->params, in, 0, &counts[0]) || !count_patches(node->params, in, 1, &counts[1]) ||
      !ir_mul(counts[0], counts[1], &n) || ir_dims_meet(columns, ir_dim_of(n)))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 0, shape->rank - 1),
            "the image has %lld patches; 'data' is %s, with its columns on the last axis", (long long)n,
            ir_shape_text(shape, text, sizeof text));
  return false;
}

static ir_code infer_col2im(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  ir_dim channels;
  for (const ir_attr_spec *spec = node->op->attrs; spec->name != NULL; spec++)
    ir_warn_of_default(node, spec->name, spec->fallback, "refused", scope);
  if (!ir_movement_begin(node, in, out))
    return IR_OK;
  out->poisoned = !check_lists(node, scope) || !is_pair(node, 1, in[1], scope) || !is_pair(node, 2, in[2], scope) ||
                  !ir_elements_check(node, in, 1, 0, scope) || !ir_elements_check(node, in, 2, 1, scope);
  if (out->poisoned || shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !fit_columns(node, in, &channels, scope);
  out->shape.rank = 0;
  if (shape->rank == N_SPATIAL + 1)
    out->shape.dims[out->shape.rank++] = shape->dims[0];
  out->shape.dims[out->shape.rank++] = channels;
  for (int i = 0; i < N_SPATIAL; i++)
    out->shape.dims[out->shape.rank++] = ir_has_ranges(in[1]) ? ir_size_of_range(ir_range_at(in[1], i)) : ir_dim_any();
  return IR_OK;
}

typedef struct col2im_state {
  ir_compute_type compute;
  int64_t planes;
  patch_axis axes[N_SPATIAL];
} col2im_state;

typedef struct col2im_work {
  const col2im_state *state;
  const ir_tensor *in, *out;
  ir_stop *stop;
} col2im_work;

/* Adds element `e` of some patches to the image's elements [x, behind). The patches are a row of columns, whose first
 * element is `line`. sum[0] is element x of the image. */
static void add_columns(const col2im_work *work, int64_t line, int64_t e, int64_t x, int64_t behind, ir_piece *sum) {
  const patch_axis *axis = &work->state->axes[1];
  const ir_type type = work->in->type;
  ir_piece piece;
  int64_t begin, end;
  find_patches(axis, e, x, behind, &begin, &end);
  if (begin >= end)
    return;
  ir_compute_load(type, (const char *)work->in->data + (size_t)(line + begin) * ir_type_size(type),
                  work->state->compute, &piece, end - begin);
  int64_t at = begin * axis->stride + e * axis->dilation - axis->pad - x;
  for (int64_t i = 0; i < end - begin; i++, at += axis->stride)
    if (work->state->compute == IR_COMPUTE_F64)
      sum->f64[at] += piece.f64[i];
    else
      sum->u64[at] += piece.u64[i]; /* unsigned, so that the sum wraps */
}

/* Computes elements [x, behind) of row `y` of the image: sums all rows of patch elements that cover the row. */
static void sum_row(const col2im_work *work, int64_t plane, int64_t y, int64_t x, int64_t behind, int worker,
                    ir_piece *sum) {
  const patch_axis *rows = &work->state->axes[0], *columns = &work->state->axes[1];
  const int64_t n_patches = rows->n_patches * columns->n_patches;
  memset(sum, 0, sizeof *sum);
  int64_t since = 0;
  for (int64_t i = 0; i < rows->size && !ir_stop_asked_after(work->stop, worker, 1, &since); i++) {
    int64_t begin, end;
    find_patches(rows, i, y, y + 1, &begin, &end);
    for (int64_t j = 0; j < columns->size && begin < end && !ir_stop_asked_after(work->stop, worker, IR_PIECE, &since);
         j++)
      add_columns(work, ((plane * rows->size + i) * columns->size + j) * n_patches + begin * columns->n_patches, j, x,
                  behind, sum);
  }
}

static void sum_rows(void *user, int64_t begin, int64_t end, int worker) {
  const col2im_work *work = user;
  const patch_axis *axes = work->state->axes;
  const int64_t width = axes[1].image;
  const ir_type type = work->out->type;
  ir_piece sum;
  for (int64_t item = begin; item < end; item++)
    for (int64_t x = 0; x < width && !ir_stop_asked_of(work->stop, worker); x += IR_PIECE) {
      const int64_t n = width - x < IR_PIECE ? width - x : IR_PIECE;
      sum_row(work, item / axes[0].image, item % axes[0].image, x, x + n, worker, &sum);
      ir_compute_store(work->state->compute, &sum, type,
                       (char *)work->out->data + (size_t)(item * width + x) * ir_type_size(type), n);
    }
}

static ir_code run_col2im(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const col2im_state *state = step->state;
  col2im_work work = {state, in[0], out[0], exec->stop};
  if (out[0]->bytes > 0)
    exec->share(exec, state->planes * state->axes[0].image, (int64_t)(in[0]->bytes + out[0]->bytes), sum_rows, &work);
  return IR_OK;
}

static ir_code prepare_col2im(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "col2im", .isa = "any", .run = run_col2im};
  const patches_params *params = node->params;
  const ir_value *out = &node->outputs[0];
  int64_t elements, n_patches = 1;
  bool fits = true;
  col2im_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state =
      (col2im_state){.compute = ir_type_in(out->type, IR_SET_FLOATS) ? IR_COMPUTE_F64 : ir_compute_type_of(out->type)};
  if (ir_shape_elements(&out->shape, &elements) && elements > 0)
    state->planes = ir_ranges_between(&out->shape, 0, out->shape.rank - N_SPATIAL);
  for (int i = 0; i < N_SPATIAL; i++) {
    patch_axis *axis = &state->axes[i];
    *axis = (patch_axis){.image = ir_range_at(in[1], i).lo,
                         .size = ir_range_at(in[2], i).lo,
                         .stride = params->strides.items[i],
                         .dilation = params->dilations.items[i],
                         .pad = params->pads_begin.items[i]};
    fits = fits && count_patches(params, in, i, &axis->n_patches) && ir_mul(n_patches, axis->n_patches, &n_patches);
  }
  if (!fits)
    return ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_node_where(scope, node),
                     "the image has more patches than 64 bits hold");
  const int32_t in_slot = ir_plan_input_slot(plan, 0), out_slot = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, state, 0, &in_slot, 1, &out_slot, 1);
}

/* Implements ir_op.cost: adds each element of the columns once. */
static int64_t cost_of_col2im(const ir_node *node, const ir_value *const *in) {
  int64_t elements;
  (void)node;
  return !in[0]->poisoned && ir_shape_known(&in[0]->shape) && ir_shape_elements(&in[0]->shape, &elements) ? elements
                                                                                                          : -1;
}

/* ---- the rows ---- */

static const char *const pads[] = {"valid", "same_upper", "same_lower", NULL};

#define SPATIAL(field)                                                                                                 \
  {                                                                                                                    \
    .name = #field, .kind = IR_ATTR_INT, .count = IR_COUNT_SPATIAL, .offset = offsetof(patches_params, field),         \
    .min = 1, .max = INT64_MAX, .required = true                                                                       \
  }
#define PAIR(field, least, absent)                                                                                     \
  {                                                                                                                    \
    .name = #field, .kind = IR_ATTR_INT, .count = IR_COUNT_ANY, .offset = offsetof(patches_params, field),             \
    .min = least, .max = INT32_MAX, .fallback = absent                                                                 \
  }

static const ir_attr_spec extract_attrs[] = {SPATIAL(sizes),
                                             SPATIAL(strides),
                                             SPATIAL(rates),
                                             {.name = "auto_pad",
                                              .kind = IR_ATTR_ENUM,
                                              .offset = offsetof(patches_params, auto_pad),
                                              .names = pads,
                                              .required = true},
                                             {.name = NULL}};
static const ir_attr_spec col2im_attrs[] = {PAIR(strides, 1, "1,1"),
                                            PAIR(dilations, 1, "1,1"),
                                            PAIR(pads_begin, 0, "0,0"),
                                            PAIR(pads_end, 0, "0,0"),
                                            {.name = NULL}};

#define PORT(port, least, most)                                                                                        \
  { .name = port, .type_var = "T", .types = IR_SET_STORED, .rank_min = least, .rank_max = most }

const ir_op ir_op_extract_image_patches_3 = {
    .dialect = IR_OPENVINO,
    .type = "ExtractImagePatches",
    .version = 3,
    .spec = IR_SPEC_PAGE("movement/extract-image-patches-3"),
    .params_size = sizeof(patches_params),
    .attrs = extract_attrs,
    .inputs = IR_PORTS(PORT("data", 4, 4)),
    .outputs = IR_PORTS(PORT("output", 4, 4)),
    .infer = infer_extract,
    .run = {IR_RUN_PREPARED, .prepare = prepare_extract},
};

const ir_op ir_op_col2im_15 = {
    .dialect = IR_OPENVINO,
    .type = "Col2Im",
    .version = 15,
    .spec = IR_SPEC_PAGE("movement/col2im-15"),
    .params_size = sizeof(patches_params),
    .attrs = col2im_attrs,
    .inputs = IR_PORTS(PORT("data", 2, 3), {IR_INDEX_NUMBERS("output_size", "T_IND", 1, 1), .contents = true},
                       {IR_INDEX_NUMBERS("kernel_size", "T_IND", 1, 1), .contents = true}),
    .outputs = IR_PORTS(PORT("output", 3, 4)),
    .infer = infer_col2im,
    .run = {IR_RUN_PREPARED, .prepare = prepare_col2im},
    .cost = cost_of_col2im,
};
