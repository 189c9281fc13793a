/* oneDNN's OpenMP threads. */
#ifndef IR_FAST_THREADS_H
#define IR_FAST_THREADS_H

#include <stdbool.h>

/* Sets the number of OpenMP threads. Returns the caller's number, which has to be restored. */
int ir_fast_set_threads(int n_threads);
void ir_fast_reset_threads(int before);
/* The module's ir_omp_pool. */
void ir_fast_team(int n_threads, void (*work)(void *user, int thread), void *user);
/* Call before a fork: the child would wait forever for the caller's threads, so both processes start new ones. */
void ir_fast_end_threads(void);
/* Whether there is memory for the code that oneDNN generates: version 2 writes to NULL if there is none. */
bool ir_fast_has_room(void);

#endif
