/* The OpenMP threads of the fast module, as a function that shares work among them. */
#ifndef IR_OMP_POOL_H
#define IR_OMP_POOL_H

/* Calls `work` on n_threads threads at once, numbered from 0 (the caller's), and returns when all are done. */
typedef void ir_omp_pool(int n_threads, void (*work)(void *user, int thread), void *user);

#endif
