#include "runtime/tensor/fill.h"
#include "base/message_text.h"
#include "runtime/tensor/cast.h"
#include "runtime/tensor/number_read.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum fill_rule { FILL_RANDOM, FILL_IOTA, FILL_RANGE, FILL_VALUE } fill_rule;

/* A parsed kind, whose numbers check_fill rounds to the tensor's type. */
typedef struct fill {
  fill_rule rule;
  uint64_t seed;
  ir_number lo, hi; /* bounds of FILL_RANGE; `lo` is the value of FILL_VALUE */
} fill;

/* ---- reading a kind ---- */

static ir_code report_kind(ir_diags *diags, const char *kind) {
  static const char *const words[] = {"random", "zeros", "ones", "iota"};
  ir_code code = ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "there is no fill '%s'", kind);
  const char *near = ir_did_you_mean(kind, words, sizeof words / sizeof words[0]);
  if (near != NULL)
    ir_hint(diags, "did you mean '%s'?", near);
  else
    ir_hint(diags, "fills are random[:SEED], zeros, ones, iota, LO..HI[:SEED] and numbers");
  return code;
}

static ir_code read_seed(ir_diags *diags, const char *kind, const char *text, fill *out) {
  if (*text == '\0')
    return IR_OK;
  if (*text != ':')
    return report_kind(diags, kind);
  if (ir_read_digits(text + 1, strlen(text + 1), &out->seed))
    return IR_OK;
  return ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                   "fill '%s': the seed is not a whole number from 0 to 18446744073709551615", kind);
}

static ir_code read_kind(ir_diags *diags, const char *kind, fill *out) {
  *out = (fill){.rule = FILL_VALUE, .lo = {.kind = IR_NUMBER_UNSIGNED}};
  if (strcmp(kind, "zeros") == 0)
    return IR_OK;
  if (strcmp(kind, "ones") == 0) {
    out->lo.u = 1;
    return IR_OK;
  }
  if (strcmp(kind, "iota") == 0) {
    out->rule = FILL_IOTA;
    return IR_OK;
  }
  if (strncmp(kind, "random", 6) == 0) {
    out->rule = FILL_RANDOM;
    return read_seed(diags, kind, kind + 6, out);
  }
  if (ir_read_number_word(kind, strlen(kind), &out->lo))
    return IR_OK;
  const size_t length = ir_number_length(kind);
  if (length > 0 && kind[length] == '\0')
    return ir_read_number(diags, "fill", kind, length, &out->lo);
  if (length == 0 || strncmp(kind + length, "..", 2) != 0)
    return report_kind(diags, kind);
  const char *second = kind + length + 2;
  const size_t second_length = ir_number_length(second);
  if (second_length == 0)
    return report_kind(diags, kind);
  out->rule = FILL_RANGE;
  ir_code code = ir_read_number(diags, "fill", kind, length, &out->lo);
  if (code == IR_OK)
    code = ir_read_number(diags, "fill", second, second_length, &out->hi);
  return code == IR_OK ? read_seed(diags, kind, second + second_length, out) : code;
}

/* ---- numbers of the type ---- */

static ir_code report_range(ir_diags *diags, const char *kind, ir_type type, const char *what) {
  return ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "fill '%s' of %s: %s", kind,
                   ir_type_name(type), what);
}

/* Reports bounds in the wrong order; the message does not name the type. */
static ir_code report_order(ir_diags *diags, const char *kind, const char *what) {
  return ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "fill '%s': %s", kind, what);
}

/* Rounds a number to the type. Reports IR801 if the type cannot represent it; an integer type cannot represent a
 * fraction. */
static ir_code fit_number(ir_diags *diags, const char *kind, ir_type type, ir_number *number) {
  unsigned char element[8] = {0};
  ir_tensor one = {.type = type, .data = element, .bytes = ir_type_size(type)};
  ir_fit fit = ir_tensor_set(&one, 0, *number);
  if (fit == IR_NO_FIT || (fit == IR_ROUNDED && !ir_type_in(type, IR_SET_ALL_FLOATS)))
    return report_range(diags, kind, type, "the type has no such number");
  *number = ir_tensor_get(&one, 0);
  return IR_OK;
}

static bool is_less(ir_number a, ir_number b) {
  return a.kind == IR_NUMBER_FLOAT ? a.f < b.f : a.kind == IR_NUMBER_SIGNED ? a.i < b.i : a.u < b.u;
}

