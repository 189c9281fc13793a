#include "ops/float_ranges.h"
#include <math.h>
#include <string.h>

/* ---- positions in the order of doubles ---- */

static double number_at(int64_t place) {
  const int64_t bits = place < 0 ? INT64_MIN - place : place;
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

ir_dim ir_range_of_interval(ir_interval span) {
  if (isnan(span.lo) || isnan(span.hi))
    return ir_range_any();
  return (ir_dim){ir_order_of(span.lo), ir_order_of(span.hi)};
}

ir_interval ir_interval_of_range(ir_dim range) {
  if (range.lo == INT64_MIN || range.hi == INT64_MAX)
    return (ir_interval){NAN, NAN};
  return (ir_interval){number_at(range.lo), number_at(range.hi)};
}

/* ---- types ---- */

double ir_float_rounded(ir_type type, double number) {
  switch (type) {
  case IR_F32:
    return (double)(float)number;
  case IR_F16:
    return (double)ir_f16_to_f32(ir_f64_to_f16(number));
  case IR_BF16:
    return (double)ir_bf16_to_f32(ir_f64_to_bf16(number));
  default:
    return number;
  }
}

void ir_float_store(ir_type type, double number, void *bytes) {
  const float single = (float)number;
  const uint16_t half = type == IR_F16 ? ir_f64_to_f16(number) : ir_f64_to_bf16(number);
  const void *from = type == IR_F64 ? (const void *)&number : type == IR_F32 ? (const void *)&single : &half;
  memcpy(bytes, from, ir_type_size(type));
}

static double of_whole(ir_type type, int64_t n) {
  if (type == IR_F64)
    return (double)n;
  return ir_float_rounded(type, ir_i64_to_odd_f64(n));
}

/* Truncates the ends toward zero. Open if no number of the interval fits int64_t, or if an end is NaN. */
static ir_dim whole_of(ir_interval span) {
  if (!(span.lo < 0x1p63 && span.hi >= -0x1p63))
    return ir_range_any();
  return (ir_dim){span.lo < -0x1p63 ? INT64_MIN : (int64_t)span.lo, span.hi >= 0x1p63 ? INT64_MAX : (int64_t)span.hi};
}

ir_dim ir_range_converted(ir_dim range, ir_type from, ir_type to) {
  const bool from_float = ir_type_in(from, IR_SET_FLOATS), to_float = ir_type_in(to, IR_SET_FLOATS);
  const ir_interval span = from_float ? ir_interval_of_range(range) : (ir_interval){NAN, NAN};
  if (to == IR_BOOLEAN) /* position 0 is 0 for integers and floats */
    return range.lo > 0 || range.hi < 0 ? ir_dim_of(1) : (ir_dim){0, !ir_dim_known(range)};
  if (from_float && to_float)
    return ir_range_of_interval((ir_interval){ir_float_rounded(to, span.lo), ir_float_rounded(to, span.hi)});
  if (from_float)
    return whole_of(span);
  if (to_float)
    return ir_range_of_interval((ir_interval){range.lo == INT64_MIN ? -INFINITY : of_whole(to, range.lo),
                                              range.hi == INT64_MAX ? INFINITY : of_whole(to, range.hi)});
  return range;
}

/* ---- arithmetic ---- */

ir_dim ir_range_rising(ir_type type, double (*rule)(double), ir_dim range) {
  const ir_interval span = ir_interval_of_range(range);
  return ir_range_of_interval(
      (ir_interval){ir_float_rounded(type, rule(span.lo)), ir_float_rounded(type, rule(span.hi))});
}

static bool is_open(ir_interval span) {
  return span.lo < span.hi;
}

/* An infinite end stands for unbounded finite numbers. At such an end the rule can give NaN, for 0 * inf or inf /
 * inf. 0 is then the bound: 0 times a finite number is 0, and a quotient by an unbounded number can be arbitrarily
 * near 0. */
ir_dim ir_range_of_two(ir_type type, double (*rule)(double, double), ir_dim a, ir_dim b) {
  const ir_interval x = ir_interval_of_range(a), y = ir_interval_of_range(b);
  const double ends[4][2] = {{x.lo, y.lo}, {x.lo, y.hi}, {x.hi, y.lo}, {x.hi, y.hi}};
  ir_interval span = {INFINITY, -INFINITY};
  if (isnan(x.lo) || isnan(y.lo) || (!is_open(x) && isinf(x.lo)) || (!is_open(y) && isinf(y.lo)))
    return ir_range_any();
  for (int i = 0; i < 4; i++) {
    const double made = rule(ends[i][0], ends[i][1]), end = isnan(made) ? 0 : ir_float_rounded(type, made);
    span.lo = end < span.lo ? end : span.lo;
    span.hi = end > span.hi ? end : span.hi;
  }
  return ir_range_of_interval(span);
}
