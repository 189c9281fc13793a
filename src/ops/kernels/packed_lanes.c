#include "ops/kernels/packed_lanes.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/numbers.h"
#include "ops/kernels/products.h"
#include <string.h>

/* Rows are read in short bursts, too seldom for the processor's own prefetching. */
static inline void ask_for(const unsigned char *from, int64_t n) {
  enum { LINE = 64, BYTES_AHEAD = 8192 };
  for (int64_t i = 0; i < n; i += LINE)
    __builtin_prefetch(from + BYTES_AHEAD + i);
}

static bool have_groups(bool are_there, const ir_group_numbers *numbers) {
  return are_there && numbers->group_step > 0;
}

/* ---- words of codes ---- */

/* A row of integers or of f4e2m1 is read as words of WORD_BITS bits, CHUNK words at a time. A word has its codes from
 * the low bits on. */
enum { WORD_BITS = 32, WORD_BYTES = 4, CHUNK = 64 };

/* 1 + code / 2^bits, for the code at bit `at` of a word. */
static inline float one_and_code(uint32_t word, const int bits, const int at) {
  const int place = 23 - bits; /* the first bits of the mantissa */
  const uint32_t moved = at > place ? word >> (at - place) : word << (place - at);
  return ir_f32_of_bits((moved & (((1U << bits) - 1) << place)) | 0x3f800000);
}

/* Twice the number of the f4e2m1 at bit `at` of a word: an integer of 4 bits with a sign. */
static inline float twice_f4(uint32_t word, const int at) {
  const uint32_t magnitudes = 0xc8643210; /* 4 bits for each code without sign */
  const uint32_t place = 4 * (word >> at & 7), sign = word << (28 - at) & 0x80000000;
  const float number = (float)(int)(magnitudes >> place & 15);
  return ir_f32_of_bits(ir_f32_bits(number) | sign);
}

/* The number of the f8e4m3 or f8e5m2 at bit `at` of a word. */
static inline float number_of_f8(uint32_t word, const int at, const bool is_e4m3) {
  const uint32_t code = (uint32_t)((int32_t)(word << (24 - at)) >> (is_e4m3 ? 4 : 3));
  return is_e4m3 ? ir_f8e4m3_moved(code) : ir_f8e5m2_moved(code);
}

/* Words of a row, and what their codes mean. */
#define WORD_FLOATS (IR_SET(IR_F4E2M1) | IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2))

typedef enum code_kind { ONE_ZERO, OWN_ZEROS, F4, E4M3, E5M2 } code_kind;

typedef struct words {
  const unsigned char *from;
  int64_t n;
  const float *zeros; /* the zero point of each word for one_and_code; NULL: all have `zero` */
  float zero;
  uint32_t flip;  /* bits of a word to flip: signed integers become codes */
  const float *x; /* of code 0 of each word; those of the next code are `x_step` numbers away */
  int64_t x_step;
} words;

/* Sets sums[l] to the product of the codes of word l and x. */
IR_LOOP void sum_chunk(const words *w, int64_t begin, int64_t n, const int bits, const code_kind kind,
                       float *restrict sums) {
  const unsigned char *restrict from = w->from + begin * WORD_BYTES;
  const float *restrict x = w->x + begin, *restrict zeros = kind == OWN_ZEROS ? w->zeros + begin : NULL;
  const float zero = w->zero;
  const uint32_t flip = w->flip;
  const int64_t x_step = w->x_step;
  for (int64_t l = 0; l < n; l++) {
    uint32_t word;
    float sum[2];
    memcpy(&word, from + l * WORD_BYTES, sizeof word);
    word ^= flip;
    IR_UNROLL for (int k = 0; k < WORD_BITS / bits; k++) {
      const int at = bits * k;
      const float number = kind == F4 ? twice_f4(word, at)
                           : kind == E4M3 || kind == E5M2
                               ? number_of_f8(word, at, kind == E4M3)
                               : one_and_code(word, bits, at) - (kind == OWN_ZEROS ? zeros[l] : zero);
      const float product = number * x[k * x_step + l];
      sum[k % 2] = k < 2 ? product : sum[k % 2] + product;
    }
    sums[l] = sum[0] + sum[1];
  }
}

