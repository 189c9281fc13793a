/* One op of one or two inputs and one output as a model of its own, written as IR files, read and run through irrun.h.
 */
#ifndef OP_RUN_H
#define OP_RUN_H

#include "dtype.h"
#include "irrun.h"

typedef struct op_input {
  ir_type type;
  int rank;
  int64_t dims[IRRUN_MAX_RANK];
  const void *data; /* elements of the type, row-major */
  bool constant;    /* a Const; else a Parameter */
  bool open;        /* the Parameter's sizes stand in the tensor alone */
} op_input;

typedef struct op_case {
  const char *type;
  const char *data; /* the attributes of <data>; NULL: none */
  int n_inputs;
  op_input inputs[2];
} op_case;

typedef struct op_run {
  irrun_status status; /* the worst of reading and running */
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
  irrun_tensor_info out; /* empty without an output */
} op_run;

op_run op_run_begin(const op_case *c);
void op_run_end(op_run *run);
/* The rule of the only diagnostic; "" when there is none, "several" when there are more. */
const char *op_run_rule(const op_run *run);

#endif
