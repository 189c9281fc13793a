#include "ops/pool/pool_sweep_plan.h"

enum {
  LANES = 16,
  PAIR = 2 * LANES,                 /* columns of two vectors */
  FOUR = 4,                         /* bins of a group, and terms of each that a vector has */
  MOST_GROUPS = IR_SWEEP_GROUPS / 4 /* of a row */
};

/* Bins from `o` on that one group takes. */
static int64_t bins_of_group(const ir_sweep_along *along, int64_t o) {
  int64_t n = 1;
  while (n < FOUR && o + n < along->n_out &&
         ir_sweep_columns(along, o + n).begin + ir_sweep_columns(along, o + n).count <=
             ir_sweep_columns(along, o).begin + PAIR)
    n++;
  return n;
}

static int64_t count_groups(const ir_sweep_along *along) {
  int64_t n = 0;
  for (int64_t o = 0; o < along->n_out; o += bins_of_group(along, o))
    n++;
  return n;
}

static ir_sweep_group group_of(const ir_sweep_along *along, int64_t o, int32_t *from) {
  const int64_t first = most(least(ir_sweep_columns(along, o).begin, along->n_in - PAIR), 0);
  ir_sweep_group group = {.n_bins = (int)bins_of_group(along, o), .first = first, .second = first, .from = from};
  for (int bin = 0; bin < group.n_bins; bin++)
    for (int64_t t = 0; t < ir_sweep_columns(along, o + bin).count; t++) {
      const int64_t at = ir_sweep_columns(along, o + bin).begin + t - first, lane = bin * FOUR + t % FOUR;
      /* Where rows are shorter than two vectors, these overlap. */
      if (at >= LANES)
        group.second = least(first + LANES, along->n_in - LANES);
      from[t / FOUR * LANES + lane] = (int32_t)(at < LANES ? at : LANES + at + first - group.second);
      group.there[t / FOUR] = (uint16_t)(group.there[t / FOUR] | 1 << lane);
    }
  return group;
}

bool ir_sweep_has_bins(const ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  return along->mode == IR_SWEEP_PICK && along->n_out > 1 && along->step == 1 && along->most_taps <= LANES &&
         along->n_in >= LANES && sweep->n_cross == 1 && !sweep->is_direct && !sweep->by_blocks &&
         ir_sweep_are_between(&sweep->cross[0], 1, IR_SWEEP_FEW) && sweep->cross[0].step == 1 &&
         sweep->cross[0].ranges != NULL && count_groups(along) <= MOST_GROUPS && sweep->plane_out <= MOST_OUTPUTS;
}

/* Whether each row of bins begins with the last row of that above. */
static bool do_share(const ir_sweep_cross *axis) {
  bool all = true;
  for (int64_t o = 1; o < axis->n_out; o++)
    all = all &&
          ir_sweep_range(axis, o).begin == ir_sweep_range(axis, o - 1).begin + ir_sweep_range(axis, o - 1).count - 1;
  return all;
}

bool ir_sweep_make_bins(ir_plan *plan, ir_sweep *sweep) {
  const ir_sweep_along *along = &sweep->along;
  ir_sweep_bins *bins = &sweep->bins;
  bins->n_groups = (int)count_groups(along);
  bins->do_share = do_share(&sweep->cross[0]);
  bins->of_group = sweep->plane_in / (sweep->cross[0].n_out * bins->n_groups);
  const size_t n = (size_t)bins->n_groups, n_from = LANES * FOUR;
  ir_sweep_group *groups = ir_arena_array(plan->arena, n, sizeof *groups);
  int32_t *from = ir_arena_array(plan->arena, n * n_from, sizeof *from);
  if (groups == NULL || from == NULL)
    return ir_out_of_memory(plan->diags), false;
  for (int64_t o = 0, g = 0; o < along->n_out; o += groups[g++].n_bins, from += n_from)
    groups[g] = group_of(along, o, from);
  for (size_t g = 0; g < n; g++)
    for (size_t i = 0; i < FOUR; i++)
      groups[g].bins = (uint16_t)(groups[g].bins | ((1 << groups[(g + i) % n].n_bins) - 1) << FOUR * i);
  bins->groups = groups;
  bins->at = take_scratch(sweep, IR_SWEEP_GROUPS * LANES);
  return true;
}
