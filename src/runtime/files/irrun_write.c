/* Implements the public functions that write and name files. */
#include "base/index_map.h"
#include "base/message_text.h"
#include "irrun_program.h"
#include "runtime/context.h"
#include "runtime/files/npy.h"
#include "runtime/files/npz.h"
#include "runtime/files/tensor_file.h"
#include "runtime/tensor/element_order.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static ir_code check_has_elements(irrun_context *context, const ir_tensor *tensor) {
  if (!ir_tensor_is_outline(tensor))
    return IR_OK;
  return ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                   "a tensor that was read as another shape has no elements to write");
}

/* ---- one tensor ---- */

static bool write_to_file(void *user, const void *data, size_t bytes) {
  return ir_out_file_write(user, data, bytes);
}

static ir_code write_one(irrun_context *context, const ir_tensor *tensor, const char *path, bool raw) {
  ir_out_file file;
  ir_code code = check_has_elements(context, tensor);
  if (code == IR_OK && !raw)
    code = ir_npy_check_type(&context->diags, tensor->type);
  if (code == IR_OK)
    code = ir_out_file_open(&file, &context->diags, &context->memory, path);
  if (code != IR_OK)
    return code;
  ir_byte_sink sink = {write_to_file, &file};
  if (raw)
    ir_write_elements(tensor, sink);
  else
    ir_npy_write(tensor, sink);
  return ir_out_file_commit(&file);
}

