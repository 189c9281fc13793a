/* NonMaxSuppression-1 to -9 and NMSRotated-13 select boxes by scores [N, C, B]. Boxes are [N, B, 4], rotated boxes [N,
 * B, 5]. Each class of each image gets at most max_output_boxes_per_class boxes. Specification:
 * operation-specs/sort/non-max-suppression-*, nms-rotated-13. */
#include "base/stop.h"
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/float_ranges.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/order.h"
#include "ops/pool/pool_indices.h"
#include "ops/ranges.h"
#include "ops/sort/nms_boxes.h"
#include <math.h>

typedef struct nms_params {
  int output_type; /* index in ir_index_type_names; 0 (i64) in version 1 */
  ir_other_attrs other;
} nms_params;

/* Number of rows in the first output. The maximum is computed from the shapes and max_output_boxes_per_class
 * (rows_with). */
typedef enum nms_rows {
  NMS_OF_ALL,  /* versions 1 and 3: the maximum for one image */
  NMS_OF_EACH, /* version 4: the maximum for all images */
  NMS_SELECTED /* version 5 and later: the number of selected boxes */
} nms_rows;

typedef struct nms_rule {
  nms_rows rows;
  int64_t n_coordinates;
} nms_rule;

enum { BOXES, SCORES, MOST };

typedef struct nms_sizes {
  ir_size batch, boxes;
  ir_dim classes;
} nms_sizes;

static bool fits(const ir_node *node, const ir_value *const *in, nms_sizes *sizes, ir_scope *scope) {
  const nms_rule *rule = node->op->family;
  *sizes = (nms_sizes){ir_size_of("num_batches"), ir_size_of("num_boxes"), ir_input_dim(node, in, SCORES, 1)};
  bool fits = ir_size_check(node, in, BOXES, 2, ir_dim_of(rule->n_coordinates), "coordinates of a box", scope) &&
              ir_size_join(node, in, BOXES, 0, &sizes->batch, scope) &&
              ir_size_join(node, in, SCORES, 0, &sizes->batch, scope) &&
              ir_size_join(node, in, BOXES, 1, &sizes->boxes, scope) &&
              ir_size_join(node, in, SCORES, 2, &sizes->boxes, scope);
  for (int i = MOST; i < node->n_inputs && fits; i++)
    if (ir_input_told(node, in, i) && in[i]->shape.rank == 1)
      fits = ir_size_check(node, in, i, 0, ir_dim_of(1), "one number", scope);
  return fits;
}

/* Returns max_output_boxes_per_class; an open dim if it is unknown or negative. */
static ir_dim most_of_class(const ir_node *node, const ir_value *const *in) {
  if (node->n_inputs <= MOST || ir_ranges_count(in[MOST]) != 1)
    return ir_dim_any();
  const ir_dim most = ir_range_at(in[MOST], 0);
  return most.lo < 0 ? ir_dim_any() : most;
}

static ir_dim rows_with(const nms_rule *rule, ir_dim most, ir_dim boxes, ir_dim batch, ir_dim classes) {
  if (rule->rows == NMS_OF_ALL)
    return ir_range_least(boxes, ir_dims_product(most, classes));
  return ir_dims_product(ir_dims_product(ir_range_least(boxes, most), batch), classes);
}

/* Returns the number of rows. OpenVINO takes the number of boxes only from `boxes` and the batch only from `scores`,
 * and declares the maximum number of rows. The returned interval also contains that number, so the declaration fits. */
