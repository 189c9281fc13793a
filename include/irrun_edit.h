/* irrun: changes of a model, which is then written as an IR. The conventions of irrun.h also hold here. */
#ifndef IRRUN_EDIT_H
#define IRRUN_EDIT_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A word of an edit, a row of the table of edits. */
typedef struct irrun_edit_word {
  size_t size;
  const char *word;     /* "mean"; in capitals if it stands for other words, such as "TYPE" */
  const char *argument; /* what follows the word and '='; NULL: nothing */
  const char *subjects; /* what it changes: "input", "output, tensor" */
  const char *help;
} irrun_edit_word;
/* Returns false if there is no word with that index. */
IRRUN_API bool irrun_edit_get_word(int64_t index, irrun_edit_word *out);

/* A remark of an IR: a text that describes the model and changes no result. */
typedef struct irrun_remark {
  size_t size;
  int64_t layer;    /* index of the layer; -1: the model */
  int port;         /* output of the layer; -1: the layer itself */
  const char *path; /* "rt_info/model_info/labels", "rt_info/layout", or "names" and "output_names" of tensors */
  const char *value;
} irrun_remark;
/* Returns the remarks of the model, then those of its layers. Returns false if there is none with that index, or if the
 * file cannot be read again, which is reported. The texts live as long as the model. */
IRRUN_API bool irrun_model_get_remark(irrun_model *model, int64_t index, irrun_remark *out);

/* The result of edits: another model, in memory. */
typedef struct irrun_edit irrun_edit;

/* Applies edits to an IR that was read with IRRUN_TO_CONVERT. It can have faults that the edits mend, and which
 * irrun_context_worst then forgets. Each edit is "NAME: WORD WORD", where NAME is an input, an output, another tensor
 * or a layer of `model`, after "input", "output", "tensor" or "layer" if it is ambiguous; or "model: WORD". All of them
 * refer to the names of `model`, which does not change. The result is checked; `name` names its text in diagnostics.
 * IR801: an edit cannot be done, or, as a warning, finds nothing to change. All faulty edits are reported. Free the
 * edit before `model`. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_edit_create(irrun_model *model, const char *const *edits, size_t n_edits,
                                                         const char *name, irrun_edit **out_edit);
IRRUN_API void irrun_edit_free(irrun_edit *edit);
/* The edited model. It lives as long as the edit. It can be inspected and compared, and cut, converted and edited
 * again; then all constants of the old .bin stay, which irrun_edit_write leaves out after "compact" and "weights". */
IRRUN_API irrun_model *irrun_edit_get_model(irrun_edit *edit);
/* The result of "model: weights=TYPE". */
typedef struct irrun_edit_weights {
  size_t size;
  int64_t n_constants; /* constants that were converted; 0: there was no such edit */
  int64_t n_kept;      /* constants that the type cannot hold */
  int64_t bytes_before, bytes_after;
  double error;       /* root of the mean square of differences, as a part of that of the constants */
  double worst_error; /* the same for the constant with the largest one */
  const char *worst;  /* that constant's name; NULL: no element differs */
} irrun_edit_weights;
IRRUN_API bool irrun_edit_get_weights(const irrun_edit *edit, irrun_edit_weights *out);
/* A constant of "model: weights=TYPE". */
typedef struct irrun_edit_constant {
  size_t size;
  const char *name;
  irrun_element_type from, to; /* equal if `to` cannot hold the elements */
  int64_t bytes_before, bytes_after;
  double error; /* as in irrun_edit_weights */
} irrun_edit_constant;
/* Returns false if there is no constant with that index. */
IRRUN_API bool irrun_edit_get_constant(const irrun_edit *edit, int64_t index, irrun_edit_constant *out);
/* Writes the edited model to `path`, which ends in .xml, and its constants to the .bin beside it. What no edit concerns
 * stays byte for byte. `path` can be the model's own path. Sets `weights`, `bin_bytes`, `n_ports` and `n_layers`
 * (layers with a corrected port) of `out`. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_edit_write(irrun_edit *edit, const char *path, irrun_conversion *out);

#ifdef __cplusplus
}
#endif

#endif
