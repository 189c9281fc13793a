/* Random numbers for randomized tests. The same seed gives the same numbers on every machine. */
#ifndef DRAW_H
#define DRAW_H

#include <stdbool.h>
#include <stdint.h>

/* Draws 64 random bits. */
uint64_t draw(void);
/* Draws a number from `low` to `high`, both included. */
int64_t between(int64_t low, int64_t high);
/* Returns true with probability 1/n. */
bool one_in(int64_t n);

/* Restarts the sequence with `seed`. */
void draw_from(uint64_t seed);
/* Setup of a test group: starts with the seed in IRRUN_SEED, or with a fixed seed if IRRUN_SEED is unset. Prints the
 * seed. */
int draw_seed(void **state);

#endif
