/* A program: the part of a model that one plan computes, as operations on values. `lower` makes it of inferred nodes,
 * passes rewrite it (passes.h), and `emit` makes a plan of it. */
#ifndef IR_PROGRAM_H
#define IR_PROGRAM_H

#include "diag/account.h"
#include "ops/prepare.h"
#include "program/constants.h"

/* A tensor of the program. Its type, shape and layout are those that steps see. */
typedef struct ir_program_value {
  ir_value value;
  int32_t producer;          /* the operation that makes it; -1: it is given, or a constant of the file */
  int32_t layer, port;       /* whose output it is in the model; layer -1: a pass made it */
  const ir_node *node;       /* whose output it is, or comes of */
  bool is_given;             /* an input of the run, or what an earlier plan computed */
  bool is_kept;              /* an output of the program */
  bool is_local;             /* a constant of this program alone: it comes of the shapes that it was made for */
  ir_constant_key key;       /* of a constant */
  int32_t first_use, n_uses; /* in program->uses, as ir_program_find_uses left them */
} ir_program_value;

/* An operation: what steps are prepared for. */
typedef struct ir_operation {
  ir_node node;      /* what `prepare` is given: op, params and layer; ports are `in` and `out` */
  int32_t *in, *out; /* values; out[i] is -1 where nothing reads the output */
  int32_t n_in, n_out;
  int32_t layer; /* number in the model */
  int32_t next;  /* in running order; -1: the last one */
  bool is_dead;
  const char *why;   /* why a pass put it here, or left it to its op's kernel; or NULL */
  const char *fused; /* the ops that a pass put into it: "Add+Relu"; or NULL */
} ir_operation;

/* A value that is read. */
typedef struct ir_use {
  int32_t operation, port;
} ir_use;

/* What passes count: irrun_run_pass_count. */
enum { IR_MOST_PASSES = 8 };

/* What a program is made of. */
typedef struct ir_program_request {
  const ir_graph *graph;
  ir_diags *diags;
  ir_node *nodes; /* in running order, and before them those whose outputs are given */
  size_t n_nodes;
  const int32_t *layers; /* one a node: what it is in the model */
  const bool *needed;    /* one a node: the program computes it; of a Result: it is asked for */
  const ir_link *kept;   /* outputs that later plans of the run read; one may be there several times */
  size_t n_kept;
  ir_account *account;     /* the run's */
  ir_plan *plan;           /* begun: what passes make ends with it */
  ir_arena *arena;         /* of the program and its plan */
  ir_plan_memory *place;   /* the run's, which its plans are executed in */
  ir_constants *constants; /* the model's */
  struct ir_workers *workers;
  bool is_fast;            /* fast kernels may serve, and the fast module */
  unsigned skipped_passes; /* bit i: pass i of the list */
  bool visited;            /* somebody looks at all that is computed: outputs that nothing reads are computed too */
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
  int32_t first, last; /* operations; -1: there is none */
  ir_use *uses;
  bool is_fast;                        /* the fast module computes its contractions */
  const char *why_plain;               /* else: why it does not */
  int mode;                            /* IR_MODE_.. bits: programs of one mode compute the same constants */
  bool folds;                          /* the pass "fold" was run: what is made of constants alone is constant */
  size_t copied_bytes, counted_before; /* of constants that are copied; of the account before the first was */
  int64_t counts[IR_MOST_PASSES];      /* one a pass: what it changed */
} ir_program;

/* lower.c: values and operations for the needed nodes. Reports ops and types that irrun does not compute with (IR210),
 * and tensors that take more memory than the run may. */
ir_code ir_program_lower(const ir_program_request *request, ir_program *program);

/* The scope for `infer` and `prepare` of its operations. */
ir_scope ir_program_scope(const ir_program *program);

/* Adds a value that no operation makes yet; -1 when memory is out (reported). */
int32_t ir_program_add_value(ir_program *program, const ir_program_value *value);
/* Adds an operation before `before` in running order, -1: behind the last one, which makes out[..] of in[..] and is for
 * layer `layer`. Outputs are constant where all inputs are. -1 when memory is out (reported). */
int32_t ir_program_add(ir_program *program, int32_t before, const ir_op *op, const void *params, const ir_node *of,
                       int32_t layer, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* An operation of one input and one output that makes `value` of value `from`; returns the value it makes. */
int32_t ir_program_convert(ir_program *program, int32_t before, const ir_op *op, int32_t from, const ir_value *value);
/* Whoever reads `from` reads `to` from here on, but for operation `but` (-1: none). What was kept stays as it is. */
void ir_program_replace(ir_program *program, int32_t from, int32_t to, int32_t but);
/* The value lies with channels last. */
void ir_program_lay_last(ir_program *program, int32_t value);
/* Finds who reads what. False when memory is out (reported). */
bool ir_program_find_uses(ir_program *program);
/* Takes out operations whose outputs nobody reads. */
bool ir_program_prune(ir_program *program);
/* Points in[i] at the operation's inputs, of which there is room for n_in, and sets node.outputs as its values are:
 * what functions of the op's row are called with. */
void ir_program_gather(const ir_program *program, ir_operation *operation, const ir_value **in);
/* Room for the inputs of any operation; NULL when memory is out (reported). */
const ir_value **ir_program_room(const ir_program *program);
/* A pass of that name is skipped. */
bool ir_program_skips(const ir_program_request *request, const char *pass);
/* Whether all that `operation` reads is constant, and its op gives the same of the same. */
bool ir_program_is_foldable(const ir_program *program, const ir_operation *operation);
/* True when producers and uses agree, every value is made before it is read, and types and shapes are known. Else says
 * in `problem` what is wrong. */
bool ir_program_check(const ir_program *program, char *problem, size_t size);

/* What names the constant among those of the model. */
ir_constant_key ir_program_key(const ir_program *program, int32_t value);

/* Whether the node is one whose outputs are looked at: it is computed, or an input. */
static inline bool ir_is_visited(const ir_node *node) {
  return node->op != NULL && (node->op->role == IR_ROLE_COMPUTED || node->op->role == IR_ROLE_INPUT);
}

/* The operation that makes the value, which one does. */
static inline ir_operation *ir_program_producer(const ir_program *program, int32_t value) {
  return &program->operations[program->values[value].producer];
}

static inline ir_value *ir_program_value_of(const ir_program *program, int32_t value) {
  return &program->values[value].value;
}

#endif
