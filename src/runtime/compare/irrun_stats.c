/* The functions of irrun_stats.h. */
#include "irrun_stats.h"
#include "ops/kernels/tally.h"
#include "runtime/compare/compare.h"
#include "runtime/context.h"
#include "runtime/tensor/tensor_block.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_UNIQUE = 4096, LEAST_TABLE = 64 };
#define TURN         ((int64_t)1 << 30) /* so many elements do not overflow the counts of a turn */
#define PART         ((int64_t)1 << 16) /* elements that one thread adds up: sums do not depend on the threads */
#define HAS_UNIQUE   (IR_SET_INTEGERS | IR_SET_SMALL_INTEGERS | IR_SET(IR_BOOLEAN))
#define NEGATIVE_BIN (IR_TALLY_BINS / 2) /* of -0; bins of smaller numbers follow in descending order */

/* A bin of the histogram that is not empty. */
typedef struct bin {
  int64_t count;
  int32_t index;
} bin;

/* Different integers, in an open hash table. */
typedef struct integers {
  double *table;
  bool *is_taken;
  int64_t n, capacity; /* n: -1: too many, or another type */
} integers;

struct irrun_stats {
  irrun_context *context;
  ir_type type;
  int64_t n_tensors;
  ir_tally tally;
  bin *bins; /* in ascending order of their numbers */
  int64_t n_bins;
  integers unique;
};

irrun_status irrun_stats_create(irrun_context *context, irrun_stats **out_stats) {
  *out_stats = ir_alloc_zero(&context->memory, 1, sizeof **out_stats);
  if (*out_stats == NULL)
    return ir_status(ir_out_of_memory(&context->diags));
  (*out_stats)->context = context;
  return IRRUN_OK;
}

void irrun_stats_free(irrun_stats *stats) {
  if (stats == NULL)
    return;
  const ir_memory *memory = &stats->context->memory;
  ir_free(memory, stats->bins);
  ir_free(memory, stats->unique.table);
  ir_free(memory, stats->unique.is_taken);
  ir_free(memory, stats);
}

/* ---- different integers ---- */

/* Enters x; returns false if it is there. */
static bool enter(integers *set, double x) {
  uint64_t bits;
  x = x == 0 ? 0 : x;
  memcpy(&bits, &x, sizeof bits);
  size_t at = (size_t)(bits * UINT64_C(0x9E3779B97F4A7C15) >> 40) & (size_t)(set->capacity - 1);
  for (; set->is_taken[at]; at = (at + 1) & (size_t)(set->capacity - 1))
    if (set->table[at] == x)
      return false;
  set->table[at] = x;
  return set->is_taken[at] = true;
}

/* Doubles the table. Returns false if memory is out. */
static bool widen(integers *set, const ir_memory *memory) {
  integers wide = {.n = set->n, .capacity = set->capacity == 0 ? LEAST_TABLE : set->capacity * 2};
  wide.table = ir_alloc_zero(memory, (size_t)wide.capacity, sizeof *wide.table);
  wide.is_taken = ir_alloc_zero(memory, (size_t)wide.capacity, sizeof *wide.is_taken);
  const bool done = wide.table != NULL && wide.is_taken != NULL;
  for (int64_t i = 0; i < set->capacity && done; i++)
    if (set->is_taken[i])
      enter(&wide, set->table[i]);
  ir_free(memory, done ? set->table : wide.table);
  ir_free(memory, done ? set->is_taken : wide.is_taken);
  if (done)
    *set = wide;
  return done;
}

static bool count_unique(integers *set, const double *x, int64_t n, const ir_memory *memory) {
  for (int64_t i = 0; i < n && set->n >= 0; i++) {
    if (i > 0 && x[i] == x[i - 1])
      continue;
    if (set->n * 2 >= set->capacity && !widen(set, memory))
      return false;
    set->n += enter(set, x[i]);
    if (set->n > MOST_UNIQUE)
      set->n = -1;
  }
  return true;
}

/* ---- the histogram ---- */

/* The index of the bin at place `i` in ascending order: those of negative numbers come first. */
static int32_t bin_at(int32_t i) {
  return i < NEGATIVE_BIN ? IR_TALLY_BINS - 1 - i : i - NEGATIVE_BIN;
}

