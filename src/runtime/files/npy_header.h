/* The text of a .npy header: a Python dictionary {'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 32, 32), }.
 */
#ifndef IR_NPY_HEADER_H
#define IR_NPY_HEADER_H

#include "base/shape.h"

typedef struct ir_npy_fields {
  const char *descr; /* the text between the quotes; for a list or tuple, all of it */
  size_t descr_length;
  bool column_major;
  int rank;
  int64_t dims[IR_MAX_RANK];
  size_t descr_at, shape_at; /* their offsets in the text */
} ir_npy_fields;

#define IR_NPY_FAULT 160

/* Parses keys in any order, blanks, a trailing comma, and numbers as Python 2 wrote them (3L). On failure returns
 * false, describes it in `fault`, and stores the text offset in `*out_fault_at`. */
bool ir_npy_parse_header(const char *text, size_t length, ir_npy_fields *out_fields, char fault[IR_NPY_FAULT],
                         size_t *out_fault_at);

/* Writes NumPy's text for a C-ordered array, without padding, and returns its length. */
size_t ir_npy_print_header(const char *descr, int rank, const int64_t *dims, char *buffer, size_t size);

#endif
