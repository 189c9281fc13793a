/* Boxes, and the overlap of a box with others: the intersection over union, or 0 if a box has no area. `more` is added
 * to widths and heights: 1 if coordinates are indices of pixels, otherwise 0. */
#ifndef IR_NMS_BOXES_H
#define IR_NMS_BOXES_H

#include "base/arena.h"
#include "base/tensor.h"

typedef struct ir_box {
  float x_min, y_min, x_max, y_max;
} ir_box;

/* A box with center (x, y). The angle is in radians, from the x axis towards the y axis. */
typedef struct ir_rotated_box {
  float x, y, width, height, angle;
} ir_rotated_box;

/* Boxes in one array for each coordinate, so that a loop over them is vectorized. */
typedef struct ir_box_list {
  int64_t n;
  float *x_min, *y_min, *x_max, *y_max;
  float *area; /* a negative or NaN area is stored as 0 */
} ir_box_list;

/* Makes an empty list with room for `most` boxes. Returns false if memory is out. The caller frees list->x_min, the one
 * allocation. */
bool ir_box_list_make(const ir_memory *memory, size_t most, ir_box_list *out);
void ir_box_list_add(ir_box_list *list, const ir_box *box, float more);
/* Computes the overlap of `box` with each box of the list. */
void ir_box_list_overlaps(const ir_box_list *list, const ir_box *box, float more, float *out);
/* Whether the overlap of `box` with any box of the list is at least `threshold`. */
bool ir_box_list_covers(const ir_box_list *list, const ir_box *box, float more, float threshold);

float ir_rotated_boxes_overlap(const ir_rotated_box *a, const ir_rotated_box *b);

/* Loads elements [at, at + n) of a float tensor as f32. */
void ir_floats_load(const ir_tensor *from, int64_t at, int64_t n, float *out);

#endif
