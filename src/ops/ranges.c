#include "ops/ranges.h"
#include "base/tensor.h"
#include "ops/float_ranges.h"
#include <string.h>

/* ---- access ---- */

int64_t ir_ranges_count(const ir_value *value) {
  int64_t n;
  if (value->poisoned || !ir_type_in(value->type, IR_SET_STORED) || !ir_shape_known(&value->shape) ||
      !ir_shape_elements(&value->shape, &n) || n > IR_MAX_RANGES)
    return -1;
  return n;
}

bool ir_has_ranges(const ir_value *value) {
  return ir_ranges_count(value) >= 0 && (value->ranges != NULL || value->contents != NULL);
}

ir_dim ir_range_at(const ir_value *value, int64_t i) {
  if (value->contents == NULL)
    return value->ranges != NULL ? value->ranges[i] : ir_range_any();
  const ir_number number = ir_tensor_get(value->contents, i);
  if (number.kind == IR_NUMBER_FLOAT)
    return ir_range_of_interval((ir_interval){number.f, number.f});
  if (number.kind == IR_NUMBER_UNSIGNED)
    return number.u <= INT64_MAX ? ir_dim_of((int64_t)number.u) : (ir_dim){INT64_MAX, INT64_MAX};
  return ir_dim_of(number.i);
}

/* Whether the type can represent the number. */
static bool holds(ir_type type, int64_t n) {
  switch (type) {
  case IR_BOOLEAN:
    return n == 0 || n == 1;
  case IR_I8:
    return n >= INT8_MIN && n <= INT8_MAX;
  case IR_I16:
    return n >= INT16_MIN && n <= INT16_MAX;
  case IR_I32:
    return n >= INT32_MIN && n <= INT32_MAX;
  case IR_U8:
    return n >= 0 && n <= UINT8_MAX;
  case IR_U16:
    return n >= 0 && n <= UINT16_MAX;
  case IR_U32:
    return n >= 0 && n <= UINT32_MAX;
  case IR_U64:
    return n >= 0;
  default:
    return true;
  }
}

/* Whether the range is usable. Its ends must fit the type, else the op would have wrapped. An open end of an integer
 * range comes from a size, which no op wraps, so it is usable; only an unsigned type cannot be open below. A float
 * with an open end can be NaN, so its range is unusable. */
static bool is_told(ir_type type, ir_dim range) {
  if (ir_type_in(type, IR_SET_FLOATS))
    return range.lo != INT64_MIN && range.hi != INT64_MAX;
  const bool is_open_below = range.lo == INT64_MIN && ir_type_in(type, IR_SET_SIGNED);
  return (is_open_below || holds(type, range.lo)) && (range.hi == INT64_MAX || holds(type, range.hi));
}

/* Writes known elements as contents. Copying the low bytes of an int64_t needs a little-endian machine. */
static ir_code set_known(ir_value *out, const ir_dim *ranges, int64_t n, ir_scope *scope) {
  const size_t size = ir_type_size(out->type);
  char *data = ir_arena_alloc(scope->arena, (size_t)n * size + 1);
  ir_tensor *known = ir_arena_alloc(scope->arena, sizeof *known);
  if (data == NULL || known == NULL)
    return ir_out_of_memory(scope->diags);
  for (int64_t i = 0; i < n; i++) {
    if (ir_type_in(out->type, IR_SET_FLOATS))
      ir_float_store(out->type, ir_interval_of_range(ranges[i]).lo, data + (size_t)i * size);
    else
      memcpy(data + (size_t)i * size, &ranges[i].lo, size);
  }
  *known = ir_tensor_borrow(out->type, &out->shape, data, (size_t)n * size);
  out->contents = known;
  return IR_OK;
}

ir_code ir_ranges_set(ir_value *out, const ir_dim *ranges, ir_scope *scope) {
  const int64_t n = ir_ranges_count(out);
  bool all_known = true, all_open = true;
  ir_dim kept[IR_MAX_RANGES];
  for (int64_t i = 0; i < n; i++) {
    kept[i] = is_told(out->type, ranges[i]) ? ranges[i] : ir_range_any();
    all_known = all_known && ir_dim_known(kept[i]);
    all_open = all_open && kept[i].lo == INT64_MIN && kept[i].hi == INT64_MAX;
  }
  if (n < 0 || (all_open && n > 0))
    return IR_OK;
  if (all_known)
    return set_known(out, kept, n, scope);
  ir_dim *own = ir_arena_array(scope->arena, (size_t)n, sizeof *own);
  if (own == NULL)
    return ir_out_of_memory(scope->diags);
  memcpy(own, kept, (size_t)n * sizeof *own);
  out->ranges = own;
  return IR_OK;
}

ir_code ir_ranges_same(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node;
  const int64_t n = ir_ranges_count(out);
  ir_dim ranges[IR_MAX_RANGES];
  if (n < 0 || !ir_has_ranges(in[0]) || ir_ranges_count(in[0]) != n)
    return IR_OK;
  for (int64_t i = 0; i < n; i++)
    ranges[i] = ir_range_converted(ir_range_at(in[0], i), in[0]->type, out->type);
  return ir_ranges_set(out, ranges, scope);
}

