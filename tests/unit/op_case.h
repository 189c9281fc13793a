/* A layer without a file: bound, inferred for values and run on tensors through its op's row. */
#ifndef OP_CASE_H
#define OP_CASE_H

#include "exec/plan_memory.h"
#include "ops/prepare.h"

#define OP_CASE_INPUTS 64

typedef struct op_case {
  ir_memory memory;
  ir_arena arena;
  ir_diags diags;
  ir_graph graph;
  ir_layer layer;
  ir_node node;
  ir_value in[OP_CASE_INPUTS], out[IR_MAX_OP_PORTS];
  ir_link links[OP_CASE_INPUTS];
  ir_value checked[OP_CASE_INPUTS]; /* inputs of the last op_case_infer for a check */
  bool was_checked;
  ir_plan plan; /* plan of the last op_case_run */
  ir_plan_memory place;
} op_case;

/* Begins a case; `attrs` are alternating names and values, with NULL at the end. */
void op_case_begin(op_case *c, const char *type, const char *opset, const char *const *attrs);
/* Begins a case in another dialect: for nGraph `opset` is op_version. */
void op_case_begin_in(op_case *c, ir_dialect dialect, const char *type, const char *opset, const char *const *attrs);
void op_case_end(op_case *c);

/* Makes a value with known contents, integers of any type, that lives as long as the case. rank 0: one number. */
ir_value op_case_list(op_case *c, ir_type type, int rank, const int64_t *items, int64_t n);
/* Makes a value with a shape and without contents. */
ir_value op_case_value(ir_type type, ir_shape shape);

/* Infers c->out from c->in[0..n_inputs - 1], after clearing earlier reports. `run`: as in a run, after the case was
 * inferred for a check. */
void op_case_infer(op_case *c, int32_t n_inputs, bool run);
/* Lists the reports of the last call in order: "IR317", "warning IR319 IR317". Valid until the next call. */
const char *op_case_rules(const op_case *c);

/* Runs the layer on tensors with the shapes of a run; returns output 0, which is valid until the next run. */
const ir_tensor *op_case_run(op_case *c, ir_tensor *inputs, int32_t n_inputs);

#endif
