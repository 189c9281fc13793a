/* A layer without a file, for tests: its attributes are bound, its outputs inferred, and its op run on tensors. */
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
  ir_value checked[OP_CASE_INPUTS]; /* the inputs of the last op_case_infer with `run` false */
  bool was_checked;
  ir_plan plan; /* plan of the last op_case_run */
  ir_plan_memory place;
} op_case;

/* Begins a case. `attrs` are alternating names and values, then NULL. */
void op_case_begin(op_case *c, const char *type, const char *opset, const char *const *attrs);
/* Begins a case in a dialect. For nGraph, `opset` is the op_version. */
void op_case_begin_in(op_case *c, ir_dialect dialect, const char *type, const char *opset, const char *const *attrs);
void op_case_end(op_case *c);

/* Makes a value with constant contents, integers of any type. Rank 0 has one number. The value lives as long as the
 * case. */
ir_value op_case_list(op_case *c, ir_type type, int rank, const int64_t *items, int64_t n);
/* Makes a value with a type and shape, without contents. */
ir_value op_case_value(ir_type type, ir_shape shape);

/* Clears earlier reports and infers c->out from c->in[0..n_inputs - 1]. If `run`, infers as in a run, after a check
 * of the same case. */
void op_case_infer(op_case *c, int32_t n_inputs, bool run);
/* Lists the reports of the last call in order, such as "IR317" or "warning IR319 IR317". The text is valid until the
 * next call. */
const char *op_case_rules(const op_case *c);

/* Runs the layer on tensors whose shapes a run would have. Returns output 0, which is valid until the next run. */
const ir_tensor *op_case_run(op_case *c, ir_tensor *inputs, int32_t n_inputs);

#endif
