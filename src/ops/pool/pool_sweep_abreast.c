#include "ops/pool/pool_sweep_plan.h"

enum {
  WHOLE_VALUES = 704, /* of a plane that is swept at once: those of 16 planes do not fill the second cache */
  BAND_VALUES = 400,  /* else of as many rows as stay in the first one */
  MOST_PICKED = 4,    /* windows of a row that would be picked */
  LEAST_ALONE = 5,    /* columns of rows of one window, and one more for each row of windows, */
  MOST_ALONE = 11,    /* up to so many: of more they are picked */
  MOST_LANES = 16,    /* that are added up in the order of lanes */
  MOST_DIRECT = 40,   /* windows down */
  MORE_JOINED = 6,    /* windows where rows are joined before they are turned */
  MOST_VALUES = 2048  /* where fewer are not enough for one window, or much would be taken twice */
};

/* That `band` windows one after the other take, or a few more. */
static int64_t rows_of(const ir_sweep_cross *axis, int64_t band) {
  return axis->kernel > 0 ? least(axis->n_in, (band - 1) * axis->stride + (axis->kernel - 1) * axis->step + 1)
                          : ir_sweep_most_rows(axis, band);
}

static bool is_long(const ir_sweep_cross *axis) {
  return !ir_sweep_are_between(axis, 0, IR_SWEEP_FEW);
}

/* Those that overlap a few times share sums; to make these of what is in few windows takes longer than to add it up. */
static int shared_levels(int64_t kernel, int64_t stride) {
  return kernel > 2 * IR_SWEEP_FEW && kernel > 5 * stride ? count_levels(kernel) : 0;
}

/* Vectors of a row with its pads, of which picked windows have none. */
static int64_t row_of(const ir_sweep_along *along) {
  return along->mode == IR_SWEEP_PICK ? along->n_in : span_of(along, along->tile_out);
}

/* Vectors that a band takes. */
typedef struct needs {
  int64_t in, slice, rows, lines, out;
} needs;

static needs needs_of(const ir_sweep *sweep, int64_t band) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *outer = &sweep->cross[0], *inner = &sweep->cross[sweep->n_cross - 1];
  const int64_t n_row = along->n_tiles > 1 ? row_of(along) : outer->in_block;
  const int64_t n_rows = sweep->n_cross > 1 ? inner->n_out : band, taken = rows_of(outer, band);
  needs of = {.in = sweep->is_direct || sweep->abreast.joins_first ? 0 : taken * n_row,
              .slice = sweep->n_cross > 1 ? n_row : 0,
              .rows = n_rows * row_of(along),
              .out = band * (sweep->n_cross > 1 ? inner->n_out : 1) * along->tile_out};
  const int64_t n_in = sweep->n_cross > 1 ? inner->n_in : taken;
  of.lines = most(sweep->abreast.across_levels * n_in * IR_SWEEP_STRIP, sweep->abreast.along_levels * row_of(along));
  return of;
}

static int64_t sum_of(needs of) {
  return of.in + of.slice + of.rows + of.lines + of.out;
}

/* Halves rows that are too long until one band fits. */
static bool set_tiles(ir_sweep *sweep) {
  ir_sweep_along *along = &sweep->along;
  while (sum_of(needs_of(sweep, 1)) > (along->n_tiles > 1 ? BAND_VALUES : MOST_VALUES)) {
    if (sweep->n_cross > 1 || along->tile_out <= 16)
      return false;
    along->tile_out = round_up(along->tile_out / 2, 16);
    along->n_tiles = (along->n_out + along->tile_out - 1) / along->tile_out;
  }
  return true;
}

/* As many positions as stay in the first cache, or more where bands would have too many rows in common. */
static int64_t band_of(const ir_sweep *sweep) {
  const ir_sweep_cross *axis = &sweep->cross[0];
  int64_t band = 1;
  if (sum_of(needs_of(sweep, axis->n_out)) <= WHOLE_VALUES)
    return axis->n_out;
  for (int64_t sum; band < axis->n_out; band++) {
    sum = sum_of(needs_of(sweep, band + 1));
    if (sum > MOST_VALUES || (sum > BAND_VALUES && 4 * rows_of(axis, band) <= 5 * band * axis->stride))
      break;
  }
  return band;
}