IR_LOOP void sum_words(const words *w, const int bits, const code_kind kind, float *sums) {
  int64_t begin = 0;
  for (; begin + CHUNK <= w->n; begin += CHUNK) {
    ask_for(w->from + begin * WORD_BYTES, CHUNK * WORD_BYTES);
    sum_chunk(w, begin, CHUNK, bits, kind, sums + begin);
  }
  sum_chunk(w, begin, w->n - begin, bits, kind, sums + begin);
}

#define SUM_WORDS(name, bits, kind)                                                                                    \
  IR_LOOP void name##_loop(const words *w, float *sums) {                                                              \
    sum_words(w, bits, kind, sums);                                                                                    \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const words *w, float *sums), (w, sums))

SUM_WORDS(sum_2_bits, 2, ONE_ZERO)
SUM_WORDS(sum_4_bits, 4, ONE_ZERO)
SUM_WORDS(sum_8_bits, 8, ONE_ZERO)
SUM_WORDS(sum_2_bits_each, 2, OWN_ZEROS)
SUM_WORDS(sum_4_bits_each, 4, OWN_ZEROS)
SUM_WORDS(sum_8_bits_each, 8, OWN_ZEROS)
SUM_WORDS(sum_f4, 4, F4)
SUM_WORDS(sum_e4m3, 8, E4M3)
SUM_WORDS(sum_e5m2, 8, E5M2)

static void sum_of(ir_type type, const words *w, float *sums) {
  const int bits = (int)ir_type_bits(type);
  if (type == IR_F4E2M1)
    sum_f4(w, sums);
  else if (type == IR_F8E4M3)
    sum_e4m3(w, sums);
  else if (type == IR_F8E5M2)
    sum_e5m2(w, sums);
  else if (bits == 2)
    (w->zeros != NULL ? sum_2_bits_each : sum_2_bits)(w, sums);
  else if (bits == 4)
    (w->zeros != NULL ? sum_4_bits_each : sum_4_bits)(w, sums);
  else
    (w->zeros != NULL ? sum_8_bits_each : sum_8_bits)(w, sums);
}

/* Adds the sums of n words to the lanes. `each`: every sum is multiplied by a scale. */
IR_LOOP void add_sums(const float *restrict sums, const float *restrict scales, int64_t n, const bool each,
                      float *restrict lanes) {
  float totals[IR_LANES];
  int64_t at = 0;
  for (int l = 0; l < IR_LANES; l++)
    totals[l] = 0;
  for (; at + IR_LANES <= n; at += IR_LANES)
    for (int l = 0; l < IR_LANES; l++)
      totals[l] += each ? sums[at + l] * scales[at + l] : sums[at + l];
  for (int64_t l = 0; at + l < n; l++)
    totals[l] += each ? sums[at + l] * scales[at + l] : sums[at + l];
  for (int l = 0; l < IR_LANES; l++)
    lanes[l] += each ? totals[l] : totals[l] * scales[0];
}

#define ADD_SUMS(name, each)                                                                                           \
  IR_LOOP void name##_loop(const float *sums, const float *scales, int64_t n, float *lanes) {                          \
    add_sums(sums, scales, n, each, lanes);                                                                            \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const float *sums, const float *scales, int64_t n, float *lanes), (sums, scales, n, lanes))

ADD_SUMS(add_scaled, true)
ADD_SUMS(add_and_scale, false)

/* ---- numbers of groups ---- */

/* Codes of a word. */
static int64_t codes_of(const ir_packed_rows *rows) {
  return WORD_BITS / ir_type_bits(rows->weights.type);
}
static int64_t n_words_of(const ir_packed_rows *rows) {
  return ir_ceil_div(rows->k, codes_of(rows));
}

IR_LOOP void double_each_loop(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    to[2 * i] = from[i];
    to[2 * i + 1] = from[i];
  }
}
IR_EACH_ISA(double_each, (const float *restrict from, float *restrict to, int64_t n), (from, to, n))

IR_LOOP void linear_loop(float *numbers, int64_t n, float factor, float more) {
  for (int64_t i = 0; i < n; i++)
    numbers[i] = numbers[i] * factor + more;
}
IR_EACH_ISA(linear, (float *numbers, int64_t n, float factor, float more), (numbers, n, factor, more))

