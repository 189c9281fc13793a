/* Runs a pool or reduction as a model of its own, written as IR files, through irrun.h. */
#ifndef LAYER_RUN_H
#define LAYER_RUN_H

#include "model_run.h"
#include "naive_pool.h"
#include "scratch.h"
#include <stdio.h>

typedef struct layer_case {
  naive_layer layer; /* with the pads written in the file */
  int opset;
  const char *shape; /* shape of the Parameter; NULL: layer.in */
  bool index_i32;
  bool without_values, with_indices; /* the outputs that are connected */
  int64_t axes[NAIVE_MAX_RANK];      /* axes of a reduction, as written in the file */
  int n_axes;
  bool list_i32, list_at_run_time; /* type and place of the sizes and axes; default: i64 in a Const */
  const char *list_shape;          /* shape of that Parameter; NULL: the number of items */
  const char *allow;               /* rules for allow, or NULL */
} layer_case;

/* Prints the layer as C code for messages. Writes at most `size` bytes, returns `buffer`. */
const char *layer_text(const layer_case *c, char *buffer, size_t size);
/* Writes the attributes of `<data>`. */
void layer_write_data(FILE *file, const layer_case *c);

/* Writes the model, and a .bin if it has constant sizes or axes. */
void layer_write_files(const layer_case *c, const scratch_model *files);
/* Makes input `index` of the model: `x`, or the list of sizes or axes. */
irrun_status layer_make_input(irrun_context *context, const layer_case *c, int index, const void *x,
                              irrun_tensor **out_tensor);

/* Reads and runs the model on `x`, elements in the input's type; NULL: only reads it. `values` and `indices` of the
 * result are the connected outputs. */
model_run layer_run_begin(const layer_case *c, const void *x);
/* Runs the same model with the present sizes, list and elements of `c`. */
void layer_run_again(model_run *run, const layer_case *c, const void *x);

#endif
