/* irrun: read, check and run OpenVINO IR models. The program uses this header and irrun_program.h.
 *
 * Handles are opaque; there is no global state. A context, and all that was made with it, belongs to one thread at a
 * time. Every call that can fail returns an irrun_status and leaves the reasons as diagnostics in the context; out
 * parameters come last and are empty after a failure. Text that a call hands out lives as long as the handle it came
 * from.
 *
 * A struct whose first member is `size` may get more members at its end, all others stay as they are. The caller sets
 * `size` before every call, also where the call fills the struct: irrun_layer layer = {.size = sizeof layer}. A program
 * that was compiled with an older header has a smaller struct: of that the rest is not written, and when it is read the
 * rest is 0. A size that lacks what the call has to read, is 0, or is above the library's own is refused: the call
 * returns IRRUN_USAGE, false or NULL, with IR801 where it has a context. */
#ifndef IRRUN_H
#define IRRUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IRRUN_VERSION     "0.2.0"
#define IRRUN_API_VERSION 1
#define IRRUN_MAX_RANK    16
#define IRRUN_MAX_THREADS 256

#if defined(IRRUN_BUILD)
#define IRRUN_API __attribute__((visibility("default")))
#else
#define IRRUN_API
#endif

/* By cause; the numbers are the program's exit statuses. */
typedef enum irrun_status {
  IRRUN_OK = 0,
  IRRUN_DIFFERS = 1,
  IRRUN_USAGE = 2,
  IRRUN_INVALID = 3,
  IRRUN_UNSUPPORTED = 4,
  IRRUN_BAD_DATA = 5,
  IRRUN_IO = 6,
  IRRUN_INTERNAL = 70
} irrun_status;

/* The version of the library in use: IRRUN_VERSION of the header that it was built with. */
IRRUN_API const char *irrun_version(void);
/* The worse of two: the first of 70, 2, 6, 3, 4, 5, 1 that occurs. */
IRRUN_API irrun_status irrun_worse(irrun_status a, irrun_status b);

/* ---- context ---- */

typedef struct irrun_context irrun_context;

/* `alloc` returns blocks aligned as malloc's are, and NULL when memory is out, `release` accepts NULL. libxml2,
 * cJSON, oneDNN and OpenMP keep their own allocator. */
typedef struct irrun_allocator {
  size_t size;
  void *(*alloc)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} irrun_allocator;

/* `allocator` NULL: malloc and free. NULL when memory is out, or for the size of `allocator`. */
IRRUN_API irrun_context *irrun_context_create(const irrun_allocator *allocator);
IRRUN_API void irrun_context_free(irrun_context *context); /* after every handle that was made with it */

/* Threads that compute in a run, the caller's among them. `n` 0, the default: as many as the process may use physical
 * cores, by its CPU affinity and the CPU quota of its control group. Small work is the caller's alone, and outputs of
 * the plain kernels are the same bytes for any number. Threads are started by the first run that they are worth it in,
 * block signals, and end with the context; oneDNN's take the caller's signals and end with its thread. After a fork
 * both processes may use the context, if it was in no call. IRRUN_USAGE: `n` is below 0 or above IRRUN_MAX_THREADS. */
IRRUN_API irrun_status irrun_set_threads(irrun_context *context, int n);
/* What computes convolutions and matrix products of f32: oneDNN, in a module that is loaded when a run first needs it,
 * or the plain kernels, also where that is not installed; LSTM, GRU and RNN: vectors, or the plain kernels. The default
 * is FAST. Sums are made in another order: the last digits may differ. For runs that are planned from then on. */
typedef enum irrun_kernels { IRRUN_KERNELS_FAST, IRRUN_KERNELS_PLAIN } irrun_kernels;
IRRUN_API void irrun_set_kernels(irrun_context *context, irrun_kernels kernels);
IRRUN_API irrun_kernels irrun_get_kernels(const irrun_context *context);
/* What makes a plan faster; of f32 it changes the last digits at most. Each can be left out, to see what it does. */
typedef enum irrun_pass {
  IRRUN_PASS_ONCE = 1,   /* what constants alone decide is computed, and weights are laid out, in the first run only */
  IRRUN_PASS_FUSE = 2,   /* a bias, an addition and activations are done with the product before them */
  IRRUN_PASS_LAYOUT = 4, /* tensors keep their channels last between convolutions */
  IRRUN_PASS_WIDEN = 8   /* networks of f16 or bf16 are computed in f32: what is between is rounded less often */
} irrun_pass;
/* `passes`: the sum of those to leave out in runs that are planned from then on; 0, the default: none. */
IRRUN_API void irrun_skip_passes(irrun_context *context, unsigned passes);
/* The most that a run may take beside the model and 1 MiB; more is IR004, before it is taken. 0, the default: half of
 * what is available when it is planned, to the system and to the control groups of the process. */
