/* Tests the kernels for maxima with indices against a loop over the taps. Every instruction set and every split of
 * the work must give the same bits. Prints the kernels that this machine lacks. */
#include "draw.h"
#include "ops/pool/pool_kernels.h"
#include "pool_case.h"
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 2000, MAX_TAPS = 400000, MAX_ELEMENTS = 1 << 16 };

typedef struct places_case {
  ir_windows windows;
  ir_places plan;
  int64_t modulus, n_in, n_out, taps;
} places_case;

/* Outputs in memory of exact size, so that the address sanitizer detects overruns. */
typedef struct outputs {
  unsigned char *values, *indices;
} outputs;

static ir_memory memory;
static ir_diags diags;
static ir_arena arena;

/* ---- cases ---- */

static void set_axis(ir_windows_axis *axis, int64_t n, ir_window_axis window) {
  int64_t out = -1;
  if (!ir_window_count(window, one_in(2) ? IR_ROUND_FLOOR : IR_ROUND_CEIL, n, &out))
    fail_msg("a window that does not fit");
  *axis = (ir_windows_axis){.n_in = n,
                            .n_out = out,
                            .step = window.dilation,
                            .kernel = window.kernel,
                            .stride = window.stride,
                            .pad_begin = window.pad_begin};
  axis->ranges = ir_arena_array(&arena, (size_t)out, sizeof *axis->ranges);
  for (int64_t o = 0; o < out; o++)
    axis->ranges[o] = ir_window_range(window, n, o);
  ir_windows_settle(axis);
}

/* Draws windows with dilations for few elements. Some windows have taps on both sides of the input and none in it. */
static void draw_stepping(ir_windows_axis *axis, int64_t n) {
  ir_window_axis window = {between(1, 3), between(1, 9), between(1, 4), 0, 0};
  window.pad_begin = between(0, (window.kernel - 1) * window.dilation + 1);
  window.pad_end = between(0, 1) + (window.kernel - 1) * window.dilation;
  set_axis(axis, n, window);
}

static void draw_axis(ir_windows_axis *axis, int64_t n) {
  if (n <= 3 && one_in(2)) {
    draw_stepping(axis, n);
    return;
  }
  const int64_t longest = one_in(2) ? 9 : 40;
  const int64_t kernel = one_in(12) ? n : between(1, n < longest ? n : longest);
  const int64_t dilation = kernel == 1 || (kernel - 1) * 3 + 1 > n ? 1 : one_in(2) ? 1 : between(1, 3);
  const int64_t stride = one_in(2) ? between(1, 2) : one_in(2) ? between(3, 5) : between(1, kernel + 2);
  const int64_t pad = one_in(2) ? 0 : between(0, one_in(8) ? 2 * kernel : kernel - 1);
  const int64_t more = one_in(10) ? between(0, one_in(2) ? 40 : 3000) : 0; /* pads in which whole windows lie */
  set_axis(axis, n, (ir_window_axis){kernel, stride, dilation, pad + (one_in(2) ? more : 0), between(0, pad) + more});
}

/* Draws an adaptive pool's bins, of equal or different lengths. */
static void draw_bins(ir_windows_axis *axis, int64_t n) {
  const int64_t out = one_in(3) ? 1 : one_in(8) ? between(1, 2 * n) : between(1, n);
  *axis = (ir_windows_axis){.n_in = n, .n_out = out, .step = 1};
  axis->ranges = ir_arena_array(&arena, (size_t)out, sizeof *axis->ranges);
  for (int64_t o = 0; o < out; o++)
    axis->ranges[o] = ir_window_bin(n, out, o);
}

/* Sets both inner axes to the same kernel and stride. */
static void draw_square(ir_windows_axis *down, ir_windows_axis *along, int64_t n_down, int64_t n_along) {
  const int64_t n = n_down < n_along ? n_down : n_along, few = n < 6 ? n : 6;
  const int64_t kernel = one_in(3) && n > 1 ? 2 : between(1, few), stride = between(1, 3);
  const int64_t pad = one_in(2) ? 0 : between(0, kernel - 1), pad_end = between(0, pad);
  set_axis(down, n_down, (ir_window_axis){kernel, stride, 1, pad, pad_end});
  set_axis(along, n_along, (ir_window_axis){kernel, stride, 1, pad, pad_end});
}

