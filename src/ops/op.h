/* An op is one row of the op table (ir_op): its attribute schema, ports, shape rule and kernels. CONTRIBUTING.md shows
 * how to add one. */
#ifndef IR_OP_H
#define IR_OP_H

#include "base/tensor.h"
#include "graph/graph.h"

typedef struct ir_op ir_op;
typedef struct ir_plan ir_plan;
struct ir_fast_desc;
struct ir_post_op;

/* Order of the elements of a tensor [N, C, D..] in memory. */
typedef enum ir_layout {
  IR_LAYOUT_PLAIN,        /* row-major */
  IR_LAYOUT_CHANNELS_LAST /* row-major as [N, D.., C] */
} ir_layout;

/* One tensor of the model, as far as it is known before a run. */
typedef struct ir_value {
  ir_type type;
  ir_layout layout; /* set in programs (program/program.h); elsewhere IR_LAYOUT_PLAIN */
  bool is_constant; /* the same in every run; set in programs, too */
  bool poisoned;    /* a fault was reported at its origin: conclude and report nothing more */
  ir_shape shape;
  const ir_tensor *contents; /* the elements, if known before the run; else NULL */
  bool is_contents_copy;     /* `contents` is a private copy, which no file and no caller can change */
  bool reads_input; /* in a run: contents or ranges depend on an input's elements, so they may differ in the next run */
  const ir_dim *ranges;      /* interval of each element of a small tensor (ops/ranges.h); or NULL */
  bool contents_unavailable; /* constant, but the .bin is missing or irrun lacks the op that computes it */
} ir_value;

/* The output that feeds an input. layer -1: not connected, which was reported. */
typedef struct ir_link {
  int32_t layer, port;
} ir_link;

/* A layer after binding: its op, typed attributes, connections and inferred values. */
typedef struct ir_node {
  const ir_layer *layer;
  const ir_op *op;         /* NULL: irrun lacks the op */
  void *params;            /* op->params_size bytes, filled by the schema; nodes with the same attributes share them */
  uint64_t attrs_at_fault; /* bit i: attribute i of the schema was reported */
  ir_link *inputs;
  ir_value *outputs;
  int32_t n_inputs, n_outputs;
  struct ir_body *bodies; /* one for each body of the op (ops/bodies.h); NULL: it has none, or they are at fault */
  uint64_t outputs_read;  /* bit i: an edge begins at output i */
  bool broken;            /* type, ports or connections are at fault: nothing can be inferred */
  bool assumed;           /* outputs are as the file declares them, because irrun lacks the op */
  bool live;              /* some output of the model needs it */
  bool in_cycle;          /* it lies in a cycle or depends on one: its inputs stay poisoned */
} ir_node;

/* Context of the binder, infer and prepare. */
typedef struct ir_scope {
  const ir_graph *graph;
  ir_diags *diags;
  ir_arena *arena; /* lives as long as the inferred values */
  const ir_memory *memory;
  bool running;         /* shapes are the real ones of a run */
  struct ir_stop *stop; /* in a run: long computations poll it (stop.h); else NULL */
  /* In a run: the node's inputs as the check of the model saw them. Else NULL. */
  const struct ir_value *const *checked;
} ir_scope;

/* ---- attributes ---- */

typedef enum ir_attr_kind {
  IR_ATTR_INT,   /* int64_t, or ir_ints for a list */
  IR_ATTR_FLOAT, /* double, or ir_floats for a list */
  IR_ATTR_BOOL,  /* bool */
  IR_ATTR_ENUM,  /* int, the position in `names` */
  IR_ATTR_TYPE,  /* ir_type */
  IR_ATTR_SHAPE, /* ir_shape; brackets, `?`, -1, a..b and `...` are allowed */
  IR_ATTR_DIMS,  /* ir_shape of numbers only */
  IR_ATTR_TEXT   /* no field: the op parses the text */
} ir_attr_kind;

typedef enum ir_attr_count {
  IR_COUNT_ONE,
  IR_COUNT_SPATIAL, /* one per spatial axis */
  IR_COUNT_ANY      /* a list of any length */
} ir_attr_count;

typedef struct ir_ints {
  const int64_t *items; /* NULL: the attribute is at fault */
  int64_t n;
} ir_ints;

typedef struct ir_floats {
  const double *items; /* NULL: the attribute is at fault */
  int64_t n;
} ir_floats;

