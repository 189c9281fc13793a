/* Parses the numbers of command line options. */
#ifndef IR_NUMBER_READ_H
#define IR_NUMBER_READ_H

#include "base/tensor.h"
#include "diag/diag.h"

/* Length of the decimal number at the start of `text`, 0 if there is none. The number in "1..2" has the length 1. */
size_t ir_number_length(const char *text);
/* Parses a number of digits only. False if there is another character, or the number does not fit 64 bits. */
bool ir_read_digits(const char *text, size_t length, uint64_t *out);
/* Parses a number. An integer of 64 bits stays exact; any other number becomes a float. Reports IR801 if the float
 * overflows a double; the message begins with `what`. */
ir_code ir_read_number(ir_diags *diags, const char *what, const char *text, size_t length, ir_number *out);
/* Parses "nan", "inf" and "-inf"; false for anything else. */
bool ir_read_number_word(const char *text, size_t length, ir_number *out);

#endif
