/* The threads of OpenMP that oneDNN computes in. */
#ifndef IR_FAST_THREADS_H
#define IR_FAST_THREADS_H

#include <stdbool.h>

/* Sets how many threads OpenMP uses. Returns the number before, which is the caller's and has to be set again. */
int ir_fast_set_threads(int n_threads);
void ir_fast_reset_threads(int before);
/* ir_omp_pool of the module. */
void ir_fast_team(int n_threads, void (*work)(void *user, int thread), void *user);
/* Before a fork: the child would wait forever for the threads that the caller had, so both processes start new ones. */
void ir_fast_end_threads(void);
/* Whether there is memory for the code that oneDNN makes: version 2 writes to NULL where there is none. */
bool ir_fast_has_room(void);

#endif
