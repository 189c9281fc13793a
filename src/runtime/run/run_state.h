/* A run: its settings and requested outputs, the plans that it has made, and the computed tensors. */
#ifndef IR_RUN_STATE_H
#define IR_RUN_STATE_H

#include "base/index_map.h"
#include "base/stop.h"
#include "program/compile.h"
#include "runtime/run/run_shapes.h"
#include "runtime/run/states.h"
#include "runtime/run/visit.h"

/* The caller's memory for an output; `data` NULL: there is none. */
typedef struct ir_caller_place {
  void *data;
  size_t bytes;
} ir_caller_place;

typedef struct ir_run_output {
  irrun_tensor tensor; /* borrows a slot of the last plan */
  ir_caller_place place;
  bool is_wanted, is_computed;
} ir_run_output;

/* A variable that ReadValue reads and Assign sets. */
typedef struct ir_variable {
  const char *id;        /* owned by the file */
  ir_tensor value, next; /* `next`: the value after this execution. Each has its own memory */
  bool is_set, is_assigned;
} ir_variable;

/* The part of a model that one plan computes, and the values on which the plan depends. */
typedef struct ir_stage {
  int32_t *layers;         /* in running order */
  ir_link *kept;           /* outputs that later stages read, once for each reader */
  const ir_value **values; /* first those of which only type and shape matter, then those whose contents matter too */
  size_t n_layers, n_kept, n_values, n_without_contents;
} ir_stage;

/* A plan that the run has made. */
typedef struct ir_kept_plan {
  struct ir_kept_plan *next; /* the plan that was used before this one */
  ir_arena arena;            /* owns all members below */
  ir_stage stage;
  ir_compiled compiled;
  int64_t n_executed;
  ir_value *inputs;      /* if the plan is of a whole run: one per input of the model; contents only if they decide */
  int32_t *output_slots; /* one per output of the model: its slot; -1: this plan does not make it */
} ir_kept_plan;

/* The settings of the context for which all plans of a run were made. */
typedef struct ir_plan_settings {
  int n_threads;
  irrun_kernels kernels;
  ir_type precision;
  unsigned skipped_passes;
} ir_plan_settings;

/* The state of a layer in a run. */
typedef struct ir_run_layer {
  ir_tensor *held; /* one per output: a stage's result, until all readers are done. In the arena, or NULL */
  irrun_run *bodies[IR_MOST_BODIES]; /* made when they first run */
} ir_run_layer;

/* A step of an execution. For a step of a body, a sum over iterations. */
typedef struct ir_noted_step {
  irrun_step step;
  int64_t macs;  /* as ir_step.macs */
  int64_t round; /* the last iteration in the sum; -1: the step is of the run itself */
} ir_noted_step;

/* A row of irrun_run_get_plan_row. step -1: the operation has no step. */
typedef struct ir_shown_row {
  int32_t operation, step;
  const char *why;
} ir_shown_row;

/* The rows that irrun_run_show made. */
typedef struct ir_shown {
  ir_arena arena;        /* of all below */
  ir_kept_plan *stage;   /* the plan of the first stage, if the run has several stages; NULL: run->last is shown */
  ir_compiled own;       /* the program after a pass, if it is shown */
  const ir_compiled *of; /* the program and plan that the rows describe; NULL: nothing is shown */
  ir_shown_row *rows;
  size_t n_rows;
  bool is_asked; /* irrun_run_show is planning: it needs the first stage even if later ones cannot be planned */
} ir_shown;

/* A run goes in stages. A stage is planned and executed; then ops with dynamic outputs (ir_op_has_dynamic_output) are
 * computed, and the next stage is planned. Most runs have one stage. */
struct irrun_run {
  irrun_model *model; /* the run's view */
  /* The model with the run's context and an arena of its own: runs of several threads share all that the view points
   * at, and change none of it. */
  irrun_model view;
  irrun_context *context;
  ir_account own_account;
  ir_account *account; /* its own, or that of the outermost run */
  ir_arena arena;      /* owns what is inferred for the stages of one execution */
  ir_kept_plan *plans; /* the most recently used plan, then the others */
  ir_plan_settings plan_settings;
  int64_t n_plans_made;
  ir_plan_memory place; /* memory in which all plans of the run are executed */
  ir_kept_plan *last;   /* the plan of the last stage, which makes the outputs; NULL: there is none */
  ir_shown shown;
  ir_run_nodes nodes;
  bool was_executed;
  bool is_staged; /* the execution has more than one stage */
  ir_run_input *inputs;
  ir_run_output *outputs;
  ir_run_layer *layers;
  bool *needed;     /* one per layer: a requested output needs it */
  bool *planned;    /* the layers that stages plan: needed, or a part of it (states.h) */
  bool any_wanted;  /* an output was requested; false: all outputs are computed */
  bool has_results; /* false: no output has `is_computed` */
  bool needed_found;
  bool timed, watched;
  bool is_f32_said; /* the warning that products are of f32, although 16 bits were asked for, was reported */
  ir_visitor visitor;
  irrun_on_step *on_step;
  void *on_step_user;
  ir_noted_step *steps; /* steps of this execution, without those of the last plan */
  size_t n_steps, steps_capacity;
  int64_t counts[IR_MOST_PASSES]; /* pass counts of the stages before the last one */
  int32_t *readers;               /* layers: the first ReadValue of each variable, in the view's arena */
  irrun_tensor *values_read;      /* one per reader: the result of irrun_run_read_variable */
  size_t n_readers;
  ir_variable *variables; /* those of the readers, in their order, then those that are only assigned; in the arena */
  size_t n_variables;
  ir_index_map variables_by_id;
  ir_states states;        /* attention that keeps its states itself, instead of a variable */
  ir_stop own_stop, *stop; /* `stop`: of the outermost run, which is this run or encloses it */
};

