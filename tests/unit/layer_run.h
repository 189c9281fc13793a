/* One pool or reduction as a model of its own, written as IR files, read and run through irrun.h. */
#ifndef LAYER_RUN_H
#define LAYER_RUN_H

#include "model_run.h"
#include "naive_pool.h"
#include "scratch.h"
#include <stdio.h>

typedef struct layer_case {
  naive_layer layer; /* with the pads of the file */
  int opset;
  const char *shape; /* of the Parameter; NULL: layer.in */
  bool index_i32;
  bool without_values, with_indices; /* which outputs are read */
  int64_t axes[NAIVE_MAX_RANK];      /* of a reduction, as the file writes them */
  int n_axes;
  bool list_i32, list_at_run_time; /* sizes and axes: i64 in a Const, or else */
  const char *list_shape;          /* of that Parameter; NULL: as many as there are */
  const char *allow;               /* rules, or NULL */
} layer_case;

/* The layer as C code would print it, for messages. Writes at most `size` bytes, returns `buffer`. */
const char *layer_text(const layer_case *c, char *buffer, size_t size);
/* What `<data>` holds. */
void layer_write_data(FILE *file, const layer_case *c);

/* The model, and the .bin if that holds sizes or axes. */
void layer_write_files(const layer_case *c, const scratch_model *files);
/* Input `index` of the model: `x`, or the list that the run is given. */
irrun_status layer_make_input(irrun_context *context, const layer_case *c, int index, const void *x,
                              irrun_tensor **out_tensor);

/* `x` are the elements of the input in their type; NULL: the model is read and not run. `values` and `indices`
 * are the outputs that the case reads. */
model_run layer_run_begin(const layer_case *c, const void *x);
/* The same run with the sizes, list and elements that `c` has now. */
void layer_run_again(model_run *run, const layer_case *c, const void *x);

#endif
