/* What an op is: one row of the op table (ir_op) with its attribute schema, its ports, its one shape rule and how it is
 * run. Adding an op: CONTRIBUTING.md. */
#ifndef IR_OP_H
#define IR_OP_H

#include "base/tensor.h"
#include "graph/graph.h"

typedef struct ir_op ir_op;
typedef struct ir_plan ir_plan;
struct ir_fast_desc;
struct ir_post_op;

/* Where the elements of a tensor [N, C, D..] lie. */
typedef enum ir_layout {
  IR_LAYOUT_PLAIN,        /* in the order of its axes */
  IR_LAYOUT_CHANNELS_LAST /* as [N, D.., C] */
} ir_layout;

/* One tensor of the model, as far as it is known before a run. */
typedef struct ir_value {
  ir_type type;
  ir_layout layout; /* set in programs (program/program.h); elsewhere IR_LAYOUT_PLAIN */
  bool is_constant; /* the same in every run: set in programs, too */
  bool poisoned;    /* an earlier fault was reported: nothing is concluded from it and nothing more reported */
  ir_shape shape;
  const ir_tensor *contents; /* when they are known before the run; NULL otherwise */
  bool is_contents_copy;     /* `contents` are a copy: no file and no caller changes it */
  bool reads_input;     /* of a run: contents or ranges come of what an input holds, which may differ in the next run */
  const ir_dim *ranges; /* of a small tensor: each element as an interval (ops/ranges.h); or NULL */
  bool contents_unavailable; /* constant, but the bytes are missing: a .bin is not there, or irrun lacks the op */
} ir_value;

/* Which output feeds an input. layer -1: not connected (and reported). */
typedef struct ir_link {
  int32_t layer, port;
} ir_link;

/* A layer, bound: its op, its typed attributes, its connections and what was inferred. */
typedef struct ir_node {
  const ir_layer *layer;
  const ir_op *op;         /* NULL: not one that irrun has */
  void *params;            /* op->params_size bytes, filled by the schema; nodes with the same attributes share them */
  uint64_t attrs_at_fault; /* bit i: attribute i of the schema was reported */
  ir_link *inputs;
  ir_value *outputs;
  int32_t n_inputs, n_outputs;
  struct ir_body *bodies; /* as many as the op has (ops/bodies.h); NULL: none, or they are at fault */
  uint64_t outputs_read;  /* bit i: an edge begins at output i */
  bool broken;            /* type, ports or connections are at fault: nothing can be inferred */
  bool assumed;           /* outputs are what the file declares, for irrun has not the op */
  bool live;              /* some Result needs it */
  bool in_cycle;          /* it lies in a cycle or behind one: its inputs stay poisoned */
} ir_node;

/* What infer, prepare and the binder are given beside the node. */
typedef struct ir_scope {
  const ir_graph *graph;
  ir_diags *diags;
  ir_arena *arena; /* lives as long as what is inferred */
  const ir_memory *memory;
  bool running;         /* shapes are those of a run: the inputs' own */
  struct ir_stop *stop; /* of a run: whoever computes for long asks it (stop.h). NULL otherwise */
  /* Of a run: the node's inputs as they were when the model was checked. NULL otherwise. */
  const struct ir_value *const *checked;
} ir_scope;

/* ---- attributes ---- */

typedef enum ir_attr_kind {
  IR_ATTR_INT,   /* int64_t, or ir_ints for a list */
  IR_ATTR_FLOAT, /* double, or ir_floats for a list */
  IR_ATTR_BOOL,  /* bool */
  IR_ATTR_ENUM,  /* int, the position in `names` */
  IR_ATTR_TYPE,  /* ir_type */
  IR_ATTR_SHAPE, /* ir_shape: brackets, `?`, -1, a..b, `...` allowed */
  IR_ATTR_DIMS,  /* ir_shape of numbers only */
  IR_ATTR_TEXT   /* the op reads it itself: no field */
} ir_attr_kind;

typedef enum ir_attr_count {
  IR_COUNT_ONE,
  IR_COUNT_SPATIAL, /* one per spatial axis */
  IR_COUNT_ANY      /* a list of any length */
} ir_attr_count;

typedef struct ir_ints {
  const int64_t *items; /* NULL: at fault */
  int64_t n;
} ir_ints;

