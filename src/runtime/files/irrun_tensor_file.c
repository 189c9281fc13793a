/* Implements the functions of irrun.h that read tensor files. */
#include "irrun_program.h"
#include "runtime/context.h"
#include "runtime/files/tensor_file.h"

struct irrun_tensor_file {
  irrun_context *context;
  ir_tensor_file file;
};

irrun_status irrun_tensor_file_open_as(irrun_context *context, const char *path, irrun_form form,
                                       irrun_tensor_file **out_file) {
  static const ir_tensor_form forms[] = {
      [IRRUN_FORM_NPY] = IR_FORM_NPY, [IRRUN_FORM_NPZ] = IR_FORM_NPZ, [IRRUN_FORM_RAW] = IR_FORM_RAW};
  *out_file = NULL;
  if ((unsigned)form > IRRUN_FORM_RAW)
    return ir_status(ir_report_call(context, "a tensor file is opened as a format that does not exist"));
  irrun_tensor_file *file = ir_alloc_zero(&context->memory, 1, sizeof *file);
  if (file == NULL)
    return ir_status(ir_out_of_memory(&context->diags));
  file->context = context;
  ir_code code = form == IRRUN_FORM_NONE
                     ? ir_tensor_file_open(&file->file, &context->diags, &context->memory, path)
                     : ir_tensor_file_open_as(&file->file, &context->diags, &context->memory, path, forms[form]);
  if (code == IR_OK)
    *out_file = file;
  else
    ir_free(&context->memory, file);
  return ir_status(code);
}

irrun_status irrun_tensor_file_open(irrun_context *context, const char *path, irrun_tensor_file **out_file) {
  return irrun_tensor_file_open_as(context, path, IRRUN_FORM_NONE, out_file);
}

void irrun_tensor_file_free(irrun_tensor_file *file) {
  if (file == NULL)
    return;
  ir_tensor_file_reset(&file->file);
  ir_free(&file->context->memory, file);
}

int64_t irrun_tensor_file_count(const irrun_tensor_file *file) {
  return file->file.form == IR_FORM_NPZ ? ir_npz_count(file->file.npz) : -1;
}

const char *irrun_tensor_file_key(const irrun_tensor_file *file, int64_t index) {
  bool is_there = index >= 0 && index < irrun_tensor_file_count(file);
  return is_there ? ir_npz_key(file->file.npz, index) : NULL;
}

irrun_status irrun_tensor_file_read(irrun_tensor_file *file, int64_t index, irrun_element_type type,
                                    const irrun_shape *shape, irrun_tensor **out_tensor) {
  *out_tensor = NULL;
  ir_shape wanted_shape = ir_shape_unknown();
  if (type != IRRUN_DYNAMIC && irrun_type_name(type) == NULL)
    return (irrun_status)ir_report_call(file->context, "a tensor file is read as a type that does not exist");
  int64_t n = irrun_tensor_file_count(file);
  if (index < 0 || index >= (n < 0 ? 1 : n))
    return (irrun_status)ir_report_call(file->context, "a tensor file is asked for a tensor that it does not have");
  if (shape != NULL) {
    wanted_shape.rank = shape->rank;
    for (int axis = 0; axis < shape->rank; axis++)
      wanted_shape.dims[axis] = (ir_dim){shape->dims[axis].lo, shape->dims[axis].hi};
  }
  irrun_tensor *handle = ir_tensor_handle(file->context);
  if (handle == NULL)
    return IRRUN_IO;
  ir_code code =
      ir_tensor_file_read(&file->file, index, (ir_type)type, shape == NULL ? NULL : &wanted_shape, &handle->tensor);
  if (code == IR_OK)
    *out_tensor = handle;
  else
    irrun_tensor_free(handle);
  return ir_status(code);
}
