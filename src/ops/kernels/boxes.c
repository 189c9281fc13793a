#include "ops/kernels/boxes.h"
#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const ir_scored *x = a, *y = b;
  if (x->score != y->score)
    return (x->score < y->score) - (x->score > y->score);
  if (x->index != y->index)
    return (x->index > y->index) - (x->index < y->index);
  return (x->label > y->label) - (x->label < y->label);
}

void ir_scored_sort(ir_scored *items, int64_t n) {
  if (n > 1)
    qsort(items, (size_t)n, sizeof *items, compare);
}

double ir_box_overlap(const ir_box *a, const ir_box *b, double unit) {
  const double x0 = fmax(a->x0, b->x0), y0 = fmax(a->y0, b->y0), x1 = fmin(a->x1, b->x1), y1 = fmin(a->y1, b->y1);
  const double width = x1 - x0 + unit, height = y1 - y0 + unit;
  if (!(x0 <= x1 && y0 <= y1 && width > 0 && height > 0))
    return 0;
  const double area_a = (a->x1 - a->x0 + unit) * (a->y1 - a->y0 + unit);
  const double area_b = (b->x1 - b->x0 + unit) * (b->y1 - b->y0 + unit);
  return width * height / (area_a + area_b - width * height);
}

int64_t ir_boxes_keep(const ir_box *boxes, ir_scored *items, int64_t n, double threshold, double unit, int64_t most,
                      ir_stop *stop) {
  int64_t n_kept = 0;
  for (int64_t i = 0; i < n && n_kept < most && !ir_stop_asked_of(stop, 0); i++) {
    bool stays = true;
    for (int64_t k = 0; k < n_kept && stays; k++)
      stays = !(ir_box_overlap(&boxes[items[i].index], &boxes[items[k].index], unit) > threshold);
    if (stays)
      items[n_kept++] = items[i];
  }
  return n_kept;
}

static double within(double x, double most) {
  return fmax(0, fmin(x, most));
}

void ir_box_clip(ir_box *box, double width, double height) {
  *box = (ir_box){within(box->x0, width), within(box->y0, height), within(box->x1, width), within(box->y1, height)};
}

ir_box ir_box_moved(const ir_box *box, const double *delta, double most, double unit) {
  const double width = box->x1 - box->x0 + unit, height = box->y1 - box->y0 + unit;
  const double x = box->x0 + width / 2 + delta[0] * width, y = box->y0 + height / 2 + delta[1] * height;
  const double half_width = exp(fmin(delta[2], most)) * width / 2, half_height = exp(fmin(delta[3], most)) * height / 2;
  return (ir_box){x - half_width, y - half_height, x + half_width, y + half_height};
}