static bool draw_case(places_case *c) {
  static const int64_t sizes[3] = {4000, 90, 22};
  ir_arena_reset(&arena);
  *c = (places_case){.windows = {.n_planes = between(1, one_in(4) ? 40 : 4), .n_axes = (int)between(1, 3)}};
  const int n_axes = c->windows.n_axes;
  const bool is_wide = n_axes == 2 && one_in(4), is_square = n_axes > 1 && one_in(3), is_whole = one_in(12),
             has_bins = one_in(4), is_thick = n_axes == 3 && one_in(6);
  int64_t tail = 1;
  c->taps = c->windows.n_planes;
  for (int a = 0; a < n_axes; a++) {
    ir_windows_axis *axis = &c->windows.axes[a];
    const int64_t n = is_thick  ? between(34, 40)
                      : is_wide ? (a == 0 ? between(1, 12) : between(1200, 4000))
                                : between(1, is_whole && one_in(2)    ? 8
                                             : one_in(a == 0 ? 4 : 8) ? 1
                                                                      : sizes[n_axes - 1]);
    if (is_whole)
      set_axis(axis, n, (ir_window_axis){n, 1, 1, 0, 0});
    else if (has_bins)
      draw_bins(axis, n);
    else if (is_square && a == n_axes - 1)
      draw_square(axis - 1, axis, axis[-1].n_in, n);
    else
      draw_axis(axis, n);
  }
  for (int a = 0; a < n_axes; a++) {
    const ir_windows_axis *axis = &c->windows.axes[a];
    int64_t most = 0;
    for (int64_t o = 0; o < axis->n_out; o++)
      most = axis->ranges[o].count > most ? axis->ranges[o].count : most;
    c->taps *= axis->n_out * (most > 0 ? most : 1);
  }
  c->n_in = c->windows.n_planes * ir_windows_plane_in(&c->windows);
  c->n_out = c->windows.n_planes * ir_windows_plane_out(&c->windows);
  /* An index counts in the whole tensor, in a plane, or from a later axis on. */
  for (int a = (int)between(0, n_axes - 1); a < n_axes; a++)
    tail *= c->windows.axes[a].n_in;
  c->modulus = one_in(3) ? c->n_in : one_in(2) ? ir_windows_plane_in(&c->windows) : tail;
  return c->n_in <= MAX_ELEMENTS && c->n_out <= MAX_ELEMENTS && c->taps <= MAX_TAPS &&
         ir_places_make(&c->windows, c->modulus, &c->plan);
}

/* ---- elements ---- */

static float number_at(ir_type type, const void *x, int64_t i) {
  switch (type) {
  case IR_F32:
    return ((const float *)x)[i];
  case IR_F16:
    return ir_f16_to_f32(((const uint16_t *)x)[i]);
  case IR_BF16:
    return ir_bf16_to_f32(((const uint16_t *)x)[i]);
  case IR_I8:
    return ((const int8_t *)x)[i];
  default:
    return ((const uint8_t *)x)[i];
  }
}

/* Returns the bits of the lowest finite number, from which a maximum starts. */
static uint32_t lowest_of(ir_type type) {
  const float lowest = -FLT_MAX;
  uint32_t bits;
  memcpy(&bits, &lowest, sizeof bits);
  return type == IR_F32 ? bits : type == IR_F16 ? 0xfbff : type == IR_BF16 ? 0xff7f : type == IR_I8 ? 0x80 : 0;
}

/* Draws a signed zero, the lowest or greatest number, an infinity, NaN, 1 or -1. */
static uint32_t special(ir_type type) {
  static const uint32_t single[] = {0,          0x80000000, 0xff7fffff, 0x7f7fffff, 0xff800000,
                                    0x7f800000, 0x7fc00000, 0x3f800000, 0xbf800000};
  static const uint32_t half[] = {0, 0x8000, 0xfbff, 0x7bff, 0xfc00, 0x7c00, 0x7e00, 0x3c00, 0xbc00};
  const int64_t i = between(0, 8);
  return type == IR_F32 || type == IR_BF16 ? single[i] >> (type == IR_BF16 ? 16 : 0)
         : type == IR_F16                  ? half[i]
                                           : (uint32_t)(int[]){0, 1, 127, 128, 255, 2, 3, 254, 129}[i];
}

static uint32_t ordinary(ir_type type, bool few) {
  const float number = (float)(few ? between(-2, 2) : between(-1000000, 1000000) / 7);
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return type == IR_F32    ? bits
         : type == IR_BF16 ? bits >> 16
         : type == IR_F16  ? ir_f32_to_f16(number / 10)
                           : (uint32_t)(few ? between(0, 3) : between(0, 255));
}

/* Draws elements of one kind: any bits, numbers, few numbers with many ties, special numbers, one value, or mostly
 * the lowest number. */
