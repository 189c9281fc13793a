/* The folds with AVX-512; compiled for it. */
#define ISA avx512
#include "ops/pool/pool_fold_types.inc"
