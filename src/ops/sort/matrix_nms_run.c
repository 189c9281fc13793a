#include "base/stop.h"
#include "ops/float_ranges.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/order.h"
#include "ops/sort/matrix_nms.h"
#include "ops/sort/nms_boxes.h"
#include <math.h>

enum { BOXES = IR_MATRIX_NMS_BOXES, SCORES = IR_MATRIX_NMS_SCORES, ROIS_NUM = IR_MATRIX_NMS_ROIS_NUM };

typedef struct chosen_box {
  int64_t class, box; /* box: row of the input `boxes` */
  int64_t index;      /* index of the box in the output selected_indices */
  float score;
} chosen_box;

/* Boxes of one class in one image: rows [first, first + n) of the input `boxes`, with scores from first_score on. */
typedef struct boxes_of_class {
  int64_t class, first, n, first_score;
  int64_t first_index, index_step;
} boxes_of_class;

typedef struct choice {
  const ir_memory *memory;
  ir_stop *stop;
  int64_t since; /* for ir_stop_asked_after */
  const ir_matrix_nms_params *params;
  const ir_tensor *boxes, *scores;
  ir_box *at;       /* candidates of the current class, sorted by descending score */
  ir_box_list list; /* MulticlassNms: the chosen candidates; MatrixNms: the candidates that were visited */
  float *score;     /* scores of all boxes of the class */
  float *overlap;   /* MatrixNms: largest overlap of each candidate with a candidate of higher score */
  float *overlaps;  /* MatrixNms: overlaps of one candidate with those of higher score */
  int64_t *order;   /* index of each candidate among the boxes of the class */
  int64_t *keys;
  chosen_box *chosen;
  size_t n_chosen, capacity;
} choice;

static float more_of(const choice *all) {
  return all->params->normalized ? 0 : 1;
}

/* Finds the candidates of a class, sorted by descending score, and returns their number. A score equal to the threshold
 * counts if or_like. */
static int64_t find_candidates(const boxes_of_class *of, bool or_like, choice *all) {
  const ir_matrix_nms_params *params = all->params;
  int64_t n = 0;
  ir_floats_load(all->scores, of->first_score, of->n, all->score);
  for (int64_t i = 0; i < of->n; i++) {
    const float threshold = (float)params->score_threshold;
    all->keys[i] = ~ir_order_of((double)all->score[i]);
    if (all->score[i] > threshold || (or_like && all->score[i] == threshold))
      all->order[n++] = i;
  }
  ir_order_sort(all->keys, all->order, n, all->stop, 0);
  n = params->nms_top_k >= 0 && n > params->nms_top_k ? params->nms_top_k : n;
  for (int64_t i = 0; i < n; i++) {
    float ends[4];
    ir_floats_load(all->boxes, 4 * (of->first + all->order[i]), 4, ends);
    all->at[i] = (ir_box){ends[0], ends[1], ends[2], ends[3]};
  }
  return n;
}

static bool choose(const boxes_of_class *of, int64_t candidate, float score, choice *all) {
  const int64_t i = all->order[candidate];
  void *chosen = all->chosen;
  if (!ir_reserve(all->memory, &chosen, all->n_chosen, &all->capacity, sizeof *all->chosen))
    return false;
  all->chosen = chosen;
  all->chosen[all->n_chosen++] = (chosen_box){of->class, of->first + i, of->first_index + i * of->index_step, score};
  return true;
}

typedef bool choose_of_class(const boxes_of_class *of, choice *all);

/* Chooses candidates that overlap each chosen box by less than the threshold. While the threshold is above 0.5, each
 * chosen box multiplies the threshold by nms_eta. */
static bool choose_multiclass(const boxes_of_class *of, choice *all) {
  const int64_t n = find_candidates(of, true, all);
  float threshold = (float)all->params->iou_threshold;
  all->list.n = 0;
  for (int64_t i = 0; i < n && !ir_stop_asked_of(all->stop, 0); i++) {
    if (ir_box_list_covers(&all->list, &all->at[i], more_of(all), threshold))
      continue;
    if (!choose(of, i, all->score[all->order[i]], all))
      return false;
    ir_box_list_add(&all->list, &all->at[i], more_of(all));
    if (threshold > 0.5F)
      threshold *= (float)all->params->nms_eta;
  }
  return true;
}

/* Returns the factor of the score of candidate i: the smallest decay by a candidate j of higher score. The decay is
 * stronger for a larger overlap with j, and weaker if j itself is overlapped. */
static float decay_of(const choice *all, int64_t i) {
  const ir_matrix_nms_params *params = all->params;
  float least = 1;
  for (int64_t j = 0; j < i; j++) {
    const float overlap = all->overlaps[j], most = all->overlap[j];
    const float decay = params->decay_function == IR_DECAY_GAUSSIAN
                            ? expf((most * most - overlap * overlap) * (float)params->gaussian_sigma)
                            : (1 - overlap) / (1 - most + 1e-10F);
    least = decay < least ? decay : least;
  }
  return least;
}

