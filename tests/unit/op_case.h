/* One layer without a file: bound, inferred for values and run on tensors through the row of its op. */
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
  ir_value checked[OP_CASE_INPUTS]; /* the inputs of the last op_case_infer that was no run */
  bool was_checked;
  ir_plan plan; /* of the last op_case_run */
  ir_plan_memory place;
} op_case;

/* `attrs` are names and values in turn, NULL at the end. */
void op_case_begin(op_case *c, const char *type, const char *opset, const char *const *attrs);
/* In another dialect: `opset` is nGraph's op_version. */
void op_case_begin_in(op_case *c, ir_dialect dialect, const char *type, const char *opset, const char *const *attrs);
void op_case_end(op_case *c);

/* A list of integers of any type as known contents; lives as long as the case. rank 0: one number. */
ir_value op_case_list(op_case *c, ir_type type, int rank, const int64_t *items, int64_t n);
/* A value of a shape, its contents not known. */
ir_value op_case_value(ir_type type, ir_shape shape);

/* Infers from c->in[0..n_inputs - 1] into c->out. What was reported before is forgotten. `run`: with the sizes of a
 * run, after the same case was inferred as a check. */
void op_case_infer(op_case *c, int32_t n_inputs, bool run);
/* "IR317", "warning IR319 IR317": what the last call reported, in order. Holds until the next call. */
const char *op_case_rules(const op_case *c);

/* Runs the layer on tensors and returns output 0, which lives until the next run. Shapes are inferred as a run's. */
const ir_tensor *op_case_run(op_case *c, ir_tensor *inputs, int32_t n_inputs);

#endif
