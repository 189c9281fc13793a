/* Compiles inferred nodes into an executable plan: lower, run the passes, emit. */
#ifndef IR_COMPILE_H
#define IR_COMPILE_H

#include "exec/plan_memory.h"
#include "program/program.h"

/* A slot that the caller binds before an execution or reads after the execution, and the model output in that slot. */
typedef struct ir_binding {
  int32_t slot, layer, port;
} ir_binding;

/* A constant that a plan reads and that nobody has computed yet. */
typedef struct ir_missing_constant {
  ir_constant_key key;
  bool is_local;                /* it belongs to the plan that reads it, not to the model */
  int32_t slot;                 /* in the plan that reads it */
  int32_t setup_slot;           /* in the plan that computes it */
  const ir_made_constant *made; /* its step; NULL: operations of the program compute it */
  ir_tensor memory;             /* data NULL: the constant is a view of another tensor */
} ir_missing_constant;

/* The plan that computes the missing constants of another plan. */
typedef struct ir_setup {
  bool is_ready;
  ir_plan plan; /* has no steps if no constant is missing */
  ir_plan_memory place;
  ir_missing_constant *missing;
  size_t n_missing;
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
  ir_setup setup;     /* if has_constants is false: setup.plan must be executed first */
} ir_compiled;

/* Makes only the program, up to the pass `until`. "lower": no pass runs; NULL: all passes run. */
ir_code ir_compile_program(const ir_program_request *request, const char *until, ir_compiled *out);
/* Makes the program and its plan. Reports layers that irrun does not run (IR210), constants that cannot be read, and
 * tensors that exceed the memory limit of the run (memory_limit.h). The request's `layers` and `kept` have to outlive
 * the result. */
ir_code ir_compile(const ir_program_request *request, ir_compiled *out);
/* Frees the members; accepts a struct that was never filled. The caller owns the arena. */
void ir_compiled_reset(ir_compiled *compiled);

/* Finds or loads the existing constants and plans how to compute the others: setup.plan, to be executed if it has
 * steps. ir_compile calls this. The caller has to call it again after an ir_setup_end with a failure. */
ir_code ir_setup_begin(ir_compiled *compiled);
/* Call this after executing setup.plan; `code` is the result of that execution. Keeps the computed constants and binds
 * all. */
ir_code ir_setup_end(ir_compiled *compiled, ir_code code);

#endif
