/* Proposal-1 and -4 output the post_nms_topn best boxes of each image, as rows [image, x0, y0, x1, y1]. Version 4 also
 * outputs their probabilities. Pages: operation-specs/detection/proposal-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/kernels/boxes.h"
#include "ops/kernels/floats.h"
#include "ops/math/elementwise_infer.h"
#include <math.h>
#include <string.h>

typedef struct proposal_params {
  int64_t post_nms_topn;
  ir_other_attrs other;
} proposal_params;

enum { SCORES, DELTAS, IMAGE };

static bool fits(const ir_node *node, const ir_value *const *in, ir_size *batch, ir_scope *scope) {
  const ir_dim deltas = ir_dims_product(ir_input_dim(node, in, SCORES, 1), ir_dim_of(2));
  return ir_size_join(node, in, SCORES, 0, batch, scope) && ir_size_join(node, in, DELTAS, 0, batch, scope) &&
         ir_size_check(node, in, DELTAS, 1, deltas, "twice the channels of input 0", scope) &&
         ir_size_check(node, in, IMAGE, 0, (ir_dim){3, 4}, "a height, a width and one or two scales", scope);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_size batch = ir_size_of("batch_size");
  for (int32_t i = 0; i < node->n_outputs; i++)
    out[i].type = ir_inputs_type(node, in, SCORES, DELTAS);
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  if (!fits(node, in, &batch, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  const ir_dim rows = ir_dims_product(batch.dim, ir_dim_of(((const proposal_params *)node->params)->post_nms_topn));
  for (int32_t i = 0; i < node->n_outputs; i++) {
    out[i].shape = ir_shape_of_rank(2 - i);
    out[i].shape.dims[0] = rows;
  }
  out->shape.dims[1] = ir_dim_of(5);
  return IR_OK;
}

/* ---- running: one image after the other; its boxes and scores lie in scratch ---- */

typedef struct proposal_state {
  const proposal_params *params;
  const ir_box *anchors; /* [ratios, scales]: the anchor boxes of the first cell */
  int64_t n_anchors, n_boxes;
  double unit; /* 1 if x1 and y1 are the last pixels, else 0: a width is x1 - x0 + unit */
  bool is_tensorflow;
} proposal_state;

typedef struct proposal_call {
  const proposal_state *state;
  const ir_tensor *const *in;
  int64_t image;
  double height, width, least_height, least_width;
} proposal_call;

static void make_anchors(const proposal_state *state, ir_box *out) {
  const proposal_params *params = state->params;
  const ir_floats ratios = params->other.reals[0], scales = params->other.reals[1];
  const double size = (double)params->other.number[0], center = state->is_tensorflow ? 0 : 0.5 * (size - state->unit);
  for (int64_t i = 0; i < ratios.n; i++) {
    const double ratio = (float)ratios.items[i], root = sqrt(size * size / ratio);
    const double width = state->is_tensorflow ? root : round(root);
    const double height = state->is_tensorflow ? width * ratio : round(width * ratio);
    for (int64_t j = 0; j < scales.n; j++) {
      const double half_width = 0.5 * (width * (float)scales.items[j] - state->unit);
      const double half_height = 0.5 * (height * (float)scales.items[j] - state->unit);
      *out++ = (ir_box){center - half_width, center - half_height, center + half_width, center + half_height};
    }
  }
}

/* Returns the box of an anchor at cell (row, column). If the framework is tensorflow, x follows from the row and y from
 * the column. */
static ir_box propose(const proposal_call *call, int64_t row, int64_t column, int64_t anchor) {
  const proposal_state *state = call->state;
  const proposal_params *params = state->params;
  const ir_tensor *deltas = call->in[DELTAS];
  const int64_t area = deltas->dims[2] * deltas->dims[3];
  const int64_t at = (call->image * deltas->dims[1] + anchor * 4) * area + row * deltas->dims[3] + column;
  const double x = (double)((state->is_tensorflow ? row : column) * params->other.number[2]);
  const double y = (double)((state->is_tensorflow ? column : row) * params->other.number[2]);
  ir_box box = state->anchors[anchor];
  double delta[4];
  for (int k = 0; k < 4; k++)
    delta[k] = ir_float_at(deltas, at + k * area) / (float)params->other.real[k < 2 ? 2 : 1];
  box = (ir_box){box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y};
  if (state->is_tensorflow)
    ir_box_clip(&box, call->width, call->height);
  box = ir_box_moved(&box, delta, INFINITY, state->unit);
  if (params->other.flag[0])
    ir_box_clip(&box, call->width - state->unit, call->height - state->unit);
  return box;
}