/* Repeats each of n numbers `times` times; returns the array that has the result. */
static float *repeat(float *numbers, float *spare, int64_t n, int64_t times) {
  for (; times % 2 == 0; times /= 2, n *= 2) {
    float *made = spare;
    double_each(numbers, made, n);
    spare = numbers;
    numbers = made;
  }
  if (times == 1)
    return numbers;
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < times; j++)
      spare[i * times + j] = numbers[i];
  return spare;
}

/* Loads the numbers of a row's groups, for each word; returns the array that has them. */
static float *spread(const ir_packed_rows *rows, const ir_group_numbers *numbers, int64_t row, float factor, float more,
                     float *scratch) {
  const int64_t n = rows->k / rows->group;
  ir_packed_numbers(numbers, row, n, scratch);
  linear(scratch, n, factor, more);
  return repeat(scratch, scratch + n_words_of(rows), n, rows->group / codes_of(rows));
}

/* ---- rows of words ---- */

/* Words between the x of one code and of the next. It is no multiple of 1024, the floats of a page: the processor's
 * first cache holds few lines with the same place in their pages. */
static int64_t x_step_of(const ir_packed_rows *rows) {
  enum { APART = 16 };
  return ir_ceil_div(n_words_of(rows), CHUNK) * CHUNK + APART;
}

static void order_words(const ir_packed_rows *rows, const float *x, float *ordered) {
  const int64_t step = x_step_of(rows), n = codes_of(rows);
  for (int64_t k = 0; k < n; k++)
    for (int64_t l = 0; l * n < rows->k; l++)
      ordered[k * step + l] = l * n + k < rows->k ? x[l * n + k] : 0;
}

/* Sums the words of a row of n_bytes bytes. Bits after the last code of the last word are 0. */
static void sum_row(words *w, ir_type type, int64_t n_bytes, float *sums) {
  const int64_t rest = n_bytes % WORD_BYTES;
  unsigned char last[WORD_BYTES] = {0};
  w->n = n_bytes / WORD_BYTES;
  sum_of(type, w, sums);
  if (rest == 0)
    return;
  memcpy(last, w->from + w->n * WORD_BYTES, (size_t)rest);
  w->from = last;
  w->x += w->n;
  w->zeros += w->zeros != NULL ? w->n : 0;
  sums += w->n;
  w->n = 1;
  sum_of(type, w, sums);
}

/* An integer is 2^bits * (one_and_code - (1 + zero / 2^bits)). */
static void lanes_of_words(const ir_packed_rows *rows, int64_t row, float *scratch, const float *ordered,
                           float *lanes) {
  const ir_type type = rows->weights.type;
  const int bits = (int)ir_type_bits(type);
  const bool has_sign = type == IR_I4 || type == IR_I8;
  const int64_t n = n_words_of(rows), n_bytes = ir_ceil_div(rows->k * bits, 8);
  const float factor = type == IR_F4E2M1               ? 0.5F
                       : ir_type_in(type, WORD_FLOATS) ? 1
                                                       : (float)(1 << bits),
              zero = has_sign ? 1.5F : 1;
  words w = {.from = (const unsigned char *)rows->weights.data + row * n_bytes,
             .zero = zero,
             .flip = !has_sign   ? 0
                     : bits == 4 ? 0x88888888
                                 : 0x80808080,
             .x = ordered,
             .x_step = x_step_of(rows)};
  float scale = 1, *sums = scratch + 4 * n;
  if (have_groups(rows->has_zeros, &rows->zeros)) {
    w.zeros = spread(rows, &rows->zeros, row, 1 / factor, zero, scratch);
  } else if (rows->has_zeros) {
    ir_packed_numbers(&rows->zeros, row, 1, &w.zero);
    w.zero = w.zero / factor + zero;
  }
  sum_row(&w, type, n_bytes, sums);
  if (have_groups(rows->has_scales, &rows->scales)) {
    add_scaled(sums, spread(rows, &rows->scales, row, factor, 0, scratch + 2 * n), n, lanes);
    return;
  }
  if (rows->has_scales)
    ir_packed_numbers(&rows->scales, row, 1, &scale);
  scale *= factor;
  add_and_scale(sums, &scale, n, lanes);
}

/* ---- floats ---- */

/* Adds the products of n terms, times the scales of their groups, to `width` lanes. Groups are a multiple of `width`,
 * or n is at most a group. */
