/* Slices of `data` that a tensor of indices selects: gathers read them, scatters write them. */
#ifndef IR_GATHER_SCATTER_H
#define IR_GATHER_SCATTER_H

#include "ops/kernels/nd_iter.h"
#include "ops/prepare.h"

/* A slice starts at the offset of its row plus, for each number of its index, that number times a step. Negative
 * numbers count from the end. */
typedef struct ir_slices {
  ir_nd_iter rows; /* rows of slices: tensor 0 is `data`, without the index part; tensor 1 is the indices */
  int n_numbers;   /* numbers in an index, contiguous */
  int64_t sizes[IR_MAX_RANK], steps[IR_MAX_RANK]; /* sizes and strides of the axes of `data` that the numbers index */
  int64_t slice;                                  /* contiguous elements in a slice */
} ir_slices;

/* Slices for known shapes, ordered [batch.., axes before `axis`.., the indices' axes after the batch..]. A slice has
 * the axes after `axis`. */
ir_slices ir_slices_along(const ir_shape *data, const ir_shape *indices, int axis, int n_batch);
/* Each index replaces its own coordinate on `axis`. */
ir_slices ir_slices_of_elements(const ir_shape *data, const ir_shape *indices, int axis);
/* The last axis of the indices holds the numbers of an index. */
ir_slices ir_slices_nd(const ir_shape *data, const ir_shape *indices, int n_batch);

/* Treatment of an index outside `data`. */
typedef enum ir_outside { IR_OUTSIDE_REFUSED, IR_OUTSIDE_IS_0 } ir_outside;

/* Appends the step that writes the slices of input 0 that input 1 selects, in order, to the output. */
ir_code ir_gather_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_outside outside,
                       ir_scope *scope);

typedef enum ir_scattering {
  IR_SCATTER_TAKES, /* the last update of a slice wins */
  IR_SCATTER_SUM,
  IR_SCATTER_SUBTRACT,
  IR_SCATTER_PRODUCT,
  IR_SCATTER_LEAST,
  IR_SCATTER_MOST,
  IR_SCATTER_MEAN
} ir_scattering;

/* Appends the step that copies input 0 to output 0 and combines the slices that input 1 selects with those of input 2.
 * Without `from_data` the old elements do not enter the result. */
ir_code ir_scatter_step(ir_plan *plan, const ir_node *node, const ir_slices *slices, ir_scattering scattering,
                        bool from_data, ir_scope *scope);

#endif
