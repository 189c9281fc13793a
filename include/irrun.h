/* irrun: read, check and run OpenVINO IR models. irrun_compare.h, irrun_debug.h and irrun_program.h have more calls.
 *
 * Names are irrun_OBJECT_verb. Handles are opaque. Use a context, and everything made with it, in one thread at a time;
 * a model alone may have runs of other contexts in other threads (irrun_run_create_in).
 * A call that can fail returns an irrun_status and adds diagnostics to the context. Out parameters come last and are
 * empty after a failure. Text lives as long as the handle that it came from.
 *
 * All contexts of a process share this state, which stays until the process ends:
 * - the random keys of hash tables, drawn before main
 * - libxml2's globals, set up by the first model; a call puts back the error handlers of its thread
 * - oneDNN's module, loaded by the first run that needs it: its engine, its cache of compiled primitives, whose
 *   capacity becomes 64, a team of OpenMP threads for each calling thread, and a fork handler that ends such a team.
 *   GOMP_SPINCOUNT is set in the environment while the module loads, unless it or OMP_WAIT_POLICY is set.
 *
 * A struct whose first member is `size` may grow at its end in later versions; other structs do not change. Set `size`
 * before every call, also where the call fills the struct: irrun_layer layer = {.size = sizeof layer}. A program that
 * was compiled with an older header passes a smaller struct: the members that it lacks are not written, and count as 0.
 * A `size` of 0, above the library's own, or too small for what the call reads is refused: the call returns
 * IRRUN_USAGE, false or NULL, and reports IR801 if it has a context. */
#ifndef IRRUN_H
#define IRRUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define IRRUN_VERSION        "0.2.0"
#define IRRUN_VERSION_NUMBER 200 /* 10000 * major + 100 * minor + patch */
#define IRRUN_MAX_RANK       16
#define IRRUN_MAX_THREADS    256

#if defined(IRRUN_BUILD)
#define IRRUN_API __attribute__((visibility("default")))
#else
#define IRRUN_API
#endif
/* The compiler warns where a program does not use the result: a status, or a handle that has to be freed. */
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#define IRRUN_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define IRRUN_NODISCARD __attribute__((warn_unused_result))
#else
#define IRRUN_NODISCARD
#endif

/* The cause of a failure. The program uses these numbers as its exit statuses. */
typedef enum irrun_status {
  IRRUN_OK = 0,
  IRRUN_DIFFERS = 1,     /* an output is not as expected */
  IRRUN_USAGE = 2,       /* wrong call or command line */
  IRRUN_INVALID = 3,     /* the model breaks the specification */
  IRRUN_UNSUPPORTED = 4, /* the model is valid, but irrun cannot run it */
  IRRUN_BAD_DATA = 5,    /* an input tensor is wrong */
  IRRUN_IO = 6,          /* a file, memory, time or another resource */
  IRRUN_INTERNAL = 70    /* a bug of irrun */
} irrun_status;
/* "ok", "differs", "bad-data": the constant's name in lower case. NULL for any other number. */
IRRUN_API const char *irrun_status_name(irrun_status status);
/* The worse of two statuses, from the worst: 70, 2, 6, 3, 4, 5, 1, 0. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_status_worse(irrun_status a, irrun_status b);

/* IRRUN_VERSION and IRRUN_VERSION_NUMBER of the library in use; the macros are those of this header. */
IRRUN_API const char *irrun_version(void);
IRRUN_API int irrun_version_number(void);

/* ---- context ---- */

typedef struct irrun_context irrun_context;

/* `alloc` returns blocks aligned like malloc's, or NULL when memory is out; `release` accepts NULL. libxml2, cJSON,
 * oneDNN and OpenMP use their own allocators. */
typedef struct irrun_allocator {
  size_t size;
  void *(*alloc)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} irrun_allocator;

/* `allocator` NULL: malloc and free. Returns NULL when memory is out, or the allocator's `size` is wrong. */
IRRUN_NODISCARD IRRUN_API irrun_context *irrun_context_create(const irrun_allocator *allocator);
/* Every handle that was made with the context has to be freed before. */
IRRUN_API void irrun_context_free(irrun_context *context);

