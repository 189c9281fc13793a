#include "ops/kernels/element_loads.h"
#include "base/low_bit_types.h"
#include "base/shape.h"
#include "ops/kernels/isa.h"
#include <string.h>

/* ---- codes ---- */

/* A pack is the fewest elements that fill whole bytes, such as 8 of u3. A code is one element in a byte of its own, in
 * the low bits. unpack_row copies `packs` packs to codes; pack_row copies them back. */
typedef void unpack_row(const unsigned char *data, uint8_t *codes, int64_t packs);
typedef void pack_row(const uint8_t *codes, unsigned char *data, int64_t packs);

typedef struct packing {
  int elements, bytes; /* elements and bytes of a pack */
  unpack_row *unpack;
  pack_row *pack;
} packing;

/* Defines packing_##name, for the types that are packed like `type`: a pack has `n` elements and `n_bytes` bytes. */
#define PACKING(name, type, n, n_bytes)                                                                                \
  IR_LOOP void unpack_##name##_loop(const unsigned char *data, uint8_t *codes, int64_t packs) {                        \
    for (int64_t i = 0; i < packs; i++)                                                                                \
      for (int j = 0; j < (n); j++)                                                                                    \
        codes[i * (n) + j] = (uint8_t)ir_narrow_bits(type, data + i * (n_bytes), j);                                   \
  }                                                                                                                    \
  IR_EACH_ISA(unpack_##name, (const unsigned char *data, uint8_t *codes, int64_t packs), (data, codes, packs))         \
  IR_LOOP void pack_##name##_loop(const uint8_t *codes, unsigned char *data, int64_t packs) {                          \
    for (int64_t i = 0; i < packs; i++) {                                                                              \
      unsigned char pack[n_bytes] = {0};                                                                               \
      for (int j = 0; j < (n); j++)                                                                                    \
        ir_narrow_set_bits(type, pack, j, codes[i * (n) + j]);                                                         \
      for (int j = 0; j < (n_bytes); j++)                                                                              \
        data[i * (n_bytes) + j] = pack[j];                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(pack_##name, (const uint8_t *codes, unsigned char *data, int64_t packs), (codes, data, packs))           \
  static const packing packing_##name = {n, n_bytes, unpack_##name, pack_##name};

PACKING(1, IR_U1, 8, 1)
PACKING(2, IR_U2, 4, 1)
PACKING(3, IR_U3, 8, 3)
PACKING(4, IR_U4, 2, 1)
PACKING(6, IR_U6, 4, 3)
PACKING(8, IR_F8E4M3, 1, 1)

static const packing *packing_of(ir_type type) {
  static const packing *const packings[] = {
      [1] = &packing_1, [2] = &packing_2, [3] = &packing_3, [4] = &packing_4, [6] = &packing_6, [8] = &packing_8};
  return packings[ir_type_bits(type)];
}

/* Looks up the numbers of n codes of 4 bits, two at a time. An instruction that gathers numbers is slower than one load
 * after the other, so the loop is not compiled for instruction sets that have it. */
static void decode_pairs(const uint8_t *pairs, const float *numbers, float *out, int64_t n) {
  for (int64_t i = 0; i < n / 2; i++)
    memcpy(out + 2 * i, numbers + 2 * pairs[i], 2 * sizeof *out);
  if (n % 2 != 0)
    out[n - 1] = numbers[2 * pairs[n / 2]];
}

IR_LOOP void decode_e4m3_loop(const int8_t *codes, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    out[i] = ir_f8e4m3_moved((uint32_t)codes[i] << 20);
}
IR_LOOP void decode_e5m2_loop(const int8_t *codes, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    out[i] = ir_f8e5m2_moved((uint32_t)codes[i] << 21);
}
IR_EACH_ISA(decode_e4m3, (const int8_t *codes, float *out, int64_t n), (codes, out, n))
IR_EACH_ISA(decode_e5m2, (const int8_t *codes, float *out, int64_t n), (codes, out, n))

/* Decodes a power of 2. Code 0 is 2^-127, a subnormal number, and code 255 is NaN. */
IR_LOOP void decode_e8m0_loop(const uint8_t *codes, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    const uint32_t code = codes[i], mantissa = (code == 0) | (code == 255);
    out[i] = ir_f32_of_bits(code << 23 | mantissa << 22);
  }
}
IR_EACH_ISA(decode_e8m0, (const uint8_t *codes, float *out, int64_t n), (codes, out, n))

/* Decodes n elements from the first of a pack on. */
static void decode(const ir_elements *elements, int64_t begin, float *out, int64_t n) {
  const uint8_t *codes = elements->data;
  if (elements->type == IR_F8E4M3)
    decode_e4m3((const int8_t *)codes + begin, out, n);
  else if (elements->type == IR_F8E5M2)
    decode_e5m2((const int8_t *)codes + begin, out, n);
  else if (elements->type == IR_F8E8M0)
    decode_e8m0(codes + begin, out, n);
  else
    decode_pairs(codes + begin / 2, elements->numbers, out, n);
}

void ir_codes_load(ir_type type, const void *data, int64_t begin, int64_t n, uint8_t *codes) {
  const packing *packed = packing_of(type);
  packed->unpack((const unsigned char *)data + begin / packed->elements * packed->bytes, codes,
                 ir_ceil_div(n, packed->elements));
}

void ir_codes_store(ir_type type, uint8_t *codes, int64_t begin, int64_t n, void *data) {
  const packing *packed = packing_of(type);
  const int64_t packs = ir_ceil_div(n, packed->elements);
  for (int64_t i = n; i < packs * packed->elements; i++)
    codes[i] = 0; /* bits after the last element */
  packed->pack(codes, (unsigned char *)data + begin / packed->elements * packed->bytes, packs);
}

/* ---- numbers ---- */

ir_elements ir_elements_of(ir_type type, const void *data, ir_compute_type compute) {
  ir_elements elements = {.type = type, .compute = compute, .data = data};
  for (unsigned i = 0; i < 512 && ir_type_in(type, IR_SET(IR_NF4) | IR_SET(IR_F4E2M1)); i++)
    elements.numbers[i] = (float)ir_narrow_number(type, i % 2 == 0 ? i / 2 & 15 : i / 32);
  return elements;
}

const void *ir_elements_load(const ir_elements *elements, int64_t begin, int64_t n, void *out) {
  const ir_type type = elements->type;
  const ir_compute_type compute = elements->compute;
  const char *from = (const char *)elements->data + (size_t)begin * ir_type_size(type);
  uint8_t codes[IR_PIECE];
  if (ir_compute_type_is(compute, type))
    return from;
  if (!ir_type_in(type, IR_SET_NARROW)) {
    ir_compute_load(type, from, compute, out, n);
    return out;
  }
  if (ir_type_in(type, IR_SET_NARROW_FLOATS)) {
    float numbers[IR_PIECE];
    decode(elements, begin, compute == IR_COMPUTE_F32 ? out : numbers, n);
    if (compute != IR_COMPUTE_F32)
      ir_compute_load(IR_F32, numbers, compute, out, n);
    return out;
  }
  ir_codes_load(type, elements->data, begin, n, codes);
  for (int64_t i = 0; type == IR_I4 && i < n; i++)
    codes[i] = (uint8_t)((codes[i] ^ 8) - 8);
  ir_compute_load(type == IR_I4 ? IR_I8 : IR_U8, codes, compute, out, n);
  return out;
}