IRRUN_API void irrun_set_max_memory(irrun_context *context, size_t bytes);
/* The most time that one execution may take, by the monotonic clock; 0, the default: any. What takes longer ends with
 * IR705, between two pieces of work, or when a step of oneDNN is done. */
IRRUN_API void irrun_set_max_time(irrun_context *context, int64_t ns);
IRRUN_API int irrun_get_threads(const irrun_context *context); /* at least 1 */

/* Comma-separated ids or slugs. A warning or note: not shown. An error that can be allowed: a warning (of
 * IRRUN_UNSUPPORTED: not shown), and its rule's `allow` is done; one that cannot stays. IRRUN_USAGE for an unknown
 * rule, one that has only errors that cannot be allowed, and one that was denied. */
IRRUN_API irrun_status irrun_allow(irrun_context *context, const char *rules);
/* Warnings and notes of these rules become errors. IRRUN_USAGE for an unknown rule and one that was allowed. */
IRRUN_API irrun_status irrun_deny(irrun_context *context, const char *rules);
IRRUN_API void irrun_set_strict(irrun_context *context, bool strict); /* all warnings become errors */
/* Some rules say of many layers of a model the same: such a diagnostic is kept for the first layer, with the number of
 * the others (irrun_diagnostic.n_more), and counts as one. With `in_detail` every one is kept, and notes that are left
 * out otherwise too. */
IRRUN_API void irrun_set_detail(irrun_context *context, bool in_detail);

/* ---- diagnostics ---- */

typedef enum irrun_severity { IRRUN_NOTE, IRRUN_WARNING, IRRUN_ERROR } irrun_severity;

typedef struct irrun_diagnostic {
  size_t size;
  const char *rule, *slug; /* "IR304", "kernel-exceeds-input"; NULL in attached notes */
  irrun_severity severity;
  const char *message;
  const char *file;                             /* "" for the command line */
  int64_t line, column, end_column;             /* from 1, in code points; 0 when there is no such place */
  int64_t offset;                               /* in a binary file; -1 when there is none */
  const char *excerpt;                          /* text of the line, or NULL */
  int64_t excerpt_skipped;                      /* code points of the line before `excerpt` */
  const char *layer_id, *layer_name, *layer_op; /* NULL when it is about no layer */
  const char *const *layer_inside;              /* names of the layers in whose bodies it lies, the outermost first */
  int n_inside;
  const char *attribute; /* NULL when it is about none */
  const char *pointer;   /* of the place in JSON, "/0/ops/2/name"; NULL when there is none */
  const char *hint;      /* what to do, or NULL */
  int64_t n_notes;       /* attached: irrun_get_note */
  int64_t n_more;        /* other layers of the model of which the same is to be said: irrun_set_detail */
  int64_t model;         /* number of the model it belongs to, from 0 in the order of irrun_model_read */
  int64_t number;        /* its own, from 0 (also once cleared) in the order in which all were raised, kept or not */
} irrun_diagnostic;

typedef struct irrun_counts {
  int64_t errors, warnings, notes; /* all that were raised */
  int64_t kept; /* that irrun_get_diagnostic knows: of very many, errors before warnings, warnings before notes */
} irrun_counts;

IRRUN_API irrun_counts irrun_count(const irrun_context *context);
/* Sorted by model and place. False behind the last. */
IRRUN_API bool irrun_get_diagnostic(irrun_context *context, int64_t index, irrun_diagnostic *out);
IRRUN_API bool irrun_get_note(irrun_context *context, int64_t index, int64_t note, irrun_diagnostic *out);
/* One line of a diagnostic, or of a note, as the program prints it: "m.xml:7:5: error: .. [IR301 ..], layer 'pool'".
 * Writes at most `size` bytes with the NUL, cutting with "..."; returns `buffer`. NULL for the size of `diagnostic`. */
