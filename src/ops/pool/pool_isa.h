/* Which instruction sets this machine has, of those that kernels are compiled for. */
#ifndef IR_POOL_ISA_H
#define IR_POOL_ISA_H

#include <stdbool.h>

#if defined(__x86_64__)
static bool has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}

static bool has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && has_avx2();
}
#endif

static bool has_any(void) {
  return true;
}

#endif
