/* Numbers for the output tensors of a model's layers. */
#ifndef IR_TENSOR_NUMBERS_H
#define IR_TENSOR_NUMBERS_H

#include "runtime/model/model.h"

typedef struct ir_tensor_numbers {
  const ir_memory *memory;
  size_t *first; /* for each layer: index of its first output in `numbers` */
  int64_t *numbers;
} ir_tensor_numbers;

/* Gives every output the number -1. Returns false if memory is out; reset the numbers also then. */
bool ir_tensor_numbers_init(ir_tensor_numbers *n, const irrun_model *model);
void ir_tensor_numbers_reset(ir_tensor_numbers *n);

/* The place of an output's number. */
static inline int64_t *ir_tensor_number(const ir_tensor_numbers *n, int64_t layer, int64_t port) {
  return &n->numbers[n->first[layer] + (size_t)port];
}

#endif
