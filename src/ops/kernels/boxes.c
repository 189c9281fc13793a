#include "ops/kernels/boxes.h"
#include <math.h>

static bool is_better(const ir_scored *a, const ir_scored *b) {
  if (a->score != b->score)
    return a->score > b->score;
  return a->index != b->index ? a->index < b->index : a->label < b->label;
}

static bool is_before(const ir_scored *a, const ir_scored *b) {
  return a->label != b->label ? a->label < b->label : is_better(a, b);
}

typedef bool compare(const ir_scored *a, const ir_scored *b);

/* Moves item `at` of a heap of n items down to its place. The item that comes last is on top. */
static inline void sink(ir_scored *heap, int64_t at, int64_t n, compare *comes_first) {
  const ir_scored item = heap[at];
  for (int64_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
    child += child + 1 < n && comes_first(&heap[child], &heap[child + 1]);
    if (!comes_first(&item, &heap[child]))
      break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = item;
}

static void swap(ir_scored *a, ir_scored *b) {
  const ir_scored item = *a;
  *a = *b;
  *b = item;
}

static inline int64_t first_of(ir_scored *items, int64_t n, int64_t most, compare *comes_first, ir_stop *stop) {
  const int64_t k = most >= 0 && most < n ? most : n;
  int64_t since = 0;
  for (int64_t i = k / 2 - 1; i >= 0 && !ir_stop_asked_after(stop, 0, 1, &since); i--)
    sink(items, i, k, comes_first);
  for (int64_t i = k; i < n && k > 0 && !ir_stop_asked_after(stop, 0, 1, &since); i++)
    if (comes_first(&items[i], &items[0])) {
      swap(&items[i], &items[0]);
      sink(items, 0, k, comes_first);
    }
  for (int64_t i = k - 1; i > 0 && !ir_stop_asked_after(stop, 0, 1, &since); i--) {
    swap(&items[0], &items[i]);
    sink(items, 0, i, comes_first);
  }
  return k;
}

int64_t ir_scored_best(ir_scored *items, int64_t n, int64_t most, ir_stop *stop) {
  return first_of(items, n, most, is_better, stop);
}

void ir_scored_by_label(ir_scored *items, int64_t n, ir_stop *stop) {
  first_of(items, n, n, is_before, stop);
}

static inline double lesser(double a, double b) {
  return a < b ? a : b;
}

static inline double greater(double a, double b) {
  return a > b ? a : b;
}

double ir_box_overlap(const ir_box *a, const ir_box *b, double unit) {
  const double x0 = greater(a->x0, b->x0), y0 = greater(a->y0, b->y0);
  const double x1 = lesser(a->x1, b->x1), y1 = lesser(a->y1, b->y1);
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

/* Returns the smaller number, or NaN if x is NaN. */
static double at_most(double x, double most) {
  return x > most ? most : x;
}

static double within(double x, double most) {
  const double less = at_most(x, most);
  return less <= 0 ? 0 : less;
}

void ir_box_clip(ir_box *box, double width, double height) {
  *box = (ir_box){within(box->x0, width), within(box->y0, height), within(box->x1, width), within(box->y1, height)};
}

ir_box ir_box_moved(const ir_box *box, const double *delta, double most, double unit) {
  const double width = box->x1 - box->x0 + unit, height = box->y1 - box->y0 + unit;
  const double x = box->x0 + width / 2 + delta[0] * width, y = box->y0 + height / 2 + delta[1] * height;
  const double half_width = exp(at_most(delta[2], most)) * width / 2;
  const double half_height = exp(at_most(delta[3], most)) * height / 2;
  return (ir_box){x - half_width, y - half_height, x + half_width, y + half_height};
}
