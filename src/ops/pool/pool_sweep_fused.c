#include "ops/pool/pool_sweep_plan.h"

enum {
  MOST = 5,            /* rows, and columns at stride 1 */
  MOST_PARTED = 16,    /* of squares at strides 2 and 3, */
  MOST_PARTED_1 = 8,   /* and at stride 1 */
  MOST_HALVES = 3,     /* at stride 2, and in volumes */
  TOUCHED = 4096,      /* elements' bytes of f32 that are asked for at a time, where lines take rows of their own, */
  TOUCHED_256 = 32768, /* with vectors of 256 bits more, whatever lines take, but where stores go past the caches */
  TOUCHED_LINES = 8,   /* where they share rows, */
  SHARING_LINES = 4,   /* so many at a time */
  MOST_APART = 2 * IR_SWEEP_FEW, /* rows and columns, at strides of 4 and more; there vectors are of floats */
  LEAST_APART = 4,
  FEW_APART = 10,         /* the stride, up to which windows of fewer rows are dear */
  MOST_FOURTHS = 20,      /* outputs of a row, of more of which shuffles bring fourths together */
  MOST_WINDOWS = 1 << 14, /* of a row: there are masks and reciprocals of all, and tiles of more */
  /* Windows at stride 2 that have pads across go by rows, with vectors of 256 bits, up to so many */
  NARROW = 24,       /* outputs of a row, */
  FEW_ROWS = 4,      /* rows, */
  FEW_ALIKE = 5,     /* or lines that have no pads, */
  NARROW_DENSE = 14, /* outputs of a row, up to which one long row is better than lines that go by rows */
  NARROW_DOWN = 16,  /* columns, up to which one long row is better than windows of one column, */
  DENSE_DOWN = 48,   /* and where these overlap, of vectors that are not of bytes */
  CLOSE = 4,         /* the stride of rows */
  VECTORS_APART = 4, /* of 512 bits */
  /* Windows at strides of 4 and more that go side by side where rows are joined first, and columns between them. */
  MOST_JOINED = 10,
  MOST_COLUMNS_JOINED = 56
};

/* Sums of bytes are 16-bit integers: pool_vector_summed.h. */
_Static_assert(MOST_PARTED *MOST_PARTED *UINT8_MAX <= UINT16_MAX, "no window has more");

/* Up to how many outputs of a row something else takes less: measured. */
typedef struct bounds {
  int64_t dense, above; /* one long row; and of so many outputs more than a vector has */
  int64_t abreast;      /* planes side by side */
} bounds;

static const bounds *bounds_of(const ir_sweep *sweep) {
  /* At stride 1, there of more than 4 columns, and at stride 2; those of 512 bits of 16 elements, of 32 and of 64. */
  static const bounds of_256_bits[3] = {{12, 0, 0}, {12, 0, 4}, {7, 3, 5}};
  static const bounds of_512_bits[3][3] = {
      {{10, 1, 7}, {12, 4, 7}, {9, 0, 7}}, {{14, 0, 9}, {15, 0, 9}, {23, 0, 7}}, {{9, 0, 6}, {8, 0, 5}, {11, 0, 6}}};
  const bounds *table = sweep->vectors.bits == 512 ? of_512_bits[sweep->vectors.lanes / 32] : of_256_bits;
  return &table[sweep->along.stride == 2 ? 2 : sweep->along.kernel > 4 ? 1 : 0];
}

/* Windows that are no squares: each line of them takes all of its rows anew. */
static bool are_uneven(const ir_sweep *sweep) {
  return sweep->n_cross == 1 && sweep->along.stride == 1 && sweep->cross[0].kernel != sweep->along.kernel;
}

/* Whether windows have more rows and columns than there are loops for. */
static bool are_large(const ir_sweep *sweep) {
  const int64_t stride = sweep->along.stride, taps = most(sweep->along.kernel, sweep->cross[0].kernel);
  return stride == 3 || taps > (stride == 1 ? MOST : MOST_HALVES);
}

static bool is_square(const ir_sweep *sweep) {
  return sweep->cross[0].kernel == sweep->along.kernel && sweep->cross[0].stride == sweep->along.stride;
}

/* Windows that are no squares, of which lines share few rows if any. Of the wide ones with pads across, of many rows,
 * it takes less to make rows of some lines at once with vectors of 256 bits, where many lines have no pads. */
