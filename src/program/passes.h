/* The passes over a program. Each requires and preserves what ir_program_check checks. */
#ifndef IR_PASSES_H
#define IR_PASSES_H

#include "program/program.h"

typedef enum ir_pass_when {
  IR_PASS_ALWAYS,
  IR_PASS_UNLESS_PLAIN, /* the pass runs unless plain kernels were asked for */
  IR_PASS_IF_FAST       /* the pass runs only if the fast module computes contractions */
} ir_pass_when;

typedef struct ir_pass {
  const char *name;
  const char *counts; /* the counter's name in irrun_run_pass_count */
  ir_pass_when when;
  bool has_a_core; /* a part of the pass runs even if it is skipped: without it there would be no contractions */
  ir_code (*run)(ir_program *program, int64_t *count);
} ir_pass;

/* The passes in running order; the last item has name NULL. Pass i is bit i of irrun_pass. */
extern const ir_pass ir_passes[];

/* Runs the passes that are not skipped, up to and including `until`; "lower": none; NULL: all. */
ir_code ir_program_run_passes(ir_program *program, const char *until);

/* pass_layout.c: inserts relayouts where an operation needs another layout than its input has. */
ir_code ir_program_insert_copies(ir_program *program);

ir_code ir_pass_fold(ir_program *program, int64_t *count);
ir_code ir_pass_widen(ir_program *program, int64_t *count);
ir_code ir_pass_quantize(ir_program *program, int64_t *count);
ir_code ir_pass_pack(ir_program *program, int64_t *count);
ir_code ir_pass_fuse(ir_program *program, int64_t *count);
ir_code ir_pass_layout(ir_program *program, int64_t *count);

#endif
