/* Element types as .npy files name them: NumPy's dtype strings. */
#ifndef IR_NPY_TYPE_H
#define IR_NPY_TYPE_H

#include "base/dtype.h"

/* Reads a descr such as "<f4": also without or with another byte order ("f4", ">f4", "=f4", "|u1"), and by NumPy's
 * names
 * ("float32") and letters ("f"). Two bytes without a type ("<V2") are bf16 where `wanted` is, but not in the other byte
 * order, which NumPy does not know of them; one such byte is f8e4m3, f8e5m2 or f8e8m0. `*out_swapped`: the bytes are
 * not in this machine's order. False when it is no type of an IR. */
bool ir_npy_type_from_descr(const char *descr, size_t length, ir_type wanted, ir_type *out_type, bool *out_swapped);
/* True for "<V2" and its like, as NumPy saves bfloat16. `*out_swapped`: in the other byte order. */
bool ir_npy_descr_is_bf16(const char *descr, size_t length, bool *out_swapped);
/* What elements of an unsupported descr are, for messages: "complex numbers". */
const char *ir_npy_descr_meaning(const char *descr, size_t length);
/* The descr that is written for a type, little-endian; NULL for one whose elements share bytes. */
const char *ir_npy_descr(ir_type type);

#endif