static bool goes_by_rows(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *cross = &sweep->cross[0];
  const int64_t rows = cross->kernel;
  if (cross->stride < 2 || rows < 1 || rows > IR_SWEEP_FEW || along->kernel > IR_SWEEP_FEW || !are_large(sweep) ||
      !ir_sweep_are_between(cross, 1, rows))
    return false;
  return sweep->vectors.bits == 512 || cross->stride > 2 || along->stride == 1 || along->n_out <= NARROW ||
         rows <= FEW_ROWS || cross->middle.count <= FEW_ALIKE || ir_sweep_are_between(cross, rows, rows);
}

/* Windows of which columns are taken apart at the stride. */
static bool goes_by_parts(const ir_sweep *sweep) {
  if (sweep->n_cross > 1 || sweep->is_direct || sweep->cross[0].step > 1)
    return false;
  return is_square(sweep) ? are_large(sweep) : goes_by_rows(sweep);
}

static bool is_better_dense(const ir_sweep *sweep) {
  const bounds *of = bounds_of(sweep);
  const int64_t n = sweep->along.n_out, lanes = sweep->vectors.lanes;
  if (!sweep->along.is_dense)
    return false;
  if (goes_by_parts(sweep))
    return !is_square(sweep) && n <= NARROW_DENSE;
  if (are_uneven(sweep))
    return n <= (lanes == 64 ? 16 : 24) || (lanes < 64 && sweep->cross[0].kernel > 2);
  return n <= of->dense || (n > lanes && n <= lanes + of->above);
}

/* Planes side by side, of windows that are apart: more where some have fewer rows, as these lie by themselves, and
 * where lines are close, as each takes all its rows anew. */
static int64_t most_abreast_apart(const ir_sweep *sweep) {
  static const int64_t of_close[CLOSE + 1] = {0, 14, 10, 7, 6}; /* by the stride of rows */
  /* Columns, with vectors of 256 bits: a line costs as much whatever its windows; with fewer rows at the ends. */
  static const int64_t columns[CLOSE] = {56, 42, 40, 22}, columns_of_cut[CLOSE] = {80, 56, 48, 29};
  const ir_sweep_cross *cross = &sweep->cross[0];
  const int64_t stride = sweep->along.stride, between = cross->n_out == 1 ? cross->kernel : cross->stride;
  const bool are_cut = !ir_sweep_are_between(cross, cross->kernel, cross->kernel);
  if (sweep->vectors.bits == 256)
    return (are_cut ? columns_of_cut : columns)[least(most(between, 1), CLOSE) - 1] * sweep->along.n_out /
           sweep->along.n_in;
  const int64_t of_rows = between <= CLOSE ? of_close[between] - (stride < IR_SWEEP_FEW ? 0 : 2) : 0;
  int64_t n = most(most(10 - stride, 2), of_rows);
  if (are_cut)
    n += (stride <= FEW_APART ? 2 : 1) + (sweep->along.kernel > stride);
  return n;
}

/* The same of parts: lines that have fewer rows than others share none. */
static int64_t most_abreast_parted(const ir_sweep *sweep) {
  const int64_t stride = sweep->along.stride, kernel = sweep->along.kernel, rows = sweep->cross[0].kernel;
  const bool all_whole = ir_sweep_are_between(&sweep->cross[0], rows, rows);
  if (!is_square(sweep))
    return all_whole ? 10 : stride == 1 ? 17 : 12;
  if (sweep->vectors.bits == 256)
    return all_whole && sweep->along.pad_begin == 0 ? 3
           : kernel >= (stride == 1 ? 8 : 9)        ? 20
           : stride == 1                            ? 15
           : stride == 2                            ? kernel + 6
                                                    : 7;
  if (all_whole)
    return stride == 1 ? 6 : sweep->cross[0].n_out < 4 ? 8 : 5;
  if (stride == 1)
    return sweep->vectors.lanes == 16 ? 20 : sweep->vectors.lanes == 32 ? 16 : 13;
  return stride == 2 ? most(9, kernel + 3) : most(7, kernel - 1);
}

/* The same of those that are no squares: more of more rows, and where pads are on all sides, as windows of fewer rows
 * lie by themselves. Vectors without a lane to spare are never worse. */