/* Creates a run. `outer`: the enclosing run if the model is a body, or NULL. Reports when memory is out. */
ir_code ir_run_create(irrun_model *model, irrun_context *context, irrun_run *outer, irrun_run **out_run);
static inline const ir_memory *ir_run_memory(const irrun_run *run) {
  return &run->account->memory;
}
/* The scope for inferring and preparing nodes of the run. */
static inline ir_scope ir_run_scope(irrun_run *run) {
  ir_scope scope = ir_model_scope(run->model);
  scope.diags = &run->context->diags;
  scope.arena = &run->arena;
  scope.memory = ir_run_memory(run);
  scope.running = true;
  scope.stop = run->stop;
  return scope;
}
/* Executes the run as a part of another execution, which watches the time limit. */
ir_code ir_run_execute(irrun_run *run);
/* Sets an input, and takes the tensor, owned or borrowed. The tensor must fit. */
void ir_run_give(irrun_run *run, int32_t input, const ir_tensor *tensor);
void ir_run_take_away(irrun_run *run, int32_t input);

/* check_run.c: reports ops of needed layers that irrun cannot run (IR210), each op at its first layer. Call
 * it before shapes are inferred: the contents of such a layer can decide shapes. */
ir_code ir_run_check_ops(irrun_run *run);
/* check_run.c: does ir_run_check_ops, and checks that the inputs fit the memory with open dims at their lower bound. */
ir_code ir_run_check_open_inputs(irrun_run *run);

/* output_places.c: reports IR801 if the memory of an output overlaps that of another output or an input. */
ir_code ir_run_check_places(irrun_run *run);
/* Returns the slot of output `output`, which must be needed, in the last stage's plan. */
ir_slot *ir_run_output_slot(irrun_run *run, int32_t output);
/* Before the last stage's plan is executed: binds the slots of outputs to the caller's memory (ir_run_output.place). */
ir_code ir_run_bind_outputs(irrun_run *run);
/* After the execution: sets ir_run_output.tensor of each needed output, and copies an output to the caller's memory if
 * its slot is elsewhere. */
void ir_run_take_outputs(irrun_run *run);

/* Drops the rows that irrun_run_show made. */
static inline void ir_run_forget_shown(irrun_run *run) {
  ir_shown *shown = &run->shown;
  ir_compiled_reset(&shown->own);
  ir_arena_reset(&shown->arena);
  shown->stage = NULL;
  shown->of = NULL;
  shown->n_rows = 0;
}

/* run_states.c: sets whether attention keeps its states; the caller has to drop plans if that changes. False when
 * memory is out: nothing has changed. */
bool ir_run_keep_states(irrun_run *run, bool are_kept);
/* Lists the layers that an execution is for: those of requested outputs, and those that keep state. Returns their
 * number, at most that of all layers. */
int32_t ir_run_list_ends(const irrun_run *run, int32_t *layers);
/* For attention that keeps its states: sets run->needed, and what the masks and the rest need. The stack has room for
 * all layers, and n layers that the rest is for. False: the states cannot be kept, because masks depend on the rest. */
bool ir_run_divide(irrun_run *run, int32_t *stack, int32_t n);
/* Gives run->nodes the values that exist before the planned layers: states, and masks for the rest. */
ir_code ir_run_give_values(irrun_run *run);
/* Notes the types and shapes of the masks, which run->nodes infers. */
void ir_run_note_masks(irrun_run *run);
/* Before an execution: gives variables that were set to the attentions, and tells them the order of the batch. */
void ir_run_begin_rows(irrun_run *run);
/* After an execution: the attentions keep the appended rows. */
void ir_run_end_rows(irrun_run *run);
void ir_run_release_rows(irrun_run *run);
/* Type and shape of the variable's value. False: it is not set. */
bool ir_run_variable_outline(const irrun_run *run, const char *id, ir_tensor *out);
/* Moves the rows of the variable `id` to its tensor. False when memory is out. */
bool ir_run_move_rows(irrun_run *run, const char *id);
/* Frees the rows of the variable `id`. */
void ir_run_drop_rows(irrun_run *run, const char *id);

