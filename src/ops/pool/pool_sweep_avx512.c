/* The sweeps with AVX512; compiled for it. */
#include "ops/pool/pool_sweep_f16c.h"
#define ISA avx512
#define FMA __builtin_fmaf
#include "ops/pool/pool_sweep_types.inc"
