/* The thread pool of a context, which helps the thread that runs a model. Threads start when work is first worth it,
 * stay awake for 50 us after a job because the next layer can follow at once, and then sleep. In plans with primitives
 * the module's OpenMP pool takes their place.
 *
 * After a fork the child has no threads. A context that was not in a call may be used and freed on both sides; the
 * child starts its own. */
#ifndef IR_WORKERS_H
#define IR_WORKERS_H

#include "exec/plan.h"
#include "irrun.h"

/* The least bytes for which a second worker is used. One worker takes 150 us for them from memory (10 GB/s), 75 us from
 * its cache. A sleeping thread begins after 5 us, in a virtual machine after 50 us. */
#define IR_LEAST_SHARED_BYTES (INT64_C(1536) * 1024)

#define IR_MOST_WORKERS IRRUN_MAX_THREADS

typedef struct ir_workers {
  const ir_memory *memory;
  int n_asked;                     /* requested by the caller; 0: one per core */
  int n_cores;                     /* 0: not counted yet */
  struct ir_thread_pool *pool;     /* the threads; NULL: none were needed yet */
  struct ir_thread_pool *omp_pool; /* a pool without own threads, for work of the OpenMP threads; or NULL */
} ir_workers;

void ir_workers_init(ir_workers *workers, const ir_memory *memory);
/* Ends the threads. */
void ir_workers_reset(ir_workers *workers);

/* Sets the number of workers; 0: one per core, counted anew. */
void ir_workers_set(ir_workers *workers, int n);
/* The maximal number of workers, including the caller. */
int ir_workers_most(ir_workers *workers);
/* How many of `most` workers the work is worth; at least 1. The number grows with the square root of the work, because
 * the caller wakes each thread, which takes some us. */
int ir_workers_worth(int most, int64_t n, int64_t bytes);

/* Implements ir_exec.share with at most `most` workers, fewer if threads cannot be started. `work` must not share with
 * the same workers. With an `omp_pool`, whose threads are awake between the primitives of a plan, these are the
 * workers. */
void ir_workers_share(ir_workers *workers, ir_omp_pool *omp_pool, int most, int64_t n, int64_t bytes, ir_work *work,
                      void *user);

#endif
