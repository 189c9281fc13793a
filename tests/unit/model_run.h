/* A model read from its file and run, through irrun.h. */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include "base/dtype.h"
#include "irrun_program.h"

typedef struct model_run {
  irrun_status status; /* the worst of reading and running */
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;                       /* NULL when the model cannot be run, or is only read */
  const irrun_tensor *values, *indices; /* outputs of the run; NULL when there is none */
} model_run;

/* Reads the model. `allow`: rules, or NULL. */
model_run model_run_read(const char *xml, irrun_purpose purpose, const char *allow);
/* Bytes of so many elements. */
size_t model_run_bytes(ir_type type, int rank, const int64_t *dims);
/* Gives the run an input of these elements, row-major. */
irrun_status model_run_input(const model_run *run, int64_t input, ir_type type, int rank, const int64_t *dims,
                             const void *data);
void model_run_end(model_run *run);
/* "IR304", or "IR305 IR310" in the order of the file: all that is reported. Holds until the next call. */
const char *model_run_rules(const model_run *run);

#endif
