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

typedef enum code_kind { INTEGERS, F4, E4M3, E5M2 } code_kind;

typedef struct words {
  const unsigned char *from;
  int64_t n;
  float base;     /* integers: number of one_and_code that counts as 0 */
  uint32_t flip;  /* bits of a word to flip: signed integers become codes */
  const float *x; /* of code 0 of each word; those of the next code are `x_step` numbers away */
  int64_t x_step;
} words;

/* Sets sums[l] to the product of the codes of word l and x. */
IR_LOOP void sum_chunk(const words *w, int64_t begin, int64_t n, const int bits, const code_kind kind,
                       float *restrict sums) {
  const unsigned char *restrict from = w->from + begin * WORD_BYTES;
  const float *restrict x = w->x + begin;
  const float base = w->base;
  const uint32_t flip = w->flip;
  const int64_t x_step = w->x_step;
  for (int64_t l = 0; l < n; l++) {
    uint32_t word;
    float sum[2];
    memcpy(&word, from + l * WORD_BYTES, sizeof word);
    word ^= flip;
    IR_UNROLL for (int k = 0; k < WORD_BITS / bits; k++) {
      const int at = bits * k;
      const float number = kind == F4         ? twice_f4(word, at)
                           : kind == INTEGERS ? one_and_code(word, bits, at) - base
                                              : number_of_f8(word, at, kind == E4M3);
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

SUM_WORDS(sum_2_bits, 2, INTEGERS)
SUM_WORDS(sum_4_bits, 4, INTEGERS)
SUM_WORDS(sum_8_bits, 8, INTEGERS)
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
  else
    (bits == 2 ? sum_2_bits : bits == 4 ? sum_4_bits : sum_8_bits)(w, sums);
}

/* ---- sums of groups ---- */

IR_LOOP void halve_loop(const float *restrict from, float *restrict to, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    to[i] = from[2 * i] + from[2 * i + 1];
}
IR_EACH_ISA(halve, (const float *restrict from, float *restrict to, int64_t n), (from, to, n))

/* Adds each `times` of n * times neighbours; returns the array that has the n sums. */
static float *fold(float *sums, float *spare, int64_t n, int64_t times) {
  for (; times % 2 == 0; times /= 2) {
    float *made = spare;
    halve(sums, made, n * times / 2);
    spare = sums;
    sums = made;
  }
  for (int64_t i = 0; i < n && times > 1; i++) {
    float sum = 0;
    for (int64_t j = 0; j < times; j++)
      sum += sums[i * times + j];
    sums[i] = sum;
  }
  return sums;
}

/* Sums of a row's groups, and the numbers of the groups. */
typedef struct group_sums {
  int64_t n;
  const float *sums; /* products of x and the numbers without zero points */
  const float *zeros, *scales, *x;
  float middle, factor;
} group_sums;

/* Adds (factor * sum + (middle - zero) * x) * scale of each group to a lane. */
IR_LOOP void add_sums_loop(const group_sums *g, float *restrict lanes) {
  const float *restrict sums = g->sums, *restrict zeros = g->zeros, *restrict scales = g->scales, *restrict x = g->x;
  const float middle = g->middle, factor = g->factor;
  float totals[IR_LANES];
  int64_t at = 0;
  for (int l = 0; l < IR_LANES; l++)
    totals[l] = 0;
  for (; at + IR_LANES <= g->n; at += IR_LANES)
    for (int l = 0; l < IR_LANES; l++)
      totals[l] += (factor * sums[at + l] + (middle - zeros[at + l]) * x[at + l]) * scales[at + l];
  for (int64_t l = 0; at + l < g->n; l++)
    totals[l] += (factor * sums[at + l] + (middle - zeros[at + l]) * x[at + l]) * scales[at + l];
  for (int l = 0; l < IR_LANES; l++)
    lanes[l] = totals[l];
}
IR_EACH_ISA(add_sums, (const group_sums *g, float *restrict lanes), (g, lanes))

/* Does the same for groups of `n_words` words, a multiple of HALF. `of_words` has their sums: a lane adds words of all
 * groups, so no group needs a sum of its own. */
enum { HALF = IR_LANES / 2 };
IR_LOOP void add_long_groups_loop(const group_sums *g, const float *restrict of_words, int64_t n_words,
                                  float *restrict lanes) {
  const float *restrict zeros = g->zeros, *restrict scales = g->scales, *restrict x = g->x;
  const float middle = g->middle, factor = g->factor;
  const int64_t n = g->n;
  float totals[HALF], shifts[HALF];
  for (int l = 0; l < HALF; l++)
    totals[l] = shifts[l] = 0;
  for (int64_t at = 0; at < n; at++) {
    const float scale = factor * scales[at];
    for (int64_t w = 0; w < n_words; w += HALF, of_words += HALF)
      for (int l = 0; l < HALF; l++)
        totals[l] += of_words[l] * scale;
  }
  int64_t at = 0;
  for (; at + HALF <= n; at += HALF)
    for (int l = 0; l < HALF; l++)
      shifts[l] += (middle - zeros[at + l]) * x[at + l] * scales[at + l];
  for (int64_t l = 0; at + l < n; l++)
    shifts[l] += (middle - zeros[at + l]) * x[at + l] * scales[at + l];
  for (int l = 0; l < HALF; l++) {
    lanes[l] = totals[l];
    lanes[HALF + l] = shifts[l];
  }
}
IR_EACH_ISA(add_long_groups,
            (const group_sums *g, const float *restrict of_words, int64_t n_words, float *restrict lanes),
            (g, of_words, n_words, lanes))

/* Sets the lanes to sums of n words. */
IR_LOOP void add_words_loop(const float *restrict sums, int64_t n, float *restrict lanes) {
  float totals[IR_LANES];
  int64_t at = 0;
  for (int l = 0; l < IR_LANES; l++)
    totals[l] = 0;
  for (; at + IR_LANES <= n; at += IR_LANES)
    for (int l = 0; l < IR_LANES; l++)
      totals[l] += sums[at + l];
  for (int64_t l = 0; at + l < n; l++)
    totals[l] += sums[at + l];
  for (int l = 0; l < IR_LANES; l++)
    lanes[l] = totals[l];
}
IR_EACH_ISA(add_words, (const float *restrict sums, int64_t n, float *restrict lanes), (sums, n, lanes))

/* ---- rows of words ---- */

/* Codes of a word. */
static int64_t codes_of(const ir_packed_rows *rows) {
  return WORD_BITS / ir_type_bits(rows->weights.type);
}
static int64_t n_words_of(const ir_packed_rows *rows) {
  return ir_ceil_div(rows->k, codes_of(rows));
}

/* Words between the x of one code and of the next. It is no multiple of 1024, the floats of a page: the processor's
 * first cache holds few lines with the same place in their pages. */
static int64_t x_step_of(const ir_packed_rows *rows) {
  enum { APART = 16 };
  return ir_ceil_div(n_words_of(rows), CHUNK) * CHUNK + APART;
}

static float sum_of_row(const float *x, int64_t n) {
  double sums[4] = {0}; /* one addition need not wait for the one before */
  for (int64_t i = 0; i < n; i++)
    sums[i % 4] += x[i];
  return (float)(sums[0] + sums[1] + sums[2] + sums[3]);
}

/* Orders x, and adds its groups behind it. */
static void order_words(const ir_packed_rows *rows, const float *x, float *ordered) {
  const int64_t step = x_step_of(rows), n = codes_of(rows);
  for (int64_t k = 0; k < n; k++)
    for (int64_t l = 0; l * n < rows->k; l++)
      ordered[k * step + l] = l * n + k < rows->k ? x[l * n + k] : 0;
  float *sums = ordered + n * step;
  for (int64_t at = 0; at < rows->k; at += rows->group)
    *sums++ = sum_of_row(x + at, rows->group);
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
  sums += w->n;
  w->n = 1;
  sum_of(type, w, sums);
}

/* Integers are summed as numbers without zero points, from the middle of their range if they have a sign or zero
 * points: element - zero = 2^bits * (one_and_code - base) + (middle - zero). */
static void lanes_of_words(const ir_packed_rows *rows, int64_t row, float *scratch, const float *ordered,
                           float *lanes) {
  const ir_type type = rows->weights.type;
  const int bits = (int)ir_type_bits(type);
  const bool has_sign = type == IR_I4 || type == IR_I8;
  const int64_t n = n_words_of(rows), n_bytes = ir_ceil_div(rows->k * bits, 8), n_groups = rows->k / rows->group;
  const float factor = type == IR_F4E2M1 ? 0.5F : ir_type_in(type, WORD_FLOATS) ? 1 : (float)(1 << bits);
  words w = {.from = (const unsigned char *)rows->weights.data + row * n_bytes,
             .base = has_sign || rows->has_zeros ? 1.5F : 1,
             .flip = !has_sign   ? 0
                     : bits == 4 ? 0x88888888
                                 : 0x80808080,
             .x = ordered,
             .x_step = x_step_of(rows)};
  float *zeros = scratch, *scales = zeros + n_groups, *sums = scales + n_groups;
  group_sums g = {.n = n_groups,
                  .zeros = zeros,
                  .scales = scales,
                  .x = ordered + codes_of(rows) * x_step_of(rows),
                  .middle = rows->has_zeros && !has_sign ? factor / 2 : 0,
                  .factor = factor};
  ir_packed_groups(rows, row, zeros, scales);
  sum_row(&w, type, n_bytes, sums);
  const int64_t group_words = rows->group / codes_of(rows);
  if (n_groups > 1 && group_words % HALF == 0) {
    add_long_groups(&g, sums, group_words, lanes);
    return;
  }
  if (n_groups > 1) {
    g.sums = fold(sums, sums + n, n_groups, group_words);
    add_sums(&g, lanes);
    return;
  }
  add_words(sums, n, lanes);
  for (int l = 0; l < IR_LANES; l++)
    lanes[l] *= factor * scales[0];
  lanes[0] += (g.middle - zeros[0]) * g.x[0] * scales[0];
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

static void lanes_of_floats(const ir_packed_rows *rows, int64_t row, float *scratch, const float *x, float *lanes) {
  const int64_t group = rows->group, bits = ir_type_bits(rows->weights.type), begin = row * rows->k;
  const float *in_place = ir_packed_in_place(rows);
  float *zeros = scratch, *scales = scratch + rows->k / group;
  ir_packed_groups(rows, row, zeros, scales);
  for (int64_t n, at = 0; at < rows->k; at += n) {
    float loaded[IR_PIECE];
    n = group < IR_PIECE ? least(IR_PIECE / group * group, rows->k - at) : least(IR_PIECE, group - at % group);
    ask_for((const unsigned char *)rows->weights.data + (begin + at) * bits / 8, n * bits / 8);
    if (in_place == NULL)
      ir_packed_load(&rows->weights, begin + at, n, loaded);
    const float *numbers = in_place != NULL ? in_place + begin + at : loaded;
    add_floats(numbers, x + at, n, group, scales + at / group, lanes);
  }
}

/* ---- rows ---- */

static bool are_words(const ir_packed_rows *rows) {
  return ir_type_in(rows->weights.type,
                    WORD_FLOATS | IR_SET(IR_U8) | IR_SET(IR_I8) | IR_SET(IR_U4) | IR_SET(IR_I4) | IR_SET(IR_U2));
}

bool ir_packed_has_lanes(const ir_packed_rows *rows, int64_t m) {
  const ir_type type = rows->weights.type;
  const bool are_whole = rows->group == rows->k;
  if (rows->has_zeros && ir_type_in(type, IR_SET_NARROW_FLOATS | IR_SET_FLOATS))
    return false;
  if (are_words(rows))
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && (are_whole || rows->group % codes_of(rows) == 0);
  return m == 1 &&
         ir_type_in(type, IR_SET(IR_NF4) | IR_SET(IR_F8E8M0) | IR_SET(IR_F16) | IR_SET(IR_BF16) | IR_SET(IR_F32)) &&
         (are_whole || rows->group % (IR_LANES / 2) == 0);
}

int64_t ir_packed_ordered(const ir_packed_rows *rows) {
  return are_words(rows) ? x_step_of(rows) * codes_of(rows) + rows->k / rows->group : rows->k;
}

int64_t ir_packed_lanes_scratch(const ir_packed_rows *rows) {
  return 2 * (rows->k / rows->group + n_words_of(rows));
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
