/* Numbers of the command line. */
#ifndef IR_NUMBER_READ_H
#define IR_NUMBER_READ_H

#include "base/tensor.h"
#include "diag/diag.h"

/* Length of a decimal number at the start of `text`, 0 when there is none. In "1..2" it is that of "1". */
size_t ir_number_length(const char *text);
/* Of digits alone; false when it does not fit. */
bool ir_read_digits(const char *text, size_t length, uint64_t *out);
/* As an integer where it is written as one, so that all 64 bits are kept. A float that no type holds is IR801, which
 * begins with `what`. */
ir_code ir_read_number(ir_diags *diags, const char *what, const char *text, size_t length, ir_number *out);
/* "nan", "inf" and "-inf"; false for anything else. */
bool ir_read_number_word(const char *text, size_t length, ir_number *out);

#endif
