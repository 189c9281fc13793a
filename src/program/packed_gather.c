#include "ops/kernels/index_input.h"
#include "program/packed_product.h"
#include <string.h>

typedef struct gather_work {
  ir_packed_rows weights;
  const ir_tensor *numbers; /* of the gathered rows */
  float *out;
  ir_exec *exec;
} gather_work;

static void gather(void *user, int64_t begin, int64_t end, int worker) {
  const gather_work *w = user;
  const int64_t n = w->weights.n, k = w->weights.k;
  for (; begin < end; begin++) {
    float *out = w->out + begin * k;
    const int64_t number = ir_index_at(w->numbers, begin);
    if (number < -n || number >= n)
      memset(out, 0, (size_t)k * sizeof *out); /* as Gather does */
    else
      ir_packed_row(&w->weights, number < 0 ? number + n : number, ir_exec_scratch(w->exec, worker), out);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_packed_rows *weights = step->state;
  gather_work work = {.weights = *weights, .numbers = in[0], .out = out[0]->data, .exec = exec};
  ir_packed_set_data(&work.weights, in + 1);
  exec->share(exec, ir_tensor_elements(in[0]), 2 * (int64_t)out[0]->bytes, gather, &work);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "packed_gather", .isa = "any", .run = run, .reads_unaligned = true};
  const ir_packed_rows *weights = node->params;
  const int32_t out = ir_plan_output_slot(plan, 0);
  (void)in, (void)scope;
  return ir_plan_step_on(plan, node, &kernel, weights, (size_t)ir_packed_scratch(weights) * sizeof(float),
                         plan->in_slots, node->n_inputs, &out, 1);
}

const ir_op ir_op_packed_gather = {
    .dialect = IR_OPENVINO, .type = "PackedGather", .run = {IR_RUN_PREPARED, .prepare = prepare}};
