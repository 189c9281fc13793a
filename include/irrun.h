/* irrun reads, checks and runs OpenVINO IR models. More: irrun_compare.h, _debug.h, _state.h, _stats.h, _program.h.
 *
 * Functions are named irrun_OBJECT_verb. Handles are opaque. Use a context and all objects made with it in one thread
 * at a time. Several threads can run one model, each with a context of its own (irrun_run_create_in).
 * A call that can fail returns an irrun_status and adds diagnostics to the context. Out parameters come last and are
 * empty after a failure. If its comment says nothing else, a returned text lives as long as the handle of the call.
 *
 * All contexts of a process share this state, which stays until the process ends:
 * - the random keys of hash tables, read before main
 * - libxml2's globals, set up by the first model. A call restores the error handlers of its thread, if it changes them.
 * - oneDNN's module, loaded when a run first needs it. Its cache of compiled primitives gets a capacity of 64.
 * - OpenMP threads for oneDNN: a team for each calling thread. A fork handler ends the team of the thread that forks.
 * - GOMP_SPINCOUNT in the environment, while the module loads. A GOMP_SPINCOUNT or OMP_WAIT_POLICY of the user stays.
 *
 * If the first member of a struct is `size`, later versions can append members. Other structs do not change. Set `size`
 * before every call, also if the call fills the struct: irrun_layer layer = {.size = sizeof layer}.
 * A program compiled with an older header passes a smaller `size`. irrun reads members beyond it as 0, and never writes
 * them.
 * irrun refuses a `size` of 0, above the library's own, or too small for the call. Such a call returns IRRUN_USAGE,
 * false or NULL, and reports IR801 if it has a context. */
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
/* Marks a function that returns a status, or a handle to free. Compilers warn if the caller ignores the result. */
#if (defined(__cplusplus) && __cplusplus >= 201703L) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#define IRRUN_NODISCARD [[nodiscard]]
#elif defined(__GNUC__)
#define IRRUN_NODISCARD __attribute__((warn_unused_result))
#else
#define IRRUN_NODISCARD
#endif

/* Success, or the cause of a failure. The program exits with these numbers. */
typedef enum irrun_status {
  IRRUN_OK = 0,
  IRRUN_DIFFERS = 1,     /* an output differs from the expected tensor */
  IRRUN_USAGE = 2,       /* the call or the command line is wrong */
  IRRUN_INVALID = 3,     /* the model breaks the specification */
  IRRUN_UNSUPPORTED = 4, /* the model is valid, but irrun cannot run it */
  IRRUN_BAD_DATA = 5,    /* an input tensor is wrong */
  IRRUN_IO = 6,          /* a file cannot be read or written, or memory, time or another resource is exhausted */
  IRRUN_INTERNAL = 70    /* a bug of irrun */
} irrun_status;
/* The constant's name in lower case: "ok", "differs", "bad-data". NULL if the number is no status. */
IRRUN_API const char *irrun_status_name(irrun_status status);
/* Returns the worse of two statuses. The order, from worst to best, is 70, 2, 6, 3, 4, 5, 1, 0. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_status_worse(irrun_status a, irrun_status b);

/* Version of the library in use. IRRUN_VERSION and IRRUN_VERSION_NUMBER are the version of this header. */
IRRUN_API const char *irrun_version(void);
IRRUN_API int irrun_version_number(void);

/* ---- context ---- */

typedef struct irrun_context irrun_context;

/* `alloc` returns blocks with the alignment of malloc's, or NULL if memory is out. `release` accepts NULL. irrun passes
 * `user` to both functions. libxml2, cJSON, oneDNN and OpenMP use their own allocators. */
typedef struct irrun_allocator {
  size_t size;
  void *(*alloc)(void *user, size_t bytes);
  void (*release)(void *user, void *block);
  void *user;
} irrun_allocator;

/* If `allocator` is NULL, uses malloc and free. Returns NULL if memory is out or the allocator's `size` is wrong. */
IRRUN_NODISCARD IRRUN_API irrun_context *irrun_context_create(const irrun_allocator *allocator);
/* Frees the context. Free every handle that was made with it first. */
IRRUN_API void irrun_context_free(irrun_context *context);