/* Treats an output without elements separately: its other sizes can be huge, so op rules must not loop over them. */
ir_code ir_infer_ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  bool has_elements = false;
  ir_code code = IR_OK;
  for (int32_t p = 0; p < node->n_outputs && code == IR_OK; p++) {
    const int64_t n = ir_ranges_count(&out[p]);
    has_elements = has_elements || n > 0;
    if (n == 0)
      code = ir_ranges_set(&out[p], NULL, scope);
  }
  return has_elements && code == IR_OK ? node->op->ranges(node, in, out, scope) : code;
}

bool ir_ranges_pass(const ir_value *in, const ir_value *out) {
  return ir_ranges_count(out) >= 0 && ir_has_ranges(in);
}

int64_t ir_ranges_source(const ir_shape *in, const ir_shape *out, int64_t at) {
  int64_t index = 0, step = 1;
  for (int i = 1; i <= out->rank; i++) {
    const int64_t size = out->dims[out->rank - i].lo, coordinate = at % size;
    at /= size;
    if (i <= in->rank) {
      index += coordinate % in->dims[in->rank - i].lo * step;
      step *= in->dims[in->rank - i].lo;
    }
  }
  return index;
}

int64_t ir_ranges_between(const ir_shape *shape, int from, int to) {
  int64_t n = 1;
  for (int i = from; i < to; i++)
    n *= shape->dims[i].lo;
  return n;
}

ir_code ir_ranges_strided(const ir_value *in, int64_t first, const int64_t *steps, ir_value *out, ir_scope *scope) {
  ir_dim ranges[IR_MAX_RANGES];
  const ir_shape *shape = &out->shape;
  const int64_t n = ir_ranges_count(out);
  if (!ir_ranges_pass(in, out))
    return IR_OK;
  for (int64_t i = 0; i < n; i++) {
    int64_t at = first, rest = i;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
      at += rest % shape->dims[axis].lo * steps[axis];
      rest /= shape->dims[axis].lo;
    }
    ranges[i] = ir_range_at(in, at);
  }
  return ir_ranges_set(out, ranges, scope);
}

/* ---- arithmetic of intervals ---- */

static bool is_open(ir_dim a) {
  return a.lo == INT64_MIN || a.hi == INT64_MAX;
}

ir_dim ir_range_add(ir_dim a, ir_dim b) {
  ir_dim sum = ir_range_any();
  if (a.lo != INT64_MIN && b.lo != INT64_MIN && !ir_add(a.lo, b.lo, &sum.lo))
    return ir_range_any();
  if (a.hi != INT64_MAX && b.hi != INT64_MAX && !ir_add(a.hi, b.hi, &sum.hi))
    return ir_range_any();
  return sum;
}

ir_dim ir_range_subtract(ir_dim a, ir_dim b) {
  if (b.hi == INT64_MIN)
    return ir_range_any();
  const ir_dim negated = {b.hi == INT64_MAX ? INT64_MIN : -b.hi, b.lo == INT64_MIN ? INT64_MAX : -b.lo};
  return ir_range_add(a, negated);
}

ir_dim ir_range_multiply(ir_dim a, ir_dim b) {
  ir_dim product = {INT64_MAX, INT64_MIN};
  /* Sizes are not negative, so an open size times a positive number is open only above. */
  if (a.lo >= 0 && b.lo >= 0) {
    product = ir_dims_product(a, b);
    return product.lo == INT64_MAX ? ir_range_any() : product;
  }
  if (ir_dims_equal(a, ir_dim_of(0)) || ir_dims_equal(b, ir_dim_of(0)))
    return ir_dim_of(0);
  const int64_t ends[4][2] = {{a.lo, b.lo}, {a.lo, b.hi}, {a.hi, b.lo}, {a.hi, b.hi}};
  for (int i = 0; i < 4; i++) {
    int64_t end;
    if (is_open(a) || is_open(b) || !ir_mul(ends[i][0], ends[i][1], &end))
      return ir_range_any();
    product.lo = end < product.lo ? end : product.lo;
    product.hi = end > product.hi ? end : product.hi;
  }
  return product;
}

static int64_t floor_quotient(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

/* The interval of all quotients. Divisors must have one sign; a range of divisors [0, n] counts as [1, n]. If an end
 * of the divisors is open, the quotient by INT64_MAX is the bound. */
static ir_dim divide(ir_dim a, ir_dim b, int64_t (*quotient)(int64_t, int64_t)) {
  if (b.hi < 0) {
    a = ir_range_subtract(ir_dim_of(0), a);
    b = ir_range_subtract(ir_dim_of(0), b);
  }
  if (b.lo < 0 || b.hi == 0)
    return ir_range_any();
  const int64_t least = b.lo > 0 ? b.lo : 1;
  return (ir_dim){a.lo == INT64_MIN ? INT64_MIN : quotient(a.lo, a.lo >= 0 ? b.hi : least),
                  a.hi == INT64_MAX ? INT64_MAX : quotient(a.hi, a.hi >= 0 ? least : b.hi)};
}

static int64_t cut_quotient(int64_t a, int64_t b) {
  return a / b;
}

ir_dim ir_range_floor_divide(ir_dim a, ir_dim b) {
  return divide(a, b, floor_quotient);
}

ir_dim ir_range_divide(ir_dim a, ir_dim b) {
  return divide(a, b, cut_quotient);
}

ir_dim ir_range_least(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

ir_dim ir_range_most(ir_dim a, ir_dim b) {
  return (ir_dim){a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}
