/* A list of tensor elements for a message: "3, -5". If it is too long, it ends in ", ...". */
#ifndef IR_VALUE_LIST_H
#define IR_VALUE_LIST_H

#include "base/tensor.h"

#define IR_VALUE_LIST_TEXT 256

typedef struct ir_value_list {
  char text[IR_VALUE_LIST_TEXT];
  size_t used;
  int64_t n; /* number of elements added, including those that did not fit */
  bool full;
} ir_value_list;

void ir_value_list_add(ir_value_list *list, const ir_tensor *tensor, int64_t index);

#endif
