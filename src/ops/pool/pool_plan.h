/* How a pool is computed: decided once, from its windows alone, before it runs. docs/kernels.md has the routes. */
#ifndef IR_POOL_PLAN_H
#define IR_POOL_PLAN_H

#include "ops/pool/pool_windows.h"

typedef enum ir_pool_op { IR_POOL_SUM, IR_POOL_MAX } ir_pool_op;

typedef enum ir_pool_route {
  IR_POOL_NARROW, /* maxima of 8 or 16 bits, in vectors of these */
  IR_POOL_STRIPS, /* small windows straight from rows to outputs */
  IR_POOL_PLANES, /* 16 small planes side by side */
  IR_POOL_ROWS,   /* long rows at stride 1, one after the other */
  IR_POOL_TURNED, /* any windows, of 16 rows side by side */
  IR_POOL_ROUTES  /* their number; as a wish: the best */
} ir_pool_route;

extern const char *const ir_pool_route_names[];

enum {
  IR_POOL_LANES = 16,       /* floats that are made at once */
  IR_POOL_MOST_LEVELS = 16, /* W(1) to W(32768) */
  IR_POOL_PARTS = 8,        /* of the scratch */
  IR_POOL_LEAD = 16,        /* columns that strips may read before a row, */
  IR_POOL_REACH = 80,       /* and behind its end */
  IR_POOL_AHEAD = 12        /* rows that are asked for before they are read */
};

/* clang-format off */
/* Windows of strips: STRIP(rows, columns, stride). */
#define IR_EACH_STRIP(STRIP)                                                                                           \
  STRIP(1, 2, 1) STRIP(1, 3, 1) STRIP(1, 5, 1) STRIP(1, 7, 1) STRIP(1, 1, 2) STRIP(1, 2, 2) STRIP(1, 3, 2)             \
  STRIP(1, 3, 3) STRIP(1, 4, 4) STRIP(2, 2, 1) STRIP(3, 3, 1) STRIP(4, 4, 1) STRIP(5, 5, 1) STRIP(2, 2, 2)             \
  STRIP(3, 3, 2) STRIP(4, 4, 2) STRIP(3, 3, 3) STRIP(4, 4, 4)
/* clang-format on */

/* R(n) of a long window as pieces W(2^level) that begin `at` terms from its first. The first two are added first: they
 * are the halves of the greatest W. */
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
  int n_cross;                 /* axes across rows: all but the last */
  bool is_plain;               /* one axis across rows, of windows that all lie in their planes */
  int64_t pitch[IR_MAX_RANK];  /* elements of the input from one position on the axis to the next */
  int64_t n_in, n_lines;       /* elements of the input, rows of the output */
  int64_t plane_in, plane_out; /* elements of a plane */
  int64_t plane_lines;         /* rows of its output */
  int64_t taps;                /* of the window that has most */
  int64_t divisor;             /* as in ir_average */
  bool nan_if_empty;
  const float *column_taps; /* averages: what windows take along the row, or the divisor; ir_pool_columns reads it */
  int64_t first_columns, last_columns; /* windows up to the one have pads before them, from the other on behind them */
  const float *plane_taps;             /* averages of small planes: what each output is divided by */
  int64_t n_units;                     /* pieces of work */
  size_t n_scratch;                    /* floats, of each worker */
  size_t scratch_of[IR_POOL_PARTS];

  /* Narrow. */
  bool is_only_along;             /* nothing happens across rows */
  bool is_down_planes;            /* small planes are as one row for windows down */
  bool is_tall;                   /* all planes are as one */
  int64_t whole_begin, whole_end; /* rows of which the windows lie in their planes */

  int64_t band;       /* rows of the output that are made at once */
  int64_t line_pitch; /* floats of a row of the input, or of a tile of one, with pads and slack */

  /* Rows and turned: a row of the output is cut into tiles. */
  int64_t tile_out, n_tiles;      /* outputs of a tile, tiles of a row */
  bool is_abreast;                /* 16 tiles of a row are turned, not one of 16 rows */
  int64_t block_lines;            /* rows of which all bands of a tile come before the next tile */
  bool is_only_down;              /* nothing happens along rows */
  bool shares_down, shares_along; /* windows overlap so much that W(2), W(4), .. are kept for the next ones */
  int64_t ring;                   /* so many rows of each are kept; a power of two */
  ir_pool_pieces along;
  int64_t level_pitch;        /* floats of W of a tile */
  int64_t chunk;              /* the one window of a tile is taken so many taps at a time, a power of two; 0: at once */
  int64_t stack[IR_MAX_RANK]; /* rows that wait for others when windows of each axis are added */
} ir_pool_plan;

/* What one window of the axis takes: pads count where they are the same for all. */
static inline ir_tap_range ir_pool_range(const ir_windows_axis *axis, int64_t o) {
  return axis->kernel > 0 ? (ir_tap_range){o * axis->stride - axis->pad_begin, axis->kernel} : axis->ranges[o];
}

/* The taps along the row of windows [o, o + n) of a tile, and of what vectors read behind them. Of a long row those in
 * the middle are kept once. */
static inline const float *ir_pool_columns(const ir_pool_plan *plan, int64_t o, int64_t n) {
  const int64_t middle = plan->last_columns - plan->first_columns, kept = plan->tile_out + 2 * IR_POOL_LANES;
  if (o < plan->first_columns || middle <= kept)
    return plan->column_taps + o;
  if (o + n <= plan->last_columns)
    return plan->column_taps + plan->first_columns;
  return plan->column_taps + plan->first_columns + kept + (o - plan->last_columns);
}

/* Plans a pool with these windows, whose lists have to last as long. A sum is divided by `divisor`, or where that is 0
 * by the taps in the input; nan_if_empty as in ir_average. `route` is the one to take; out->route is another where that
 * cannot be. Reports when memory is out, and returns false. */
bool ir_pool_make_plan(ir_plan *plan, const ir_windows *windows, ir_pool_op op, int64_t divisor, bool nan_if_empty,
                       ir_pool_route route, ir_pool_plan *out);

#endif
