#define ISA any
#include "ops/sequence/rnn_vectors.inc"
