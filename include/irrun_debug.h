/* irrun: what a program needs to find out where a model goes wrong, beside irrun.h, whose rules hold here too: inputs
 * that are written out, and assertions. */
#ifndef IRRUN_DEBUG_H
#define IRRUN_DEBUG_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether `text` is numbers between commas, "1,2.5,-inf" or "[1,2]", or "true,false", as irrun_tensor_literal takes
 * them. */
IRRUN_API bool irrun_tensor_is_literal(const char *text);
/* A tensor of the numbers in `text`, row-major, with type and shape of `value`: there are as many as its shape has
 * elements; of a single open size they tell how large it is, of an unknown rank they make one axis. IR503 for another
 * number of them, IR504 for one that the type does not have. `name` is the input's, for messages. */
IRRUN_API irrun_status irrun_tensor_literal(irrun_context *context, const char *text, const char *name,
                                            const irrun_value *value, irrun_tensor **out_tensor);

/* Checks that an output has a type and shape: IR606. `text` is "[NAME=]VALUE", NAME as irrun_model_match_name has it,
 * VALUE "f32[1,?,10]", "[1,1..9]" or "f32": a size lies within the stated one, `?` is any. It is what `run` computed,
 * or what was inferred where `run` is NULL or did not compute it. IR801 for text that is none of that. */
IRRUN_API irrun_status irrun_model_assert_output(irrun_model *model, const irrun_run *run, const char *text);
/* The text of it alone: IR801 as above, IR502 where the model has no such output. */
IRRUN_API irrun_status irrun_model_check_assertion(irrun_model *model, const char *text);

/* ---- tensors between layers ---- */

/* Looks at output `port` of a layer, which has just been computed; `tensor` lives for the call alone. `*out_instead`,
 * NULL at first, may become a tensor of the same type and shape, whose elements the layers behind get in place of those
 * that were computed; it has to live until the next visit or the run's end. A layer that only shows its input in
 * another shape, and an input, keep what they have. Anything but IRRUN_OK ends the run, with that status. */
typedef irrun_status irrun_visit(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                                 const irrun_tensor **out_instead);
/* The next executions call `visit` for every output of every layer that what is asked for needs, inputs among them and
 * constants not, in running order; also for outputs that nothing reads. Plain kernels compute convolutions and matrix
 * products then. NULL: no more. */
IRRUN_API void irrun_run_visit(irrun_run *run, irrun_visit *visit, void *user);

/* Is called before each step of an execution, in the thread that runs it: step `step` of `n_steps`, from 0, which
 * computes the layer of this name. The name lives as long as the model. A layer that runs between two plans is a step
 * of its own. The call should be quick, for a step may take a microsecond. */
typedef void irrun_on_step(void *user, int64_t step, int64_t n_steps, const char *layer);
/* `call` NULL: no more. */
IRRUN_API void irrun_run_follow(irrun_run *run, irrun_on_step *call, void *user);

/* What a pass did to the plans of the last execution: steps that are done once, layers that were fused into others,
 * tensors that lie with channels last, outputs that are computed in a wider type. */
IRRUN_API int64_t irrun_run_pass_count(const irrun_run *run, irrun_pass pass);

/* What irrun_model_find_tensor finds an output of a layer by: the layer's name, with ".PORT" when it has several
 * outputs, or
 * "#ID.PORT" where that has another meaning. Lives as long as the model; NULL when memory is out, or there is no such
 * output. */
IRRUN_API const char *irrun_model_get_tensor_key(irrun_model *model, int64_t layer, int port);
/* An output of a layer by its name in the whole model. In this order: a layer's name, with ".PORT" when it has several
 * outputs and none of these has the name as its tensor's, or the name of a Result, for what it shows; a tensor name, of
 * a port or a Result; any of these names of a constant; "#ID.PORT". `*out_layer` is -1 when there is none, or where
 * several stand alike. */
IRRUN_API irrun_status irrun_model_find_tensor(irrun_model *model, const char *key, int64_t *out_layer, int *out_port);
/* How many outputs of layers stand alike under a name, and their keys: "'relu4', '#7.0'". */
IRRUN_API irrun_status irrun_model_list_tensors(irrun_model *model, const char *key, char *buffer, size_t size,
                                                int64_t *out_count);