/* Sets the number of threads of a run, including the caller's. 0, the default: one per physical core that the process
 * may use, by CPU affinity and by the CPU quota of its control group. Small work stays in the caller's thread. The
 * plain kernels give the same bytes with any number. The first run that needs them starts the threads; they block all
 * signals and end with the context. oneDNN's threads take the caller's signals and end with its thread. After a fork
 * both processes may use the context, unless a call was using it. IRRUN_USAGE: `n` is not in 0..IRRUN_MAX_THREADS. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_set_threads(irrun_context *context, int n);
IRRUN_API int irrun_context_get_threads(const irrun_context *context); /* at least 1 */
/* FAST, the default: oneDNN computes convolutions and matrix products of f32, if its module is installed, and vector
 * kernels compute LSTM, GRU and RNN. PLAIN: irrun's plain kernels compute them. Sums have another order, so the last
 * digits may differ. Applies to runs that are planned later. */
typedef enum irrun_kernels { IRRUN_KERNELS_FAST, IRRUN_KERNELS_PLAIN } irrun_kernels;
IRRUN_API void irrun_context_set_kernels(irrun_context *context, irrun_kernels kernels);
IRRUN_API irrun_kernels irrun_context_get_kernels(const irrun_context *context);
/* Passes that make a plan faster. They change the last digits of f32 at most. */
typedef enum irrun_pass {
  IRRUN_PASS_WIDEN = 1, /* networks of f16 or bf16 are computed in f32: what is between is rounded less often */
  IRRUN_PASS_FOLD = 2,  /* what constants alone decide is computed, and weights are laid out, once for a model */
  IRRUN_PASS_FUSE = 4,  /* a scale, a bias, an addition and activations are done with the product before them */
  IRRUN_PASS_LAYOUT = 8 /* tensors keep their channels last between convolutions */
} irrun_pass;
/* Skips passes in runs that are planned later. `passes` is the sum of their irrun_pass; 0, the default: none. */
IRRUN_API void irrun_context_skip_passes(irrun_context *context, unsigned passes);
/* Limits the memory of a run, not counting the model and 1 MiB. IR004 refuses a run that needs more before it takes the
 * memory. 0, the default: half of the memory that the system and the control groups of the process have available when
 * the run is planned. */
IRRUN_API void irrun_context_set_max_memory(irrun_context *context, size_t bytes);
/* Limits the time of one execution, by the monotonic clock. 0, the default: no limit. IR705 ends a longer one, between
 * two pieces of work or after a step of oneDNN. */
IRRUN_API void irrun_context_set_max_time(irrun_context *context, int64_t ns);

/* `rules` are ids or slugs, separated by commas. An allowed warning or note is not shown. An allowed error becomes a
 * warning (IRRUN_UNSUPPORTED: is not shown) and its rule's `allow` is done, unless the error cannot be allowed.
 * IRRUN_USAGE: a rule is unknown, was denied, or has only errors that cannot be allowed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_allow(irrun_context *context, const char *rules);
/* Makes errors of the warnings and notes of these rules. IRRUN_USAGE: a rule is unknown or was allowed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_deny(irrun_context *context, const char *rules);
/* Makes errors of all warnings. */
IRRUN_API void irrun_context_set_strict(irrun_context *context, bool strict);
/* A finding that repeats in many layers of a model is one diagnostic, for the first layer, with the number of the other
 * layers (irrun_diagnostic.n_more). With `in_detail` each layer has its own, and minor notes are kept too. */
IRRUN_API void irrun_context_set_detail(irrun_context *context, bool in_detail);

/* ---- diagnostics ---- */

typedef enum irrun_severity { IRRUN_NOTE, IRRUN_WARNING, IRRUN_ERROR } irrun_severity;

