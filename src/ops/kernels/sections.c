#include "ops/kernels/sections.h"
#include "ops/kernels/strided_copy.h"
#include <assert.h>

void ir_sections_add(ir_axis_sections *axis, const ir_section *section) {
  if (section->dims[0] <= 0 || section->dims[1] <= 0)
    return;
  assert(axis->n < IR_MOST_SECTIONS);
  axis->items[axis->n++] = *section;
}

void ir_sections_add_line(ir_axis_sections *axis, int64_t n, int64_t from, int64_t from_step, int64_t to,
                          int64_t to_step) {
  const ir_section section = {
      .from = from, .to = to, .dims = {1, n}, .from_steps = {0, from_step}, .to_steps = {0, to_step}};
  ir_sections_add(axis, &section);
}

/* Returns the copy of one combination: section at[i] of each axis i. */
static ir_strided_copy copy_of(const ir_sections *sections, const int *at) {
  int64_t dims[2 * IR_MAX_RANK], from[2 * IR_MAX_RANK], to[2 * IR_MAX_RANK], from_first = 0, to_first = 0;
  int n = 0;
  for (int i = 0; i < sections->n_axes; i++) {
    const ir_section *section = &sections->axes[i].items[at[i]];
    from_first += section->from;
    to_first += section->to;
    for (int j = 0; j < 2; j++) {
      dims[n] = section->dims[j];
      from[n] = section->from_steps[j];
      to[n++] = section->to_steps[j];
    }
  }
  ir_strided_copy copy = ir_strided_copy_of(n, dims, from, to);
  copy.from_first = from_first;
  copy.to_first = to_first;
  return copy;
}

void ir_sections_copy(const ir_sections *sections, size_t element, const void *from, void *to, ir_exec *exec) {
  int at[IR_MAX_RANK] = {0}, axis;
  for (int i = 0; i < sections->n_axes; i++)
    if (sections->axes[i].n == 0)
      return;
  do {
    const ir_strided_copy copy = copy_of(sections, at);
    ir_strided_copy_run(&copy, element, from, to, exec);
    for (axis = sections->n_axes - 1; axis >= 0 && at[axis] == sections->axes[axis].n - 1; axis--)
      at[axis] = 0;
    if (axis >= 0)
      at[axis]++;
  } while (axis >= 0);
}

/* ---- the step ---- */

typedef struct sections_state {
  ir_sections sections;
  ir_fill fill;
} sections_state;

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  static const uint64_t zero = 0; /* zero of any type */
  const sections_state *state = step->state;
  if (state->fill != IR_FILL_NONE)
    ir_fill_tensor(out[0], state->fill == IR_FILL_ZERO ? &zero : in[1]->data, exec);
  ir_sections_copy(&state->sections, ir_type_size(out[0]->type), in[0]->data, out[0]->data, exec);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "copy_sections", .isa = "any", .run = run};

ir_code ir_sections_step(ir_plan *plan, const ir_node *node, const ir_sections *sections, ir_fill fill) {
  sections_state *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  *state = (sections_state){*sections, fill};
  const int32_t in[] = {ir_plan_input_slot(plan, 0), ir_plan_input_slot(plan, node->n_inputs - 1)};
  const int32_t out = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, state, 0, in, fill == IR_FILL_INPUT ? 2 : 1, &out, 1);
}
