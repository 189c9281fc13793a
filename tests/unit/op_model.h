/* Runs an op with up to six inputs as a model of its own, written as IR files, through irrun.h; its first output is
 * read. */
#ifndef OP_MODEL_H
#define OP_MODEL_H

#include "base/dtype.h"
#include "model_run.h"

typedef struct op_input {
  ir_type type;
  int rank;
  int64_t dims[IRRUN_MAX_RANK];
  const void *data; /* row-major elements */
  bool constant;    /* a Const; default: a Parameter */
  bool open;        /* the Parameter's shape is open, only the tensor has sizes */
} op_input;

typedef struct op_model {
  const char *type;
  int opset;        /* 0: opset1 */
  const char *data; /* attributes of <data>; NULL: none */
  int n_inputs;
  op_input inputs[6];
  int n_outputs; /* 0: one output */
  int threads;   /* 0: the default */
  bool plain;    /* plain kernels only */
} op_model;

/* Runs the case; `values` is the output. End it with model_run_end. */
model_run op_model_run(const op_model *c);

#endif
