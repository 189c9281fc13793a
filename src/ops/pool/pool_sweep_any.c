/* The sweeps in what every machine of the architecture has. */
#define ISA any
#include "ops/pool/pool_sweep_types.inc"
