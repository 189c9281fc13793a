#include "ops/math/convert_values.h"
#include "base/low_bit_types.h"
#include "ops/kernels/element_loads.h"
#include "ops/kernels/isa.h"
#include "ops/shape/same_elements.h"
#include <string.h>

/* ---- low-bit floats ---- */

/* Defines `name`, which computes the codes of n doubles. `numbers` need not be aligned. */
#define ENCODE(name, type)                                                                                             \
  IR_LOOP void name##_loop(const void *numbers, uint8_t *codes, int64_t n) {                                           \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      double number;                                                                                                   \
      memcpy(&number, (const char *)numbers + (size_t)i * sizeof number, sizeof number);                               \
      codes[i] = (uint8_t)ir_narrow_of(type, number);                                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const void *numbers, uint8_t *codes, int64_t n), (numbers, codes, n))

ENCODE(to_f8e4m3, IR_F8E4M3)
ENCODE(to_f8e5m2, IR_F8E5M2)
ENCODE(to_f8e8m0, IR_F8E8M0)
ENCODE(to_f4e2m1, IR_F4E2M1)
ENCODE(to_nf4, IR_NF4)

static void encode(ir_type type, const void *numbers, uint8_t *codes, int64_t n) {
  switch (type) {
  case IR_F8E4M3:
    to_f8e4m3(numbers, codes, n);
    break;
  case IR_F8E5M2:
    to_f8e5m2(numbers, codes, n);
    break;
  case IR_F8E8M0:
    to_f8e8m0(numbers, codes, n);
    break;
  case IR_F4E2M1:
    to_f4e2m1(numbers, codes, n);
    break;
  default:
    to_nf4(numbers, codes, n);
    break;
  }
}

/* ---- a piece of elements ---- */

typedef struct conversion {
  const ir_tensor *to;
  ir_elements from; /* loaded as the type between loading and storing an element */
} conversion;

/* Returns the intermediate type of a conversion. f32 represents all elements of short types: floats except f64, and
 * integers of up to 16 bits. f64 represents those of all types except 64-bit integers, which are rounded if they become
 * low-bit floats. */
static ir_compute_type compute_type_between(ir_type from, ir_type to) {
  const uint64_t long_types = IR_SET(IR_F64) | IR_SET(IR_I32) | IR_SET(IR_U32) | IR_SET(IR_I64) | IR_SET(IR_U64);
  const bool is_short = !ir_type_in(from, long_types), is_wide = ir_type_in(from, IR_SET(IR_I64) | IR_SET(IR_U64));
  if (ir_type_in(to, IR_SET_NARROW_FLOATS))
    return IR_COMPUTE_F64;
  if (ir_type_in(from, IR_SET_ALL_FLOATS) || (ir_type_in(to, IR_SET_FLOATS) && !is_wide))
    return is_short ? IR_COMPUTE_F32 : IR_COMPUTE_F64;
  return from == IR_I4 ? IR_COMPUTE_I64 : ir_compute_type_of(from);
}

/* Stores n elements of the compute type. They are stored as u8 first if `to` is a low-bit integer, which has the low
 * bits of the u8. */
static void store(const conversion *c, int64_t begin, int64_t n, const void *elements) {
  const ir_type type = c->to->type;
  char *data = c->to->data;
  uint8_t codes[IR_PIECE];
  if (!ir_type_in(type, IR_SET_NARROW)) {
    ir_compute_store(c->from.compute, elements, type, data + (size_t)begin * ir_type_size(type), n);
    return;
  }
  if (ir_type_in(type, IR_SET_NARROW_FLOATS))
    encode(type, elements, codes, n);
  else
    ir_compute_store(c->from.compute, elements, IR_U8, codes, n);
  ir_codes_store(type, codes, begin, n, data);
}

/* Converts pieces [begin, end). Each piece starts with a pack of any type, so workers share no byte. Elements are
 * loaded into the output if that has the compute type, and another type than the input. */
static void convert(void *user, int64_t begin, int64_t end, int worker) {
  (void)worker;
  const conversion *c = user;
  const int64_t elements = ir_tensor_elements(c->to);
  const bool is_loaded_there = ir_compute_type_is(c->from.compute, c->to->type) && c->from.type != c->to->type;
  ir_piece piece;
  for (int64_t first = begin * IR_PIECE, n; begin < end; begin++, first += n) {
    n = elements - first < IR_PIECE ? elements - first : IR_PIECE;
    if (is_loaded_there)
      ir_elements_load(&c->from, first, n, (char *)c->to->data + (size_t)first * ir_type_size(c->to->type));
    else
      store(c, first, n, ir_elements_load(&c->from, first, n, &piece));
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  const ir_type from = in[0]->type, to = out[0]->type;
  conversion c = {out[0], ir_elements_of(from, in[0]->data, compute_type_between(from, to))};
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