/* The same as irrun_tensor_compare_each for an output of a layer; a difference is IR608, at the layer. `file` NULL, or
 * a layer in a body: it is not reported. */
IRRUN_API irrun_status irrun_model_compare_layer(irrun_model *model, int64_t layer, int port, const char *file,
                                                 const irrun_tensor *got, const irrun_tensor *expected, bool cast,
                                                 irrun_tolerance tolerance, irrun_see_difference *see, void *user,
                                                 irrun_comparison *out);

/* Checks that an output of a layer, which is not in a body, has finite elements alone, or just no NaN: IR609, at the
 * layer, says how many have not, and where the first is. */
IRRUN_API irrun_status irrun_model_check_finite(irrun_model *model, int64_t layer, int port, const irrun_tensor *tensor,
                                                bool nan_alone);

/* Lines of an If, Loop or TensorIterator: of its port maps and back edges, in the file's order. The kind of one, such
 * as "port_map input", or NULL behind the last; and its attributes, as irrun_model_get_layer_attribute has them, but
 * with a layer of the body by its name. */
IRRUN_API const char *irrun_model_get_line(const irrun_model *model, int64_t layer, int line);
IRRUN_API bool irrun_model_get_line_attribute(const irrun_model *model, int64_t layer, int line, int attribute,
                                              const char **out_name, const char **out_value);

/* Whether a layer is a constant; and what it holds, which lives as long as the model or until irrun_tensor_free, NULL
 * when it cannot be had: of that nothing is reported. */
IRRUN_API bool irrun_model_is_constant(irrun_model *model, int64_t layer);
IRRUN_API irrun_tensor *irrun_model_get_constant(irrun_model *model, int64_t layer);

/* ---- a part of a model ---- */

typedef struct irrun_cut_tensor {
  int64_t layer; /* that computes it in the model, or is its input there */
  int port;
  const char *name; /* of the input or output of the cut that stands for it */
} irrun_cut_tensor;

/* Some layers of a model as a model of their own. Lives as long as the model. */
typedef struct irrun_cut {
  size_t size;
  int64_t n_layers, n_inputs, n_outputs; /* layers: without constants, and what is computed of these alone */
  const irrun_cut_tensor *inputs;        /* what comes from other layers */
  const irrun_cut_tensor *outputs;       /* what other layers read, and what the end computes */
  const bool *has_layer;                 /* one a layer of the model itself: constants that feed it too */
} irrun_cut;

/* Finds what `text` names in an IR that was read without a fault: "LAYER", that layer; "A..B", all that needs what A
 * computes and that B needs, B with it; "..B" and "A..": from the inputs, and to the outputs. A and B are named as
 * irrun_model_find_tensor has it, or are layers with several outputs. IR801 for what there is not, and for an nGraph
 * model. */
IRRUN_API irrun_status irrun_model_find_cut(irrun_model *model, const char *text, irrun_cut *out);
/* Writes it as an IR to `path`, which ends in .xml, and its constants to the .bin beside that. Layers stand in it as in
 * their file; inputs have the types and shapes that were inferred. No file of the model is written over: IR801. Without
 * its .bin constants are not copied: IR401, a warning. `out` has `weights`, `bin_bytes` and `n_layers`, all that were
 * written. */
IRRUN_API irrun_status irrun_cut_write(irrun_model *model, const irrun_cut *cut, const char *path,
                                       irrun_conversion *out);

/* An .npz that gets one tensor after the other. It gets its name when it is closed with `keep`, and is gone without.
 * Keys have to differ. Closing frees the handle, whatever it returns. */
typedef struct irrun_archive irrun_archive;
IRRUN_API irrun_status irrun_archive_open(irrun_context *context, const char *path, irrun_archive **out_archive);
IRRUN_API irrun_status irrun_archive_add(irrun_archive *archive, const irrun_tensor *tensor, const char *key);
IRRUN_API irrun_status irrun_archive_close(irrun_archive *archive, bool keep);

#ifdef __cplusplus
}
#endif

#endif
