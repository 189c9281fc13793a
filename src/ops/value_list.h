/* Elements of a tensor that a message lists: "3, -5". Of more than fit the last is followed by dots. */
#ifndef IR_VALUE_LIST_H
#define IR_VALUE_LIST_H

#include "base/tensor.h"

#define IR_VALUE_LIST_TEXT 256

typedef struct ir_value_list {
  char text[IR_VALUE_LIST_TEXT];
  size_t used;
  int64_t n; /* those that did not fit, too */
  bool full;
} ir_value_list;

void ir_value_list_add(ir_value_list *list, const ir_tensor *tensor, int64_t index);

#endif
