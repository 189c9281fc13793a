/* Boxes by their corners, and which of those that overlap stay. */
#ifndef IR_BOXES_H
#define IR_BOXES_H

#include "base/stop.h"

typedef struct ir_box {
  double x0, y0, x1, y1;
} ir_box;

typedef struct ir_scored {
  double score;
  int64_t index, label;
} ir_scored;

/* Higher scores first; of equal ones the lower index, then the lower label. */
void ir_scored_sort(ir_scored *items, int64_t n);
/* What both boxes share of what they cover; `unit` is added to widths and heights: 1 where corners are whole points. */
double ir_box_overlap(const ir_box *a, const ir_box *b, double unit);
/* Goes through boxes[items[i].index] in order and keeps those that overlap with none kept before by more than the
 * threshold, `most` of them at most: they are the first items then. Returns how many,
 * and sooner when `stop` asks for it. */
int64_t ir_boxes_keep(const ir_box *boxes, ir_scored *items, int64_t n, double threshold, double unit, int64_t most,
                      ir_stop *stop);
/* The coordinates held within [0, width] and [0, height]. */
void ir_box_clip(ir_box *box, double width, double height);
/* The box moved by `delta`: its centre by parts of its size, its size by exponents, which are at most `most`. Widths
 * and heights have `unit` more than corners say; that is not taken off the result. */
ir_box ir_box_moved(const ir_box *box, const double *delta, double most, double unit);

#endif
