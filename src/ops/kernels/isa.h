/* Tests whether this machine has an instruction set for which kernels are compiled. */
#ifndef IR_ISA_H
#define IR_ISA_H

#include <stdbool.h>

bool ir_has_any(void); /* always true */
#if defined(__x86_64__)
bool ir_has_avx2(void);   /* AVX2, FMA and F16C */
bool ir_has_avx512(void); /* AVX-512 F, BW, VL and DQ; AVX2, FMA and F16C */
#endif

#endif
