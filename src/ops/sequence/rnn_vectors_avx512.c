#define ISA avx512
#include "ops/sequence/rnn_vectors.inc"
