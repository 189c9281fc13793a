/* Runs models that are stopped before their end, for tests. */
#ifndef STOP_MODEL_H
#define STOP_MODEL_H

#include "irrun.h"

#include <time.h>

typedef struct stop_model {
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} stop_model;

/* Reads a model from pieces of IR text, of which the last is NULL, and creates a run with plain kernels. The model is
 * valid until the next call. */
stop_model stop_model_begin(const char *const *text, int threads);
void stop_model_end(const stop_model *f);
/* Sets the inputs of the run by fills. */
void stop_model_fill(const stop_model *f, const char *const *fills);
/* Executes the run. Returns the processor time, which other programs do not lengthen. */
clock_t stop_model_time(const stop_model *f, irrun_status expected);
/* Checks that a time limit stops the run: a tenth of the whole time is the limit, so a stopped run takes far less than
 * the whole. */
void stop_model_check(const stop_model *f, const char *name);

/* An op, the shapes, types and fills of its inputs, and the types of its outputs. */
typedef struct stop_op {
  const char *type, *opset, *data;
  const char *in[6][3];
  const char *out[3];
} stop_op;

/* Makes a run of a model with this op, and sets its inputs. */
stop_model stop_model_of_op(const stop_op *op);

#endif
