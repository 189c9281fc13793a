/* What the program `irrun` needs of the library beside irrun.h: tables of rules and ops, text for a terminal, and
 * where its outputs go. */
#ifndef IRRUN_PROGRAM_H
#define IRRUN_PROGRAM_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps each diagnostic, as irrun_context_set_detail does, for lists that are stored and compared. Left out are the
 * notes that are left out without detail, and those of element types that a page excludes and OpenVINO takes all the
 * same. */
IRRUN_API void irrun_context_set_each_place(irrun_context *context, bool each_place);

/* ---- tables ---- */

/* Where a rule can be found broken. */
typedef enum irrun_found {
  IRRUN_IN_ALL,       /* wherever a model is read */
  IRRUN_IN_RUNS,      /* runs, measured or not */
  IRRUN_IN_ONE_RUN,   /* a run that is watched (irrun_run_watch), or whose outputs are compared */
  IRRUN_IN_CONVERSION /* irrun_model_convert */
} irrun_found;

/* The table of rules. False behind the last. */
typedef struct irrun_rule {
  size_t size;
  const char *id, *slug;
  irrun_severity severity;
  unsigned severities; /* 1 << irrun_severity of each that a case can have: most have `severity` alone */
  irrun_status status;
  const char *allow; /* what --allow does with this error, or NULL */
  irrun_found found;
  const char *text, *reason, *spec;
  const char *part; /* what of an example model the two examples stand for */
  const char *wrong, *right;
} irrun_rule;

IRRUN_API bool irrun_rule_get(int64_t index, irrun_rule *out);
/* By id or slug. */
IRRUN_API bool irrun_rule_find(const char *text, irrun_rule *out);

/* The table of ops. False behind the last. */
typedef struct irrun_op {
  size_t size;
  const char *dialect, *type;  /* "openvino", "AvgPool" */
  int version;                 /* the op's own: AvgPool-1 */
  int opset_first, opset_last; /* the opsets in which `type` means this version; 0 of nGraph, which has none */
  const char *spec;
  int n_inputs, n_outputs, n_attributes;
  bool inputs_variadic, outputs_variadic;
  bool is_run; /* not only checked */
} irrun_op;
typedef struct irrun_op_port {
  size_t size;
  const char *name;
  const char *type_var; /* ports of one have one type; NULL: of no other port */
  const char *types;    /* "f32, f64 or f16" */
  int rank_min, rank_max;
  bool optional; /* may be left out, with all behind it */
} irrun_op_port;
typedef struct irrun_op_attribute {
  size_t size;
  const char *name;
  const char *kind;     /* "int", "int list", "bool", "enum", "type", "shape", "text" */
  const char *values;   /* words of an enum, range of an int; or "" */
  const char *fallback; /* what stands for an absent one; NULL when required or when there is none */
  bool required;
} irrun_op_attribute;

IRRUN_API bool irrun_op_get(int64_t index, irrun_op *out);
/* Text of these two lives until the next call with the same context. */
IRRUN_API bool irrun_op_get_port(irrun_context *context, int64_t op, bool output, int port, irrun_op_port *out);
IRRUN_API bool irrun_op_get_attribute(irrun_context *context, int64_t op, int attribute, irrun_op_attribute *out);

/* Versions of the libraries in use, one "name version" a line. */
IRRUN_API const char *irrun_libraries(void);
/* Likewise of the library that computes with IRRUN_KERNELS_FAST; NULL: its module is not there. Loads it. */
IRRUN_API const char *irrun_fast_library(void);
/* "fuse"; NULL for what is no pass. */
IRRUN_API const char *irrun_pass_name(irrun_pass pass);
/* The sum of those that are left out. */
IRRUN_API unsigned irrun_context_get_skipped_passes(const irrun_context *context);

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

/* Writes text, or any bytes, also beside its final place first. */
IRRUN_API irrun_status irrun_text_write(irrun_context *context, const char *text, const char *path);
IRRUN_API irrun_status irrun_bytes_write(irrun_context *context, const void *data, size_t bytes, const char *path);
/* Makes a file name of a tensor's name, so that it never leaves its folder: '/', control characters and a leading dot
 * become '_'. `size` >= 2. */
IRRUN_API const char *irrun_file_name(const char *name, char *buffer, size_t size);

/* ---- measuring and comparing ---- */

/* The floor of these steps, all of one size, on this machine: `*out_ns` is the best time that `n_threads` threads (1 to
 * 1024) took to read as many bytes and write as many, step by step, and compute nothing. Repeats that for `budget_ns`.
 */
IRRUN_API irrun_status irrun_floor_measure(irrun_context *context, const irrun_step *steps, int64_t n_steps,
                                           int n_threads, int64_t budget_ns, int64_t *out_ns);
/* The widest vectors of this machine that irrun_floor_measure uses: "avx512", "avx2", "sse2", "neon" or "none". */
IRRUN_API const char *irrun_simd(void);

/* As irrun_tensor_compare; `see` may be NULL. */
IRRUN_API irrun_status irrun_tensor_compare_each(irrun_context *context, const char *name, const char *file,
                                                 const irrun_tensor *got, const irrun_tensor *expected, bool cast,
                                                 irrun_tolerance tolerance, irrun_see_difference *see, void *user,
                                                 irrun_comparison *out);

#ifdef __cplusplus
}
#endif

#endif
