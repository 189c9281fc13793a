/* Random numbers for tests that try random cases: the same on every machine for one seed. */
#ifndef DRAW_H
#define DRAW_H

#include <stdbool.h>
#include <stdint.h>

/* 64 random bits. */
uint64_t draw(void);
/* A number from low to high, both among them. */
int64_t between(int64_t low, int64_t high);
/* True once in n times. */
bool one_in(int64_t n);

/* Begins anew with this seed. */
void draw_from(uint64_t seed);
/* Begins with the seed IRRUN_SEED, or always the same one, and prints it: a test group's setup. */
int draw_seed(void **state);

#endif
