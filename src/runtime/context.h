/* Defines structs of irrun.h that several source files use: irrun_context and irrun_tensor. Callers have only pointers
 * to them. */
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
  ir_type precision;        /* of products in runs that are planned later: f32, bf16 or f16 */
  int64_t most_ns;          /* time limit of one execution in nanoseconds; 0: no limit */
  unsigned skipped_passes;  /* set of irrun_pass bits; programs are made without these passes */
  bool embeds_preprocess;   /* <pre-process> of old IRs becomes part of the models that are read */
  int64_t n_models;         /* number of models read so far */
  const ir_diag *last_diag; /* last result of irrun_context_get_diagnostic; the next search can start here */
  int64_t last_diag_index, last_diag_counted; /* index of last_diag, and ir_diags_counted at its look-up */
  char text[2048]; /* text that irrun_op_get_port, irrun_op_get_attribute or irrun_context_last_error returned */
};

/* Converts a code to its public status; IR_NO_MEMORY becomes IRRUN_IO. */
static inline irrun_status ir_status(ir_code code) {
  return code == IR_NO_MEMORY ? IRRUN_IO : (irrun_status)code;
}

struct irrun_tensor {
  irrun_context *context;
  ir_tensor tensor;
};

/* The next three functions take a struct of the caller, which begins with its size (see irrun.h). `known` is the size
 * of irrun's own struct, the largest size allowed. If `diags` is NULL, they report nothing. */
/* Returns IR_USAGE and reports IR801 if the size is below `least` or above `known`. */
ir_code ir_check_size(ir_diags *diags, const void *given, size_t least, size_t known);
/* Copies the caller's struct `given` to `out`, a struct of `known` bytes. Members beyond the caller's size become 0. */
ir_code ir_take_struct(ir_diags *diags, const void *given, size_t least, size_t known, void *out);
/* Copies `ours` to the caller's struct `out`, up to the size that `out` begins with. Keeps that size member. */
ir_code ir_give_struct(ir_diags *diags, const void *ours, size_t known, void *out);
/* Number of bytes from the start of `type` to the end of `member`. */
#define IR_SIZE_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* Reports IR801, a wrong call of a public function, with the message `what`. */
ir_code ir_report_call(irrun_context *context, const char *what);

/* Allocates a handle with an empty tensor. If memory is out, reports IR703 and returns NULL. */
irrun_tensor *ir_tensor_handle(irrun_context *context);

#endif
