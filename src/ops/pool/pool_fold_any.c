/* The folds of every machine. */
#define ISA any
#define WITH_RARE
#include "ops/pool/pool_fold_types.inc"