/* Sets the number of threads of a run, which includes the caller's thread. 0, the default, means one thread per
 * physical core that the CPU affinity and the CPU quota of the control group allow. Small work stays in the caller's
 * thread. The plain kernels compute the same bytes with any number of threads. irrun's threads start with the first run
 * that needs them, block all signals, and end with the context. oneDNN's threads inherit the signal mask of the
 * caller's thread, and end with that thread. After a fork, both processes can use the context if no call was using it
 * during the fork. Returns IRRUN_USAGE if `n` is not in 0..IRRUN_MAX_THREADS. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_set_threads(irrun_context *context, int n);
IRRUN_API int irrun_context_get_threads(const irrun_context *context); /* at least 1, also if 0 was set */
/* IRRUN_KERNELS_FAST, the default: oneDNN computes convolutions and matrix products of f32, if its module is installed;
 * vector kernels compute LSTM, GRU and RNN. IRRUN_KERNELS_PLAIN: irrun's short, portable kernels compute all of these
 * ops. The two add the terms of a sum in different orders, so the last digits of results can differ. Small models begin
 * with plain kernels; oneDNN takes over after 16 million multiplications. A change affects runs planned later. */
typedef enum irrun_kernels { IRRUN_KERNELS_FAST, IRRUN_KERNELS_PLAIN } irrun_kernels;
IRRUN_API void irrun_context_set_kernels(irrun_context *context, irrun_kernels kernels);
IRRUN_API irrun_kernels irrun_context_get_kernels(const irrun_context *context);
/* Passes: rewritings of a model that make a run faster. They change the last digits of results at most. */
typedef enum irrun_pass {
  IRRUN_PASS_WIDEN = 1,    /* computes networks of f16 or bf16 in f32, so that fewer intermediate results are rounded */
  IRRUN_PASS_FOLD = 2,     /* computes operations on constants, and lays out weights, only once for a model */
  IRRUN_PASS_QUANTIZE = 4, /* computes products of FakeQuantize results in 8-bit integers, with exact sums */
  IRRUN_PASS_PACK = 8,     /* keeps compressed weights of products packed, and unpacks them while it multiplies */
  IRRUN_PASS_FUSE = 16,    /* computes biases, additions and activations in the preceding convolution or product */
  IRRUN_PASS_LAYOUT = 32   /* keeps tensors between convolutions in the order [N, D.., C] */
} irrun_pass;
/* Skips passes in runs that are planned later. `passes` is a sum of irrun_pass values. The default is 0: skip none. */
IRRUN_API void irrun_context_skip_passes(irrun_context *context, unsigned passes);
/* Limits the memory of a run. The model and 1 MiB do not count. irrun refuses a run that needs more before it allocates
 * the memory (IR004). 0, the default, means half of the memory that is available when the run is planned, in the system
 * and in the control groups of the process. */
IRRUN_API void irrun_context_set_max_memory(irrun_context *context, size_t bytes);
/* Limits the time of one execution, by the monotonic clock. 0, the default, means no limit. A longer execution ends
 * with IR705, after its current piece of work or its current step of oneDNN. */
IRRUN_API void irrun_context_set_max_time(irrun_context *context, int64_t ns);

/* Allows rules. `rules` are ids or slugs, separated by commas. An allowed warning or note is not reported. An allowed
 * error of status IRRUN_UNSUPPORTED is not reported, any other becomes a warning; irrun then has the effect that
 * irrun_rule.allow describes. Some errors cannot be allowed and stay errors. Returns IRRUN_USAGE if a rule is unknown,
 * was denied, or has only errors that cannot be allowed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_allow(irrun_context *context, const char *rules);
/* Reports warnings and notes of these rules as errors. Returns IRRUN_USAGE if a rule is unknown or was allowed. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_deny(irrun_context *context, const char *rules);
/* With `strict`, reports all warnings as errors. */
IRRUN_API void irrun_context_set_strict(irrun_context *context, bool strict);
/* If a finding repeats in many layers of a model, irrun reports one diagnostic, for the first layer, and counts the
 * others in irrun_diagnostic.n_more. With `in_detail`, each layer has its own diagnostic, and minor notes are reported
 * too. Errors of status IRRUN_INVALID always have a diagnostic for each layer. */
IRRUN_API void irrun_context_set_detail(irrun_context *context, bool in_detail);

/* ---- diagnostics ---- */

