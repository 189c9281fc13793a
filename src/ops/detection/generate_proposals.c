/* GenerateProposals-9 (for a batch of images) and ExperimentalDetectronGenerateProposalsSingleImage-6 (for one image)
 * move anchor boxes by deltas and keep the best boxes. Pages: operation-specs/detection/generate-proposals-9,
 * experimental-detectron-generate-proposals-single-image-6. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/kernels/boxes.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include "ops/pool/pool_indices.h"
#include <math.h>
#include <string.h>

typedef struct proposals_params {
  int64_t post_nms_count;
  double nms_eta;
  int roi_num_type;
  ir_other_attrs other;
} proposals_params;

enum { IMAGE, ANCHORS, DELTAS, SCORES };

typedef struct proposals_sizes {
  ir_size batch, anchors, height, width;
} proposals_sizes;

static proposals_sizes no_sizes(void) {
  return (proposals_sizes){ir_size_of("num_batches"), ir_size_of("number_of_anchors"), ir_size_of("height"),
                           ir_size_of("width")};
}

/* Checks the last three axes of scores [.., A, H, W] and deltas [.., 4 * A, H, W]; `axis` is the index of axis A. */
static bool join_maps(const ir_node *node, const ir_value *const *in, int axis, proposals_sizes *sizes,
                      ir_scope *scope) {
  if (!ir_size_join(node, in, SCORES, axis, &sizes->anchors, scope))
    return false;
  const ir_dim deltas = ir_dims_product(sizes->anchors.dim, ir_dim_of(4));
  return ir_size_check(node, in, DELTAS, axis, deltas, "4 for each anchor that input 3 has", scope) &&
         ir_size_join(node, in, SCORES, axis + 1, &sizes->height, scope) &&
         ir_size_join(node, in, DELTAS, axis + 1, &sizes->height, scope) &&
         ir_size_join(node, in, SCORES, axis + 2, &sizes->width, scope) &&
         ir_size_join(node, in, DELTAS, axis + 2, &sizes->width, scope);
}

static int64_t most_of_image(const ir_node *node) {
  return ((const proposals_params *)node->params)->post_nms_count;
}

/* ---- shapes for a batch ---- */

static bool fits_batch(const ir_node *node, const ir_value *const *in, proposals_sizes *sizes, ir_scope *scope) {
  return ir_size_check(node, in, IMAGE, 1, (ir_dim){3, 4}, "a height, a width and one or two scales", scope) &&
         ir_size_check(node, in, ANCHORS, 3, ir_dim_of(4), "coordinates of a box", scope) &&
         ir_size_join(node, in, IMAGE, 0, &sizes->batch, scope) &&
         ir_size_join(node, in, DELTAS, 0, &sizes->batch, scope) &&
         ir_size_join(node, in, SCORES, 0, &sizes->batch, scope) && join_maps(node, in, 1, sizes, scope) &&
         ir_size_join(node, in, ANCHORS, 0, &sizes->height, scope) &&
         ir_size_join(node, in, ANCHORS, 1, &sizes->width, scope) &&
         ir_size_join(node, in, ANCHORS, 2, &sizes->anchors, scope);
}

