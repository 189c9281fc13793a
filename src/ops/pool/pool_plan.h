/* Plans a pool from its windows before it runs: its route, its units of work and its scratch. docs/kernels.md explains
 * the routes and defines line, tile, band and lanes ("Words"). */
#ifndef IR_POOL_PLAN_H
#define IR_POOL_PLAN_H

#include "base/stop.h"
#include "ops/pool/pool_windows.h"

typedef enum ir_pool_op { IR_POOL_SUM, IR_POOL_MAX } ir_pool_op;

typedef enum ir_pool_route {
  IR_POOL_STRIPS, /* small windows: computes outputs from input rows, without intermediate rows */
  IR_POOL_PLANES, /* small planes, 16 interleaved at a time */
  IR_POOL_ROWS,   /* long rows at stride 1, one at a time */
  IR_POOL_TURNED, /* any windows, 16 transposed rows at a time */
  IR_POOL_ROUTES  /* number of routes; as an argument: the best one */
} ir_pool_route;

extern const char *const ir_pool_route_names[];

enum {
  IR_POOL_LANES = 16,       /* floats that are computed at once */
  IR_POOL_MOST_LEVELS = 16, /* number of lengths 1, 2, 4, .. 32768 of the partial results that windows share */
  IR_POOL_PARTS = 8,        /* parts of the scratch */
  IR_POOL_LEAD = 16,        /* columns that strips can read before the first column of a row */
  IR_POOL_REACH = 80,       /* columns that strips can read after the last column of a row */
  IR_POOL_AHEAD = 12        /* number of rows to prefetch */
};

/* clang-format off */
/* Kinds of windows that the route "strips" computes: STRIP(rows, columns, stride). */
#define IR_EACH_STRIP(STRIP)                                                                                           \
  STRIP(1, 2, 1) STRIP(1, 3, 1) STRIP(1, 5, 1) STRIP(1, 7, 1) STRIP(1, 1, 2) STRIP(1, 2, 2) STRIP(1, 3, 2)             \
  STRIP(1, 3, 3) STRIP(1, 4, 4) STRIP(2, 2, 1) STRIP(3, 3, 1) STRIP(4, 4, 1) STRIP(5, 5, 1) STRIP(2, 2, 2)             \
  STRIP(3, 3, 2) STRIP(4, 4, 2) STRIP(3, 3, 3) STRIP(4, 4, 4)
/* clang-format on */

/* A long window as n pieces, each of 2^level adjacent terms from term number `at` on; every level is below n_levels.
 * The first two pieces are equally long, and are combined first (pool_order.h). */
typedef struct ir_pool_pieces {
  int n, n_levels;
  struct {
    int64_t at;
    int level;
  } piece[IR_POOL_MOST_LEVELS + 2];
} ir_pool_pieces;

typedef struct ir_pool_plan {
  ir_windows windows;
  ir_pool_op op;
  ir_pool_route route;
  int n_cross;                 /* number of axes across rows: all except the last */
  bool is_plain;               /* there is one axis across rows, and on that axis no window has pads */
  int64_t pitch[IR_MAX_RANK];  /* input elements between neighbours on each axis */
  int64_t n_in, n_lines;       /* elements of the input; rows of the output */
  int64_t plane_in, plane_out; /* elements of an input plane; of an output plane */
  int64_t plane_lines;         /* rows of an output plane */
  int64_t taps;                /* number of taps of the largest window */
  int64_t divisor;             /* divisor of every window; 0: the window's number of taps in the input */
  bool nan_if_empty;
  float *column_taps; /* averages: factor of the divisor for each output of a row: its taps along the row or, if
                         set, `divisor`; read by ir_pool_columns */
  int64_t n_columns;  /* number of column_taps; the last of them is 0 until all are computed */
  int64_t first_columns, last_columns; /* windows [first_columns, last_columns) have no pads; if a row is long,
                                          column_taps has their equal values only as often as one tile needs them */
  const float *plane_taps;             /* averages by the route "planes": divisor of each output of a plane */
  int64_t n_units;                     /* number of units of work */
  size_t n_scratch;                    /* floats of scratch for each worker */
  size_t scratch_of[IR_POOL_PARTS];

  int64_t band; /* output rows that are computed together */
  int64_t
      line_pitch; /* floats from one line to the next; a line is an input row, or a tile of one, with pads and slack */
  int64_t line_reads; /* most floats that a line, or one chunk of it, reads; for looks at the stop */

  /* The members from here on are for the routes "rows" and "turned", which cut an output row into tiles. */
  int64_t tile_out, n_tiles; /* outputs of a tile; tiles of a row */
  bool is_abreast;           /* true: transposes 16 tiles of one row; false: one tile of 16 rows */
  int64_t block_lines; /* output rows of a block: units visit a block tile by tile, and in each tile band by band */
  bool is_only_down;   /* each window has one column: that of its output */
  bool shares_down,
      shares_along; /* overlapping windows share partial results of 2, 4, .. terms: across rows; along rows */
  int64_t ring;     /* rows of the ring buffer for shared partial results of one length; a power of two */
  ir_pool_pieces along;
  int64_t level_pitch; /* floats of a tile's shared partial results of one length */
  int64_t chunk; /* taps in one pass, a power of two, if a window is too long for one pass (then a tile has one output);
                    0: one pass */
  int64_t stack[IR_MAX_RANK]; /* for each axis: rows of partial results that a window needs at once */
} ir_pool_plan;

/* Returns the positions of window `o`. If all windows have the same kernel, pads are included. */
static inline ir_tap_range ir_pool_range(const ir_windows_axis *axis, int64_t o) {
  return axis->kernel > 0 ? (ir_tap_range){o * axis->stride - axis->pad_begin, axis->kernel}
                          : ir_windows_range(axis, o);
}

/* Returns the values of column_taps for windows [o, o + n) of one tile; vectors can read a few values more. If a row is
 * long, the equal values of windows without pads are stored only as often as one tile needs them. */
static inline const float *ir_pool_columns(const ir_pool_plan *plan, int64_t o, int64_t n) {
  const int64_t middle = plan->last_columns - plan->first_columns, kept = plan->tile_out + 2 * IR_POOL_LANES;
  if (o < plan->first_columns || middle <= kept)
    return plan->column_taps + o;
  if (o + n <= plan->last_columns)
    return plan->column_taps + plan->first_columns;
  return plan->column_taps + plan->first_columns + kept + (o - plan->last_columns);
}

/* Plans a pool over `windows`, whose lists must live as long as the plan. An average divides by `divisor` or, if
 * `divisor` is 0, by the window's number of taps in the input. An average over no taps is NaN if `nan_if_empty`, else
 * 0.
 *
 * If `route` is IR_POOL_ROUTES or does not support the windows, the best route is taken. Returns false, with a report,
 * if memory is out. */
bool ir_pool_make_plan(ir_plan *plan, const ir_windows *windows, ir_pool_op op, int64_t divisor, bool nan_if_empty,
                       ir_pool_route route, ir_pool_plan *out);

/* Computes column_taps, unless they are computed. The execution's thread does that before the units of work, since
 * millions of them take seconds. Returns false if `stop` is set; a later call begins again. */
bool ir_pool_ready(const ir_pool_plan *plan, ir_stop *stop);

#endif
