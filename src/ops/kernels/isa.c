#include "ops/kernels/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <stdatomic.h>

/* clang's __builtin_cpu_supports does not know "f16c". */
static bool has_f16c(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

static ir_isa find_isa(void) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !has_f16c())
    return IR_ISA_ANY;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                 __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
             ? IR_ISA_AVX512
             : IR_ISA_AVX2;
}

/* Both are 1 + a set, or 0 if it is not known. The processor's set is kept, because CPUID takes microseconds in a
 * virtual machine. */
static atomic_int found_isa, limit_isa;

ir_isa ir_isa_of_processor(void) {
  int found = atomic_load_explicit(&found_isa, memory_order_relaxed);
  if (found == 0) {
    const int limit = atomic_load_explicit(&limit_isa, memory_order_relaxed);
    found = 1 + (int)find_isa();
    found = limit != 0 && limit < found ? limit : found;
    atomic_store_explicit(&found_isa, found, memory_order_relaxed);
  }
  return (ir_isa)(found - 1);
}

void ir_isa_limit(ir_isa most) {
  atomic_store(&limit_isa, 1 + (int)most);
  atomic_store(&found_isa, 0);
}

bool ir_has_avx2(void) {
  return ir_isa_of_processor() >= IR_ISA_AVX2;
}

bool ir_has_avx512(void) {
  return ir_isa_of_processor() >= IR_ISA_AVX512;
}
#else
ir_isa ir_isa_of_processor(void) {
  return IR_ISA_ANY;
}

void ir_isa_limit(ir_isa most) {
  (void)most;
}
#endif

bool ir_has_any(void) {
  return true;
}
