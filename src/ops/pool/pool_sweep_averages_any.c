/* The sweeps for averages of every machine. */
#define ISA any
#include "ops/pool/pool_vector_any.h"

#include "ops/pool/pool_sweep_averages.inc"
