#include "ops/kernels/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/* clang's __builtin_cpu_supports does not know "f16c". The answer is kept: CPUID takes microseconds in a virtual
 * machine. */
static bool has_f16c(void) {
  enum { UNKNOWN, NO, YES };
  static atomic_int known_f16c;
  unsigned a, b, c, d;
  int known = atomic_load(&known_f16c);
  if (known == UNKNOWN) {
    known = __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0 ? YES : NO;
    atomic_store(&known_f16c, known);
  }
  return known == YES;
}

bool ir_has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
}

bool ir_has_avx512(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && ir_has_avx2();
}
#endif

bool ir_has_any(void) {
  return true;
}
