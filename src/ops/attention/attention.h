/* The kernel of attention: output = softmax(scale * query x key^T + mask) x value. */
#ifndef IR_ATTENTION_H
#define IR_ATTENTION_H

#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

/* The inputs of the step, in this order. Those from mask on are optional: input[i] is -1, or its number in the step. */
enum { IR_QUERY, IR_KEY, IR_VALUE, IR_MASK, IR_SCALE, IR_SINK, IR_ATTENTION_INPUTS };

/* Params of a ScaledDotProductAttention. Nodes of a model have only `is_causal`. Attention that reads states
 * (runtime/run/states.h) has `hidden_row_is_finite` too. The other members belong to attention that the pass "fuse"
 * found written out as products and a softmax. */
typedef struct ir_attention_params {
  bool is_causal; /* row i sees no source after source i */
  /* A row whose mask hides all sources is finite: 0, or for a boolean mask the mean of the values, as in OpenVINO's
   * attention on states. So padding does not spread NaN to later layers. false: it is NaN, as in the formula. */
  bool hidden_row_is_finite;
  bool is_written_out;      /* the inputs are query, key, value, and then those of mask and scale that exist */
  bool has_mask, has_scale; /* if is_written_out; without scale, scores are not scaled */
  bool is_key_transposed;   /* if is_written_out: key is [N.., E, S] */
} ir_attention_params;

typedef struct ir_attention {
  ir_attention_params params;
  int input[IR_ATTENTION_INPUTS];
  int64_t places, sources, features, values; /* the sizes L, S, E and EV */
  ir_nd_iter matrices;                       /* iterates over the batch, in each input */
  int64_t query_row;                         /* the query's step along L: its features, or 0 where it is broadcast */
  int64_t mask_row, mask_source;             /* the mask's steps along L and S: 0 where it is broadcast */
  int64_t sink_row;                          /* the sink's step along L */
  int64_t width;                             /* floats of an array of a block; ir_attention_scratch sets it */
} ir_attention;

extern const ir_op ir_op_scaled_dot_product_attention_13;

/* Computes attention. tensors[IR_QUERY] to tensors[IR_SINK]: the inputs, NULL for one that is missing. The step has
 * scratch of ir_attention_scratch. */
ir_code ir_attend(const ir_attention *attention, const ir_tensor *const *tensors, ir_tensor *out, ir_exec *exec);
/* Sets attention->width and returns the bytes of scratch for an output of the type. False if they overflow. */
bool ir_attention_scratch(ir_attention *attention, ir_type type, size_t *out_bytes);
/* Appends the step that reads the slots `in`. The step's state is a copy of `attention`. */
ir_code ir_attention_step(ir_plan *plan, const ir_node *node, const ir_attention *attention, const int32_t *in,
                          int32_t n_in, ir_scope *scope);

#endif
