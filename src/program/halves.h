/* Products of 16-bit floats, if the precision of the run is bf16 or f16: the pass "fuse" converts their operands. The
 * sums, and all other operations, stay in f32. */
#ifndef IR_HALVES_H
#define IR_HALVES_H

#include "program/program.h"

typedef struct ir_halves {
  ir_program *program;
  ir_type type;     /* IR_BF16 or IR_F16; IR_F32: no product takes 16 bits */
  size_t n_values;  /* values that were there before the pass */
  bool *fits;       /* one per such value: it can have 16 bits, because products alone read its elements */
  int32_t *copy_of; /* one per such value: the value in 16 bits; -1: nothing has needed it */
} ir_halves;

/* Finds the values that can have 16 bits. */
ir_code ir_halves_begin(ir_program *program, ir_halves *out);
/* Whether the value is stored in 16 bits if a product of 16-bit floats computes it. */
static inline bool ir_halves_fit(const ir_halves *halves, int32_t value) {
  return halves->type != IR_F32 && (size_t)value < halves->n_values && halves->fits[value];
}
/* Sets the value's type to 16 bits. */
void ir_halves_store(const ir_halves *halves, int32_t value);
/* Returns an operand of a product in 16 bits: the value itself, if it gets them, else its conversion, which stands
 * behind the value's producer. -1 when memory is out (reported). */
int32_t ir_halves_operand(ir_halves *halves, int32_t value);
/* Makes operations that only move elements move 16 bits, and converts values back for operations that need f32. */
ir_code ir_halves_end(ir_halves *halves);

#endif
