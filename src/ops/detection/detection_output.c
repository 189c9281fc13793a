/* DetectionOutput-1 and -8 select the best boxes of each class and image from num_prior_boxes prior boxes. An output
 * row is [image, label, score, x0, y0, x1, y1]. The input shapes determine the number of priors and, in version 8, the
 * number of classes. Pages: operation-specs/detection/detectionoutput-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/kernels/boxes.h"
#include "ops/kernels/floats.h"
#include "ops/math/elementwise_infer.h"
#include "ops/op.h"
#include <math.h>
#include <string.h>

typedef struct detection_output_params {
  int64_t num_classes, top_k; /* num_classes: 0 in version 8, which has no such attribute */
  ir_ints keep_top_k;
  bool share_location, variance_encoded, normalized;
  ir_other_attrs other;
} detection_output_params;

enum { LOCATIONS, CLASSES, PRIORS, MORE_CLASSES, MORE_LOCATIONS };

/* Numbers of classes and priors, deduced from the inputs' shapes; 0: unknown. */
typedef struct detection_counts {
  int64_t classes, priors;
} detection_counts;

/* If `*count` is unknown (0), sets it to dim `axis` of input `port` divided by `unit`. Reports a dim that is no
 * multiple of `unit`. */
static bool deduce(const ir_node *node, const ir_value *const *in, int port, int axis, int64_t unit, const char *what,
                   int64_t *count, ir_scope *scope) {
  const ir_dim dim = ir_input_dim(node, in, port, axis);
  if (*count != 0 || unit <= 0 || !ir_dim_known(dim))
    return true;
  *count = dim.lo / unit;
  if (dim.lo % unit == 0)
    return true;
  char shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, axis),
            "input %d ('%s') has %lld on axis %d: %s%s; expected a multiple of %lld, %s", port,
            ir_op_input(node->op, port)->name, (long long)dim.lo, axis, ir_type_name(in[port]->type),
            ir_shape_text(&in[port]->shape, shape, sizeof shape), (long long)unit, what);
  return false;
}

/* Returns how many numbers the input LOCATIONS has for each prior; 0: unknown. */
static int64_t location_unit(const detection_output_params *params, int64_t classes) {
  return 4 * (params->share_location ? 1 : classes);
}

static bool deduce_counts(const ir_node *node, const ir_value *const *in, detection_counts *counts, ir_scope *scope) {
  const detection_output_params *params = node->params;
  static const char per_prior[] = "so many for each prior box";
  counts->classes = params->num_classes;
  if (!deduce(node, in, PRIORS, 2, params->normalized ? 4 : 5, per_prior, &counts->priors, scope) ||
      !deduce(node, in, MORE_CLASSES, 1, 2, per_prior, &counts->priors, scope) ||
      !deduce(node, in, LOCATIONS, 1, location_unit(params, counts->classes), per_prior, &counts->priors, scope) ||
      !deduce(node, in, CLASSES, 1, counts->classes, "so many classes", &counts->priors, scope))
    return false;
  if (!deduce(node, in, CLASSES, 1, counts->priors, "so many prior boxes", &counts->classes, scope))
    return false;
  int64_t unit;
  if (params->share_location || !ir_mul(4, counts->priors, &unit))
    unit = 0;
  return deduce(node, in, LOCATIONS, 1, unit, "4 for each prior box", &counts->classes, scope) &&
         deduce(node, in, MORE_LOCATIONS, 1, unit, "4 for each prior box", &counts->classes, scope);
}

/* Checks that dim `axis` of input `port` is a * b. If a or b is unknown (0), returns true. */
static bool check_product(const ir_node *node, const ir_value *const *in, int port, int axis, int64_t a, int64_t b,
                          const char *what, ir_scope *scope) {
  int64_t product;
  return a == 0 || b == 0 || !ir_mul(a, b, &product) ||
         ir_size_check(node, in, port, axis, ir_dim_of(product), what, scope);
}