static int64_t most_abreast_uneven(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t rows = sweep->cross[0].kernel, n = along->n_out, lanes = sweep->vectors.lanes;
  if (rows == 1 || n % lanes == 0 || (along->n_in % lanes == 0 && n < along->n_in))
    return 0;
  const int64_t n_more = n / lanes; /* vectors but one */
  const bool has_pads = !ir_sweep_are_between(&sweep->cross[0], rows, rows) && along->pad_begin > 0;
  if (lanes == 64)
    return rows + 6;
  if (lanes == 32)
    return 9 + 14 * n_more + (has_pads ? 2 * rows : 3 * rows / 2);
  return has_pads ? 7 + 7 * n_more + 5 * rows / 2 : 8 + 5 * n_more + 3 * rows / 2;
}

/* The same, at least, of those of which rows are joined before planes are turned, with vectors of 8 elements. */
static int64_t most_abreast_joined(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *inner = &sweep->cross[sweep->n_cross - 1];
  const int64_t stride = along->stride;
  const bool are_cut = !ir_sweep_are_between(inner, inner->kernel, inner->kernel);
  if (stride >= LEAST_APART)
    return least(MOST_COLUMNS_JOINED / stride, MOST_JOINED);
  if (goes_by_parts(sweep))
    return !are_cut ? 0 : stride == 1 ? 28 : stride == 2 ? 16 : 11;
  if (along->n_out % sweep->vectors.lanes == 0 || (!are_cut && (stride == 1 || along->kernel == 2)))
    return 0;
  if (sweep->n_cross > 1)
    return stride == 1 ? 12 : 11;
  if (stride == 1 || along->kernel == 2)
    return 0;
  return !are_cut ? 6 : inner->n_out > 5 ? 10 : 7;
}

static int64_t most_abreast_turned(const ir_sweep *sweep) {
  if (sweep->along.stride >= LEAST_APART)
    return most_abreast_apart(sweep);
  if (goes_by_parts(sweep))
    return most_abreast_parted(sweep);
  return are_uneven(sweep) ? most_abreast_uneven(sweep) : bounds_of(sweep)->abreast;
}

int64_t ir_sweep_most_abreast(const ir_sweep *sweep) {
  if (sweep->along.kernel == 1)
    return 0;
  const int64_t n = most_abreast_turned(sweep);
  return sweep->abreast.joins_first && sweep->vectors.lanes == 8 ? most(n, most_abreast_joined(sweep)) : n;
}

static bool are_apart(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  return sweep->n_cross == 1 && !sweep->by_blocks && along->n_out > 1 && along->kernel > 0 && along->step == 1 &&
         along->stride >= LEAST_APART && along->kernel <= MOST_APART && 2 * along->kernel <= 3 * along->stride &&
         ir_sweep_are_between(&sweep->cross[0], 1, MOST_APART);
}

bool ir_sweep_is_apart(const ir_sweep *sweep) {
  return !sweep->is_direct && are_apart(sweep);
}

/* Those of rows as they are, where they have pads: with vectors of 256 bits that takes less than a copy of each. */
static bool are_padded_apart(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t end = (along->n_out - 1) * along->stride + along->kernel - along->pad_begin;
  return sweep->is_direct && sweep->vectors.bits == 256 && along->stride > LEAST_APART && are_apart(sweep) &&
         (along->pad_begin > 0 || end > along->n_in);
}

/* Windows of one column, where one long row does not take less. */
static bool goes_down(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const ir_sweep_cross *cross = &sweep->cross[0];
  if (sweep->n_cross > 1 || sweep->is_direct || sweep->by_blocks || along->n_out != along->n_in || along->stride > 1 ||
      !ir_sweep_are_between(cross, 1, IR_SWEEP_FEW))
    return false;
  return !along->is_dense ||
         along->n_out > (cross->stride > 1 || sweep->vectors.lanes == 64 ? NARROW_DOWN : DENSE_DOWN);
}

bool ir_sweep_can_fuse(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int n = sweep->n_cross;
  if (along->n_out > MOST_WINDOWS || along->mode != IR_SWEEP_SLIDE)
    return false;
  if (are_padded_apart(sweep))
    return true;
  if (ir_sweep_is_apart(sweep))
    return along->stride > LEAST_APART || along->n_out < MOST_FOURTHS;
  if (along->kernel == 1)
    return goes_down(sweep);
  if (n > 2 || along->step > 1 || along->stride > 3)
    return false;
  if (is_better_dense(sweep))
    return false;
  if (goes_by_parts(sweep))
    return !sweep->by_blocks && along->kernel <= (along->stride == 1 ? MOST_PARTED_1 : MOST_PARTED) &&
           ir_sweep_are_between(&sweep->cross[0], 1, sweep->cross[0].kernel);
  if (along->stride > 2)
    return false;
  const ir_sweep_cross *inner = &sweep->cross[n - 1];
  const int64_t most_taps = along->stride == 1 && n == 1 ? MOST : MOST_HALVES;
  return along->kernel <= most_taps && ir_sweep_are_between(inner, 1, most_taps) &&
         (n == 1 || ir_sweep_are_between(&sweep->cross[0], 1, MOST_HALVES));
}

