/* Maxima and the places where they were found, of f32, f16, bf16, i8 and u8. Each value has its place beside it, along
 * the rows first, then across them: only a greater value takes another's place, so the first of equals stays. */
#ifndef IR_POOL_PLACES_H
#define IR_POOL_PLACES_H

#include "ops/pool/pool_windows.h"

/* A pool of fewer axes has axes of one element before its own. */
enum { IR_PLACES_DEPTH, IR_PLACES_DOWN, IR_PLACES_ALONG, IR_PLACES_AXES };

typedef struct ir_places {
  int64_t n_planes, plane_in, plane_out;
  ir_windows_axis axes[IR_PLACES_AXES];
  bool doubles[IR_PLACES_AXES]; /* windows overlap so much that maxima of 2, 4, .. neighbours are made first */
  int64_t modulus;              /* an index is the place in the input modulo this */
  bool is_turned;               /* 16 planes side by side, a lane each */
  int64_t n_units;              /* pieces of work */
  /* Else a piece is a band of a plane: so many outputs of the depth, and rows of each. */
  int64_t band_depth, band_rows;
  /* Floats of a row of outputs, and of a line: a row of the input with pads and slack. So many lines are filled at
   * once; 0: windows along rows go one by one. */
  int64_t pitch, line_pitch, n_lines;
  /* Floats of the values of each kind, which places have as many of, and of a worker's scratch. */
  int64_t lines_size, rows_size, slices_size, made_size;
  size_t n_scratch;
} ir_places;

typedef struct ir_places_job {
  const ir_places *plan;
  ir_type type; /* of the elements */
  const void *in;
  void *out;     /* NULL: only the indices are wanted */
  void *indices; /* i64 or i32 */
  bool is_i64;
} ir_places_job;

/* Units [begin, end). `scratch` has plan->n_scratch floats, from the begin of a line of the cache on. */
typedef void ir_places_units(const ir_places_job *job, float *scratch, int64_t begin, int64_t end);

/* False for windows that are left to plain loops: of more than three axes, or so large that a piece of work is. */
bool ir_places_make(const ir_windows *windows, int64_t modulus, ir_places *out);

#endif