/* Of windows of more than 8 values: up to 16 are added up one by one, of more those of 2, 4, .. are shared. */
static int64_t most_of_long(const ir_sweep_along *along) {
  const int64_t stride = along->stride, more = along->kernel - IR_SWEEP_FEW - 1;
  if (along->kernel > 2 * IR_SWEEP_FEW)
    return stride <= 2 ? 24 : stride == 3 ? 14 : 6;
  return stride == 1 ? 36 - 2 * more : stride == 2 ? 42 - 5 * more / 2 : stride == 3 ? 28 - more : 22 - 2 * more;
}

/* Of windows that no loop fuses, with vectors of 512 bits: measured. Lines of windows that are not alike in fours are
 * passes of their own: where most are, planes side by side take less sooner. */
static int64_t most_of_wide(const ir_sweep *sweep) {
  enum { FOUR = 4, OF_SLICES = 4 };
  /* Of up to 8 values, of up to 16 and of more, at strides of 1 to 4. */
  static const int64_t alike[][FOUR] = {{45, 15, 12, 13}, {36, 15, 14, 7}, {26, 15, 12, 9}};
  static const int64_t alone[][FOUR] = {{60, 36, 24, 30}, {60, 36, 30, 24}, {32, 20, 12, 20}};
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *inner = &sweep->cross[sweep->n_cross - 1];
  const int64_t n_alike = inner->middle.count < FOUR ? 0 : inner->middle.count;
  const int kernel = along->kernel <= IR_SWEEP_FEW ? 0 : along->kernel <= 2 * IR_SWEEP_FEW ? 1 : 2;
  return (2 * n_alike > inner->n_out ? alike : alone)[kernel][least(along->stride, FOUR) - 1] +
         (sweep->n_cross > 1 ? OF_SLICES : 0);
}

/* With vectors of 256 bits turning planes takes longer against what other passes take. */
static bool turns_slowly(const ir_sweep *sweep) {
  return sweep->vectors.bits == 256;
}

/* Long windows of which one pass makes rows, where planes turn slowly. */
static bool goes_long(const ir_sweep *sweep) {
  return turns_slowly(sweep) && ir_sweep_goes_long(&sweep->along);
}

/* Of those: more where some windows have fewer rows, which are passes of their own. */
static int64_t most_of_slow(const ir_sweep_along *along, int64_t rows, bool are_cut) {
  const int64_t few = least(rows, IR_SWEEP_FEW), stride = along->stride, kernel = along->kernel;
  if (kernel > 2 * IR_SWEEP_FEW && are_cut)
    return stride == 1 ? 12 : 7 + few;
  if (kernel > 2 * IR_SWEEP_FEW)
    return rows > IR_SWEEP_FEW && stride < 4 ? 0 : 4;
  if (stride == 1)
    return are_cut ? most_of_long(along) : least(33 - kernel, most_of_long(along));
  return least(are_cut ? 14 + 3 * few : 14, most_of_long(along));
}

/* Where rows are all there is. Others take longer where rows are left out between them, as these are no long one, and
 * where rows have pads, as they are copied then. */
static int64_t most_of_rows(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t stride = along->stride, end = (along->n_out - 1) * stride + along->kernel - along->pad_begin;
  const bool is_quick = sweep->fused.is_set || along->is_dense, has_pads = along->pad_begin > 0 || end > along->n_in;
  const bool is_wide = sweep->vectors.bits == 512;
  if (along->is_long && stride == 1)
    return is_wide && has_pads ? 18 : 10;
  if (goes_long(sweep))
    return along->kernel > 2 * IR_SWEEP_FEW ? 4 : has_pads && stride > 2 ? 4 * stride + 2 : 9;
  if (along->kernel > 2 * IR_SWEEP_FEW)
    return is_wide ? 20 : 38;
  if (stride > 4)
    return sweep->cross[0].n_in > 1 ? 64 : turns_slowly(sweep) && !along->is_long ? 100 : 512;
  if (sweep->cross[0].stride > 1)
    return stride == 1 ? (is_quick ? 12 : 18) : is_quick ? 8 : 24;
  if (is_quick)
    return 0;
  if (stride > 2)
    return has_pads ? (is_wide ? 36 : 24) : 4 * stride + (along->is_long ? 4 : -4);
  return along->is_long ? 10 : stride == 1 ? (has_pads ? 12 : 6) : has_pads ? 14 : 8;
}

