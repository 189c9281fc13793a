/* Writes an .npz. */
#include "runtime/files/npy.h"
#include "runtime/files/npz.h"
#include "runtime/files/npz_key.h"
#include "runtime/files/npz_records.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

static bool write_to_file(void *user, const void *data, size_t bytes) {
  return ir_out_file_write(user, data, bytes);
}

static bool add_to_crc(void *user, const void *data, size_t bytes) {
  uint32_t *crc = user;
  if (bytes > 0) /* if crc32_z gets NULL, it returns the initial checksum */
    *crc = (uint32_t)crc32_z(*crc, data, bytes);
  return true;
}

static uint32_t crc_of(const ir_tensor *tensor) {
  uint32_t crc = 0;
  ir_npy_write(tensor, (ir_byte_sink){add_to_crc, &crc});
  return crc;
}

bool ir_npz_add(ir_npz_writer *writer, const ir_tensor *tensor, const char *key) {
  const ir_byte_sink sink = {write_to_file, writer->file};
  void *entries = writer->entries;
  char *name = ir_npz_member_name(writer->file->diags->memory, key);
  if (name == NULL ||
      !ir_reserve(writer->file->diags->memory, &entries, writer->n, &writer->capacity, sizeof *writer->entries)) {
    ir_free(writer->file->diags->memory, name);
    ir_out_file_fail(writer->file, ENOMEM);
    return false;
  }
  writer->entries = entries;
  ir_npz_entry *entry = &writer->entries[writer->n++];
  *entry = (ir_npz_entry){.key = name, .at = writer->end, .size = ir_npy_bytes(tensor), .crc = crc_of(tensor)};
  if (strlen(name) > IR_NPZ_MAX_KEY)
    ir_out_file_fail(writer->file, ENAMETOOLONG);
  bool ok = ir_npz_write_header(sink, entry, &writer->end) && ir_npy_write(tensor, sink);
  writer->end += entry->size;
  return ok;
}

void ir_npz_end_writing(ir_npz_writer *writer) {
  ir_npz_write_directory((ir_byte_sink){write_to_file, writer->file}, writer->entries, writer->n, writer->end);
  for (size_t i = 0; i < writer->n; i++)
    ir_free(writer->file->diags->memory, (char *)writer->entries[i].key);
  ir_free(writer->file->diags->memory, writer->entries);
}

void ir_npz_write(ir_out_file *file, int64_t n, const ir_tensor *const *tensors, const char *const *keys) {
  ir_npz_writer writer = {.file = file};
  for (int64_t i = 0; i < n && ir_npz_add(&writer, tensors[i], keys[i]); i++)
    continue;
  ir_npz_end_writing(&writer);
}
