/* The structs behind the handles of irrun.h that several files need. */
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
  int64_t most_ns;          /* time limit of one execution; 0: none */
  unsigned skipped_passes;  /* bits of irrun_pass */
  int64_t n_models;         /* models read so far */
  const ir_diag *last_diag; /* the last result of irrun_context_get_diagnostic, so that a walk in order is fast */
  int64_t last_diag_index, last_diag_counted; /* its index, and ir_diags_counted at that time */
  char text[2048];                            /* last result of irrun_op_get_port or _attribute, or last error */
};

/* The public status of a code. */
static inline irrun_status ir_status(ir_code code) {
  return code == IR_NO_MEMORY ? IRRUN_IO : (irrun_status)code;
}

struct irrun_tensor {
  irrun_context *context;
  ir_tensor tensor;
};

/* The next functions handle a caller's struct that begins with its size (see irrun.h). `known`: size of our struct;
 * `diags` may be NULL. */
/* Reports IR801 for a size below `least` or above `known`. */
ir_code ir_check_size(ir_diags *diags, const void *given, size_t least, size_t known);
/* Copies the caller's struct into ours, up to the caller's size; the rest becomes 0. */
ir_code ir_take_struct(ir_diags *diags, const void *given, size_t least, size_t known, void *out);
/* Copies our struct into the caller's, up to its size, but keeps the size member. */
ir_code ir_give_struct(ir_diags *diags, const void *ours, size_t known, void *out);
/* Number of bytes up to the end of a member. */
#define IR_SIZE_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Reports IR801: a call is wrong, as `what` says. */
ir_code ir_report_call(irrun_context *context, const char *what);

/* Makes an empty handle; NULL when memory is out (reported). */
irrun_tensor *ir_tensor_handle(irrun_context *context);

#endif