/* The most windows of a row, of up to 8 values and 9 to 16 rows, that take less without blocks: measured. Each row more
 * that is added up leaves three fewer. */
static int64_t most_of_narrow(int64_t rows) {
  return 40 - 3 * (rows - IR_SWEEP_FEW - 1);
}

bool ir_sweep_is_small(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t rows = sweep->cross[0].kernel;
  const int64_t most_out = along->mode == IR_SWEEP_PICK ? 1
                           : along->is_long             ? most_of_long(along)
                                                        : most_of_narrow(rows);
  return sweep->n_cross == 1 && rows > IR_SWEEP_FEW && rows <= 2 * IR_SWEEP_FEW && along->kernel > 0 &&
         along->kernel <= 2 * IR_SWEEP_FEW && along->n_out <= most_out && sweep->plane_out <= MOST_OUTPUTS;
}

/* Of windows at strides of 4 and more, where planes turn slowly. */
static int64_t most_of_far(int64_t stride, bool has_pads) {
  return (stride == 4 ? 6 : stride <= 6 ? 11 : stride <= IR_SWEEP_FEW ? 7 : 4) + (has_pads ? 3 : 0);
}

/* Of windows of more than 16 rows, where planes turn slowly: those share blocks otherwise. */
static int64_t most_of_tall(const ir_sweep_cross *inner, int64_t stride, bool are_cut) {
  if (are_cut)
    return stride == 3 ? 15 : 20;
  return inner->kernel <= 3 * IR_SWEEP_FEW ? 12 : inner->stride > 1 ? 5 : stride == 1 ? 16 : 10;
}

/* Whether rows of windows are joined before they are turned: measured, in tenths of a cycle. All but the first two rows
 * of a window cost more than they do when they are turned, as they do not begin with vectors; but there are fewer to
 * turn. */
static bool joins_first(const ir_sweep *sweep) {
  enum { JOINED = 13, TURNED = 16, TAKEN = 7 };
  const ir_sweep_cross *outer = &sweep->cross[0];
  const int64_t lanes = most(sweep->vectors.bits / (8 * (int)sizeof(float)), 4);
  const int64_t length = sweep->n_cross > 1 ? outer->in_block : sweep->along.n_in;
  if (sweep->is_direct || sweep->vectors.widens_dearly ||
      (sweep->n_cross == 1 && shared_levels(outer->kernel, outer->stride) > 0) ||
      !ir_sweep_are_between(outer, 0, 2 * IR_SWEEP_FEW))
    return false;
  return JOINED * round_up(length, lanes) * (outer->all_rows - 2 * outer->n_out) <=
         length * (TURNED * outer->n_in + TAKEN * outer->all_rows);
}

/* The most windows of a row for which turning planes takes less than what each row costs otherwise: measured. Rows that
 * other passes make many of at once, or of many windows at once, have few or none. */
static int64_t most_windows(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *inner = &sweep->cross[sweep->n_cross - 1];
  const int64_t stride = along->stride;
  if (along->mode == IR_SWEEP_PICK)
    return 0;
  /* Windows of fewer rows than others are passes of their own, which are short where columns are not added up. */
  const bool all_whole = ir_sweep_are_between(inner, inner->kernel, inner->kernel) || along->kernel == 1;
  const int64_t more = all_whole ? 0 : least(inner->kernel, IR_SWEEP_FEW);
  const int64_t more_joined = sweep->abreast.joins_first && turns_slowly(sweep) ? MORE_JOINED : 0;
  if (sweep->is_direct)
    return most_of_rows(sweep);
  if (along->is_dense)
    return sweep->n_cross > 1 ? 16 + 4 * more_joined : stride == 1 && more > 5 ? 12 : 0;
  if (sweep->fused.is_set)
    return ir_sweep_most_abreast(sweep);
  if (turns_slowly(sweep) && stride >= 4 && inner->stride >= stride)
    return most_of_far(stride, more > 0);
  if (goes_long(sweep))
    return most_of_slow(along, inner->kernel, more > 0) + (stride < 4 ? more_joined : more_joined / 3);
  if (sweep->vectors.bits == 512 && inner->stride >= stride)
    return most_of_wide(sweep);
  if (along->is_long)
    return most_of_long(along);
  if (turns_slowly(sweep) && inner->kernel > 2 * IR_SWEEP_FEW)
    return most_of_tall(inner, stride, more > 0) + more_joined;
  /* Rows that are closer than windows along them are many. */
  if (inner->stride < stride)
    return most(stride > 2 && inner->kernel >= IR_SWEEP_FEW - 1 ? 14 : along->kernel > 4 ? 24 : 20, 12 + more);
  return (stride == 1 ? 24 + 2 * more : stride == 2 ? 19 + more : 12 + more) + more_joined;
}

