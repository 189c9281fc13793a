/* Reads a model from a file and runs it through irrun.h, for tests. */
#ifndef MODEL_RUN_H
#define MODEL_RUN_H

#include "base/dtype.h"
#include "irrun_program.h"

typedef struct model_run {
  irrun_status status; /* the worst status of reading and running */
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;                       /* NULL if the model is only read, or cannot be run */
  const irrun_tensor *values, *indices; /* the run's outputs; NULL if the output does not exist */
} model_run;

/* Reads the model. `allow` are ids of rules to allow, or NULL. */
model_run model_run_read(const char *xml, irrun_purpose purpose, const char *allow);
/* Returns the bytes of a tensor of `type` and `dims`. */
size_t model_run_bytes(ir_type type, int rank, const int64_t *dims);
/* Sets an input of the run to `data`, which has row-major elements. */
irrun_status model_run_input(const model_run *run, int64_t input, ir_type type, int rank, const int64_t *dims,
                             const void *data);
void model_run_end(model_run *run);
/* Lists the ids of all reports in file order, such as "IR304" or "IR305 IR310". The text is valid until the next
 * call. */
const char *model_run_rules(const model_run *run);

#endif
