/* irrun: calls that only the program `irrun` needs: tables of rules and ops, text for a terminal, and output files.
 * The conventions of irrun.h also hold here. */
#ifndef IRRUN_PROGRAM_H
#define IRRUN_PROGRAM_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With `each_place`, reports one diagnostic for each layer, like irrun_context_set_detail. Omits minor notes, and
 * notes about element types that OpenVINO accepts and an op's page excludes. For lists of diagnostics that are
 * stored and compared. */
IRRUN_API void irrun_context_set_each_place(irrun_context *context, bool each_place);

/* Whether <pre-process> of an IR of version 2 to 7 that is read later becomes part of the model: a Subtract of the
 * means and a Divide by the scales behind the input. Default: no; it is then reported (IR217). */
IRRUN_API void irrun_context_set_embed_preprocess(irrun_context *context, bool embed);

/* ---- tables ---- */

/* The kind of work in which irrun can find that a rule is broken. */
typedef enum irrun_found {
  IRRUN_IN_ALL,       /* reading a model, for any purpose */
  IRRUN_IN_RUNS,      /* any run */
  IRRUN_IN_ONE_RUN,   /* a run that is watched (irrun_run_watch), or whose outputs are compared */
  IRRUN_IN_CONVERSION /* irrun_model_convert */
} irrun_found;

/* A row of the table of rules. */
typedef struct irrun_rule {
  size_t size;
  const char *id, *slug;
  irrun_severity severity; /* severity of most cases */
  unsigned severities;     /* sum of 1 << severity for each severity that a case can have */
  irrun_status status;
  const char *allow; /* what --allow does with this error; NULL: the error cannot be allowed */
  irrun_found found;
  const char *text, *reason, *spec;
  const char *part; /* name of the part of an example, model or command, that `wrong` and `right` replace */
  const char *wrong, *right;
} irrun_rule;

/* Returns false if there is no rule with that index. */
IRRUN_API bool irrun_rule_get(int64_t index, irrun_rule *out);
/* Finds a rule by id or slug. Returns false if there is none. */
IRRUN_API bool irrun_rule_find(const char *text, irrun_rule *out);

/* A row of the table of ops. */
typedef struct irrun_op {
  size_t size;
  const char *dialect, *type;  /* "openvino", "AvgPool" */
  int version;                 /* version of the op: 1 for AvgPool-1 */
  int opset_first, opset_last; /* the opsets in which `type` means this version; nGraph has no opsets: 0 */
  const char *spec;
  int n_inputs, n_outputs, n_attributes;
  bool inputs_variadic, outputs_variadic;
  bool is_run; /* irrun can run the op; false: it can only check it */
} irrun_op;
typedef struct irrun_op_port {
  size_t size;
  const char *name;
  const char *type_var; /* ports with the same type_var must have the same type; NULL: the port's type is independent */
  const char *types;    /* "f32, f64 or f16" */
  int rank_min, rank_max;
  bool optional; /* the port can be omitted, together with all later ports */
} irrun_op_port;
typedef struct irrun_op_attribute {
  size_t size;
  const char *name;
  const char *kind;     /* "int", "int list", "float", "float list", "bool", "enum", "type", "shape" or "text" */
  const char *values;   /* words of an enum, or range of an int; else "" */
  const char *fallback; /* the default value; NULL if the attribute is required or has no default */
  bool required;
} irrun_op_attribute;

/* Returns false if there is no op with that index. */
IRRUN_API bool irrun_op_get(int64_t index, irrun_op *out);
/* Describe a port or an attribute of an op. Return false if there is none. The texts live until the next call of
 * either function with the same context. */
IRRUN_API bool irrun_op_get_port(irrun_context *context, int64_t op, bool output, int port, irrun_op_port *out);
IRRUN_API bool irrun_op_get_attribute(irrun_context *context, int64_t op, int attribute, irrun_op_attribute *out);

/* The libraries in use, one "name version" per line. */
IRRUN_API const char *irrun_libraries(void);
/* "name version" of the library that IRRUN_KERNELS_FAST uses; NULL if irrun's module for it is missing. Loads the
 * module. */
