/* Boxes, and how much two of them overlap. */
#ifndef IR_NMS_BOXES_H
#define IR_NMS_BOXES_H

#include "base/tensor.h"

typedef struct ir_box {
  float x_min, y_min, x_max, y_max;
} ir_box;

/* Of a box by its middle; the angle is in radians. */
typedef struct ir_rotated_box {
  float x, y, width, height, angle;
} ir_rotated_box;

/* The area that both cover, divided by that which either does; 0 where one has no area. A box is `more` wider and
 * higher than its ends tell: 1 where they count pixels. */
float ir_boxes_overlap(const ir_box *a, const ir_box *b, float more);
float ir_rotated_boxes_overlap(const ir_rotated_box *a, const ir_rotated_box *b);

/* Elements [at, at + n) of a tensor of floats. */
void ir_floats_load(const ir_tensor *from, int64_t at, int64_t n, float *out);

#endif
