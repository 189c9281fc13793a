#ifndef IR_FUSE_ATTENTION_H
#define IR_FUSE_ATTENTION_H

#include "program/program.h"

/* A part of the pass "fuse". Replaces attention that is written out as MatMul, Multiply, Add, SoftMax and MatMul by one
 * ScaledDotProductAttention, which computes no matrix of scores. Adds to `*count`. */
ir_code ir_fuse_attention(ir_program *program, int64_t *count);

#endif
