/* Random numbers for randomized tests: one seed gives the same numbers on every machine. */
#ifndef DRAW_H
#define DRAW_H

#include <stdbool.h>
#include <stdint.h>

/* Draws 64 random bits. */
uint64_t draw(void);
/* Draws a number from low to high, inclusive. */
int64_t between(int64_t low, int64_t high);
/* True with probability 1/n. */
bool one_in(int64_t n);

/* Restarts with this seed. */
void draw_from(uint64_t seed);
/* Starts with the seed IRRUN_SEED, or else a fixed one, and prints it; a test group's setup. */
int draw_seed(void **state);

#endif
