/* A plan: prepared steps in order, and the slots that they read and write. An execution needs no model: the steps and
 * the places of their tensors are fixed. */
#ifndef IR_PLAN_H
#define IR_PLAN_H

#include "base/layer.h"
#include "base/tensor.h"
#include "diag/diag.h"
#include "exec/omp_pool.h"

typedef struct ir_step ir_step;
typedef struct ir_plan ir_plan;

/* Computes items [begin, end) of a kernel's work. `worker` is below exec->n_workers and unique among concurrent calls.
 * It may run on any thread and must not allocate or share work itself. */
typedef void ir_work(void *user, int64_t begin, int64_t end, int worker);

/* The services for a running kernel. */
typedef struct ir_exec {
  const ir_memory *memory;
  void *scratch;         /* scratch of worker 0, of the size that the step requested, 64-byte aligned */
  size_t scratch_stride; /* bytes between the scratch of two workers */
  int n_workers;         /* at least 1 */
  bool is_watched;       /* the kernel inspects its results and warns of surprising ones */
  struct ir_stop *stop;  /* checked inside long items of work (stop.h); NULL: nothing stops the execution */
  /* Runs `n` items of work in pieces, perhaps concurrently, and returns when all are done. `bytes`, read and written in
   * total, decides how many workers are worth it. Results do not depend on the split. */
  void (*share)(struct ir_exec *exec, int64_t n, int64_t bytes, ir_work *work, void *user);
} ir_exec;

static inline void *ir_exec_scratch(const ir_exec *exec, int worker) {
  return (char *)exec->scratch + (size_t)worker * exec->scratch_stride;
}

typedef struct ir_kernel {
  const char *name; /* "average_f32" */
  const char *isa;  /* "any", or the required instruction set */
  /* in[i] and out[i] have the types and shapes of the step's slots; out[i] is NULL if nothing reads that output. */
  ir_code (*run)(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec);
  bool reads_unaligned; /* its inputs need no alignment: it reads them byte by byte */
  const char *why;      /* why the op chose this kernel; NULL: the op has only this one */
  bool flushes;         /* denormal numbers count as 0 while it runs (base/denormals.h) */
} ir_kernel;

struct ir_step {
  const ir_kernel *kernel;
  const void *state; /* owned by the plan's arena */
  size_t scratch_bytes;
  const int32_t *in, *out; /* slots; -1 for an output that nothing reads */
  int32_t n_in, n_out;
  int32_t operation;        /* index of the program's operation that the step computes */
  const ir_layer *layer;    /* for reports */
  int32_t layer_number;     /* the layer's number in the model */
  int64_t macs;             /* multiplications with the additions that follow; 0: none, or their number is unknown */
  int64_t start_ns, end_ns; /* of the last execution of a timed plan, on the monotonic clock */
};

typedef struct ir_slot {
  ir_type type;
  ir_shape shape;
  ir_tensor tensor;   /* bound to outside data, or a place in the plan's block */
  int32_t view_of;    /* the slot, no view itself, whose elements this one views in another shape; -1: no view */
  bool is_made;       /* a step computes it */
  bool is_constant;   /* it has the same contents in every execution */
  bool may_change;    /* a caller's or a file's memory, which can change during an execution */
  bool is_checked;    /* a step checks it before use: it must not lie in the caller's memory */
  bool is_aligned;    /* its data must be aligned for its type */
  bool is_placed;     /* `given` is its only memory: it has no place in the block */
  bool is_open;       /* the last size of its tensor can differ in each execution: its readers look at that */
  bool is_kept;       /* an output of the plan: valid until the next execution */
  size_t first, last; /* the step that writes it, and the last step that reads it or a view of it; unused for a view */
  size_t offset;      /* offset in the block if a step makes it */
  size_t visited;     /* visited after that many steps; 0: never, or before the first step */
  void *given;        /* if a step makes it: memory outside of the block; NULL: its place is in the block */
} ir_slot;

/* Memory shared by plans that run one after another; it grows to the largest need. */
typedef struct ir_plan_memory {
  ir_tensor block, scratch;
} ir_plan_memory;

/* A constant in a form that an operation needs, and the step that makes it before the plan is first executed. */
typedef struct ir_made_constant {
  struct ir_made_constant *next; /* the constant that was requested before this one */
  const ir_kernel *kernel;
  const void *state;
  int32_t from, to; /* slots: the constant, and the step's result */
  int32_t operation, layer_number;
  int number; /* number within its operation */
  const ir_layer *layer;
} ir_made_constant;

