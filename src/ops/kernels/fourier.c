#include "ops/kernels/fourier.h"
#include "ops/kernels/compute_type.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static ir_complex product(ir_complex a, ir_complex b) {
  return (ir_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static ir_complex conjugate(ir_complex a) {
  return (ir_complex){a.re, -a.im};
}

static ir_complex turned(double angle) {
  return (ir_complex){cos(angle), sin(angle)};
}

/* ---- powers of two ---- */

static void swap(ir_complex *a, ir_complex *b) {
  const ir_complex kept = *a;
  *a = *b;
  *b = kept;
}

/* Exchanges each number with the number whose index has the same bits in reverse order. */
static void reverse_bits(ir_complex *line, int64_t n, ir_stop *stop, int worker) {
  int64_t to = 0, since = 0;
  for (int64_t i = 0; i < n && !ir_stop_asked_after(stop, worker, 1, &since); i++) {
    if (i < to)
      swap(&line[i], &line[to]);
    int64_t bit = n / 2;
    for (; bit > 0 && (to & bit) != 0; bit /= 2)
      to -= bit;
    to += bit;
  }
}

static void run_power(const ir_fft *fft, ir_complex *line, ir_stop *stop, int worker) {
  const int64_t n = fft->power;
  reverse_bits(line, n, stop, worker);
  for (int64_t half = 1; half < n && !ir_stop_asked_of(stop, worker); half *= 2)
    for (int64_t begin = 0; begin < n; begin += 2 * half)
      for (int64_t k = 0; k < half; k++) {
        ir_complex *a = &line[begin + k], *b = a + half;
        const ir_complex there = product(*b, fft->roots[k * (n / 2 / half)]);
        *b = (ir_complex){a->re - there.re, a->im - there.im};
        *a = (ir_complex){a->re + there.re, a->im + there.im};
      }
}

/* ---- any length ---- */

ir_fft *ir_fft_make(int64_t n, ir_arena *arena) {
  const bool is_power = (n & (n - 1)) == 0;
  ir_fft *fft = ir_arena_alloc(arena, sizeof *fft);
  if (fft == NULL || n > INT64_MAX / 8)
    return NULL;
  *fft = (ir_fft){.n = n, .power = 1};
  while (fft->power < (is_power ? n : 2 * n - 1))
    fft->power *= 2;
  fft->roots = ir_arena_array(arena, (size_t)(fft->power / 2 + 1), sizeof *fft->roots);
  if (is_power)
    return fft->roots != NULL ? fft : NULL;
  fft->chirp = ir_arena_array(arena, (size_t)n, sizeof *fft->chirp);
  fft->filter = ir_arena_array(arena, (size_t)fft->power, sizeof *fft->filter);
  return fft->roots != NULL && fft->chirp != NULL && fft->filter != NULL ? fft : NULL;
}

static void fill_filter(ir_fft *fft, ir_stop *stop) {
  const int64_t n = fft->n;
  int64_t square = 0, since = 0; /* k^2 modulo 2 * n */
  memset(fft->filter, 0, (size_t)fft->power * sizeof *fft->filter);
  for (int64_t k = 0; k < n && !ir_stop_asked_after(stop, 0, 1, &since); k++) {
    fft->chirp[k] = turned(-pi * (double)square / (double)n);
    fft->filter[k] = conjugate(fft->chirp[k]);
    if (k > 0)
      fft->filter[fft->power - k] = fft->filter[k];
    square = (square + 2 * k + 1) % (2 * n);
  }
  run_power(fft, fft->filter, stop, 0);
}

bool ir_fft_ready(ir_fft *fft, ir_stop *stop) {
  int64_t since = 0;
  if (fft->has_tables)
    return true;
  for (int64_t k = 0; k < fft->power / 2 && !ir_stop_asked_after(stop, 0, 1, &since); k++)
    fft->roots[k] = turned(-2 * pi * (double)k / (double)fft->power);
  if (fft->chirp != NULL)
    fill_filter(fft, stop);
  fft->has_tables = !ir_stop_asked(stop);
  return fft->has_tables;
}

static void run_chirp(const ir_fft *fft, ir_complex *line, ir_complex *work, ir_stop *stop, int worker) {
  for (int64_t k = 0; k < fft->n; k++)
    work[k] = product(line[k], fft->chirp[k]);
  memset(work + fft->n, 0, (size_t)(fft->power - fft->n) * sizeof *work);
  run_power(fft, work, stop, worker);
  /* The next transform has to be inverse, so this loop conjugates the transform's input, and the last loop conjugates
   * the transform's output. */
  for (int64_t k = 0; k < fft->power; k++)
    work[k] = conjugate(product(work[k], fft->filter[k]));
  run_power(fft, work, stop, worker);
  for (int64_t k = 0; k < fft->n; k++) {
    const ir_complex sum = {work[k].re / (double)fft->power, -work[k].im / (double)fft->power};
    line[k] = product(sum, fft->chirp[k]);
  }
}

void ir_fft_run(const ir_fft *fft, bool is_inverse, ir_complex *line, ir_complex *work, ir_stop *stop, int worker) {
  for (int64_t k = 0; k < fft->n && is_inverse; k++)
    line[k] = conjugate(line[k]);
  if (fft->chirp != NULL)
    run_chirp(fft, line, work, stop, worker);
  else
    run_power(fft, line, stop, worker);
  for (int64_t k = 0; k < fft->n && is_inverse; k++)
    line[k] = (ir_complex){line[k].re / (double)fft->n, -line[k].im / (double)fft->n};
}

void ir_fft_mirror(ir_complex *line, int64_t n) {
  for (int64_t k = 1; k <= (n - 1) / 2; k++)
    line[n - k] = conjugate(line[k]);
}

/* ---- lines of tensors ---- */

void ir_fft_load(const ir_tensor *tensor, ir_fft_place place, int64_t n, ir_complex *line) {
  const int64_t parts = place.is_real ? 1 : 2;
  const size_t size = (size_t)parts * ir_type_size(tensor->type);
  const char *from = (const char *)tensor->data + (size_t)place.at * size;
  for (int64_t i = 0; i < n; i++) {
    line[i].im = 0;
    ir_compute_load(tensor->type, from + (size_t)(i * place.step) * size, IR_COMPUTE_F64, &line[i], parts);
  }
}

void ir_fft_store(const ir_complex *line, int64_t n, ir_tensor *tensor, ir_fft_place place) {
  const int64_t parts = place.is_real ? 1 : 2;
  const size_t size = (size_t)parts * ir_type_size(tensor->type);
  char *to = (char *)tensor->data + (size_t)place.at * size;
  for (int64_t i = 0; i < n; i++)
    ir_compute_store(IR_COMPUTE_F64, &line[i], tensor->type, to + (size_t)(i * place.step) * size, parts);
}
