/* Implements the part of irrun.h that makes and fills tensors. */
#include "diag/memory_limit.h"
#include "runtime/context.h"
#include "runtime/tensor/element_order.h"
#include "runtime/tensor/fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

irrun_tensor *ir_tensor_handle(irrun_context *context) {
  irrun_tensor *handle = ir_alloc_zero(&context->memory, 1, sizeof *handle);
  if (handle == NULL) {
    ir_out_of_memory(&context->diags);
    return NULL;
  }
  handle->context = context;
  return handle;
}

void irrun_tensor_free(irrun_tensor *tensor) {
  if (tensor == NULL)
    return;
  ir_tensor_release(&tensor->tensor);
  ir_free(&tensor->context->memory, tensor);
}

irrun_tensor_info irrun_tensor_get_info(const irrun_tensor *handle) {
  const ir_tensor *tensor = &handle->tensor;
  irrun_tensor_info info = {.type = (irrun_element_type)tensor->type,
                            .rank = tensor->rank,
                            .elements = ir_tensor_elements(tensor),
                            .data = tensor->data,
                            .bytes = tensor->bytes};
  memcpy(info.dims, tensor->dims, sizeof info.dims);
  return info;
}

const char *irrun_tensor_text(const irrun_tensor *handle, int64_t index, char *buffer, size_t size) {
  const ir_tensor *tensor = &handle->tensor;
  if (index < 0 || index >= ir_tensor_elements(tensor) || ir_tensor_is_outline(tensor)) {
    snprintf(buffer, size, "%s", "");
    return buffer;
  }
  return ir_number_text(tensor->type, ir_tensor_get(tensor, index), buffer, size);
}

/* ---- making ---- */

/* Type, shape and bytes of the tensor that a caller requests. */
typedef struct asked_tensor {
  ir_type type;
  ir_shape shape;
  size_t bytes;
} asked_tensor;

static ir_code check_asked(irrun_context *context, irrun_element_type type, int rank, const int64_t *dims,
                           asked_tensor *out) {
  out->type = (ir_type)type;
  if (irrun_type_name(type) == NULL)
    return ir_report_call(context, "a tensor is asked for of a type that does not exist");
  if (!ir_type_in(out->type, IR_SET_HELD))
    return ir_report_firm(&context->diags, IR210_NOT_RUNNABLE_HERE, (ir_where){.at = IR_NOWHERE},
                          "tensors of type %s cannot be made here", irrun_type_name(type));
  if (rank < 0 || rank > IR_MAX_RANK)
    return ir_report_call(context, "a tensor is asked for with a rank below 0 or above 16");
  out->shape = ir_shape_of(rank, dims);
  if (!ir_tensor_bytes(out->type, &out->shape, &out->bytes))
    return ir_report_call(context, "a tensor is asked for with a negative dim, or one whose size overflows 64 bits");
  return IR_OK;
}

/* Makes an uninitialised tensor. */
static ir_code make_tensor(irrun_context *context, irrun_element_type type, int rank, const int64_t *dims,
                           irrun_tensor **out_tensor) {
  asked_tensor asked;
  ir_code code = check_asked(context, type, rank, dims, &asked);
  if (code == IR_OK)
    code = ir_check_memory(&(ir_memory_limit){.memory = &context->memory}, asked.bytes, &context->diags,
                           (ir_where){.at = IR_NOWHERE}, "the tensor that is asked for takes");
  if (code != IR_OK)
    return code;
  irrun_tensor *handle = ir_tensor_handle(context);
  if (handle == NULL)
    return IR_NO_MEMORY;
  if (!ir_tensor_alloc(&handle->tensor, &context->memory, asked.type, &asked.shape)) {
    irrun_tensor_free(handle);
    return ir_out_of_memory(&context->diags);
  }
  *out_tensor = handle;
  return IR_OK;
}

static ir_code check_bytes(irrun_context *context, size_t asked, size_t given) {
  if (asked == given)
    return IR_OK;
  return ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                   "a tensor of %zu bytes is made of %zu", asked, given);
}

irrun_status irrun_tensor_create(irrun_context *context, irrun_element_type type, int rank, const int64_t *dims,
                                 const void *data, size_t bytes, irrun_tensor **out_tensor) {
  *out_tensor = NULL;
  irrun_tensor *handle = NULL;
  ir_code code = make_tensor(context, type, rank, dims, &handle);
  if (code == IR_OK)
    code = check_bytes(context, handle->tensor.bytes, bytes);
  if (code != IR_OK) {
    irrun_tensor_free(handle);
    return ir_status(code);
  }
  if (bytes > 0)
    memcpy(handle->tensor.data, data, bytes);
  if (handle->tensor.type == IR_BOOLEAN)
    ir_clean_booleans(handle->tensor.data, bytes);
  *out_tensor = handle;
  return IRRUN_OK;
}

irrun_status irrun_tensor_borrow(irrun_context *context, irrun_element_type type, int rank, const int64_t *dims,
                                 const void *data, size_t bytes, irrun_tensor **out_tensor) {
  *out_tensor = NULL;
  asked_tensor asked;
  ir_code code = check_asked(context, type, rank, dims, &asked);
  if (code == IR_OK)
    code = check_bytes(context, asked.bytes, bytes);
  if (code == IR_OK && (uintptr_t)data % ir_type_alignment(asked.type) != 0)
    code = ir_report_call(context, "a tensor is borrowed whose elements do not lie at multiples of their size");
  if (code == IR_OK && asked.type == IR_BOOLEAN && !ir_booleans_are_clean(data, bytes))
    code = ir_report_call(context, "a tensor of booleans is borrowed that has other bytes than 0 and 1");
  irrun_tensor *handle = code == IR_OK ? ir_tensor_handle(context) : NULL;
  if (handle == NULL)
    return code == IR_OK ? IRRUN_IO : ir_status(code);
  handle->tensor = ir_tensor_borrow(asked.type, &asked.shape, (void *)(uintptr_t)data, bytes);
  *out_tensor = handle;
  return IRRUN_OK;
}

irrun_status irrun_tensor_fill(irrun_context *context, const char *kind, irrun_element_type type, int rank,
                               const int64_t *dims, irrun_tensor **out_tensor) {
  *out_tensor = NULL;
  irrun_tensor *handle = NULL;
  ir_code code = make_tensor(context, type, rank, dims, &handle);
  if (code == IR_OK)
    code = ir_tensor_fill(&context->diags, kind, &handle->tensor);
  if (code == IR_OK)
    *out_tensor = handle;
  else
    irrun_tensor_free(handle);
  return ir_status(code);
}