static bool choose_matrix(const boxes_of_class *of, choice *all) {
  const int64_t n = find_candidates(of, false, all);
  all->list.n = 0;
  for (int64_t i = 0; i < n && !ir_stop_asked_of(all->stop, 0); i++) {
    ir_box_list_overlaps(&all->list, &all->at[i], more_of(all), all->overlaps);
    ir_box_list_add(&all->list, &all->at[i], more_of(all));
    all->overlap[i] = 0;
    for (int64_t j = 0; j < i; j++)
      all->overlap[i] = fmaxf(all->overlap[i], all->overlaps[j]);
    const float score = decay_of(all, i) * all->score[all->order[i]];
    if (score > (float)all->params->post_threshold && !choose(of, i, score, all))
      return false;
  }
  return true;
}

/* ---- sorting ---- */

/* Sorts the chosen boxes from `first` on by class or score. Boxes of equal class or score keep their order. */
static bool sort_chosen(choice *all, size_t first, bool by_class) {
  const size_t n = all->n_chosen - first;
  chosen_box *boxes = all->chosen + first;
  int64_t since = 0;
  if (ir_stop_asked(all->stop))
    return true;
  int64_t *keys = ir_alloc_zero(all->memory, 2 * n + 1, sizeof *keys), *order = keys + n;
  chosen_box *sorted = ir_alloc_zero(all->memory, n + 1, sizeof *sorted);
  const bool fine = keys != NULL && sorted != NULL;
  for (size_t i = 0; i < n && fine && !ir_stop_asked_after(all->stop, 0, 1, &since); i++) {
    keys[i] = by_class ? boxes[i].class : ~ir_order_of((double)boxes[i].score);
    order[i] = (int64_t)i;
  }
  if (fine) {
    ir_order_sort(keys, order, (int64_t)n, all->stop, 0);
    for (size_t i = 0; i < n; i++)
      sorted[i] = boxes[order[i]];
    for (size_t i = 0; i < n; i++)
      boxes[i] = sorted[i];
  }
  ir_free(all->memory, keys);
  ir_free(all->memory, sorted);
  return fine;
}

/* Keeps the keep_top_k boxes of an image with the highest scores. `first` is the image's first chosen box. Sorts the
 * kept boxes by class for IR_SORT_BY_CLASS, otherwise by score, even for IR_SORT_NOT. */
static bool keep_best(choice *all, size_t first) {
  const int64_t most = all->params->keep_top_k;
  if (!sort_chosen(all, first, false))
    return false;
  if (most >= 0 && (int64_t)(all->n_chosen - first) > most)
    all->n_chosen = first + (size_t)most;
  return all->params->sort_result != IR_SORT_BY_CLASS || sort_chosen(all, first, true);
}

/* ---- images ---- */

/* Chooses boxes of one image. Without `own`, classes share boxes: the inputs are [N, B, 4] and [N, C, B]. With `own`,
 * each class has its own boxes: the inputs are [C, B, 4] and [C, B], and rows [first, first + n) belong to the
 * image. */
static bool choose_of_image(const ir_tensor *const *in, bool own, int64_t image, int64_t first, int64_t n,
                            choose_of_class *of_class, choice *all) {
  const int64_t n_classes = in[SCORES]->dims[own ? 0 : 1], n_boxes = in[BOXES]->dims[1];
  const size_t before = all->n_chosen;
  for (int64_t class = 0; class < n_classes && !ir_stop_asked_after(all->stop, 0, n + 1, &all->since); class ++) {
    const boxes_of_class shared = {class, image * n_boxes, n, (image * n_classes + class) * n_boxes, image * n_boxes,
                                   1};
    const boxes_of_class owned = {
        class, class * n_boxes + first, n, class * n_boxes + first, first * n_classes + class, n_classes};
    if (class != all->params->background_class && !of_class(own ? &owned : &shared, all))
      return false;
  }
  return keep_best(all, before);
}

/* Chooses boxes of all images. counts[i] is the number of boxes of image i before, and the number of chosen boxes
 * after. */
static bool choose_of_all(const ir_tensor *const *in, bool own, int64_t n_images, int64_t *counts,
                          choose_of_class *of_class, choice *all) {
  int64_t first = 0;
  for (int64_t image = 0; image < n_images && !ir_stop_asked_after(all->stop, 0, 1, &all->since); image++) {
    const size_t before = all->n_chosen;
    if (!choose_of_image(in, own, image, first, counts[image], of_class, all))
      return false;
    first += counts[image];
    counts[image] = (int64_t)(all->n_chosen - before);
  }
  const int order = all->params->sort_result;
  return !all->params->across_batch || order == IR_SORT_NOT || sort_chosen(all, 0, order == IR_SORT_BY_CLASS);
}

