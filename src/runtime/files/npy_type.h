/* Element types as .npy files name them: NumPy's dtype strings. */
#ifndef IR_NPY_TYPE_H
#define IR_NPY_TYPE_H

#include "base/dtype.h"

/* Parses a descr such as "<f4", also without or with another byte order ("f4", ">f4", "=f4", "|u1"), and NumPy's names
 * ("float32") and letters ("f"). Two bytes without a type ("<V2") are bf16 if `wanted` is, but only in this byte order:
 * NumPy does not record the order of V2. One byte without a type is f8e4m3, f8e5m2 or f8e8m0. `*out_swapped`: the bytes
 * need swapping. False if it is no type of an IR. */
bool ir_npy_type_from_descr(const char *descr, size_t length, ir_type wanted, ir_type *out_type, bool *out_swapped);
/* Whether the descr is "<V2" or similar, as NumPy saves bfloat16. `*out_swapped`: its byte order is the other one. */
bool ir_npy_descr_is_bf16(const char *descr, size_t length, bool *out_swapped);
/* Describes elements of an unsupported descr for messages: "complex numbers". */
const char *ir_npy_descr_meaning(const char *descr, size_t length);
/* The little-endian descr to write for a type; NULL if its elements share bytes. */
const char *ir_npy_descr(ir_type type);

#endif
