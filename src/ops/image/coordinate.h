/* Coordinates of Interpolate: the input position of each output element. */
#ifndef IR_COORDINATE_H
#define IR_COORDINATE_H

#include <stdbool.h>
#include <stdint.h>

/* coordinate_transformation_mode and nearest_mode, in the order of their names */
enum { IR_HALF_PIXEL, IR_PYTORCH_HALF_PIXEL, IR_ASYMMETRIC, IR_TF_HALF_PIXEL_FOR_NN, IR_ALIGN_CORNERS };
enum { IR_ROUND_PREFER_FLOOR, IR_ROUND_PREFER_CEIL, IR_FLOOR, IR_CEIL, IR_SIMPLE };

/* Position `whole` + `part`, with part in [0, 1); `whole` may lie outside the axis. */
typedef struct ir_coordinate {
  int64_t whole;
  double part;
} ir_coordinate;

/* The scale from sizes of up to 2^31 - 1. */
static inline float ir_ratio(int64_t n_in, int64_t n_out) {
  return (float)n_out / (float)n_in;
}

/* Position of output element j. If `scale` is the ratio n_out / n_in, the position is computed exactly from the sizes;
 * any other scale is applied in single precision, as in OpenVINO. */
ir_coordinate ir_coordinate_of(int transformation, int64_t n_in, int64_t n_out, float scale, int64_t j);
/* The input element nearest to a position. */
int64_t ir_coordinate_nearest(int mode, float scale, ir_coordinate place);

#endif
