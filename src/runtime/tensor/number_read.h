/* Parses numbers of the command line. */
#ifndef IR_NUMBER_READ_H
#define IR_NUMBER_READ_H

#include "base/tensor.h"
#include "diag/diag.h"

/* Length of the decimal number at the start of `text`, 0 if there is none. In "1..2" it is the length of "1". */
size_t ir_number_length(const char *text);
/* Parses digits only; false if the number does not fit. */
bool ir_read_digits(const char *text, size_t length, uint64_t *out);
/* Parses an integer if it is written as one, so that all 64 bits are kept, else a float. Reports IR801, beginning with
 * `what`, for a float that no type can represent. */
ir_code ir_read_number(ir_diags *diags, const char *what, const char *text, size_t length, ir_number *out);
/* Parses "nan", "inf" and "-inf"; false for anything else. */
bool ir_read_number_word(const char *text, size_t length, ir_number *out);

#endif