IRRUN_API const char *irrun_diagnostic_text(const irrun_diagnostic *diagnostic, char *buffer, size_t size);
/* Forgets all diagnostics and their counts, so that a context that lasts does not fill up: not before they were looked
 * at. irrun_worst, the numbers of models, and what was allowed and denied stay. */
IRRUN_API void irrun_clear_diagnostics(irrun_context *context);
/* The worst status of all errors so far, also of those that were cleared. */
IRRUN_API irrun_status irrun_worst(const irrun_context *context);

/* Reports a fault that the caller found, as the program does for its command line. `rule` is an id or a slug, `file`
 * may be NULL or "", `hint` NULL. Returns the rule's status, IRRUN_OK when the policy made it less than an error. */
IRRUN_API irrun_status irrun_fault(irrun_context *context, const char *rule, const char *file, const char *message,
                                   const char *hint);

/* ---- shapes and types ---- */

/* Element types. Later versions may have more, behind these. */
typedef enum irrun_element_type {
  IRRUN_DYNAMIC, /* not known */
  IRRUN_F32,
  IRRUN_F64,
  IRRUN_F16,
  IRRUN_BF16,
  IRRUN_I8,
  IRRUN_I16,
  IRRUN_I32,
  IRRUN_I64,
  IRRUN_U8,
  IRRUN_U16,
  IRRUN_U32,
  IRRUN_U64,
  IRRUN_BOOLEAN, /* a byte each, 0 or 1 */
  /* Of 1 to 8 bits, packed as in a .bin: u1 from the top of a byte, i4, u2, u4, nf4 and f4e2m1 from its bottom, 8 of u3
   * and 4 of u6 in three bytes. A run carries and converts them. */
  IRRUN_I4,
  IRRUN_U1,
  IRRUN_U2,
  IRRUN_U3,
  IRRUN_U4,
  IRRUN_U6,
  IRRUN_NF4,
  IRRUN_F8E4M3,
  IRRUN_F8E5M2,
  IRRUN_F8E8M0,
  IRRUN_F4E2M1,
  IRRUN_STRING /* of these there are no tensors */
} irrun_element_type;
/* As in an IR's `element_type`: "f32", "boolean"; NULL of IRRUN_DYNAMIC, and of a number that is no type. */
IRRUN_API const char *irrun_type_name(irrun_element_type type);

typedef struct irrun_shape {
  int rank; /* -1: unknown */
  struct {
    int64_t lo, hi;
  } dims[IRRUN_MAX_RANK]; /* lo == hi: known; hi == INT64_MAX: unbounded */
} irrun_shape;

#define IRRUN_SHAPE_TEXT 704 /* bytes that every shape's text fits in */
/* "[1,3,?,1..640]"; writes at most `size` bytes, returns `buffer`. */
IRRUN_API const char *irrun_shape_text(const irrun_shape *shape, char *buffer, size_t size);

/* ---- models ---- */

typedef struct irrun_model irrun_model;

/* IRRUN_TO_CONVERT: as for a check, but for what irrun_model_convert mends or leaves alone in an IR: IR301, IR302 and
 * IR210 are notes. */
typedef enum irrun_purpose { IRRUN_TO_CHECK, IRRUN_TO_RUN, IRRUN_TO_CONVERT } irrun_purpose;

/* Reads a model ("-" is stdin) and checks all of it: every independent fault becomes a diagnostic. `weights` NULL: the
 * .bin beside it. `*out_model` is NULL only when nothing could be read; a model with faults can be looked at, not run.
 * Returns the worst status of what was found. */
IRRUN_API irrun_status irrun_model_read(irrun_context *context, const char *path, const char *weights,
                                        irrun_purpose purpose, irrun_model **out_model);
/* The same with the shapes of inputs narrowed before all others are inferred. Each of `shapes`, which have to last for
 * this call only, is "[NAME=]1,3,?,1..640": NAME as irrun_match_name has it (else IR502), none for the only input. A
 * `?` leaves a size as the model has it, any other lies within the model's (IR503). IR801: text that is no shape, a
 * second one for the same input, or no name where there are several inputs. */
IRRUN_API irrun_status irrun_model_read_shaped(irrun_context *context, const char *path, const char *weights,
                                               irrun_purpose purpose, const char *const *shapes, size_t n_shapes,
                                               irrun_model **out_model);
