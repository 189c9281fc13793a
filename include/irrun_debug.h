/* irrun: find out where a model goes wrong: inputs as text, assertions, tensors between layers, parts of a model. The
 * rules of irrun.h hold here too. */
#ifndef IRRUN_DEBUG_H
#define IRRUN_DEBUG_H

#include "irrun_compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- inputs as text, and assertions ---- */

/* Whether `text` is a list of numbers, "1,2.5,-inf", "[1,2]" or "true,false", for irrun_tensor_literal. */
IRRUN_API bool irrun_tensor_is_literal(const char *text);
/* Makes a tensor of the numbers in `text`, row-major, with the type and shape of `value`. Their count sets a single
 * open size; an unknown rank becomes one axis. IR503: the count does not fit the shape; IR504: the type cannot hold a
 * number. `name` is the input's, for messages. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_literal(irrun_context *context, const char *text, const char *name,
                                                            const irrun_value *value, irrun_tensor **out_tensor);

/* Checks the type and shape of an output, else IR606. `text` is "[NAME=]VALUE" with a NAME for irrun_model_match_name
 * and a VALUE such as "f32[1,?,10]", "[1,1..9]" or "f32". Each size lies within the one in the text; `?` is any size.
 * Checks the inferred type and shape if `run` is NULL or did not compute the output. IR801: the text is malformed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_assert_output(irrun_model *model, const irrun_run *run,
                                                                 const char *text);
/* Checks only such a text: IR801 as above; IR502: the model has no such output. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_check_assertion(irrun_model *model, const char *text);

/* ---- tensors between layers ---- */

/* Gets output `port` of a layer right after its computation; `tensor` lives until the call returns. `*out_instead`,
 * NULL at first, may be set to a tensor of the same type and shape: later layers read its elements instead. It has to
 * live until the next visit or the end of the run. It has no effect on an input, or on a layer that only shows its
 * input in another shape. Any status but IRRUN_OK ends the run with that status. */
typedef irrun_status irrun_visit(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                                 const irrun_tensor **out_instead);
/* The next executions call `visit` in running order for each output of each layer that the requested outputs need, also
 * for outputs that nothing reads; for inputs too, but not for constants. They use the plain kernels for convolutions
 * and matrix products. NULL: stop calling. */
IRRUN_API void irrun_run_visit(irrun_run *run, irrun_visit *visit, void *user);

/* Called before each step of an execution, in its thread: `step`, from 0 up to `n_steps` - 1, computes the layer of
 * this name, which lives as long as the model. A layer that runs between two plans is one step. Keep the call short: a
 * step may take a microsecond. */
typedef void irrun_on_step(void *user, int64_t step, int64_t n_steps, const char *layer);
/* `call` NULL: stop calling. */
IRRUN_API void irrun_run_follow(irrun_run *run, irrun_on_step *call, void *user);

/* Counts the effects of a pass on the plans of the last execution. ONCE: steps that only the first execution runs;
 * FUSE: layers fused into others; LAYOUT: tensors with channels last; WIDEN: outputs computed in a wider type. */
IRRUN_API int64_t irrun_run_pass_count(const irrun_run *run, irrun_pass pass);
/* An input as it was set, which the run owns; NULL: it is not set. */
IRRUN_API const irrun_tensor *irrun_run_input(irrun_run *run, int64_t input);
/* Forgets the plans that the run keeps: the next execution takes as long as one with new shapes. What constants decide
 * belongs to the model and stays. */
IRRUN_API void irrun_run_forget_plans(irrun_run *run);
/* Plans that the run, and runs of bodies within it, have made so far: another execution with inputs of the same types
 * and shapes makes none. */
IRRUN_API int64_t irrun_run_plans_made(const irrun_run *run);

/* ---- plans ---- */

