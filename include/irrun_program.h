/* irrun: functions that only the program `irrun` needs: tables of rules and ops, text for a terminal, the places of
 * outputs. The rules of irrun.h hold here too. */
#ifndef IRRUN_PROGRAM_H
#define IRRUN_PROGRAM_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Keeps each diagnostic, like irrun_context_set_detail, for lists that are stored and compared. Omits minor notes, and
 * notes about element types that an op page excludes and OpenVINO accepts. */
IRRUN_API void irrun_context_set_each_place(irrun_context *context, bool each_place);

/* ---- tables ---- */

/* The kinds of work that can find a rule broken. */
typedef enum irrun_found {
  IRRUN_IN_ALL,       /* wherever a model is read */
  IRRUN_IN_RUNS,      /* runs, measured or not */
  IRRUN_IN_ONE_RUN,   /* a run that is watched (irrun_run_watch), or whose outputs are compared */
  IRRUN_IN_CONVERSION /* irrun_model_convert */
} irrun_found;

/* A row of the table of rules. */
typedef struct irrun_rule {
  size_t size;
  const char *id, *slug;
  irrun_severity severity; /* severity of most cases */
  unsigned severities;     /* the sum of 1 << irrun_severity over all severities that a case can have */
  irrun_status status;
  const char *allow; /* the effect of --allow on this error, or NULL */
  irrun_found found;
  const char *text, *reason, *spec;
  const char *part; /* the part of an example model that the two examples replace */
  const char *wrong, *right;
} irrun_rule;

/* False after the last. */
IRRUN_API bool irrun_rule_get(int64_t index, irrun_rule *out);
/* Finds a rule by id or slug. */
IRRUN_API bool irrun_rule_find(const char *text, irrun_rule *out);

/* A row of the table of ops. */
typedef struct irrun_op {
  size_t size;
  const char *dialect, *type;  /* "openvino", "AvgPool" */
  int version;                 /* of the op: 1 for AvgPool-1 */
  int opset_first, opset_last; /* the opsets in which `type` means this version; 0 for nGraph, which has no opsets */
  const char *spec;
  int n_inputs, n_outputs, n_attributes;
  bool inputs_variadic, outputs_variadic;
  bool is_run; /* irrun can run it, not only check it */
} irrun_op;
typedef struct irrun_op_port {
  size_t size;
  const char *name;
  const char *type_var; /* ports with the same type_var have the same type; NULL: the type is independent */
  const char *types;    /* "f32, f64 or f16" */
  int rank_min, rank_max;
  bool optional; /* may be left out, together with all later ports */
} irrun_op_port;
typedef struct irrun_op_attribute {
  size_t size;
  const char *name;
  const char *kind;     /* "int", "int list", "bool", "enum", "type", "shape", "text" */
  const char *values;   /* words of an enum, range of an int; or "" */
  const char *fallback; /* the default value; NULL: the attribute is required, or has no default */
  bool required;
} irrun_op_attribute;

/* False after the last. */
IRRUN_API bool irrun_op_get(int64_t index, irrun_op *out);
/* Describe a port or an attribute of an op. The texts live until the next call of one of these two with the same
 * context. */
IRRUN_API bool irrun_op_get_port(irrun_context *context, int64_t op, bool output, int port, irrun_op_port *out);
IRRUN_API bool irrun_op_get_attribute(irrun_context *context, int64_t op, int attribute, irrun_op_attribute *out);

/* Lists the libraries in use, one "name version" per line. */
IRRUN_API const char *irrun_libraries(void);
/* "name version" of the library behind IRRUN_KERNELS_FAST; NULL: its module is missing. Loads the module. */
IRRUN_API const char *irrun_fast_library(void);
/* The name of a pass: "fuse"; NULL for a number that is no pass. */
IRRUN_API const char *irrun_pass_name(irrun_pass pass);
/* The unit of irrun_run_pass_count: "layers". */
IRRUN_API const char *irrun_pass_counts(irrun_pass pass);
/* The sum of the irrun_pass that the context skips. */
IRRUN_API unsigned irrun_context_get_skipped_passes(const irrun_context *context);

/* ---- text ---- */

/* Copies `text` so that it can be printed: control characters, also those that turn the direction of text, become \n,
 * \t or \x1b, and bytes that are not UTF-8 become \xff. Writes at most `size` bytes with the NUL, "..." ends a text
 * that was cut, and returns `buffer`. Diagnostics need no such copy; names of layers, tensors and keys do. */
IRRUN_API const char *irrun_printable(const char *text, char *buffer, size_t size);
/* The nearest of `names`, at most a few edits away; NULL: there is none, or there are more than 10,000 names. */
IRRUN_API const char *irrun_did_you_mean(const char *text, const char *const *names, size_t n_names);

/* ---- places of outputs ---- */

typedef enum irrun_form { IRRUN_FORM_NONE, IRRUN_FORM_NPY, IRRUN_FORM_NPZ, IRRUN_FORM_RAW } irrun_form;
/* The format of a file, by the path's suffix: .npy, .npz, .raw or .bin. Without a suffix "-" (stdout), an open
 * descriptor, a device and a FIFO get .npy. */
IRRUN_API irrun_form irrun_output_form(const char *path);
/* The open descriptor that `path` leads to: 1 for "-", /dev/stdout and the file that stdout is, 2 for stderr, N for
 * /dev/fd/N; else -1. Follows links. */
IRRUN_API int irrun_output_descriptor(const char *path);
#define IRRUN_PLACE_TEXT 4200 /* bytes that every place's text fits in */
/* A text that is equal for two paths if they lead to the same place, whether the file exists or not. Writes at most
 * `size` bytes with the NUL, returns `buffer`. */
IRRUN_API const char *irrun_output_place(const char *path, char *buffer, size_t size);

/* Checks, without writing, whether a file can be written there: IR702 if its folder is missing or not writable. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_output_check(irrun_context *context, const char *path);

/* Write a file under another name and rename it when it is complete, like irrun_tensor_write. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_text_write(irrun_context *context, const char *text, const char *path);
IRRUN_NODISCARD IRRUN_API irrun_status irrun_bytes_write(irrun_context *context, const void *data, size_t bytes,
                                                         const char *path);
/* Makes a file name of a tensor's name that never leaves its folder: '/', control characters and a leading dot become
 * '_'. `size` >= 2. */
IRRUN_API const char *irrun_file_name(const char *name, char *buffer, size_t size);

/* ---- measuring ---- */

/* Measures the floor of these steps on this machine: the best time in which `n_threads` threads (1 to 1024) read and
 * write as many bytes, step by step, and compute nothing. Repeats that for `budget_ns`. All steps have
 * the same `size`. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_floor_measure(irrun_context *context, const irrun_step *steps,
                                                           int64_t n_steps, int n_threads, int64_t budget_ns,
                                                           int64_t *out_ns);
/* The widest vectors that irrun_floor_measure uses on this machine: "avx512", "avx2", "sse2", "neon" or "none". */
IRRUN_API const char *irrun_simd(void);

#ifdef __cplusplus
}
#endif

#endif