typedef enum irrun_severity { IRRUN_NOTE, IRRUN_WARNING, IRRUN_ERROR } irrun_severity;

typedef struct irrun_diagnostic {
  size_t size;
  const char *rule, *slug; /* "IR304", "kernel-exceeds-input"; NULL in an attached note */
  irrun_severity severity;
  const char *message;
  const char *file;                 /* file name; "" for the command line */
  int64_t line, column, end_column; /* counted from 1, columns in code points; 0: the diagnostic has no line */
  int64_t offset;                   /* byte of a binary file; -1: none */
  const char *excerpt;              /* text of the line, or a part of it; NULL: none */
  int64_t excerpt_skipped;          /* number of code points of the line before `excerpt` */
  const char *layer_id, *layer_name, *layer_op; /* the layer at fault; NULL: none */
  const char *const *layer_inside; /* names of the layers whose bodies contain the layer, the outermost first */
  int n_inside;
  const char *attribute; /* name of the attribute at fault; NULL: none */
  const char *pointer;   /* path of the place in JSON, "/0/ops/2/name"; NULL: none */
  const char *hint;      /* advice, or NULL */
  int64_t n_notes;       /* number of attached notes, see irrun_context_get_note */
  int64_t n_more;        /* number of other layers with the same finding, see irrun_context_set_detail */
  int64_t model;         /* number of the model, counted from 0 in the order of reading */
  int64_t number; /* position among all diagnostics reported since the last clearing, from 0; dropped ones count too */
  const char *lines_before, *lines_after; /* up to two lines of the file each, which end in a newline; NULL: none */
} irrun_diagnostic;

typedef struct irrun_counts {
  int64_t errors, warnings, notes; /* numbers of reported diagnostics, also of those dropped from a full list */
  int64_t kept;                    /* number of diagnostics in the list; a full list drops notes first, then warnings */
} irrun_counts;

IRRUN_API irrun_counts irrun_context_count(const irrun_context *context);
/* Gets a diagnostic, or an attached note of it; false: there is none. Their order is that of models and places. */
IRRUN_API bool irrun_context_get_diagnostic(irrun_context *context, int64_t index, irrun_diagnostic *out);
IRRUN_API bool irrun_context_get_note(irrun_context *context, int64_t index, int64_t note, irrun_diagnostic *out);
/* Prints a diagnostic or note in one line, as the program does: "m.xml:7:5: error: .. [IR301 ..], layer 'pool'". Writes
 * at most `size` bytes including the NUL, and returns `buffer`. A text that does not fit is cut and ends in "...".
 * Returns NULL if the `size` or `severity` of the diagnostic is wrong. */
IRRUN_API const char *irrun_diagnostic_text(const irrun_diagnostic *diagnostic, char *buffer, size_t size);
/* irrun_diagnostic_text of the last error since the last clearing, or "". Lives until the context is used again. */
IRRUN_API const char *irrun_context_last_error(irrun_context *context);
/* Removes all diagnostics and their counts. irrun_context_worst, the numbers of models and the policy stay. */
IRRUN_API void irrun_context_clear_diagnostics(irrun_context *context);
/* The worst status of all errors of the context, including those that were cleared. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_worst(const irrun_context *context);

/* Reports a fault that the caller found, such as a wrong command line. `rule` is an id or a slug. `file` can be NULL or
 * "", `hint` can be NULL. Returns the rule's status if the fault is an error after allow and deny, else IRRUN_OK. */
IRRUN_API irrun_status irrun_context_report(irrun_context *context, const char *rule, const char *file,
                                            const char *message, const char *hint);

/* ---- types and shapes ---- */

/* Element types. Later versions can append types. */
typedef enum irrun_element_type {
  IRRUN_DYNAMIC, /* not known before a run */
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
  /* Types of 1 to 8 bits, packed as in a .bin. In a byte, the first element of u1 has the highest bit; that of i4, u2,
   * u4, nf4 and f4e2m1 has the lowest bits. Three bytes hold 8 of u3 or 4 of u6. A run can copy and convert them. */
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
  IRRUN_STRING /* no tensor can have this type */
} irrun_element_type;
/* The name in an IR's `element_type`: "f32", "boolean". NULL for IRRUN_DYNAMIC, and if the number is no type. */
IRRUN_API const char *irrun_type_name(irrun_element_type type);
/* Sets the type of what convolutions and matrix products multiply, in runs planned later: f32, the default, bf16 or
 * f16. Sums and all else stay f32. If oneDNN lacks such products here, a run warns (IR706) and computes in f32. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_context_set_precision(irrun_context *context, irrun_element_type type);

typedef struct irrun_shape {
  int rank; /* -1: unknown */
  struct {
    int64_t lo, hi;
  } dims[IRRUN_MAX_RANK]; /* interval of a size. lo == hi: known; hi == INT64_MAX: unbounded */
} irrun_shape;