static void *draw_input(const places_case *c, ir_type type) {
  const size_t size = ir_type_size(type);
  unsigned char *x = malloc((size_t)c->n_in * size);
  const int64_t kind = between(0, 5);
  const uint32_t same = special(type);
  assert_non_null(x);
  for (int64_t i = 0; i < c->n_in; i++) {
    uint32_t bits = (uint32_t)between(0, UINT32_MAX);
    bits = kind == 1 ? ordinary(type, false) : kind == 2 ? ordinary(type, true) : kind == 3 ? special(type) : bits;
    bits = kind == 4 ? same : kind == 5 && !one_in(50) ? lowest_of(type) : bits;
    memcpy(x + (size_t)i * size, &bits, size);
  }
  return x;
}

/* ---- the reference ---- */

static unsigned char *take_bytes(size_t n) {
  return n % 64 == 0 ? aligned_alloc(64, n) : malloc(n);
}

static outputs take_outputs(const places_case *c, ir_type type, bool is_i64) {
  const size_t n = (size_t)c->n_out;
  const outputs out = {take_bytes(n * ir_type_size(type)), take_bytes(n * (is_i64 ? 8 : 4))};
  assert_non_null(out.values);
  assert_non_null(out.indices);
  memset(out.values, 0xaa, n * ir_type_size(type));
  memset(out.indices, 0xaa, n * (is_i64 ? 8 : 4));
  return out;
}

static void free_outputs(outputs out) {
  free(out.values);
  free(out.indices);
}

/* Returns the position of the window's maximum, or -1 if no tap exceeds the lowest number. */
static int64_t place_of(const places_case *c, ir_type type, const void *x, int64_t plane, const int64_t *where) {
  const int n = c->windows.n_axes;
  int64_t tap[3] = {0}, taps = 1, found = -1;
  uint32_t bits = lowest_of(type);
  float best = number_at(type, &bits, 0);
  for (int a = 0; a < n; a++)
    taps *= c->windows.axes[a].ranges[where[a]].count;
  for (int64_t t = 0; t < taps; t++) {
    int64_t at = plane;
    for (int a = 0; a < n; a++) {
      const ir_windows_axis *axis = &c->windows.axes[a];
      at = at * axis->n_in + axis->ranges[where[a]].begin + tap[a] * axis->step;
    }
    if (number_at(type, x, at) > best) {
      best = number_at(type, x, at);
      found = at;
    }
    for (int a = n - 1; a >= 0 && ++tap[a] == c->windows.axes[a].ranges[where[a]].count; a--)
      tap[a] = 0;
  }
  return found;
}

static outputs define(const places_case *c, ir_type type, const void *x, bool is_i64) {
  const outputs out = take_outputs(c, type, is_i64);
  const size_t size = ir_type_size(type);
  const uint32_t lowest = lowest_of(type);
  for (int64_t o = 0; o < c->n_out; o++) {
    int64_t where[3], rest = o;
    for (int a = c->windows.n_axes - 1; a >= 0; rest /= c->windows.axes[a--].n_out)
      where[a] = rest % c->windows.axes[a].n_out;
    const int64_t at = place_of(c, type, x, rest, where);
    const int64_t index = (at < 0 ? rest * ir_windows_plane_in(&c->windows) : at) % c->modulus;
    const int32_t narrow = (int32_t)index;
    memcpy(out.values + (size_t)o * size, at < 0 ? (const void *)&lowest : (const unsigned char *)x + (size_t)at * size,
           size);
    memcpy(out.indices + (size_t)o * (is_i64 ? 8 : 4), is_i64 ? (const void *)&index : &narrow, is_i64 ? 8 : 4);
  }
  return out;
}

/* ---- running ---- */

static void run_units(const places_case *c, const ir_pool_kernel *kernel, ir_places_job job, int64_t piece) {
  const size_t bytes = c->plan.n_scratch * sizeof(float);
  float *scratch = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
  assert_non_null(scratch);
  memset(scratch, 0x7f, bytes); /* fills the scratch with garbage that exceeds most elements */
  for (int64_t p = 0; p < c->plan.n_units; p += piece)
    kernel->places(&job, scratch, p, p + piece < c->plan.n_units ? p + piece : c->plan.n_units);
  free(scratch);
}

static void fail_at(const places_case *c, const ir_pool_kernel *kernel, const char *what, int64_t o) {
  char text[WINDOWS_TEXT];
  fail_msg("%s for %s: %s %lld of %lld differs; %s", ir_type_name(kernel->type), kernel->isa, what, (long long)o,
           (long long)c->n_out, windows_text(&c->windows, text, sizeof text));
}

static void assert_same(const places_case *c, const ir_pool_kernel *kernel, const outputs *want, const outputs *got,
                        bool with_values, bool is_i64) {
  const size_t size = ir_type_size(kernel->type), index_size = is_i64 ? 8 : 4;
  for (int64_t o = 0; o < c->n_out; o++) {
    const size_t at = (size_t)o;
    if (with_values && memcmp(want->values + at * size, got->values + at * size, size) != 0)
      fail_at(c, kernel, "value", o);
    if (memcmp(want->indices + at * index_size, got->indices + at * index_size, index_size) != 0)
      fail_at(c, kernel, "index", o);
  }
}

