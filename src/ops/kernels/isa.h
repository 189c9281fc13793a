/* Which instruction sets this machine has, by the names that kernels are compiled for. */
#ifndef IR_ISA_H
#define IR_ISA_H

#include <stdbool.h>

bool ir_has_any(void); /* true */
#if defined(__x86_64__)
bool ir_has_avx2(void);   /* with FMA and F16C */
bool ir_has_avx512(void); /* F, BW, VL and DQ, and all of the above */
#endif

#endif
