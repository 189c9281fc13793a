/* Boxes, and the overlap of two boxes. */
#ifndef IR_NMS_BOXES_H
#define IR_NMS_BOXES_H

#include "base/tensor.h"

typedef struct ir_box {
  float x_min, y_min, x_max, y_max;
} ir_box;

/* A box with center (x, y). The angle is in radians, from the x axis towards the y axis. */
typedef struct ir_rotated_box {
  float x, y, width, height, angle;
} ir_rotated_box;

/* Returns the intersection over union of two boxes; 0 if a box has no area. `more` is added to widths and heights: 1 if
 * coordinates are indices of pixels, otherwise 0. */
float ir_boxes_overlap(const ir_box *a, const ir_box *b, float more);
float ir_rotated_boxes_overlap(const ir_rotated_box *a, const ir_rotated_box *b);

/* Loads elements [at, at + n) of a float tensor as f32. */
void ir_floats_load(const ir_tensor *from, int64_t at, int64_t n, float *out);

#endif