/* Reads the number of boxes of each image. Reports a negative number, and a sum above B. */
static ir_code read_counts(const ir_node *node, const ir_tensor *const *in, int64_t *counts, ir_scope *scope) {
  int64_t left = in[BOXES]->dims[1];
  ir_index_load(in[ROIS_NUM], 0, in[ROIS_NUM]->dims[0], counts);
  for (int64_t i = 0; i < in[ROIS_NUM]->dims[0]; left -= counts[i++]) {
    const ir_index_input input = {scope->diags, ir_input_where(scope, node, ROIS_NUM, -1), "roisnum"};
    if (counts[i] < 0 || counts[i] > left)
      return ir_index_report(&input, i, counts[i], 0, left + 1);
  }
  return IR_OK;
}

/* ---- outputs ---- */

static void write_row(const chosen_box *box, const ir_tensor *boxes, ir_tensor *out, int64_t row) {
  const size_t size = ir_type_size(out->type);
  const float numbers[2] = {(float)box->class, box->score};
  double wide[2] = {(double)numbers[0], (double)numbers[1]};
  char *to = (char *)out->data + (size_t)(6 * row) * size;
  ir_compute_store(IR_COMPUTE_F64, wide, out->type, to, 2);
  memcpy(to + 2 * size, (const char *)boxes->data + (size_t)(4 * box->box) * size, 4 * size);
}

static ir_code write_chosen(const ir_node *node, const choice *all, const int64_t *counts, int64_t n_images,
                            ir_tensor *out, ir_scope *scope) {
  const int64_t n = (int64_t)all->n_chosen;
  int64_t since = 0;
  const ir_shape shapes[3] = {ir_shape_of(2, (const int64_t[]){n, 6}), ir_shape_of(2, (const int64_t[]){n, 1}),
                              ir_shape_of(1, &n_images)};
  ir_code code = IR_OK;
  for (int i = 0; i < node->n_outputs && code == IR_OK; i++)
    code = ir_output_alloc(node->outputs[i].type, &shapes[i], scope, &out[i]);
  if (code != IR_OK)
    return code;
  for (int64_t i = 0; i < n && !ir_stop_asked_after(scope->stop, 0, 1, &since); i++) {
    write_row(&all->chosen[i], all->boxes, &out[0], i);
    if (node->n_outputs > 1)
      ir_index_store(&all->chosen[i].index, 1, &out[1], i);
  }
  if (node->n_outputs > 2)
    ir_index_store(counts, n_images, &out[2], 0);
  return IR_OK;
}

static ir_code compute_dynamic(const ir_node *node, const ir_tensor *const *in, choose_of_class *of_class,
                               ir_tensor *out, ir_scope *scope) {
  const bool own = node->n_inputs > ROIS_NUM;
  const int64_t n_images = own ? in[ROIS_NUM]->dims[0] : in[BOXES]->dims[0];
  /* Without scores, the tensors can be empty and yet have any number of boxes in dims[1]; no memory is needed then. */
  const size_t n = ir_tensor_elements(in[SCORES]) > 0 ? (size_t)in[BOXES]->dims[1] + 1 : 1;
  choice all = {
      .memory = scope->memory, .stop = scope->stop, .params = node->params, .boxes = in[BOXES], .scores = in[SCORES]};
  int64_t *counts = ir_alloc_zero(scope->memory, (size_t)n_images + 1, sizeof *counts);
  all.at = ir_alloc_zero(scope->memory, n, sizeof *all.at);
  all.score = ir_alloc_zero(scope->memory, n, 3 * sizeof *all.score);
  all.order = ir_alloc_zero(scope->memory, n, 2 * sizeof *all.order);
  ir_code code = IR_OK;
  const bool has_list = ir_box_list_make(scope->memory, n, &all.list);
  if (counts == NULL || all.at == NULL || all.score == NULL || all.order == NULL || !has_list) {
    code = ir_out_of_memory(scope->diags);
  } else {
    all.overlap = all.score + n;
    all.overlaps = all.overlap + n;
    all.keys = all.order + n;
    for (int64_t i = 0; i < n_images; i++)
      counts[i] = in[BOXES]->dims[1];
    code = own ? read_counts(node, in, counts, scope) : IR_OK;
    if (code == IR_OK && !choose_of_all(in, own, n_images, counts, of_class, &all))
      code = ir_out_of_memory(scope->diags);
    if (code == IR_OK)
      code = write_chosen(node, &all, counts, n_images, out, scope);
  }
  ir_free(scope->memory, counts);
  ir_free(scope->memory, all.at);
  ir_free(scope->memory, all.list.x_min);
  ir_free(scope->memory, all.score);
  ir_free(scope->memory, all.order);
  ir_free(scope->memory, all.chosen);
  return code;
}

ir_code ir_matrix_nms_compute(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope) {
  return compute_dynamic(node, in, choose_matrix, out, scope);
}

ir_code ir_multiclass_nms_compute(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope) {
  return compute_dynamic(node, in, choose_multiclass, out, scope);
}
