/* A pool as a sweep: first down the axes across rows, the outermost before the others, then along the rows, so that the
 * cost of a window is that of its sides and not of its area.
 *
 * Order of additions, for every element type, instruction set and split of the work:
 * - n rows are added as R(n) = W(p) + R(n - p), p the greatest power of two up to n, W(2m) = W(m) + W(m), W(1) a row;
 * - windows of more than 8 rows that overlap, on the innermost axis across rows, are made of blocks of 8 rows, counted
 * from the first row of the first window on: first + (between + last), R of the rows in the first block (its pairs and
 * fours from its end), in the last one, and of those of whole blocks between, the oldest of these as one more before R
 * of as many as any window has;
 * - along a row so are the terms of a window, pads being terms of 0, where all windows are of one kernel (SLIDE);
 * - where they are not, or are far apart or one a row (PICK), a window is added in 16 lanes: 64 terms as
 * ((a + b) + (c + d)) of 16 each, of those R, and then the 16 lanes by halves.
 * Exceptions: ir_sweep_is_small (9 to 16 rows that share no blocks), ir_sweep_is_apart and slides_after_all (windows
 * that slide although they are apart, or one a row). */
#ifndef IR_POOL_SWEEP_H
#define IR_POOL_SWEEP_H

#include "ops/pool/pool_numbers.h"
#include "ops/pool/pool_windows.h"

enum {
  IR_SWEEP_FEW = 8,         /* rows that one pass adds */
  IR_SWEEP_MAX_LEVELS = 24, /* of windows: a power of two each */
  IR_SWEEP_AHEAD = 1024,    /* elements of a row that are asked for before they are needed */
  IR_SWEEP_FAR = 8 << 20,   /* bytes of a tensor that no cache keeps */
  IR_SWEEP_MORE = 32,       /* outputs of dense rows that are made at once */
  IR_SWEEP_GROUPS = 128,    /* of bins, that are joined at once */
  IR_SWEEP_STRIP = 4,    /* columns of planes side by side, where windows of more than 8 rows share what is added up */
  IR_SWEEP_EARLIER = 15, /* outputs that a tile may begin before a multiple of 16, so that tiles meet between lines */
  IR_SWEEP_APART_VECTORS = 64, /* of 256 bits, of columns that windows apart are made of at once */
  IR_SWEEP_SLACK = 128         /* floats behind a row that passes may read and write */
};

/* An axis across rows. */
typedef struct ir_sweep_cross {
  int64_t n_in, n_out, step;
  ir_range *ranges; /* as in ir_windows_axis */
  int64_t kernel, stride, pad_begin;
  int64_t in_block;                         /* elements of the input from one position to the next */
  ir_range middle;                          /* of windows of as many rows each, evenly apart: the longest there is */
  int64_t fewest_rows, most_rows, all_rows; /* of a window, and of all windows together */
} ir_sweep_cross;

typedef enum ir_sweep_mode { IR_SWEEP_SLIDE, IR_SWEEP_PICK } ir_sweep_mode;

/* The axis along the rows. */
typedef struct ir_sweep_along {
  ir_sweep_mode mode;
  int64_t n_in, n_out, step;
  ir_range *ranges; /* as in ir_windows_axis */
  int64_t kernel, stride, pad_begin;
  int64_t tile_out, n_tiles; /* a row is swept in tiles that stay in the first cache */
  bool is_long;              /* windows that are not added in one pass */
  int n_levels;              /* greatest l with 2^l <= kernel */
  int64_t most_taps;         /* of PICK */
  /* Short rows, of SLIDE, of which outputs stand where their windows do: made next to each other and swept as one. The
   * terms of a window that lie in the row before or behind are struck out. */
  bool is_dense;
  int64_t period; /* outputs of a few rows, at least IR_SWEEP_MORE */
  /* absent[j * (period + IR_SWEEP_MORE) + o]: all ones where output o has no term j.
   * present[o * IR_SWEEP_FEW + j]: bit i is set where output o + i has term j. */
  const uint32_t *absent;
  const uint16_t *present;
} ir_sweep_along;

/* What the reciprocals of the numbers of taps are, as sums of two floats: one line for each number of rows. */
typedef struct ir_sweep_means {
  int64_t n_counts, pitch;
  const int64_t *counts;
  const float *high, *low;
  const float *plane_high, *plane_low; /* of the rows of a group's plane, one behind the other */
  int64_t plane_period;                /* outputs of a few planes, at least IR_SWEEP_MORE */
  const float *even_high, *even_low;   /* of a tile without pads; NULL where rows are one tile */
  int64_t even_count;                  /* rows of its windows */
  int64_t divisor;                     /* of every window; 0: its taps */
  bool nan_if_empty;
} ir_sweep_means;

