#define ISA any
#include "ops/pool/pool_kernels.inc"
