/* A program: the part of a model that one plan computes, as operations on values. `lower` makes it from inferred nodes,
 * passes rewrite it (passes.h), and `emit` makes a plan from it. */
#ifndef IR_PROGRAM_H
#define IR_PROGRAM_H

#include "diag/account.h"
#include "irrun.h"
#include "ops/prepare.h"
#include "program/constants.h"

/* A tensor of the program. Steps see this type, shape and layout. */
typedef struct ir_program_value {
  ir_value value;
  int32_t producer;          /* the operation that makes the value; -1: an input, or a stored constant */
  int32_t layer, port;       /* the model output that the value is, or is made from */
  const ir_node *node;       /* the model's node of `layer` */
  bool is_given;             /* an input of the run, or a result of an earlier plan */
  bool is_kept;              /* an output of the program */
  bool is_local;             /* a constant of this program alone: it depends on the program's shapes */
  bool is_foldable;          /* computed from stored constants alone, also before pass "fold" says so */
  bool is_wide;              /* computed in f32 instead of the model's 16-bit float */
  ir_constant_key key;       /* valid if the value is constant */
  int32_t first_use, n_uses; /* slice of program->uses, set by ir_program_find_uses */
} ir_program_value;

/* An operation; emit prepares its steps. */
typedef struct ir_operation {
  ir_node node;      /* the argument of `prepare`: op, params and layer; its ports are `in` and `out` */
  int32_t *in, *out; /* values; out[i] is -1 if nothing reads the output */
  int32_t n_in, n_out;
  int32_t layer; /* its layer's number in the model */
  int32_t next;  /* next in running order; -1: this is the last one */
  int64_t macs;  /* of its products, as ir_step.macs */
  bool is_dead;
  const char *why;   /* why a pass inserted the operation, or left it to the op's own kernel; or NULL */
  const char *fused; /* ops that a pass merged into the operation: "Add+Relu"; or NULL */
} ir_operation;

/* One read of a value by an operation. */
typedef struct ir_use {
  int32_t operation, port;
} ir_use;

/* Upper bound of the number of passes that irrun_run_pass_count counts. */
enum { IR_MOST_PASSES = 8 };

/* The input of ir_compile. */
typedef struct ir_program_request {
  const ir_graph *graph;
  ir_diags *diags;
  const ir_node *model_nodes; /* one per layer; they outlive the program */
  const ir_node *nodes;       /* the same nodes as the run inferred them; only lowering reads them */
  int32_t **value_of;         /* room for lowering: one array per layer, with a -1 for each output */
  const int32_t *layers;      /* the layers that the program computes, in running order */
  size_t n_layers;
  const ir_link *kept; /* outputs that later plans of the run read; may contain duplicates */
  size_t n_kept;
  ir_account *account;     /* account of the run */
  ir_plan *plan;           /* an initialized plan; it owns what passes make */
  ir_arena *arena;         /* arena of the program and its plan */
  ir_plan_memory *place;   /* memory of the run, in which its plans are executed */
  ir_constants *constants; /* constants of the model */
  struct ir_workers *workers;
  bool is_fast;            /* fast kernels and the fast module may be used */
  bool is_frequent;        /* the plan is executed so often that the module pays even for few multiplications */
  unsigned skipped_passes; /* bits of irrun_pass */
  ir_type precision;       /* type of the operands of products: f32, bf16 or f16 */
  bool *is_f32_said;       /* a plan of the run has warned that its products are of f32 instead */
  bool visited;            /* a visitor looks at every output, so outputs that nothing reads are computed too */
} ir_program_request;

enum { IR_MODE_PLAIN = 1, IR_MODE_FAST = 2, IR_MODE_WIDENED = 4 };

