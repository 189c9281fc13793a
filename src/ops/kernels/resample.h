/* Resampling, axis after axis: each element of a line of the output is a weighted sum of elements of a line of the
 * input. */
#ifndef IR_RESAMPLE_H
#define IR_RESAMPLE_H

#include "ops/prepare.h"

/* Of one axis: element j is made of the elements from[k] of its line, k in [begin[j], begin[j + 1]). */
typedef struct ir_taps {
  int64_t n_out;
  int64_t *begin, *from;
  double *weights; /* NULL: an element is the one that it is made of, or 0 where there is none */
} ir_taps;

/* Room for `most` taps of each element; NULL when memory is out (reported). */
ir_taps *ir_taps_new(ir_plan *plan, int64_t n_out, int64_t most, bool weighted);
/* Elements are filled one after the other: begins element `j`, without taps; adds one to it. */
static inline void ir_taps_begin(ir_taps *taps, int64_t j) {
  taps->begin[j + 1] = taps->begin[j];
}
void ir_taps_add(ir_taps *taps, int64_t j, int64_t from, double weight);
/* Whether the axis stays as it is, n elements. */
bool ir_taps_stay(const ir_taps *taps, int64_t n);

/* How steps of integers round: once, halves to even; or as Pillow does, behind each axis and halves away from 0. */
typedef enum ir_resample_rounding { IR_ROUND_LAST, IR_ROUND_EACH_AXIS } ir_resample_rounding;

/* Appends the steps from input 0 of the node to its output 0, the last axis first. taps[i] is of axis i, NULL where it
 * stays. Floats are computed in f32 or f64, integers in f64: rounded, and held in their type's range. Taps without
 * weights move elements of any type. */
ir_code ir_resample_steps(ir_plan *plan, const ir_node *node, const ir_value *in, const ir_taps *const *taps,
                          ir_resample_rounding rounding);

#endif