/* Whether the path leads to an open file, a device or a FIFO, which need no suffix. */
static bool is_special(const char *path) {
  struct stat found;
  return irrun_output_descriptor(path) >= 0 ||
         (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

irrun_form irrun_output_form(const char *path) {
  if (ir_has_suffix(path, ".npz"))
    return IRRUN_FORM_NPZ;
  if (ir_has_suffix(path, ".raw") || ir_has_suffix(path, ".bin"))
    return IRRUN_FORM_RAW;
  if (ir_has_suffix(path, ".npy") || is_special(path))
    return IRRUN_FORM_NPY;
  return IRRUN_FORM_NONE;
}

irrun_status irrun_output_check(irrun_context *context, const char *path) {
  ir_out_file file;
  /* do not open a device or FIFO just to check it: opening has effects */
  if (irrun_output_descriptor(path) >= 0 || is_special(path))
    return IRRUN_OK;
  ir_code code = ir_out_file_open(&file, &context->diags, &context->memory, path);
  if (code == IR_OK)
    ir_out_file_discard(&file);
  return ir_status(code);
}

irrun_status irrun_tensor_write(irrun_context *context, const irrun_tensor *tensor, const char *name,
                                const char *path) {
  irrun_form form = irrun_output_form(path);
  if (form == IRRUN_FORM_NPZ)
    return irrun_archive_write(context, 1, &tensor, &name, path);
  if (form != IRRUN_FORM_NONE)
    return ir_status(write_one(context, &tensor->tensor, path, form == IRRUN_FORM_RAW));
  ir_code code = ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                           "'%s' does not say which form to write", path);
  ir_hint(&context->diags, "use .npy, .npz, .raw or .bin");
  return ir_status(code);
}

/* ---- archives ---- */

typedef struct archive {
  irrun_context *context;
  int64_t n;
  const ir_tensor **tensors;
  const char **keys;
  ir_arena arena;
  ir_index_map taken;
} archive;

static bool is_key(const void *key, int32_t index, const void *user) {
  return strcmp(key, ((const archive *)user)->keys[index]) == 0;
}

/* Gives the key to tensor `index`. False if another tensor has it. */
static bool claim_key(archive *a, int64_t index, const char *key) {
  a->keys[index] = key;
  return ir_index_map_add(&a->taken, ir_hash_text(key), key, (int32_t)index, is_key, a) < 0;
}

/* Makes "name", or "name_2" and so on if another tensor has it. NULL when memory is out. */
static const char *make_key(archive *a, int64_t index, const char *name) {
  const char *base = name == NULL || *name == '\0' ? "output" : name;
  char *key = ir_arena_text(&a->arena, base, strlen(base));
  for (int64_t number = 2; key != NULL && !claim_key(a, index, key); number++) {
    size_t size = strlen(base) + 24;
    key = ir_arena_array(&a->arena, size, 1);
    if (key != NULL)
      snprintf(key, size, "%s_%lld", base, (long long)number);
  }
  return key;
}

static ir_code fill_archive(archive *a, const irrun_tensor *const *tensors, const char *const *names) {
  ir_diags *diags = &a->context->diags;
  a->tensors = ir_arena_array(&a->arena, (size_t)a->n + 1, sizeof *a->tensors);
  a->keys = ir_arena_array(&a->arena, (size_t)a->n + 1, sizeof *a->keys);
  if (a->tensors == NULL || a->keys == NULL)
    return ir_out_of_memory(diags);
  for (int64_t i = 0; i < a->n; i++) {
    a->tensors[i] = &tensors[i]->tensor;
    ir_code code = check_has_elements(a->context, a->tensors[i]);
    if (code == IR_OK)
      code = ir_npy_check_type(diags, a->tensors[i]->type);
    if (code != IR_OK)
      return code;
    const char *key = make_key(a, i, names[i]);
    if (key == NULL)
      return ir_out_of_memory(diags);
  }
  return IR_OK;
}

irrun_status irrun_archive_write(irrun_context *context, int64_t n, const irrun_tensor *const *tensors,
                                 const char *const *names, const char *path) {
  archive a = {.context = context, .n = n};
  ir_out_file file;
  if (n < 0 || n > IR_MAX_NPZ_MEMBERS)
    return (irrun_status)ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                                   "an .npz of %" PRId64 " tensors; the most is %" PRId64, n,
                                   (int64_t)IR_MAX_NPZ_MEMBERS);
  ir_arena_init(&a.arena, &context->memory, (size_t)IR_MAX_ARENA_BYTES);
  ir_code code = ir_index_map_init(&a.taken, &context->memory, (size_t)n) ? fill_archive(&a, tensors, names)
                                                                          : ir_out_of_memory(&context->diags);
  if (code == IR_OK)
    code = ir_out_file_open(&file, &context->diags, &context->memory, path);
  if (code == IR_OK) {
    ir_npz_write(&file, n, a.tensors, a.keys);
    code = ir_out_file_commit(&file);
  }
  ir_index_map_reset(&a.taken);
  ir_arena_reset(&a.arena);
  return ir_status(code);
}

irrun_status irrun_bytes_write(irrun_context *context, const void *data, size_t bytes, const char *path) {
  ir_out_file file;
  ir_code code = ir_out_file_open(&file, &context->diags, &context->memory, path);
  if (code != IR_OK)
    return ir_status(code);
  ir_out_file_write(&file, data, bytes);
  return ir_status(ir_out_file_commit(&file));
}

irrun_status irrun_text_write(irrun_context *context, const char *text, const char *path) {
  return irrun_bytes_write(context, text, strlen(text), path);
}

/* ---- names of files ---- */

const char *irrun_file_name(const char *name, char *buffer, size_t size) {
  size_t length = 0, at = 0;
  while (name[at] != '\0' && length + 1 < size) {
    size_t control = ir_control_length(name + at);
    bool is_replaced = control > 0 || name[at] == '/' || (at == 0 && name[at] == '.');
    buffer[length++] = is_replaced ? '_' : name[at];
    at += control > 0 ? control : 1;
  }
  /* the last character did not fit: drop its first bytes */
  if (ir_utf8_continues(name[at])) {
    while (length > 0 && ir_utf8_continues(buffer[length - 1]))
      length--;
    length -= length > 0;
  }
  if (length == 0)
    buffer[length++] = '_';
  buffer[length] = '\0';
  return buffer;
}