typedef struct ir_attr_spec {
  const char *name;
  ir_attr_kind kind;
  ir_attr_count count;
  size_t offset; /* place of the field in the op's params */
  bool required;
  int64_t min, max;               /* IR_ATTR_INT */
  const char *const *names;       /* IR_ATTR_ENUM: the words, NULL at the end */
  const char *const *other_names; /* IR_ATTR_ENUM: other words for the same positions, or NULL */
  bool inverted;                  /* IR_ATTR_BOOL: the field is true when the attribute is false */
  bool c_names;                   /* IR_ATTR_TYPE: nGraph's names of types */
  const char *fallback;      /* text used if the attribute is absent (in a SPATIAL list, for each item). NULL: none */
  bool fallback_if_allowed;  /* required, but --allow=IR204 accepts the fallback */
  bool fallback_if_empty;    /* an empty list means the fallback, even if the attribute is required */
  const char *required_with; /* required if the attribute of this name is present and not empty */
  /* Whether this layer's result does not depend on a required attribute, so that the fallback may replace it. NULL: it
   * always depends. */
  bool (*is_needless)(const ir_node *node);
} ir_attr_spec;

/* ---- ports ---- */

#define IR_MAX_OP_PORTS 8  /* in a row; a variadic port counts once */
#define IR_PORT_NAME    28 /* bytes of a name and of a type variable, including the final zero */
#define IR_TYPE_VAR     20

typedef struct ir_port_spec {
  /* The texts are stored in the row, not pointed to, so that tables of ports are constants without relocations at
   * start. The name is empty in the row that ends a table. */
  char name[IR_PORT_NAME];
  char type_var[IR_TYPE_VAR]; /* ports with the same variable, such as "T", have the same type. Empty: compared with no
                                 other type */
  uint64_t types;             /* IR_SET_... */
  uint64_t types_if_allowed;  /* more types, accepted with --allow of the rule */
  uint64_t types_noted;       /* more types, accepted with a note: OpenVINO takes them, the page does not */
  uint64_t types_carried;     /* types without kernels that OpenVINO takes; 0: the rule of input_types.c */
  bool types_may_differ; /* OpenVINO never compares this port's type with those of its type variable: report a note */
  ir_rule fault;         /* the rule for a wrong rank or type; 0: IR303 and IR306 */
  uint64_t types_misdeclared; /* wrong but harmless types that converters declare for this output */
  int rank_min, rank_max;
  bool contents;   /* infer uses the contents of this input */
  bool shape_only; /* the op uses the type and shape of this input, never its elements */
  bool checked; /* a kernel checks the elements, then uses them: both passes must see the same ones (ir_plan_step_on) */
  bool ranges;  /* infer uses only the ranges of this input, if it is small (ops/ranges.h) */
  bool variadic; /* the last port: one or more inputs; as many outputs as the file has */
  bool optional; /* this port and all after it may be left out */
} ir_port_spec;

/* The table of a row's ports, ended by one with an empty name. */
#define IR_PORTS(...)                                                                                                  \
  (const ir_port_spec[]) {                                                                                             \
    __VA_ARGS__, {                                                                                                     \
      .name = ""                                                                                                       \
    }                                                                                                                  \
  }

/* Values of ir_port_spec.types_carried: all types are listed; low-bit types only that kernels widen to bytes; all
 * numbers. */
#define IR_CARRIED_NONE    IR_SET(IR_DYNAMIC)
#define IR_CARRIED_WIDENED (IR_SET(IR_I4) | IR_SET(IR_U4))
#define IR_CARRIED_NUMBERS (IR_SET_CARRIED & ~IR_SET(IR_STRING))

/* A port of type variable `var` and any rank, as most are. */
#define IR_PORT_OF_ANY_RANK(port, var, set)                                                                            \
  { .name = port, .type_var = var, .types = set, .rank_min = 0, .rank_max = IR_MAX_RANK }

/* A port whose elements are used as ranges if the tensor is small. */
#define IR_PORT_WITH_RANGES(port, var, set, carried)                                                                   \
  { .name = port, .type_var = var, .types = set, .types_carried = carried, .rank_max = IR_MAX_RANK, .ranges = true }

/* Functions that the patterns of program/patterns.c recognize. */
typedef enum ir_function { IR_FUNCTION_OTHER, IR_FUNCTION_ADD, IR_FUNCTION_MULTIPLY, IR_FUNCTION_SIGMOID } ir_function;

