/* Slices of `data` that a tensor of indices names, in its order: what gathers read, and scatters write. */
#ifndef IR_GATHER_SCATTER_H
#define IR_GATHER_SCATTER_H

#include "ops/kernels/nd_iter.h"
#include "ops/plan.h"

/* A slice begins, in `data`, where its place among the others puts it, and by each number of its index a step further:
 * negative ones count from the end. */
typedef struct ir_slices {
  ir_nd_iter rows; /* of slices: tensor 0 is `data`, without the indices' part; tensor 1 the indices */
  int n_numbers;   /* of an index, one behind the other */
  int64_t sizes[IR_MAX_RANK], steps[IR_MAX_RANK]; /* of the axes of `data` that these are for */
  int64_t slice;                                  /* elements of a slice, one behind the other */
} ir_slices;

/* Of known shapes. Slices [batch.., axes before `axis`.., axes of the indices behind the batch..], of all behind it. */
ir_slices ir_slices_along(const ir_shape *data, const ir_shape *indices, int axis, int n_batch);
/* Each index is a number in place of the coordinate on `axis` that it has itself. */
ir_slices ir_slices_of_elements(const ir_shape *data, const ir_shape *indices, int axis);
/* The last axis of the indices is that of an index's numbers. */
ir_slices ir_slices_nd(const ir_shape *data, const ir_shape *indices, int n_batch);

/* What becomes of an index outside of `data`. */
typedef enum ir_outside { IR_OUTSIDE_REFUSED, IR_OUTSIDE_IS_0 } ir_outside;

/* Appends the step that lays the slices of input 0, by the indices that input 1 is, one behind the other. */
ir_code ir_gather_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_outside outside,
                       ir_scope *scope);

typedef enum ir_scattering {
  IR_SCATTER_TAKES, /* the last update of a place stays */
  IR_SCATTER_SUM,
  IR_SCATTER_SUBTRACT,
  IR_SCATTER_PRODUCT,
  IR_SCATTER_LEAST,
  IR_SCATTER_MOST,
  IR_SCATTER_MEAN
} ir_scattering;

/* Appends the step that makes output 0 of input 0 and, at slices of it by input 1, of the slices of input 2. Without
 * `from_data` what stands there before is not one of the terms. */
ir_code ir_scatter_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_scattering scattering,
                        bool from_data, ir_scope *scope);

#endif
