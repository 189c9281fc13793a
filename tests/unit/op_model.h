/* Runs an op with up to six inputs as a model in IR files, through irrun.h. One of its outputs is read. */
#ifndef OP_MODEL_H
#define OP_MODEL_H

#include "base/dtype.h"
#include "model_run.h"

typedef struct op_input {
  ir_type type;
  int rank;
  int64_t dims[IRRUN_MAX_RANK];
  const void *data; /* row-major elements */
  bool constant;    /* whether the input is a Const instead of a Parameter */
  bool open;        /* whether the Parameter's dims are all open; the tensor has `dims` */
} op_input;

typedef struct op_model {
  const char *type;
  int opset;        /* 0: opset 1 */
  const char *data; /* the attributes of <data>; NULL: none */
  int n_inputs;
  op_input inputs[6];
  int n_outputs; /* 0: one output */
  int output;    /* the output that is read */
  int threads;   /* 0: the default number */
  bool plain;    /* use plain kernels only */
} op_model;

/* Runs the model. `values` of the result is that output. The caller ends the result with model_run_end. */
model_run op_model_run(const op_model *c);

#endif
