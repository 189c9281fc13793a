/* Maxima with their places, for f32, f16, bf16, i8 and u8. Each value carries its place, first along the rows, then
 * across them. Only a greater value replaces another, so the first of equals stays. */
#ifndef IR_POOL_PLACES_H
#define IR_POOL_PLACES_H

#include "ops/pool/pool_windows.h"

/* A pool of fewer axes gets axes of one element in front. */
enum { IR_PLACES_DEPTH, IR_PLACES_DOWN, IR_PLACES_ALONG, IR_PLACES_AXES };

typedef struct ir_places {
  int64_t n_planes, plane_in, plane_out;
  ir_windows_axis axes[IR_PLACES_AXES];
  bool doubles[IR_PLACES_AXES]; /* windows overlap so much that maxima of 2, 4, .. neighbours are computed first */
  int64_t modulus;              /* an index is the position in the input modulo this */
  bool is_turned;               /* 16 planes are interleaved, one per lane */
  int64_t n_units;              /* units of work */
  /* If not is_turned, a unit is a band of a plane: so many outputs of the depth, and rows of each. */
  int64_t band_depth, band_rows;
  /* pitch: floats in a row of outputs; line_pitch: in a line, which is an input row with pads and slack. n_lines are
   * filled at once; 0: windows along rows are computed one by one. */
  int64_t pitch, line_pitch, n_lines;
  /* Floats of each kind of values (their places take as many), and of a worker's scratch. */
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
} ir_places_job;

/* Computes units [begin, end). `scratch` has plan->n_scratch floats, aligned to a cache line. */
typedef void ir_places_units(const ir_places_job *job, float *scratch, int64_t begin, int64_t end);

/* False for windows that plain loops compute: more than three axes, or units that would be too large. */
bool ir_places_make(const ir_windows *windows, int64_t modulus, ir_places *out);

#endif
