/* The row of an op (ir_op): its attribute schema, ports, shape rule and kernels. All rows are the op table.
 * CONTRIBUTING.md shows how to add a row. */
#ifndef IR_OP_H
#define IR_OP_H

#include "base/tensor.h"
#include "graph/graph.h"

typedef struct ir_op ir_op;
typedef struct ir_plan ir_plan;
struct ir_fast_desc;
struct ir_post_op;
struct ir_expansion;

/* Order of the elements of a tensor [N, C, D..] in memory. */
typedef enum ir_layout {
  IR_LAYOUT_PLAIN,        /* row-major */
  IR_LAYOUT_CHANNELS_LAST /* [N, D.., C], row-major */
} ir_layout;

/* A value: the output of a node, as far as it is known before a run. */
typedef struct ir_value {
  ir_type type;
  ir_layout layout; /* IR_LAYOUT_PLAIN outside of programs (program/program.h) */
  bool is_constant; /* only in programs: the value is the same in every run */
  bool poisoned; /* a fault was reported at its origin: conclude nothing from the value and report nothing about it */
  ir_shape shape;
  const ir_tensor *contents; /* the elements, if known before the run; else NULL */
  bool is_contents_copy; /* `contents` is a private copy, which does not change with the file or the caller's memory */
  bool reads_input; /* in a run: contents or ranges depend on an input's elements, so the next run can have others */
  const ir_dim *ranges;      /* the interval of each element of a small tensor (ops/ranges.h), or NULL */
  bool contents_unavailable; /* constant, but the .bin is missing, or irrun lacks the op that computes it */
} ir_value;

/* The output that feeds an input. If no output does, `layer` is -1, and the fault was reported. */
typedef struct ir_link {
  int32_t layer, port;
} ir_link;

/* A layer after binding: its op, typed attributes, connections and inferred values. */
typedef struct ir_node {
  const ir_layer *layer;
  const ir_op *op;         /* NULL: irrun lacks the op */
  void *params;            /* op->params_size bytes, filled by the schema; nodes with equal attributes share them */
  uint64_t attrs_at_fault; /* bit i: a fault of attribute i of the schema was reported */
  ir_link *inputs;
  ir_value *outputs;
  int32_t n_inputs, n_outputs;
  struct ir_body *bodies; /* one for each body of the op (ops/bodies.h); NULL: no bodies, or faulty ones */
  uint64_t outputs_read;  /* bit i: an edge begins at output i */
  bool broken;            /* a fault of the layer's type, ports or connections was reported: nothing is inferred */
  bool assumed;           /* irrun lacks the op, so the outputs have the declared types and shapes */
  bool refused;           /* the layer is at fault, and poisoned outputs were replaced by their declarations */
  bool live;              /* an output of the model needs the node */
  bool varies;            /* its results can differ from run to run: they do not depend on constants alone */
  bool in_cycle;          /* the node lies in a cycle or depends on one: its inputs stay poisoned */
} ir_node;

/* Whether a fault of the layer or its connections was reported, after which nothing is concluded from the node. */
static inline bool ir_node_is_broken(const ir_node *node) {
  return node->broken || node->layer->broken;
}

/* Whether the layer has fewer output ports in the file than its op has outputs. Nothing reads the others. */
static inline bool ir_node_lacks_ports(const ir_node *node) {
  return node->layer->n_outputs < node->n_outputs;
}

/* Arguments common to the functions that bind, infer and prepare nodes. */
typedef struct ir_scope {
  const ir_graph *graph;
  ir_diags *diags;
  ir_arena *arena; /* memory that lives as long as the inferred values */
  const ir_memory *memory;
  bool running;         /* in a run: shapes are those of the run's inputs */
  struct ir_stop *stop; /* in a run: long computations check it (base/stop.h); else NULL */
  /* In a run: the inputs of the node as inferred when the model was checked, before the run. Else NULL. */
  const struct ir_value *const *checked;
} ir_scope;

/* ---- attributes ---- */

