/* The passes over a program. Each takes a program that ir_program_check accepts and leaves one. */
#ifndef IR_PASSES_H
#define IR_PASSES_H

#include "program/program.h"

typedef struct ir_pass {
  const char *name;
  const char *counts; /* what irrun_run_pass_count counts */
  bool is_for_fast;   /* it is run where the fast module computes contractions */
  bool has_a_core;    /* it is run where it is skipped, too: without it there would be no contractions */
  ir_code (*run)(ir_program *program, int64_t *count);
} ir_pass;

/* In the order in which they are run; name NULL behind the last. Bit i of `skipped_passes` stands for pass i. */
extern const ir_pass ir_passes[];

/* Runs all passes that are not skipped. `until`: no pass behind that one, "lower": none; NULL: all. */
ir_code ir_program_run_passes(ir_program *program, const char *until);

/* layout.c: copies tensors where they are wanted in another layout than they lie in. */
ir_code ir_program_insert_copies(ir_program *program);

ir_code ir_pass_fold(ir_program *program, int64_t *count);
ir_code ir_pass_widen(ir_program *program, int64_t *count);
ir_code ir_pass_fuse(ir_program *program, int64_t *count);
ir_code ir_pass_layout(ir_program *program, int64_t *count);

#endif
