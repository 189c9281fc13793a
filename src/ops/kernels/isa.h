/* The instruction sets that kernels are compiled for. */
#ifndef IR_ISA_H
#define IR_ISA_H

#include <stdbool.h>

/* A later set has all instructions of an earlier one. */
typedef enum ir_isa {
  IR_ISA_ANY,
  IR_ISA_AVX2,   /* with FMA and F16C */
  IR_ISA_AVX512, /* F, BW, VL and DQ */
} ir_isa;

/* The last set that this processor has, or a lower one that ir_isa_limit has set. */
ir_isa ir_isa_of_processor(void);
/* Uses no set after `most` from now on. Tests compare the bits of all sets with it. */
void ir_isa_limit(ir_isa most);
/* Whether the processor has a set, as functions for tables of kernels. */
bool ir_has_any(void); /* always true */
#if defined(__x86_64__)
bool ir_has_avx2(void);
bool ir_has_avx512(void);
#endif

/* Compiles a loop for each instruction set. `name`_loop is a function that is marked IR_LOOP and has the parameters
 * `params`. IR_EACH_ISA defines the function `name`, which passes its arguments `args` to the version for this
 * processor. All versions compute the same bits: compilers do not reorder sums, and -ffp-contract=off keeps a * b + c
 * two operations.
 *
 *     IR_LOOP void add_loop(float *to, const float *a, int64_t n) {
 *       for (int64_t i = 0; i < n; i++)
 *         to[i] += a[i];
 *     }
 *     IR_EACH_ISA(add, (float *to, const float *a, int64_t n), (to, a, n)) */
#define IR_LOOP static inline __attribute__((always_inline))
/* Stands before a short loop of constant length over the rows of a tile: the tile stays in registers only if the loop
 * is unrolled. Without optimization, GCC warns of it. */
#if !defined(__OPTIMIZE__)
#define IR_UNROLL
#elif defined(__clang__)
#define IR_UNROLL _Pragma("clang loop unroll(full)")
#else
#define IR_UNROLL _Pragma("GCC unroll 16")
#endif
#if defined(__x86_64__) && defined(__OPTIMIZE__)
#if defined(__clang__)
#define IR_WIDTH_512
#else
#define IR_WIDTH_512 ",prefer-vector-width=512"
#endif
#define IR_EACH_ISA(name, params, args)                                                                                \
  __attribute__((target("avx2,fma,f16c"))) static void name##_avx2 params {                                            \
    name##_loop args;                                                                                                  \
  }                                                                                                                    \
  __attribute__((                                                                                                      \
      target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq" IR_WIDTH_512))) static void name##_avx512 params {     \
    name##_loop args;                                                                                                  \
  }                                                                                                                    \
  static void name params {                                                                                            \
    switch (ir_isa_of_processor()) {                                                                                   \
    case IR_ISA_AVX512:                                                                                                \
      name##_avx512 args;                                                                                              \
      break;                                                                                                           \
    case IR_ISA_AVX2:                                                                                                  \
      name##_avx2 args;                                                                                                \
      break;                                                                                                           \
    default:                                                                                                           \
      name##_loop args;                                                                                                \
    }                                                                                                                  \
  }
#else
#define IR_EACH_ISA(name, params, args)                                                                                \
  static void name params {                                                                                            \
    name##_loop args;                                                                                                  \
  }
#endif

#endif
