/* Compiles inferred nodes into an executable plan: lower, run the passes, emit. */
#ifndef IR_COMPILE_H
#define IR_COMPILE_H

#include "exec/plan_memory.h"
#include "program/program.h"

/* A slot that the caller binds before an execution or reads after it, and the model output that it holds. */
typedef struct ir_binding {
  int32_t slot, layer, port;
} ir_binding;

/* The plan that computes the constants of another plan. */
typedef struct ir_setup {
  bool is_ready;
  ir_plan plan; /* has no steps if all constants exist already */
  ir_plan_memory place;
  int32_t *roots; /* values that this plan computes for the other one */
  size_t n_roots;
  ir_tensor *made; /* one per root: its own memory; data NULL: it is a view of another value */
} ir_setup;

typedef struct ir_compiled {
  ir_program_request request; /* a copy */
  ir_program program;
  ir_plan plan;
  ir_binding *given, *kept;
  size_t n_given, n_kept;
  int32_t *constants; /* constant values that steps read or that are kept; a value's slot has the same number */
  size_t n_constants;
  bool has_constants; /* the constants are made and bound */
  ir_setup setup;     /* must be executed first, unless has_constants */
} ir_compiled;

/* Makes the program alone, as it is after the pass `until`, "lower" or, NULL, all passes. */
ir_code ir_compile_program(const ir_program_request *request, const char *until, ir_compiled *out);
/* Makes the program and its plan. Reports layers that irrun does not run (IR210), constants that cannot be read, and
 * tensors that exceed the memory limit of the run (memory_limit.h). The request's lists have to outlive the result. */
ir_code ir_compile(const ir_program_request *request, ir_compiled *out);
/* Frees the members; accepts a struct that was never filled. The caller owns the arena. */
void ir_compiled_reset(ir_compiled *compiled);

/* Finds or loads the existing constants and plans how to compute the others: setup.plan, to be executed if it has
 * steps. ir_compile calls this; the caller has to call it again if that call failed. */
ir_code ir_setup_begin(ir_compiled *compiled);
/* Call this after executing setup.plan; `code` is the result of that execution. Keeps the computed constants and binds
 * all. */
ir_code ir_setup_end(ir_compiled *compiled, ir_code code);

#endif
