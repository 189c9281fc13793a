/* A plan: the prepared steps of a run, in order. A run executes these and never looks at the graph. */
#ifndef IR_PLAN_H
#define IR_PLAN_H

#include "ops/axes.h"
#include "ops/op.h"

typedef struct ir_step ir_step;

/* Items [begin, end) of a kernel's work; `worker` is below exec->n_workers, and no two that run at once have one. It
 * runs in whatever thread: it neither takes memory nor shares work in its turn. */
typedef void ir_work(void *user, int64_t begin, int64_t end, int worker);

/* What a kernel may use while it runs. */
typedef struct ir_exec {
  const ir_memory *memory;
  void *scratch;         /* of worker 0: as many bytes as the step asked for, 64-byte aligned */
  size_t scratch_stride; /* from one worker's to the next one's */
  int n_workers;         /* at least 1 */
  bool is_watched;       /* a kernel looks at what it computed, and warns of what may surprise */
  struct ir_stop *stop;  /* for an item of work that may take long (stop.h); NULL: nothing stops it */
  /* Has `n` items of work done, in pieces that may run at once, and returns when all are. `bytes` that they read and
   * write in all tell whether that is worth more than one worker. What is computed is the same however it is split. */
  void (*share)(struct ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user);
} ir_exec;

static inline void *ir_exec_scratch(const ir_exec *exec, int worker) {
  return (char *)exec->scratch + (size_t)worker * exec->scratch_stride;
}

typedef struct ir_kernel {
  const char *name; /* "average_f32" */
  const char *isa;  /* "any", or what the machine has to have */
  /* in[i] and out[i] have the types and shapes of the step's slots; out[i] is NULL when nothing reads that output. */
  ir_code (*run)(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec);
} ir_kernel;

struct ir_step {
  const ir_kernel *kernel;
  const void *state; /* in the plan's arena */
  size_t scratch_bytes;
  const int32_t *in, *out; /* slots; -1 for an output that nothing reads */
  int32_t n_in, n_out;
  const ir_node *node;      /* for reports */
  bool is_once;             /* it reads nothing but constants and what such steps made: the first execution does it */
  int64_t start_ns, end_ns; /* of the last execution of a timed plan, by the monotonic clock */
};

typedef struct ir_slot {
  ir_type type;
  ir_shape shape;
  const ir_node *node; /* whose output it is; NULL for a temporary */
  ir_tensor tensor;    /* bound, or a place in the plan's block */
  int32_t view_of;     /* the slot, no view itself, whose elements it shows in another shape; -1: it has its own */
  bool is_made;        /* a step writes it */
  bool is_checked;     /* a step checks it before it uses it: it does not lie where the caller wants it */
  bool is_fixed;       /* a constant, or what a step of the first execution made */
  bool is_kept;        /* an output that is asked for: it stays until the next run */
  size_t first, last;  /* steps that write it and that are the last to read it or a view of it; of no view */
  size_t offset;       /* of one that is made, in the block */
  size_t visited;      /* it is looked at when so many steps are done; 0: by nobody, or before the first */
  void *given;         /* where the caller wants one that is made; NULL: in the block */
} ir_slot;

/* What passes did: irrun_run_pass_count. */
typedef struct ir_pass_counts {
  int64_t once, fused, laid_last, widened;
} ir_pass_counts;