typedef struct irrun_diagnostic {
  size_t size;
  const char *rule, *slug; /* "IR304", "kernel-exceeds-input"; NULL in attached notes */
  irrun_severity severity;
  const char *message;
  const char *file;                             /* "" for the command line */
  int64_t line, column, end_column;             /* from 1, in code points; 0: there is no such place */
  int64_t offset;                               /* in a binary file; or -1 */
  const char *excerpt;                          /* text of the line, or NULL */
  int64_t excerpt_skipped;                      /* code points of the line before `excerpt` */
  const char *layer_id, *layer_name, *layer_op; /* or NULL */
  const char *const *layer_inside;              /* names of the layers whose bodies contain it, from the outermost */
  int n_inside;
  const char *attribute; /* or NULL */
  const char *pointer;   /* the place in JSON, "/0/ops/2/name"; or NULL */
  const char *hint;      /* what to do, or NULL */
  int64_t n_notes;       /* attached notes, see irrun_context_get_note */
  int64_t n_more;        /* other layers with the same finding, see irrun_context_set_detail */
  int64_t model;         /* number of the model, from 0, in the order of irrun_model_read */
  int64_t number;        /* counts all diagnostics since the last clearing, from 0, kept or not */
} irrun_diagnostic;

typedef struct irrun_counts {
  int64_t errors, warnings, notes; /* all that were reported */
  int64_t kept; /* diagnostics that irrun_context_get_diagnostic returns: errors are kept longest, then warnings */
} irrun_counts;

IRRUN_API irrun_counts irrun_context_count(const irrun_context *context);
/* Gets a diagnostic by its index, sorted by model and place. False after the last. */
IRRUN_API bool irrun_context_get_diagnostic(irrun_context *context, int64_t index, irrun_diagnostic *out);
IRRUN_API bool irrun_context_get_note(irrun_context *context, int64_t index, int64_t note, irrun_diagnostic *out);
/* A diagnostic or note as the program prints it, in one line: "m.xml:7:5: error: .. [IR301 ..], layer 'pool'". Writes
 * at most `size` bytes with the NUL, "..." ends a text that was cut, and returns `buffer`; NULL if the diagnostic's
 * `size` is wrong. */
IRRUN_API const char *irrun_diagnostic_text(const irrun_diagnostic *diagnostic, char *buffer, size_t size);
/* The error reported last, as irrun_diagnostic_text has it; "" if there is none since the last clearing. A long text
 * ends in "...". Lives until the next call with the context. */
IRRUN_API const char *irrun_context_last_error(irrun_context *context);
/* Forgets all diagnostics and their counts, so that they do not fill the memory of a context that is used for long.
 * irrun_context_worst, the numbers of models and the policy (allow, deny) stay. */
IRRUN_API void irrun_context_clear_diagnostics(irrun_context *context);
/* The worst status of all errors so far, cleared ones too. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_worst(const irrun_context *context);

/* Reports a fault that the caller found, as the program does for its command line. `rule` is an id or a slug; `file`
 * may be NULL or "", `hint` NULL. Returns the rule's status, or IRRUN_OK when it is no error (allow, deny). */
IRRUN_API irrun_status irrun_context_report(irrun_context *context, const char *rule, const char *file,
                                            const char *message, const char *hint);

/* ---- types and shapes ---- */

/* Element types. Later versions may add types at the end. */
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
  IRRUN_BOOLEAN, /* one byte, 0 or 1 */
  /* 1 to 8 bits, packed as in a .bin: u1 starts at the top of a byte; i4, u2, u4, nf4 and f4e2m1 start at its bottom;
   * three bytes hold 8 elements of u3 or 4 of u6. A run passes them on and converts them. */
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
  IRRUN_STRING /* has no tensors */
} irrun_element_type;
/* The name in an IR's `element_type`: "f32", "boolean". NULL for IRRUN_DYNAMIC and for a number that is no type. */
IRRUN_API const char *irrun_type_name(irrun_element_type type);