#define IRRUN_SHAPE_TEXT 704 /* bytes, enough for the text of any shape */
/* Prints a shape: "[1,3,?,1..640]". Writes at most `size` bytes including the NUL, and returns `buffer`. */
IRRUN_API const char *irrun_shape_text(const irrun_shape *shape, char *buffer, size_t size);

/* ---- models ---- */

typedef struct irrun_model irrun_model;

/* The purpose of reading a model. With IRRUN_TO_CONVERT, three rules report notes in an IR: IR301 and IR302, which
 * irrun_model_convert corrects, and IR210, which only matters in a run. */
typedef enum irrun_purpose { IRRUN_TO_CHECK, IRRUN_TO_RUN, IRRUN_TO_CONVERT } irrun_purpose;

/* Reads a model ("-" is stdin) and checks all of it. Each independent fault becomes a diagnostic. If `weights` is NULL,
 * the constants are read from the .bin beside the model. Returns the worst status of the faults. A model with faults
 * can be inspected, but not run. `*out_model` is NULL only if nothing could be read. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_read(irrun_context *context, const char *path, const char *weights,
                                                        irrun_purpose purpose, irrun_model **out_model);
/* Reads a model and changes the shapes of its inputs. Each of `shapes` is "[NAME=]1,3,?,1..640"; the texts need not
 * outlive the call. NAME is resolved by irrun_model_match_name and can be omitted if the model has one input. `?` keeps
 * the model's size; any other size must lie within the model's. IR502: no input has the NAME. IR503: a size is not
 * within the model's. IR801: a text is no shape, an input has two shapes, or the NAME is missing. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_read_shaped(irrun_context *context, const char *path,
                                                               const char *weights, irrun_purpose purpose,
                                                               const char *const *shapes, size_t n_shapes,
                                                               irrun_model **out_model);
typedef struct irrun_buffer {
  const void *data;
  size_t bytes;
} irrun_buffer;
/* Reads a model from memory. `text` and `weights` are the contents of the two files; `weights` NULL means that there is
 * no .bin. They are not copied and must outlive the model. Diagnostics show `name` as the file's name. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_read_memory(irrun_context *context, const char *name,
                                                               irrun_buffer text, const irrun_buffer *weights,
                                                               irrun_purpose purpose, const char *const *shapes,
                                                               size_t n_shapes, irrun_model **out_model);
IRRUN_API void irrun_model_free(irrun_model *model);

typedef struct irrun_conversion {
  size_t size;
  const char *weights; /* path of the .bin that was written; the model's own if an IR replaces itself; or NULL */
  int64_t bin_bytes;   /* size of that .bin; 0: none */
  int64_t n_layers;    /* nGraph and cut: layers that were written; IR: layers with a corrected port */
  int64_t n_ports;     /* IR: ports with corrected dims or a corrected precision */
  int64_t n_left_out;  /* nGraph: nodes that were not written, since no result needs them */
} irrun_conversion;

/* Writes a model that was read with IRRUN_TO_CONVERT to `path`, which ends in .xml, and its constants to the .bin
 * beside it. If the model has faults, writes and reports nothing, and returns the model's status. An nGraph model
 * becomes an IR of version 11. IR213: an IR cannot express it. IR214: some values differ in the IR. An IR is copied,
 * and <dim>s and precisions that contradict inference are corrected. `path` can be its own path. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_convert(irrun_model *model, const char *path, irrun_conversion *out);

typedef struct irrun_model_info {
  size_t size;
  const char *path, *kind, *name; /* kind: "openvino-ir" or "ngraph-json" */
  const char *weights;            /* path of the file with the constants, or NULL */
  int ir_version;
  int64_t n_layers, n_inputs, n_outputs; /* n_layers includes layers of bodies */
  int64_t n_missing;                     /* number of layers whose op irrun lacks */
  irrun_status status;
  int64_t errors, warnings;
} irrun_model_info;
IRRUN_API bool irrun_model_get_info(const irrun_model *model, irrun_model_info *out);

