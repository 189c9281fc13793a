/* Numbers and dims as model files spell them. */
#ifndef IR_NUMBER_TEXT_H
#define IR_NUMBER_TEXT_H

#include "base/shape.h"

typedef enum ir_number_fault { IR_NUMBER_OK, IR_NUMBER_UNREADABLE, IR_NUMBER_TOO_LARGE } ir_number_fault;
/* 0 to 15, or -1. */
int ir_hex_digit(char c);
/* `-`? digits, and nothing else. */
ir_number_fault ir_text_number(const char *text, size_t length, int64_t *out);

/* All of a float as strtod reads it in the C locale: decimal or hexadecimal, inf, nan. False for any other text. */
bool ir_text_double(const char *text, size_t length, double *out);

typedef enum ir_dim_fault {
  IR_DIM_OK,
  IR_DIM_UNREADABLE,
  IR_DIM_NEGATIVE,
  IR_DIM_REVERSED, /* a lower bound above the upper one */
  IR_DIM_TOO_LARGE
} ir_dim_fault;
/* What a dim may be where it stands. */
typedef enum ir_dim_spelling {
  IR_DIM_NUMBER,  /* digits, and nothing else */
  IR_DIM_IN_PORT, /* also -1 for any size, a..b and a.. */
  IR_DIM_IN_SHAPE /* also `?` and ..b */
} ir_dim_spelling;
ir_dim_fault ir_text_dim(const char *text, size_t length, ir_dim_spelling spelling, ir_dim *out);

#endif