/* The bounds of a bin. */
static void bounds_of(int32_t index, double *out_least, double *out_most) {
  const uint32_t bits = (uint32_t)(index % NEGATIVE_BIN) << IR_TALLY_BIN_SHIFT,
                 next = bits + (1u << IR_TALLY_BIN_SHIFT);
  float low, high;
  memcpy(&low, &bits, sizeof low);
  memcpy(&high, &next, sizeof high);
  const bool is_negative = index >= NEGATIVE_BIN;
  const double most = isinf(high) ? (double)FLT_MAX : (double)high;
  *out_least = is_negative ? -most : (double)low;
  *out_most = is_negative ? -(double)low : most;
}

/* Adds the counts of a turn to the bins of all. Returns false if memory is out. */
static bool merge_bins(irrun_stats *stats, ir_tally_bins turn) {
  int64_t n = 0, at = 0;
  for (int k = 1; k < IR_TALLY_TURNS; k++)
    for (int32_t i = 0; i < IR_TALLY_BINS; i++)
      turn[0][i] += turn[k][i];
  for (int32_t i = 0; i < IR_TALLY_BINS; i++)
    n += turn[0][i] > 0;
  bin *all = ir_alloc_zero(&stats->context->memory, (size_t)(n + stats->n_bins) + 1, sizeof *all);
  if (all == NULL)
    return false;
  n = 0;
  for (int32_t i = 0; i < IR_TALLY_BINS; i++) {
    const int32_t index = bin_at(i);
    const bool is_old = at < stats->n_bins && stats->bins[at].index == index;
    if (turn[0][index] > 0 || is_old)
      all[n++] = (bin){turn[0][index] + (is_old ? stats->bins[at++].count : 0), index};
  }
  ir_free(&stats->context->memory, stats->bins);
  stats->bins = all;
  stats->n_bins = n;
  return true;
}

static double clamp(const irrun_stats *stats, double x) {
  return x < stats->tally.min ? stats->tally.min : x > stats->tally.max ? stats->tally.max : x;
}

/* The element at place `rank`, from 0 and between two elements if it is no integer, of all finite elements in ascending
 * order, as if those of a bin were evenly spread. */
static double element_at(const irrun_stats *stats, double rank) {
  double before = 0, least = 0, most = 0, x = 0;
  for (int64_t i = 0; i < stats->n_bins; before += (double)stats->bins[i++].count) {
    const double count = (double)stats->bins[i].count;
    if (before + count <= rank && i + 1 < stats->n_bins)
      continue;
    bounds_of(stats->bins[i].index, &least, &most);
    least = clamp(stats, least);
    most = clamp(stats, most);
    const double part = count > 1 ? (rank - before) / (count - 1) : 0.5;
    x = least + (most - least) * (part < 1 ? part : 1);
    break;
  }
  /* integers, and the bins of 0 */
  return ir_type_in(stats->type, HAS_UNIQUE) || fabs(x) < (double)FLT_MIN ? trunc(x) : x;
}

/* ---- adding ---- */

/* A turn of an addition, which threads share. */
typedef struct turn {
  const ir_tensor *tensor;
  int64_t first, end;  /* of its elements */
  ir_tally *parts;     /* one for each PART elements */
  ir_tally_bins *bins; /* one for each thread */
} turn;

/* The least positive number of a type that is not subnormal. */
static double least_normal(ir_type type) {
  return type == IR_F16 ? 0x1p-14 : type == IR_F64 ? DBL_MIN : ir_type_in(type, IR_SET_FLOATS) ? (double)FLT_MIN : 0;
}

/* Adds up parts [begin, end). Implements ir_work. */
static void add_parts(void *user, int64_t begin, int64_t end, int worker) {
  const turn *t = user;
  const double normal = least_normal(t->tensor->type);
  for (int64_t part = begin; part < end; part++) {
    const int64_t first = t->first + part * PART, last = t->end - first < PART ? t->end : first + PART;
    for (int64_t i = first; i < last; i += IR_BLOCK) {
      double values[IR_BLOCK];
      const int64_t n = ir_block_size(last, i);
      if (t->tensor->type == IR_F32) {
        ir_tally_floats((const float *)t->tensor->data + i, n, &t->parts[part], t->bins[worker]);
        continue;
      }
      ir_block_values(t->tensor, i, n, values);
      ir_tally_doubles(values, n, normal, &t->parts[part], t->bins[worker]);
    }
  }
}