typedef struct irrun_shape {
  int rank; /* -1: unknown */
  struct {
    int64_t lo, hi;
  } dims[IRRUN_MAX_RANK]; /* lo == hi: known; hi == INT64_MAX: unbounded */
} irrun_shape;

#define IRRUN_SHAPE_TEXT 704 /* bytes that every shape's text fits in */
/* "[1,3,?,1..640]". Writes at most `size` bytes with the NUL, returns `buffer`. */
IRRUN_API const char *irrun_shape_text(const irrun_shape *shape, char *buffer, size_t size);

/* ---- models ---- */

typedef struct irrun_model irrun_model;

/* IRRUN_TO_CONVERT checks like IRRUN_TO_CHECK, but some rules are notes: IR301 and IR302, which irrun_model_convert
 * corrects in an IR, and IR210, for it need not run the model. */
typedef enum irrun_purpose { IRRUN_TO_CHECK, IRRUN_TO_RUN, IRRUN_TO_CONVERT } irrun_purpose;

/* Reads a model ("-": stdin) and checks all of it: each independent fault becomes a diagnostic. `weights` NULL: the
 * .bin beside it. Returns the worst status of the faults. A model with faults can be inspected, but not run;
 * `*out_model` is NULL only when nothing could be read. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_read(irrun_context *context, const char *path, const char *weights,
                                                        irrun_purpose purpose, irrun_model **out_model);
/* Reads a model with other shapes of its inputs. Each of `shapes` is "[NAME=]1,3,?,1..640"; the texts need not outlive
 * the call. NAME is resolved by irrun_model_match_name (else IR502) and may be left out for an only input. `?` keeps
 * the model's size; any other size lies within the model's (else IR503). IR801: a text is no shape, an input has two
 * shapes, or the name is missing where there are several inputs. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_read_shaped(irrun_context *context, const char *path,
                                                               const char *weights, irrun_purpose purpose,
                                                               const char *const *shapes, size_t n_shapes,
                                                               irrun_model **out_model);
typedef struct irrun_buffer {
  const void *data;
  size_t bytes;
} irrun_buffer;
/* Reads a model from memory: `text` and `weights` (NULL: no .bin) are the contents of its files. They are not copied
 * and have to outlive the model. `name` stands for the files in diagnostics. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_read_memory(irrun_context *context, const char *name,
                                                               irrun_buffer text, const irrun_buffer *weights,
                                                               irrun_purpose purpose, const char *const *shapes,
                                                               size_t n_shapes, irrun_model **out_model);
IRRUN_API void irrun_model_free(irrun_model *model);

typedef struct irrun_conversion {
  size_t size;
  const char *weights; /* the .bin: written, or the model's own; NULL: none */
  int64_t bin_bytes;   /* its size; 0: none */
  int64_t n_layers;    /* nGraph: layers that were written; IR: layers with a corrected port */
  int64_t n_ports;     /* IR: ports whose dims or precision were corrected */
  int64_t n_left_out;  /* nGraph: nodes that no result needs */
} irrun_conversion;

/* Writes a model that was read with IRRUN_TO_CONVERT to `path`, which ends in .xml, and its constants to the .bin
 * beside it. An nGraph model becomes an IR of version 11 (IR213: an IR cannot express it; IR214: some values differ
 * there). An IR stays the same byte for byte, except the <dim>s and precisions that inference corrects; its .bin is
 * copied, and it may replace itself. A model with faults is not converted: the call returns its status and reports
 * nothing. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_convert(irrun_model *model, const char *path, irrun_conversion *out);

typedef struct irrun_model_info {
  size_t size;
  const char *path, *kind, *name; /* kind: "openvino-ir" or "ngraph-json" */
  const char *weights;            /* the file of its constants, or NULL */
  int ir_version;
  int64_t n_layers, n_inputs, n_outputs; /* n_layers includes layers of bodies */
  int64_t n_missing;                     /* layers whose op irrun does not have */
  irrun_status status;
  int64_t errors, warnings;
} irrun_model_info;
IRRUN_API bool irrun_model_get_info(const irrun_model *model, irrun_model_info *out);

