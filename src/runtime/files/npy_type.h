/* Converts element types to and from NumPy's dtype strings ("descr"), which .npy files use. */
#ifndef IR_NPY_TYPE_H
#define IR_NPY_TYPE_H

#include "base/dtype.h"

/* Parses a descr such as "<f4", ">f4", "f4" or "|u1", a type's NumPy name ("float32") or its letter ("f"). False if it
 * is no type of an IR. Sets `*out_swapped` if the bytes need swapping. "V2" is bf16 and "V1" an 8-bit float if `wanted`
 * is that type. "V2" with a mark of the other byte order is refused, because NumPy records no byte order of V2. */
bool ir_npy_type_from_descr(const char *descr, size_t length, ir_type wanted, ir_type *out_type, bool *out_swapped);
/* Whether the descr is "V2", with or without a byte order mark: NumPy saves bfloat16 as "<V2". Sets `*out_swapped` if
 * the mark differs from this machine's byte order. */
bool ir_npy_descr_is_bf16(const char *descr, size_t length, bool *out_swapped);
/* Describes the elements of an unsupported descr for messages: "complex numbers". */
const char *ir_npy_descr_meaning(const char *descr, size_t length);
/* The little-endian descr of a type; NULL if elements of the type share bytes. */
const char *ir_npy_descr(ir_type type);

#endif