struct ir_plan {
  ir_arena *arena;
  const ir_memory *memory;
  ir_diags *diags;
  ir_step *steps;
  size_t n_steps, steps_capacity;
  ir_slot *slots;
  size_t n_slots, slots_capacity;
  size_t scratch_bytes;       /* the largest that any step wants, of each worker */
  struct ir_workers *workers; /* whom its steps share work with */
  int n_workers;              /* the most of them that a step may use; 0 and 1: the caller alone */
  /* Memory that is taken when the plan is run first, and stays for its next runs. */
  size_t block_bytes, scratch_stride;
  ir_tensor block, scratch;
  bool is_loose; /* the block is so much larger than what lives at once that pages are given back */
  bool was_run;
  const ir_tensor **in; /* what a step is given, as many as any has */
  ir_tensor **out;
  /* slot of output j of node i: slot_of[first_slot[i] + j], -1 while there is none */
  int32_t *slot_of, *first_slot;
  size_t n_outputs; /* of all nodes */
  /* As slot_of: the slot by which an output is given to the plan or taken from it, where steps use another one; -1:
   * they use the same. NULL: they do everywhere. */
  int32_t *outside_of;
  const ir_node *nodes;
  size_t n_nodes;
  const int32_t *layers; /* one a node: what it is in the model */
  const bool *planned;   /* one a node: it is of this plan */
  bool is_fast;          /* fast kernels may serve where there are plain ones */
  /* Of a plan with the fast module, one a node; NULL otherwise. */
  bool *is_channels_last; /* the node reads and writes tensors [N, C, D..] as [N, D.., C] */
  /* As slot_of: the slot of a copy in the other layout, plain or with channels last, for nodes that want that; -1: none
   * yet. NULL where is_channels_last is. */
  int32_t *turned_of;
  struct ir_account *account; /* what it takes is counted there; NULL: nowhere */
  size_t product_bytes;       /* that the fast module takes for products, counted */
  bool has_products;          /* some are the fast module's, which is worth all workers */
  struct ir_owned *owned;     /* what ends with the plan */
  struct ir_stop *stop;       /* of the run that executes it, or NULL */
  const ir_step *stopped_at;  /* where the last execution was stopped, or NULL */
  bool timed;                 /* an execution notes when each step began and ended */
  bool watched;               /* ir_exec.is_watched */
  struct ir_visitor *visitor; /* looks at what layers computed; NULL: nobody does */
  void (*on_step)(void *user, int64_t step, int64_t n_steps, const char *layer); /* NULL: nobody follows */
  void *on_step_user;
  ir_pass_counts counts;
};

/* A kernel for every type, in plan->arena: "sum" for f32 is sum_f32. NULL when memory is out. */
const ir_kernel *ir_plan_kernel(ir_plan *plan, const char *name, ir_type type,
                                ir_code (*run)(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out,
                                               ir_exec *exec));
/* True when elements of an input or output of the node, one of `nodes`, are of a type that the op's kernels do not
 * take, `*out_type`. */
bool ir_lacks_kernel(const ir_node *node, const ir_node *nodes, ir_type *out_type);
/* IR210: no kernel computes with elements of the type. */
ir_code ir_report_no_kernel(ir_scope *scope, ir_where where, ir_type type);

/* Appends a step that reads the node's inputs and writes its outputs. `state` has to lie in plan->arena. Reports when
 * memory is out. */
ir_code ir_plan_step(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                     size_t scratch_bytes);
/* A step with slots of its own choice, for ops that are several steps. Inputs of checked ports that no step makes may
 * change while they are read, in a mapped file or by another thread of the caller: the step reads copies of them. */
ir_code ir_plan_step_on(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                        size_t scratch_bytes, const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* No step: output 0 of the node is a view of its input 0, with the same bytes under the output's own shape. */
void ir_plan_view(ir_plan *plan, const ir_node *node);
/* A slot for a tensor between two steps of one node; -1 when memory is out (reported). */
int32_t ir_plan_temporary(ir_plan *plan, ir_type type, const ir_shape *shape);
/* Calls end(what) when the plan ends; at once, and false, when memory is out (reported). */
bool ir_plan_own(ir_plan *plan, void *what, void (*end)(void *what));
void ir_plan_end_owned(ir_plan *plan);
/* Whether the node reads and writes tensors [N, C, D..] as [N, D.., C]. */
bool ir_plan_is_channels_last(const ir_plan *plan, const ir_node *node);
/* Whether an output lies in memory so, and not as its shape says. */
bool ir_plan_lies_last(const ir_plan *plan, ir_link from);
/* ir_op.takes_channels_last of ops that do whatever their attributes are. */
bool ir_always_channels_last(const ir_node *node);
/* The shape of a tensor that the node reads or writes with its axes in the order in which they lie for the node; and
 * the places of one or more of `rank` axes in that order. */
ir_shape ir_plan_laid_shape(const ir_plan *plan, const ir_node *node, const ir_shape *shape);
int ir_plan_laid_axis(const ir_plan *plan, const ir_node *node, int axis, int rank);
ir_axes ir_plan_laid_axes(const ir_plan *plan, const ir_node *node, const ir_axes *axes, int rank);
/* Steps in elements along the axes of such a tensor, in the order of its shape: 0 where an axis has one element. */
void ir_plan_laid_steps(const ir_plan *plan, const ir_node *node, const ir_shape *shape, int64_t *steps);
/* The slot of an input or output of a node; -1 for an output that nothing reads. */
int32_t ir_plan_input_slot(const ir_plan *plan, const ir_node *node, int port);
int32_t ir_plan_output_slot(const ir_plan *plan, const ir_node *node, int port);
/* The slot by which an output is given to the plan (an input, or what an earlier plan computed), or taken from it. */
int32_t ir_plan_outside_slot(const ir_plan *plan, ir_link from);

#endif
