#include "ops/value_list.h"
#include <stdio.h>

#define DOTS ", ..."

void ir_value_list_add(ir_value_list *list, const ir_tensor *tensor, int64_t index) {
  char number[IR_NUMBER_TEXT], item[IR_NUMBER_TEXT + 2];
  bool first = list->n++ == 0;
  if (list->full)
    return;
  int length = snprintf(item, sizeof item, "%s%s", first ? "" : ", ",
                        ir_number_text(tensor->type, ir_tensor_get(tensor, index), number, sizeof number));
  /* leave room for the dots after each item */
  list->full = list->used + (size_t)length + sizeof DOTS > sizeof list->text;
  list->used +=
      (size_t)snprintf(list->text + list->used, sizeof list->text - list->used, "%s", list->full ? DOTS : item);
}
