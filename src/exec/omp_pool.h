/* The threads of the fast module, as whoever shares work among them sees them. */
#ifndef IR_OMP_POOL_H
#define IR_OMP_POOL_H

/* Has `work` done by so many threads at once, numbered from 0, the caller's; returns when all are done. */
typedef void ir_omp_pool(int n_threads, void (*work)(void *user, int thread), void *user);

#endif
