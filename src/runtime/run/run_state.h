/* A run: what was set and asked for, the plans that it has made, and what was computed. */
#ifndef IR_RUN_STATE_H
#define IR_RUN_STATE_H

#include "base/stop.h"
#include "runtime/run/kept_plans.h"
#include "runtime/run/run_shapes.h"
#include "runtime/run/visit.h"

/* Where the caller wants an output; `data` NULL: nowhere of its own. */
typedef struct ir_caller_place {
  void *data;
  size_t bytes;
} ir_caller_place;

typedef struct ir_run_output {
  irrun_tensor tensor; /* borrowed from the last plan's slots */
  ir_caller_place place;
  bool is_wanted, is_computed;
} ir_run_output;

/* What a ReadValue reads and an Assign sets. */
typedef struct ir_variable {
  const char *id;        /* the file's */
  ir_tensor value, next; /* `next`: of the end of this execution. Each its own memory */
  bool is_set, is_assigned;
} ir_variable;

/* What a run has of a layer. */
typedef struct ir_run_layer {
  ir_tensor *held; /* one an output: what a stage computed of it, until all have read it. In the arena, or NULL */
  irrun_run *bodies[IR_MOST_BODIES]; /* made when they first run */
} ir_run_layer;

/* A row of irrun_run_get_plan_row: a step of an operation, -1: the operation alone. */
typedef struct ir_shown_row {
  int32_t operation, step;
  const char *why;
} ir_shown_row;

/* What irrun_run_show made. */
typedef struct ir_shown {
  ir_arena arena;        /* of all below */
  ir_kept_plan *stage;   /* the first stage, of a run that has several; else run->last */
  ir_compiled own;       /* the program after a pass, where that is shown */
  const ir_compiled *of; /* what the rows are of; NULL: nothing is shown */
  ir_shown_row *rows;
  size_t n_rows;
  bool is_asked; /* the first stage is to be planned, though no other can be */
} ir_shown;

/* A run goes in stages: what can be planned is planned and executed; then what only its computation tells the shape of
 * (ir_op_has_dynamic_output) is computed, and more can be planned. Most have one stage. */
struct irrun_run {
  irrun_model *model;
  irrun_context *context;
  ir_account own_account;
  ir_account *account; /* its own, or of the run whose body it is */
  ir_arena arena;      /* of what is inferred for the stages of one execution */
  ir_kept_plans plans;
  ir_plan_memory place; /* that its plans are executed in */
  ir_kept_plan *last;   /* the plan of the last stage, which makes the outputs; NULL: there is none */
  ir_shown shown;
  ir_run_nodes nodes;
  bool is_staged; /* the execution has more than one stage */
  ir_run_input *inputs;
  ir_run_output *outputs;
  ir_run_layer *layers;
  bool *needed;    /* one a layer: the outputs asked for need it */
  bool any_wanted; /* else all outputs are */
  bool needed_found;
  bool timed, watched;
  ir_visitor visitor;
  irrun_on_step *on_step;
  void *on_step_user;
  irrun_step *steps; /* of this execution, but for those of the last plan */
  size_t n_steps, steps_capacity;
  int64_t counts[IR_MOST_PASSES]; /* of the stages before the last one */
  ir_variable *variables;
  size_t n_variables, variables_capacity;
  ir_stop own_stop, *stop; /* `stop`: of the run that the caller executes, which is this one or has it as a body's */
};

/* Creates a run. `outer` is the run whose body the model is, or NULL. Reports when memory is out. */
ir_code ir_run_create(irrun_model *model, irrun_context *context, irrun_run *outer, irrun_run **out_run);
static inline const ir_memory *ir_run_memory(const irrun_run *run) {
  return &run->account->memory;
}
/* The scope in which nodes of the run are inferred and prepared. */
ir_scope ir_run_scope(irrun_run *run);
/* irrun_run_execute of a run that is part of another execution. */
ir_code ir_run_execute(irrun_run *run);
/* Gives the run an input that fits it, and takes the tensor: owned or borrowed. */
void ir_run_give(irrun_run *run, int32_t input, const ir_tensor *tensor);
void ir_run_take_away(irrun_run *run, int32_t input);

/* check_ops.c: reports the ops of layers that are needed and only checked: each once, at its first layer (IR210).
 * Before shapes are inferred: what such a layer holds may decide them. */
ir_code ir_run_check_ops(irrun_run *run);

/* output_places.c: IR801 where what is written in one place would be read in another. */
ir_code ir_run_check_places(irrun_run *run);
/* The slot that the last plan takes an output from that is needed. */
ir_slot *ir_run_output_slot(irrun_run *run, int32_t output);
/* Around the last plan's execution: gives slots the places of outputs, and takes the outputs from there. */
ir_code ir_run_bind_outputs(irrun_run *run);
void ir_run_take_outputs(irrun_run *run);

/* show.c */
void ir_run_forget_shown(irrun_run *run);

/* stages.c: executes all stages, with plans that are made where there are none. `may_execute` false: makes the plan as
 * far as nothing has to be computed; then run->last says whether it is there. */
ir_code ir_run_stages(irrun_run *run, bool may_execute);
/* Executes one stage. The last one makes the outputs; what others make is held. */
ir_code ir_run_stage(irrun_run *run, ir_kept_plan *plan, bool is_last);
irrun_step ir_run_step(const ir_plan *plan, size_t index);

/* planned_inputs.c: the plan of a whole run that fits the inputs as they are; NULL: there is none. */
ir_kept_plan *ir_run_find_plan(irrun_run *run);
/* Notes what the plan of a whole run was made for. False when memory is out (reported). */
bool ir_run_note_inputs(irrun_run *run, ir_kept_plan *plan);
/* The tensor that the plan is given for an input: the copy of it that decided shapes, else as it was set. */
ir_tensor ir_run_input_tensor(const irrun_run *run, const ir_kept_plan *plan, int32_t input);

/* run_stop.c: IR705 for an execution that was stopped in `kernel` of the layer; `place` says more of where. */
ir_code ir_run_report_stopped(irrun_run *run, const ir_layer *layer, const char *kernel, const char *place);
/* The same at plan->stopped_at. */
ir_code ir_run_report_plan_stopped(irrun_run *run, const ir_plan *plan);

/* run_alone.c: computes the nodes of nodes->alone, which no plan has, between two stages. */
ir_code ir_run_between(irrun_run *run);
/* What is held of the layer is there for the stages that follow, whatever was told of it before; and what nobody reads
 * any more is freed. */
ir_code ir_run_settle(irrun_run *run, int32_t layer);
/* Room for what the layer computed; NULL when memory is out. */
ir_tensor *ir_run_hold(irrun_run *run, int32_t layer);
ir_code ir_run_note_step(irrun_run *run, const irrun_step *step);

/* run_variables.c: ReadValue and Assign. False: memory is out. */
bool ir_run_variable(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out);
/* After an execution: variables get what was assigned. */
void ir_run_keep_variables(irrun_run *run);
void ir_run_free_variables(irrun_run *run);

/* run_bodies.c: computes an If, a Loop or a TensorIterator of in[i], which are there. */
ir_code ir_run_bodies(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out);
void ir_run_free_bodies(irrun_run *run);
/* Forgets the variables of all bodies. */
void ir_run_reset_bodies(irrun_run *run);

#endif