/* ---- how a run treats the op ---- */

typedef enum ir_run_kind {
  IR_RUN_NONE,     /* irrun checks the op, but cannot run it */
  IR_RUN_PREPARED, /* `prepare` */
  /* The outputs of the next kinds are dynamic: these ops run between two plans. */
  IR_RUN_DYNAMIC, /* `compute` */
  IR_RUN_BODIES,  /* `bodies`, of an If, Loop or TensorIterator */
  IR_RUN_READS,   /* reads the variable that "variable_id" names: ReadValue */
  IR_RUN_ASSIGNS, /* assigns that variable: Assign */
  /* The next kinds compute nothing. */
  IR_RUN_INPUT,   /* an input of the model: Parameter */
  IR_RUN_OUTPUT,  /* an output of the model: Result. Has no outputs of its own */
  IR_RUN_CONSTANT /* `contents` */
} ir_run_kind;

typedef struct ir_op_run {
  ir_run_kind kind;
  union {
    /* Adds steps to the plan that compute the node (ops/prepare.h). All shapes are known. */
    ir_code (*prepare)(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
    /* Computes every output from in[i], in memory of its own (ir_output_alloc). */
    ir_code (*compute)(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope);
    const struct ir_body_rule *bodies; /* ops/bodies.h */
    /* Makes the tensor, which borrows the file's bytes if they fit as they are. Reports faults. */
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
  const char *type;   /* spelled as in files */
  int version;        /* the op's own: AvgPool-14; opset_table.inc maps opsets to it */
  const char *spec;   /* address of the page */
  const void *family; /* data of the row's family, such as ir_pool_rules of ops/pool/pool.h. NULL: none */

  /* Schema. */
  size_t params_size;
  const ir_attr_spec *attrs; /* name NULL at the end */
  bool attrs_only_known;     /* an unknown attribute is an error, not a warning */
  /* Attributes that old exporters wrote and nobody reads. Accepted silently: "name", or "name=value" for one value
   * only. NULL at the end; or NULL. */
  const char *const *ignored_attrs;
  /* Reports contradictions between attributes, which need no inputs. NULL: none. */
  void (*check_attributes)(const ir_node *node, ir_scope *scope);
  const ir_port_spec *inputs, *outputs; /* made by IR_PORTS; NULL: none */

  /* Shape. */
  /* Infers type and shape of every output from in[i] (never NULL, may be unknown), with sizes as intervals, and reports
   * faults. An output that cannot be inferred stays unknown. Types and ranks that the port rows exclude were reported
   * before. */
  ir_code (*infer)(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
  /* Called after infer, for outputs of known shapes: sets out[i].ranges if any element has a range. NULL: no rule. */
  ir_code (*ranges)(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
  /* Rows of the verbose table: the shape formula with its numbers; additions or comparisons in one run, -1 if unknown.
   * NULL: nothing to show. */
  void (*formula)(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
  int64_t (*cost)(const ir_node *node, const ir_value *const *in);

  /* Run. */
  ir_op_run run;
  bool is_impure;                           /* equal inputs may give different outputs: never folded */
  uint64_t narrow;                          /* types of IR_SET_NARROW that its kernels take beside the stored types */
  const struct ir_elementwise *elementwise; /* formula of an element: ops/kernels/elementwise.h. NULL: none */
  /* Whether `prepare` also accepts tensors in channels-last layout (ir_plan_is_channels_last). Ops with an
   * `elementwise` do. */
  bool (*takes_channels_last)(const ir_node *node);

  /* Fast: facts for patterns and the fast module. */
  ir_function function;
  /* Describes the contraction for the fast module (ops/fast): tensors of known shapes, in f32 and plain layout, without
   * post-ops. False: the module cannot compute it. NULL: the op is no contraction. */
  bool (*contraction)(const ir_node *node, const ir_value *const *in, ir_scope *scope, struct ir_fast_desc *out);
  /* Describes the op, which has one input, as a post-op. False: the module has no such post-op. */
  bool (*post_op)(const ir_node *node, struct ir_post_op *out);

  /* nGraph. */
  /* IR_NGRAPH: the op of an IR that computes the same. NULL: the output equals the input, so an IR needs no layer. */
  const ir_op *counterpart;
  /* Fills the zeroed params of the counterpart for inputs in[i]; reports what the counterpart cannot express or
   * computes differently. NULL: there is no counterpart. */
  ir_code (*translate)(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope);
};

/* All of these are false for NULL, which stands for an op that irrun lacks. */
static inline bool ir_op_is(const ir_op *op, ir_run_kind kind) {
  return op != NULL && op->run.kind == kind;
}
/* Whether the op computes its outputs from inputs, even if irrun cannot run it. */
static inline bool ir_op_is_computed(const ir_op *op) {
  return op != NULL && op->run.kind < IR_RUN_INPUT;
}
static inline bool ir_op_has_variable(const ir_op *op) {
  return ir_op_is(op, IR_RUN_READS) || ir_op_is(op, IR_RUN_ASSIGNS);
}
/* Whether output shapes depend on data: such an op runs between two plans. */
static inline bool ir_op_has_dynamic_output(const ir_op *op) {
  return ir_op_is(op, IR_RUN_DYNAMIC) || ir_op_is(op, IR_RUN_BODIES) || ir_op_has_variable(op);
}
/* Whether constant inputs make the op's outputs constant. No other rule decides what is constant. */
static inline bool ir_op_folds(const ir_op *op) {
  return ir_op_is_computed(op) && !op->is_impure;
}

/* Number of rows of the schema and of the ports. */
int ir_op_n_attrs(const ir_op *op);
/* Index of the row of attribute `name`; -1 if there is none. */
int ir_op_attr_index(const ir_op *op, const char *name);
/* The row of the attribute in the field at `offset` of the params; NULL if there is none. */
const ir_attr_spec *ir_op_attr_of_field(const ir_op *op, size_t offset);
/* The name of that attribute; "" if there is none. */
const char *ir_op_field_name(const ir_op *op, size_t offset);
int32_t ir_op_n_inputs(const ir_op *op);
int32_t ir_op_n_outputs(const ir_op *op);
/* Number of inputs that are required. */
int32_t ir_op_least_inputs(const ir_op *op);
/* Whether the last input or output is variadic. */
bool ir_op_any_inputs(const ir_op *op);
bool ir_op_any_outputs(const ir_op *op);
/* The row of port `i`; a variadic op's last row serves all further ports. NULL if the op has no such port. */
const ir_port_spec *ir_op_input(const ir_op *op, int32_t i);
const ir_port_spec *ir_op_output(const ir_op *op, int32_t i);

/* Places for diagnostics: the layer's tag; an attribute; its item `item`, or the attribute if there is no such item. */
ir_where ir_node_where(const ir_scope *scope, const ir_node *node);
ir_where ir_attr_where(const ir_scope *scope, const ir_node *node, const char *name);
ir_where ir_attr_item_where(const ir_scope *scope, const ir_node *node, const char *name, int64_t item);
/* Place of an input port's tag, or of its dim `dim` if the port declares one. */
ir_where ir_input_where(const ir_scope *scope, const ir_node *node, int port, int dim);

/* Whether attribute `name` of the schema was bound without a fault, or is absent and has a fallback. Otherwise conclude
 * nothing from its field. */
bool ir_attr_usable(const ir_node *node, const char *name);
/* As ir_attr_usable, for the attribute in the field at `offset` of the params; true if no attribute has that field. */
bool ir_field_usable(const ir_node *node, size_t offset);

/* Warns (IR212) if attribute `name` is absent and the page's default differs from OpenVINO's. */
void ir_warn_of_default(const ir_node *node, const char *name, const char *taken, const char *by_openvino,
                        ir_scope *scope);

/* Reports IR207 for the real number `value` of attribute `name`: "'scale' is 0; expected a number above 0". */
void ir_report_number(const ir_node *node, const char *name, double value, const char *expected, ir_scope *scope);

/* True, with all outputs poisoned, if an input or an attribute is at fault. */
bool ir_outputs_poisoned(const ir_node *node, const ir_value *const *in, ir_value *out);
/* Poisons all outputs, after a fault was reported. */
void ir_poison_outputs(const ir_node *node, ir_value *out);

/* Allocates an output of an IR_RUN_DYNAMIC op; reports IR004 if a run may not take so much memory. */
ir_code ir_output_alloc(ir_type type, const ir_shape *shape, ir_scope *scope, ir_tensor *out);

/* False, with a report, if `rank` is more than irrun's tensors can have. */
bool ir_rank_fits(const ir_node *node, int64_t rank, ir_scope *scope);

#endif