static bool check_counts(const ir_node *node, const ir_value *const *in, const detection_counts *counts,
                         ir_scope *scope) {
  const detection_output_params *params = node->params;
  const int64_t locations = location_unit(params, counts->classes);
  const char *what = params->share_location ? "num_prior_boxes * 4" : "num_prior_boxes * num_classes * 4";
  return check_product(node, in, LOCATIONS, 1, counts->priors, locations, what, scope) &&
         check_product(node, in, CLASSES, 1, counts->priors, counts->classes, "num_prior_boxes * num_classes", scope) &&
         check_product(node, in, PRIORS, 2, counts->priors, params->normalized ? 4 : 5,
                       params->normalized ? "num_prior_boxes * 4" : "num_prior_boxes * 5, for 'normalized' is false",
                       scope) &&
         ir_size_check(node, in, PRIORS, 1, ir_dim_of(params->variance_encoded ? 1 : 2),
                       params->variance_encoded ? "boxes, for 'variance_encoded_in_target' is true"
                                                : "boxes and variances, for 'variance_encoded_in_target' is false",
                       scope) &&
         check_product(node, in, MORE_CLASSES, 1, counts->priors, 2, "num_prior_boxes * 2", scope) &&
         ir_size_check(node, in, MORE_LOCATIONS, 1, ir_input_dim(node, in, LOCATIONS, 1), "as input 0 has", scope);
}

/* Checks that all inputs have the same number of images. If PRIORS has 1 image, all images share the priors. */
static bool join_images(const ir_node *node, const ir_value *const *in, ir_size *images, ir_scope *scope) {
  return ir_size_join(node, in, LOCATIONS, 0, images, scope) && ir_size_join(node, in, CLASSES, 0, images, scope) &&
         ir_size_join(node, in, MORE_CLASSES, 0, images, scope) &&
         ir_size_join(node, in, MORE_LOCATIONS, 0, images, scope) &&
         (ir_dims_meet(ir_input_dim(node, in, PRIORS, 0), ir_dim_of(1)) ||
          ir_size_join(node, in, PRIORS, 0, images, scope));
}

static ir_dim open_if_unknown(int64_t count) {
  return count > 0 ? ir_dim_of(count) : ir_dim_any();
}

static ir_dim rows_of_image(const detection_output_params *params, const detection_counts *counts) {
  const int64_t keep = params->keep_top_k.items[0];
  if (keep > 0)
    return ir_dim_of(keep);
  const bool is_cut = keep == -1 && params->top_k > 0;
  return ir_dims_product(open_if_unknown(counts->classes),
                         is_cut ? ir_dim_of(params->top_k) : open_if_unknown(counts->priors));
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const detection_output_params *params = node->params;
  ir_size images = ir_size_of("the number of images");
  detection_counts counts = {0, 0};
  out->type = ir_inputs_type(node, in, LOCATIONS, CLASSES);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->poisoned = true;
  if (params->keep_top_k.n == 0)
    return ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, ir_attr_where(scope, node, "keep_top_k"),
                     "'keep_top_k' is empty, expected a number");
  if (node->n_inputs == 4)
    return ir_report(scope->diags, IR110_PORT_COUNT_DIFFERS, ir_node_where(scope, node),
                     "the layer has 4 inputs, %s-%d has 3 or 5", node->op->type, node->op->version);
  if (!join_images(node, in, &images, scope) || !deduce_counts(node, in, &counts, scope) ||
      !check_counts(node, in, &counts, scope))
    return IR_OK;
  out->poisoned = false;
  out->shape = ir_shape_of(4, (const int64_t[]){1, 1, 0, 7});
  out->shape.dims[2] = ir_dims_product(images.dim, rows_of_image(params, &counts));
  return IR_OK;
}

/* ---- running: one image after the other; its boxes and scores lie in scratch ---- */

typedef struct detection_state {
  const detection_output_params *params;
  int64_t n_priors, n_classes, n_box_classes; /* n_box_classes: 1 if all classes share the boxes, else n_classes */
  size_t n_boxes, n_scored;                   /* lengths of detection_call.boxes and .scored */
} detection_state;

