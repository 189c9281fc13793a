#include "runtime/run/visit.h"

#include <string.h>

ir_code ir_visit_tensor(const ir_visitor *visitor, int32_t layer, int32_t port, ir_tensor *tensor, bool is_own) {
  const irrun_tensor shown = {.context = visitor->context, .tensor = *tensor};
  const irrun_tensor *instead = NULL;
  ir_code code = (ir_code)visitor->call(visitor->user, layer, port, &shown, &instead);
  if (instead == NULL || !is_own || instead->tensor.type != tensor->type || instead->tensor.bytes != tensor->bytes ||
      tensor->bytes == 0)
    return code;
  memcpy(tensor->data, instead->tensor.data, tensor->bytes);
  return code;
}

ir_code ir_visit_point_of(void *visitor, const ir_visit_point *point, ir_tensor *tensor, bool is_own) {
  return ir_visit_tensor(visitor, point->layer, point->port, tensor, is_own);
}
