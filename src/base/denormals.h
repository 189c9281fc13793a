/* The mode of the calling thread in which denormal numbers (of f32: below 1.2e-38) count as 0. Some processors compute
 * with them a hundred times slower. */
#ifndef IR_DENORMALS_H
#define IR_DENORMALS_H

#include <stdint.h>

/* Sets the mode: denormal operands and results become 0. Returns the previous mode. */
static inline uint64_t ir_denormals_flush(void) {
  uint64_t before = 0;
#if defined(__x86_64__)
  enum { DAZ = 1 << 6, FTZ = 1 << 15 };
  before = __builtin_ia32_stmxcsr();
  __builtin_ia32_ldmxcsr((unsigned)before | DAZ | FTZ);
#elif defined(__aarch64__)
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" : : "r"(before | UINT64_C(1) << 24)); /* bit FZ: flush denormals to zero */
#endif
  return before;
}

static inline void ir_denormals_restore(uint64_t before) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((unsigned)before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
  (void)before;
#endif
}

#endif