typedef struct irrun_layer {
  size_t size;
  const char *id, *name, *type, *opset;
  const char *const *inside; /* names of the layers whose bodies contain this layer, the outermost first */
  int n_inside;
  int version;                 /* version of the op: 1 for AvgPool-1; -1: no opset has it */
  bool runnable, live, varies; /* irrun has the op; an output needs the layer; results can differ from run to run */
  int64_t owner, line, column; /* owner: number of the layer whose body contains this layer, or -1 */
  int body, n_inputs, n_outputs, n_attributes; /* body: number of the owner's body; an If has 0 (then), 1 (else) */
  int64_t cost;                                /* number of additions or comparisons in one run; -1: unknown */
  int64_t constant_bytes;                      /* size of a Const; other layers: 0 */
  const char *formula;                         /* formula of the output shape, with its numbers; NULL: none */
} irrun_layer;
/* Gets a layer by its number. The model's own layers come first, in the order of the file, then the layers of bodies
 * (If, Loop, TensorIterator). `inside` and `formula` live until the next call. False if there is no such layer. */
IRRUN_API bool irrun_model_get_layer(irrun_model *model, int64_t index, irrun_layer *out);
/* `*out_value` is NULL if the value has the wrong kind, such as a JSON object. irrun_model_read reported that. */
IRRUN_API bool irrun_model_get_layer_attribute(const irrun_model *model, int64_t layer, int attribute,
                                               const char **out_name, const char **out_value);

/* Result of comparing the type and shape that the file declares for a port with the inferred ones. */
typedef enum irrun_declared {
  IRRUN_NOT_DECLARED,
  IRRUN_DECLARED_OK,
  IRRUN_DECLARED_DIFFERS,
  IRRUN_DECLARED_BELIEVED, /* irrun assumes the declaration: it lacks the op, or a constant */
  IRRUN_DECLARED_UNCHECKED /* an earlier fault prevents the inference */
} irrun_declared;

typedef struct irrun_value {
  size_t size;
  irrun_element_type type;
  bool known; /* false: an earlier fault prevents the inference of type and shape */
  irrun_shape shape;
  irrun_declared declared;
  irrun_element_type declared_type;
  irrun_shape declared_shape;
  const char *from_id; /* input: id of the layer whose output feeds it; NULL: not connected */
  int64_t from_layer;  /* input: number of that layer; -1: not connected */
  int from_port;       /* input: number of that output */
  int64_t bytes;       /* bytes of the tensor; -1: unknown */
  const char *names;   /* output: its tensor names as the file lists them, "a,b"; NULL: none */
} irrun_value;
IRRUN_API bool irrun_model_get_layer_input(irrun_model *model, int64_t layer, int port, irrun_value *out);
IRRUN_API bool irrun_model_get_layer_output(irrun_model *model, int64_t layer, int port, irrun_value *out);

typedef enum irrun_side { IRRUN_INPUTS, IRRUN_OUTPUTS } irrun_side;

/* An input or output of the model. */
typedef struct irrun_io {
  size_t size;
  const char *name;
  int64_t layer;     /* number of its Parameter or Result */
  irrun_value value; /* the call sets value.size */
} irrun_io;
IRRUN_API bool irrun_model_get_io(irrun_model *model, irrun_side side, int64_t index, irrun_io *out);

