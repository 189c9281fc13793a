/* Running convolutions: sums of products of the kernel's numbers (the rows are channels that come out, the terms
 * channels that go in) and what the input holds under its taps (the columns are places of the output). A turn of the
 * product is a tap. */
#ifndef IR_CONVOLUTION_RUN_H
#define IR_CONVOLUTION_RUN_H

#include "ops/convolution/convolution_facts.h"
#include "ops/fast/fast.h"
#include "ops/kernels/contraction.h"

enum { IR_CONV_AXES = 3 };

/* A convolution of known shapes. */
typedef struct ir_conv_run {
  int n_axes;
  ir_window_axis windows[IR_CONV_AXES]; /* with the pads in force */
  int64_t n_in[IR_CONV_AXES], n_out[IR_CONV_AXES];
  int64_t groups, group_channels; /* group_channels: that go into one */
  ir_contraction contraction;     /* with the columns of all places, without `take` */
} ir_conv_run;

void ir_conv_run_of(const ir_conv_facts *facts, ir_conv_run *run);

/* Appends the step of a convolution; with pads, of one that turns around the convolution with these pads at the begin
 * of its axes. */
ir_code ir_conv_step(const ir_conv_facts *facts, const int64_t *pads_begin, ir_plan *plan);

/* The same for the fast module; false: it cannot. */
bool ir_conv_product(const ir_conv_facts *facts, const int64_t *pads_begin, ir_fast_desc *out);

/* ir_op.cost: products, those with pads among them. */
int64_t ir_conv_cost(const ir_node *node, const ir_value *const *in);

#endif
