/* The sweeps for maxima with AVX2; compiled for it. */
#define ISA avx2
#include "ops/pool/pool_vector_avx2.h"

#include "ops/pool/pool_sweep_maxima.inc"