IR_LOOP void add_products(const float *a, const float *b, int64_t n, int64_t group, const float *scales,
                          const int width, float *lanes) {
  float totals[IR_LANES];
  for (int l = 0; l < width; l++)
    totals[l] = lanes[l];
  for (int64_t i = 0; i < n; scales++) {
    const int64_t end = least(i + group, n);
    const float scale = scales[0];
    for (; i + width <= end; i += width)
      for (int l = 0; l < width; l++)
        totals[l] += a[i + l] * b[i + l] * scale;
    for (int l = 0; i < end; i++, l++)
      totals[l] += a[i] * b[i] * scale;
  }
  for (int l = 0; l < width; l++)
    lanes[l] = totals[l];
}

IR_LOOP void add_floats_loop(const float *a, const float *b, int64_t n, int64_t group, const float *scales,
                             float *lanes) {
  if (group % IR_LANES == 0)
    add_products(a, b, n, group, scales, IR_LANES, lanes);
  else
    add_products(a, b, n, group, scales, IR_LANES / 2, lanes);
}
IR_EACH_ISA(add_floats, (const float *a, const float *b, int64_t n, int64_t group, const float *scales, float *lanes),
            (a, b, n, group, scales, lanes))

static void lanes_of_floats(const ir_packed_rows *rows, int64_t row, float *scales, const float *x, float *lanes) {
  const int64_t n_groups = have_groups(rows->has_scales, &rows->scales) ? rows->k / rows->group : 1;
  const int64_t group = rows->k / n_groups, bits = ir_type_bits(rows->weights.type), begin = row * rows->k;
  scales[0] = 1;
  if (rows->has_scales)
    ir_packed_numbers(&rows->scales, row, n_groups, scales);
  for (int64_t n, at = 0; at < rows->k; at += n) {
    float loaded[IR_PIECE];
    n = group < IR_PIECE ? least(IR_PIECE / group * group, rows->k - at) : least(IR_PIECE, group - at % group);
    ask_for((const unsigned char *)rows->weights.data + (begin + at) * bits / 8, n * bits / 8);
    const float *numbers = ir_elements_load(&rows->weights, begin + at, n, loaded);
    add_floats(numbers, x + at, n, group, scales + at / group, lanes);
  }
}

/* ---- rows ---- */

static bool are_words(const ir_packed_rows *rows) {
  return ir_type_in(rows->weights.type,
                    WORD_FLOATS | IR_SET(IR_U8) | IR_SET(IR_I8) | IR_SET(IR_U4) | IR_SET(IR_I4) | IR_SET(IR_U2));
}

bool ir_packed_has_lanes(const ir_packed_rows *rows) {
  const ir_type type = rows->weights.type;
  const bool are_whole = !have_groups(rows->has_zeros, &rows->zeros) && !have_groups(rows->has_scales, &rows->scales);
  if (rows->has_zeros && ir_type_in(type, IR_SET_NARROW_FLOATS | IR_SET_FLOATS))
    return false;
  if (are_words(rows))
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && (are_whole || rows->group % codes_of(rows) == 0);
  return ir_type_in(type, IR_SET(IR_NF4) | IR_SET(IR_F8E8M0) | IR_SET(IR_F16) | IR_SET(IR_BF16)) &&
         (are_whole || rows->group % (IR_LANES / 2) == 0);
}

int64_t ir_packed_ordered(const ir_packed_rows *rows) {
  return are_words(rows) ? x_step_of(rows) * codes_of(rows) : rows->k;
}

int64_t ir_packed_lanes_scratch(const ir_packed_rows *rows) {
  return 5 * n_words_of(rows); /* integers: the sums, and twice the zero points and scales */
}

void ir_packed_order(const ir_packed_rows *rows, const float *x, float *ordered) {
  if (are_words(rows))
    order_words(rows, x, ordered);
  else
    memcpy(ordered, x, (size_t)rows->k * sizeof *x);
}

void ir_packed_lanes(const ir_packed_rows *rows, int64_t row, float *scratch, const float *ordered, float *lanes) {
  memset(lanes, 0, IR_LANES * sizeof *lanes);
  (are_words(rows) ? lanes_of_words : lanes_of_floats)(rows, row, scratch, ordered, lanes);
}
