/* The plan of a pool, made before it runs from its windows alone. docs/kernels.md explains the routes. */
#ifndef IR_POOL_PLAN_H
#define IR_POOL_PLAN_H

#include "ops/pool/pool_windows.h"

typedef enum ir_pool_op { IR_POOL_SUM, IR_POOL_MAX } ir_pool_op;

typedef enum ir_pool_route {
  IR_POOL_STRIPS, /* small windows, directly from rows to outputs */
  IR_POOL_PLANES, /* 16 interleaved small planes */
  IR_POOL_ROWS,   /* long rows at stride 1, one at a time */
  IR_POOL_TURNED, /* any windows, 16 transposed rows at a time */
  IR_POOL_ROUTES  /* number of routes; as a request: the best one */
} ir_pool_route;

extern const char *const ir_pool_route_names[];

enum {
  IR_POOL_LANES = 16,       /* floats that are computed at once */
  IR_POOL_MOST_LEVELS = 16, /* W(1) to W(32768) */
  IR_POOL_PARTS = 8,        /* parts of the scratch */
  IR_POOL_LEAD = 16,        /* columns that strips may read before a row */
  IR_POOL_REACH = 80,       /* columns that strips may read after a row */
  IR_POOL_AHEAD = 12        /* rows that are prefetched */
};

/* clang-format off */
/* Windows of strips, as STRIP(rows, columns, stride). */
#define IR_EACH_STRIP(STRIP)                                                                                           \
  STRIP(1, 2, 1) STRIP(1, 3, 1) STRIP(1, 5, 1) STRIP(1, 7, 1) STRIP(1, 1, 2) STRIP(1, 2, 2) STRIP(1, 3, 2)             \
  STRIP(1, 3, 3) STRIP(1, 4, 4) STRIP(2, 2, 1) STRIP(3, 3, 1) STRIP(4, 4, 1) STRIP(5, 5, 1) STRIP(2, 2, 2)             \
  STRIP(3, 3, 2) STRIP(4, 4, 2) STRIP(3, 3, 3) STRIP(4, 4, 4)
/* clang-format on */

/* R(n) of a long window as pieces W(2^level) that begin `at` terms from its start. The first two, the halves of the
 * greatest W, are added first. */
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
  int n_cross;                 /* axes across rows: all except the last */
  bool is_plain;               /* one axis across rows, and all windows lie inside their planes */
  int64_t pitch[IR_MAX_RANK];  /* distance between positions on the axis, in input elements */
  int64_t n_in, n_lines;       /* n_in: elements of the input; n_lines: rows of the output */
  int64_t plane_in, plane_out; /* elements of a plane */
  int64_t plane_lines;         /* rows of the output in a plane */
  int64_t taps;                /* taps of the largest window */
  int64_t divisor;             /* as in ir_average */
  bool nan_if_empty;
  const float *column_taps; /* averages: taps of windows along the row, or the divisor; read by ir_pool_columns */
  int64_t first_columns, last_columns; /* windows with pads before them end at the first, windows with pads after them
                                          begin at the second */
  const float *plane_taps;             /* averages of small planes: divisor of each output */
  int64_t n_units;                     /* units of work */
  size_t n_scratch;                    /* floats for each worker */
  size_t scratch_of[IR_POOL_PARTS];

  int64_t band;       /* output rows that are computed at once */
  int64_t line_pitch; /* floats of an input row, or of a tile of one, with pads and slack */

  /* Routes rows and turned: an output row is cut into tiles. */
  int64_t tile_out, n_tiles;      /* outputs of a tile, tiles of a row */
  bool is_abreast;                /* transposes 16 tiles of one row, not one tile of 16 rows */
  int64_t block_lines;            /* all bands of a tile in so many rows come before the next tile */
  bool is_only_down;              /* windows have one element along rows */
  bool shares_down, shares_along; /* windows overlap so much that W(2), W(4), .. are kept for the next ones */
  int64_t ring;                   /* rows kept of each W; a power of two */
  ir_pool_pieces along;
  int64_t level_pitch;        /* floats of one W of a tile */
  int64_t chunk;              /* taps of a tile's one window that are taken at a time, a power of two; 0: all at once */
  int64_t stack[IR_MAX_RANK]; /* intermediate rows while the windows of each axis are added */
} ir_pool_plan;

/* Taps of one window of the axis; includes pads if all windows have one kernel. */
static inline ir_tap_range ir_pool_range(const ir_windows_axis *axis, int64_t o) {
  return axis->kernel > 0 ? (ir_tap_range){o * axis->stride - axis->pad_begin, axis->kernel} : axis->ranges[o];
}

/* Taps along the row for windows [o, o + n) of a tile, and for the slack that vectors read after them. For a long row
 * the middle ones are stored once. */
static inline const float *ir_pool_columns(const ir_pool_plan *plan, int64_t o, int64_t n) {
  const int64_t middle = plan->last_columns - plan->first_columns, kept = plan->tile_out + 2 * IR_POOL_LANES;
  if (o < plan->first_columns || middle <= kept)
    return plan->column_taps + o;
  if (o + n <= plan->last_columns)
    return plan->column_taps + plan->first_columns;
  return plan->column_taps + plan->first_columns + kept + (o - plan->last_columns);
}

/* Plans a pool with these windows, whose lists must live as long. A sum is divided by `divisor` or, if it is 0, by the
 * number of taps in the input; nan_if_empty as in ir_average. `route` is a request; out->route is another if that is
 * impossible. Returns false, with a report, if memory is out. */
bool ir_pool_make_plan(ir_plan *plan, const ir_windows *windows, ir_pool_op op, int64_t divisor, bool nan_if_empty,
                       ir_pool_route route, ir_pool_plan *out);

#endif
