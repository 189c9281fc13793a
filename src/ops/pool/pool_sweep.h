/* A pool as a sweep: one pass along each axis, the innermost first, so that the cost of a window is that of its sides
 * and not of its area. A stage turns the rows that the stages inside it make into its own; the outermost one writes the
 * output.
 *
 * Order of additions, for every type of float and every machine: n terms are added as R(n) = W(p) + R(n - p), p the
 * greatest power of two up to n, and W(2m) = W(m) + W(m), W(1) a term; first along rows (pads are terms of 0), then
 * along each further axis. A row that is one window whole is added in 16 lanes. It depends on the windows alone. */
#ifndef IR_POOL_SWEEP_H
#define IR_POOL_SWEEP_H

#include "ops/pool/pool_windows.h"

typedef enum ir_sweep_mode {
  IR_SWEEP_ROW,    /* along a row, windows of one kernel, stride and pads */
  IR_SWEEP_BINS,   /* along a row, any windows */
  IR_SWEEP_WHOLE,  /* along a row, one window */
  IR_SWEEP_DIRECT, /* across rows, each window from its rows */
  IR_SWEEP_LEVELS  /* across rows, from sums of 4, 16, ... rows that windows share */
} ir_sweep_mode;

enum {
  IR_SWEEP_MAX_LEVELS = 31, /* of 4^i: more rows than there can be */
  IR_SWEEP_FEW = 8,         /* rows that are added in one pass */
  IR_SWEEP_BATCH = 2048     /* values that a pass makes of them */
};

/* A level keeps as many rows as the next one is made of, and windows need: a power of two. */
#define IR_SWEEP_LEVEL_ROWS(level) (INT64_C(8) << (2 * (level)))

typedef struct ir_sweep_stage {
  ir_sweep_mode mode;
  int64_t n_in, n_out, step;
  const ir_range *ranges;
  int64_t kernel, stride, pad_begin; /* of ROW and LEVELS */
  int64_t in_block;                  /* elements of the input from one position of the axis to the next */
  int64_t length;                    /* values of one row across which it sweeps; 1 along a row */
  int64_t pitch;                     /* of ROW: between rows, padded */
  int64_t group;                     /* rows that are made at once: a power of two, as the next one is */
  int64_t ring_rows, ring_pitch;     /* across rows: those that are kept */
  int n_levels;                      /* of LEVELS and ROW: 4^(n_levels - 1) is the greatest that fits the kernel */
  /* In values from the begin of the scratch. */
  size_t ring_at, level_at[IR_SWEEP_MAX_LEVELS], temporary_at;
} ir_sweep_stage;

typedef struct ir_sweep {
  int64_t n_planes, plane_in, plane_out;
  int64_t base; /* elements of a row that no stage sweeps along; 1 where the innermost stage does */
  int n_stages;
  ir_sweep_stage stages[IR_MAX_RANK]; /* the innermost first */
  int64_t row_length;                 /* of the rows that the outermost stage writes */
  const float *row_taps;              /* of each of their values: taps along all inner axes */
  int64_t usual_rows;                 /* that most of their windows have */
  const float *reciprocals;           /* rounded, of so many times the taps */
  size_t last_at;                     /* in the scratch: of such a row, or of a group of them */
  size_t n_scratch;                   /* values */
} ir_sweep;

/* False where the sweep is none that kernels have: nothing to compute, or windows of 2^24 elements and more. Reports
 * when memory is out, and returns false. */
bool ir_sweep_make(ir_plan *plan, const ir_windows *windows, ir_sweep *out);

#endif