typedef struct irrun_buffer {
  const void *data;
  size_t bytes;
} irrun_buffer;
/* The same of a model in memory: `text` is what its file would hold, and so is `weights` (NULL: no .bin), all of which
 * has to outlive the model and is not copied. `name` stands for the files in diagnostics. */
IRRUN_API irrun_status irrun_model_read_memory(irrun_context *context, const char *name, irrun_buffer text,
                                               const irrun_buffer *weights, irrun_purpose purpose,
                                               const char *const *shapes, size_t n_shapes, irrun_model **out_model);
IRRUN_API void irrun_model_free(irrun_model *model);

typedef struct irrun_conversion {
  size_t size;
  const char *weights; /* the .bin that was written, or is the model's own; NULL: none */
  int64_t bin_bytes;   /* of it; 0 when there is none */
  int64_t n_layers;    /* of an nGraph model: that were written; of an IR: that had a wrong port */
  int64_t n_ports;     /* of an IR: whose dims or precision were corrected */
  int64_t n_left_out;  /* of an nGraph model: nodes that no result needs */
} irrun_conversion;

/* Writes a model that was read with IRRUN_TO_CONVERT to `path`, which ends in .xml, with its constants in the .bin
 * beside that. An nGraph model as IR of version 11: IR213 where an IR cannot say it, IR214 where a value is another
 * there. An IR byte for byte as it is, but for the <dim>s and precisions of ports that inference corrects; its .bin is
 * copied, and it may be written over itself. A model with faults is not converted: its status is returned, nothing new
 * reported. */
IRRUN_API irrun_status irrun_model_convert(irrun_model *model, const char *path, irrun_conversion *out);

typedef struct irrun_model_info {
  size_t size;
  const char *path, *kind, *name; /* kind: "openvino-ir" or "ngraph-json" */
  const char *weights;            /* the file of its constants, NULL when there is none */
  int ir_version;
  int64_t n_layers, n_inputs, n_outputs; /* layers: those of bodies too */
  int64_t n_missing;                     /* layers of ops that irrun does not have */
  irrun_status status;
  int64_t errors, warnings;
} irrun_model_info;
IRRUN_API bool irrun_get_model(const irrun_model *model, irrun_model_info *out);

typedef struct irrun_layer {
  size_t size;
  const char *id, *name, *type, *opset;
  const char *const *inside; /* names of the layers in whose bodies it lies, the outermost first; until the next call */
  int n_inside;
  int version;                                 /* of the op, e.g. 1 for AvgPool-1; -1 when no opset has it */
  bool runnable, live;                         /* live: some output of the model needs it */
  int64_t owner, line, column;                 /* owner: number of the layer in whose body it lies, or -1 */
  int body, n_inputs, n_outputs, n_attributes; /* body: of the owner's; of an If 0 is then_body, 1 is else_body */
  int64_t cost;                                /* additions or comparisons of one run; -1 unknown */
  int64_t constant_bytes;                      /* of a Const; 0 otherwise */
  const char *formula; /* its shape rule with numbers, or NULL; lives until the next call for this model */
} irrun_layer;
/* In the order of the file; the layers of bodies (If, Loop, TensorIterator) behind those of the model itself. False
 * behind the last. */
IRRUN_API bool irrun_get_layer(irrun_model *model, int64_t index, irrun_layer *out);
/* *out_value is NULL where the file has something else than a value: of that there is a diagnostic. */
IRRUN_API bool irrun_get_layer_attribute(const irrun_model *model, int64_t layer, int attribute, const char **out_name,
                                         const char **out_value);

typedef enum irrun_declared {
  IRRUN_NOT_DECLARED,
  IRRUN_DECLARED_OK,
  IRRUN_DECLARED_DIFFERS,
  IRRUN_DECLARED_BELIEVED, /* irrun has not the op: what the file declares is taken */
  IRRUN_DECLARED_UNCHECKED /* what it should be is not known, for a fault was found before */
} irrun_declared;

