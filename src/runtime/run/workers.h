/* The threads of a context, which help the one that runs a model. They are started when work first is worth it, stay
 * awake for 50 us behind a job, as the next layer may follow at once, and then sleep until there is one. In plans with
 * products of the fast module its OpenMP pool takes their place.
 *
 * After a fork the child has none of them: a context that was not in a call then may be used, and freed, on both sides;
 * the child starts its own. */
#ifndef IR_WORKERS_H
#define IR_WORKERS_H

#include "ops/fast/fast.h"
#include "ops/plan.h"

/* The least that two workers share: one reads and writes it in 150 us at the 10 GB/s of memory, in 75 us in its cache.
 * A worker thread on a processor that sleeps begins after 5 us, in a virtual machine after 50: with less work two are
 * not faster than one there. */
#define IR_LEAST_SHARED_BYTES (INT64_C(1536) * 1024)

typedef struct ir_workers {
  const ir_memory *memory;
  int n_asked;                     /* by the caller; 0: as many as there are cores */
  int n_cores;                     /* 0: not counted yet */
  struct ir_thread_pool *pool;     /* the threads; NULL: none were wanted yet */
  struct ir_thread_pool *omp_pool; /* without threads: what those of OpenMP share; or NULL */
} ir_workers;

void ir_workers_init(ir_workers *workers, const ir_memory *memory);
/* Ends the threads. */
void ir_workers_reset(ir_workers *workers);

/* 0: as many as there are cores, counted anew. */
void ir_workers_set(ir_workers *workers, int n);
/* As many workers as there may be, the caller among them. */
int ir_workers_most(ir_workers *workers);
/* How many of `most` the work is worth; at least 1. That grows with the root of the work: every worker thread is woken
 * by the caller, which takes some us of its time. */
int ir_workers_worth(int most, int64_t n, int64_t bytes);

/* ir_exec.share among at most `most` workers; where threads cannot be had, among fewer. `work` must not share with the
 * same workers. With an `omp_pool`, which is awake between the products of a plan, its threads are the workers. */
void ir_workers_share(ir_workers *workers, ir_omp_pool *omp_pool, int most, int64_t n, int64_t bytes, ir_work *work,
                      void *user);

#endif
