#define ISA avx512
#include "ops/pool/pool_kernels.inc"
