/* The folds with AVX2 and FMA; compiled for them. */
#define ISA avx2
#include "ops/pool/pool_fold_types.inc"
