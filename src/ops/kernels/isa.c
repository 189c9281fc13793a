#include "ops/kernels/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>

/* clang's __builtin_cpu_supports does not know "f16c". */
static bool has_f16c(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
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
