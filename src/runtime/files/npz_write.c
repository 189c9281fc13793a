/* Writing an .npz. */
#include "runtime/files/npy.h"
#include "runtime/files/npz.h"
#include "runtime/files/npz_records.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

static bool write_to_file(void *user, const void *data, size_t bytes) {
  return ir_out_file_write(user, data, bytes);
}

static bool add_to_crc(void *user, const void *data, size_t bytes) {
  uint32_t *crc = user;
  if (bytes > 0) /* of no bytes at NULL, zlib gives the first checksum of all */
    *crc = (uint32_t)crc32_z(*crc, data, bytes);
  return true;
}

static uint32_t crc_of(const ir_tensor *tensor) {
  uint32_t crc = 0;
  ir_npy_write(tensor, (ir_byte_sink){add_to_crc, &crc});
  return crc;
}

void ir_npz_write(ir_out_file *file, int64_t n, const ir_tensor *const *tensors, const char *const *keys) {
  const ir_memory *memory = file->diags->memory;
  const ir_byte_sink sink = {write_to_file, file};
  ir_npz_entry *entries = ir_alloc_zero(memory, (size_t)n, sizeof *entries);
  uint64_t end = 0;
  bool ok = entries != NULL;
  if (!ok)
    ir_out_file_fail(file, ENOMEM);
  for (int64_t i = 0; i < n && ok; i++) {
    entries[i] = (ir_npz_entry){.key = keys[i], .at = end, .size = ir_npy_bytes(tensors[i]), .crc = crc_of(tensors[i])};
    if (strlen(keys[i]) > IR_NPZ_MAX_KEY)
      ir_out_file_fail(file, ENAMETOOLONG);
    ok = ir_npz_write_header(sink, &entries[i], &end) && ir_npy_write(tensors[i], sink);
    end += entries[i].size;
  }
  if (ok)
    ir_npz_write_directory(sink, entries, (uint64_t)n, end);
  ir_free(memory, entries);
}