typedef struct irrun_value {
  size_t size;
  irrun_element_type type;
  bool known; /* false: type and shape cannot be told, a fault stands before */
  irrun_shape shape;
  irrun_declared declared;
  irrun_element_type declared_type;
  irrun_shape declared_shape;
  const char *from_id; /* of an input: id of the layer that feeds it, NULL when not connected */
  int64_t from_layer;  /* its number, or -1 */
  int from_port;       /* number of the output there */
  int64_t bytes;       /* -1 when not known */
} irrun_value;
IRRUN_API bool irrun_get_layer_input(irrun_model *model, int64_t layer, int port, irrun_value *out);
IRRUN_API bool irrun_get_layer_output(irrun_model *model, int64_t layer, int port, irrun_value *out);

typedef enum irrun_side { IRRUN_INPUTS, IRRUN_OUTPUTS } irrun_side;

/* An input or output of the model, in the file's order. `name` is the one that reports use. */
typedef struct irrun_io {
  size_t size;
  const char *name;
  int64_t layer;     /* number of its Parameter or Result */
  irrun_value value; /* whose size is what `size` leaves it */
} irrun_io;
IRRUN_API bool irrun_get_io(irrun_model *model, irrun_side side, int64_t index, irrun_io *out);

/* Finds what the text before a `=` names (the longest name wins; tensor names, then layer names, then numbers).
 * `*out_rest` is the text behind the `=`, or all of `text` when it names nothing: then `*out_index` is -1. A name that
 * two share is IR801, which lists them. */
IRRUN_API irrun_status irrun_match_name(irrun_model *model, irrun_side side, const char *text, int64_t *out_index,
                                        const char **out_rest);
/* The whole text as a name; IR502 with the names there are when it is none. `file` says where the text comes from,
 * NULL: the command line. */
IRRUN_API irrun_status irrun_find_name(irrun_model *model, irrun_side side, const char *text, const char *file,
                                       int64_t *out_index);
/* A key that irrun_find_name and irrun_find_tensor resolve to this input or output alone: `name` of irrun_io; its
 * layer's name where `name` is ambiguous; else its number. NULL: there is no such input or output, or memory is out
 * (IR703). */
IRRUN_API const char *irrun_get_key(irrun_model *model, irrun_side side, int64_t index);

/* ---- tensors ---- */

typedef struct irrun_tensor irrun_tensor;
typedef struct irrun_tensor_info {
  irrun_element_type type;
  int rank;
  int64_t dims[IRRUN_MAX_RANK];
  int64_t elements;
  const void *data; /* row-major, native byte order */
  size_t bytes;
} irrun_tensor_info;
IRRUN_API irrun_tensor_info irrun_get_tensor(const irrun_tensor *tensor);
IRRUN_API void irrun_tensor_free(irrun_tensor *tensor);
/* Copies `bytes` of row-major, native data. */
IRRUN_API irrun_status irrun_tensor_create(irrun_context *context, irrun_element_type type, int rank,
                                           const int64_t *dims, const void *data, size_t bytes,
                                           irrun_tensor **out_tensor);
/* The same without a copy: `data` is read and never written, by irrun_run_plan and irrun_run_execute of a run that has
 * the tensor. Elements lie at multiples of their size and booleans are 0 or 1, else IRRUN_USAGE. */
IRRUN_API irrun_status irrun_tensor_borrow(irrun_context *context, irrun_element_type type, int rank,
                                           const int64_t *dims, const void *data, size_t bytes,
                                           irrun_tensor **out_tensor);
/* One element so that it reads back exactly ("%.9g", "%.17g", an integer, "nan", "inf"). Returns `buffer`. */
IRRUN_API const char *irrun_tensor_text(const irrun_tensor *tensor, int64_t index, char *buffer, size_t size);

typedef struct irrun_statistics {
  int64_t finite, nans, infinities;
  int64_t negative_infinities; /* of the infinities */
  double min, mean, max;       /* of the finite elements; 0 when there is none */
} irrun_statistics;
IRRUN_API irrun_statistics irrun_tensor_statistics(const irrun_tensor *tensor);

/* Tensor files. `.npy` and `.npz` are known by their first bytes; anything else is raw: little-endian, row-major,
 * exactly the bytes of `type` and `shape`, which may be IRRUN_DYNAMIC and NULL where raw bytes cannot be (IR507).
 * `type` also says that '<V2' is bf16, '<V1' a float of 8 bits. "-" is stdin. A file that is not in native order,
 * row-major, is copied; a plain one is mapped. */
