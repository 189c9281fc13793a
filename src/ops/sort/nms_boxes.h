/* Boxes, and the overlap of two. */
#ifndef IR_NMS_BOXES_H
#define IR_NMS_BOXES_H

#include "base/tensor.h"

typedef struct ir_box {
  float x_min, y_min, x_max, y_max;
} ir_box;

/* A box by its middle; the angle is in radians. */
typedef struct ir_rotated_box {
  float x, y, width, height, angle;
} ir_rotated_box;

/* Intersection over union of the areas; 0 if one has no area. `more` is added to widths and heights: 1 if corners are
 * whole pixels. */
float ir_boxes_overlap(const ir_box *a, const ir_box *b, float more);
float ir_rotated_boxes_overlap(const ir_rotated_box *a, const ir_rotated_box *b);

/* Loads elements [at, at + n) of a float tensor. */
void ir_floats_load(const ir_tensor *from, int64_t at, int64_t n, float *out);

#endif
