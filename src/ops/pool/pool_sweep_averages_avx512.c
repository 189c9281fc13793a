/* The sweeps for averages with AVX-512; compiled for it. */
#define ISA avx512
#include "ops/pool/pool_vector_avx512.h"

#include "ops/pool/pool_sweep_averages.inc"