typedef struct irrun_layer {
  size_t size;
  const char *id, *name, *type, *opset;
  const char *const *inside; /* names of the layers whose bodies contain it, from the outermost; until the next call */
  int n_inside;
  int version;                                 /* of the op: 1 for AvgPool-1; -1: no opset has it */
  bool runnable, live;                         /* live: an output of the model needs it */
  int64_t owner, line, column;                 /* owner: number of the layer whose body contains it, or -1 */
  int body, n_inputs, n_outputs, n_attributes; /* body: of the owner; an If has 0, then_body, and 1, else_body */
  int64_t cost;                                /* additions or comparisons of one run; -1: unknown */
  int64_t constant_bytes;                      /* of a Const; else 0 */
  const char *formula; /* the shape rule with its numbers, or NULL; until the next call for this model */
} irrun_layer;
/* In the order of the file; layers of bodies (If, Loop, TensorIterator) after those of the model itself. False after
 * the last. */
IRRUN_API bool irrun_model_get_layer(irrun_model *model, int64_t index, irrun_layer *out);
/* `*out_value` is NULL if the file has something other than a value there, which is reported when it is read. */
IRRUN_API bool irrun_model_get_layer_attribute(const irrun_model *model, int64_t layer, int attribute,
                                               const char **out_name, const char **out_value);

/* Compares the type and shape that a file declares for an output with those that irrun infers. */
typedef enum irrun_declared {
  IRRUN_NOT_DECLARED,
  IRRUN_DECLARED_OK,
  IRRUN_DECLARED_DIFFERS,
  IRRUN_DECLARED_BELIEVED, /* irrun does not have the op and assumes the declaration */
  IRRUN_DECLARED_UNCHECKED /* an earlier fault prevents the inference */
} irrun_declared;

typedef struct irrun_value {
  size_t size;
  irrun_element_type type;
  bool known; /* false: an earlier fault hides type and shape */
  irrun_shape shape;
  irrun_declared declared;
  irrun_element_type declared_type;
  irrun_shape declared_shape;
  const char *from_id; /* input: id of the layer that produces it; NULL: not connected */
  int64_t from_layer;  /* input: number of that layer, or -1 */
  int from_port;       /* input: number of the output there */
  int64_t bytes;       /* -1: unknown */
} irrun_value;
IRRUN_API bool irrun_model_get_layer_input(irrun_model *model, int64_t layer, int port, irrun_value *out);
IRRUN_API bool irrun_model_get_layer_output(irrun_model *model, int64_t layer, int port, irrun_value *out);

typedef enum irrun_side { IRRUN_INPUTS, IRRUN_OUTPUTS } irrun_side;

/* An input or output of the model, in the order of the file. Reports use `name`. */
typedef struct irrun_io {
  size_t size;
  const char *name;
  int64_t layer;     /* number of its Parameter or Result */
  irrun_value value; /* its size is the rest of `size` */
} irrun_io;
IRRUN_API bool irrun_model_get_io(irrun_model *model, irrun_side side, int64_t index, irrun_io *out);

/* Finds the input or output that the text before a `=` names: by tensor name, else by layer name, else by number; the
 * longest name wins. `*out_rest` is the text after the `=`. If nothing has the name, `*out_index` is -1 and `*out_rest`
 * is `text`. IR801: the name is ambiguous; the message lists its meanings. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_match_name(irrun_model *model, irrun_side side, const char *text,
                                                              int64_t *out_index, const char **out_rest);
/* Finds the input or output that `text` names. IR502, with the names that exist: there is none. `file` is the origin of
 * the text, for messages; NULL: the command line. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_find_name(irrun_model *model, irrun_side side, const char *text,
                                                             const char *file, int64_t *out_index);
/* A key that irrun_model_find_name and irrun_model_find_tensor resolve to this input or output only: `name` of
 * irrun_io, else its layer's name, else its number. NULL: there is no such input or output, or IR703.
 */