typedef struct detection_call {
  const detection_state *state;
  const ir_tensor *const *in;
  int32_t n_in;
  const ir_tensor *out;
  int64_t image, n_used; /* n_used: number of priors of the image */
  ir_box *boxes;         /* [n_box_classes, n_priors] */
  ir_scored *scored;     /* kept boxes of earlier classes, then candidates */
  ir_stop *stop;
} detection_call;

/* Returns the score of a class. If the input MORE_CLASSES rates the prior below objectness_score, the background class
 * scores 1 and all others 0. */
static double score_of(const detection_call *call, int64_t prior, int64_t class) {
  const detection_state *state = call->state;
  const detection_output_params *params = state->params;
  if (call->n_in > MORE_CLASSES && ir_float_at(call->in[MORE_CLASSES], (call->image * state->n_priors + prior) * 2 +
                                                                           1) < (float)params->other.real[2])
    return class == params->other.number[0];
  return ir_float_at(call->in[CLASSES], (call->image * state->n_priors + prior) * state->n_classes + class);
}

/* Moves `box` by the four deltas in input `port`. OpenVINO's CPU plugin differs: if boxes are not normalized and the
 * input MORE_LOCATIONS exists, it divides the boxes by the image size twice. */
static ir_box decode(const detection_call *call, int port, int64_t prior, int64_t class, ir_box box,
                     const double *variance) {
  enum { CORNER, CENTER_SIZE };
  const detection_state *state = call->state;
  const int64_t at = ((call->image * state->n_priors + prior) * state->n_box_classes + class) * 4;
  double delta[4];
  for (int k = 0; k < 4; k++)
    delta[k] = ir_float_at(call->in[port], at + k) * variance[k];
  box = state->params->other.word[0] == CENTER_SIZE
            ? ir_box_moved(&box, delta, INFINITY, 0)
            : (ir_box){box.x0 + delta[0], box.y0 + delta[1], box.x1 + delta[2], box.y1 + delta[3]};
  if (state->params->other.flag[1])
    ir_box_clip(&box, 1, 1);
  return box;
}

/* Returns the first of the image's numbers in the input PRIORS. */
static int64_t first_prior(const detection_call *call) {
  const ir_tensor *priors = call->in[PRIORS];
  return (priors->dims[0] == 1 ? 0 : call->image) * priors->dims[1] * priors->dims[2];
}

/* Counts the priors of the image. If boxes are not normalized, they are rows of Proposal, whose end is marked by -1. */
static int64_t count_used(const detection_call *call) {
  const int64_t first = first_prior(call);
  int64_t n = 0;
  if (call->state->params->normalized)
    return call->state->n_priors;
  while (n < call->state->n_priors && ir_float_at(call->in[PRIORS], first + n * 5) != -1)
    n++;
  return n;
}

static void decode_boxes(const detection_call *call) {
  const detection_state *state = call->state;
  const detection_output_params *params = state->params;
  const ir_tensor *priors = call->in[PRIORS];
  const int columns = params->normalized ? 4 : 5;
  const int64_t first = first_prior(call);
  const double width = params->normalized ? 1 : (double)params->other.number[2];
  const double height = params->normalized ? 1 : (double)params->other.number[1];
  int64_t since = 0;
  for (int64_t i = 0; i < call->n_used && !ir_stop_asked_after(call->stop, 0, state->n_box_classes, &since); i++) {
    const int64_t at = first + i * columns + columns - 4;
    const ir_box prior = {ir_float_at(priors, at) / width, ir_float_at(priors, at + 1) / height,
                          ir_float_at(priors, at + 2) / width, ir_float_at(priors, at + 3) / height};
    double variance[4] = {1, 1, 1, 1};
    for (int k = 0; k < 4 && !params->variance_encoded; k++)
      variance[k] = ir_float_at(priors, first + priors->dims[2] + i * 4 + k);
    for (int64_t c = 0; c < state->n_box_classes; c++) {
      const ir_box box = call->n_in > MORE_LOCATIONS ? decode(call, MORE_LOCATIONS, i, c, prior, variance) : prior;
      call->boxes[c * state->n_priors + i] = decode(call, LOCATIONS, i, c, box, variance);
    }
  }
}

