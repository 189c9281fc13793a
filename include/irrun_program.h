/* What the program `irrun` needs of the library beside irrun.h: text for a terminal, and where its outputs go. */
#ifndef IRRUN_PROGRAM_H
#define IRRUN_PROGRAM_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- text ---- */

/* Copies `text` with control characters, also those that turn the direction of text, as \n, \t, \x1b and bytes that are
 * not UTF-8 as \xff, so that it can be printed. Writes at most `size` bytes with the NUL, cutting with "..."; returns
 * `buffer`. Diagnostics are already like this; names of layers, tensors and keys are not. */
IRRUN_API const char *irrun_printable(const char *text, char *buffer, size_t size);
/* The nearest of `names` (a few edits away at most), or NULL; also NULL when there are more than 10,000. */
IRRUN_API const char *irrun_did_you_mean(const char *text, const char *const *names, size_t n_names);

/* ---- where outputs go ---- */

typedef enum irrun_form { IRRUN_FORM_NONE, IRRUN_FORM_NPY, IRRUN_FORM_NPZ, IRRUN_FORM_RAW } irrun_form;
/* What is written to `path`, by its suffix: .npy, .npz, .raw or .bin. "-" (stdout), an open descriptor, and a device
 * or FIFO, get .npy when there is no suffix. */
IRRUN_API irrun_form irrun_output_form(const char *path);
/* The open descriptor that `path` leads to: 1 for "-", /dev/stdout and whatever file stdout is, 2 for stderr, N for
 * /dev/fd/N; else -1. Links are followed. */
IRRUN_API int irrun_output_descriptor(const char *path);
/* Text that is the same for two paths that lead to one place, whether there is a file or not yet. Writes at most `size`
 * bytes, returns `buffer`; IRRUN_PLACE_TEXT bytes hold every place. */
#define IRRUN_PLACE_TEXT 4200
IRRUN_API const char *irrun_output_place(const char *path, char *buffer, size_t size);

/* IRRUN_OK when a file can be written there, as far as that can be told without writing: IR702 when the folder is
 * missing or not writable. What is there is not touched. */
IRRUN_API irrun_status irrun_output_check(irrun_context *context, const char *path);

#ifdef __cplusplus
}
#endif

#endif