/* Computes all boxes and scores of an image. A box below the least size stays, but its score is 0. */
static void propose_all(const proposal_call *call, ir_box *boxes, ir_scored *scored, ir_stop *stop) {
  const proposal_state *state = call->state;
  const ir_tensor *scores = call->in[SCORES];
  const int64_t rows = scores->dims[2], columns = scores->dims[3];
  int64_t n = 0, since = 0;
  for (int64_t row = 0; row < rows; row++)
    for (int64_t column = 0; column < columns && !ir_stop_asked_after(stop, 0, state->n_anchors, &since); column++)
      for (int64_t anchor = 0; anchor < state->n_anchors; anchor++, n++) {
        const int64_t channel = call->image * scores->dims[1] + state->n_anchors + anchor;
        boxes[n] = propose(call, row, column, anchor);
        const bool is_large = boxes[n].x1 - boxes[n].x0 + state->unit >= call->least_width &&
                              boxes[n].y1 - boxes[n].y0 + state->unit >= call->least_height;
        scored[n] = (ir_scored){is_large ? ir_float_at(scores, (channel * rows + row) * columns + column) : 0, n, 0};
      }
}

static void write_box(const proposal_call *call, const ir_tensor *out, int64_t row, ir_box box) {
  const proposal_params *params = call->state->params;
  const double width = params->other.flag[2] ? call->width : 1, height = params->other.flag[2] ? call->height : 1;
  if (params->other.flag[1])
    ir_box_clip(&box, call->width, call->height);
  const double numbers[5] = {(double)call->image, box.x0 / width, box.y0 / height, box.x1 / width, box.y1 / height};
  ir_floats_store(out, row * 5, numbers, 5);
}

/* Each image has `most` rows. If it has fewer boxes, the row after its last box begins with -1. All other numbers of
 * the remaining rows are 0. */
static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const proposal_state *state = step->state;
  const proposal_params *params = state->params;
  const int64_t most = params->post_nms_topn, n_images = in[SCORES]->dims[0];
  ir_box *boxes = exec->scratch;
  int64_t since = 0;
  ir_scored *scored = (ir_scored *)(boxes + state->n_boxes);
  proposal_call call = {
      state, in, 0, ir_float_at(in[IMAGE], state->is_tensorflow), ir_float_at(in[IMAGE], !state->is_tensorflow), 0, 0};
  call.least_height = (double)params->other.number[3] * ir_float_at(in[IMAGE], 2);
  call.least_width = (double)params->other.number[3] * ir_float_at(in[IMAGE], in[IMAGE]->dims[0] < 4 ? 2 : 3);
  for (int32_t i = 0; i < step->n_out; i++)
    if (out[i] != NULL)
      memset(out[i]->data, 0, out[i]->bytes);
  for (; call.image < n_images && !ir_stop_asked_of(exec->stop, 0); call.image++) {
    int64_t n = state->n_boxes;
    propose_all(&call, boxes, scored, exec->stop);
    if (ir_stop_asked(exec->stop))
      return IR_OK;
    n = ir_scored_best(scored, n, params->other.number[1], exec->stop);
    n = ir_boxes_keep(boxes, scored, n, (float)params->other.real[0], state->unit, most, exec->stop);
    for (int64_t i = 0; i < n && !ir_stop_asked_after(exec->stop, 0, 1, &since); i++) {
      if (out[0] != NULL)
        write_box(&call, out[0], call.image * most + i, boxes[scored[i].index]);
      if (step->n_out > 1 && out[1] != NULL)
        ir_floats_store(out[1], call.image * most + i, &scored[i].score, 1);
    }
    const double end = -1;
    if (n < most && out[0] != NULL)
      ir_floats_store(out[0], (call.image * most + n) * 5, &end, 1);
  }
  return IR_OK;
}