static const ir_box *boxes_of(const detection_call *call, int64_t class) {
  return call->boxes + (call->state->n_box_classes == 1 ? 0 : class * call->state->n_priors);
}

/* Suppresses overlapping boxes among the n items of a class, which are sorted by score. Returns the number of kept
 * items. */
static int64_t keep_of_class(const detection_call *call, ir_scored *items, int64_t n, int64_t class) {
  return ir_boxes_keep(boxes_of(call, class), items, n, (float)call->state->params->other.real[0], 0, n, call->stop);
}

/* Each class selects its candidates among all priors. Returns the number of kept boxes. */
static int64_t find_by_class(const detection_call *call) {
  const detection_state *state = call->state;
  const detection_output_params *params = state->params;
  int64_t n_kept = 0;
  for (int64_t c = 0; c < state->n_classes && !ir_stop_asked_of(call->stop, 0); c++) {
    ir_scored *items = call->scored + n_kept;
    int64_t n = 0;
    for (int64_t i = 0; i < call->n_used && c != params->other.number[0]; i++) {
      const double score = score_of(call, i, c);
      if (score > (float)params->other.real[1])
        items[n++] = (ir_scored){score, i, c};
    }
    n_kept += keep_of_class(call, items, ir_scored_best(items, n, params->top_k, call->stop), c);
  }
  return n_kept;
}

/* Each prior is a candidate for its best class only. A prior without a class (label 0) is no candidate. Returns the
 * number of kept boxes. */
static int64_t find_by_prior(const detection_call *call) {
  const detection_state *state = call->state;
  const detection_output_params *params = state->params;
  ir_scored *all =
      call->scored + state->n_priors; /* candidates of all classes; those of a class are copied to `items` */
  int64_t n = 0, n_kept = 0, since = 0;
  for (int64_t i = 0; i < call->n_used && !ir_stop_asked_after(call->stop, 0, state->n_classes, &since); i++) {
    ir_scored best = {-1, i, 0};
    for (int64_t c = 1; c < state->n_classes; c++)
      if (c != params->other.number[0] && score_of(call, i, c) > best.score)
        best = (ir_scored){score_of(call, i, c), i, c};
    if (best.label > 0 && best.score >= (float)params->other.real[1])
      all[n++] = best;
  }
  n = ir_scored_best(all, n, params->top_k, call->stop);
  for (int64_t c = 1; c < state->n_classes && !ir_stop_asked_of(call->stop, 0); c++) {
    ir_scored *items = call->scored + n_kept;
    int64_t n_items = 0;
    for (int64_t i = 0; i < n; i++)
      if (all[i].label == c)
        items[n_items++] = all[i];
    n_kept += keep_of_class(call, items, n_items, c);
  }
  return n_kept;
}

static int64_t write_row(const detection_call *call, const ir_scored *item, int64_t row) {
  const detection_output_params *params = call->state->params;
  ir_box box = boxes_of(call, item->label)[item->index];
  if (params->other.flag[0])
    ir_box_clip(&box, 1, 1);
  const double numbers[7] = {
      (double)call->image, (double)(item->label - params->other.flag[2]), item->score, box.x0, box.y0, box.x1, box.y1};
  if (row < call->out->dims[2])
    ir_floats_store(call->out, row * 7, numbers, 7);
  return row + 1;
}