IRRUN_API const char *irrun_fast_library(void);
/* Calls `visit` with each path where that module may be, until a call returns false. */
IRRUN_API void irrun_fast_visit_paths(bool (*visit)(const char *path, void *user), void *user);
/* The name of a pass, such as "fuse". NULL if the number is no pass. */
IRRUN_API const char *irrun_pass_name(irrun_pass pass);
/* The unit of irrun_run_pass_count for a pass, such as "layers". NULL if the number is no pass. */
IRRUN_API const char *irrun_pass_counts(irrun_pass pass);
/* The sum of the irrun_pass values that the context skips. */
IRRUN_API unsigned irrun_context_get_skipped_passes(const irrun_context *context);
/* The type that irrun_context_set_precision set. */
IRRUN_API irrun_element_type irrun_context_get_precision(const irrun_context *context);

/* ---- text ---- */

/* Copies `text` with escapes, so that it is safe to print. Control characters, also those that change the writing
 * direction, and characters that XML forbids become \n, \t or \x1b; bytes that are not UTF-8 become \xff. In "##[" and
 * "##vso[", which are commands to the log of a workflow, the first "#" becomes \x23. Writes at most `size` bytes
 * including the NUL, and returns `buffer`. A text that does not fit ends in "...".
 * Use it for names of layers, tensors and keys. Texts of diagnostics are already escaped. */
IRRUN_API const char *irrun_printable(const char *text, char *buffer, size_t size);
/* Returns the one of `names` that is nearest to `text`, at most a few edits away. NULL if there is none, or if there
 * are more than 10,000 names. */
IRRUN_API const char *irrun_did_you_mean(const char *text, const char *const *names, size_t n_names);

/* ---- places of outputs ---- */

typedef enum irrun_form { IRRUN_FORM_NONE, IRRUN_FORM_NPY, IRRUN_FORM_NPZ, IRRUN_FORM_RAW } irrun_form;
/* The format of an output file, from the path's suffix: .npy, .npz, .raw or .bin. If the path has no suffix and is
 * "-" (stdout), an open descriptor, a device or a FIFO, the format is .npy. */
IRRUN_API irrun_form irrun_output_form(const char *path);
/* Does the same as irrun_tensor_file_open for a file of this format, whatever its suffix. IR505: it does not begin as
 * one; any file can be raw. IRRUN_FORM_NONE: suffix and first bytes decide. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_file_open_as(irrun_context *context, const char *path,
                                                                 irrun_form form, irrun_tensor_file **out_file);
/* The open descriptor that `path` leads to, after following links: 1 for "-" and /dev/stdout, 2 for /dev/stderr, N
 * for /dev/fd/N. Also 1 or 2 if `path` is the file that stdout or stderr writes to. -1: none of these. */
IRRUN_API int irrun_output_descriptor(const char *path);
#define IRRUN_PLACE_TEXT 4200 /* bytes, enough for the text of any place */
/* A text that identifies the place of a file: paths that lead to the same place have equal texts. The file need not
 * exist. Writes at most `size` bytes including the NUL, and returns `buffer`. */
IRRUN_API const char *irrun_output_place(const char *path, char *buffer, size_t size);

/* Checks whether a file could be written to `path`, without writing it. IR702: its folder is missing or not
 * writable. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_output_check(irrun_context *context, const char *path);

/* Write a file. They use a temporary name and rename the file when it is complete, like irrun_tensor_write. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_text_write(irrun_context *context, const char *text, const char *path);
IRRUN_NODISCARD IRRUN_API irrun_status irrun_bytes_write(irrun_context *context, const void *data, size_t bytes,
                                                         const char *path);
/* Makes a file name from a tensor's name. '/', control characters and a leading dot become '_', so the file stays in
 * its folder. `size` >= 2. */
IRRUN_API const char *irrun_file_name(const char *name, char *buffer, size_t size);

/* ---- measuring ---- */

/* Measures the floor of these steps on this machine: the shortest time to read and write the same numbers of bytes,
 * step by step, without computing. Tries one thread, and `n_threads` threads (1 to 1024). Repeats the measurement
 * for `budget_ns`. All steps must have the same `size`. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_floor_measure(irrun_context *context, const irrun_step *steps,
                                                           int64_t n_steps, int n_threads, int64_t budget_ns,
                                                           int64_t *out_ns);
/* The vector instructions that irrun_floor_measure uses on this machine, the widest available: "avx512", "avx2",
 * "sse2", "neon" or "none". */
IRRUN_API const char *irrun_simd(void);

#ifdef __cplusplus
}
#endif

#endif
