/* One op of up to six inputs as a model of its own, of whose outputs the first is read, written as IR files, read and
 * run through irrun.h.
 */
#ifndef OP_MODEL_H
#define OP_MODEL_H

#include "base/dtype.h"
#include "model_run.h"

typedef struct op_input {
  ir_type type;
  int rank;
  int64_t dims[IRRUN_MAX_RANK];
  const void *data; /* elements of the type, row-major */
  bool constant;    /* a Const; else a Parameter */
  bool open;        /* the Parameter's sizes stand in the tensor alone */
} op_input;

typedef struct op_model {
  const char *type;
  int opset;        /* 0: opset1 */
  const char *data; /* the attributes of <data>; NULL: none */
  int n_inputs;
  op_input inputs[6];
  int n_outputs; /* 0: one */
  int threads;   /* 0: the default */
  bool plain;    /* by plain kernels alone */
} op_model;

/* `values` is the output. Undone by model_run_end. */
model_run op_model_run(const op_model *c);

#endif
