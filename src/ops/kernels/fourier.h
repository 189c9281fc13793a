/* Computes discrete Fourier transforms of lines of complex numbers, in f64: X[k] = sum over j of x[j] * exp(-2 pi i jk
 * / n). Every length n takes O(n log n) operations. */
#ifndef IR_FOURIER_H
#define IR_FOURIER_H

#include "base/arena.h"
#include "base/stop.h"
#include "base/tensor.h"

typedef struct ir_complex {
  double re, im;
} ir_complex;

/* Tables for transforms of length n. If n is no power of two, the transform becomes a convolution, which longer
 * transforms compute (Bluestein): with c[k] = exp(-pi i k^2 / n), X[k] = c[k] * sum over j of (x[j] * c[j]) * conj(c[k
 * - j]). */
typedef struct ir_fft {
  int64_t n;
  int64_t power;      /* n if n is a power of two, else a power of two of at least 2 * n - 1 */
  ir_complex *roots;  /* exp(-2 pi i k / power), for k < power / 2 */
  ir_complex *chirp;  /* c[k], for k < n; NULL if n is a power of two */
  ir_complex *filter; /* transform of conj(c), of length `power` */
  bool has_tables;    /* the numbers above are computed */
} ir_fft;

/* Allocates the tables for lines of n >= 1 numbers in the arena. Returns NULL if memory is out. */
ir_fft *ir_fft_make(int64_t n, ir_arena *arena);

/* Computes the tables, unless they are computed. The execution's thread does that before the first transform, since
 * tables of millions of numbers take seconds. Returns false if `stop` is set; a later call begins again. */
bool ir_fft_ready(ir_fft *fft, ir_stop *stop);

/* Returns the number of complex numbers that `work` of ir_fft_run must hold. */
static inline int64_t ir_fft_work(const ir_fft *fft) {
  return fft->chirp != NULL ? fft->power : 0;
}

/* Transforms `line` in place. The inverse uses exp(2 pi i jk / n) and divides by n. If `stop` is set, returns early,
 * and `line` is undefined. */
void ir_fft_run(const ir_fft *fft, bool is_inverse, ir_complex *line, ir_complex *work, ir_stop *stop, int worker);

/* Completes the spectrum of n real numbers from its first n / 2 + 1 numbers: sets line[n - k] = conj(line[k]). */
void ir_fft_mirror(ir_complex *line, int64_t n);

/* ---- lines of tensors of floats ---- */

/* Position of a line in a tensor: number `at` of the tensor is its first, and neighbours are `step` numbers apart. A
 * complex number is two elements, a real number one. */
typedef struct ir_fft_place {
  int64_t at, step;
  bool is_real;
} ir_fft_place;

void ir_fft_load(const ir_tensor *tensor, ir_fft_place place, int64_t n, ir_complex *line);
/* Stores n numbers. If place.is_real, stores only their real parts. */
void ir_fft_store(const ir_complex *line, int64_t n, ir_tensor *tensor, ir_fft_place place);

#endif
