/* The functions of irrun_stats.h. */
#include "irrun_stats.h"
#include "ops/kernels/tally.h"
#include "runtime/compare/compare.h"
#include "runtime/context.h"
#include "runtime/tensor/tensor_block.h"

#include <float.h>
#include <math.h>

enum { MOST_UNIQUE = 4096, LEAST_TABLE = 64, RECENT = 256 };
#define BATCH        ((int64_t)1 << 31) /* elements that are added at once: so many do not overflow the counts of bins */
#define PART         ((int64_t)1 << 16) /* elements that one thread adds up: sums do not depend on the threads */
#define HAS_UNIQUE   (IR_SET_INTEGERS | IR_SET_SMALL_INTEGERS | IR_SET(IR_BOOLEAN))
#define NEGATIVE_BIN (IR_TALLY_BINS / 2) /* of -0; bins of smaller numbers follow in descending order */

/* A bin of the histogram that is not empty. */
typedef struct bin {
  int64_t count;
  int32_t index;
} bin;

/* Different integers, in an open hash table. NaN marks a free place. */
typedef struct integers {
  double *table;
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
  ir_free(memory, stats);
}

/* ---- different integers ---- */

/* Enters x; returns false if it is there. */
static bool enter(integers *set, double x) {
  const uint64_t mask = (uint64_t)set->capacity - 1;
  uint64_t at = (uint64_t)ir_f64_to_i64(x) * UINT64_C(0x9E3779B97F4A7C15) >> 40 & mask;
  for (; !isnan(set->table[at]); at = (at + 1) & mask)
    if (set->table[at] == x)
      return false;
  set->table[at] = x;
  return true;
}

/* Doubles the table. Returns false if memory is out. */
static bool widen(integers *set, const ir_memory *memory) {
  integers wide = {.n = set->n, .capacity = set->capacity == 0 ? LEAST_TABLE : set->capacity * 2};
  wide.table = ir_alloc_zero(memory, (size_t)wide.capacity, sizeof *wide.table);
  if (wide.table == NULL)
    return false;
  for (int64_t i = 0; i < wide.capacity; i++)
    wide.table[i] = NAN;
  for (int64_t i = 0; i < set->capacity; i++)
    if (!isnan(set->table[i]))
      enter(&wide, set->table[i]);
  ir_free(memory, set->table);
  *set = wide;
  return true;
}

/* Adds the elements of a tensor of integers. Returns false if memory is out. */
static bool add_integers(integers *set, const ir_tensor *tensor, const ir_memory *memory) {
  const int64_t n_elements = ir_tensor_elements(tensor);
  double recent[RECENT]; /* numbers that were entered, by their low bits: most repeat */
  for (int i = 0; i < RECENT; i++)
    recent[i] = NAN;
  for (int64_t first = 0; first < n_elements && set->n >= 0; first += IR_BLOCK) {
    double values[IR_BLOCK];
    const int64_t n = ir_block_size(n_elements, first);
    ir_block_values(tensor, first, n, values);
    for (int64_t i = 0; i < n && set->n >= 0; i++) {
      double *last = &recent[(uint64_t)ir_f64_to_i64(values[i]) % RECENT];
      if (*last == values[i])
        continue;
      *last = values[i];
      if (set->n * 2 >= set->capacity && !widen(set, memory))
        return false;
      set->n += enter(set, values[i]);
      set->n = set->n <= MOST_UNIQUE ? set->n : -1;
    }
  }
  return true;
}

/* ---- the histogram ---- */

/* The place of a bin in ascending order of the numbers: -FLT_MAX has place 0. */
static int32_t place_of(int32_t index) {
  return index < NEGATIVE_BIN ? NEGATIVE_BIN + index : IR_TALLY_BINS - 1 - index;
}

/* The bounds of a bin. */
static void bounds_of(int32_t index, double *out_least, double *out_most) {
  const uint32_t bits = (uint32_t)(index % NEGATIVE_BIN) << IR_TALLY_BIN_SHIFT;
  const float low = ir_f32_of_bits(bits), high = ir_f32_of_bits(bits + (1U << IR_TALLY_BIN_SHIFT));
  const bool is_negative = index >= NEGATIVE_BIN;
  const double most = isinf(high) ? (double)FLT_MAX : (double)high;
  *out_least = is_negative ? -most : (double)low;
  *out_most = is_negative ? -(double)low : most;
}