static ir_dim rows_of(const ir_node *node, const ir_value *const *in, const nms_sizes *sizes) {
  const nms_rule *rule = node->op->family;
  const ir_dim most = most_of_class(node, in);
  const ir_dim rows = rows_with(rule, most, sizes->boxes.dim, sizes->batch.dim, sizes->classes);
  const ir_dim alone =
      rows_with(rule, most, ir_input_dim(node, in, BOXES, 1), ir_input_dim(node, in, SCORES, 0), sizes->classes);
  return rule->rows == NMS_SELECTED ? (ir_dim){0, rows.hi} : ir_dims_hull(rows, alone);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  nms_sizes sizes;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out[0].type = ir_index_type(((const nms_params *)node->params)->output_type);
  if (!fits(node, in, &sizes, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  out[0].shape = (ir_shape){.rank = 2, .dims = {rows_of(node, in, &sizes), ir_dim_of(3)}};
  if (node->n_outputs == 1)
    return IR_OK;
  out[1].type = IR_F32;
  out[1].shape = out[0].shape;
  out[2].type = out[0].type;
  out[2].shape = ir_shape_of(1, (const int64_t[]){1});
  return IR_OK;
}

/* ---- running ---- */

enum { IOU_THRESHOLD = MOST + 1, SCORE_THRESHOLD, SIGMA };

typedef struct selected_box {
  int64_t batch, class, box;
  float score;
} selected_box;

typedef struct nms_work {
  const ir_memory *memory;
  ir_stop *stop;
  int64_t n_boxes, most;
  float iou_threshold, score_threshold, scale; /* scale: factor of squared overlaps; 0: drop boxes */
  bool is_rotated;
  ir_box *boxes; /* boxes of the current image */
  ir_rotated_box *rotated;
  ir_box_list list; /* boxes that are not rotated: the selected boxes of the current class; if `scale` is not 0, all
                       boxes of the current image */
  float *scores;    /* scores of the current class */
  float *overlaps;  /* of each box with the box that was selected last */
  int64_t *order;   /* indices of the boxes of the current class that can still be selected */
  int64_t *keys;    /* keys[i] has the reverse order of scores[i] */
  selected_box *selected;
  size_t n_selected, capacity;
} nms_work;

/* Reads an input of one number. Returns 0 if the node lacks the input. */
static float number_of(const ir_node *node, const ir_tensor *const *in, int port) {
  const bool is_there = port < node->n_inputs && ir_tensor_elements(in[port]) > 0;
  return is_there ? (float)ir_number_at(in[port], 0) : 0;
}

/* Loads the boxes of an image: any two opposite corners [y, x, y, x], or with by_middle [x, y, width, height] around
 * the center. */
static void load_boxes(const ir_tensor *from, int64_t batch, bool by_middle, bool is_clockwise, nms_work *work) {
  const int64_t n_numbers = work->is_rotated ? 5 : 4;
  float c[5];
  for (int64_t i = 0; i < work->n_boxes; i++) {
    ir_floats_load(from, (batch * work->n_boxes + i) * n_numbers, n_numbers, c);
    if (work->is_rotated)
      work->rotated[i] = (ir_rotated_box){c[0], c[1], c[2], c[3], is_clockwise ? c[4] : -c[4]};
    else if (by_middle)
      work->boxes[i] = (ir_box){c[0] - c[2] / 2, c[1] - c[3] / 2, c[0] + c[2] / 2, c[1] + c[3] / 2};
    else
      work->boxes[i] = (ir_box){fminf(c[1], c[3]), fminf(c[0], c[2]), fmaxf(c[1], c[3]), fmaxf(c[0], c[2])};
  }
  work->list.n = 0;
  for (int64_t i = 0; i < work->n_boxes && work->scale != 0 && !work->is_rotated; i++)
    ir_box_list_add(&work->list, &work->boxes[i], 0);
}

/* Selects box `i`. */
static bool select_box(nms_work *work, int64_t batch, int64_t class, int64_t i) {
  void *selected = work->selected;
  if (!ir_reserve(work->memory, &selected, work->n_selected, &work->capacity, sizeof *work->selected))
    return false;
  work->selected = selected;
  work->selected[work->n_selected++] = (selected_box){batch, class, i, work->scores[i]};
  return true;
}

/* Finds the boxes whose scores are above the threshold, in ascending order, and returns their number. */
static int64_t find_candidates(nms_work *work) {
  int64_t n = 0;
  for (int64_t i = 0; i < work->n_boxes; i++)
    if (work->scores[i] > work->score_threshold)
      work->order[n++] = i;
  return n;
}

/* Whether box `i` overlaps one of the last `n` selected boxes too much. */
static bool is_covered(const nms_work *work, int64_t n, int64_t i) {
  if (!work->is_rotated)
    return ir_box_list_covers(&work->list, &work->boxes[i], 0, work->iou_threshold);
  const selected_box *selected = work->selected + work->n_selected - n;
  bool any = false;
  for (int64_t k = 0; k < n && !any; k++)
    any = ir_rotated_boxes_overlap(&work->rotated[selected[k].box], &work->rotated[i]) >= work->iou_threshold;
  return any;
}

/* Visits the boxes by descending score, and selects those that overlap no selected box too much. */
static bool select_uncovered(nms_work *work, int64_t batch, int64_t class) {
  const int64_t n = find_candidates(work);
  for (int64_t k = 0; k < n; k++)
    work->keys[work->order[k]] = ~ir_order_of((double)work->scores[work->order[k]]);
  ir_order_sort(work->keys, work->order, n, work->stop, 0);
  work->list.n = 0;
  for (int64_t k = 0, taken = 0; k < n && taken < work->most && !ir_stop_asked_of(work->stop, 0); k++) {
    const int64_t i = work->order[k];
    if (is_covered(work, taken, i))
      continue;
    if (!select_box(work, batch, class, i))
      return false;
    taken++;
    if (!work->is_rotated)
      ir_box_list_add(&work->list, &work->boxes[i], 0);
  }
  return true;
}

/* Computes the overlap of box `best` with the first n boxes of the order, into overlaps[box]. */
static void find_overlaps(nms_work *work, int64_t best, int64_t n) {
  if (!work->is_rotated) {
    ir_box_list_overlaps(&work->list, &work->boxes[best], 0, work->overlaps);
    return;
  }
  for (int64_t k = 0; k < n; k++)
    work->overlaps[work->order[k]] = ir_rotated_boxes_overlap(&work->rotated[best], &work->rotated[work->order[k]]);
}

/* Repeatedly selects the box of highest score, and lowers the scores of the boxes that overlap the selected box. */
static bool select_lowering(nms_work *work, int64_t batch, int64_t class) {
  int64_t n = find_candidates(work), best = n > 0 ? work->order[0] : -1;
  for (int64_t k = 1; k < n; k++)
    if (work->scores[work->order[k]] > work->scores[best])
      best = work->order[k];
  for (int64_t taken = 0; best >= 0 && taken < work->most && !ir_stop_asked_of(work->stop, 0); taken++) {
    const int64_t last = best, n_before = n;
    if (!select_box(work, batch, class, last))
      return false;
    find_overlaps(work, last, n);
    n = 0;
    best = -1;
    for (int64_t k = 0; k < n_before; k++) {
      const int64_t i = work->order[k];
      const float overlap = work->overlaps[i];
      if (i == last)
        continue;
      if (overlap != 0)
        work->scores[i] *= expf(work->scale * overlap * overlap);
      if (!(work->scores[i] > work->score_threshold))
        continue;
      work->order[n++] = i;
      if (best < 0 || work->scores[i] > work->scores[best])
        best = i;
    }
  }
  return true;
}

/* Returns the number of rows of output 0: the number of selected boxes, or the maximum in versions before 5. */
static int64_t rows_made(const ir_node *node, const nms_work *work, const ir_tensor *scores) {
  const nms_rule *rule = node->op->family;
  if (rule->rows == NMS_SELECTED)
    return (int64_t)work->n_selected;
  const ir_dim most = ir_dim_of(work->most > 0 ? work->most : 0);
  return rows_with(rule, most, ir_dim_of(work->n_boxes), ir_dim_of(scores->dims[0]), ir_dim_of(scores->dims[1])).lo;
}

/* Writes the selected boxes to the outputs. The remaining rows are -1. */
static ir_code write_selected(const ir_node *node, const nms_work *work, const int64_t *order, int64_t n_rows,
                              ir_tensor *out, ir_scope *scope) {
  const int64_t n = (int64_t)work->n_selected;
  const ir_shape shape = ir_shape_of(2, (const int64_t[]){n_rows, 3}), one = ir_shape_of(1, (const int64_t[]){1});
  ir_code code = IR_OK;
  for (int i = 0; i < node->n_outputs && code == IR_OK; i++)
    code = ir_output_alloc(node->outputs[i].type, i < 2 ? &shape : &one, scope, &out[i]);
  if (code != IR_OK)
    return code;
  int64_t since = 0;
  for (int64_t i = 0; i < n_rows && !ir_stop_asked_after(scope->stop, 0, 1, &since); i++) {
    const selected_box none = {-1, -1, -1, -1}, *box = i < n ? &work->selected[order[i]] : &none;
    const int64_t indices[3] = {box->batch, box->class, box->box};
    const float scores[3] = {(float)box->batch, (float)box->class, box->score};
    ir_index_store(indices, 3, &out[0], 3 * i);
    if (node->n_outputs > 1)
      memcpy((float *)out[1].data + 3 * i, scores, sizeof scores);
  }
  if (node->n_outputs > 2)
    ir_index_store(&n, 1, &out[2], 0);
  return IR_OK;
}

/* Writes all selected boxes, sorted by score, or in the order of batch and class. */
static ir_code write_sorted(const ir_node *node, const nms_work *work, int64_t n_rows, ir_tensor *out,
                            ir_scope *scope) {
  const size_t n = work->n_selected;
  const bool by_score = ((const nms_params *)node->params)->other.flag[0];
  int64_t *order = ir_alloc_zero(scope->memory, 2 * n + 1, sizeof *order);
  if (order == NULL)
    return ir_out_of_memory(scope->diags);
  int64_t *keys = order + n, since = 0;
  for (size_t i = 0; i < n && !ir_stop_asked_after(scope->stop, 0, 1, &since); i++) {
    order[i] = (int64_t)i;
    keys[i] = by_score ? ~ir_order_of((double)work->selected[i].score) : 0;
  }
  ir_order_sort(keys, order, (int64_t)n, scope->stop, 0);
  const ir_code code = write_selected(node, work, order, n_rows, out, scope);
  ir_free(scope->memory, order);
  return code;
}

static bool select_of_all(const ir_node *node, const ir_tensor *const *in, nms_work *work) {
  const nms_params *params = node->params;
  const int64_t n = work->n_boxes, n_images = n > 0 ? in[SCORES]->dims[0] : 0, n_classes = in[SCORES]->dims[1];
  int64_t since = 0;
  bool fine = true;
  for (int64_t batch = 0; batch < n_images && fine && !ir_stop_asked_after(work->stop, 0, n, &since); batch++) {
    load_boxes(in[BOXES], batch, params->other.word[0] == 1, params->other.flag[1], work);
    for (int64_t class = 0; class < n_classes && fine && !ir_stop_asked_after(work->stop, 0, n, &since); class ++) {
      ir_floats_load(in[SCORES], (batch * n_classes + class) * n, n, work->scores);
      fine = work->scale != 0 ? select_lowering(work, batch, class) : select_uncovered(work, batch, class);
    }
  }
  return fine;
}

/* Implements ir_op.run.compute. A box whose overlap equals the threshold is dropped. For versions 1, 3 and 4, OpenVINO
 * infers the rows of the specification, but returns only the rows of selected boxes. */
static ir_code compute_dynamic(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope) {
  const float sigma = number_of(node, in, SIGMA);
  const int64_t n = ir_tensor_elements(in[SCORES]) > 0 ? in[BOXES]->dims[1] : 0; /* else dims[1] can be any number */
  nms_work work = {.memory = scope->memory,
                   .stop = scope->stop,
                   .n_boxes = n,
                   .most = node->n_inputs > MOST ? ir_index_at(in[MOST], 0) : 0,
                   .iou_threshold = number_of(node, in, IOU_THRESHOLD),
                   .score_threshold = number_of(node, in, SCORE_THRESHOLD),
                   .scale = sigma > 0 ? -0.5F / sigma : 0,
                   .is_rotated = ((const nms_rule *)node->op->family)->n_coordinates == 5};
  work.boxes = ir_alloc_zero(scope->memory, work.is_rotated ? 1 : (size_t)n + 1, sizeof *work.boxes);
  work.rotated = ir_alloc_zero(scope->memory, work.is_rotated ? (size_t)n + 1 : 1, sizeof *work.rotated);
  work.scores = ir_alloc_zero(scope->memory, (size_t)n + 1, 2 * sizeof *work.scores);
  work.order = ir_alloc_zero(scope->memory, (size_t)n + 1, 2 * sizeof *work.order);
  const bool has_list = ir_box_list_make(scope->memory, work.is_rotated ? 0 : (size_t)n, &work.list);
  const bool has_memory =
      work.boxes != NULL && work.rotated != NULL && work.scores != NULL && work.order != NULL && has_list;
  if (has_memory) {
    work.overlaps = work.scores + n;
    work.keys = work.order + n;
  }
  const bool fine = has_memory && select_of_all(node, in, &work);
  const ir_code code =
      fine ? write_sorted(node, &work, rows_made(node, &work, in[SCORES]), out, scope) : ir_out_of_memory(scope->diags);
  ir_free(scope->memory, work.boxes);
  ir_free(scope->memory, work.rotated);
  ir_free(scope->memory, work.scores);
  ir_free(scope->memory, work.order);
  ir_free(scope->memory, work.list.x_min);
  ir_free(scope->memory, work.selected);
  return code;
}

/* ---- the rows ---- */

#define AT(field) offsetof(nms_params, field)
static const char *const encodings[] = {"corner", "center", NULL};
#define SORT_ROW     IR_BOOL_ROW("sort_result_descending", AT(other.flag[0]), "true")
#define ENCODING_ROW IR_ENUM_ROW("box_encoding", AT(other.word[0]), encodings, .fallback = "corner")
#define TYPE_ROW     IR_ENUM_ROW("output_type", AT(output_type), ir_index_type_names, .fallback = "i64")
static const ir_attr_spec attrs_1[] = {ENCODING_ROW, SORT_ROW, {.name = NULL}};
static const ir_attr_spec attrs_3[] = {ENCODING_ROW, SORT_ROW, TYPE_ROW, {.name = NULL}};
static const ir_attr_spec attrs_rotated[] = {
    SORT_ROW, TYPE_ROW, IR_BOOL_ROW("clockwise", AT(other.flag[1]), "true"), {.name = NULL}};

static const nms_rule of_all = {NMS_OF_ALL, 4}, of_each = {NMS_OF_EACH, 4}, selected = {NMS_SELECTED, 4},
                      rotated = {NMS_SELECTED, 5};

/* Port row of a number. Before version 5, OpenVINO accepts any types, but only scalars. Since version 5, it accepts
 * only LISTED types. */
#define NUMBER(port, var, set, rank, ...)                                                                              \
  { .name = port, .type_var = var, .types = set, .rank_max = rank, __VA_ARGS__ }
/* Port rows of the inputs. Arguments after the rank are further fields of float ports. */
#define INPUTS(may_lack, rank, ...)                                                                                    \
  NUMBER("boxes", "T", IR_SET_FLOATS, 3, .rank_min = 3, __VA_ARGS__),                                                  \
      NUMBER("scores", "T_SCORES", IR_SET_FLOATS, 3, .rank_min = 3, __VA_ARGS__),                                      \
      NUMBER("max_output_boxes_per_class", "T_MAX_BOXES", IR_SET_INTEGERS, rank, .ranges = true,                       \
             .optional = may_lack),                                                                                    \
      NUMBER("iou_threshold", "T_IOU", IR_SET_FLOATS, rank, .optional = may_lack, __VA_ARGS__),                        \
      NUMBER("score_threshold", "T_THRESHOLDS", IR_SET_FLOATS, rank, .optional = may_lack, __VA_ARGS__)
#define LISTED              .types_carried = IR_CARRIED_NONE
#define SOFT_NMS_SIGMA      NUMBER("soft_nms_sigma", "T_SIGMA", IR_SET_FLOATS, 1, .optional = true, LISTED)
#define INDICES(port, rank) IR_PORT(port, "T_IND", IR_SET(IR_I32) | IR_SET(IR_I64), rank)
#define THREE_OUTPUTS                                                                                                  \
  IR_PORTS(INDICES("selected_indices", 2), IR_PORT("selected_scores", "T_SELECTED", IR_SET_FLOATS, 2),                 \
           INDICES("valid_outputs", 1))
#define NMS(text, number, page, schema, rule)                                                                          \
  .dialect = IR_OPENVINO, .type = text, .version = number, .spec = IR_SPEC_PAGE("sort/" page),                         \
  .params_size = sizeof(nms_params), .attrs = schema, .family = &rule, .infer = infer,                                 \
  .run = {IR_RUN_DYNAMIC, .compute = compute_dynamic}

const ir_op ir_op_non_max_suppression_1 = {NMS("NonMaxSuppression", 1, "non-max-suppression-1", attrs_1, of_all),
                                           .inputs = IR_PORTS(INPUTS(true, 0, .types_noted = IR_SET_INTEGERS)),
                                           .outputs = IR_PORTS(INDICES("selected_indices", 2))};
const ir_op ir_op_non_max_suppression_3 = {NMS("NonMaxSuppression", 3, "non-max-suppression-3", attrs_3, of_all),
                                           .inputs = IR_PORTS(INPUTS(true, 0, .types_noted = IR_SET_INTEGERS)),
                                           .outputs = IR_PORTS(INDICES("selected_indices", 2))};
const ir_op ir_op_non_max_suppression_4 = {NMS("NonMaxSuppression", 4, "non-max-suppression-4", attrs_3, of_each),
                                           .inputs = IR_PORTS(INPUTS(true, 0, .types_noted = IR_SET_INTEGERS)),
                                           .outputs = IR_PORTS(INDICES("selected_indices", 2))};
const ir_op ir_op_non_max_suppression_5 = {NMS("NonMaxSuppression", 5, "no-max-suppression-5", attrs_3, selected),
                                           .inputs = IR_PORTS(INPUTS(true, 1, LISTED), SOFT_NMS_SIGMA),
                                           .outputs = THREE_OUTPUTS};
const ir_op ir_op_non_max_suppression_9 = {NMS("NonMaxSuppression", 9, "non-max-suppression-9", attrs_3, selected),
                                           .inputs = IR_PORTS(INPUTS(true, 1, LISTED), SOFT_NMS_SIGMA),
                                           .outputs = THREE_OUTPUTS};
const ir_op ir_op_nms_rotated_13 = {NMS("NMSRotated", 13, "nms-rotated-13", attrs_rotated, rotated),
                                    .inputs = IR_PORTS(INPUTS(false, 1, .types_noted = 0)), .outputs = THREE_OUTPUTS};