typedef struct ir_program {
  const ir_program_request *request;
  ir_arena *arena;
  ir_diags *diags;
  ir_program_value *values;
  size_t n_values, values_capacity;
  ir_operation *operations;
  size_t n_operations, operations_capacity;
  int32_t first, last; /* first and last operation; -1: there is none */
  ir_use *uses;
  bool is_fast;                   /* the fast module computes its contractions */
  const char *why_plain;          /* the reason if `is_fast` is false */
  bool is_small;                  /* its products are too few for several threads */
  ir_type precision;              /* the precision that was asked for, if it is available; else f32 */
  int64_t n_plain;                /* after so many executions, the plan is frequent; 0: never */
  int mode;                       /* IR_MODE_.. bits: programs of one mode compute the same constants */
  bool folds;                     /* pass "fold" runs: outputs of operations on constants are constant */
  int64_t counts[IR_MOST_PASSES]; /* one per pass: how many changes it made */
} ir_program;

/* lower.c: makes values and operations for the needed nodes. Reports ops and types that irrun does not run (IR210), and
 * tensors that exceed the memory limit of the run. */
ir_code ir_program_lower(const ir_program_request *request, ir_program *program);

/* The scope that `infer` and `prepare` of the program's operations use. */
ir_scope ir_program_scope(const ir_program *program);

/* Adds a value without a producer; -1 when memory is out (reported). */
int32_t ir_program_add_value(ir_program *program, const ir_program_value *value);
/* Adds an operation of layer `layer` that computes out[..] from in[..], in front of operation `before` (-1: at the
 * end). Outputs are constant if all inputs are. -1 when memory is out (reported). */
int32_t ir_program_add(ir_program *program, int32_t before, const ir_op *op, const void *params, const ir_node *of,
                       int32_t layer, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* Adds an operation that computes `value` from the value `from`; returns the new value. */
int32_t ir_program_convert(ir_program *program, int32_t before, const ir_op *op, int32_t from, const ir_value *value);
/* Replaces `from` by `to` in all readers except operation `but` (-1: none). Kept outputs do not change. */
void ir_program_replace(ir_program *program, int32_t from, int32_t to, int32_t but);
/* Number of inputs whose elements an operation moves that only moves elements. */
int32_t ir_count_moved(const ir_operation *operation);
/* Sets the value's layout to channels last. */
void ir_program_lay_last(ir_program *program, int32_t value);
/* Finds the readers of all values. False when memory is out (reported). */
bool ir_program_find_uses(ir_program *program);
/* Removes operations whose outputs nobody reads. False when memory is out (reported). */
bool ir_program_prune(ir_program *program);
/* Points in[i] at the operation's inputs (`in` has room for n_in) and updates node.outputs from the values. Functions
 * of the op's row take `in` and node.outputs. */
void ir_program_gather(const ir_program *program, ir_operation *operation, const ir_value **in);
/* Allocates room for the inputs of any operation; NULL when memory is out (reported). */
const ir_value **ir_program_room(const ir_program *program);
/* Whether all inputs of `operation` are constant and its op is deterministic. */
bool ir_program_is_foldable(const ir_program *program, const ir_operation *operation);
/* Whether all outputs of `operation` are constant: it is computed before the plan is executed. */
bool ir_program_makes_constants(const ir_program *program, const ir_operation *operation);
/* Marks the outputs as constant if the program folds and the operation is foldable. A constant output is local if one
 * input is local. */
void ir_program_mark_outputs(ir_program *program, const ir_operation *operation);
/* True if producers and uses agree, every value is made before it is read, and types and shapes are known. Otherwise
 * describes the fault in `problem`. */
bool ir_program_check(const ir_program *program, char *problem, size_t size);

/* The key under which the model stores the constant. */
ir_constant_key ir_program_key(const ir_program *program, int32_t value);

/* Whether a visitor sees the node's outputs: the node is computed, or an input. */
static inline bool ir_is_visited(const ir_node *node) {
  return ir_op_is_computed(node->op) || ir_op_is(node->op, IR_RUN_INPUT);
}

/* The operation that makes the value. The value must have a producer. */
static inline ir_operation *ir_program_producer(const ir_program *program, int32_t value) {
  return &program->operations[program->values[value].producer];
}

static inline ir_value *ir_program_value_of(const ir_program *program, int32_t value) {
  return &program->values[value].value;
}

#endif