/* Adds elements [first, end). Returns false if memory is out. */
static bool add_turn(irrun_stats *stats, const ir_tensor *tensor, int64_t first, int64_t end) {
  const ir_memory *memory = &stats->context->memory;
  ir_workers *workers = &stats->context->workers;
  const int64_t n_parts = (end - first + PART - 1) / PART, bytes = (end - first) * (int64_t)sizeof(double);
  const int n_workers = ir_workers_worth(ir_workers_most(workers), n_parts, bytes);
  turn t = {.tensor = tensor, .first = first, .end = end};
  t.parts = ir_alloc_zero(memory, (size_t)n_parts, sizeof *t.parts);
  t.bins = ir_alloc_zero(memory, (size_t)n_workers, sizeof *t.bins);
  bool done = t.parts != NULL && t.bins != NULL;
  if (done)
    ir_workers_share(workers, NULL, n_workers, n_parts, bytes, add_parts, &t);
  for (int64_t i = 0; i < n_parts && done; i++)
    ir_tally_merge(&t.parts[i], &stats->tally);
  for (int i = 0; i < n_workers && done; i++)
    done = merge_bins(stats, t.bins[i]);
  ir_free(memory, t.parts);
  ir_free(memory, t.bins);
  return done;
}

/* Adds the values of integers to the different ones. Returns false if memory is out. */
static bool add_integers(irrun_stats *stats, const ir_tensor *tensor) {
  const int64_t n = ir_tensor_elements(tensor);
  bool done = true;
  for (int64_t first = 0; first < n && done && stats->unique.n >= 0; first += IR_BLOCK) {
    double values[IR_BLOCK];
    const int64_t n_block = ir_block_size(n, first);
    ir_block_values(tensor, first, n_block, values);
    done = count_unique(&stats->unique, values, n_block, &stats->context->memory);
  }
  return done;
}

irrun_status irrun_stats_add(irrun_stats *stats, const irrun_tensor *tensor) {
  const ir_tensor *t = &tensor->tensor;
  stats->type = t->type;
  stats->n_tensors++;
  if (!ir_type_in(t->type, HAS_UNIQUE))
    stats->unique.n = -1;
  if (!ir_type_comparable(t->type) || ir_tensor_is_outline(t))
    return IRRUN_OK;
  const int64_t n = ir_tensor_elements(t);
  bool done = add_integers(stats, t);
  for (int64_t first = 0; first < n && done; first += TURN)
    done = add_turn(stats, t, first, n - first < TURN ? n : first + TURN);
  return done ? IRRUN_OK : ir_status(ir_out_of_memory(&stats->context->diags));
}

/* ---- results ---- */

bool irrun_stats_get(const irrun_stats *stats, irrun_stats_info *out) {
  const ir_tally *t = &stats->tally;
  const double last = (double)t->finite - 1;
  const irrun_stats_info info = {.type = (irrun_element_type)stats->type,
                                 .tensors = stats->n_tensors,
                                 .finite = t->finite,
                                 .nans = t->nans,
                                 .infinities = t->infinities,
                                 .negative_infinities = t->negative_infinities,
                                 .zeros = t->zeros,
                                 .subnormals = t->subnormals,
                                 .f16_overflows = t->f16_overflows,
                                 .f16_vanishes = t->f16_vanishes,
                                 .min = t->min,
                                 .max = t->max,
                                 .mean = t->mean,
                                 .deviation = t->finite > 0 ? sqrt(t->squares / (double)t->finite) : 0,
                                 .low = t->finite > 0 ? element_at(stats, 0.001 * last) : 0,
                                 .high = t->finite > 0 ? element_at(stats, 0.999 * last) : 0,
                                 .unique = stats->unique.n};
  return ir_give_struct(&stats->context->diags, &info, sizeof info, out) == IR_OK;
}

bool irrun_stats_get_bin(const irrun_stats *stats, int64_t index, double *out_least, double *out_most,
                         int64_t *out_count) {
  if (index < 0 || index >= stats->n_bins)
    return false;
  bounds_of(stats->bins[index].index, out_least, out_most);
  *out_count = stats->bins[index].count;
  return true;
}