typedef struct ir_floats {
  const double *items; /* NULL: at fault */
  int64_t n;
} ir_floats;

typedef struct ir_attr_spec {
  const char *name;
  ir_attr_kind kind;
  ir_attr_count count;
  size_t offset; /* of the field in the op's params */
  bool required;
  int64_t min, max;               /* IR_ATTR_INT */
  const char *const *names;       /* IR_ATTR_ENUM: the words, NULL at the end */
  const char *const *other_names; /* IR_ATTR_ENUM: other words for the same positions, or NULL */
  bool inverted;                  /* IR_ATTR_BOOL: the field is true when the attribute is false */
  bool c_names;                   /* IR_ATTR_TYPE: nGraph's names of types */
  const char *fallback;           /* text that stands for an absent one; for a SPATIAL list, of each item. NULL: none */
  bool fallback_if_allowed;       /* required, but --allow=IR204 takes the fallback */
  bool fallback_if_empty;         /* an empty list is a spelling of the fallback, also where one is required */
  const char *required_with;      /* required where that attribute is given and not empty */
  /* Required, but nothing is lost without it in this layer: the fallback stands for it. NULL: always something. */
  bool (*is_needless)(const ir_node *node);
} ir_attr_spec;

/* ---- ports ---- */

#define IR_MAX_OP_PORTS 8  /* of a row; a variadic one counts once */
#define IR_PORT_NAME    28 /* bytes of a name, and of a type variable, with the zero behind it */
#define IR_TYPE_VAR     20

typedef struct ir_port_spec {
  /* Both texts are part of the row: without addresses a table of ports is constant, and no start relocates it. The name
   * is empty in the row that ends a table. */
  char name[IR_PORT_NAME];
  char type_var[IR_TYPE_VAR]; /* ports of one variable have one type: "T". Empty: its type is compared with none */
  uint64_t types;             /* IR_SET_... */
  uint64_t types_if_allowed;  /* more, with --allow of the rule */
  uint64_t types_noted;       /* more, with a note: the page excludes them, OpenVINO does not */
  uint64_t types_carried;     /* of those without kernels, what OpenVINO takes; 0: the rule of input_types.c */
  bool types_may_differ;      /* OpenVINO compares its type with none of the inputs of its variable: a note */
  ir_rule fault;              /* that a wrong rank or type breaks; 0: IR303 and IR306 */
  uint64_t types_misdeclared; /* of an output: types that converters declared for it, wrongly and without harm */
  int rank_min, rank_max;
  bool contents;   /* infer wants to know what is in it */
  bool shape_only; /* the op looks at its type and shape, never at its elements */
  bool checked; /* a kernel checks its elements before it uses them: both have to see the same ones (ir_plan_step_on) */
  bool ranges;  /* only what is told of its elements counts, where it is small (ops/ranges.h) */
  bool variadic; /* the last one: any number of them, at least one; of outputs as many as the file has */
  bool optional; /* may be left out, and then all behind it */
} ir_port_spec;

/* The ports of a row: one with an empty name ends them. */
#define IR_PORTS(...)                                                                                                  \
  (const ir_port_spec[]) {                                                                                             \
    __VA_ARGS__, {                                                                                                     \
      .name = ""                                                                                                       \
    }                                                                                                                  \
  }

/* ir_port_spec.types_carried: where OpenVINO lists the types it takes; where kernels compute of them those alone that
 * they widen to bytes; and where they compute all numbers. */
#define IR_CARRIED_NONE    IR_SET(IR_DYNAMIC)
#define IR_CARRIED_WIDENED (IR_SET(IR_I4) | IR_SET(IR_U4))
#define IR_CARRIED_NUMBERS (IR_SET_CARRIED & ~IR_SET(IR_STRING))

/* The row of a port of type variable `var` with any rank: most ports have no more to say. */
#define IR_PORT_OF_ANY_RANK(port, var, set)                                                                            \
  { .name = port, .type_var = var, .types = set, .rank_min = 0, .rank_max = IR_MAX_RANK }

/* A port whose small tensors are looked at, element by element. */
#define IR_PORT_WITH_RANGES(port, var, set, carried)                                                                   \
  { .name = port, .type_var = var, .types = set, .types_carried = carried, .rank_max = IR_MAX_RANK, .ranges = true }

