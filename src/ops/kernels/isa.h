/* Tests for the instruction sets that kernels are compiled for, by name. */
#ifndef IR_ISA_H
#define IR_ISA_H

#include <stdbool.h>

bool ir_has_any(void); /* always true */
#if defined(__x86_64__)
bool ir_has_avx2(void);   /* with FMA and F16C */
bool ir_has_avx512(void); /* F, BW, VL and DQ, and all of the above */
#endif

#endif