/* Of `lanes` columns from the given one on those that are in windows: a bit each. */
static uint64_t mask_of(const ir_sweep_along *along, int64_t column, int64_t lanes) {
  const int64_t end = least(along->n_in, (along->n_out - 1) * along->stride + along->kernel - along->pad_begin);
  uint64_t mask = 0;
  for (int64_t j = most(-column, 0); j < least(end - column, lanes); j++)
    mask |= UINT64_C(1) << j;
  return mask;
}

/* How many lines of rows are asked for at a time: measured. */
static void set_touched(ir_sweep *sweep) {
  const ir_sweep_cross *outer = &sweep->cross[0];
  const int64_t new_bytes = most(least(outer->stride, outer->n_in), 1) * sweep->along.n_in * (int64_t)sizeof(float);
  const bool is_wide = sweep->vectors.bits == 512;
  const int64_t fewest = sweep->fused.by_parts ? SHARING_LINES : 1;
  const int64_t past = sweep->along.stride == 1 ? TOUCHED_LINES
                       : is_wide                ? most(fewest, (TOUCHED + new_bytes / 2) / new_bytes)
                                                : fewest;
  sweep->fused.n_touched = is_wide ? past : most(fewest, TOUCHED_256 / new_bytes);
  sweep->fused.n_touched_past = past;
}

/* Vectors are told apart by the window that the first of a few begins with. */
static bool fuse_apart(ir_plan *plan, ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int64_t stride = along->stride, kernel = along->kernel;
  /* As many as fit; where that leaves a few, as many each time. */
  const bool is_wide = sweep->vectors.bits == 512;
  const int64_t lanes = sweep->vectors.bits / (8 * (int)sizeof(float));
  const int64_t fit = is_wide ? least((VECTORS_APART * lanes - kernel) / stride + 1, lanes)
                              : (IR_SWEEP_APART_VECTORS * lanes - kernel) / stride + 1;
  const int64_t n_times = (along->n_out + fit - 1) / fit, at_once = (along->n_out + n_times - 1) / n_times;
  const int64_t n_vectors = ((at_once - 1) * stride + kernel + lanes - 1) / lanes;
  const int64_t n = n_times * n_vectors;
  uint64_t *there = ir_arena_array(plan->arena, (size_t)n, sizeof *there);
  if (there == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t v = 0; v < n; v++)
    there[v] = mask_of(along, v / n_vectors * at_once * stride - along->pad_begin + v % n_vectors * lanes, lanes);
  sweep->fused = (ir_sweep_fused){
      .is_set = true, .begin = -along->pad_begin, .there = there, .at_once = at_once, .n_vectors = (int)n_vectors};
  set_touched(sweep);
  return true;
}

bool ir_sweep_fuse(ir_plan *plan, ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  const int lanes = sweep->vectors.lanes;
  if (along->stride >= LEAST_APART)
    return fuse_apart(plan, sweep);
  const int64_t stride = along->stride, lead = along->pad_begin;
  const int64_t n_vectors = stride * ((along->n_out + lanes - 1) / lanes);
  uint64_t *there = ir_arena_array(plan->arena, (size_t)(n_vectors + stride), sizeof *there);
  if (there == NULL)
    return ir_out_of_memory(plan->diags), false;
  const bool by_parts = goes_by_parts(sweep);
  const bool is_centred = !by_parts && sweep->vectors.bits == 512 && stride == 1 &&
                          (along->kernel == 3 || along->kernel == 5) && lead == along->kernel / 2;
  /* Lines at stride 2 have a pair of vectors before the first windows, which only some of them take columns of. */
  const int64_t begin = is_centred ? 0
                        : stride == 1 || by_parts || (lead % 2 == 0 && along->kernel == MOST_HALVES)
                            ? -lead
                            : lead % 2 - lead - stride * lanes;
  for (int64_t v = 0; v < n_vectors + stride; v++)
    there[v] = mask_of(along, begin + v * lanes, lanes);
  sweep->fused =
      (ir_sweep_fused){.is_set = true, .by_parts = by_parts, .is_centred = is_centred, .begin = begin, .there = there};
  set_touched(sweep);
  return true;
}
