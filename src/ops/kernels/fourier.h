/* Discrete Fourier transforms of lines of complex numbers, in f64: X[k] is the sum over j of x[j] * exp(-2 pi i jk /
 * n). n log n additions for every length. */
#ifndef IR_FOURIER_H
#define IR_FOURIER_H

#include "base/arena.h"
#include "base/stop.h"
#include "base/tensor.h"

typedef struct ir_complex {
  double re, im;
} ir_complex;

/* Tables of one length. A length that is no power of two is a convolution, whose transforms are longer (Bluestein):
 * with c[k] = exp(-pi i k^2 / n), X[k] is c[k] times the sum over j of (x[j] * c[j]) * conj(c[k - j]). */
typedef struct ir_fft {
  int64_t n;
  int64_t power;            /* of two: n, or at least 2 * n - 1 */
  const ir_complex *roots;  /* exp(-2 pi i k / power), half as many */
  const ir_complex *chirp;  /* c; NULL: n is a power of two */
  const ir_complex *filter; /* the transform of conj(c), over `power` */
} ir_fft;

/* Of lines of n >= 1. False when memory is out. */
bool ir_fft_make(int64_t n, ir_arena *arena, ir_fft *out);

/* Numbers that `work` has to hold. */
static inline int64_t ir_fft_work(const ir_fft *fft) {
  return fft->chirp != NULL ? fft->power : 0;
}

/* In place. The inverse has exp(2 pi i jk / n) and is divided by n. It is left in the middle when `stop` asks for it.
 */
void ir_fft_run(const ir_fft *fft, bool is_inverse, ir_complex *line, ir_complex *work, ir_stop *stop, int worker);

/* Of a line of n whose first n / 2 + 1 numbers are there: the rest, as the spectrum of real numbers has it. */
void ir_fft_mirror(ir_complex *line, int64_t n);

/* ---- lines of tensors of floats ---- */

/* Where a line lies: number `at`, and those that follow with `step` between them. Complex ones are two elements. */
typedef struct ir_fft_place {
  int64_t at, step;
  bool is_real;
} ir_fft_place;

void ir_fft_load(const ir_tensor *tensor, ir_fft_place place, int64_t n, ir_complex *line);
/* Of real numbers the imaginary parts are dropped. */
void ir_fft_store(const ir_complex *line, int64_t n, ir_tensor *tensor, ir_fft_place place);

#endif
