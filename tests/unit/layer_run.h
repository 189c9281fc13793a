/* Runs one pool or reduction as a model in IR files, through irrun.h. */
#ifndef LAYER_RUN_H
#define LAYER_RUN_H

#include "model_run.h"
#include "naive_pool.h"
#include "scratch.h"
#include <stdio.h>

typedef struct layer_case {
  naive_layer layer; /* windows have the pads that the file declares */
  int opset;
  const char *shape; /* shape of the Parameter in the file; NULL: layer.in */
  bool index_i32;
  bool without_values, with_indices; /* which outputs are connected to a Result */
  int64_t axes[NAIVE_MAX_RANK];      /* a reduction's axes, as the file has them */
  int n_axes;
  bool list_i32,
      list_at_run_time;   /* the list of sizes or axes is i32, else i64; it is an input of the run, else a Const */
  const char *list_shape; /* shape of the list in the file; NULL: [number of items] */
  const char *allow;      /* ids of rules that the run allows, or NULL */
} layer_case;

/* Prints the layer for messages. Writes at most `size` bytes and returns `buffer`. */
const char *layer_text(const layer_case *c, char *buffer, size_t size);
/* Writes the layer's <data> element with its attributes. */
void layer_write_data(FILE *file, const layer_case *c);

/* Writes the model and, if its sizes or axes are a Const, the .bin file. */
void layer_write_files(const layer_case *c, const scratch_model *files);
/* Makes the tensor for input `index` of the model: 0 is `x`, 1 the list of sizes or axes. */
irrun_status layer_make_input(irrun_context *context, const layer_case *c, int index, const void *x,
                              irrun_tensor **out_tensor);

/* Reads the model and runs it on `x`, elements of the input's type. If `x` is NULL, only reads the model. The
 * result's `values` and `indices` are the connected outputs. */
model_run layer_run_begin(const layer_case *c, const void *x);
/* Runs the same model again, with c's current input size, list and elements. */
void layer_run_again(model_run *run, const layer_case *c, const void *x);

#endif