static const ir_kernel kernel = {.name = "proposal", .isa = "any", .run = run};

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const proposal_params *params = node->params;
  const int64_t n_anchors = params->other.reals[0].n * params->other.reals[1].n; /* no overflow: the lists are short */
  const ir_dim *dims = in[SCORES]->shape.dims, *deltas = in[DELTAS]->shape.dims;
  if (dims[1].lo != 2 * n_anchors || deltas[0].lo != dims[0].lo || deltas[1].lo != 4 * n_anchors ||
      deltas[2].lo != dims[2].lo || deltas[3].lo != dims[3].lo || in[IMAGE]->shape.dims[0].lo < 3)
    return ir_report_firm(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_input_where(scope, node, SCORES, 1),
                          "ratios and scales make %lld anchors; irrun runs scores with 2 channels for each and deltas "
                          "of their sizes with 4",
                          (long long)n_anchors);
  proposal_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  ir_box *anchors = ir_arena_array(plan->arena, (size_t)n_anchors + 1, sizeof *anchors);
  if (state == NULL || anchors == NULL)
    return ir_out_of_memory(scope->diags);
  *state = (proposal_state){.params = params, .anchors = anchors, .n_anchors = n_anchors};
  state->is_tensorflow = params->other.word[0] == 1;
  state->unit = state->is_tensorflow ? 0 : 1;
  make_anchors(state, anchors);
  size_t bytes;
  if (!ir_mul(dims[2].lo, dims[3].lo, &state->n_boxes) || !ir_mul(state->n_boxes, n_anchors, &state->n_boxes) ||
      __builtin_mul_overflow((size_t)state->n_boxes, sizeof(ir_box) + sizeof(ir_scored), &bytes))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_of_floats(plan, node, &kernel, state, bytes);
}

/* ---- rows of the op table ---- */

#define AT(field) offsetof(proposal_params, field)
static const char *const frameworks[] = {"", "tensorflow", NULL};
static const ir_attr_spec attrs[] = {IR_INT_ROW("base_size", AT(other.number[0]), 1, INT32_MAX, .required = true),
                                     IR_INT_ROW("pre_nms_topn", AT(other.number[1]), 1, INT32_MAX, .required = true),
                                     IR_INT_ROW("post_nms_topn", AT(post_nms_topn), 1, INT32_MAX, .required = true),
                                     IR_FLOAT_ROW("nms_thresh", AT(other.real[0]), .required = true),
                                     IR_INT_ROW("feat_stride", AT(other.number[2]), 1, INT32_MAX, .required = true),
                                     IR_INT_ROW("min_size", AT(other.number[3]), 1, INT32_MAX, .required = true),
                                     IR_FLOATS_ROW("ratio", AT(other.reals[0]), .required = true),
                                     IR_FLOATS_ROW("scale", AT(other.reals[1]), .required = true),
                                     IR_BOOL_ROW("clip_before_nms", AT(other.flag[0]), "true"),
                                     IR_BOOL_ROW("clip_after_nms", AT(other.flag[1]), "false"),
                                     IR_BOOL_ROW("normalize", AT(other.flag[2]), "false"),
                                     IR_FLOAT_ROW("box_size_scale", AT(other.real[1]), .fallback = "1.0"),
                                     IR_FLOAT_ROW("box_coordinate_scale", AT(other.real[2]), .fallback = "1.0"),
                                     IR_ENUM_ROW("framework", AT(other.word[0]), frameworks, .fallback = ""),
                                     {.name = NULL}};
static const char *const ignored_attrs[] = {"for_deformable", NULL};

/* The specification has one type for all inputs. OpenVINO accepts any float type for image_shape, so this input has a
 * type variable of its own. */
#define PROPOSAL(number, ...)                                                                                          \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Proposal", .version = number,                                                     \
    .spec = IR_SPEC_PAGE("detection/proposal-" #number), .params_size = sizeof(proposal_params), .attrs = attrs,       \
    .ignored_attrs = ignored_attrs,                                                                                    \
    .inputs = IR_PORTS(IR_PORT("class_probs", "T", IR_SET_FLOATS, 4),                                                  \
                       {.name = "bbox_deltas",                                                                         \
                        .type_var = "T",                                                                               \
                        .types = IR_SET_FLOATS,                                                                        \
                        .types_may_differ = true,                                                                      \
                        .rank_min = 4,                                                                                 \
                        .rank_max = 4},                                                                                \
                       IR_PORT("image_shape", "T_IMAGE", IR_SET_FLOATS, 1)),                                           \
    .outputs = IR_PORTS(__VA_ARGS__), .infer = infer, .run = {IR_RUN_PREPARED, .prepare = prepare},                    \
    .cost = ir_elementwise_cost                                                                                        \
  }
#define PROPOSALS IR_PORT("proposals", "T", IR_SET_FLOATS, 2)

const ir_op ir_op_proposal_1 = PROPOSAL(1, PROPOSALS);
const ir_op ir_op_proposal_4 = PROPOSAL(4, PROPOSALS, IR_PORT("probabilities", "T", IR_SET_FLOATS, 1));