/* Splits "NAME=REST". NAME is a tensor name, else a layer name, else a number of an input or output; if several names
 * fit, the longest is taken. `*out_rest` is REST. If no name fits, `*out_index` is -1 and `*out_rest` is `text`. IR801:
 * the name is ambiguous; the message lists its meanings. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_match_name(irrun_model *model, irrun_side side, const char *text,
                                                              int64_t *out_index, const char **out_rest);
/* Finds the input or output that `text` names. `file` is the origin of the text, for messages; NULL means the command
 * line. IR502: the name is unknown or, in a file, ambiguous. IR801: the name is ambiguous on the command line. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_model_find_name(irrun_model *model, irrun_side side, const char *text,
                                                             const char *file, int64_t *out_index);
/* A key that irrun_model_find_name and irrun_model_find_tensor resolve to this input or output only: irrun_io.name,
 * else the layer's name, else the number. NULL: there is no such input or output, or memory is out. */
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
/* Makes a tensor from a copy of `data`: `bytes` bytes, row-major, in native byte order. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_create(irrun_context *context, irrun_element_type type, int rank,
                                                           const int64_t *dims, const void *data, size_t bytes,
                                                           irrun_tensor **out_tensor);
/* Makes a tensor that uses `data` without a copy. irrun reads the data during irrun_run_plan and irrun_run_execute, and
 * never writes it. IRRUN_USAGE: `data` is not aligned to the size of an element, or a boolean is not 0 or 1. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_borrow(irrun_context *context, irrun_element_type type, int rank,
                                                           const int64_t *dims, const void *data, size_t bytes,
                                                           irrun_tensor **out_tensor);
/* Prints an element so that it reads back exactly: "%.9g", "%.17g", an integer, "nan", "inf". Returns `buffer`. */
IRRUN_API const char *irrun_tensor_text(const irrun_tensor *tensor, int64_t index, char *buffer, size_t size);

typedef struct irrun_statistics {
  int64_t finite, nans, infinities;
  int64_t negative_infinities; /* number of -inf; `infinities` counts them too */
  double min, mean, max;       /* of the finite elements; 0 if there are none */
} irrun_statistics;
IRRUN_API irrun_statistics irrun_tensor_statistics(const irrun_tensor *tensor);

/* A file with tensors; "-" is stdin. The first bytes identify a .npy or .npz file; all other files are raw:
 * little-endian, row-major elements. A raw file is read with a `type` and a `shape`, else IR507. The file must have
 * exactly as many bytes as such a tensor. `type` also decides how two types of .npy are read: '<V2' as bf16, and '<V1'
 * as one of the floats of 8 bits. Row-major elements in native byte order are mapped; others are copied. */
typedef struct irrun_tensor_file irrun_tensor_file;
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_file_open(irrun_context *context, const char *path,
                                                              irrun_tensor_file **out_file);
IRRUN_API void irrun_tensor_file_free(irrun_tensor_file *file);
/* Number of keys of a .npz, and one of them. A file with one tensor has -1 keys, and key NULL. */
IRRUN_API int64_t irrun_tensor_file_count(const irrun_tensor_file *file);
IRRUN_API const char *irrun_tensor_file_key(const irrun_tensor_file *file, int64_t index);
/* Reads one tensor. `index` is the number of the key in a .npz, 0 in other files. If the file's shape does not match
 * `shape`, the tensor has no elements and `data` is NULL. Such a tensor is IR503 as an input, IR602 in a comparison. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_file_read(irrun_tensor_file *file, int64_t index,
                                                              irrun_element_type type, const irrun_shape *shape,
                                                              irrun_tensor **out_tensor);

/* Fills a new tensor by `kind`: random[:SEED], zeros, ones, iota, LO..HI[:SEED], or a number. A seed has the same
 * numbers on every machine. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_fill(irrun_context *context, const char *kind,
                                                         irrun_element_type type, int rank, const int64_t *dims,
                                                         irrun_tensor **out_tensor);

/* Writes one tensor in the format of the path's suffix: .npy, .npz, .raw or .bin. `name` is the key in a .npz. A
 * regular file is written under a temporary name and renamed when it is complete. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_tensor_write(irrun_context *context, const irrun_tensor *tensor,
                                                          const char *name, const char *path);
/* Writes `n` tensors to a .npz; `names` are their keys. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_archive_write(irrun_context *context, int64_t n,
                                                           const irrun_tensor *const *tensors, const char *const *names,
                                                           const char *path);

/* ---- runs ---- */

