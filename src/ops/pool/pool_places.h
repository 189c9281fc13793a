/* Plans maxima with indices for f32, f16, bf16, i8 and u8. Kernels keep a place beside each value: the position of the
 * value in its plane. Only a greater value replaces another, so the first of equal elements stays. */
#ifndef IR_POOL_PLACES_H
#define IR_POOL_PLACES_H

#include "base/stop.h"
#include "ops/pool/pool_windows.h"

/* Axes of a plan. If a pool has fewer axes, the first ones have one element. */
enum { IR_PLACES_DEPTH, IR_PLACES_DOWN, IR_PLACES_ALONG, IR_PLACES_AXES };

typedef struct ir_places {
  int64_t n_planes, plane_in, plane_out;
  ir_windows_axis axes[IR_PLACES_AXES];
  bool doubles[IR_PLACES_AXES]; /* for each axis: whether maxima of 2, 4, .. neighbours are computed first, because
                                   windows overlap much */
  int64_t modulus;              /* index = position in the input % modulus */
  bool is_turned;               /* true: 16 planes are interleaved, one per lane, and a unit is 16 planes */
  int64_t n_units;              /* number of units of work */
  /* If is_turned is false, a unit is a band of one plane: band_depth outputs on the depth axis, and band_rows rows of
   * each. */
  int64_t band_depth, band_rows;
  /* pitch: floats from one row of outputs to the next. line_pitch: floats from one line to the next; a line is an input
   * row with pads and slack. n_lines: lines that are filled together; 0: each window of a row is computed alone. */
  int64_t pitch, line_pitch, n_lines;
  /* Floats of the values in each buffer of places_work (pool_places.inc; places need as many), and of a worker's
   * scratch. */
  int64_t lines_size, rows_size, slices_size, made_size;
  size_t n_scratch;
} ir_places;

typedef struct ir_places_job {
  const ir_places *plan;
  ir_type type; /* type of the elements */
  const void *in;
  void *out;     /* NULL: only the indices are needed */
  void *indices; /* i64 or i32 */
  bool is_i64;
  ir_stop *stop; /* as in ir_pool_job */
  int worker;
} ir_places_job;

/* Computes units of work [begin, end). `scratch` has plan->n_scratch floats, aligned to a cache line. */
typedef void ir_places_units(const ir_places_job *job, float *scratch, int64_t begin, int64_t end);

/* Plans maxima with indices over `windows`. Returns false if vector kernels do not support them: more than three axes,
 * no elements, or planes or bands that are too large. */
bool ir_places_make(const ir_windows *windows, int64_t modulus, ir_places *out);

#endif
