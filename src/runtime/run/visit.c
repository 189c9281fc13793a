#include "runtime/run/visit.h"
#include <string.h>

ir_code ir_visit_output(void *user, const ir_visit_point *point, ir_tensor *tensor, bool is_own) {
  const ir_visitor *visitor = user;
  const irrun_tensor shown = {.context = visitor->context, .tensor = *tensor};
  const irrun_tensor *instead = NULL;
  ir_code code =
      (ir_code)visitor->call(visitor->user, visitor->first_layer + point->layer, point->port, &shown, &instead);
  if (instead == NULL || !is_own || instead->tensor.type != tensor->type || instead->tensor.bytes != tensor->bytes ||
      tensor->bytes == 0)
    return code;
  memcpy(tensor->data, instead->tensor.data, tensor->bytes);
  return code;
}
