#include "draw.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed_state;

/* Implements SplitMix64. */
uint64_t draw(void) {
  seed_state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = seed_state;
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

int64_t between(int64_t low, int64_t high) {
  return low + (int64_t)(draw() % (uint64_t)(high - low + 1));
}

bool one_in(int64_t n) {
  return between(1, n) == 1;
}

void draw_from(uint64_t seed) {
  seed_state = seed;
}

int draw_seed(void **state) {
  (void)state;
  const char *text = getenv("IRRUN_SEED");
  draw_from(text != NULL ? strtoull(text, NULL, 10) : 20240917);
  printf("seed %llu (IRRUN_SEED)\n", (unsigned long long)seed_state);
  return 0;
}
