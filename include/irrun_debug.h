/* irrun: calls that show where a model goes wrong: inputs as text, assertions, tensors between layers, and parts of
 * a model. The conventions of irrun.h also hold here. */
#ifndef IRRUN_DEBUG_H
#define IRRUN_DEBUG_H

#include "irrun_compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- inputs as text, and assertions ---- */

/* Whether irrun_tensor_literal can read `text`, a list of numbers such as "1,2.5,-inf", "[1,2]" or "true,false". */
IRRUN_API bool irrun_tensor_is_literal(const char *text);
/* Makes a tensor of the type and shape of `value` from the numbers in `text`, in row-major order. If one size is
 * open, the count of numbers decides it. If the rank is unknown, the tensor has one axis. `name` is the input's
 * name, for messages. IR503: the count does not fit the shape. IR504: the type cannot represent a number. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_literal(irrun_context *context, const char *text, const char *name,
                                                            const irrun_value *value, irrun_tensor **out_tensor);

/* Checks the type and shape of an output; IR606 if they differ from `text`. The text is "[NAME=]VALUE", with a NAME
 * for irrun_model_match_name and a VALUE such as "f32[1,?,10]", "[1,1..9]" or "f32". Each size of the output must
 * lie within the size in the text; `?` is any size.
 * If `run` is NULL or did not compute the output, the inferred type and shape are checked. IR801: the text is
 * malformed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_assert_output(irrun_model *model, const irrun_run *run,
                                                                 const char *text);
/* Checks only whether `text` is such an assertion. IR801: the text is malformed. IR502: the model has no output of
 * that name. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_check_assertion(irrun_model *model, const char *text);

/* Checks that a release of OpenVINO, "2023.0" or "openvino-2023.0", knows the IR version, all ops and all element types
 * of the model; IR215 if not. IR801: irrun knows no such release. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_check_release(irrun_model *model, const char *release);
/* Checks only whether irrun knows the release; IR801 if not. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_check_release(irrun_context *context, const char *release);

/* ---- tensors between layers ---- */

/* Gets output `port` of a layer right after its computation. `tensor` lives until the call returns. Any result but
 * IRRUN_OK ends the run with that status.
 * `*out_instead` is NULL at first. If the visitor sets it to a tensor of the same type and shape, later layers read
 * that tensor's elements. The tensor must live until the next visit or the end of the run. Tensors of inputs, and of
 * layers that only change a shape, are not replaced. */
typedef irrun_status irrun_visit(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                                 const irrun_tensor **out_instead);
/* Makes the next executions call `visit` for each output of each layer that the requested outputs need, in the order
 * of execution. Outputs that nothing reads and inputs are visited too; constants are not. These executions compute
 * convolutions and matrix products with the plain kernels. If `visit` is NULL, stops the calls. */
IRRUN_API void irrun_run_visit(irrun_run *run, irrun_visit *visit, void *user);
/* Like irrun_run_visit, but also visits the layers of bodies (If, Loop, TensorIterator), in each iteration. */
IRRUN_API void irrun_run_visit_bodies(irrun_run *run, irrun_visit *visit, void *user);

/* Called before each step of an execution, in the executing thread. `step` counts from 0 to `n_steps` - 1. `layer`
 * is the name of the step's layer, and lives as long as the model. A layer that runs between two plans counts as one
 * step. The call should be short, because a step can take only a microsecond. */
typedef void irrun_on_step(void *user, int64_t step, int64_t n_steps, const char *layer);
/* If `call` is NULL, stops the calls. */
IRRUN_API void irrun_run_follow(irrun_run *run, irrun_on_step *call, void *user);

/* Sets whether executions warn (IR321) if a window of a MaxPool has only NaN. Off at first, as it slows down
 * MaxPool. */
IRRUN_API void irrun_run_watch(irrun_run *run, bool on);
/* Counts the changes that a pass made in the plans of the last execution. FOLD: layers computed once for the model;
 * FUSE: layers fused into others; LAYOUT: tensors with channels last; WIDEN: outputs computed in a wider type. */
IRRUN_API int64_t irrun_run_pass_count(const irrun_run *run, irrun_pass pass);
/* Multiplications, with the additions that follow, of step `index` of irrun_run_get_step, summed over its calls, as the
 * spec defines the layers that it computes. 0: it computes no product, or one of a size that changes as a state grows.
 */
IRRUN_API int64_t irrun_run_get_step_macs(const irrun_run *run, int64_t index);
/* The tensor that was set as an input; the run owns it. NULL: the input is not set. */
IRRUN_API const irrun_tensor *irrun_run_input(irrun_run *run, int64_t input);
/* Frees all plans of the run, so the next execution plans again. Folded constants belong to the model and stay. */
IRRUN_API void irrun_run_forget_plans(irrun_run *run);
/* Number of plans that the run and its runs of bodies have made. Another execution with inputs of the same types and
 * shapes makes none. */