typedef struct irrun_tensor_file irrun_tensor_file;
IRRUN_API irrun_status irrun_tensor_file_open(irrun_context *context, const char *path, irrun_tensor_file **out_file);
IRRUN_API void irrun_tensor_file_free(irrun_tensor_file *file);
/* Names of an .npz, -1 and NULL for a file of one tensor. */
IRRUN_API int64_t irrun_tensor_file_count(const irrun_tensor_file *file);
IRRUN_API const char *irrun_tensor_file_key(const irrun_tensor_file *file, int64_t index);
/* `index` counts the keys of an .npz, and is 0 for a file of one tensor. When the shape that the file tells cannot be
 * `shape` its elements are not read: the tensor has type and dims, but `data` is NULL. As an input it is IR503,
 * compared it is IR602. */
IRRUN_API irrun_status irrun_tensor_file_read(irrun_tensor_file *file, int64_t index, irrun_element_type type,
                                              const irrun_shape *shape, irrun_tensor **out_tensor);

/* `kind`: random[:SEED], zeros, ones, iota, LO..HI[:SEED], or a number. The same values on every machine. */
IRRUN_API irrun_status irrun_tensor_fill(irrun_context *context, const char *kind, irrun_element_type type, int rank,
                                         const int64_t *dims, irrun_tensor **out_tensor);

/* Writes one tensor in the form that the suffix of `path` tells: .npy, .npz, .raw or .bin; an .npz has `name` as the
 * key. A regular file is written beside its final place and renamed. */
IRRUN_API irrun_status irrun_tensor_write(irrun_context *context, const irrun_tensor *tensor, const char *name,
                                          const char *path);
/* Writes an .npz with these keys. */
IRRUN_API irrun_status irrun_archive_write(irrun_context *context, int64_t n, const irrun_tensor *const *tensors,
                                           const char *const *names, const char *path);
/* ---- runs ---- */

typedef struct irrun_run irrun_run;
/* A run of a model without faults (others: their status, nothing new is reported). The model has to outlive it. */
IRRUN_API irrun_status irrun_run_create(irrun_model *model, irrun_run **out_run);
IRRUN_API void irrun_run_free(irrun_run *run);
/* Gives the run an input and takes the tensor, also on failure; then, and for NULL, the input is not set any more.
 * `cast`: convert another element type, else IR504. `file` names where it comes from, for messages. */
IRRUN_API irrun_status irrun_run_set_input(irrun_run *run, int64_t input, irrun_tensor *tensor, bool cast,
                                           const char *file);
/* Asks for an output; when none is asked for, all are. */
IRRUN_API irrun_status irrun_run_request_output(irrun_run *run, int64_t output);
IRRUN_API void irrun_run_request_all(irrun_run *run); /* as if none had been asked for */
/* Sets the memory that irrun_run_execute writes an output to; `data` NULL: the run's own again. It overlaps no
 * input and no other output, and has the bytes that irrun_run_output_info tells, at a multiple of the element's size:
 * else it is IRRUN_USAGE. An output that is an input, is decided by constants, or is a second output too, is copied
 * there.
 */
IRRUN_API irrun_status irrun_run_set_output(irrun_run *run, int64_t output, void *data, size_t bytes);
/* Type, dims and bytes (`data` is NULL) that an output will have. False when it was not asked for, or the run is not
 * planned: after irrun_run_plan when all its inputs are set, it is. */
IRRUN_API bool irrun_run_output_info(irrun_run *run, int64_t output, irrun_tensor_info *out);
/* True when some asked-for output needs this input, so that it has to be set. */
IRRUN_API bool irrun_run_needs(irrun_run *run, int64_t input);
/* Plans the run, when its inputs are set or all shapes are known without, so that one that takes too much memory
 * (IR004) is refused before there are inputs. Else it looks at the sizes of the inputs only, as far as they are known.
 * It need not be called: irrun_run_execute plans what is not planned. */
IRRUN_API irrun_status irrun_run_plan(irrun_run *run);
/* Computes the asked-for outputs. May be called again, also after other inputs were set; with inputs of the same shapes
 * it then takes no memory, and the outputs lie where they lay. What changed in a borrowed tensor since is seen; of
 * what another thread changes meanwhile some is. */
IRRUN_API irrun_status irrun_run_execute(irrun_run *run);
/* Variables of the model (ReadValue, Assign) keep what an execution assigns for the next one. This forgets it: the next
 * execution starts with the values that they have at first. */