typedef enum ir_attr_kind {
  IR_ATTR_INT,   /* field: int64_t, or ir_ints for a list */
  IR_ATTR_FLOAT, /* field: double, or ir_floats for a list */
  IR_ATTR_BOOL,  /* field: bool */
  IR_ATTR_ENUM,  /* field: int, the index of the word in `names` */
  IR_ATTR_TYPE,  /* field: ir_type */
  IR_ATTR_SHAPE, /* field: ir_shape; the text can have brackets, `?`, -1, a..b and `...` */
  IR_ATTR_DIMS,  /* field: ir_shape; the text has numbers only */
  IR_ATTR_TEXT   /* no field: the op parses the text */
} ir_attr_kind;

typedef enum ir_attr_count {
  IR_COUNT_ONE,
  IR_COUNT_SPATIAL, /* a list with one item per spatial axis */
  IR_COUNT_ANY      /* a list of any length */
} ir_attr_count;

typedef struct ir_ints {
  const int64_t *items; /* NULL if a fault of the attribute was reported */
  int64_t n;
} ir_ints;

typedef struct ir_floats {
  const double *items; /* NULL if a fault of the attribute was reported */
  int64_t n;
} ir_floats;

typedef struct ir_attr_spec {
  const char *name;
  ir_attr_kind kind;
  ir_attr_count count;
  size_t offset; /* of the field in the op's params */
  bool required;
  int64_t min, max;               /* for IR_ATTR_INT: the allowed range */
  const char *const *names;       /* for IR_ATTR_ENUM: the words, ended by NULL */
  const char *const *other_names; /* for IR_ATTR_ENUM: accepted synonyms of `names`, in the same order; or NULL */
  bool inverted;                  /* for IR_ATTR_BOOL: the field is the negated attribute */
  bool c_names;                   /* for IR_ATTR_TYPE: types have nGraph's names */
  const char *fallback;           /* the default text. In a SPATIAL list: of each item. NULL: no default */
  bool fallback_if_allowed;       /* the attribute is required, but --allow=IR204 permits the default */
  bool fallback_if_empty;         /* an empty list is replaced by the default, even if the attribute is required */
  const char *required_with;      /* the attribute is required if this other attribute is present and not empty */
  /* Whether this layer's result does not depend on the required attribute, so that its default can be used. NULL:
   * the result always depends on the attribute. */
  bool (*is_needless)(const ir_node *node);
} ir_attr_spec;

/* ---- ports ---- */

#define IR_MAX_OP_PORTS 8  /* in a row; a variadic row counts once */
#define IR_PORT_NAME    28 /* size of ir_port_spec.name, including the NUL */
#define IR_TYPE_VAR     20

typedef struct ir_port_spec {
  /* `name` and `type_var` are arrays, not pointers, so tables of ports are constants that need no relocation at
   * start. The row after the last port has an empty name. */
  char name[IR_PORT_NAME];
  char type_var[IR_TYPE_VAR]; /* ports with the same variable, "T", must have the same type; "": independent */
  uint64_t types;             /* the types of the op's page: IR_SET_... */
  uint64_t types_if_allowed;  /* further types, accepted with --allow of the rule `fault` */
  uint64_t types_noted;       /* further types, accepted with a note: OpenVINO accepts them, the page does not */
  uint64_t types_carried;     /* types without kernels that OpenVINO accepts; 0: those that input_types.c finds */
  bool types_may_differ; /* OpenVINO does not compare this type with others of its type variable: a difference is a note
                          */
  ir_rule fault;         /* rule for a wrong rank or type; 0: IR303 for a rank, IR306 for a type */
  uint64_t types_misdeclared; /* types that converters wrongly declare for this output; a warning */
  int rank_min, rank_max;
  bool contents;   /* infer reads the contents of this input */
  bool shape_only; /* the op reads the type and shape of this input, never its elements */
  bool checked;    /* a kernel checks elements, then uses them: they must not change in between (ir_plan_step_on) */
  bool ranges;     /* infer reads the ranges of this input, if the tensor is small (ops/ranges.h) */
  bool variadic;   /* the last row: it also describes all further ports of a node */
  bool optional;   /* this port and all later ports can be omitted */
} ir_port_spec;

