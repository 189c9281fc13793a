/* irrun: the state of a run: its variables, tensors that an Assign keeps for the ReadValue of the next execution. A new
 * run, and irrun_run_reset_state, gives each variable its first value. The conventions of irrun.h also hold here. */
#ifndef IRRUN_STATE_H
#define IRRUN_STATE_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A variable of the model, without those of bodies. */
typedef struct irrun_variable {
  size_t size;
  const char *id; /* the attribute variable_id */
  int64_t layer;  /* number of the first ReadValue that reads it; its output has the variable's type and shape */
  bool is_set;    /* it has a value; false: the next execution begins with its first value */
  irrun_tensor_info info; /* type and shape of the value, without `data`; valid if is_set */
} irrun_variable;

/* Gets a variable, in the order of the model's ReadValue layers. Returns false if there is no variable number `index`.
 */
IRRUN_API bool irrun_run_get_variable(irrun_run *run, int64_t index, irrun_variable *out);
/* Returns the value of a variable. It lives until the next call that executes, resets or frees the run or sets a
 * variable. NULL: the variable is not set, or memory is out (reported). Attention keeps its rows with room for more:
 * this call makes a tensor without that room, and the next execution moves it back. */
IRRUN_API const irrun_tensor *irrun_run_read_variable(irrun_run *run, int64_t index);
/* Sets the variable `id` to a copy of the tensor, and frees the tensor, also if the call fails. A failed call changes
 * no variable. Messages name the tensor's origin, `file`. IR502: there is no such variable. IR503, IR504: the model
 * states another shape or type for the variable. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_set_variable(irrun_run *run, const char *id, irrun_tensor *tensor,
                                                              const char *file);

#ifdef __cplusplus
}
#endif

#endif
