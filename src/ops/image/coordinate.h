/* Computes the coordinates of Interpolate: the input position of each output element. */
#ifndef IR_COORDINATE_H
#define IR_COORDINATE_H

#include <stdbool.h>
#include <stdint.h>

/* Values of the attributes coordinate_transformation_mode and nearest_mode. */
enum { IR_HALF_PIXEL, IR_PYTORCH_HALF_PIXEL, IR_ASYMMETRIC, IR_TF_HALF_PIXEL_FOR_NN, IR_ALIGN_CORNERS };
enum { IR_ROUND_PREFER_FLOOR, IR_ROUND_PREFER_CEIL, IR_FLOOR, IR_CEIL, IR_SIMPLE };

/* A position on an axis: `whole` + `part`, with 0 <= part < 1. `whole` can lie outside of the axis. */
typedef struct ir_coordinate {
  int64_t whole;
  double part;
} ir_coordinate;

/* The scale that follows from the sizes. Sizes are at most 2^31 - 1. */
static inline float ir_ratio(int64_t n_in, int64_t n_out) {
  return (float)n_out / (float)n_in;
}

/* Returns the input position of output element j. If `scale` is ir_ratio(n_in, n_out), computes the position from the
 * sizes, which is more exact. Otherwise divides by `scale` in single precision, as OpenVINO does. */
ir_coordinate ir_coordinate_of(int transformation, int64_t n_in, int64_t n_out, float scale, int64_t j);
/* Returns the input element for a position, rounded by nearest_mode `mode`. */
int64_t ir_coordinate_nearest(int mode, float scale, ir_coordinate place);

#endif
