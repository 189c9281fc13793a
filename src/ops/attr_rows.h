/* Macros for short schema rows. Most attributes of detection and sorting ops are only checked, because no shape
 * depends on them. They share the fields of ir_other_attrs. */
#ifndef IR_ATTR_ROWS_H
#define IR_ATTR_ROWS_H

#include "ops/op.h"

typedef struct ir_other_attrs {
  int64_t number[4];
  double real[5];
  ir_ints numbers[1];
  ir_floats reals[2];
  bool flag[5];
  int word[2];
} ir_other_attrs;

/* `field` is offsetof(the params, the field). Further arguments set more members of the row: .required = true,
 * .fallback = "0". */
#define IR_INT_ROW(text, field, least, most, ...)                                                                      \
  { .name = text, .kind = IR_ATTR_INT, .offset = field, .min = least, .max = most, __VA_ARGS__ }
#define IR_FLOAT_ROW(text, field, ...)                                                                                 \
  { .name = text, .kind = IR_ATTR_FLOAT, .offset = field, __VA_ARGS__ }
#define IR_FLOATS_ROW(text, field, ...)                                                                                \
  { .name = text, .kind = IR_ATTR_FLOAT, .count = IR_COUNT_ANY, .offset = field, __VA_ARGS__ }
#define IR_INTS_ROW(text, field, least, most, ...)                                                                     \
  { .name = text, .kind = IR_ATTR_INT, .count = IR_COUNT_ANY, .offset = field, .min = least, .max = most, __VA_ARGS__ }
#define IR_BOOL_ROW(text, field, default_text)                                                                         \
  { .name = text, .kind = IR_ATTR_BOOL, .offset = field, .fallback = default_text }
#define IR_ENUM_ROW(text, field, words, ...)                                                                           \
  { .name = text, .kind = IR_ATTR_ENUM, .offset = field, .names = words, __VA_ARGS__ }

/* Macros for rows of ports. */
#define IR_PORT(port, var, set, rank)                                                                                  \
  { .name = port, .type_var = var, .types = set, .rank_min = rank, .rank_max = rank }
#define IR_PORT_RANKS(port, var, set, least, most)                                                                     \
  { .name = port, .type_var = var, .types = set, .rank_min = least, .rank_max = most }

#endif
