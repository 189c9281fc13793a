/* From inferred nodes to a plan that can be executed: lower, passes, emit. */
#ifndef IR_COMPILE_H
#define IR_COMPILE_H

#include "exec/plan_memory.h"
#include "program/program.h"

/* A slot that is bound before an execution, or read after it, and the output of the model that it stands for. */
typedef struct ir_binding {
  int32_t slot, layer, port;
} ir_binding;

/* A plan that makes the constants of another plan. */
typedef struct ir_setup {
  bool is_ready;
  ir_plan plan; /* without steps where all are there */
  ir_plan_memory place;
  int32_t *roots; /* values that it makes for others */
  size_t n_roots;
  ir_tensor *made; /* one a root: memory of its own; data NULL: it shows another value's */
} ir_setup;

typedef struct ir_compiled {
  ir_program_request request; /* a copy */
  ir_program program;
  ir_plan plan;
  ir_binding *given, *kept;
  size_t n_given, n_kept;
  int32_t *constants; /* values, which are slots of the same number, that steps read or that are kept */
  size_t n_constants;
  bool has_constants; /* they are made and bound */
  ir_setup setup;     /* else: to be executed first */
} ir_compiled;

/* Makes the program alone, as it is after the pass `until`, "lower" or, NULL, all passes. */
ir_code ir_compile_program(const ir_program_request *request, const char *until, ir_compiled *out);
/* Makes the program and its plan. Reports what cannot be run here (IR210), constants that cannot be had, and tensors
 * that take more memory than the run may (memory_limit.h). The request's lists have to live as long as the result. */
ir_code ir_compile(const ir_program_request *request, ir_compiled *out);
/* Frees what it holds; accepts one that was never made. The arena is the caller's. */
void ir_compiled_reset(ir_compiled *compiled);

/* Finds or loads the constants that are there, and plans how the others are made: setup.plan, to be executed if it has
 * steps. ir_compile calls it; it has to be called again where that failed. */
ir_code ir_setup_begin(ir_compiled *compiled);
/* After the execution; `code` says whether it failed. Keeps what was made, and binds all constants. */
ir_code ir_setup_end(ir_compiled *compiled, ir_code code);

#endif
