/* A pool of the element types that have no sweep, row by row of its output: the input rows of a window become one, and
 * its terms along that row one number. Everything is done in loops that compilers make vectors of.
 *
 * Order of additions, for every instruction set and split of the work:
 * - rows are R(n) = W(p) + R(n - p), p the greatest power of two up to n, W(2m) = W(m) + W(m), W(1) a row; those of
 * several axes are one list;
 * - along a row so are the terms of a window, pads being terms of 0, where windows slide;
 * - else, window by window, 256 columns (where the first of a tile has no more, all of each) in 16 lanes: 64 terms as
 * ((a + b) + (c + d)) of 16 each, these one after the other, and the lanes by halves in the end; longer windows are R
 * of such parts. */
#ifndef IR_POOL_FOLD_H
#define IR_POOL_FOLD_H

#include "ops/pool/pool_windows.h"

enum {
  IR_FOLD_SPAN = 1024, /* columns of a tile: its lines stay in the first cache */
  IR_FOLD_CHUNK = 256, /* columns of a part of a long window */
  IR_FOLD_LANES = 16,
  IR_FOLD_COUNT_SLOTS = 3, /* of the tiles that a row begins and ends with, and of those between */
  IR_FOLD_SHARED = 1 << 17 /* terms that are kept for the next windows, at most */
};

typedef struct ir_fold {
  ir_windows windows; /* axes that are whole, or on which nothing happens, are one where they are next to each other */
  bool slides;        /* along the row; else windows go one by one */
  int64_t kernel, stride, step, pad_begin; /* along the row; of all windows where they slide */
  int64_t tile_out;                        /* outputs of a tile of windows that slide */
  int64_t n_counts;                        /* outputs whose divisors are kept: of a row, or else of a tile */
  int n_count_slots;                       /* of so many tiles */
  int64_t chunk;                           /* terms of a window that are in a tile, where they do not */
  int64_t n_rows;                          /* of the output, in all planes: the units of work */
  int64_t plane_rows;
  int64_t most_taps; /* of a window, on all axes */
  int64_t n_lines, pitch;
  /* Windows that overlap share W(4), W(8), ... of rows: a slot of each of these levels for as many rows as a window
   * has. */
  int n_levels; /* 0: they do not */
  int64_t n_slots, slot_pitch;
  int64_t divisor;   /* as in ir_average */
  bool nan_if_empty; /* of floats alone */
} ir_fold;

/* For averages; others have no divisor. Reports when memory is out, and returns false. */
bool ir_fold_make(ir_plan *plan, const ir_windows *windows, int64_t divisor, bool nan_if_empty, ir_fold *out);
/* Bytes of scratch where a term that is added or compared has `term_bytes`. */
size_t ir_fold_scratch(const ir_fold *fold, size_t term_bytes);

#endif
