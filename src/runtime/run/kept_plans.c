#include "runtime/run/kept_plans.h"
#include <string.h>

ir_kept_plan *ir_kept_plans_add(ir_kept_plans *plans, const ir_memory *memory) {
  ir_kept_plan *plan = ir_alloc_zero(memory, 1, sizeof *plan);
  if (plan == NULL)
    return NULL;
  ir_arena_init(&plan->arena, memory, (size_t)IR_MAX_ARENA_BYTES);
  plan->next = plans->first;
  plans->first = plan;
  plans->n_made++;
  return plan;
}

static void free_plan(ir_kept_plan *plan, const ir_memory *memory) {
  ir_compiled_reset(&plan->compiled);
  ir_arena_reset(&plan->arena);
  ir_free(memory, plan);
}

/* The link in the list that points to the plan. */
static ir_kept_plan **link_of(ir_kept_plans *plans, const ir_kept_plan *plan) {
  ir_kept_plan **link = &plans->first;
  while (*link != plan)
    link = &(*link)->next;
  return link;
}

void ir_kept_plans_drop(ir_kept_plans *plans, ir_kept_plan *plan, const ir_memory *memory) {
  *link_of(plans, plan) = plan->next;
  free_plan(plan, memory);
}

void ir_kept_plans_shorten(ir_kept_plans *plans, size_t n, const ir_memory *memory) {
  ir_kept_plan **link = &plans->first;
  for (; n > 0 && *link != NULL; n--)
    link = &(*link)->next;
  for (ir_kept_plan *next, *plan = *link; plan != NULL; plan = next) {
    next = plan->next;
    free_plan(plan, memory);
  }
  *link = NULL;
}

void ir_kept_plans_use(ir_kept_plans *plans, ir_kept_plan *plan) {
  *link_of(plans, plan) = plan->next;
  plan->next = plans->first;
  plans->first = plan;
}

static bool is_same_value(const ir_value *a, const ir_value *b) {
  if (a->type != b->type || !ir_shapes_equal(&a->shape, &b->shape) || (a->contents == NULL) != (b->contents == NULL))
    return false;
  return a->contents == NULL || a->contents->bytes == 0 ||
         (a->contents->bytes == b->contents->bytes &&
          memcmp(a->contents->data, b->contents->data, a->contents->bytes) == 0);
}

static bool is_same_stage(const ir_stage *a, const ir_stage *b) {
  if (a->n_given != b->n_given || a->n_nodes != b->n_nodes || a->n_kept != b->n_kept ||
      memcmp(a->layers, b->layers, a->n_nodes * sizeof *a->layers) != 0 ||
      (a->n_kept > 0 && memcmp(a->kept, b->kept, a->n_kept * sizeof *a->kept) != 0))
    return false;
  bool same = true;
  for (size_t i = 0; i < a->n_nodes && same; i++)
    for (int32_t p = 0; p < a->nodes[i].n_outputs && same; p++)
      same = is_same_value(&a->nodes[i].outputs[p], &b->nodes[i].outputs[p]);
  return same;
}

ir_kept_plan *ir_kept_plans_find(const ir_kept_plans *plans, const ir_stage *stage) {
  ir_kept_plan *plan = plans->first;
  while (plan != NULL && (&plan->stage == stage || !is_same_stage(&plan->stage, stage)))
    plan = plan->next;
  return plan;
}