/* Windows alone in their rows, of a few columns: they stay picked, as lanes are added up in the order of lanes. Those
 * of rows as they are go fast in many rows that follow each other, else one by one. */
static bool are_alone(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *outer = &sweep->cross[0];
  if (along->mode != IR_SWEEP_PICK || along->n_out > 1 || along->step > 1 || along->most_taps > MOST_LANES ||
      ir_sweep_columns(along, 0).count == 0 || sweep->n_cross > 1 || outer->n_out == 1)
    return false;
  if (sweep->is_direct)
    return outer->stride > 1 && outer->n_out <= MOST_DIRECT && along->n_in <= 2 * MOST_LANES;
  return along->n_in <= least(MOST_ALONE, LEAST_ALONE + outer->n_out);
}

bool ir_sweep_slides_anyway(const ir_sweep_along *along) {
  return along->kernel == IR_SWEEP_FEW + 1 && along->n_out > 1 && along->n_out <= MOST_PICKED;
}

/* Windows that would be picked otherwise, but do better side by side. Whatever the number of planes they are added as
 * windows that slide: an order is that of the window alone. */
static bool slides_after_all(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *outer = &sweep->cross[0];
  if (along->mode != IR_SWEEP_PICK || sweep->n_cross > 2 || sweep->by_blocks || along->kernel == 0)
    return false;
  if (along->n_out > 1)
    return ir_sweep_slides_anyway(along);
  return sweep->n_cross > 1 || (is_long(outer) && outer->stride < outer->kernel);
}

bool ir_sweep_goes_abreast(ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  sweep->abreast.joins_first = joins_first(sweep);
  int64_t most_out = most_windows(sweep);
  const bool slides = slides_after_all(sweep), alone = !slides && are_alone(sweep);
  if (slides) {
    sweep->along.mode = IR_SWEEP_SLIDE;
    most_out = 2 * MOST_PICKED; /* lanes without a plane, too: other passes are for more windows */
  } else if (alone) {
    most_out = 2; /* whatever the number of planes */
  }
  /* Lanes without a plane take as long as the others; a few are less than half a window. */
  const int64_t n = sweep->n_planes, n_lanes = round_up(n, IR_ABREAST);
  if (sweep->n_cross > 2 || sweep->by_blocks || !(alone || along->kernel > 0) || sweep->plane_out > MOST_OUTPUTS ||
      n < IR_ABREAST || 2 * along->n_out * n_lanes > (2 * most_out + 1) * n)
    return false;
  const ir_sweep_along was = *along;
  const ir_sweep_cross *inner = &sweep->cross[sweep->n_cross - 1];
  sweep->abreast.across_levels = shared_levels(inner->kernel, inner->stride);
  sweep->abreast.along_levels = alone ? 0 : shared_levels(along->kernel, along->stride);
  if (!set_tiles(sweep)) {
    sweep->along = was;
    return false;
  }
  const int64_t band = band_of(sweep);
  const needs of = needs_of(sweep, band);
  sweep->is_abreast = true;
  sweep->along.is_dense = sweep->fused.is_set = false;
  sweep->abreast.band = band;
  sweep->pitch = row_of(along);
  sweep->band = sweep->cross[0].n_out;
  sweep->n_bands = 1;
  sweep->n_units = n_lanes / IR_ABREAST;
  /* Vectors of part of a row may be written behind the last. */
  sweep->abreast.in_at = take_scratch(sweep, IR_ABREAST * of.in);
  sweep->ring_at = take_scratch(sweep, IR_ABREAST * of.slice);
  sweep->rows_at = take_scratch(sweep, IR_ABREAST * of.rows);
  sweep->line_at = take_scratch(sweep, IR_ABREAST * of.lines);
  sweep->abreast.out_at = take_scratch(sweep, IR_ABREAST * (of.out + IR_ABREAST));
  return true;
}
