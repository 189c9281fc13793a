/* Boxes by their corners, and suppression of overlapping ones. */
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

/* Sorts by descending score, then by index, then by label. */
void ir_scored_sort(ir_scored *items, int64_t n);
/* Intersection over union of two boxes; `unit` is added to widths and heights: 1 if corners are whole pixels. */
double ir_box_overlap(const ir_box *a, const ir_box *b, double unit);
/* Non-maximum suppression: visits boxes[items[i].index] in order and keeps those that overlap no kept box by more than
 * the threshold, at most `most`. Moves the kept items to the front and returns their number; returns early if `stop`
 * asks. */
int64_t ir_boxes_keep(const ir_box *boxes, ir_scored *items, int64_t n, double threshold, double unit, int64_t most,
                      ir_stop *stop);
/* Clamps the coordinates to [0, width] and [0, height]. */
void ir_box_clip(ir_box *box, double width, double height);
/* Moves the box by `delta`: its centre by fractions of its size, its size by exponents, clamped to `most`. `unit` is
 * added to widths and heights that corners give, and not subtracted from the result. */
ir_box ir_box_moved(const ir_box *box, const double *delta, double most, double unit);

#endif