IRRUN_API int64_t irrun_run_plans_made(const irrun_run *run);

/* ---- plans ---- */

/* Plans the run without executing it, for the calls below. If `after` is NULL, they show the plan. If it is "lower"
 * or the name of a pass, they show the program after that pass. If an output's shape depends on data, the run has
 * several stages, and only the first is shown.
 * Outputs of an earlier execution become invalid. IR309, IR210: an input is not set, and its shape or type is open.
 * IR801: there is no such pass. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_show(irrun_run *run, const char *after);

typedef struct irrun_plan_info {
  size_t size;
  int64_t n_rows, n_steps;
  int64_t block_bytes;   /* of the memory for all tensors that steps write */
  int64_t scratch_bytes; /* temporary memory, for each thread */
  int64_t n_awaited;     /* number of layers that the next stage waits for; 0: there is one stage */
  bool needs_contents;   /* the awaited layers need elements of inputs that are not set */
  const char *why_plain; /* why oneDNN computes nothing; NULL: it computes some steps */
} irrun_plan_info;

/* A row of the shown plan or program: a step, an operation without a step, or an operation of a program. */
typedef struct irrun_plan_row {
  size_t size;
  int64_t layer;  /* the layer's number for irrun_model_get_layer */
  const char *op; /* type of the layer's op, "SoftMax", or of one that a pass made: "Contraction", "Relayout", "View" */
  int64_t step;   /* number of the step; -1: none */
  const char *kernel, *isa; /* "average.strips", "avx2"; NULL if there is no step */
  const char *why;          /* the reason for the kernel, a copy or the lack of a step; NULL only in programs */
  const char *fused;        /* ops fused into the row's op, "Add+ReLU"; NULL: none */
  bool is_constant;         /* the outputs are computed once for the model */
  int n_inputs, n_outputs;
  int64_t moved_bytes; /* sum of the bytes that the step reads and writes */
} irrun_plan_row;

/* A tensor that a row reads or writes. */
typedef struct irrun_plan_tensor {
  size_t size;
  int64_t number; /* identifies the tensor: equal in all rows; -1: an output that nothing reads */
  int64_t layer;  /* the layer with this tensor as output `port`; -1: none */
  int port;
  irrun_element_type type;
  irrun_shape shape;
  bool has_channels_last; /* the order in memory is [N, D.., C], but `shape` is the model's */
  bool is_constant, is_input, is_output;
  bool is_view;                  /* the tensor shows the elements of another tensor */
  int64_t bytes, offset;         /* offset: place in the block of all tensors; -1: the tensor lies elsewhere */
  int64_t first_step, last_step; /* the step that writes the tensor, and the last that reads it; -1: not in the block */
} irrun_plan_tensor;

/* The next calls describe what the last irrun_run_show made, until the run is changed or executed. They return false
 * if nothing was shown, or if there is no such row or tensor. */
IRRUN_API bool irrun_run_get_plan_info(const irrun_run *run, irrun_plan_info *out);
IRRUN_API bool irrun_run_get_plan_row(const irrun_run *run, int64_t index, irrun_plan_row *out);
IRRUN_API bool irrun_run_get_plan_tensor(const irrun_run *run, int64_t row, bool output, int port,
                                         irrun_plan_tensor *out);
/* The number of a layer that the next stage waits for; -1 if there is none with that index. */
IRRUN_API int64_t irrun_run_get_awaited(const irrun_run *run, int64_t index);

/* A key from which irrun_model_find_tensor finds this output: the layer's name, followed by ".PORT" if the layer has
 * several outputs. If that name is ambiguous, the key is "#ID.PORT". It lives as long as the model. NULL: there is
 * no such output, or memory is out. */
IRRUN_API const char *irrun_model_get_tensor_key(irrun_model *model, int64_t layer, int port);
/* Finds an output of any layer of the model itself. `key` is the first that fits of:
 * 1. a layer's name. For a layer with several outputs, ".PORT" follows the name. Without ".PORT", its name means the
 *   output with the same tensor name, if there is one. A Result's name means its input.
 * 2. a tensor name of a port or a Result
 * 3. a name of kind 1 or 2 of a constant
 * 4. "#ID.PORT"
 * `*out_layer` is -1 if nothing has the name, or if several outputs have it as the same kind of name. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_find_tensor(irrun_model *model, const char *key, int64_t *out_layer,
                                                               int *out_port);
/* Counts the outputs that share the name `key` as the same kind of name, and writes their keys to `buffer`:
 * "'relu4', '#7.0'". */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_list_tensors(irrun_model *model, const char *key, char *buffer,
                                                                size_t size, int64_t *out_count);

