/* If the precision of a run is bf16 or f16, its products multiply 16-bit floats. The pass "fuse" converts the operands;
 * sums and all other operations stay in f32. */
#ifndef IR_HALVES_H
#define IR_HALVES_H

#include "program/program.h"

typedef struct ir_halves {
  ir_program *program;
  ir_type type;     /* IR_BF16 or IR_F16; IR_F32: no product takes 16 bits */
  size_t n_values;  /* values that were there before the pass */
  bool *fits;       /* one per such value: only products read it, so that it can have 16 bits */
  int32_t *copy_of; /* one per such value: its copy in 16 bits; -1: there is none yet */
} ir_halves;

/* Finds the values that can have 16 bits. */
ir_code ir_halves_begin(ir_program *program, ir_halves *out);
/* Whether the value is stored in 16 bits if a product of 16-bit floats computes it. */
static inline bool ir_halves_fit(const ir_halves *halves, int32_t value) {
  return halves->type != IR_F32 && (size_t)value < halves->n_values && halves->fits[value];
}
/* Sets the value's type to 16 bits. */
void ir_halves_store(const ir_halves *halves, int32_t value);
/* Returns the operand of a product in 16 bits. If the value has or gets 16 bits, returns the value itself, else its
 * conversion, an operation behind the value's producer. -1 when memory is out (reported). */
int32_t ir_halves_operand(ir_halves *halves, int32_t value);
/* Makes operations that only move elements move 16 bits, and converts values back for operations that need f32. */
ir_code ir_halves_end(ir_halves *halves);

#endif
