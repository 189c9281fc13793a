/* These functions control the OpenMP threads on which oneDNN runs. */
#ifndef IR_FAST_THREADS_H
#define IR_FAST_THREADS_H

#include <stdbool.h>

/* Sets the number of OpenMP threads. Returns the previous number: pass it to ir_fast_reset_threads. */
int ir_fast_set_threads(int n_threads);
void ir_fast_reset_threads(int before);
/* The module's ir_omp_pool (exec/omp_pool.h): runs `work` on OpenMP threads. */
void ir_fast_team(int n_threads, void (*work)(void *user, int thread), void *user);
/* Ends the calling thread's OpenMP threads. Call this before a fork: a child process has no such threads and would wait
 * for them forever. OpenMP starts new threads when they are needed. */
void ir_fast_end_threads(void);
/* Whether memory for the code that oneDNN generates can be mapped. If not, oneDNN 2 would write to NULL. */
bool ir_fast_has_room(void);

#endif
