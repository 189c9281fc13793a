#include "ops/sort/nms_boxes.h"
#include "ops/kernels/compute_type.h"
#include <math.h>

static float common_length(float a_min, float a_max, float b_min, float b_max, float more) {
  const float length = fminf(a_max, b_max) - fmaxf(a_min, b_min) + more;
  return length > 0 ? length : 0;
}

float ir_boxes_overlap(const ir_box *a, const ir_box *b, float more) {
  const float a_area = (a->x_max - a->x_min + more) * (a->y_max - a->y_min + more);
  const float b_area = (b->x_max - b->x_min + more) * (b->y_max - b->y_min + more);
  if (!(a_area > 0 && b_area > 0))
    return 0;
  const float both = common_length(a->x_min, a->x_max, b->x_min, b->x_max, more) *
                     common_length(a->y_min, a->y_max, b->y_min, b->y_max, more);
  return both / (a_area + b_area - both);
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
