/* Implements irrun_archive of irrun_debug.h: an .npz to which tensors are added one at a time. */
#include "irrun_debug.h"
#include "runtime/context.h"
#include "runtime/files/npy.h"
#include "runtime/files/npz.h"
#include "runtime/tensor/tensor_block.h"

#include <errno.h>
#include <string.h>

struct irrun_archive {
  irrun_context *context;
  ir_out_file file;
  ir_npz_writer writer;
};

irrun_status irrun_archive_open(irrun_context *context, const char *path, irrun_archive **out_archive) {
  *out_archive = NULL;
  irrun_archive *archive = ir_alloc_zero(&context->memory, 1, sizeof *archive);
  if (archive == NULL)
    return ir_status(ir_out_of_memory(&context->diags));
  ir_code code = ir_out_file_open(&archive->file, &context->diags, &context->memory, path);
  if (code != IR_OK) {
    ir_free(&context->memory, archive);
    return ir_status(code);
  }
  archive->context = context;
  archive->writer.file = &archive->file;
  *out_archive = archive;
  return IRRUN_OK;
}

irrun_status irrun_archive_add(irrun_archive *archive, const irrun_tensor *tensor, const char *key) {
  const ir_code code = ir_npy_check_type(&archive->context->diags, tensor->tensor.type);
  if (code != IR_OK)
    return ir_status(code);
  if (archive->writer.n == (size_t)IR_MAX_NPZ_MEMBERS)
    ir_out_file_fail(&archive->file, EFBIG);
  ir_npz_add(&archive->writer, &tensor->tensor, key);
  return IRRUN_OK; /* `file` keeps an error, and irrun_archive_close reports it */
}

irrun_status irrun_archive_close(irrun_archive *archive, bool keep) {
  const ir_memory *memory = &archive->context->memory;
  irrun_status status = IRRUN_OK;
  ir_npz_end_writing(&archive->writer);
  if (keep)
    status = ir_status(ir_out_file_commit(&archive->file));
  else
    ir_out_file_discard(&archive->file);
  ir_free(memory, archive);
  return status;
}
