#include "ops/sort/nms_boxes.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include <math.h>
#include <string.h>

/* ---- lists of boxes ---- */

bool ir_box_list_make(const ir_memory *memory, size_t most, ir_box_list *out) {
  float *all = ir_alloc_zero(memory, most + 1, 5 * sizeof *all);
  *out = (ir_box_list){.n = 0};
  if (all == NULL)
    return false;
  *out = (ir_box_list){0, all, all + most, all + 2 * most, all + 3 * most, all + 4 * most};
  return true;
}

static float area_of_box(const ir_box *box, float more) {
  const float area = (box->x_max - box->x_min + more) * (box->y_max - box->y_min + more);
  return area > 0 ? area : 0;
}

void ir_box_list_add(ir_box_list *list, const ir_box *box, float more) {
  const int64_t i = list->n++;
  list->x_min[i] = box->x_min;
  list->y_min[i] = box->y_min;
  list->x_max[i] = box->x_max;
  list->y_max[i] = box->y_max;
  list->area[i] = area_of_box(box, more);
}

/* Length of the intersection of [a_min, a_max] and [b_min, b_max]. The result for NaN does not matter, because such a
 * box has no area. */
static inline float common_length(float a_min, float a_max, float b_min, float b_max, float more) {
  const float length = (a_max < b_max ? a_max : b_max) - (a_min > b_min ? a_min : b_min) + more;
  return length > 0 ? length : 0;
}

/* Overlap of `box`, whose area is `area`, with box i of the list. */
static inline float overlap_with(const ir_box_list *list, int64_t i, const ir_box *box, float area, float more) {
  const float both = common_length(list->x_min[i], list->x_max[i], box->x_min, box->x_max, more) *
                     common_length(list->y_min[i], list->y_max[i], box->y_min, box->y_max, more);
  const float overlap = both / (list->area[i] + area - both);
  return list->area[i] > 0 ? overlap : 0;
}

IR_LOOP void overlaps_loop(const ir_box_list *boxes, const ir_box *one, float area, float more, float *out) {
  const ir_box_list list = *boxes;
  const ir_box box = *one;
  for (int64_t i = 0; i < list.n; i++)
    out[i] = overlap_with(&list, i, &box, area, more);
}
IR_EACH_ISA(overlaps, (const ir_box_list *boxes, const ir_box *one, float area, float more, float *out),
            (boxes, one, area, more, out))

void ir_box_list_overlaps(const ir_box_list *list, const ir_box *box, float more, float *out) {
  const float area = area_of_box(box, more);
  if (area > 0)
    overlaps(list, box, area, more, out);
  else
    memset(out, 0, (size_t)list->n * sizeof *out);
}

enum { BLOCK = 64 }; /* boxes between two tests for the end: a few vectors */

IR_LOOP void covers_loop(const ir_box_list *boxes, const ir_box *one, float area, float more, float threshold,
                         bool *out) {
  const ir_box_list list = *boxes;
  const ir_box box = *one;
  int32_t any = 0;
  for (int64_t first = 0; first < list.n && !any; first += BLOCK) {
    const int64_t n = list.n - first < BLOCK ? list.n - first : BLOCK;
    for (int64_t i = 0; i < n; i++)
      any |= overlap_with(&list, first + i, &box, area, more) >= threshold;
  }
  *out = any;
}
IR_EACH_ISA(covers, (const ir_box_list *boxes, const ir_box *one, float area, float more, float threshold, bool *out),
            (boxes, one, area, more, threshold, out))

bool ir_box_list_covers(const ir_box_list *list, const ir_box *box, float more, float threshold) {
  const float area = area_of_box(box, more);
  bool any = list->n > 0 && 0 >= threshold;
  if (area > 0)
    covers(list, box, area, more, threshold, &any);
  return any;
}

/* ---- rotated boxes ---- */

typedef struct point {
  double x, y;
} point;

enum { MOST_CORNERS = 8 }; /* most corners of the intersection of two boxes */

typedef struct polygon {
  int n;
  point corners[MOST_CORNERS + 1];
} polygon;

/* Returns the corners of `box` in counterclockwise order, relative to the center of `origin`. */
static polygon polygon_of(const ir_rotated_box *box, const ir_rotated_box *origin) {
  static const point corners[] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const double cosine = cos((double)box->angle), sine = sin((double)box->angle);
  polygon out = {.n = 4};
  for (int i = 0; i < 4; i++) {
    const double x = corners[i].x * (double)box->width, y = corners[i].y * (double)box->height;
    out.corners[i] = (point){x * cosine - y * sine + (double)box->x - (double)origin->x,
                             x * sine + y * cosine + (double)box->y - (double)origin->y};
  }
  return out;
}

/* Returns twice the area of the triangle a, b, c; positive if c lies left of the line from a to b. */
static double turn(point a, point b, point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Returns the part of a convex polygon that lies left of the line from a to b. */
static polygon cut(const polygon *from, point a, point b) {
  polygon out = {.n = 0};
  for (int i = 0; i < from->n; i++) {
    const point here = from->corners[i], next = from->corners[(i + 1) % from->n];
    const double side = turn(a, b, here), next_side = turn(a, b, next);
    if (side >= 0 && out.n < MOST_CORNERS)
      out.corners[out.n++] = here;
    if ((side > 0) != (next_side > 0) && side != 0 && next_side != 0 && out.n < MOST_CORNERS) {
      const double t = side / (side - next_side);
      out.corners[out.n++] = (point){here.x + t * (next.x - here.x), here.y + t * (next.y - here.y)};
    }
  }
  return out;
}

static double area_of(const polygon *of) {
  double twice = 0;
  for (int i = 1; i + 1 < of->n; i++)
    twice += turn(of->corners[0], of->corners[i], of->corners[i + 1]);
  return twice / 2;
}

float ir_rotated_boxes_overlap(const ir_rotated_box *a, const ir_rotated_box *b) {
  const double a_area = (double)a->width * (double)a->height, b_area = (double)b->width * (double)b->height;
  if (!(a->width > 0 && a->height > 0 && b->width > 0 && b->height > 0))
    return 0;
  const polygon other = polygon_of(b, a);
  polygon both = polygon_of(a, a);
  for (int i = 0; i < 4; i++)
    both = cut(&both, other.corners[i], other.corners[(i + 1) % 4]);
  const double common = area_of(&both);
  return (float)(common / (a_area + b_area - common));
}

/* ---- loading ---- */

void ir_floats_load(const ir_tensor *from, int64_t at, int64_t n, float *out) {
  ir_piece piece;
  for (int64_t m; n > 0; at += m, out += m, n -= m) {
    m = n < IR_PIECE ? n : IR_PIECE;
    ir_compute_load(from->type, ir_tensor_at(from, at), IR_COMPUTE_F64, &piece, m);
    for (int64_t i = 0; i < m; i++)
      out[i] = (float)piece.f64[i];
  }
}
