/* Parses and prints the text of a .npy header, a Python dictionary such as {'descr': '<f4', 'fortran_order': False,
 * 'shape': (1, 3), }. */
#ifndef IR_NPY_HEADER_H
#define IR_NPY_HEADER_H

#include "base/shape.h"

typedef struct ir_npy_fields {
  const char *descr; /* the type: text between its quotes, or a list or tuple with its brackets */
  size_t descr_length;
  bool column_major;
  int rank;
  int64_t dims[IR_MAX_RANK];
  size_t descr_at, shape_at; /* offsets of the values of 'descr' and 'shape' in the text */
} ir_npy_fields;

#define IR_NPY_FAULT 160

/* Accepts keys in any order, blanks, a trailing comma, and numbers of Python 2 (3L). If the text is malformed, returns
 * false, and sets a message in `fault` and its offset in `*out_fault_at`. */
bool ir_npy_parse_header(const char *text, size_t length, ir_npy_fields *out_fields, char fault[IR_NPY_FAULT],
                         size_t *out_fault_at);

/* Writes the same text as NumPy for a row-major array, without padding, and returns its length. */
size_t ir_npy_print_header(const char *descr, int rank, const int64_t *dims, char *buffer, size_t size);

#endif