/* Does the same as irrun_tensor_compare_each for an output of a layer, but reports a difference as IR608, at the
 * layer. If `file` is NULL or the layer is in a body, a difference is not reported. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_compare_layer(irrun_model *model, int64_t layer, int port,
                                                                 const char *file, const irrun_tensor *got,
                                                                 const irrun_tensor *expected, bool cast,
                                                                 irrun_tolerance tolerance, irrun_see_difference *see,
                                                                 void *user, irrun_comparison *out);

/* Checks that all elements are finite; with `nan_alone`, only that none is NaN. IR609, at the layer, has the number
 * of other elements and the place of the first. The layer must not be in a body. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_check_finite(irrun_model *model, int64_t layer, int port,
                                                                const irrun_tensor *tensor, bool nan_alone);

/* Gets a line of the port maps and back edges of an If, Loop or TensorIterator, in the order of the file. Returns
 * the kind of the line, such as "port_map input", or NULL if there is no such line. */
IRRUN_API const char *irrun_model_get_line(const irrun_model *model, int64_t layer, int line);
/* Gets an attribute of such a line, like irrun_model_get_layer_attribute. If the attribute is the id of a layer in
 * the body, `*out_value` is that layer's name. */
IRRUN_API bool irrun_model_get_line_attribute(const irrun_model *model, int64_t layer, int line, int attribute,
                                              const char **out_name, const char **out_value);

/* Whether the result has exactly the elements of input 0, in another shape or order, as that of Reshape. */
IRRUN_API bool irrun_model_keeps_elements(irrun_model *model, int64_t layer);
/* Whether the layer is a Const of an IR or a Constant of nGraph. */
IRRUN_API bool irrun_model_is_constant(irrun_model *model, int64_t layer);
/* The contents of a constant. Free the tensor before the model. If the contents are unavailable, returns NULL and
 * reports nothing; if memory is out, returns NULL and reports that. */
IRRUN_NODISCARD IRRUN_API irrun_tensor *irrun_model_get_constant(irrun_model *model, int64_t layer);

/* ---- a part of a model ---- */

typedef struct irrun_cut_tensor {
  int64_t layer; /* the layer that computes the tensor, or the model's input */
  int port;
  const char *name; /* name of the cut's input or output for this tensor */
} irrun_cut_tensor;

/* A cut: some layers of a model, as a model of their own. It lives as long as the model. */
typedef struct irrun_cut {
  size_t size;
  int64_t n_layers, n_inputs, n_outputs; /* n_layers excludes constants and layers that depend only on constants */
  const irrun_cut_tensor *inputs;        /* tensors that layers outside of the cut compute, and inputs of the model */
  /* Tensors that layers outside of the cut read, or that its last layer computes; in the whole model one for each
   * Result. */
  const irrun_cut_tensor *outputs;
  /* One for each layer of the model itself. Also true for constants of the cut, and for the Results of the whole
   * model. */
  const bool *has_layer;
} irrun_cut;

/* Finds a part of an IR without faults. `text` is "LAYER", one layer, or "A..B": all layers on paths from A to B,
 * with B and without A. "..B" begins at the model's inputs, "A.." ends at its outputs, and ".." is the whole model. A
 * and B are keys for irrun_model_find_tensor, or names of layers with several outputs. IR801: there is no such part, or
 * the model is no IR. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_find_cut(irrun_model *model, const char *text, irrun_cut *out);
/* Writes a cut as an IR to `path`, which ends in .xml, and its constants to the .bin beside it. Layers are copied as
 * text. Inputs get the inferred types and shapes. Sets `weights`, `bin_bytes` and `n_layers` of `out`.
 * IR801: the call would replace a file of the model. IR401, a warning: the model's .bin is missing, so the constants
 * are not written. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_cut_write(irrun_model *model, const irrun_cut *cut, const char *path,
                                                       irrun_conversion *out);

/* A .npz that is written one tensor after another. Keys must differ. */
typedef struct irrun_archive irrun_archive;
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_open(irrun_context *context, const char *path,
                                                          irrun_archive **out_archive);
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_add(irrun_archive *archive, const irrun_tensor *tensor,
                                                         const char *key);
/* Finishes the archive and frees the handle, even if the call fails. With `keep`, the file gets its final name;
 * without `keep`, it is removed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_close(irrun_archive *archive, bool keep);

#ifdef __cplusplus
}
#endif

#endif