/* Writes the rows of an image from `row` on, class by class. Returns the next row. */
static int64_t write_image(const detection_call *call, int64_t row) {
  const detection_state *state = call->state;
  const int64_t most = state->params->keep_top_k.items[0];
  int64_t since = 0;
  decode_boxes(call);
  int64_t n = state->params->other.flag[2] ? find_by_prior(call) : find_by_class(call);
  if (most >= 0 && n > most) {
    n = ir_scored_best(call->scored, n, most, call->stop);
    ir_scored_by_label(call->scored, n, call->stop);
  }
  for (int64_t i = 0; i < n && !ir_stop_asked_after(call->stop, 0, 1, &since); i++)
    row = write_row(call, &call->scored[i], row);
  return row;
}

/* If rows are left after the last box, the first of them begins with -1. All other numbers of these rows are 0. */
static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const detection_state *state = step->state;
  detection_call call = {
      .state = state, .in = in, .n_in = step->n_in, .out = out[0], .boxes = exec->scratch, .stop = exec->stop};
  const double end = -1;
  int64_t row = 0;
  call.scored = (ir_scored *)(call.boxes + state->n_boxes);
  memset(out[0]->data, 0, out[0]->bytes);
  for (; call.image < in[LOCATIONS]->dims[0] && !ir_stop_asked_of(call.stop, 0); call.image++) {
    call.n_used = count_used(&call);
    row = write_image(&call, row);
  }
  if (row < out[0]->dims[2])
    ir_floats_store(out[0], row * 7, &end, 1);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "detection_output", .isa = "any", .run = run};

/* Whether the inputs have the sizes that the kernel reads. Inference compared only the sizes that were known. */
static bool sizes_fit(const detection_state *state, const ir_value *const *in, int32_t n_in) {
  const detection_output_params *params = state->params;
  int64_t boxes, scores;
  if (!ir_mul(state->n_priors, 4 * state->n_box_classes, &boxes) || !ir_mul(state->n_priors, state->n_classes, &scores))
    return false;
  const ir_shape *priors = &in[PRIORS]->shape, *shape = &in[LOCATIONS]->shape;
  const int64_t n_images = shape->dims[0].lo;
  return shape->dims[1].lo == boxes && in[CLASSES]->shape.dims[0].lo == n_images &&
         in[CLASSES]->shape.dims[1].lo == scores && priors->dims[1].lo >= (params->variance_encoded ? 1 : 2) &&
         (priors->dims[0].lo == 1 || priors->dims[0].lo == n_images) &&
         (n_in <= MORE_CLASSES || (in[MORE_CLASSES]->shape.dims[0].lo == n_images &&
                                   in[MORE_CLASSES]->shape.dims[1].lo == 2 * state->n_priors &&
                                   ir_shapes_equal(&in[MORE_LOCATIONS]->shape, shape)));
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const detection_output_params *params = node->params;
  detection_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (detection_state){.params = params, .n_priors = in[PRIORS]->shape.dims[2].lo / (params->normalized ? 4 : 5)};
  state->n_classes = params->num_classes;
  if (state->n_classes == 0)
    state->n_classes = state->n_priors == 0 ? 0 : in[CLASSES]->shape.dims[1].lo / state->n_priors;
  state->n_box_classes = params->share_location ? 1 : state->n_classes;
  if (!sizes_fit(state, in, node->n_inputs))
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
                          "irrun does not run inputs of these sizes: %lld priors and %lld classes",
                          (long long)state->n_priors, (long long)state->n_classes);
  /* The products cannot overflow, because the input tensors have about as many elements. */
  state->n_boxes = (size_t)(state->n_priors * state->n_box_classes);
  state->n_scored = (size_t)(state->n_priors * (state->n_classes + 2));
  size_t bytes, more;
  if (__builtin_mul_overflow(state->n_boxes, sizeof(ir_box), &bytes) ||
      __builtin_mul_overflow(state->n_scored, sizeof(ir_scored), &more) || __builtin_add_overflow(bytes, more, &bytes))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_of_floats(plan, node, &kernel, state, bytes);
}

/* ---- rows of the op table ---- */

#define AT(field) offsetof(detection_output_params, field)
static const char *const code_types[] = {"caffe.PriorBoxParameter.CORNER", "caffe.PriorBoxParameter.CENTER_SIZE", NULL};