/* An output to be visited after `n_done` steps. */
typedef struct ir_visit_point {
  size_t n_done;
  int32_t slot, layer, port;
} ir_visit_point;

struct ir_plan {
  ir_arena *arena; /* owns all parts of the plan */
  const ir_memory *memory;
  ir_diags *diags;
  ir_step *steps;
  size_t n_steps, steps_capacity;
  ir_slot *slots;
  size_t n_slots, slots_capacity;
  bool is_fast; /* fast kernels may replace plain ones */
  /* The operation that is being prepared: its slots (-1 for an output that nothing reads), its number, its layer. */
  const int32_t *in_slots, *out_slots;
  int32_t operation;
  const ir_layer *layer;
  int32_t layer_number;
  ir_made_constant *made;     /* the constant that was requested last; NULL: none was */
  size_t scratch_bytes;       /* the largest scratch that any step needs, for each worker */
  struct ir_workers *workers; /* the workers among which its steps share work */
  int n_workers;              /* upper bound for any step; 0 and 1: only the caller's thread */
  ir_omp_pool *omp_pool;      /* the fast module's threads if the plan has primitives; else NULL */
  /* Allocated at the first execution, and used by later ones too. */
  size_t block_bytes, scratch_stride;
  ir_plan_memory *place;
  bool is_loose;        /* the block is so much larger than the peak that dead pages are released */
  bool keeps_pages;     /* it, or another plan of its run, was executed: more executions follow, and pages stay */
  const ir_tensor **in; /* arguments of a step, with room for the longest lists */
  ir_tensor **out;
  struct ir_owned *owned;    /* objects that are freed with the plan */
  struct ir_stop *stop;      /* of the executing run, or NULL */
  const ir_step *stopped_at; /* the step where the last execution was stopped, or NULL */
  bool timed;                /* executions record the start and end of each step */
  bool watched;              /* ir_exec.is_watched */
  ir_visit_point *visits;    /* sorted by n_done */
  size_t n_visits;
  ir_code (*visit)(void *user, const ir_visit_point *point, ir_tensor *tensor, bool is_own); /* NULL: no visitor */
  void *visit_user;
  void (*on_step)(void *user, int64_t step, int64_t n_steps, const char *layer); /* NULL: no progress callback */
  void *on_step_user;
};

/* Makes a kernel whose name includes the type, in plan->arena: "sum" becomes sum_f32. NULL when memory is out. */
const ir_kernel *ir_plan_kernel(ir_plan *plan, const char *name, ir_type type,
                                ir_code (*run)(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out,
                                               ir_exec *exec));
/* Appends a step. `state` has to be in plan->arena. Reports when memory is out. */
ir_code ir_plan_append(ir_plan *plan, const ir_kernel *kernel, const void *state, size_t scratch_bytes,
                       const int32_t *in, int32_t n_in, const int32_t *out, int32_t n_out);
/* Adds a slot for a tensor between two steps; -1 when memory is out (reported). */
int32_t ir_plan_temporary(ir_plan *plan, ir_type type, const ir_shape *shape);
/* Adds a slot for the result of a step on `from`: computed once per model if `from` is constant, else in every
 * execution. `kernel` and `state` must be deterministic and the same in every plan for the operation's layer. -1 when
 * memory is out (reported). */
int32_t ir_plan_make(ir_plan *plan, const ir_kernel *kernel, const void *state, int32_t from, ir_type type,
                     const ir_shape *shape);
/* Makes slot `to` a view of slot `from`. */
void ir_plan_show(ir_plan *plan, int32_t from, int32_t to);
/* The slot that owns this slot's memory: another one for a view. */
static inline ir_slot *ir_plan_owner(const ir_plan *plan, int32_t slot) {
  const int32_t of = plan->slots[slot].view_of;
  return &plan->slots[of >= 0 ? of : slot];
}
/* Registers end(what) to be called when the plan ends. When memory is out, reports it, calls end at once and returns
 * false. */
bool ir_plan_own(ir_plan *plan, void *what, void (*end)(void *what));
/* Frees the plan's lists and all that the plan owns. The caller frees the arena. Accepts a plan that was never begun.
 */
void ir_plan_reset(ir_plan *plan);

#endif