/* Windows of more than 8 rows: a first block of 8, blocks between, and a last one. */
typedef struct ir_sweep_blocks {
  int64_t n_between;    /* the fewest */
  int64_t n_more;       /* the first rows of a block end windows of one more between */
  int64_t n_slots;      /* of blocks of which ends are kept */
  int n_levels;         /* greatest l with 2^l <= n_between */
  int64_t n_total_rows; /* of a column, of all levels */
} ir_sweep_blocks;

/* Planes side by side, a lane each: what is in memory one behind the other is turned, swept and turned back. */
typedef struct ir_sweep_abreast {
  int64_t band; /* positions of the outermost axis at a time */
  /* Greatest l of sums of 2^l that windows across and along share; 0 where each is added up by itself. */
  int across_levels, along_levels;
  bool joins_first; /* rows of windows of the outermost axis, before they are turned */
  size_t in_at, out_at;
} ir_sweep_abreast;

/* What the kernel of an element type makes windows of, straight from rows. */
typedef struct ir_sweep_vectors {
  int bits;           /* 512, with masks of their own, or 256; 0: it does nothing of the kind */
  int lanes;          /* elements of one; at most 64 */
  int flat_taps;      /* each way, up to as many of windows for which planes may lie flat */
  bool widens_dearly; /* many instructions make floats of elements */
} ir_sweep_vectors;

/* Windows of a few elements each way, straight from the rows and without scratch: what is there of vectors of columns
 * is in a mask. */
typedef struct ir_sweep_fused {
  bool is_set;
  bool by_parts;          /* squares of which columns are taken apart at the stride */
  bool is_centred;        /* vectors begin with the columns of the middle of their windows, else with the first */
  int64_t begin;          /* the column that the first of the vectors begins with */
  int64_t n_touched;      /* lines of which the rows are asked for at a time, */
  int64_t n_touched_past; /* and where outputs are stored past the caches */
  const uint64_t *there;  /* of the columns of each vector a bit each */
  /* At strides of 4 and more as many windows at once, the columns of which are in so many vectors; else 0. */
  int64_t at_once;
  int n_vectors;
} ir_sweep_fused;

/* Planes of which the rows are one line; several of small ones. */
typedef struct ir_sweep_flat {
  bool is_set;
  int64_t n_planes; /* of a line */
  /* Of each vector of it, for each step that windows reach from their middle, four masks: what has an element so far
   * above, below, before and behind. With 512 bits each is a bit for each lane, else it is all bits of the lanes. */
  const void *there;
} ir_sweep_flat;

/* Up to four bins next to each other, which begin and end in two vectors of columns. */
typedef struct ir_sweep_group {
  int64_t first, second; /* the columns that the vectors begin with; the same where one is enough */
  const int32_t *from;   /* of terms 4k to 4k + 3 of each bin one behind the other, 16 for each k */
  uint16_t there[4];     /* which of those there are */
  int n_bins;
  uint16_t bins; /* of four groups from this one on, the first again behind the last: the first n_bins of each 4 bits */
} ir_sweep_group;

/* Bins of up to 16 columns and 8 rows, straight from the rows. */
typedef struct ir_sweep_bins {
  bool is_set;
  bool do_share;    /* each the last row of that above */
  int n_groups;     /* of a row; at most IR_SWEEP_GROUPS / 4 */
  int64_t of_group; /* elements of a plane that a group of a row's has on average */
  const ir_sweep_group *groups;
  size_t at; /* IR_SWEEP_GROUPS vectors */
} ir_sweep_bins;

typedef struct ir_sweep {
  ir_sweep_vectors vectors;
  int64_t n_planes, plane_in, plane_out;
  int n_cross; /* at least 1, the outermost first; planes themselves where a pool has none */
  ir_sweep_cross cross[IR_MAX_RANK + 1];
  ir_sweep_along along;
  bool has_cross; /* else planes are, but for those side by side */
  bool is_direct; /* no windows across rows */
  ir_sweep_fused fused;
  ir_sweep_bins bins;
  ir_sweep_flat flat;
  bool by_blocks; /* across rows: windows of the innermost axis share blocks */
  ir_sweep_blocks blocks;
  int64_t band, n_bands, n_units; /* positions of the outermost axis that are one piece of work, of all planes */
  int64_t batch, pitch;           /* rows that are swept together, and floats from one to the next */
  int64_t group;                  /* small planes, of dense rows or of bins, that are swept together; else 0 */
  bool is_abreast;
  ir_sweep_abreast abreast;
  int64_t inner_band; /* with more axes: positions of the innermost one that are swept for all of the others in turn */
  int64_t ring_rows, ring_pitch; /* of what the other axes leave: as many rows as those positions take */
  /* In floats from the begin of the scratch. */
  int64_t tree_pitch, tap_pitch;
  size_t rows_at, ring_at, tree_at, pads_at, ends_at, totals_at, between_at, copies_at, line_at, tap_at, pick_at,
      means_at;
  size_t n_scratch;
  int64_t means_pitch; /* of the two lines of means */
  int64_t most_taps;
  int64_t effort; /* with each element, in eighths of the time that it takes to copy a float */
} ir_sweep;

