/* Computes convolutions as contractions out[m, n] = sum over k of a[m, k] * b[k, n] (ops/kernels/contraction.h): m
 * counts output channels, k input channels, n output positions. Each tap (kernel element) is one turn: a sum over k. */
#ifndef IR_CONVOLUTION_RUN_H
#define IR_CONVOLUTION_RUN_H

#include "ops/convolution/convolution_facts.h"
#include "ops/fast/fast.h"
#include "ops/kernels/contraction.h"

enum { IR_CONV_AXES = 3 };

/* The sizes and the contraction of a convolution whose shapes are known. */
typedef struct ir_conv_run {
  int n_axes;
  ir_window_axis windows[IR_CONV_AXES]; /* auto_pad is resolved to pads */
  int64_t n_in[IR_CONV_AXES], n_out[IR_CONV_AXES];
  int64_t groups, group_channels; /* group_channels: input channels of a group */
  ir_contraction contraction;     /* n covers all output positions; the caller of ir_conv_run_of sets `take` */
} ir_conv_run;

void ir_conv_run_of(const ir_conv_facts *facts, ir_conv_run *run);

/* Appends the step of a convolution. If `pads_begin` is not NULL, appends the backprop of a convolution that has those
 * pads. */
ir_code ir_conv_step(const ir_conv_facts *facts, const int64_t *pads_begin, ir_plan *plan);

/* Describes the convolution for the fast module, or the backprop if `pads_begin` is not NULL. False: the module cannot
 * compute it. */
bool ir_conv_product(const ir_conv_facts *facts, const int64_t *pads_begin, ir_fast_desc *out);

/* ir_op.cost of convolutions: the number of multiplications, including those with pads; -1 if unknown. */
int64_t ir_conv_cost(const ir_node *node, const ir_value *const *in);

#endif