static void check_kernel(const places_case *c, const ir_pool_kernel *kernel, const void *x, const outputs *want,
                         bool is_i64) {
  for (int split = 0; split < 2; split++) {
    const bool with_values = !one_in(6);
    outputs got = take_outputs(c, kernel->type, is_i64);
    run_units(c, kernel,
              (ir_places_job){.plan = &c->plan,
                              .type = kernel->type,

                              .in = x,
                              .out = with_values ? got.values : NULL,
                              .indices = got.indices,
                              .is_i64 = is_i64},
              split != 0 ? between(1, 3) : c->plan.n_units);
    assert_same(c, kernel, want, &got, with_values, is_i64);
    free_outputs(got);
  }
}

/* Counts the cases of each code path, since the tests have to reach all of them. */
enum { TURNED, RUNS, FEW, MANY, DOUBLED_DOWN, DEEP, OVER_SLICE, BANDS, DEPTH_BANDS, WAYS };
static const char *const way_names[WAYS] = {
    "turned", "runs", "few", "many", "doubled down", "deep", "over the only slice", "bands", "bands of the depth"};
typedef struct ways {
  int n[WAYS];
  int strides[2][4]; /* windows of up to 8 columns, and of more: cases of stride 1, 2 and above */
} ways;

static void count_ways(const places_case *c, ways *w) {
  const ir_places *p = &c->plan;
  const ir_windows_axis *depth = &p->axes[IR_PLACES_DEPTH], *down = &p->axes[IR_PLACES_DOWN],
                        *along = &p->axes[IR_PLACES_ALONG];
  const int64_t stride = along->stride < 3 ? along->stride : 3;
  w->n[TURNED] += p->is_turned;
  if (p->is_turned)
    return;
  const bool is_few = along->kernel > 0 && along->kernel <= 8,
             is_many = along->kernel > 8 && p->doubles[IR_PLACES_ALONG];
  w->n[RUNS] += p->n_lines == 0;
  w->n[FEW] += is_few;
  w->n[MANY] += is_many;
  w->strides[0][stride] += is_few;
  w->strides[1][stride] += is_many;
  w->n[DOUBLED_DOWN] += p->doubles[IR_PLACES_DOWN];
  w->n[DEEP] += depth->n_in > 1;
  w->n[OVER_SLICE] += depth->n_in == 1 && depth->n_out == 1 && ir_windows_range(depth, 0).count == 0;
  w->n[BANDS] += p->band_rows < down->n_out;
  w->n[DEPTH_BANDS] += p->band_depth < depth->n_out;
}

static void every_kernel_finds_what_is_defined(void **state) {
  (void)state;
  places_case c;
  ways w = {0};
  for (int n = 0; n < CASES;) {
    if (!draw_case(&c))
      continue;
    n++;
    count_ways(&c, &w);
    for (const ir_pool_kernel *first = ir_pool_kernels; first->units != NULL; first++) {
      if (strcmp(first->isa, "any") != 0 || first->places == NULL)
        continue;
      const bool is_i64 = one_in(2);
      void *x = draw_input(&c, first->type);
      outputs want = define(&c, first->type, x, is_i64);
      for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
        if (kernel->type == first->type && kernel->places != NULL && kernel->available())
          check_kernel(&c, kernel, x, &want, is_i64);
      free_outputs(want);
      free(x);
    }
  }
  for (int i = 0; i < WAYS; i++)
    if (w.n[i] < 5)
      fail_msg("%s: taken %d times", way_names[i], w.n[i]);
  for (int i = 0; i < 2; i++)
    for (int stride = 1; stride < 4; stride++)
      if (w.strides[i][stride] < 5)
        fail_msg("%s terms at stride %d: taken %d times", i == 0 ? "few" : "many", stride, w.strides[i][stride]);
}

static void kernels_that_this_machine_lacks(void **state) {
  (void)state;
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (kernel->places != NULL && !kernel->available())
      printf("not tried here: %s for %s\n", ir_type_name(kernel->type), kernel->isa);
}

static int set_up(void **state) {
  (void)state;
  memory = ir_memory_default();
  ir_diags_init(&diags, &memory);
  ir_arena_init(&arena, &memory, (size_t)1 << 30);
  draw_seed(NULL);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  ir_arena_reset(&arena);
  ir_diags_reset(&diags);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kernel_finds_what_is_defined),
      cmocka_unit_test(kernels_that_this_machine_lacks),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
