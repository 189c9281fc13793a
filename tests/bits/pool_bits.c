/* pool_bits ISA [--cases]: hashes the outputs of an instruction set's pool kernels. Prints one hash of CASES random
 * cases for each operation and element type. Every instruction set and machine must print the same hashes.
 * With --cases, a line for each case precedes them. The exit status is LACKING if the machine lacks the instruction
 * set. */
#include "draw.h"
#include "pool_case.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 500, MAX_KERNELS = 16, LACKING = 77 };

/* ---- hashes: FNV-1a, but each step takes an element instead of a byte ---- */

#define EMPTY_HASH UINT64_C(0xcbf29ce484222325)

static uint64_t hash_more(uint64_t hash, uint64_t value) {
  return (hash ^ value) * UINT64_C(0x100000001b3);
}

/* All NaNs have the same hash, since their bits depend on the machine. */
static uint64_t hash_outputs(const pool_case *c, ir_type type, const unsigned char *out) {
  const int64_t n = pool_case_outputs(c);
  const size_t size = ir_type_size(type);
  uint64_t hash = EMPTY_HASH;
  for (int64_t i = 0; i < n; i++, out += size) {
    uint32_t bits = 0;
    memcpy(&bits, out, size);
    hash = hash_more(hash, pool_case_is_nan(type, out) ? UINT64_MAX : bits);
  }
  return hash;
}

/* ---- kernels ---- */

/* Finds the kernels of an instruction set. Their order is the same for each: by operation, then by type. */
static int find_kernels(const char *isa, const ir_pool_kernel *found[MAX_KERNELS]) {
  int n = 0;
  for (const ir_pool_kernel *kernel = ir_pool_kernels; kernel->units != NULL; kernel++)
    if (strcmp(kernel->isa, isa) == 0 && n < MAX_KERNELS)
      found[n++] = kernel;
  return n;
}

static void print_hash(const ir_pool_kernel *kernel, int number, uint64_t hash) {
  printf("%s %s", kernel->op == IR_POOL_SUM ? "average" : "maximum", ir_type_name(kernel->type));
  if (number > 0)
    printf(" case %d", number);
  printf(" %016" PRIx64 "\n", hash);
}

static unsigned char *take_elements(int64_t n, ir_type type) {
  const size_t bytes = (size_t)n * ir_type_size(type);
  unsigned char *block = malloc(bytes);
  if (block == NULL)
    abort();
  memset(block, 0xa5, bytes);
  return block;
}

/* The arrays have the exact size, so that a sanitizer detects accesses beyond them. */
static uint64_t run(const pool_case *c, const ir_pool_kernel *kernel, uint64_t seed) {
  unsigned char *in = take_elements(pool_case_inputs(c), kernel->type);
  unsigned char *out = take_elements(pool_case_outputs(c), kernel->type);
  draw_from(seed);
  pool_case_fill(c, kernel->type, in);
  pool_case_run(c, kernel, in, out, 0);
  const uint64_t hash = hash_outputs(c, kernel->type, out);
  free(in);
  free(out);
  return hash;
}

int main(int argc, char **argv) {
  const ir_pool_kernel *kernels[MAX_KERNELS];
  uint64_t hashes[MAX_KERNELS];
  const bool with_cases = argc == 3 && strcmp(argv[2], "--cases") == 0;
  const int n = argc == 2 || with_cases ? find_kernels(argv[1], kernels) : 0;
  if (n == 0)
    return fprintf(stderr, "usage: pool_bits any|avx2|avx512 [--cases]\n"), 2;
  if (!kernels[0]->available())
    return printf("this machine has no %s\n", argv[1]), LACKING;
  for (int k = 0; k < n; k++)
    hashes[k] = EMPTY_HASH;
  pool_case c;
  pool_case_init(&c);
  for (int number = 1; number <= CASES; number++) {
    /* Each case has its own seed, so that its inputs do not depend on earlier cases. */
    draw_from((uint64_t)number);
    while (!pool_case_draw(&c))
      continue;
    for (int k = 0; k < n; k++) {
      const uint64_t hash = run(&c, kernels[k], (uint64_t)number);
      hashes[k] = hash_more(hashes[k], hash);
      if (with_cases)
        print_hash(kernels[k], number, hash);
    }
  }
  pool_case_reset(&c);
  for (int k = 0; k < n; k++)
    print_hash(kernels[k], 0, hashes[k]);
  return 0;
}