/* Adds the counts of n bins to those of all batches. Returns false if memory is out. */
static bool merge_bins(irrun_stats *stats, ir_tally_bins *bins, int n) {
  int32_t indices[IR_TALLY_BINS];
  const int32_t n_new = ir_tally_list_bins(bins, n, indices);
  const int64_t n_old = stats->n_bins;
  bin *all = ir_alloc_zero(&stats->context->memory, (size_t)(n_new + n_old) + 1, sizeof *all);
  if (all == NULL)
    return false;
  stats->n_bins = 0;
  for (int64_t i = 0, k = 0; i < n_new || k < n_old;) {
    const int32_t new = i < n_new ? place_of(indices[i]) : IR_TALLY_BINS;
    const int32_t old = k < n_old ? place_of(stats->bins[k].index) : IR_TALLY_BINS;
    bin *next = &all[stats->n_bins++];
    next->index = new <= old ? indices[i] : stats->bins[k].index;
    next->count += new <= old ? bins[0].counts[0][indices[i++]] : 0;
    next->count += old <= new ? stats->bins[k++].count : 0;
  }
  ir_free(&stats->context->memory, stats->bins);
  stats->bins = all;
  return true;
}

bool irrun_stats_get_bin(const irrun_stats *stats, int64_t index, double *out_least, double *out_most,
                         int64_t *out_count) {
  if (index < 0 || index >= stats->n_bins)
    return false;
  bounds_of(stats->bins[index].index, out_least, out_most);
  *out_least = index == 0 ? stats->tally.min : *out_least;
  *out_most = index == stats->n_bins - 1 ? stats->tally.max : *out_most;
  *out_count = stats->bins[index].count;
  return true;
}

/* The element at place `rank` of all finite elements in ascending order, as if those of a bin were evenly spread. */
static double element_at(const irrun_stats *stats, int64_t rank) {
  double least, most;
  int64_t i = 0, count;
  for (; rank >= stats->bins[i].count; i++)
    rank -= stats->bins[i].count;
  irrun_stats_get_bin(stats, i, &least, &most, &count);
  const double x = least + (most - least) * (count > 1 ? (double)rank / (double)(count - 1) : 0.5);
  /* integers, and the bins of 0 */
  return ir_type_in(stats->type, HAS_UNIQUE) || fabs(x) < (double)FLT_MIN ? trunc(x) : x;
}

/* Below this number is `part` of the elements. As in numpy, it can be between two elements. */
static double percentile(const irrun_stats *stats, double part) {
  if (stats->tally.finite == 0)
    return 0;
  const int64_t last = stats->tally.finite - 1;
  const double rank = part * (double)last;
  const int64_t before = (int64_t)rank, after = before < last ? before + 1 : last;
  const double x = element_at(stats, before), y = element_at(stats, after);
  return x + (y - x) * (rank - (double)before);
}

/* ---- adding ---- */

/* Elements of a tensor, which threads share. */
typedef struct batch {
  const ir_tensor *tensor;
  int64_t first, end;
  ir_tally *parts;     /* one for each PART elements */
  ir_tally_bins *bins; /* one for each thread */
} batch;

/* Adds up parts [begin, end). Implements ir_work. */
static void add_parts(void *user, int64_t begin, int64_t end, int worker) {
  const batch *b = user;
  for (int64_t part = begin; part < end; part++) {
    const int64_t first = b->first + part * PART, last = b->end - first < PART ? b->end : first + PART;
    ir_tally_elements(b->tensor, first, last, &b->parts[part], &b->bins[worker]);
  }
}

/* Adds elements [first, end). Returns false if memory is out. */
static bool add_batch(irrun_stats *stats, const ir_tensor *tensor, int64_t first, int64_t end) {
  const ir_memory *memory = &stats->context->memory;
  ir_workers *workers = &stats->context->workers;
  const int64_t n_parts = (end - first + PART - 1) / PART, bytes = (end - first) * (int64_t)sizeof(double);
  const int n_workers = ir_workers_worth(ir_workers_most(workers), n_parts, bytes);
  batch b = {.tensor = tensor, .first = first, .end = end};
  b.parts = ir_alloc_zero(memory, (size_t)n_parts, sizeof *b.parts);
  b.bins = ir_alloc_zero(memory, (size_t)n_workers, sizeof *b.bins);
  bool done = b.parts != NULL && b.bins != NULL;
  if (done)
    ir_workers_share(workers, NULL, n_workers, n_parts, bytes, add_parts, &b);
  done = done && merge_bins(stats, b.bins, n_workers);
  for (int64_t i = 0; i < n_parts && done; i++)
    ir_tally_merge(&b.parts[i], &stats->tally);
  ir_free(memory, b.parts);
  ir_free(memory, b.bins);
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
  bool done = add_integers(&stats->unique, t, &stats->context->memory);
  for (int64_t first = 0; first < n && done; first += BATCH)
    done = add_batch(stats, t, first, n - first < BATCH ? n : first + BATCH);
  return done ? IRRUN_OK : ir_status(ir_out_of_memory(&stats->context->diags));
}

/* ---- results ---- */

bool irrun_stats_get(const irrun_stats *stats, irrun_stats_info *out) {
  const ir_tally *t = &stats->tally;
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
                                 .low = percentile(stats, 0.001),
                                 .high = percentile(stats, 0.999),
                                 .unique = stats->unique.n};
  return ir_give_struct(&stats->context->diags, &info, sizeof info, out) == IR_OK;
}
