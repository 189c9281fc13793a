/* A plan: prepared steps in order, and the slots that they read and write. Executing one takes no model: what steps do
 * and where their tensors lie was decided before. */
#ifndef IR_PLAN_H
#define IR_PLAN_H

#include "base/layer.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include "exec/omp_pool.h"

typedef struct ir_step ir_step;
typedef struct ir_plan ir_plan;

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
  const char *why; /* why its op took it and no other; NULL: the op has no other */
} ir_kernel;

struct ir_step {
  const ir_kernel *kernel;
  const void *state; /* in the plan's arena */
  size_t scratch_bytes;
  const int32_t *in, *out; /* slots; -1 for an output that nothing reads */
  int32_t n_in, n_out;
  int32_t operation;        /* of the program that it computes a part of */
  const ir_layer *layer;    /* for reports */
  int32_t layer_number;     /* in the model */
  int64_t start_ns, end_ns; /* of the last execution of a timed plan, by the monotonic clock */
};

typedef struct ir_slot {
  ir_type type;
  ir_shape shape;
  ir_tensor tensor;   /* bound, or a place in the plan's block */
  int32_t view_of;    /* the slot, no view itself, whose elements it shows in another shape; -1: it has its own */
  bool is_made;       /* a step writes it */
  bool is_constant;   /* bound to the same contents in every execution */
  bool may_change;    /* the memory is a caller's or a file's, where it may change during an execution */
  bool is_checked;    /* a step checks it before it uses it: it does not lie where the caller wants it */
  bool is_placed;     /* it has memory of its own, `given`, and no place in the block */
  bool is_kept;       /* an output of the plan: it stays until the next execution */
  size_t first, last; /* steps that write it and that are the last to read it or a view of it; of no view */
  size_t offset;      /* of one that is made, in the block */
  size_t visited;     /* it is looked at when so many steps are done; 0: by nobody, or before the first */
  void *given;        /* where the caller wants one that is made; NULL: in the block */
} ir_slot;

/* The memory that plans run in, one after the other: each takes as much of it as it needs. */
typedef struct ir_plan_memory {
  ir_tensor block, scratch;
} ir_plan_memory;

/* A constant that an operation wants in a form of its own: the step that makes it, before the plan is executed first.
 */
typedef struct ir_made_constant {
  struct ir_made_constant *next; /* that was asked for before it */
  const ir_kernel *kernel;
  const void *state;
  int32_t from, to; /* slots: a constant, and what the step makes of it */
  int32_t operation, layer_number;
  int number; /* of those of one operation */
  const ir_layer *layer;
} ir_made_constant;

/* An output to be shown to somebody when so many steps are done. */
typedef struct ir_visit_point {
  size_t n_done;
  int32_t slot, layer, port;
} ir_visit_point;

struct ir_plan {
  ir_arena *arena; /* of all that the plan is made of */
  const ir_memory *memory;
  ir_diags *diags;
  ir_step *steps;
  size_t n_steps, steps_capacity;
  ir_slot *slots;
  size_t n_slots, slots_capacity;
  bool is_fast; /* fast kernels may serve where there are plain ones */
  /* The operation that is being prepared: its slots, -1 for an output that nothing reads, and what its steps are for.
   */
  const int32_t *in_slots, *out_slots;
  int32_t operation;
  const ir_layer *layer;
  int32_t layer_number;
  ir_made_constant *made;     /* the last one; or NULL */
  size_t scratch_bytes;       /* the largest that any step wants, of each worker */
  struct ir_workers *workers; /* whom its steps share work with */
  int n_workers;              /* the most of them that a step may use; 0 and 1: the caller alone */
  ir_omp_pool *omp_pool;      /* the fast module's threads, where that has a part in the plan; or NULL */
  /* Memory that is taken when the plan is first executed, and stays for its next executions. */
  size_t block_bytes, scratch_stride;
  ir_plan_memory *place;
  bool is_loose; /* the block is so much larger than what lives at once that pages are given back */
  bool was_run;
  const ir_tensor **in; /* what a step is given, as many as any has */
  ir_tensor **out;
  struct ir_owned *owned;    /* what ends with the plan */
  struct ir_stop *stop;      /* of the run that executes it, or NULL */
  const ir_step *stopped_at; /* where the last execution was stopped, or NULL */
  bool timed;                /* an execution notes when each step began and ended */
  bool watched;              /* ir_exec.is_watched */
  ir_visit_point *visits;    /* in the order of n_done */
  size_t n_visits;
  ir_code (*visit)(void *user, const ir_visit_point *point, ir_tensor *tensor, bool is_own); /* NULL: nobody looks */
  void *visit_user;
  void (*on_step)(void *user, int64_t step, int64_t n_steps, const char *layer); /* NULL: nobody follows */
  void *on_step_user;
};

/* A kernel for every type, in plan->arena: "sum" for f32 is sum_f32. NULL when memory is out. */
const ir_kernel *ir_plan_kernel(ir_plan *plan, const char *name, ir_type type,
                                ir_code (*run)(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out,
                                               ir_exec *exec));
/* Appends a step. `state` has to lie in plan->arena. Reports when memory is out. */
ir_code ir_plan_append(ir_plan *plan, const ir_kernel *kernel, const void *state, size_t scratch_bytes,
                       const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* A slot for a tensor between two steps; -1 when memory is out (reported). */
int32_t ir_plan_temporary(ir_plan *plan, ir_type type, const ir_shape *shape);
/* A slot for what the step makes of `from`: where that is a constant, once for the model; else whenever the plan is
 * executed. `kernel` and `state` have to make the same of the same in every plan for the operation's layer. -1 when
 * memory is out (reported). */
int32_t ir_plan_make(ir_plan *plan, const ir_kernel *kernel, const void *state, int32_t from, ir_type type,
                     const ir_shape *shape);
/* Slot `to` shows the elements of slot `from`. */
void ir_plan_show(ir_plan *plan, int32_t from, int32_t to);
/* The slot whose memory this one has: another one for a view. */
static inline ir_slot *ir_plan_owner(const ir_plan *plan, int32_t slot) {
  const int32_t of = plan->slots[slot].view_of;
  return &plan->slots[of >= 0 ? of : slot];
}
/* Calls end(what) when the plan ends; at once, and false, when memory is out (reported). */
bool ir_plan_own(ir_plan *plan, void *what, void (*end)(void *what));
/* Ends what the plan owns and frees its lists; its arena is its maker's. Accepts one that was never begun. */
void ir_plan_reset(ir_plan *plan);

#endif