/* The largest n such that the type represents all integers from 0 to n. */
static uint64_t most_counted(ir_type type) {
  switch (type) {
  case IR_F32:
    return UINT64_C(1) << 24;
  case IR_F64:
    return UINT64_C(1) << 53;
  case IR_F16:
    return UINT64_C(1) << 11;
  case IR_BF16:
    return UINT64_C(1) << 8;
  case IR_F8E4M3:
    return 16;
  case IR_F8E5M2:
    return 8;
  case IR_F4E2M1:
    return 4;
  case IR_NF4:
    return 1;
  case IR_F8E8M0: /* it cannot represent 0 */
    return 0;
  case IR_I4:
    return 7;
  case IR_BOOLEAN:
    return 1;
  default:
    return UINT64_MAX >> (64 - ir_type_bits(type) + ir_type_in(type, IR_SET_SIGNED));
  }
}

static ir_code check_fill(ir_diags *diags, const char *kind, const ir_tensor *tensor, fill *f) {
  const ir_type type = tensor->type;
  const int64_t n = ir_tensor_elements(tensor);
  if (f->rule == FILL_IOTA && n > 0 && (uint64_t)(n - 1) > most_counted(type))
    return ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                     "fill 'iota' of %s: %" PRId64 " elements, but the type counts exactly to %" PRIu64 " only",
                     ir_type_name(type), n, most_counted(type));
  ir_code code = f->rule == FILL_VALUE || f->rule == FILL_RANGE ? fit_number(diags, kind, type, &f->lo) : IR_OK;
  if (code != IR_OK || f->rule != FILL_RANGE)
    return code;
  code = fit_number(diags, kind, type, &f->hi);
  if (code != IR_OK)
    return code;
  if (ir_type_in(type, IR_SET_ALL_FLOATS) && !is_less(f->lo, f->hi))
    return report_order(diags, kind, "the first number has to be less than the second");
  if (is_less(f->hi, f->lo))
    return report_order(diags, kind, "the first number is greater than the second");
  return IR_OK;
}

/* ---- values ---- */

/* The output function of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Random number `index` of the sequence of `seed`, computed without the numbers before it. */
static uint64_t random_bits(uint64_t seed, int64_t index) {
  return mix(mix(seed) + ((uint64_t)index + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* A multiple of 2^-bits in [0, 1). */
static double random_unit(uint64_t random, int bits) {
  return ldexp((double)(random >> (64 - bits)), -bits);
}

static ir_number random_number(ir_type type, uint64_t random) {
  if (ir_type_in(type, IR_SET_ALL_FLOATS)) {
    int bits = type == IR_F64 ? 53 : type == IR_F32 ? 24 : type == IR_F16 ? 11 : 8;
    return (ir_number){.kind = IR_NUMBER_FLOAT, .f = random_unit(random, bits)};
  }
  const uint64_t most = most_counted(type) < 255 ? most_counted(type) : 255;
  return (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = (random >> 32) % (most + 1)};
}

/* An integer in [0, span]; the span can be UINT64_MAX. */
static uint64_t random_step(uint64_t span, uint64_t random) {
  return span == UINT64_MAX ? random : random % (span + 1);
}

static ir_number random_between(const fill *f, uint64_t random) {
  ir_number number = f->lo;
  if (number.kind == IR_NUMBER_FLOAT) {
    const double unit = random_unit(random, 53), value = f->lo.f * (1 - unit) + f->hi.f * unit;
    number.f = value < f->lo.f ? f->lo.f : value;
  } else if (number.kind == IR_NUMBER_SIGNED) {
    number.i = (int64_t)((uint64_t)f->lo.i + random_step((uint64_t)f->hi.i - (uint64_t)f->lo.i, random));
  } else {
    number.u += random_step(f->hi.u - f->lo.u, random);
  }
  return number;
}

/* Sets a random number: an integer in [lo, hi], or a float in [lo, hi). A float that is rounded up to `hi` becomes
 * `lo`. */
static void set_between(ir_tensor *tensor, int64_t index, const fill *f) {
  ir_tensor_set(tensor, index, random_between(f, random_bits(f->seed, index)));
  if (f->lo.kind == IR_NUMBER_FLOAT && !is_less(ir_tensor_get(tensor, index), f->hi))
    ir_tensor_set(tensor, index, f->lo);
}

ir_code ir_tensor_fill(ir_diags *diags, const char *kind, ir_tensor *tensor) {
  fill f;
  ir_code code = read_kind(diags, kind, &f);
  if (code == IR_OK)
    code = check_fill(diags, kind, tensor, &f);
  if (code != IR_OK)
    return code;
  const int64_t n = ir_tensor_elements(tensor);
  for (int64_t i = 0; i < n; i++) {
    if (f.rule == FILL_RANGE)
      set_between(tensor, i, &f);
    else if (f.rule == FILL_RANDOM)
      ir_tensor_set(tensor, i, random_number(tensor->type, random_bits(f.seed, i)));
    else if (f.rule == FILL_IOTA)
      ir_tensor_set(tensor, i, (ir_number){.kind = IR_NUMBER_UNSIGNED, .u = (uint64_t)i});
    else
      ir_tensor_set(tensor, i, f.lo);
  }
  return IR_OK;
}