/* The table of a row's ports. A port with an empty name ends it. */
#define IR_PORTS(...) ((const ir_port_spec[]){__VA_ARGS__, {.name = ""}})

/* Values of ir_port_spec.types_carried. NONE: `types` lists all types. WIDENED: only low-bit types that kernels
 * widen to bytes. NUMBERS: all types of numbers. */
#define IR_CARRIED_NONE    IR_SET(IR_DYNAMIC)
#define IR_CARRIED_WIDENED (IR_SET(IR_I4) | IR_SET(IR_U4))
#define IR_CARRIED_NUMBERS (IR_SET_CARRIED & ~IR_SET(IR_STRING))

/* A port of type variable `var` and any rank. */
#define IR_PORT_OF_ANY_RANK(port, var, set)                                                                            \
  { .name = port, .type_var = var, .types = set, .rank_min = 0, .rank_max = IR_MAX_RANK }

/* A port of any rank. infer reads its elements as ranges if the tensor is small. */
#define IR_PORT_WITH_RANGES(port, var, set, carried)                                                                   \
  { .name = port, .type_var = var, .types = set, .types_carried = carried, .rank_max = IR_MAX_RANK, .ranges = true }

/* Functions of an op that passes look for. */
typedef enum ir_function {
  IR_FUNCTION_OTHER,
  IR_FUNCTION_ADD,
  IR_FUNCTION_MULTIPLY,
  IR_FUNCTION_SUBTRACT,
  IR_FUNCTION_SIGMOID,
  IR_FUNCTION_CONVERT,
  /* The next three move elements: each element of an output is an element of the first input, or of any input of a
   * Concat, or a maximum of such elements. Other inputs only say which. So a growing function of the elements can be
   * applied before or after the op. */
  IR_FUNCTION_MOVE,
  IR_FUNCTION_TRANSPOSE,
  IR_FUNCTION_VIEW, /* the elements of input 0 in another shape */
  IR_FUNCTION_FAKE_QUANTIZE,
  IR_FUNCTION_QUANTIZE,
  IR_FUNCTION_DEQUANTIZE
} ir_function;

/* ---- how a run treats the op ---- */

typedef enum ir_run_kind {
  IR_RUN_NONE,     /* irrun checks the op, but cannot run it */
  IR_RUN_PREPARED, /* irrun runs it in a plan, by the steps of `prepare` */
  /* Ops of the next kinds have dynamic outputs. They run between two plans. */
  IR_RUN_DYNAMIC, /* runs `compute` */
  IR_RUN_BODIES,  /* runs `bodies`: If, Loop or TensorIterator */
  IR_RUN_READS,   /* ReadValue: reads the variable named by the attribute "variable_id" */
  IR_RUN_ASSIGNS, /* Assign: stores its input in that variable */
  /* The next kinds compute nothing. */
  IR_RUN_INPUT,   /* Parameter: an input of the model */
  IR_RUN_OUTPUT,  /* Result: an output of the model, without output ports */
  IR_RUN_CONSTANT /* Const: a tensor made by `contents` */
} ir_run_kind;