typedef struct ir_sweep_tile {
  int64_t out_begin, n_out;
  int64_t in_begin, n_in; /* of the columns of its windows those that exist */
  int64_t lead;           /* pads before them */
  bool is_even;           /* no pads at all */
} ir_sweep_tile;

static inline ir_windows_axis ir_sweep_windows(const ir_sweep_cross *axis) {
  return (ir_windows_axis){.n_in = axis->n_in,
                           .n_out = axis->n_out,
                           .step = axis->step,
                           .ranges = axis->ranges,
                           .kernel = axis->kernel,
                           .stride = axis->stride,
                           .pad_begin = axis->pad_begin};
}

/* The rows that window `o` takes. */
static inline ir_range ir_sweep_range(const ir_sweep_cross *axis, int64_t o) {
  if (axis->ranges != NULL)
    return axis->ranges[o];
  const ir_windows_axis windows = ir_sweep_windows(axis);
  return ir_windows_unlisted(&windows, o);
}

/* The columns that window `o` takes. */
static inline ir_range ir_sweep_columns(const ir_sweep_along *along, int64_t o) {
  if (along->ranges != NULL)
    return along->ranges[o];
  const ir_windows_axis windows = {.n_in = along->n_in,
                                   .n_out = along->n_out,
                                   .step = along->step,
                                   .kernel = along->kernel,
                                   .stride = along->stride,
                                   .pad_begin = along->pad_begin};
  return ir_windows_unlisted(&windows, o);
}

/* From the first to the last of the rows that windows [o, end) take. */
static inline ir_range ir_sweep_span(const ir_sweep_cross *axis, int64_t o, int64_t end) {
  const ir_windows_axis windows = ir_sweep_windows(axis);
  return ir_windows_span(&windows, o, end);
}

/* The greatest power of two below n; n > 1. */
static inline int64_t ir_sweep_half(int64_t n) {
  int64_t p = 1;
  while (2 * p < n)
    p *= 2;
  return p;
}

/* Whether passes along rows take values at the stride as they stand; else these are brought together first. */
static inline bool ir_sweep_knows_stride(const ir_sweep_along *along) {
  return along->stride == 1 || (along->step == 1 && (along->stride == 2 || along->stride == 4));
}

/* Whether windows along rows are made of 9 to 63 neighbours each in one pass, by instruction sets that shuffle. */
static inline bool ir_sweep_goes_long(const ir_sweep_along *along) {
  return along->is_long && along->step == 1 && along->kernel < 64 && along->stride <= 4;
}

/* The first plane of a unit, of which it is the first band. */
int64_t ir_sweep_plane_of(const ir_sweep *sweep, int64_t unit);
/* Windows from o on, up to `n`, of as many rows each, evenly apart. */
int64_t ir_sweep_run(const ir_sweep_cross *axis, int64_t o, int64_t n);
/* For a kernel of such vectors. *out_done is false where there is no sweep: nothing to compute, or windows of 2^24
 * elements and more. The lists of `windows` must last as long as the sweep. Reports when memory is out. */
ir_code ir_sweep_make(ir_plan *plan, const ir_windows *windows, const ir_sweep_vectors *vectors, ir_sweep *out,
                      bool *out_done);
/* For averages; divisor and nan_if_empty as in ir_average. Reports when memory is out. */
bool ir_sweep_make_means(ir_plan *plan, const ir_sweep *sweep, int64_t divisor, bool nan_if_empty, ir_sweep_means *out);
/* Fills a line of the means of windows of `n_rows` rows, from column `begin` on. */
void ir_sweep_means_line(const ir_sweep *sweep, const ir_sweep_means *means, int64_t n_rows, int64_t begin, int64_t n,
                         float *high, float *low);
/* Sets a tile, of which all but the first begin so many outputs `earlier`, up to IR_SWEEP_EARLIER. Written where it
 * stays: a copy in wide vectors would wait for all stores before. */
void ir_sweep_set_tile(const ir_sweep *sweep, int64_t tile, int64_t earlier, ir_sweep_tile *out);

#endif
