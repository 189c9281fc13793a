#include "ops/math/convert_values.h"
#include "base/low_bit_types.h"
#include "ops/kernels/compute_type.h"
#include "ops/shape/same_elements.h"
#include <string.h>

typedef struct conversion {
  const ir_tensor *from, *to;
  ir_compute_type compute; /* type between loading and storing an element */
  double numbers[256];     /* if `from` is a low-bit type: the number of each bit pattern */
} conversion;

/* Returns the intermediate type of a conversion: f32 between f32, f16 and bf16. Other conversions from floats, or to
 * low-bit floats, use f64, from which every type can be stored. Other integers use their own compute type. */
static ir_compute_type compute_type_between(ir_type from, ir_type to) {
  const uint64_t up_to_f32 = IR_SET_FLOATS & ~IR_SET(IR_F64);
  if (ir_type_in(from, up_to_f32) && ir_type_in(to, up_to_f32))
    return IR_COMPUTE_F32;
  if (ir_type_in(from, IR_SET_ALL_FLOATS) || ir_type_in(to, IR_SET_NARROW_FLOATS))
    return IR_COMPUTE_F64;
  return from == IR_I4 ? IR_COMPUTE_I64 : ir_compute_type_of(from);
}

static void load(const conversion *c, int64_t begin, int64_t n, ir_piece *piece) {
  const ir_type type = c->from->type;
  if (!ir_type_in(type, IR_SET_NARROW)) {
    ir_compute_load(type, (const char *)c->from->data + (size_t)begin * ir_type_size(type), c->compute, piece, n);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    const double number = c->numbers[ir_narrow_bits(type, c->from->data, begin + i)];
    if (c->compute == IR_COMPUTE_F64)
      piece->f64[i] = number;
    else
      piece->i64[i] = (int64_t)number;
  }
}

/* Stores a piece. For a low-bit integer type, elements are stored as u8 first, and the low bits of each u8 are
 * copied. */
static void store(const conversion *c, int64_t begin, int64_t n, const ir_piece *piece) {
  const ir_type type = c->to->type;
  const bool is_narrow = ir_type_in(type, IR_SET_NARROW), is_float = ir_type_in(type, IR_SET_NARROW_FLOATS);
  uint8_t bytes[IR_PIECE];
  if (!is_narrow)
    ir_compute_store(c->compute, piece, type, (char *)c->to->data + (size_t)begin * ir_type_size(type), n);
  else if (!is_float)
    ir_compute_store(c->compute, piece, IR_U8, bytes, n);
  for (int64_t i = 0; i < n && is_narrow; i++)
    ir_narrow_set_bits(type, c->to->data, begin + i, is_float ? ir_narrow_of(type, piece->f64[i]) : bytes[i]);
}

/* Converts pieces [begin, end). Each piece starts on a byte boundary for any type, so workers share no byte. */
static void convert(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const conversion *c = user;
  const int64_t elements = ir_tensor_elements(c->to);
  ir_piece piece;
  for (int64_t first = begin * IR_PIECE, n; begin < end; begin++, first += n) {
    n = elements - first < IR_PIECE ? elements - first : IR_PIECE;
    load(c, first, n, &piece);
    store(c, first, n, &piece);
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  const ir_type from = in[0]->type, to = out[0]->type;
  conversion c = {in[0], out[0], compute_type_between(from, to), {0}};
  if (ir_type_in(from, IR_SET_NARROW))
    for (unsigned bits = 0; bits < 1U << ir_type_bits(from); bits++)
      c.numbers[bits] = ir_narrow_number(from, bits);
  if (ir_type_in(to, IR_SET_NARROW))
    memset(out[0]->data, 0, out[0]->bytes); /* also clears the bits after the last element */
  exec->share(exec, ir_ceil_div(ir_tensor_elements(out[0]), IR_PIECE), (int64_t)(in[0]->bytes + out[0]->bytes), convert,
              &c);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "convert", .isa = "any", .run = run, .reads_unaligned = true};

ir_code ir_convert_step_on(ir_plan *plan, const ir_node *node, int32_t in, int32_t out) {
  return ir_plan_step_on(plan, node, &kernel, NULL, 0, &in, 1, &out, 1);
}

ir_code ir_convert_step(ir_plan *plan, const ir_node *node, int port) {
  const int32_t in_slot = ir_plan_input_slot(plan, port), out_slot = ir_plan_output_slot(plan, port);
  return out_slot < 0 ? IR_OK : ir_convert_step_on(plan, node, in_slot, out_slot);
}

ir_code ir_convert_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  return in[0]->type == node->outputs[0].type ? ir_same_elements_prepare(node, in, plan, scope)
                                              : ir_convert_step(plan, node, 0);
}
