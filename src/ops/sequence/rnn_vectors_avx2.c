#define ISA avx2
#include "ops/sequence/rnn_vectors.inc"