typedef struct ir_op_run {
  ir_run_kind kind;
  union {
    /* Adds the steps that compute the node to the plan (ops/prepare.h). All shapes are known. */
    ir_code (*prepare)(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
    /* Computes every output from in[i] and allocates its memory (ir_output_alloc). */
    ir_code (*compute)(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope);
    const struct ir_body_rule *bodies; /* ops/bodies.h */
    /* Makes the tensor of a constant. The tensor borrows the file's bytes if they need no change, else it has a
     * copy. Reports faults. */
    ir_code (*contents)(const ir_node *node, const ir_value *out, ir_scope *scope, ir_tensor *out_tensor);
  };
} ir_op_run;

/* ---- the row ---- */

/* Address of the page "pooling/avg-pool-1". */
#define IR_SPEC_PAGE(name)                                                                                             \
  "https://docs.openvino.ai/2026/documentation/openvino-ir-format/operation-sets/operation-specs/" name ".html"

struct ir_op {
  /* ---- identity ---- */
  ir_dialect dialect;
  const char *type;   /* spelled as in files */
  int version;        /* version of the op: 14 in AvgPool-14; opset_table.inc maps opsets to it */
  const char *spec;   /* address of the op's page */
  const void *family; /* data of a family of ops, such as ir_pool_rules of ops/pool/pool.h; or NULL */

  /* ---- attributes and ports ---- */
  size_t params_size;
  const ir_attr_spec *attrs; /* ended by a row with name NULL */
  bool attrs_only_known;     /* an unknown attribute is an error; false: a warning */
  /* Attributes that old exporters wrote and nobody reads, ended by NULL; or NULL. They are accepted silently. An
   * item is "name", or "name=value" to accept only that value. */
  const char *const *ignored_attrs;
  /* Reports attributes that contradict each other. It runs before inference and does not see inputs. NULL: no such
   * check. */
  void (*check_attributes)(const ir_node *node, ir_scope *scope);
  const ir_port_spec *inputs, *outputs; /* made by IR_PORTS; NULL: none */

  /* ---- shapes ---- */
  /* Infers the type and shape of every output from in[i], and reports faults. in[i] is never NULL, but can be
   * poisoned. Dims are intervals. Outputs begin with an open type and unknown rank, and keep them if they cannot be
   * inferred.
   * irrun has checked in[i] against the port rows: a value of wrong type or rank was reported and is poisoned here. */
  ir_code (*infer)(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
  /* Sets out[i].ranges for outputs of known shape, if the range of any element is known. Called after infer. NULL:
   * no rule. */
  ir_code (*ranges)(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
  /* For the verbose table: `formula` prints the shape formula with its numbers; `cost` counts the additions or
   * comparisons of one run, -1 if unknown. NULL: nothing to show. */
  void (*formula)(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
  int64_t (*cost)(const ir_node *node, const ir_value *const *in);
  bool multiplies; /* `cost` counts multiplications, each followed by an addition */

  /* ---- running ---- */
  ir_op_run run;
  bool is_impure;  /* equal inputs can give different outputs, so the op is never folded */
  uint64_t narrow; /* types of IR_SET_NARROW for which the op has kernels, beside IR_SET_STORED */
  const struct ir_elementwise *elementwise; /* formula of one output element (ops/kernels/elementwise.h); or NULL */
  /* Whether `prepare` also accepts tensors in channels-last layout (ir_plan_is_channels_last). NULL: it does if the
   * op has `elementwise`. */
  bool (*takes_channels_last)(const ir_node *node);
  /* `prepare` accepts input 0 with channels last, and outputs that lie plain. */
  bool reads_any_layout;

  /* ---- patterns and the fast module ---- */
  ir_function function;
  /* Describes the contraction for the fast module (ops/fast): tensors of known shapes, in f32 and plain layout,
   * without post-ops. Returns false if the module cannot compute it. NULL: the op is no contraction. */
  bool (*contraction)(const ir_node *node, const ir_value *const *in, ir_scope *scope, struct ir_fast_desc *out);
  /* Describes the op, which has one input, as a post-op. Returns false if the module has no such post-op. */
  bool (*post_op)(const ir_node *node, struct ir_post_op *out);

  /* ---- nGraph ---- */
  /* Only for nGraph ops: the OpenVINO op with the same result, which takes its place when a model is converted. NULL:
   * the nGraph op copies its input, and is left out. */
  const ir_op *counterpart;
  /* Fills the params of the counterpart, which are zero before, for inputs in[i]. Reports attributes that the
   * counterpart cannot express, and results that differ. NULL: there is no counterpart. */
  ir_code (*translate)(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope);

  /* ---- IR versions 2 to 7 ---- */
  /* Only for rows of the dialect IR_LEGACY: makes the ops that take the layer's place (ops/legacy/expansion.h). */
  void (*expand)(struct ir_expansion *x);
};

/* The next functions return false if `op` is NULL: irrun lacks the op. */
static inline bool ir_op_is(const ir_op *op, ir_run_kind kind) {
  return op != NULL && op->run.kind == kind;
}
/* Whether the op computes its outputs from inputs. True also if irrun can check the op, but not run it. */
static inline bool ir_op_is_computed(const ir_op *op) {
  return op != NULL && op->run.kind < IR_RUN_INPUT;
}
static inline bool ir_op_has_variable(const ir_op *op) {
  return ir_op_is(op, IR_RUN_READS) || ir_op_is(op, IR_RUN_ASSIGNS);
}
/* Whether the output shapes of the op depend on data, so that it runs between two plans. */
static inline bool ir_op_has_dynamic_output(const ir_op *op) {
  return ir_op_is(op, IR_RUN_DYNAMIC) || ir_op_is(op, IR_RUN_BODIES) || ir_op_has_variable(op);
}
/* Whether the op's outputs are constant if its inputs are. This is the only rule of what is constant. */
static inline bool ir_op_folds(const ir_op *op) {
  return ir_op_is_computed(op) && !op->is_impure;
}

/* Number of attributes in the schema. */
int ir_op_n_attrs(const ir_op *op);
/* Index of attribute `name` in the schema; -1: none. */
int ir_op_attr_index(const ir_op *op, const char *name);
/* The schema row of the attribute whose field is at `offset` of the params; NULL: none. */
const ir_attr_spec *ir_op_attr_of_field(const ir_op *op, size_t offset);
/* Name of the attribute whose field is at `offset` of the params; "": none. */
const char *ir_op_field_name(const ir_op *op, size_t offset);
int32_t ir_op_n_inputs(const ir_op *op);
int32_t ir_op_n_outputs(const ir_op *op);
/* Number of inputs that cannot be omitted. */
int32_t ir_op_least_inputs(const ir_op *op);
/* Whether the last row of the inputs, or outputs, is variadic. */
bool ir_op_any_inputs(const ir_op *op);
bool ir_op_any_outputs(const ir_op *op);
/* The row of port `i`. For a variadic op, the last row serves all further ports. NULL: the op has no such port. */
const ir_port_spec *ir_op_input(const ir_op *op, int32_t i);
const ir_port_spec *ir_op_output(const ir_op *op, int32_t i);

/* Places for diagnostics: of the layer's tag, of an attribute, or of item `item` of an attribute. If there is no
 * such item, the attribute's place. */
ir_where ir_node_where(const ir_scope *scope, const ir_node *node);
ir_where ir_attr_where(const ir_scope *scope, const ir_node *node, const char *name);
ir_where ir_attr_item_where(const ir_scope *scope, const ir_node *node, const char *name, int64_t item);
/* Place of an input port's tag. If the port declares dim `dim`, the place of that dim. */
ir_where ir_input_where(const ir_scope *scope, const ir_node *node, int port, int dim);

/* Whether no fault of attribute `name` was reported. If one was, do not use the attribute's field. True if the
 * schema lacks the attribute. */
bool ir_attr_usable(const ir_node *node, const char *name);
/* Same as ir_attr_usable, for the attribute whose field is at `offset` of the params. True if no attribute has that
 * field. */
bool ir_field_usable(const ir_node *node, size_t offset);

/* If attribute `name` is absent, warns (IR212) that its default on the op's page, `taken`, differs from OpenVINO's.
 * The message is "it is TAKEN, as the page says, but BY_OPENVINO in OpenVINO". */
void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope);

/* Reports IR207: `value` of attribute `name` is not the `expected` number. "'scale' is 0, expected a number above
 * 0". */
void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope);

/* If an input or an attribute is at fault, poisons all outputs and returns true. */
bool ir_outputs_poisoned(const ir_node *node, const ir_value *const *in, ir_value *out);
/* Poisons all outputs. The fault must have been reported. */
void ir_poison_outputs(const ir_node *node, ir_value *out);

/* Allocates an output of an IR_RUN_DYNAMIC op. Reports IR004 if the run would exceed its memory limit, IR703 if
 * memory is out. */
ir_code ir_output_alloc(ir_type type, const ir_shape *shape, ir_scope *scope, ir_tensor *out);

/* Returns false and reports IR004 if `rank` exceeds IR_MAX_RANK. */
bool ir_rank_fits(const ir_node *node, int64_t rank, ir_scope *scope);

#endif