typedef struct irrun_run irrun_run;
/* Makes a run of a model, which must outlive it. If the model has faults, only returns the model's status. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_create(irrun_model *model, irrun_run **out_run);
/* Makes a run that uses `context` instead of the model's context: its threads, kernels, passes, limits and diagnostics.
 * So one model can be run by many threads, one context each. Runs of a model share its constants, folded and laid out;
 * the allocator of the model's context is called in all of these threads. No other call may use the model meanwhile. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_create_in(irrun_context *context, irrun_model *model,
                                                           irrun_run **out_run);
IRRUN_API void irrun_run_free(irrun_run *run);
/* Sets an input; a NULL tensor unsets it. The run takes ownership of the tensor. A failed call frees the tensor and
 * unsets the input. `cast` converts a tensor of another type, which is else IR504. Messages name its origin, `file`. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_set_input(irrun_run *run, int64_t input, irrun_tensor *tensor,
                                                           bool cast, const char *file);
/* Requests an output. If no output is requested, a run computes all. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_request_output(irrun_run *run, int64_t output);
IRRUN_API void irrun_run_request_all(irrun_run *run); /* removes all requests */
/* Sets the memory for an output. If `data` is NULL, the run uses its own memory. Steps write there directly if they
 * compute the output. An output that equals an input, a constant or another output is copied there. irrun_run_execute
 * returns IRRUN_USAGE if the memory overlaps an input or another output, or is not aligned to the size of an element.
 * It does the same if `bytes` differs from irrun_run_output_info. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_set_output(irrun_run *run, int64_t output, void *data, size_t bytes);
/* Gets type, dims and bytes of an output before it is computed; `data` is NULL. Returns false if the output is not
 * requested, or the run has no plan for its inputs. irrun_run_plan makes the plan if all inputs are set. */
IRRUN_API bool irrun_run_output_info(irrun_run *run, int64_t output, irrun_tensor_info *out);
/* Whether a requested output depends on this input. Such an input has to be set. */
IRRUN_API bool irrun_run_needs(irrun_run *run, int64_t input);
/* Plans the run if its inputs are set, or if all shapes are known without inputs: a run that needs too much memory is
 * refused early (IR004). In other cases checks only the known sizes of inputs. Optional: irrun_run_execute plans. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_plan(irrun_run *run);
/* Computes the requested outputs. An execution with inputs of the same shapes as before allocates no memory, and its
 * outputs have the same addresses. Each execution reads borrowed tensors again. If another thread changes a borrowed
 * tensor meanwhile, the execution can see a part of the changes. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_execute(irrun_run *run);
/* Resets the variables of the model (ReadValue, Assign), which last between executions, to their initial values. */
IRRUN_API void irrun_run_reset_state(irrun_run *run);
/* Ends the current execution with IR705, like irrun_context_set_max_time; if there is none, the next one. The run can
 * be executed again. Any thread or signal handler can call this function while the run exists. */
IRRUN_API void irrun_run_cancel(irrun_run *run);
/* Makes executions call `call` about ten times a second, in the executing thread. `call` can cancel the run, but must
 * not use the context otherwise. NULL stops the calls. */
IRRUN_API void irrun_run_meanwhile(irrun_run *run, void (*call)(void *user), void *user);
/* The computed output, or NULL. Lives until the next irrun_run_set_input, irrun_run_execute or irrun_run_free. */
IRRUN_API const irrun_tensor *irrun_run_output(const irrun_run *run, int64_t output);

/* ---- measuring ---- */

/* A step: one kernel call of a run, in the order of execution. A layer can have several steps or none. If the run is
 * profiled, the steps of a body follow the step of its layer, which includes their times. */
typedef struct irrun_step {
  size_t size;
  int64_t layer;                     /* the layer's number for irrun_model_get_layer */
  const char *kernel, *isa;          /* for example "average_f32", "any" */
  int64_t start_ns, duration_ns;     /* by CLOCK_MONOTONIC; 0 if the run was not profiled */
  int64_t read_bytes, written_bytes; /* sums over all tensors of the step */
  int depth;                         /* number of bodies that contain the layer; 0: a layer of the model itself */
  int64_t calls;                     /* kernel calls: one, or one per iteration, with the sums of times and bytes */
} irrun_step;
/* Sets whether the next executions measure the times of their steps. */
IRRUN_API void irrun_run_profile(irrun_run *run, bool on);
/* Gets a step of the last irrun_run_execute; its texts live until the next. Returns false if there is no such step. */
IRRUN_API bool irrun_run_get_step(const irrun_run *run, int64_t index, irrun_step *out);
#ifdef __cplusplus
}
#endif

#endif