/* What patterns of the program know an op by (program/patterns.c). */
typedef enum ir_function { IR_FUNCTION_OTHER, IR_FUNCTION_ADD, IR_FUNCTION_MULTIPLY, IR_FUNCTION_SIGMOID } ir_function;

/* ---- how a run serves the op ---- */

typedef enum ir_run_kind {
  IR_RUN_NONE,     /* irrun checks the op and does not run it */
  IR_RUN_PREPARED, /* `prepare` */
  /* These run between two plans, for only their computation tells the shapes of their outputs. */
  IR_RUN_DYNAMIC, /* `compute` */
  IR_RUN_BODIES,  /* `bodies`, of an If, Loop or TensorIterator */
  IR_RUN_READS,   /* the variable that "variable_id" names: ReadValue */
  IR_RUN_ASSIGNS, /* to that variable: Assign */
  /* Nothing computes these. */
  IR_RUN_INPUT,   /* an input of the model: Parameter */
  IR_RUN_OUTPUT,  /* an output of the model: Result. Has no outputs of its own */
  IR_RUN_CONSTANT /* `contents` */
} ir_run_kind;

typedef struct ir_op_run {
  ir_run_kind kind;
  union {
    /* Adds the steps that compute the node to the plan (ops/prepare.h). All shapes are known. */
    ir_code (*prepare)(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
    /* Makes every output of the tensors in[i], with memory of its own (ir_output_alloc). */
    ir_code (*compute)(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope);
    const struct ir_body_rule *bodies; /* ops/bodies.h */
    /* The tensor, borrowed where the file's bytes serve as they are. Reports what is wrong. */
    ir_code (*contents)(const ir_node *node, const ir_value *out, ir_scope *scope, ir_tensor *out_tensor);
  };
} ir_op_run;

/* ---- the row ---- */

/* Address of the page "pooling/avg-pool-1". */
#define IR_SPEC_PAGE(name)                                                                                             \
  "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/" name ".html"

struct ir_op {
  /* Identity. */
  ir_dialect dialect;
  const char *type;   /* as files spell it */
  int version;        /* the op's own: AvgPool-14; its opsets stand in opset_table.inc */
  const char *spec;   /* address of the page */
  const void *family; /* data of the family that the row is one of, as ops/pool/pool.h has it. NULL: none */

  /* Schema. */
  size_t params_size;
  const ir_attr_spec *attrs; /* name NULL at the end */
  bool attrs_only_known;     /* an unknown attribute is an error, not a warning */
  /* Attributes that old exporters wrote and nobody reads, accepted without a message: "name" or,
   * with one value alone, "name=value". NULL at the end; or NULL. */
  const char *const *ignored_attrs;
  /* Faults of the attributes among themselves, seen without any input. NULL: none. */
  void (*check_attributes)(const ir_node *node, ir_scope *scope);
  const ir_port_spec *inputs, *outputs; /* IR_PORTS; NULL: none */

  /* Shape. */
  /* Type and shape of every output, on intervals, from in[i] (never NULL, may be unknown); reports what is wrong. An
   * output that cannot be told is left unknown. Types and ranks that the port rows exclude were reported before. */
  ir_code (*infer)(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
  /* After infer, of outputs whose shape is known: sets out[i].ranges where something can be told of elements. NULL:
   * nothing can. */
  ir_code (*ranges)(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
  /* For the verbose table; NULL: nothing to say. The shape formula with its numbers; additions or comparisons of one
   * run, -1 unknown. */
  void (*formula)(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
  int64_t (*cost)(const ir_node *node, const ir_value *const *in);

  /* Run. */
  ir_op_run run;
  bool is_impure;                           /* of the same inputs it may make something else: it is never folded */
  uint64_t narrow;                          /* of IR_SET_NARROW, what its kernels take beside the stored types */
  const struct ir_elementwise *elementwise; /* its formula: ops/kernels/elementwise.h. NULL: none */
  /* Whether `prepare` serves tensors whose channels lie last (ir_plan_is_channels_last), too. Ops with an `elementwise`
   * do. */
  bool (*takes_channels_last)(const ir_node *node);

  /* Fast: what patterns and the fast module know of it. */
  ir_function function;
  /* Of contractions that the fast module may compute (ops/fast): says which, of tensors of known shapes that lie plain,
   * in f32, with nothing behind it. False: it cannot. NULL: the op is none. */
  bool (*contraction)(const ir_node *node, const ir_value *const *in, ir_scope *scope, struct ir_fast_desc *out);
  /* What the op, of one input, does with each element of a product before it. False: nothing that the module knows. */
  bool (*post_op)(const ir_node *node, struct ir_post_op *out);

  /* nGraph. */
  /* IR_NGRAPH: the op of an IR that computes the same. NULL: the output is the input, so that an IR needs no layer. */
  const ir_op *counterpart;
  /* Fills the params of the counterpart, zeroed, for inputs in[i]; reports what it cannot say or computes otherwise.
   * NULL: it has none. */
  ir_code (*translate)(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope);
};

/* All of these are false where there is no op: NULL. */
static inline bool ir_op_is(const ir_op *op, ir_run_kind kind) {
  return op != NULL && op->run.kind == kind;
}
/* Its outputs come of its inputs, whether irrun runs it or not. */
static inline bool ir_op_is_computed(const ir_op *op) {
  return op != NULL && op->run.kind < IR_RUN_INPUT;
}
static inline bool ir_op_has_variable(const ir_op *op) {
  return ir_op_is(op, IR_RUN_READS) || ir_op_is(op, IR_RUN_ASSIGNS);
}
/* Ops whose output shapes only their computation tells: they run between two plans. */
static inline bool ir_op_has_dynamic_output(const ir_op *op) {
  return ir_op_is(op, IR_RUN_DYNAMIC) || ir_op_is(op, IR_RUN_BODIES) || ir_op_has_variable(op);
}
/* Whether the op makes a constant of constants: the one rule of what is constant. */
static inline bool ir_op_folds(const ir_op *op) {
  return ir_op_is_computed(op) && !op->is_impure;
}

/* Rows of a schema and of the ports. */
int ir_op_n_attrs(const ir_op *op);
/* The row of the attribute that fills the field at `offset` of the params; NULL when no attribute does. */
const ir_attr_spec *ir_op_attr_of_field(const ir_op *op, size_t offset);
/* Its name, "" when there is none. */
const char *ir_op_field_name(const ir_op *op, size_t offset);
int32_t ir_op_n_inputs(const ir_op *op);
int32_t ir_op_n_outputs(const ir_op *op);
/* Inputs that cannot be left out. */
int32_t ir_op_least_inputs(const ir_op *op);
/* Whether the last input, or output, stands for any number of them. */
bool ir_op_any_inputs(const ir_op *op);
bool ir_op_any_outputs(const ir_op *op);
/* The row of input `i`: the last one of a variadic op stands for all that follow. NULL when the op has no such input.
 */
const ir_port_spec *ir_op_input(const ir_op *op, int32_t i);
const ir_port_spec *ir_op_output(const ir_op *op, int32_t i);

/* Places for diagnostics: the layer's tag; an attribute; item `item` of it (the attribute when there is no such item).
 */
ir_where ir_node_where(const ir_scope *scope, const ir_node *node);
ir_where ir_attr_where(const ir_scope *scope, const ir_node *node, const char *name);
ir_where ir_attr_item_where(const ir_scope *scope, const ir_node *node, const char *name, int64_t item);
/* Of an input port: its tag, or dim `dim` of it when it declares one. */
ir_where ir_input_where(const ir_scope *scope, const ir_node *node, int port, int dim);

/* Nothing can be told, for an input or an attribute is at fault: every output is unknown then. */
bool ir_outputs_poisoned(const ir_node *node, const ir_value *const *in, ir_value *out);
/* Every output is unknown; for a fault that was reported. */
void ir_poison_outputs(const ir_node *node, ir_value *out);

/* Memory for an output of an op of IR_RUN_DYNAMIC; IR004 where it is more than a run may take. */
ir_code ir_output_alloc(ir_type type, const ir_shape *shape, ir_scope *scope, ir_tensor *out);

/* False, and reported, for an output of more dims than a tensor of irrun has. */
bool ir_rank_fits(const ir_node *node, int64_t rank, ir_scope *scope);

#endif
