/* Infers ops of connectionist temporal classification, with inputs:
 * CTCGreedyDecoder-1: logits [T, N, C], masks [T, N].
 * CTCGreedyDecoderSeqLen-6: logits [N, T, C], lengths [N].
 * CTCLoss-4: logits [N, T, C], lengths [N], labels [N, T], lengths of the labels [N].
 * Specification: operation-specs/sequence/ctc-greedy-decoder-1, ctc-greedy-decoder-seq-len-6, ctc-loss-4. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/sequence/ctc_run.h"

#define AT(field) offsetof(ir_ctc_params, field)
#define T_I       IR_SET(IR_I32) | IR_SET(IR_I64)

typedef struct ctc_sizes {
  ir_size batch, time;
} ctc_sizes;

static ctc_sizes no_sizes(void) {
  return (ctc_sizes){ir_size_of("the batch"), ir_size_of("the length of sequences")};
}

/* ---- CTCGreedyDecoder ---- */

static ir_code infer_masked(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ctc_sizes sizes = no_sizes();
  out->type = in[0]->type;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->poisoned =
      !ir_size_join(node, in, 0, 0, &sizes.time, scope) || !ir_size_join(node, in, 1, 0, &sizes.time, scope) ||
      !ir_size_join(node, in, 0, 1, &sizes.batch, scope) || !ir_size_join(node, in, 1, 1, &sizes.batch, scope);
  out->shape = (ir_shape){.rank = 4, .dims = {sizes.batch.dim, sizes.time.dim, ir_dim_of(1), ir_dim_of(1)}};
  return IR_OK;
}

static const ir_attr_spec masked_attrs[] = {IR_BOOL_ROW("ctc_merge_repeated", AT(merge_repeated), "true"),
                                            {.name = NULL}};

const ir_op ir_op_ctc_greedy_decoder_1 = {
    .dialect = IR_OPENVINO,
    .type = "CTCGreedyDecoder",
    .version = 1,
    .spec = IR_SPEC_PAGE("sequence/ctc-greedy-decoder-1"),
    .params_size = sizeof(ir_ctc_params),
    .attrs = masked_attrs,
    /* In the specification both inputs have the same type; OpenVINO does not compare their types. */
    .inputs = IR_PORTS(IR_PORT("data", "T_F", IR_SET_FLOATS, 3), IR_PORT("sequence_mask", "T_MASK", IR_SET_FLOATS, 2)),
    .outputs = IR_PORTS(IR_PORT("output", "T_F", IR_SET_FLOATS, 4)),
    .infer = infer_masked,
    .run = {IR_RUN_PREPARED, .prepare = ir_ctc_greedy_prepare},
    .cost = ir_ctc_cost,
};

/* ---- CTCGreedyDecoderSeqLen ---- */

static ir_code infer_lengths(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const ir_ctc_params *params = node->params;
  ctc_sizes sizes = no_sizes();
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out[0].type = ir_index_type(params->classes_type);
  out[1].type = ir_index_type(params->length_type);
  const bool has_list = ir_input_told(node, in, 2) && in[2]->shape.rank == 1;
  if ((has_list && !ir_size_check(node, in, 2, 0, ir_dim_of(1), "one index", scope)) ||
      !ir_size_join(node, in, 0, 0, &sizes.batch, scope) || !ir_size_join(node, in, 1, 0, &sizes.batch, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  out[0].shape = (ir_shape){.rank = 2, .dims = {sizes.batch.dim, ir_input_dim(node, in, 0, 1)}};
  out[1].shape = (ir_shape){.rank = 1, .dims = {sizes.batch.dim}};
  return IR_OK;
}

static const ir_attr_spec length_attrs[] = {
    IR_BOOL_ROW("merge_repeated", AT(merge_repeated), "true"),
    IR_ENUM_ROW("classes_index_type", AT(classes_type), ir_index_type_names, .fallback = "i32"),
    IR_ENUM_ROW("sequence_length_type", AT(length_type), ir_index_type_names, .fallback = "i32"),
    {.name = NULL}};

/* Port row of an integer input. OpenVINO takes any integer types, and the types of two such inputs can differ. */
#define INTEGERS(port, var, least, most, ...)                                                                          \
  {                                                                                                                    \
    .name = port, .type_var = var, .types = T_I, .types_noted = IR_SET_INTEGERS, .types_may_differ = true,             \
    .rank_min = least, .rank_max = most, .checked = true, __VA_ARGS__                                                  \
  }

const ir_op ir_op_ctc_greedy_decoder_seq_len_6 = {
    .dialect = IR_OPENVINO,
    .type = "CTCGreedyDecoderSeqLen",
    .version = 6,
    .spec = IR_SPEC_PAGE("sequence/ctc-greedy-decoder-seq-len-6"),
    .params_size = sizeof(ir_ctc_params),
    .attrs = length_attrs,
    .inputs =
        IR_PORTS(IR_PORT("data", "T_F", IR_SET_FLOATS, 3), INTEGERS("sequence_length", "T_I", 1, 1, .optional = false),
                 INTEGERS("blank_index", "T_I", 0, 1, .optional = true)),
    .outputs = IR_PORTS(IR_PORT("classes", "T_IND1", T_I, 2), IR_PORT("lengths", "T_IND2", T_I, 1)),
    .infer = infer_lengths,
    .run = {IR_RUN_PREPARED, .prepare = ir_ctc_greedy_prepare},
    .cost = ir_ctc_cost,
};

/* ---- CTCLoss ---- */

static ir_code infer_loss(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ctc_sizes sizes = no_sizes();
  out->type = in[0]->type;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  for (int i = 0; i < 4 && !out->poisoned; i++)
    out->poisoned = !ir_size_join(node, in, i, 0, &sizes.batch, scope);
  out->poisoned = out->poisoned || !ir_size_join(node, in, 0, 1, &sizes.time, scope) ||
                  !ir_size_join(node, in, 2, 1, &sizes.time, scope);
  out->shape = (ir_shape){.rank = 1, .dims = {sizes.batch.dim}};
  return IR_OK;
}

static const ir_attr_spec loss_attrs[] = {IR_BOOL_ROW("preprocess_collapse_repeated", AT(collapse_repeated), "false"),
                                          IR_BOOL_ROW("ctc_merge_repeated", AT(merge_repeated), "true"),
                                          IR_BOOL_ROW("unique", AT(unique), "false"),
                                          {.name = NULL}};

const ir_op ir_op_ctc_loss_4 = {
    .dialect = IR_OPENVINO,
    .type = "CTCLoss",
    .version = 4,
    .spec = IR_SPEC_PAGE("sequence/ctc-loss-4"),
    .params_size = sizeof(ir_ctc_params),
    .attrs = loss_attrs,
    .inputs = IR_PORTS(
        IR_PORT("logits", "T_F", IR_SET_FLOATS, 3), INTEGERS("logit_length", "T1", 1, 1, .optional = false),
        INTEGERS("labels", "T2", 2, 2, .optional = false), INTEGERS("label_length", "T1", 1, 1, .optional = false),
        INTEGERS("blank_index", "T2", 0, 0, .optional = true)),
    .outputs = IR_PORTS(IR_PORT("output", "T_F", IR_SET_FLOATS, 1)),
    .infer = infer_loss,
    .run = {IR_RUN_PREPARED, .prepare = ir_ctc_loss_prepare},
    .cost = ir_ctc_cost,
};
