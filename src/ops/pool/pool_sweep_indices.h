/* A maximum and where it was found, as a sweep: first along the rows, then across rows, the innermost axis first. So
 * what is compared comes in row-major order, and the greater one is taken only if it is greater: of equal elements the
 * first stays, without a look at their indices.
 *
 * Positions of an axis are counted with its pads, from the first window's first tap on; pads are the type's lowest
 * number, which never is greater. A line is the values of a row of windows, and behind them where they were found. */
#ifndef IR_POOL_SWEEP_INDICES_H
#define IR_POOL_SWEEP_INDICES_H

#include "ops/pool/pool_numbers.h"
#include "ops/pool/pool_windows.h"

enum {
  IR_INDICES_FEW = 8,          /* taps that one pass compares */
  IR_INDICES_AHEAD = 256,      /* elements that are asked for before they are needed */
  IR_INDICES_FAR = 8 << 20,    /* bytes of a tensor that no cache keeps */
  IR_INDICES_SQUARE_ROWS = 40, /* of the input that windows which are squares are made of at once */
  IR_INDICES_TIMES_AHEAD = 4,  /* as many rows as are taken at a time, from those to the ones that are asked for */
  IR_INDICES_SLACK = 96        /* floats behind a row that passes may read */
};

typedef struct ir_indices_axis {
  int64_t n_in, n_out, kernel, stride, step, pad;
  int64_t extent;    /* of a window */
  bool is_irregular; /* windows as `ranges` says; kernel and extent are the longest, and the stride is the largest */
  ir_range *ranges;  /* as in ir_windows_axis */
} ir_indices_axis;

static inline ir_windows_axis ir_indices_windows(const ir_indices_axis *axis) {
  return (ir_windows_axis){.n_in = axis->n_in,
                           .n_out = axis->n_out,
                           .step = axis->step,
                           .ranges = axis->ranges,
                           .kernel = axis->kernel,
                           .stride = axis->stride,
                           .pad_begin = axis->pad};
}

/* The positions that window `o` takes. */
static inline ir_range ir_indices_range(const ir_indices_axis *axis, int64_t o) {
  if (axis->ranges != NULL)
    return axis->ranges[o];
  const ir_windows_axis windows = ir_indices_windows(axis);
  return ir_windows_unlisted(&windows, o);
}

typedef struct ir_indices {
  ir_indices_axis depth, down, along; /* of fewer axes the outer ones have one position */
  int64_t n_planes, plane_in, plane_out;
  int64_t modulus;
  bool fits_i32;   /* every index does */
  bool picks;      /* windows go one by one; nothing below but the units counts */
  bool is_whole;   /* and each is a plane; so is a unit */
  bool is_deep;    /* windows have more than one position on the outermost axis */
  bool by_blocks;  /* down: of windows that overlap each is the end of a block of rows and the begin of the next one */
  bool is_square;  /* as many taps along as down, a few, at one stride */
  bool is_abreast; /* planes are swept side by side, a lane each; so many are a unit, and their windows in bands */
  int64_t square_rows;                /* then: of windows that are made at once */
  int64_t tile_out, n_tiles;          /* a row is swept in tiles */
  int64_t band, n_bands, n_units;     /* windows of the depth, or where it has one down, that are one piece of work */
  int64_t in_pitch, in_rows;          /* rows of floats that are made of the input at once */
  int64_t pitch;                      /* of the two halves of a line */
  int64_t down_rows;                  /* from one window down to the next, of the rows that windows take */
  int64_t ring_rows;                  /* a power of two: lines that windows down are made of */
  int64_t deep_rows, deep_slots;      /* lines of a slice, and slices: a power of two */
  size_t spots_at, slices_at, out_at; /* of planes side by side: of rows, of slices, and those that are put out */
  int64_t gathered_pitch; /* floats for so many outputs of squares, wherever in a line of the cache they begin */
  size_t gathered_at;     /* places in two of them and maxima in one, before they go past the caches */
  size_t in_at, pads_at, level_at, ring_at, fold_at, deep_at, sink_at, n_scratch; /* in floats */
} ir_indices;

/* The columns of a tile: window `out_begin` begins at column `begin`, and the row has [in_begin, in_begin + n_in), the
 * first of which stands `lead` behind that; none where the tile is of pads alone. */
typedef struct ir_indices_tile {
  int64_t out_begin, n_out, begin, in_begin, n_in, lead;
  bool is_even; /* no pads */
} ir_indices_tile;

/* False where there is no such sweep: nothing to compute, planes of 2^30 elements or pads out of proportion. An index
 * is the place in the input modulo `modulus`. */
bool ir_indices_make(const ir_windows *windows, int64_t modulus, ir_indices *out);
/* Written where it stays, as that of a sweep. */
void ir_indices_set_tile(const ir_indices *plan, int64_t tile, ir_indices_tile *out);
/* How outputs go past the caches, where input and outputs have so many bytes. */
typedef enum ir_indices_way {
  IR_INDICES_NEAR,     /* not at all */
  IR_INDICES_GATHERED, /* rows do not fill lines of the cache: some of them together, from where they are gathered */
  IR_INDICES_STREAMED
} ir_indices_way;
ir_indices_way ir_indices_way_to(const ir_indices *plan, const void *out, const void *indices, size_t bytes);
/* The first row of the output that is of the unit. */
int64_t ir_indices_row_of(const ir_indices *plan, int64_t unit);
/* Positions that `n` windows one after the other have. */
int64_t ir_indices_span(const ir_indices_axis *axis, int64_t n);

#endif
