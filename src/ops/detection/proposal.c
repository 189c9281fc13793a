/* Proposal-1 and -4: the post_nms_topn best boxes of each image, as [batch, x0, y0, x1, y1], and in version 4 their
 * probabilities. Pages: operation-specs/detection/proposal-*. */
#include "ops/agree.h"
#include "ops/attr_rows.h"

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
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  if (!fits(node, in, &batch, scope)) {
    ir_outputs_set_unknown(node, out);
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
static const char *const leftovers[] = {"for_deformable", NULL};

/* The page has one type for all inputs; OpenVINO takes any float for the image's size. */
#define PROPOSAL(number, ...)                                                                                          \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = "Proposal", .version = number,                                                     \
    .spec = IR_SPEC_PAGE("detection/proposal-" #number), .params_size = sizeof(proposal_params), .attrs = attrs,       \
    .leftovers = leftovers,                                                                                            \
    .inputs = {IR_PORT("class_probs", "T", IR_SET_FLOATS, 4),                                                          \
               {.name = "bbox_deltas",                                                                                 \
                .type_var = "T",                                                                                       \
                .types = IR_SET_FLOATS,                                                                                \
                .types_may_differ = true,                                                                              \
                .rank_min = 4,                                                                                         \
                .rank_max = 4},                                                                                        \
               IR_PORT("image_shape", "T_IMAGE", IR_SET_FLOATS, 1)},                                                   \
    .outputs = {IR_PORT("proposals", "T", IR_SET_FLOATS, 2), __VA_ARGS__}, .infer = infer                              \
  }

const ir_op ir_op_proposal_1 = PROPOSAL(1, {.name = NULL});
const ir_op ir_op_proposal_4 = PROPOSAL(4, IR_PORT("probabilities", "T", IR_SET_FLOATS, 1));
