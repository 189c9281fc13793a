/* Convolutions as contractions: rows are output channels, terms are input channels, columns are output positions; a
 * turn of the contraction is a tap. */
#ifndef IR_CONVOLUTION_RUN_H
#define IR_CONVOLUTION_RUN_H

#include "ops/convolution/convolution_facts.h"
#include "ops/fast/fast.h"
#include "ops/kernels/contraction.h"

enum { IR_CONV_AXES = 3 };

/* A convolution of known shapes. */
typedef struct ir_conv_run {
  int n_axes;
  ir_window_axis windows[IR_CONV_AXES]; /* with resolved pads */
  int64_t n_in[IR_CONV_AXES], n_out[IR_CONV_AXES];
  int64_t groups, group_channels; /* group_channels: input channels of a group */
  ir_contraction contraction;     /* with the columns of all positions, without `take` */
} ir_conv_run;

void ir_conv_run_of(const ir_conv_facts *facts, ir_conv_run *run);

/* Appends the step of a convolution; with `pads_begin`, of the backprop of a convolution with these pads. */
ir_code ir_conv_step(const ir_conv_facts *facts, const int64_t *pads_begin, ir_plan *plan);

/* Describes the convolution for the fast module; false if the module cannot compute it. */
bool ir_conv_product(const ir_conv_facts *facts, const int64_t *pads_begin, ir_fast_desc *out);

/* ir_op.cost: multiplications, including those with pads. */
int64_t ir_conv_cost(const ir_node *node, const ir_value *const *in);

#endif
