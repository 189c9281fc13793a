/* Parses numbers and dims in the spelling of model files. */
#ifndef IR_NUMBER_TEXT_H
#define IR_NUMBER_TEXT_H

#include "base/shape.h"

typedef enum ir_number_fault { IR_NUMBER_OK, IR_NUMBER_UNREADABLE, IR_NUMBER_TOO_LARGE } ir_number_fault;
/* Value of a hexadecimal digit, 0 to 15; -1 for other characters. */
int ir_hex_digit(char c);
/* Parses an integer: digits, optionally after `-`, and no other characters. */
ir_number_fault ir_text_number(const char *text, size_t length, int64_t *out);

/* Parses the whole text as a float. Accepts what strtod accepts in the C locale, apart from leading blanks: decimal
 * and hexadecimal numbers, inf, nan. Returns false for other texts. */
bool ir_text_double(const char *text, size_t length, double *out);

typedef enum ir_dim_fault {
  IR_DIM_OK,
  IR_DIM_UNREADABLE,
  IR_DIM_NEGATIVE,
  IR_DIM_REVERSED, /* the lower bound is above the upper one */
  IR_DIM_TOO_LARGE
} ir_dim_fault;
/* The spellings of a dim that are accepted. */
typedef enum ir_dim_spelling {
  IR_DIM_NUMBER,  /* digits only */
  IR_DIM_IN_PORT, /* also -1 (any size), a..b and a.. */
  IR_DIM_IN_SHAPE /* also `?` (any size) and ..b */
} ir_dim_spelling;
ir_dim_fault ir_text_dim(const char *text, size_t length, ir_dim_spelling spelling, ir_dim *out);

#endif
