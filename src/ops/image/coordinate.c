#include "ops/image/coordinate.h"
#include <math.h>

/* Returns the position above / below, for positive `below`. Integer and half positions are exact. */
static ir_coordinate place_of_ratio(int64_t above, int64_t below) {
  const int64_t whole = above >= 0 ? above / below : -((below - 1 - above) / below);
  return (ir_coordinate){whole, (double)(above - whole * below) / (double)below};
}

static ir_coordinate place_by_scale(float scale, int64_t j, float before, float behind) {
  const float place = ((float)j + before) / scale - behind, whole = floorf(place);
  if (!(whole > -0x1p31f && whole < 0x1p31f))
    return (ir_coordinate){whole < 0 ? INT32_MIN : INT32_MAX, 0};
  return (ir_coordinate){(int64_t)whole, (double)place - (double)whole};
}

ir_coordinate ir_coordinate_of(int transformation, int64_t n_in, int64_t n_out, float scale, int64_t j) {
  const bool is_ratio = scale == ir_ratio(n_in, n_out);
  if (scale == 1.0f || n_in == n_out)
    return (ir_coordinate){j, 0};
  if (n_out == 1 && (transformation == IR_ALIGN_CORNERS || transformation == IR_PYTORCH_HALF_PIXEL))
    return (ir_coordinate){0, 0};
  switch (transformation) {
  case IR_ALIGN_CORNERS:
    return place_of_ratio(j * (n_in - 1), n_out - 1);
  case IR_ASYMMETRIC:
    return is_ratio ? place_of_ratio(j * n_in, n_out) : place_by_scale(scale, j, 0, 0);
  case IR_TF_HALF_PIXEL_FOR_NN:
    return is_ratio ? place_of_ratio((2 * j + 1) * n_in, 2 * n_out) : place_by_scale(scale, j, 0.5f, 0);
  default:
    return is_ratio ? place_of_ratio((2 * j + 1) * n_in - n_out, 2 * n_out) : place_by_scale(scale, j, 0.5f, 0.5f);
  }
}

int64_t ir_coordinate_nearest(int mode, float scale, ir_coordinate place) {
  switch (mode) {
  case IR_ROUND_PREFER_CEIL:
    return place.whole + (place.part >= 0.5);
  case IR_FLOOR:
    return place.whole;
  case IR_CEIL:
    return place.whole + (place.part > 0);
  case IR_SIMPLE:
    return place.whole + (scale < 1 && place.part > 0);
  default:
    return place.whole + (place.part > 0.5);
  }
}
