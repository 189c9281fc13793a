/* Checks and copies the structs that callers pass. */
#include "runtime/context.h"
#include <string.h>

static size_t size_of(const void *given) {
  size_t size;
  memcpy(&size, given, sizeof size);
  return size;
}

ir_code ir_check_size(ir_diags *diags, const void *given, size_t least, size_t known) {
  const size_t size = size_of(given);
  if (size >= least && size <= known)
    return IR_OK;
  if (diags != NULL)
    ir_report(diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
              "a struct has the size %zu, expected %zu to %zu: set it to sizeof before the call", size, least, known);
  return IR_USAGE;
}

ir_code ir_take_struct(ir_diags *diags, const void *given, size_t least, size_t known, void *out) {
  const ir_code code = ir_check_size(diags, given, least, known);
  memset(out, 0, known);
  if (code == IR_OK)
    memcpy(out, given, size_of(given));
  return code;
}

ir_code ir_give_struct(ir_diags *diags, const void *ours, size_t known, void *out) {
  const ir_code code = ir_check_size(diags, out, sizeof(size_t), known);
  if (code == IR_OK)
    memcpy((char *)out + sizeof(size_t), (const char *)ours + sizeof(size_t), size_of(out) - sizeof(size_t));
  return code;
}

ir_code ir_report_call(irrun_context *context, const char *what) {
  return ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "%s", what);
}
