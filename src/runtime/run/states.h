/* Attention on states: ReadValue, Gather by beam_idx, Concat with new rows, Assign, and a ScaledDotProductAttention
 * that reads the result. In a run, the attention keeps the rows itself (ops/attention/state_attention.h), so they are
 * not copied in each execution.
 *
 * Only two kinds of values then depend on the number of kept rows: the masks, and the shapes of the states from which
 * they are made. An execution first computes the masks: their plan is small. All else has the same shapes in each step,
 * and the same plan. */
#ifndef IR_STATES_H
#define IR_STATES_H

#include "ops/attention/state_attention.h"
#include "runtime/model/model.h"

enum { IR_STATE_KEY, IR_STATE_VALUE, IR_STATE_KINDS };

/* Keys or values that an attention reads. */
typedef struct ir_state_source {
  const char *id;         /* the variable; owned by the file */
  ir_link now;            /* the new rows */
  int32_t past, assign;   /* the layer whose output is the rows of earlier executions; the Assign */
  int32_t beams;          /* the Parameter that is the second input of Gather; -1: there is no Gather */
  int64_t heads, repeats; /* repeats: heads of queries for each head */
} ir_state_source;

typedef struct ir_attention_of_states {
  int32_t layer;
  int32_t mask; /* the layer that makes its mask in each execution; -1: there is none */
  ir_state_source sources[IR_STATE_KINDS];
  ir_kept_rows rows;
} ir_attention_of_states;

/* A mask, and the type and shape that it has in this execution. */
typedef struct ir_mask {
  int32_t layer;
  ir_value value;
} ir_mask;

typedef struct ir_states {
  ir_attention_of_states *attentions; /* in running order */
  ir_mask *masks;
  size_t n, n_masks;
  ir_node *nodes, *plain_nodes; /* nodes of the model with attention on states, and with the file's ops */
  bool are_refused;             /* for the outputs that are asked for, they cannot be kept */
  bool are_kept;                /* the run uses `nodes`; false: it computes the file's layers one by one */
  /* One for each layer: */
  bool *is_attention;                  /* it is an attention on states */
  bool *is_past, *is_mask, *is_assign; /* it is the `past`, `mask` or `assign` of one */
  bool *is_given;                      /* it is a past or a mask */
  bool *masks_need, *rest_needs;       /* layers that the masks need; layers that all else needs */
  bool rest_reads_shapes;              /* all else depends on the number of kept rows too */
} ir_states;

/* Finds all attentions on states of the model. Their nodes are copies in the arena. False when memory is out. */
bool ir_states_find(const irrun_model *model, ir_arena *arena, ir_states *out);

static inline ir_state_rows *ir_rows_of(ir_attention_of_states *attention, int kind) {
  return kind == IR_STATE_KEY ? &attention->rows.key : &attention->rows.value;
}

#endif