IRRUN_API const char *irrun_model_get_key(irrun_model *model, irrun_side side, int64_t index);

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
IRRUN_API irrun_tensor_info irrun_tensor_get_info(const irrun_tensor *tensor);
IRRUN_API void irrun_tensor_free(irrun_tensor *tensor);
/* Copies `bytes` of row-major, native data. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_create(irrun_context *context, irrun_element_type type, int rank,
                                                           const int64_t *dims, const void *data, size_t bytes,
                                                           irrun_tensor **out_tensor);
/* Uses `data` without a copy. irrun_run_plan and irrun_run_execute of a run with this tensor read it; nothing writes
 * it. IRRUN_USAGE: elements are not at multiples of their size, or a boolean is not 0 or 1. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_borrow(irrun_context *context, irrun_element_type type, int rank,
                                                           const int64_t *dims, const void *data, size_t bytes,
                                                           irrun_tensor **out_tensor);
/* One element as text that reads back exactly ("%.9g", "%.17g", an integer, "nan", "inf"). Returns `buffer`. */
IRRUN_API const char *irrun_tensor_text(const irrun_tensor *tensor, int64_t index, char *buffer, size_t size);

typedef struct irrun_statistics {
  int64_t finite, nans, infinities;
  int64_t negative_infinities; /* counted in `infinities` too */
  double min, mean, max;       /* of the finite elements; 0: there are none */
} irrun_statistics;
IRRUN_API irrun_statistics irrun_tensor_statistics(const irrun_tensor *tensor);

/* Tensor files ("-": stdin). The first bytes tell a .npy and a .npz. Any other file is raw: little-endian, row-major,
 * exactly as long as `type` and `shape` say; IR507 refuses it where these are IRRUN_DYNAMIC or NULL. `type` decides as
 * well that '<V2' is bf16, and which float of 8 bits '<V1' is. A file in native order and row-major is mapped, any
 * other is copied. */
typedef struct irrun_tensor_file irrun_tensor_file;
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_file_open(irrun_context *context, const char *path,
                                                              irrun_tensor_file **out_file);
IRRUN_API void irrun_tensor_file_free(irrun_tensor_file *file);
/* The number of keys of a .npz, and each key; for a file of one tensor -1 and NULL. */
IRRUN_API int64_t irrun_tensor_file_count(const irrun_tensor_file *file);
IRRUN_API const char *irrun_tensor_file_key(const irrun_tensor_file *file, int64_t index);
/* `index` is the key's in a .npz, 0 for a file of one tensor. If the file's shape does not match `shape`, no elements
 * are read and the tensor's `data` is NULL: as an input it is IR503, in a comparison IR602. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_file_read(irrun_tensor_file *file, int64_t index,
                                                              irrun_element_type type, const irrun_shape *shape,
                                                              irrun_tensor **out_tensor);

/* `kind`: random[:SEED], zeros, ones, iota, LO..HI[:SEED], or a number. Every machine gets the same values. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_fill(irrun_context *context, const char *kind,
                                                         irrun_element_type type, int rank, const int64_t *dims,
                                                         irrun_tensor **out_tensor);

/* Writes one tensor in the format of the path's suffix: .npy, .npz, .raw or .bin. `name` is the key in a .npz. A
 * regular file is written under another name and renamed when it is complete. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_write(irrun_context *context, const irrun_tensor *tensor,
                                                          const char *name, const char *path);
/* Writes `n` tensors to a .npz; `names` are their keys. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_write(irrun_context *context, int64_t n,
                                                           const irrun_tensor *const *tensors, const char *const *names,
                                                           const char *path);

/* ---- runs ---- */