/* stages.c: computes the masks for the rest (states.h). `*out_known` false: only computing would tell their shapes. */
ir_code ir_run_masks(irrun_run *run, bool may_execute, bool *out_known);
/* Executes all stages, and makes missing plans. `may_execute` false: plans only as far as possible without
 * computing; run->last then says whether the last plan exists. */
ir_code ir_run_stages(irrun_run *run, bool may_execute);
/* Executes one stage. The last one makes the outputs; the results of others are held. */
ir_code ir_run_stage(irrun_run *run, ir_kept_plan *plan, bool is_last);
/* The request of the plan's program, which refers to the run's nodes. */
ir_program_request ir_run_request(irrun_run *run, ir_kept_plan *plan, bool is_frequent);

/* kept_plans.c: frees a plan that is not in the run's list. */
void ir_run_free_plan(const irrun_run *run, ir_kept_plan *plan);
/* Moves the plan to the front of the list, or adds it there. */
void ir_run_use_plan(irrun_run *run, ir_kept_plan *plan);
/* Frees a plan and removes it from the list. */
void ir_run_drop_plan(irrun_run *run, ir_kept_plan *plan);
/* Whether the plan was executed so often that the products of a small model are worth oneDNN. */
static inline bool ir_run_is_frequent(const ir_kept_plan *plan) {
  return plan->compiled.program.n_plain > 0 && plan->n_executed >= plan->compiled.program.n_plain;
}
/* Frees all plans except the `n` most recently used ones. */
void ir_run_shorten_plans(irrun_run *run, size_t n);
/* Finds a plan of the same layers for equal values, which works for the masks; NULL: there is none. */
ir_kept_plan *ir_run_find_stage(const irrun_run *run, const ir_stage *stage);
/* Replaces the values of the plan's stage by copies in the plan's arena. False when memory is out. */
bool ir_run_note_values(ir_kept_plan *plan);
/* Frees all plans if the settings of the context have changed since the plans were made. */
void ir_run_check_settings(irrun_run *run);
/* Finds the plan of a whole run for the current inputs; NULL: there is none. */
ir_kept_plan *ir_run_find_plan(const irrun_run *run);
/* Records the inputs for which the plan of a whole run was made. False when memory is out. */
bool ir_run_note_inputs(const irrun_run *run, ir_kept_plan *plan);
/* For other inputs that lead to the same plan: replaces the recorded contents. False when memory is out. */
bool ir_run_renew_inputs(const irrun_run *run, ir_kept_plan *plan);
/* The tensor of an input for the plan: the copy whose contents decided shapes, else the caller's tensor. */
ir_tensor ir_run_input_tensor(const irrun_run *run, const ir_kept_plan *plan, int32_t input);

/* run_stop.c: reports IR705 for an execution that was stopped in `kernel` of the layer; `place` adds to the
 * location. */
ir_code ir_run_report_stopped(irrun_run *run, const ir_layer *layer, const char *kernel, const char *place);
/* Reports it at plan->stopped_at. */
ir_code ir_run_report_plan_stopped(irrun_run *run, const ir_plan *plan);

/* run_alone.c: computes the nodes of nodes->alone, which are in no plan, between two stages. */
ir_code ir_run_between(irrun_run *run);
/* Makes the layer's held results available to later stages, in place of inferred values; frees held tensors that nobody
 * reads any more. */
ir_code ir_run_settle(irrun_run *run, int32_t layer);
/* Allocates the held results of the layer; NULL when memory is out. */
ir_tensor *ir_run_hold(irrun_run *run, int32_t layer);

/* run_steps.c: describes a step of a plan. */
irrun_step ir_run_step(const ir_plan *plan, size_t index);
/* Appends a step, before the steps of the last plan. */
ir_code ir_run_note_step(irrun_run *run, const ir_noted_step *step);
/* After an iteration of a body: adds its steps to the sums at run->steps[first] and behind. */
ir_code ir_run_add_body_steps(irrun_run *run, size_t first, const irrun_run *body_run, int64_t round);

/* run_variables.c: lists run->readers and run->variables. False when memory is out. */
bool ir_run_list_variables(irrun_run *run);
/* Finds the variable `id`; NULL: no layer reads or assigns it. */
ir_variable *ir_run_find_variable(const irrun_run *run, const char *id);
/* Runs ReadValue and Assign. False when memory is out. */
bool ir_run_variable(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out);
/* Call it after an execution: variables take their assigned values. */
void ir_run_keep_variables(irrun_run *run);
/* Takes the values from all variables. */
void ir_run_reset_variables(irrun_run *run);

/* run_bodies.c: computes an If, a Loop or a TensorIterator from in[i], which are computed. */
ir_code ir_run_bodies(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out);
void ir_run_free_bodies(irrun_run *run);
/* Forgets the variables of all bodies. */
void ir_run_reset_bodies(irrun_run *run);

#endif
