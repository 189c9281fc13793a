#include "ops/math/convert_values.h"
#include "narrow_types.h"
#include "ops/kernels/wide.h"
#include "ops/shape/same_elements.h"

typedef struct conversion {
  const ir_tensor *from, *to;
} conversion;

/* Every type goes through a wide one, some elements at a time. Of f32 that is f64, which every type is stored from. */
static ir_wide_type wide_of(ir_type type) {
  const ir_wide_type wide = ir_wide_of(type);
  return wide == IR_WIDE_F32 ? IR_WIDE_F64 : wide;
}

static void convert(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const conversion *c = user;
  const ir_wide_type wide = wide_of(c->from->type);
  const size_t from_size = ir_type_size(c->from->type), to_size = ir_type_size(c->to->type);
  ir_piece piece;
  for (int64_t n; begin < end; begin += n) {
    n = end - begin < IR_PIECE ? end - begin : IR_PIECE;
    ir_wide_load(c->from->type, (const char *)c->from->data + (size_t)begin * from_size, wide, &piece, n);
    ir_wide_store(wide, &piece, c->to->type, (char *)c->to->data + (size_t)begin * to_size, n);
  }
}

/* From a narrow type: elements are no whole bytes, and few values. */
static void convert_narrow(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const conversion *c = user;
  const ir_type from = c->from->type;
  const bool are_floats = ir_type_in(from, IR_SET_NARROW_FLOATS);
  const ir_wide_type wide = are_floats ? IR_WIDE_F64 : from == IR_I4 ? IR_WIDE_I64 : IR_WIDE_U64;
  double numbers[256];
  ir_piece piece;
  for (unsigned bits = 0; bits < 1U << ir_type_bits(from); bits++)
    numbers[bits] = ir_narrow_number(from, bits);
  for (int64_t n; begin < end; begin += n) {
    n = end - begin < IR_PIECE ? end - begin : IR_PIECE;
    for (int64_t i = 0; i < n; i++) {
      const double number = numbers[ir_narrow_bits(from, c->from->data, begin + i)];
      if (are_floats)
        piece.f64[i] = number;
      else
        piece.i64[i] = (int64_t)number;
    }
    ir_wide_store(wide, &piece, c->to->type, (char *)c->to->data + (size_t)begin * ir_type_size(c->to->type), n);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  conversion c = {in[0], out[0]};
  exec->share(exec, ir_tensor_elements(out[0]), (int64_t)(in[0]->bytes + out[0]->bytes),
              ir_type_in(in[0]->type, IR_SET_NARROW) ? convert_narrow : convert, &c);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "convert", .isa = "any", .run = run};

ir_code ir_convert_step(ir_plan *plan, const ir_node *node, const ir_value *const *in, int port, ir_scope *scope) {
  const ir_type from = in[port]->type, to = node->outputs[port].type;
  if (!ir_type_in(from, IR_SET_STORED | IR_SET_NARROW) || !ir_type_in(to, IR_SET_STORED))
    return ir_report_no_kernel(scope, ir_node_where(scope, node), ir_type_in(to, IR_SET_STORED) ? from : to);
  const int32_t in_slot = ir_plan_input_slot(plan, node, port), out_slot = ir_plan_output_slot(plan, node, port);
  return out_slot < 0 ? IR_OK : ir_plan_step_on(plan, node, &kernel, NULL, 0, &in_slot, 1, &out_slot, 1);
}

ir_code ir_convert_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const bool is_alike = in[0]->type == node->outputs[0].type && ir_type_in(in[0]->type, IR_SET_STORED);
  return is_alike ? ir_same_elements_prepare(node, in, plan, scope) : ir_convert_step(plan, node, in, 0, scope);
}
