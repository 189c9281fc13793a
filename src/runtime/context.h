/* What stands behind the handles of irrun.h that more than one file needs. */
#ifndef IR_CONTEXT_H
#define IR_CONTEXT_H

#include "diag.h"
#include "irrun_program.h"
#include "runtime/run/workers.h"
#include "tensor.h"

struct irrun_context {
  ir_memory memory;
  ir_diags diags;
  ir_workers workers;
  int64_t n_models;                           /* read so far */
  const ir_diag *last_diag;                   /* that irrun_get_diagnostic gave, so that a walk in order is fast */
  int64_t last_diag_index, last_diag_counted; /* of ir_diags_counted */
  char text[2048];                            /* of the last irrun_get_op_port or _attribute */
};

struct irrun_tensor {
  irrun_context *context;
  ir_tensor tensor;
};

/* An empty handle; NULL when memory is out (reported). */
irrun_tensor *ir_tensor_handle(irrun_context *context);

#endif