typedef struct irrun_run irrun_run;
/* Makes a run of a model, which has to outlive it. A model with faults: returns its status and reports nothing. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_create(irrun_model *model, irrun_run **out_run);
/* Makes a run with a context of its own: threads, kernels, passes, limits and diagnostics are the context's. So a model
 * is read once and run by many threads, one context each. They share the constants, as folded and laid out, which the
 * allocator of the model's context provides in all of these threads. No other call may use the model meanwhile. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_create_in(irrun_context *context, irrun_model *model,
                                                           irrun_run **out_run);
IRRUN_API void irrun_run_free(irrun_run *run);
/* Sets an input. The run owns the tensor from then on, also after a failure. A failure, and NULL, unset the input.
 * `cast`: convert another element type, else IR504. `file` is the tensor's origin, for messages. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_set_input(irrun_run *run, int64_t input, irrun_tensor *tensor,
                                                           bool cast, const char *file);
/* Requests an output. Without any request a run computes all outputs. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_request_output(irrun_run *run, int64_t output);
IRRUN_API void irrun_run_request_all(irrun_run *run); /* forgets the requests */
/* Sets the memory that irrun_run_execute writes an output to; `data` NULL: the run's own. IRRUN_USAGE: it overlaps an
 * input or another output, is not at a multiple of the element's size, or has not as many bytes as
 * irrun_run_output_info says. An output that is also an input, a constant or a second output is copied there. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_set_output(irrun_run *run, int64_t output, void *data, size_t bytes);
/* Type, dims and bytes that an output will have; `data` is NULL. False: the output is not requested, or the run is not
 * planned. irrun_run_plan plans it if all its inputs are set. */
IRRUN_API bool irrun_run_output_info(irrun_run *run, int64_t output, irrun_tensor_info *out);
/* Whether a requested output needs this input, so that it has to be set. */
IRRUN_API bool irrun_run_needs(irrun_run *run, int64_t input);
/* Plans the run if its inputs are set, or all shapes are known without them: a run that needs too much memory is
 * refused (IR004) before it has inputs. Otherwise checks the sizes of the inputs as far as they are known. Optional:
 * irrun_run_execute plans too. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_plan(irrun_run *run);
/* Computes the requested outputs. Another execution with inputs of the same shapes takes no memory, and its outputs
 * have the same addresses. It reads borrowed tensors anew; changes by another thread meanwhile are seen in part. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_execute(irrun_run *run);
/* Sets the variables of the model (ReadValue, Assign), which last from one execution to the next, back to their initial
 * values. */
IRRUN_API void irrun_run_reset_state(irrun_run *run);
/* Ends the current execution, or else the next one, with IR705, like irrun_context_set_max_time. The run can be
 * executed again. Any thread or signal handler may call it while the run exists. */
IRRUN_API void irrun_run_cancel(irrun_run *run);
/* Executions call `call` about ten times a second in their own thread. It may cancel the run, and use the context for
 * nothing else. NULL: stop calling. */
IRRUN_API void irrun_run_meanwhile(irrun_run *run, void (*call)(void *user), void *user);
/* The computed output; NULL: not computed. Lives until the next irrun_run_set_input or irrun_run_execute, or the end of
 * the run. */
IRRUN_API const irrun_tensor *irrun_run_output(const irrun_run *run, int64_t output);

/* ---- measuring ---- */

/* One kernel call of a run, in the order of execution. A layer may have several or none. */
typedef struct irrun_step {
  size_t size;
  int64_t layer;                     /* number for irrun_model_get_layer */
  const char *kernel, *isa;          /* "average_f32", "any" */
  int64_t start_ns, duration_ns;     /* by CLOCK_MONOTONIC; 0: the run was not profiled */
  int64_t read_bytes, written_bytes; /* of all tensors that it reads and writes */
} irrun_step;

/* Whether the next executions measure the times of their steps. */
IRRUN_API void irrun_run_profile(irrun_run *run, bool on);
/* Whether executions warn (IR321) of a maximum over a window without numbers. Off at first: it slows down MaxPool. */
IRRUN_API void irrun_run_watch(irrun_run *run, bool on);
/* A step of the last irrun_run_execute. False after the last. */
IRRUN_API bool irrun_run_get_step(const irrun_run *run, int64_t index, irrun_step *out);

#ifdef __cplusplus
}
#endif

#endif
