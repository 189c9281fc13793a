/* Gathers and scatters slices of a tensor, `data`. A tensor of indices selects the slices; a gather reads them, a
 * scatter writes them. */
#ifndef IR_GATHER_SCATTER_H
#define IR_GATHER_SCATTER_H

#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

/* Describes all slices of `data` that the indices select. An index has n_numbers numbers. Its slice begins at the
 * slice's offset in `rows`, plus the sum of number[k] * steps[k]. Negative numbers count from the end of an axis. */
typedef struct ir_slices {
  ir_nd_iter rows; /* iterates over the slices: tensor 0 is `data`, as if all numbers were 0; tensor 1 is the indices */
  int n_numbers;   /* numbers of an index, which are contiguous */
  int64_t sizes[IR_MAX_RANK], steps[IR_MAX_RANK]; /* sizes and strides of the axes of `data` that the numbers index */
  int64_t slice;                                  /* contiguous elements in a slice */
} ir_slices;

/* Slices of Gather and ScatterUpdate, for known shapes, in the order [batch axes.., axes of `data` before `axis`..,
 * axes of the indices after the batch..]. A slice has the axes of `data` after `axis`. */
ir_slices ir_slices_along(const ir_shape *data, const ir_shape *indices, int axis, int n_batch);
/* Slices of GatherElements and ScatterElementsUpdate: a slice is one element, at the coordinates of its index, where
 * the index itself replaces the coordinate on `axis`. */
ir_slices ir_slices_of_elements(const ir_shape *data, const ir_shape *indices, int axis);
/* Slices of GatherND and ScatterNDUpdate: the last axis of the indices has the numbers of an index. The numbers select
 * positions on the axes of `data` after the n_batch batch axes. */
ir_slices ir_slices_nd(const ir_shape *data, const ir_shape *indices, int n_batch);

/* IR_OUTSIDE_REFUSED: an index outside `data` is reported (IR509). IR_OUTSIDE_IS_0: it selects a slice of zeros. */
typedef enum ir_outside { IR_OUTSIDE_REFUSED, IR_OUTSIDE_IS_0 } ir_outside;

/* Appends the step that writes the slices of input 0 that input 1 selects, in order, to output 0. */
ir_code ir_gather_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_outside outside,
                       ir_scope *scope);

typedef enum ir_scattering {
  IR_SCATTER_TAKES, /* the last update of a slice replaces the slice */
  IR_SCATTER_SUM,
  IR_SCATTER_SUBTRACT,
  IR_SCATTER_PRODUCT,
  IR_SCATTER_LEAST,
  IR_SCATTER_MOST,
  IR_SCATTER_MEAN
} ir_scattering;

/* Appends the step that copies input 0 to output 0, and combines the slices that input 1 selects with the updates,
 * input 2. If `from_data` is false, an element's first update replaces the element of input 0. */
ir_code ir_scatter_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_scattering scattering,
                        bool from_data, ir_scope *scope);

#endif
