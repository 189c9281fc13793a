/* Runs CTCGreedyDecoder, CTCGreedyDecoderSeqLen and CTCLoss. */
#ifndef IR_CTC_RUN_H
#define IR_CTC_RUN_H

#include "ops/pool/pool_indices.h"

typedef struct ir_ctc_params {
  int classes_type, length_type; /* positions in ir_index_type_names */
  bool merge_repeated;
  bool collapse_repeated, unique; /* CTCLoss: preprocessing of the labels */
} ir_ctc_params;

ir_code ir_ctc_greedy_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
ir_code ir_ctc_loss_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
int64_t ir_ctc_cost(const ir_node *node, const ir_value *const *in);

#endif
