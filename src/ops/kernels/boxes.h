/* Sorts, compares, suppresses, clips and moves bounding boxes, which are given by their corners. */
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

/* Moves the best `most` of n items to the front, sorted by descending score, then by index, then by label. Returns
 * their number: the lesser of `most` and n; n if `most` is negative. If `stop` is set, leaves the items in any order.
 */
int64_t ir_scored_best(ir_scored *items, int64_t n, int64_t most, ir_stop *stop);
/* Sorts by label, then as ir_scored_best does. If `stop` is set, leaves the items in any order. */
void ir_scored_by_label(ir_scored *items, int64_t n, ir_stop *stop);
/* Returns the intersection over union of two boxes. `unit` is added to widths and heights: 1 if corners are whole
 * pixels, else 0. */
double ir_box_overlap(const ir_box *a, const ir_box *b, double unit);
/* Non-maximum suppression: visits boxes[items[i].index] in order, and keeps a box if its overlap with every kept box is
 * at most `threshold`. Ends when `most` boxes are kept or `stop` is set. Moves the kept items to the front and returns
 * their number. */
int64_t ir_boxes_keep(const ir_box *boxes, ir_scored *items, int64_t n, double threshold, double unit, int64_t most,
                      ir_stop *stop);
/* Clamps x0 and x1 to [0, width], and y0 and y1 to [0, height]. NaN stays NaN. */
void ir_box_clip(ir_box *box, double width, double height);
/* Returns the box that `delta` encodes relative to `box` of width w and height h:
 *   centre  moved by delta[0] * w and delta[1] * h
 *   size    w * exp(min(delta[2], most)) and h * exp(min(delta[3], most))
 * `unit` is added to w and h, but not subtracted from the new corners. */
ir_box ir_box_moved(const ir_box *box, const double *delta, double most, double unit);

#endif
