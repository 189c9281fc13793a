#define ISA avx2
#include "ops/pool/pool_kernels.inc"