static ir_code infer_batch(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  proposals_sizes sizes = no_sizes();
  out[0].type = out[1].type = ir_inputs_type(node, in, IMAGE, SCORES);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out[2].type = ir_index_type(((const proposals_params *)node->params)->roi_num_type);
  if (!fits_batch(node, in, &sizes, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  const ir_dim rows = {0, ir_dims_product(sizes.batch.dim, ir_dim_of(most_of_image(node))).hi};
  out[0].shape = (ir_shape){.rank = 2, .dims = {rows, ir_dim_of(4)}};
  out[1].shape = (ir_shape){.rank = 1, .dims = {rows}};
  out[2].shape = (ir_shape){.rank = 1, .dims = {sizes.batch.dim}};
  return IR_OK;
}

static void check_eta(const ir_node *node, ir_scope *scope) {
  const double eta = ((const proposals_params *)node->params)->nms_eta;
  if (node->attrs_at_fault == 0 && !(eta >= 0 && eta <= 1))
    ir_report_number(node, "nms_eta", eta, "a number from 0 to 1", scope);
}

/* ---- shapes for one image ---- */

static ir_code infer_image(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  proposals_sizes sizes = no_sizes();
  out[0].type = out[1].type = ir_inputs_type(node, in, IMAGE, SCORES);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  if (!ir_size_check(node, in, IMAGE, 0, ir_dim_of(3), "a height, a width and a scale", scope) ||
      !ir_size_check(node, in, ANCHORS, 1, ir_dim_of(4), "coordinates of a box", scope) ||
      !join_maps(node, in, 0, &sizes, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  out[0].shape = ir_shape_of(2, (const int64_t[]){most_of_image(node), 4});
  out[1].shape = ir_shape_of(1, (const int64_t[]){most_of_image(node)});
  return IR_OK;
}

/* ---- running: the best boxes of one image ---- */

typedef struct proposals_image {
  const proposals_params *params;
  const ir_tensor *anchors, *deltas, *scores;
  int64_t image, n_anchors, rows, columns;
  double height, width, least_height, least_width;
  double unit;         /* 1 if x1 and y1 are the last pixels, else 0: a width is x1 - x0 + unit */
  double overlap_unit; /* `unit` for the intersection over union of boxes */
  bool keeps_small;    /* boxes below the least size stay with score 0; if false, they are dropped */
} proposals_image;

static proposals_image image_of(const ir_node *node, const ir_tensor *const *in, int64_t image, int64_t n_images) {
  const int rank = in[SCORES]->rank;
  const int64_t n_info = in[IMAGE]->dims[in[IMAGE]->rank - 1], info = n_images > 0 ? image * n_info : 0;
  proposals_image out = {.params = node->params,
                         .anchors = in[ANCHORS],
                         .deltas = in[DELTAS],
                         .scores = in[SCORES],
                         .image = image,
                         .n_anchors = in[SCORES]->dims[rank - 3],
                         .rows = in[SCORES]->dims[rank - 2],
                         .columns = in[SCORES]->dims[rank - 1],
                         .height = ir_number_at(in[IMAGE], info),
                         .width = ir_number_at(in[IMAGE], info + 1)};
  const bool is_batch = rank == 4;
  const double least = (float)out.params->other.real[0];
  out.least_height = least * (is_batch ? ir_number_at(in[IMAGE], info + 2) : 1);
  out.least_width = least * (is_batch ? ir_number_at(in[IMAGE], info + n_info - 1) : 1);
  out.unit = is_batch && out.params->other.flag[0] ? 0 : 1;
  out.overlap_unit = is_batch ? out.unit : 0;
  out.keeps_small = !is_batch;
  return out;
}

static ir_box box_of(const proposals_image *image, int64_t anchor, int64_t point, bool *out_is_large) {
  const int64_t area = image->rows * image->columns, first = (point * image->n_anchors + anchor) * 4;
  double delta[4], corner[4];
  for (int k = 0; k < 4; k++) {
    corner[k] = ir_number_at(image->anchors, first + k);
    delta[k] = ir_number_at(image->deltas, ((image->image * image->n_anchors + anchor) * 4 + k) * area + point);
  }
  const ir_box around = {corner[0], corner[1], corner[2], corner[3]};
  ir_box box = ir_box_moved(&around, delta, log(1000. / 16), image->unit);
  box.x1 -= image->unit;
  box.y1 -= image->unit;
  ir_box_clip(&box, image->width - image->unit, image->height - image->unit);
  *out_is_large =
      box.x1 - box.x0 + image->unit >= image->least_width && box.y1 - box.y0 + image->unit >= image->least_height;
  return box;
}

/* Computes all boxes of an image into `boxes`. The first `*out_n` items of `scored` are the kept boxes, best first. */
static void find_boxes(const proposals_image *image, ir_box *boxes, ir_scored *scored, ir_stop *stop, int64_t *out_n) {
  const int64_t area = image->rows * image->columns, most = image->params->other.number[0];
  int64_t n = 0, n_large = 0, since = 0;
  for (int64_t point = 0; point < area && !ir_stop_asked_after(stop, 0, image->n_anchors, &since); point++)
    for (int64_t anchor = 0; anchor < image->n_anchors; anchor++, n++) {
      bool is_large;
      boxes[n] = box_of(image, anchor, point, &is_large);
      const double score = ir_number_at(image->scores, (image->image * image->n_anchors + anchor) * area + point);
      scored[n] = (ir_scored){is_large || !image->keeps_small ? score : 0, n, is_large || image->keeps_small};
    }
  n = ir_scored_best(scored, n, most, stop);
  for (int64_t i = 0; i < n; i++)
    if (scored[i].label)
      scored[n_large++] = scored[i];
  *out_n = ir_boxes_keep(boxes, scored, n_large, (float)image->params->other.real[1], image->overlap_unit,
                         image->params->post_nms_count, stop);
}

static bool count_boxes(const ir_shape *scores, const ir_shape *deltas, const ir_shape *anchors, int64_t *out_n,
                        size_t *out_bytes) {
  const ir_dim *last = &scores->dims[scores->rank - 3];
  int64_t elements;
  return ir_mul(last[0].lo, last[1].lo, out_n) && ir_mul(*out_n, last[2].lo, out_n) &&
         !__builtin_mul_overflow((size_t)*out_n, sizeof(ir_box) + sizeof(ir_scored), out_bytes) &&
         ir_shape_elements(anchors, &elements) && elements / 4 == *out_n && ir_shape_elements(deltas, &elements) &&
         elements / 4 == *out_n * (scores->rank == 4 ? scores->dims[0].lo : 1);
}

static ir_code report_counts(const ir_node *node, ir_scope *scope) {
  return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
                        "irrun runs one anchor and four deltas for each score");
}

/* ---- running one image ---- */

typedef struct proposals_state {
  const ir_node *node;
  int64_t n_boxes;
} proposals_state;

static ir_code run_image(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const proposals_state *state = step->state;
  const proposals_image image = image_of(state->node, in, 0, 0);
  ir_box *boxes = exec->scratch;
  ir_scored *scored = (ir_scored *)(boxes + state->n_boxes);
  int64_t n;
  find_boxes(&image, boxes, scored, exec->stop, &n);
  for (int i = 0; i < 2; i++)
    if (out[i] != NULL)
      memset(out[i]->data, 0, out[i]->bytes);
  for (int64_t i = 0; i < n; i++) {
    const ir_box *box = &boxes[scored[i].index];
    const double corners[4] = {box->x0, box->y0, box->x1, box->y1};
    if (out[0] != NULL)
      ir_floats_store(out[0], i * 4, corners, 4);
    if (out[1] != NULL)
      ir_floats_store(out[1], i, &scored[i].score, 1);
  }
  return IR_OK;
}

static const ir_kernel image_kernel = {.name = "generate_proposals", .isa = "any", .run = run_image};

static ir_code prepare_image(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  proposals_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  size_t bytes;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  state->node = node;
  if (!count_boxes(&in[SCORES]->shape, &in[DELTAS]->shape, &in[ANCHORS]->shape, &state->n_boxes, &bytes))
    return report_counts(node, scope);
  return ir_plan_step(plan, node, &image_kernel, state, bytes);
}

/* ---- running a batch: the output is dynamic, because the number of kept boxes depends on data ---- */

typedef struct proposals_found {
  ir_box *boxes;     /* all boxes of the current image */
  ir_scored *scored; /* scores of `boxes`, in the same allocation */
  double *rows;      /* [n_rows, 5]: corners and score of the kept boxes of all images */
  int64_t n_rows;
  ir_stop *stop;
} proposals_found;

static void find_all(const ir_node *node, const ir_tensor *const *in, int64_t n_boxes, proposals_found *found,
                     ir_tensor *counts) {
  const int64_t n_images = in[SCORES]->dims[0];
  int64_t since = 0;
  for (int64_t image = 0; image < n_images && !ir_stop_asked_after(found->stop, 0, n_boxes + 1, &since); image++) {
    const proposals_image one = image_of(node, in, image, n_images);
    int64_t n;
    find_boxes(&one, found->boxes, found->scored, found->stop, &n);
    for (int64_t i = 0; i < n; i++) {
      const ir_box *box = &found->boxes[found->scored[i].index];
      const double row[5] = {box->x0, box->y0, box->x1, box->y1, found->scored[i].score};
      memcpy(found->rows + 5 * found->n_rows++, row, sizeof row);
    }
    ir_index_store(&n, 1, counts, image);
  }
}

static ir_code compute_batch(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope) {
  const proposals_params *params = node->params;
  const ir_shape shapes[] = {ir_tensor_shape(in[SCORES]), ir_tensor_shape(in[DELTAS]), ir_tensor_shape(in[ANCHORS])};
  const int64_t n_images = shapes[0].dims[0].lo;
  const ir_type type = in[IMAGE]->type;
  int64_t n_boxes, most;
  size_t bytes;
  if (!count_boxes(&shapes[0], &shapes[1], &shapes[2], &n_boxes, &bytes) || in[IMAGE]->dims[0] != n_images)
    return report_counts(node, scope);
  most = n_boxes < params->post_nms_count ? n_boxes : params->post_nms_count;
  proposals_found found = {.boxes = ir_alloc_zero(scope->memory, bytes + 1, 1), .stop = scope->stop};
  found.scored = (ir_scored *)(found.boxes + n_boxes);
  const ir_shape counts = ir_shape_of(1, &n_images);
  ir_code code = IR_NO_MEMORY;
  if (found.boxes != NULL && ir_mul(most, 5 * (int64_t)sizeof(double), &most) && ir_mul(most, n_images, &most) &&
      (found.rows = ir_alloc(scope->memory, (size_t)most + 1)) != NULL &&
      ir_tensor_alloc(&out[2], scope->memory, ir_index_type(params->roi_num_type), &counts)) {
    find_all(node, in, n_boxes, &found, &out[2]);
    const ir_shape boxes = ir_shape_of(2, (const int64_t[]){found.n_rows, 4}), scores = ir_shape_of(1, &found.n_rows);
    if (ir_tensor_alloc(&out[0], scope->memory, type, &boxes) && ir_tensor_alloc(&out[1], scope->memory, type, &scores))
      code = IR_OK;
    int64_t since = 0;
    for (int64_t i = 0; i < found.n_rows && code == IR_OK && !ir_stop_asked_after(found.stop, 0, 5, &since); i++) {
      ir_floats_store(&out[0], i * 4, found.rows + 5 * i, 4);
      ir_floats_store(&out[1], i, found.rows + 5 * i + 4, 1);
    }
  }
  ir_free(scope->memory, found.rows);
  ir_free(scope->memory, found.boxes);
  return code == IR_OK ? IR_OK : ir_out_of_memory(scope->diags);
}

/* ---- rows of the op table ---- */

#define AT(field) offsetof(proposals_params, field)
#define COMMON_ROWS(least)                                                                                             \
  IR_FLOAT_ROW("min_size", AT(other.real[0]), .required = true),                                                       \
      IR_FLOAT_ROW("nms_threshold", AT(other.real[1]), .required = true),                                              \
      IR_INT_ROW("pre_nms_count", AT(other.number[0]), least, INT32_MAX, .required = true),                            \
      IR_INT_ROW("post_nms_count", AT(post_nms_count), least, INT32_MAX, .required = true)

/* The specification of GenerateProposals allows 0 for pre_nms_count and post_nms_count, but OpenVINO refuses 0. */
static const ir_attr_spec batch_attrs[] = {
    COMMON_ROWS(1),
    IR_BOOL_ROW("normalized", AT(other.flag[0]), "true"),
    IR_FLOAT_ROW("nms_eta", AT(nms_eta), .fallback = "1.0"),
    IR_ENUM_ROW("roi_num_type", AT(roi_num_type), ir_index_type_names, .fallback = "i64"),
    {.name = NULL}};
static const ir_attr_spec image_attrs[] = {COMMON_ROWS(0), {.name = NULL}};

#define T_PORT(port, rank) IR_PORT(port, "T", IR_SET_FLOATS, rank)
/* OpenVINO does not compare the types of GenerateProposals' inputs with each other. */
#define FREE_PORT(port, rank)                                                                                          \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_FLOATS, .types_may_differ = true, .rank_min = rank,                 \
    .rank_max = rank                                                                                                   \
  }

const ir_op ir_op_generate_proposals_9 = {
    .dialect = IR_OPENVINO,
    .type = "GenerateProposals",
    .version = 9,
    .spec = IR_SPEC_PAGE("detection/generate-proposals-9"),
    .params_size = sizeof(proposals_params),
    .attrs = batch_attrs,
    .inputs =
        IR_PORTS(FREE_PORT("im_info", 2), FREE_PORT("anchors", 4), FREE_PORT("boxesdeltas", 4), FREE_PORT("scores", 4)),
    .outputs = IR_PORTS(T_PORT("rpnrois", 2), T_PORT("rpnscores", 1),
                        IR_PORT("rpnroisnum", "T_NUM", IR_SET(IR_I32) | IR_SET(IR_I64), 1)),
    .check_attributes = check_eta,
    .infer = infer_batch,
    .run = {IR_RUN_DYNAMIC, .compute = compute_batch},
};

const ir_op ir_op_experimental_detectron_generate_proposals_single_image_6 = {
    .dialect = IR_OPENVINO,
    .type = "ExperimentalDetectronGenerateProposalsSingleImage",
    .version = 6,
    .spec = IR_SPEC_PAGE("detection/experimental-detectron-generate-proposals-single-image-6"),
    .params_size = sizeof(proposals_params),
    .attrs = image_attrs,
    .inputs = IR_PORTS(T_PORT("im_info", 1), T_PORT("anchors", 2), T_PORT("deltas", 3), T_PORT("scores", 3)),
    .outputs = IR_PORTS(T_PORT("rois", 2), T_PORT("scores", 1)),
    .infer = infer_image,
    .run = {IR_RUN_PREPARED, .prepare = prepare_image},
    .cost = ir_elementwise_cost,
};
