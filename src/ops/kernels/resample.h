/* Resamples tensors one axis at a time: each output element is a weighted sum of input elements in its line along the
 * axis. */
#ifndef IR_RESAMPLE_H
#define IR_RESAMPLE_H

#include "base/stop.h"
#include "ops/prepare.h"

/* The taps of one axis: element j of an output line is the sum of weights[k] * line[from[k]], for k in [begin[j],
 * begin[j + 1]). */
typedef struct ir_taps ir_taps;
struct ir_taps {
  int64_t n_out;
  int64_t *begin, *from;
  double *weights; /* NULL: an element copies its one tap; without a tap, it is 0 */
  float *floats;   /* the weights as f32 */
  /* Adds the taps of element j by ir_taps_add. If it visits many input elements, it calls ir_stop_asked_after with
   * `stop` and `since`. */
  void (*add_all)(ir_taps *taps, int64_t j);
  const void *rule; /* for add_all */
  ir_stop *stop;
  int64_t since;
  bool are_made;
};

/* Allocates at most `most` taps for each of n_out elements. Returns NULL, with a report, if memory is out. The first
 * execution makes them, since millions of taps take seconds. */
ir_taps *ir_taps_new(ir_plan *plan, int64_t n_out, int64_t most, bool weighted, void (*add_all)(ir_taps *, int64_t j),
                     const void *rule);
/* Adds a tap to element j, the element that add_all was called for. */
void ir_taps_add(ir_taps *taps, int64_t j, int64_t from, double weight);

/* IR_ROUND_LAST: integers are rounded once after all axes, ties to even. IR_ROUND_EACH_AXIS: they are rounded after
 * each axis, ties away from 0, as in Pillow. */
typedef enum ir_resample_rounding { IR_ROUND_LAST, IR_ROUND_EACH_AXIS } ir_resample_rounding;

/* Appends the steps from input 0 of the node to output 0, last axis first. taps[i] is for axis i; if it is NULL, the
 * axis stays. f64 and integers are computed in f64, other floats in f32.
 *
 * Integers are rounded and clamped to their type's range. Taps without weights copy elements of any type. */
ir_code ir_resample_steps(ir_plan *plan, const ir_node *node, const ir_value *in, ir_taps *const *taps,
                          ir_resample_rounding rounding);

#endif
