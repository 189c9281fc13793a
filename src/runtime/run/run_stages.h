/* A run: what was set and asked for, the plan as long as it fits that, and what was computed. */
#ifndef IR_RUN_STAGES_H
#define IR_RUN_STAGES_H

#include "base/stop.h"
#include "runtime/run/plan_build.h"
#include "runtime/run/run_shapes.h"
#include "runtime/run/visit.h"

/* Where the caller wants an output; `data` NULL: nowhere of its own. */
typedef struct ir_caller_place {
  void *data;
  size_t bytes;
} ir_caller_place;

/* What a ReadValue reads and an Assign sets. */
typedef struct ir_variable {
  const char *id;        /* the file's */
  ir_tensor value, next; /* `next`: of the end of this execution. Each its own memory */
  bool is_set, is_assigned;
} ir_variable;

/* A run of the bodies of one layer, made when they first run. */
typedef struct ir_body_runs {
  irrun_run *runs[IR_MOST_BODIES];
} ir_body_runs;

/* A run goes in stages: what can be planned is planned and executed; then what only its computation tells the shape of
 * (ir_op_has_dynamic_output) is computed, and more can be planned. Most have one stage. */
struct irrun_run {
  irrun_model *model;
  ir_account own_account;
  ir_account *account; /* its own, or of the run whose body it is */
  ir_arena arena;      /* of what all stages know */
  ir_arena plan_arena; /* of the plan that there is */
  ir_plan plan;        /* of the stage at hand; in the end of the last one */
  int32_t *place;      /* one a layer: its node in the plan, -1: it has none. In the arena */
  ir_run_nodes nodes;
  bool is_staged;   /* there were stages before the last one: they are computed again in each execution */
  ir_tensor **held; /* one a node: the outputs that an earlier stage computed, until all have read them. In the arena */
  bool is_planned;  /* with one stage, whose plan is there */
  int n_threads;    /* that the plan was made for, as the caller asked */
  ir_tensor *inputs;  /* as set */
  bool *set, *wanted; /* one an input; one an output */
  bool any_wanted;    /* else all are */
  bool timed, watched;
  ir_visitor visitor;
  irrun_on_step *on_step;
  void *on_step_user;
  bool *needed;   /* one a node, once it is found: what the outputs asked for need */
  int32_t *stack; /* one a node, to find it */
  bool needed_found;
  irrun_tensor *outputs;   /* borrowed from the plan's slots */
  ir_caller_place *places; /* one an output */
  bool *computed;
  irrun_step *steps; /* of the stages before the last one */
  size_t n_steps, steps_capacity;
  ir_pass_counts counts; /* of these stages */
  ir_variable *variables;
  size_t n_variables, variables_capacity;
  ir_body_runs **bodies;   /* one a node */
  ir_stop own_stop, *stop; /* `stop`: of the run that the caller executes, which is this one or has it as a body's */
};

/* Creates a run. `account` is the outer run's if the model is a body, else NULL. Reports when memory is out. */
ir_code ir_run_create(irrun_model *model, ir_account *account, irrun_run **out_run);
static inline const ir_memory *ir_run_memory(const irrun_run *run) {
  return &run->account->memory;
}
/* The scope in which nodes of the run are inferred and prepared. */
ir_scope ir_run_scope(irrun_run *run);
/* irrun_run_execute of a run that is part of another execution. */
ir_code ir_run_execute(irrun_run *run);
/* output_places.c: IR801 where what is written in one place would be read in another. */
ir_code ir_run_check_places(irrun_run *run);
/* The slot that the last plan takes an output from that is needed. */
ir_slot *ir_run_output_slot(irrun_run *run, int32_t output);
/* Around the last plan's execution: gives slots the places of outputs, and takes the outputs from there. */
ir_code ir_run_bind_outputs(irrun_run *run);
void ir_run_take_outputs(irrun_run *run);

/* Forgets the plan and what was held for it. */
void ir_run_forget_plan(irrun_run *run);
/* Gives the run an input that fits it, and takes the tensor: owned or borrowed. */
void ir_run_give(irrun_run *run, int32_t input, const ir_tensor *tensor);
/* The input is not set any more; the plan stays. */
void ir_run_take_away(irrun_run *run, int32_t input);

/* run_stages.c: plans the run, and computes all stages but the last. `may_execute` false: only as far as nothing has to
 * be computed; then is_planned says whether the plan is there. */
ir_code ir_run_stages(irrun_run *run, bool may_execute);
/* Whether the inputs that decide shapes hold what they held when the plan was made. */
bool ir_run_inputs_stay(const irrun_run *run);
/* Points the slots of a plan at what was set and held. */
void ir_run_bind(irrun_run *run, ir_plan *plan);
ir_code ir_run_execute_plan(irrun_run *run, ir_plan *plan);
irrun_step ir_run_step(const ir_plan *plan, size_t index);

/* run_stop.c: IR705 for an execution that was stopped in `kernel` of the node; `place` says more of where. */
ir_code ir_run_report_stopped(irrun_run *run, const ir_node *node, const char *kernel, const char *place);
/* The same at plan->stopped_at. */
ir_code ir_run_report_plan_stopped(irrun_run *run, const ir_plan *plan);

/* run_alone.c: computes a node that no plan has, of in[i], which are there. The outputs have memory of their own. */
ir_code ir_run_alone(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out);
/* After an execution: variables get what was assigned. */
void ir_run_keep_variables(irrun_run *run);
void ir_run_free_variables(irrun_run *run);

/* run_bodies.c: likewise an If, a Loop or a TensorIterator. */
ir_code ir_run_bodies(irrun_run *run, const ir_node *node, const ir_tensor *const *in, ir_tensor *out);
void ir_run_free_bodies(irrun_run *run);
/* Forgets the variables of all bodies. */
void ir_run_reset_bodies(irrun_run *run);

#endif