/* Plans the run without executing it, for the calls below: its plan, or with `after`, "lower" or the name of a pass,
 * the program as it is after that pass. A run has several stages if an output's shape depends on data: then it is the
 * first one. Outputs of an execution before are no longer valid. IR309, IR210: the shape or type of an input that is
 * not set is open. IR801: there is no such pass. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_show(irrun_run *run, const char *after);

typedef struct irrun_plan_info {
  size_t size;
  int64_t n_rows, n_steps;
  int64_t block_bytes;   /* of the memory in which all tensors lie that steps write */
  int64_t scratch_bytes; /* of each thread */
  int64_t n_awaited;     /* layers that the next stage waits for; 0: there is one stage */
  bool needs_contents;   /* they wait for the elements of inputs that are not set: these decide shapes */
  const char *why_plain; /* why oneDNN computes nothing; NULL: it does */
} irrun_plan_info;

/* A step of a plan, an operation that needs no step, or an operation of a program. */
typedef struct irrun_plan_row {
  size_t size;
  int64_t layer;            /* number for irrun_model_get_layer */
  const char *op;           /* "SoftMax", or one that a pass made: "Contraction", "Relayout", "View" */
  int64_t step;             /* number; -1: there is no step */
  const char *kernel, *isa; /* "average.strips", "avx2"; NULL: there is no step */
  const char *why;          /* why this kernel, this copy or no step; of a program's operation it may be NULL */
  const char *fused;        /* ops that it computes too, "Add+ReLU"; NULL: none */
  bool is_constant;         /* its outputs are computed once for the model */
  int n_inputs, n_outputs;
  int64_t moved_bytes; /* that the step reads and writes */
} irrun_plan_row;

/* A tensor that a row reads or writes. */
typedef struct irrun_plan_tensor {
  size_t size;
  int64_t number; /* the same tensor has the same one in all rows; -1: an output that nothing reads */
  int64_t layer;  /* whose output it is, or comes of; -1: of none */
  int port;
  irrun_element_type type;
  irrun_shape shape;
  bool has_channels_last; /* in memory; the shape is that of the model */
  bool is_constant, is_input, is_output;
  bool is_view;                  /* it shows the elements of another tensor */
  int64_t bytes, offset;         /* in the block; offset -1: it lies elsewhere */
  int64_t first_step, last_step; /* that write it, and that are the last to read it; -1: it does not lie in the block */
} irrun_plan_tensor;

/* These describe the last irrun_run_show, until the run is changed or executed. False: nothing is shown, or there is no
 * such row or tensor. */
IRRUN_API bool irrun_run_get_plan_info(const irrun_run *run, irrun_plan_info *out);
IRRUN_API bool irrun_run_get_plan_row(const irrun_run *run, int64_t index, irrun_plan_row *out);
IRRUN_API bool irrun_run_get_plan_tensor(const irrun_run *run, int64_t row, bool output, int port,
                                         irrun_plan_tensor *out);
/* The number of a layer that the next stage waits for; -1 behind the last. */
IRRUN_API int64_t irrun_run_get_awaited(const irrun_run *run, int64_t index);

/* The key that irrun_model_find_tensor resolves to this output of a layer: the layer's name, followed by ".PORT" if it
 * has several outputs, or "#ID.PORT" where that name means something else. Lives as long as the model. NULL: there is
 * no such output, or memory is out. */
IRRUN_API const char *irrun_model_get_tensor_key(irrun_model *model, int64_t layer, int port);
/* Finds an output of a layer, anywhere in the model. `key` is, in this order:
 * 1. a layer's name, followed by ".PORT" if it has several outputs and none of them has the name as a tensor name; a
 *    Result's name stands for its input
 * 2. a tensor name of a port or a Result
 * 3. one of these names of a constant
 * 4. "#ID.PORT"
 * `*out_layer` is -1 if nothing has the name, or several outputs have it in the same way. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_find_tensor(irrun_model *model, const char *key, int64_t *out_layer,
                                                               int *out_port);
/* Counts the outputs that share a name in that way, and writes their keys to `buffer`: "'relu4', '#7.0'". */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_list_tensors(irrun_model *model, const char *key, char *buffer,
                                                                size_t size, int64_t *out_count);