IRRUN_API void irrun_run_reset_state(irrun_run *run);
/* Ends the execution that is going on, or else the next one: with IR705, as irrun_set_max_time has it, and the run can
 * be executed again. Any thread may call it, and a signal handler, for as long as the run lives. */
IRRUN_API void irrun_run_cancel(irrun_run *run);
/* `call` is called about ten times a second while an execution lasts, in its thread: it may cancel that, and use the
 * context for nothing else. NULL: no more. */
IRRUN_API void irrun_run_meanwhile(irrun_run *run, void (*call)(void *user), void *user);
/* NULL when it was not computed; lives until the next irrun_run_set_input or irrun_run_execute, or the run's end. */
IRRUN_API const irrun_tensor *irrun_run_output(const irrun_run *run, int64_t output);

/* ---- measuring ---- */

/* One kernel call of a run, in the order of execution. A layer may take several, or none. */
typedef struct irrun_step {
  size_t size;
  int64_t layer;                     /* its number, as in irrun_get_layer */
  const char *kernel, *isa;          /* "average_f32", "any" */
  int64_t start_ns, duration_ns;     /* by CLOCK_MONOTONIC; 0 when the run was not profiled */
  int64_t read_bytes, written_bytes; /* of all tensors that it reads and writes */
} irrun_step;

IRRUN_API void irrun_run_profile(irrun_run *run, bool on); /* the next executions note the times of their steps */
/* Executions warn once of a maximum whose window holds no number (IR321). Off at first: a MaxPool takes longer so. */
IRRUN_API void irrun_run_watch(irrun_run *run, bool on);
/* Of the last irrun_run_execute. False behind the last. */
IRRUN_API bool irrun_get_step(const irrun_run *run, int64_t index, irrun_step *out);

/* ---- comparing ---- */

typedef struct irrun_tolerance {
  double atol, rtol; /* |got - expected| <= atol + rtol * |expected|; negative: the default of the type */
  int64_t ulp;       /* or at most this far; negative: not used */
} irrun_tolerance;

typedef struct irrun_comparison {
  size_t size;
  bool comparable; /* shapes and types agree, so that the rest is filled */
  bool match;
  bool default_tolerance; /* the tolerances that were used are those of the type */
  int64_t count, mismatched;
  double atol, rtol; /* that were used */
  int64_t ulp;       /* -1: not used */
  int rank;
  int64_t worst_index[IRRUN_MAX_RANK], first_index[IRRUN_MAX_RANK];
  char worst_got[40], worst_expected[40];
  double worst_abs, worst_rel;       /* infinite when a NaN or infinity stands on one side only */
  int64_t worst_ulp;                 /* -1: no number of ulps, e.g. NaN against a number */
  double abs_mean, abs_p99, abs_max; /* of the elements where both are finite */
  double max_rel;                    /* likewise, where the expected one is not 0 */
  int64_t ulp_p50, ulp_p99, ulp_max; /* likewise; here and above INT64_MAX: so many or more */
  int64_t not_finite;                /* elements where only one side is finite, or infinities or NaN differ */
  /* The smallest single tolerance that would pass, the others unchanged; negative: none would. */
  double needed_atol, needed_rtol;
  int64_t needed_ulp;
  /* All mismatches share an index on these axes: where[axis] is that index, -1 otherwise. */
  int64_t where[IRRUN_MAX_RANK];
  bool where_is_border; /* some shared index is the first or last of a spatial axis that has more */
} irrun_comparison;

/* Compares and reports IR601 to IR604 as `name`; what was said before of the model read last and may be the cause is a
 * note there. `file` is where the expected values come from. `cast`: convert them from another element type, else
 * IR603. */
IRRUN_API irrun_status irrun_compare(irrun_context *context, const char *name, const char *file,
                                     const irrun_tensor *got, const irrun_tensor *expected, bool cast,
                                     irrun_tolerance tolerance, irrun_comparison *out);
/* Gets each element that is not equal: `gap` is |got - expected|, infinite where a NaN or an infinity stands on one
 * side only; `agrees`: it is within the tolerance. */
typedef void irrun_see_difference(void *user, int64_t index, double gap, bool agrees);

#ifdef __cplusplus
}
#endif

#endif