#define COMMON_ROWS                                                                                                    \
  IR_INT_ROW("background_label_id", AT(other.number[0]), INT32_MIN, INT32_MAX, .fallback = "0"),                       \
      IR_INT_ROW("top_k", AT(top_k), INT32_MIN, INT32_MAX, .fallback = "-1"),                                          \
      IR_BOOL_ROW("variance_encoded_in_target", AT(variance_encoded), "false"),                                        \
      IR_INTS_ROW("keep_top_k", AT(keep_top_k), INT32_MIN, INT32_MAX, .required = true),                               \
      IR_ENUM_ROW("code_type", AT(other.word[0]), code_types, .fallback = "caffe.PriorBoxParameter.CORNER"),           \
      IR_BOOL_ROW("share_location", AT(share_location), "true"),                                                       \
      IR_FLOAT_ROW("nms_threshold", AT(other.real[0]), .required = true),                                              \
      IR_FLOAT_ROW("confidence_threshold", AT(other.real[1]), .fallback = "0"),                                        \
      IR_BOOL_ROW("clip_after_nms", AT(other.flag[0]), "false"),                                                       \
      IR_BOOL_ROW("clip_before_nms", AT(other.flag[1]), "false"),                                                      \
      IR_BOOL_ROW("decrease_label_id", AT(other.flag[2]), "false"),                                                    \
      IR_BOOL_ROW("normalized", AT(normalized), "false"),                                                              \
      IR_INT_ROW("input_height", AT(other.number[1]), 1, INT32_MAX, .fallback = "1"),                                  \
      IR_INT_ROW("input_width", AT(other.number[2]), 1, INT32_MAX, .fallback = "1"),                                   \
      IR_FLOAT_ROW("objectness_score", AT(other.real[2]), .fallback = "0")

static const ir_attr_spec attrs_1[] = {
    IR_INT_ROW("num_classes", AT(num_classes), 1, INT32_MAX, .required = true), COMMON_ROWS, {.name = NULL}};
static const ir_attr_spec attrs_8[] = {COMMON_ROWS, {.name = NULL}};

/* Attributes of Caffe's layer and of its resize parameters. Nobody reads them. */
static const char *const ignored_attrs[] = {
    "eta",         "height",    "height_scale",        "interp_mode", "pad_mode",    "pad_value", "prob",
    "resize_mode", "visualize", "visualize_threshold", "width",       "width_scale", NULL};

#define T_PORT(port, rank, ...)                                                                                        \
  { .name = port, .type_var = "T", .types = IR_SET_FLOATS, .rank_min = rank, .rank_max = rank, __VA_ARGS__ }
/* The Model Optimizer declared an f32 output even in f16 models, so a declared f32 is no error. */
#define DETECTION_OUTPUT(number, schema)                                                                               \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "DetectionOutput", .version = number,                                              \
    .spec = IR_SPEC_PAGE("detection/detectionoutput-" #number), .params_size = sizeof(detection_output_params),        \
    .attrs = schema, .ignored_attrs = ignored_attrs,                                                                   \
    .inputs = IR_PORTS(T_PORT("box_logits", 2, .optional = false), T_PORT("class_preds", 2, .optional = false),        \
                       IR_PORT("proposals", "T_PROPOSALS", IR_SET_FLOATS, 3),                                          \
                       T_PORT("aux_class_preds", 2, .optional = true), T_PORT("aux_box_preds", 2, .optional = true)),  \
    .outputs = IR_PORTS(T_PORT("output", 4, .types_misdeclared = IR_SET(IR_F32))), .infer = infer,                     \
    .run = {IR_RUN_PREPARED, .prepare = prepare}, .cost = ir_elementwise_cost                                          \
  }

const ir_op ir_op_detection_output_1 = DETECTION_OUTPUT(1, attrs_1);
const ir_op ir_op_detection_output_8 = DETECTION_OUTPUT(8, attrs_8);
