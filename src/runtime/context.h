/* What stands behind the handles of irrun.h that more than one file needs. */
#ifndef IR_CONTEXT_H
#define IR_CONTEXT_H

#include "base/tensor.h"
#include "diag/diag.h"
#include "exec/workers.h"
#include "irrun_program.h"

struct irrun_context {
  ir_memory memory;
  ir_diags diags;
  ir_workers workers;
  irrun_kernels kernels;
  int64_t most_ns;          /* that one execution may take; 0: any time */
  unsigned skipped_passes;  /* bits of irrun_pass */
  int64_t n_models;         /* read so far */
  const ir_diag *last_diag; /* that irrun_context_get_diagnostic gave, so that a walk in order is fast */
  int64_t last_diag_index, last_diag_counted; /* of ir_diags_counted */
  char text[2048];                            /* of the last irrun_op_get_port or _attribute, or the last error */
};

/* The public status of a code. */
static inline irrun_status ir_status(ir_code code) {
  return code == IR_NO_MEMORY ? IRRUN_IO : (irrun_status)code;
}

struct irrun_tensor {
  irrun_context *context;
  ir_tensor tensor;
};

/* For structs of the caller that begin with their size, as irrun.h has it; `known` is ours, and `diags` may be NULL. */
/* IR801 for a size below `least` or above `known`. */
ir_code ir_check_size(ir_diags *diags, const void *given, size_t least, size_t known);
/* Reads the caller's into ours, as far as it reaches; the rest is 0. */
ir_code ir_take_struct(ir_diags *diags, const void *given, size_t least, size_t known, void *out);
/* Writes ours into the caller's, but for the size, as far as that reaches. */
ir_code ir_give_struct(ir_diags *diags, const void *ours, size_t known, void *out);
/* Bytes up to the end of a member. */
#define IR_SIZE_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* IR801: a call is wrong, as `what` says. */
ir_code ir_report_call(irrun_context *context, const char *what);

/* An empty handle; NULL when memory is out (reported). */
irrun_tensor *ir_tensor_handle(irrun_context *context);

#endif