/* The same as irrun_tensor_compare_each for an output of a layer. A difference is reported as IR608 at the layer,
 * unless `file` is NULL or the layer is in a body. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_compare_layer(irrun_model *model, int64_t layer, int port,
                                                                 const char *file, const irrun_tensor *got,
                                                                 const irrun_tensor *expected, bool cast,
                                                                 irrun_tolerance tolerance, irrun_see_difference *see,
                                                                 void *user, irrun_comparison *out);

/* Checks that all elements are finite, or only that none is NaN (`nan_alone`). IR609 at the layer, which is not in a
 * body, counts the others and says where the first is. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_check_finite(irrun_model *model, int64_t layer, int port,
                                                                const irrun_tensor *tensor, bool nan_alone);

/* The lines of an If, Loop or TensorIterator, its port maps and back edges, in the order of the file. Returns the kind
 * of a line, such as "port_map input", or NULL after the last. */
IRRUN_API const char *irrun_model_get_line(const irrun_model *model, int64_t layer, int line);
/* An attribute of a line, as irrun_model_get_layer_attribute gives one of a layer; a layer of a body has its name in
 * it. */
IRRUN_API bool irrun_model_get_line_attribute(const irrun_model *model, int64_t layer, int line, int attribute,
                                              const char **out_name, const char **out_value);

/* Whether a layer is a constant. */
IRRUN_API bool irrun_model_is_constant(irrun_model *model, int64_t layer);
/* The contents of a constant; free the tensor before the model. NULL, without a report: they are unavailable. */
IRRUN_NODISCARD IRRUN_API irrun_tensor *irrun_model_get_constant(irrun_model *model, int64_t layer);

/* ---- a part of a model ---- */

typedef struct irrun_cut_tensor {
  int64_t layer; /* computes it in the model, or is its input there */
  int port;
  const char *name; /* of the input or output of the cut that stands for it */
} irrun_cut_tensor;

/* Some layers of a model as a model of their own. Lives as long as the model. */
typedef struct irrun_cut {
  size_t size;
  int64_t n_layers, n_inputs, n_outputs; /* n_layers: without constants and layers that depend on constants alone */
  const irrun_cut_tensor *inputs;        /* made by layers outside */
  const irrun_cut_tensor *outputs;       /* read by layers outside, or made at the end of the cut */
  const bool *has_layer;                 /* for each layer of the model itself; true for constants of the cut too */
} irrun_cut;

/* Finds a part of an IR that was read without a fault: "LAYER" is that layer; "A..B" is B and all layers that need
 * what A computes and that B needs, but not A; "..B" begins at the inputs, "A.." ends at the outputs. A and B are keys
 * for irrun_model_find_tensor, or names of layers with several outputs. IR801: there is no such part, or the model is
 * nGraph's. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_find_cut(irrun_model *model, const char *text, irrun_cut *out);
/* Writes a cut as an IR to `path`, which ends in .xml, and its constants to the .bin beside it. Layers keep their text;
 * inputs have the inferred types and shapes. IR801: it would replace a file of the model. IR401, a warning: the model's
 * .bin is missing, so the constants are too. `out` gets `weights`, `bin_bytes` and `n_layers`. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_cut_write(irrun_model *model, const irrun_cut *cut, const char *path,
                                                       irrun_conversion *out);

/* A .npz that is written tensor by tensor. Keys have to differ. */
typedef struct irrun_archive irrun_archive;
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_open(irrun_context *context, const char *path,
                                                          irrun_archive **out_archive);
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_add(irrun_archive *archive, const irrun_tensor *tensor,
                                                         const char *key);
/* With `keep` the file gets its name now; without it is removed. Frees the handle, also on failure. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_close(irrun_archive *archive, bool keep);

#ifdef __cplusplus
}
#endif

#endif
