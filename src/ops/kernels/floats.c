#include "ops/kernels/floats.h"
#include <math.h>

typedef struct widen_work {
  const ir_tensor *in, *out;
} widen_work;

static void widen(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const widen_work *work = user;
  const ir_type from = work->in->type, to = work->out->type;
  ir_compute_load(from, (const char *)work->in->data + (size_t)begin * ir_type_size(from),
                  to == IR_F64 ? IR_COMPUTE_F64 : IR_COMPUTE_F32,
                  (char *)work->out->data + (size_t)begin * ir_type_size(to), end - begin);
}

static ir_code run_widen(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  widen_work work = {in[0], out[0]};
  exec->share(exec, ir_tensor_elements(in[0]), (int64_t)(in[0]->bytes + out[0]->bytes), widen, &work);
  return IR_OK;
}

static const ir_kernel widen_kernel = {.name = "widen", .isa = "any", .run = run_widen, .reads_unaligned = true};

int32_t ir_widened(ir_plan *plan, const ir_node *node, int32_t slot) {
  const ir_type type = plan->slots[slot].type;
  const ir_shape shape = plan->slots[slot].shape;
  if (type == IR_F32 || type == IR_F64)
    return slot;
  const int32_t to = ir_plan_temporary(plan, ir_type_in(type, IR_SET_FLOATS) ? IR_F32 : IR_F64, &shape);
  if (to < 0 || ir_plan_step_on(plan, node, &widen_kernel, NULL, 0, &slot, 1, &to, 1) != IR_OK)
    return -1;
  return to;
}

int32_t ir_widened_float(ir_plan *plan, const ir_node *node, int32_t slot) {
  return ir_type_in(plan->slots[slot].type, IR_SET_FLOATS) ? ir_widened(plan, node, slot) : slot;
}

ir_code ir_plan_step_of_floats(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                               size_t scratch_bytes) {
  int32_t *in = ir_arena_array(plan->arena, (size_t)node->n_inputs + 1, sizeof *in), out[IR_MAX_OP_PORTS];
  if (in == NULL)
    return ir_out_of_memory(plan->diags);
  for (int32_t i = 0; i < node->n_inputs; i++) {
    in[i] = ir_widened_float(plan, node, ir_plan_input_slot(plan, i));
    if (in[i] < 0)
      return IR_NO_MEMORY;
  }
  for (int32_t i = 0; i < node->n_outputs; i++)
    out[i] = ir_plan_output_slot(plan, i);
  return ir_plan_step_on(plan, node, kernel, state, scratch_bytes, in, node->n_inputs, out, node->n_outputs);
}

double ir_rounded(double x, ir_type type) {
  const int bits = ir_type_bits(type);
  const bool has_sign = ir_type_in(type, IR_SET_SIGNED);
  if (!ir_type_in(type, IR_SET_INTEGERS))
    return x;
  const double least = has_sign ? -ldexp(1, bits - 1) : 0, behind = ldexp(1, has_sign ? bits - 1 : bits);
  const double rounded = rint(x);
  return rounded < least ? least : rounded >= behind ? nextafter(behind, 0) : rounded;
}
