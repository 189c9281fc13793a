#include "ops/detection/roi_samples.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/numbers.h"
#include <math.h>
#include <string.h>

enum { MOST_SUMS = 8192, SAMPLES = IR_PLANE_TAPS_MOST / 4 };

typedef struct sample_scratch {
  ir_plane_taps taps;
  double divisors[IR_PLANE_TAPS_PLACES]; /* of each bin */
  double sums[MOST_SUMS];                /* of some channels: [channel, bin], or [bin, channel] with channels last */
} sample_scratch;

size_t ir_roi_scratch(void) {
  return sizeof(sample_scratch);
}

/* Sets the taps of one sample for bins [bin, bin + n_places). Returns false if all are outside the map. */
static bool place_sample(const ir_roi_sampled *region, int64_t bin, int64_t sample, int tap, sample_scratch *scratch) {
  bool any = false;
  for (int64_t i = 0; i < scratch->taps.n_places; i++) {
    const int64_t row = (bin + i) / region->n_columns, column = (bin + i) % region->n_columns;
    ir_roi_place place = {.at = 0};
    const bool is_inside = region->find(region, row, column, sample, &place);
    if (is_inside)
      ir_plane_taps_set_bilinear(&scratch->taps, tap, i, region->map->dims[2], region->map->dims[3], place.y, place.x,
                                 place.at);
    for (int k = 0; k < 4 && !is_inside; k++)
      ir_plane_taps_set(&scratch->taps, tap + k, i, -1, 0);
    any = any || is_inside;
    scratch->divisors[i] += place.is_nan ? NAN : is_inside || !region->counts_inside;
  }
  return any;
}

/* Sets the taps of as many samples as the table has room for, from `sample` on. Returns the first sample behind. */
static int64_t place_samples(const ir_roi_sampled *region, int64_t bin, int64_t sample, sample_scratch *scratch) {
  int n = 0;
  for (int64_t i = 0; i < IR_PLANE_TAPS_PLACES && sample == 0; i++)
    scratch->divisors[i] = 0;
  for (; sample < region->n_samples && n < SAMPLES && !ir_stop_asked_of(region->stop, region->worker); sample++)
    n += place_sample(region, bin, sample, 4 * n, scratch);
  scratch->taps.n_taps = 4 * n;
  return sample;
}

/* Adds the samples of the table to the sums of channels [first, behind), bins [bin, bin + n_places). */
static void add_samples(const ir_roi_sampled *region, int64_t first, int64_t behind, sample_scratch *scratch) {
  const ir_tensor *map = region->map;
  const int64_t area = map->dims[2] * map->dims[3], n = scratch->taps.n_places, channels = map->dims[1];
  for (int64_t c = first; c < behind && !region->is_channels_last; c++)
    (region->is_max ? ir_plane_taps_greatest : ir_plane_taps_add)(
        &scratch->taps, map, (region->first_plane + c * region->planes) * area, scratch->sums + (c - first) * n);
  for (int64_t i = 0; i < n && region->is_channels_last; i++)
    ir_plane_taps_last(&scratch->taps, i, map, channels, region->first_plane * area + first, behind - first,
                       region->is_max, scratch->sums + i * (behind - first));
}

/* Stores the sums of channels [first, behind), bins [bin, bin + n). */
static void store_bins(const ir_roi_sampled *region, int64_t first, int64_t behind, int64_t bin, int64_t n,
                       const sample_scratch *scratch) {
  const int64_t bin_step = region->is_channels_last ? behind - first : 1;
  const int64_t channel_step = region->is_channels_last ? 1 : n;
  double results[IR_PLANE_TAPS_PLACES];
  for (int64_t c = first; c < behind; c++) {
    const double *sums = scratch->sums + (c - first) * channel_step;
    for (int64_t i = 0; i < n; i++) {
      const double divisor = scratch->divisors[i];
      const bool divides = divisor != 0 && (!region->is_max || isnan(divisor));
      results[i] = sums[i * bin_step] / (divides ? divisor : 1);
    }
    ir_floats_store(region->out, region->first_out + c * region->n_rows * region->n_columns + bin, results, n);
  }
}

/* Computes a region, some bins and channels at a time. */
void ir_roi_pool_samples(const ir_roi_sampled *region, void *of_worker) {
  sample_scratch *scratch = of_worker;
  const int64_t n_bins = region->n_rows * region->n_columns;
  for (int64_t bin = 0, n; bin < n_bins; bin += n) {
    n = least(IR_PLANE_TAPS_PLACES, n_bins - bin);
    scratch->taps.n_places = n;
    int64_t sample = 0;
    bool is_whole = false; /* whether the table has all samples of these bins */
    for (int64_t first = region->channel, behind; first < region->behind; first = behind) {
      behind = least(region->behind, first + MOST_SUMS / n);
      memset(scratch->sums, 0, (size_t)((behind - first) * n) * sizeof *scratch->sums);
      for (sample = 0; sample < region->n_samples && !ir_stop_asked_of(region->stop, region->worker);) {
        const int64_t from = sample;
        sample = is_whole ? region->n_samples : place_samples(region, bin, from, scratch);
        is_whole = from == 0 && sample == region->n_samples;
        add_samples(region, first, behind, scratch);
      }
      if (region->n_samples == 0)
        place_samples(region, bin, 0, scratch);
      store_bins(region, first, behind, bin, n, scratch);
    }
  }
}
