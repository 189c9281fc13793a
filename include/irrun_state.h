/* irrun: what language models need: the variables of a run, and the sizes of a model's weights and states.
 * The conventions of irrun.h also hold here. */
#ifndef IRRUN_STATE_H
#define IRRUN_STATE_H

#include "irrun.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- variables ---- */

/* A variable of the model, without those of bodies: a tensor that an Assign keeps for the ReadValue of the next
 * execution. A new run, and irrun_run_reset_state, gives each variable its first value. */
typedef struct irrun_variable {
  size_t size;
  const char *id; /* the attribute variable_id */
  int64_t layer;  /* number of the first ReadValue that reads it; its output has the variable's type and shape */
  /* The only axis of open size behind the first, the batch: its size is the number of tokens that the value is made of.
   * -1: no such axis, or several. */
  int token_axis;
  bool is_set;            /* it has a value; false: the next execution begins with its first value */
  irrun_tensor_info info; /* type and shape of the value, without `data`; valid if is_set */
} irrun_variable;

/* Gets a variable, in the order of the model's ReadValue layers. Returns false if there is no variable number `index`.
 */
IRRUN_API bool irrun_run_get_variable(irrun_run *run, int64_t index, irrun_variable *out);
/* Returns the number of the variable `id`; -1: there is none. */
IRRUN_API int64_t irrun_run_find_variable(const irrun_run *run, const char *id);
/* Returns the value of a variable. It lives until the next call that executes, resets or frees the run or sets a
 * variable. NULL: the variable is not set, or memory is out (reported). Attention keeps its rows with room for more:
 * this call makes a tensor without that room, and the next execution moves it back. */
IRRUN_API const irrun_tensor *irrun_run_read_variable(irrun_run *run, int64_t index);
/* Sets the variable `id` to a copy of the tensor, and frees the tensor, also if the call fails. A failed call changes
 * no variable. Messages name the tensor's origin, `file`. IR502: there is no such variable. IR503, IR504: the model
 * states another shape or type for the variable. */
IRRUN_NODISCARD IRRUN_API irrun_status irrun_run_set_variable(irrun_run *run, const char *id, irrun_tensor *tensor,
                                                              const char *file);

/* ---- sizes ---- */

/* How many elements of weights share one scale. */
typedef enum irrun_scales {
  IRRUN_SCALES_NONE,    /* the weights have no scales */
  IRRUN_SCALES_TENSOR,  /* all elements of a constant */
  IRRUN_SCALES_CHANNEL, /* those with one index on one axis, such as a row */
  IRRUN_SCALES_GROUP    /* `group` elements of a row */
} irrun_scales;

/* The weights of a model that are stored in one way, also those of bodies. A weight is a constant of floats, or of 8
 * bits or fewer that the model converts to floats or looks up in a codebook. */
typedef struct irrun_weights {
  size_t size;
  irrun_element_type type; /* of the stored elements */
  irrun_scales scales;
  int64_t group;
  bool has_zero_points, has_codebook;
  int64_t parameters;  /* number of elements; scales, zero points and codebooks do not count */
  int64_t bytes;       /* of the elements */
  int64_t scale_bytes; /* of scales, zero points and codebooks */
  int64_t constants;   /* number of constants of weights */
} irrun_weights;

/* Work and weights of the layers of one op. The numbers of all ops together are those of irrun_sizes, but for
 * constants that are no weights. */
typedef struct irrun_op_sizes {
  size_t size;
  const char *type; /* "Convolution" */
  int version;
  int64_t layers; /* that an output needs, and that do not depend on constants alone */
  int64_t macs, flops;
  int64_t parameters, bytes; /* of the weights that the layers are the first to read, with their scales */
} irrun_op_sizes;

typedef struct irrun_sizes {
  size_t size;
  int64_t parameters;     /* of all weights */
  int64_t constant_bytes; /* of all constants: weights, scales, and all others, such as shapes */
  int64_t gathered_bytes; /* those of tables of which an execution reads single rows, such as embeddings */
  int64_t variables;      /* number of variables */
  int64_t fixed_bytes;    /* of variables whose size is known, with one sequence; -1: that of a variable is unknown */
  int64_t token_bytes;    /* by which all variables grow with a token of one sequence; -1: unknown */
  /* A lower bound of the memory that an execution needs for each of its tokens: the largest inputs and outputs of a
   * layer, with 1 for each open size. Constants do not count. */
  int64_t step_bytes;
  /* The next members describe the work of one execution. Layers that depend on constants alone, or that no output
   * needs, do not count. Numbers beyond 64 bits are INT64_MAX. */
  int64_t macs; /* multiplications with the additions that follow: of convolutions, matrix products, attention, LSTM,
                 * GRU and RNN. Products with padding count */
  /* 2 for each of these, and 1 for each output element of an elementwise op or a normalization, each element of a
   * pool's windows and each element that a reduction reads. Other ops count 0. */
  int64_t flops;
  int64_t uncounted; /* layers of unknown work: with open sizes, If, loops with unknown iterations, unknown ops */
  /* The most bytes of inputs and results of layers that are needed at the same time, if layers run one by one and ops
   * that only change a shape copy nothing; -1: a size is open. */
  int64_t peak_bytes;
} irrun_sizes;

/* Gets the weights that are stored in one way, in descending order of bytes. Constants that share bytes of the file
 * count once. Returns false if there is no item number `index`, or if memory is out. */
IRRUN_API bool irrun_model_get_weights(irrun_model *model, int64_t index, irrun_weights *out);
/* The `index` for irrun_model_get_weights of the weights to which the constant `layer` belongs, a number for
 * irrun_model_get_layer. -1: it is no weight, or memory is out. */
IRRUN_API int64_t irrun_model_get_weights_of(irrun_model *model, int64_t layer);
/* Gets the sizes of an op that has multiplications, other operations or weights: the most multiplications first, then
 * the most operations, then the most bytes. Returns false if there is no item number `index`, or if memory is out. */
IRRUN_API bool irrun_model_get_op_sizes(irrun_model *model, int64_t index, irrun_op_sizes *out);
/* Returns false if memory is out. */
IRRUN_API bool irrun_model_get_sizes(irrun_model *model, irrun_sizes *out);

#ifdef __cplusplus
}
#endif

#endif
