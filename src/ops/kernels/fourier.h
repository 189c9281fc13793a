/* Discrete Fourier transforms of lines of complex numbers, in f64: X[k] = sum over j of x[j] * exp(-2 pi i jk / n).
 * They take O(n log n) operations for every length. */
#ifndef IR_FOURIER_H
#define IR_FOURIER_H

#include "base/arena.h"
#include "base/stop.h"
#include "base/tensor.h"

typedef struct ir_complex {
  double re, im;
} ir_complex;

/* Tables for one length. A length that is no power of two becomes a convolution of longer transforms (Bluestein): with
 * c[k] = exp(-pi i k^2 / n), X[k] = c[k] * sum over j of (x[j] * c[j]) * conj(c[k - j]). */
typedef struct ir_fft {
  int64_t n;
  int64_t power;            /* a power of two: n, or at least 2 * n - 1 */
  const ir_complex *roots;  /* exp(-2 pi i k / power), for k < power / 2 */
  const ir_complex *chirp;  /* c; NULL: n is a power of two */
  const ir_complex *filter; /* transform of conj(c), of length `power` */
} ir_fft;

/* Makes the tables for lines of n >= 1. False if memory is out. */
bool ir_fft_make(int64_t n, ir_arena *arena, ir_fft *out);

/* Number of complex numbers that `work` must hold. */
static inline int64_t ir_fft_work(const ir_fft *fft) {
  return fft->chirp != NULL ? fft->power : 0;
}

/* Transforms in place. The inverse uses exp(2 pi i jk / n) and divides by n. Stops halfway if `stop` asks. */
void ir_fft_run(const ir_fft *fft, bool is_inverse, ir_complex *line, ir_complex *work, ir_stop *stop, int worker);

/* Completes a line of n from its first n / 2 + 1 numbers, as the spectrum of real numbers. */
void ir_fft_mirror(ir_complex *line, int64_t n);

/* ---- lines of tensors of floats ---- */

/* Position of a line: its first number `at`, and the distance `step` between numbers. Complex numbers are two
 * elements. */
typedef struct ir_fft_place {
  int64_t at, step;
  bool is_real;
} ir_fft_place;

void ir_fft_load(const ir_tensor *tensor, ir_fft_place place, int64_t n, ir_complex *line);
/* Drops the imaginary parts if the tensor holds real numbers. */
void ir_fft_store(const ir_complex *line, int64_t n, ir_tensor *tensor, ir_fft_place place);

#endif
