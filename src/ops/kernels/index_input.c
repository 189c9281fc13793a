#include "ops/kernels/index_input.h"
#include "ops/kernels/floats.h"

ir_index_input ir_index_input_of(const ir_plan *plan, const ir_node *node, int port, const ir_scope *scope) {
  return (ir_index_input){plan->diags, ir_input_where(scope, node, port, -1), ir_op_input(node->op, port)->name};
}

ir_code ir_index_report(const ir_index_input *input, int64_t at, int64_t index, int64_t least, int64_t limit) {
  return ir_report_firm(input->diags, IR509_INDEX_OUT_OF_RANGE, input->where,
                        "element %lld of '%s' is %lld; expected one from %lld to %lld", (long long)at, input->name,
                        (long long)index, (long long)least, (long long)limit - 1);
}

ir_code ir_index_report_change(const ir_index_input *input) {
  return ir_report_firm(input->diags, IR509_INDEX_OUT_OF_RANGE, input->where,
                        "'%s' held an index out of range that is gone: something else writes to it during the run",
                        input->name);
}

void ir_index_load(const ir_tensor *indices, int64_t at, int64_t n, int64_t *out) {
  if (ir_type_in(indices->type, IR_SET_FLOATS)) {
    for (int64_t i = 0; i < n; i++)
      out[i] = ir_f64_to_i64(ir_number_at(indices, at + i));
    return;
  }
  ir_compute_load(indices->type, ir_tensor_at(indices, at), ir_compute_type_of(indices->type), out, n);
  for (int64_t i = 0; i < n && indices->type == IR_U64; i++)
    out[i] = out[i] < 0 ? INT64_MAX : out[i];
}

void ir_index_store(const int64_t *numbers, int64_t n, ir_tensor *out, int64_t at) {
  ir_compute_store(IR_COMPUTE_I64, numbers, out->type, ir_tensor_at(out, at), n);
}
