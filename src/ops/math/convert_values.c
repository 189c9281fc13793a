#include "ops/math/convert_values.h"
#include "narrow_types.h"
#include "ops/math/elementwise.h"
#include "ops/shape/same_elements.h"

/* Every type goes through the widest of its kind, some elements at a time. */
enum { PIECE = 256 };

/* ---- to the widest ---- */

#define AS_IT_IS(x)  (x)
#define FROM_F16(x)  ((double)ir_f16_to_f32(x))
#define FROM_BF16(x) ((double)ir_bf16_to_f32(x))
#define IS_NOT_0(x)  ((x) != 0)

IR_ELEMENTWISE_ROW(load_f32, float, double, (double))
IR_ELEMENTWISE_ROW(load_f64, double, double, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_f16, uint16_t, double, FROM_F16)
IR_ELEMENTWISE_ROW(load_bf16, uint16_t, double, FROM_BF16)
IR_ELEMENTWISE_ROW(load_i8, int8_t, int64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_i16, int16_t, int64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_i32, int32_t, int64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_i64, int64_t, int64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_u8, uint8_t, uint64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_u16, uint16_t, uint64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_u32, uint32_t, uint64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_u64, uint64_t, uint64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(load_boolean, uint8_t, uint64_t, IS_NOT_0)

/* ---- from a float ---- */

static uint64_t f64_to_u64(double value) {
  return value >= 0x1p63 && value < 0x1p64 ? (uint64_t)value : (uint64_t)ir_f64_to_i64(value);
}

#define CUT_8(x)   ((uint8_t)ir_f64_to_i32(x))
#define CUT_16(x)  ((uint16_t)ir_f64_to_i32(x))
#define CUT_U32(x) ((uint32_t)ir_f64_to_i64(x))

IR_ELEMENTWISE_ROW(f64_as_f32, double, float, (float))
IR_ELEMENTWISE_ROW(f64_as_f64, double, double, AS_IT_IS)
IR_ELEMENTWISE_ROW(f64_as_f16, double, uint16_t, ir_f64_to_f16)
IR_ELEMENTWISE_ROW(f64_as_bf16, double, uint16_t, ir_f64_to_bf16)
IR_ELEMENTWISE_ROW(f64_as_8, double, uint8_t, CUT_8)
IR_ELEMENTWISE_ROW(f64_as_16, double, uint16_t, CUT_16)
IR_ELEMENTWISE_ROW(f64_as_i32, double, int32_t, ir_f64_to_i32)
IR_ELEMENTWISE_ROW(f64_as_u32, double, uint32_t, CUT_U32)
IR_ELEMENTWISE_ROW(f64_as_i64, double, int64_t, ir_f64_to_i64)
IR_ELEMENTWISE_ROW(f64_as_u64, double, uint64_t, f64_to_u64)
IR_ELEMENTWISE_ROW(f64_as_boolean, double, uint8_t, IS_NOT_0)

/* ---- from an integer ---- */

static double odd_of_i64(int64_t value) {
  return ir_odd_double(value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

#define I64_TO_F16(x)  ir_f64_to_f16(odd_of_i64(x))
#define I64_TO_BF16(x) ir_f64_to_bf16(odd_of_i64(x))
#define U64_TO_F16(x)  ir_f64_to_f16(ir_odd_double(false, x))
#define U64_TO_BF16(x) ir_f64_to_bf16(ir_odd_double(false, x))

IR_ELEMENTWISE_ROW(i64_as_f32, int64_t, float, (float))
IR_ELEMENTWISE_ROW(i64_as_f64, int64_t, double, (double))
IR_ELEMENTWISE_ROW(i64_as_f16, int64_t, uint16_t, I64_TO_F16)
IR_ELEMENTWISE_ROW(i64_as_bf16, int64_t, uint16_t, I64_TO_BF16)
IR_ELEMENTWISE_ROW(u64_as_f32, uint64_t, float, (float))
IR_ELEMENTWISE_ROW(u64_as_f64, uint64_t, double, (double))
IR_ELEMENTWISE_ROW(u64_as_f16, uint64_t, uint16_t, U64_TO_F16)
IR_ELEMENTWISE_ROW(u64_as_bf16, uint64_t, uint16_t, U64_TO_BF16)
IR_ELEMENTWISE_ROW(bits_as_8, uint64_t, uint8_t, (uint8_t))
IR_ELEMENTWISE_ROW(bits_as_16, uint64_t, uint16_t, (uint16_t))
IR_ELEMENTWISE_ROW(bits_as_32, uint64_t, uint32_t, (uint32_t))
IR_ELEMENTWISE_ROW(bits_as_64, uint64_t, uint64_t, AS_IT_IS)
IR_ELEMENTWISE_ROW(bits_as_boolean, uint64_t, uint8_t, IS_NOT_0)

typedef struct type_rows {
  ir_elementwise_row *load, *from_float, *from_signed, *from_unsigned;
} type_rows;

static const type_rows rows[IR_TYPE_COUNT] = {
    [IR_F32] = {load_f32, f64_as_f32, i64_as_f32, u64_as_f32},
    [IR_F64] = {load_f64, f64_as_f64, i64_as_f64, u64_as_f64},
    [IR_F16] = {load_f16, f64_as_f16, i64_as_f16, u64_as_f16},
    [IR_BF16] = {load_bf16, f64_as_bf16, i64_as_bf16, u64_as_bf16},
    [IR_I8] = {load_i8, f64_as_8, bits_as_8, bits_as_8},
    [IR_I16] = {load_i16, f64_as_16, bits_as_16, bits_as_16},
    [IR_I32] = {load_i32, f64_as_i32, bits_as_32, bits_as_32},
    [IR_I64] = {load_i64, f64_as_i64, bits_as_64, bits_as_64},
    [IR_U8] = {load_u8, f64_as_8, bits_as_8, bits_as_8},
    [IR_U16] = {load_u16, f64_as_16, bits_as_16, bits_as_16},
    [IR_U32] = {load_u32, f64_as_u32, bits_as_32, bits_as_32},
    [IR_U64] = {load_u64, f64_as_u64, bits_as_64, bits_as_64},
    [IR_BOOLEAN] = {load_boolean, f64_as_boolean, bits_as_boolean, bits_as_boolean},
};

typedef struct conversion {
  ir_elementwise_row *load, *store;
} conversion;

static conversion conversion_of(ir_type from, ir_type to) {
  const type_rows *row = &rows[to];
  return (conversion){.load = rows[from].load,
                      .store = ir_type_in(from, IR_SET_FLOATS | IR_SET_NARROW_FLOATS) ? row->from_float
                               : ir_type_in(from, IR_SET_SIGNED | IR_SET(IR_I4))      ? row->from_signed
                                                                                      : row->from_unsigned};
}

typedef union elements {
  double floats[PIECE];
  int64_t integers[PIECE];
  uint64_t bits[PIECE];
} elements;

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)exec;
  const conversion *c = step->state;
  const size_t from_size = ir_type_size(in[0]->type), to_size = ir_type_size(out[0]->type);
  const unsigned char *from = in[0]->data;
  unsigned char *to = out[0]->data;
  elements piece;
  for (int64_t left = ir_tensor_elements(out[0]), n; left > 0; left -= n) {
    n = left < PIECE ? left : PIECE;
    c->load(from, &piece, n);
    c->store(&piece, to, n);
    from += (size_t)n * from_size;
    to += (size_t)n * to_size;
  }
  return IR_OK;
}

/* From a narrow type: elements are no whole bytes, and few values. */
static ir_code run_narrow(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)exec;
  const conversion *c = step->state;
  const ir_type from = in[0]->type;
  const size_t to_size = ir_type_size(out[0]->type);
  double numbers[256];
  elements piece;
  for (unsigned bits = 0; bits < 1U << ir_type_bits(from); bits++)
    numbers[bits] = ir_narrow_number(from, bits);
  for (int64_t done = 0, n, all = ir_tensor_elements(out[0]); done < all; done += n) {
    n = all - done < PIECE ? all - done : PIECE;
    for (int64_t i = 0; i < n; i++) {
      const double number = numbers[ir_narrow_bits(from, in[0]->data, done + i)];
      if (ir_type_in(from, IR_SET_NARROW_FLOATS))
        piece.floats[i] = number;
      else
        piece.integers[i] = (int64_t)number;
    }
    c->store(&piece, (unsigned char *)out[0]->data + (size_t)done * to_size, n);
  }
  return IR_OK;
}

static const ir_kernel convert_kernel = {.name = "convert", .isa = "any", .run = run};
static const ir_kernel narrow_kernel = {.name = "convert_narrow", .isa = "any", .run = run_narrow};

ir_code ir_convert_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  ir_type from = in[0]->type, to = node->outputs[0].type;
  if (!ir_type_in(from, IR_SET_STORED | IR_SET_NARROW) || !ir_type_in(to, IR_SET_STORED))
    return ir_report_no_kernel(scope, ir_node_where(scope, node), ir_type_in(to, IR_SET_STORED) ? from : to);
  if (from == to)
    return ir_same_elements_prepare(node, in, plan, scope);
  conversion *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = conversion_of(from, to);
  return ir_plan_step(plan, node, ir_type_in(from, IR_SET_NARROW) ? &narrow_kernel : &convert_kernel, state, 0);
}
