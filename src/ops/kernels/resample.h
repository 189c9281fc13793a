/* Resampling, one axis at a time: each output element is a weighted sum of elements of the input's line. */
#ifndef IR_RESAMPLE_H
#define IR_RESAMPLE_H

#include "ops/prepare.h"

/* For one axis: element j uses the elements from[k] of its line, for k in [begin[j], begin[j + 1]). */
typedef struct ir_taps {
  int64_t n_out;
  int64_t *begin, *from;
  double *weights; /* NULL: copies the one source element, or 0 if there is none */
} ir_taps;

/* Allocates `most` taps for each element; NULL if memory is out (reported). */
ir_taps *ir_taps_new(ir_plan *plan, int64_t n_out, int64_t most, bool weighted);
/* Fill elements in order: the first begins element `j`, without taps; the second adds a tap to it. */
static inline void ir_taps_begin(ir_taps *taps, int64_t j) {
  taps->begin[j + 1] = taps->begin[j];
}
void ir_taps_add(ir_taps *taps, int64_t j, int64_t from, double weight);
/* Whether the taps copy the axis, of n elements, unchanged. */
bool ir_taps_stay(const ir_taps *taps, int64_t n);

/* Rounding of integers: once at the end, ties to even; or, as Pillow does, after each axis, ties away from 0. */
typedef enum ir_resample_rounding { IR_ROUND_LAST, IR_ROUND_EACH_AXIS } ir_resample_rounding;

/* Appends the steps from input 0 of the node to output 0, last axis first. taps[i] is for axis i; NULL keeps the axis.
 * Floats are computed in f32 or f64; integers in f64, rounded and clamped to their type's range. Taps without weights
 * copy elements of any type. */
ir_code ir_resample_steps(ir_plan *plan, const ir_node *node, const ir_value *in, const ir_taps *const *taps,
                          ir_resample_rounding rounding);

#endif
