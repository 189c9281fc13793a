/* Writing an .npz. */
#include "runtime/npy.h"
#include "runtime/npz.h"

#include <errno.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  METHOD_STORED = 0,
  FLAG_UTF8 = 1 << 11,
  MADE_BY = 20,             /* version 2.0 of the format */
  DATE = 1 << 21 | 1 << 16, /* 1980-01-01, the first that a zip can have */
  MAX_KEY = 65535 - 4,      /* bytes; ".npy" follows, and the length has 16 bits */
  PIECE = 1 << 30           /* minizip counts in unsigned int */
};

/* ---- what minizip writes to ---- */

static voidpf out_open(voidpf user, const void *name, int mode) {
  (void)name;
  (void)mode;
  return user;
}

static uLong out_read(voidpf user, voidpf stream, void *buffer, uLong bytes) {
  (void)user;
  (void)stream;
  (void)buffer;
  (void)bytes;
  return 0;
}

static uLong out_write(voidpf user, voidpf stream, const void *buffer, uLong bytes) {
  (void)user;
  return ir_out_file_write(stream, buffer, bytes) ? bytes : 0;
}

static ZPOS64_T out_tell(voidpf user, voidpf stream) {
  (void)user;
  return (ZPOS64_T)ir_out_file_seek(stream, 0, SEEK_CUR);
}

static long out_seek(voidpf user, voidpf stream, ZPOS64_T offset, int origin) {
  static const int whences[] = {
      [ZLIB_FILEFUNC_SEEK_SET] = SEEK_SET, [ZLIB_FILEFUNC_SEEK_CUR] = SEEK_CUR, [ZLIB_FILEFUNC_SEEK_END] = SEEK_END};
  (void)user;
  return ir_out_file_seek(stream, (int64_t)offset, whences[origin]) < 0 ? -1 : 0;
}

static int out_close(voidpf user, voidpf stream) {
  (void)user;
  (void)stream;
  return 0;
}

static int out_error(voidpf user, voidpf stream) {
  (void)user;
  return ((ir_out_file *)stream)->error;
}

/* ---- members ---- */

static bool write_piece(void *user, const void *data, size_t bytes) {
  for (size_t done = 0, n; done < bytes; done += n) {
    n = bytes - done < PIECE ? bytes - done : PIECE;
    if (zipWriteInFileInZip(user, (const char *)data + done, (unsigned)n) != ZIP_OK)
      return false;
  }
  return true;
}

static bool is_ascii(const char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text >= 0x80)
      return false;
  return true;
}

static bool write_member(ir_out_file *file, zipFile zip, const ir_tensor *tensor, const char *key) {
  char name[MAX_KEY + 5];
  zip_fileinfo info = {.dosDate = DATE};
  if (strlen(key) > MAX_KEY) {
    ir_out_file_fail(file, ENAMETOOLONG);
    return false;
  }
  snprintf(name, sizeof name, "%s.npy", key);
  bool is_large = ir_npy_bytes(tensor) >= UINT32_MAX;
  if (zipOpenNewFileInZip4_64(zip, name, &info, NULL, 0, NULL, 0, NULL, METHOD_STORED, 0, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                              Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY, is_ascii(key) ? 0 : FLAG_UTF8, is_large) != ZIP_OK)
    return false;
  bool written = ir_npy_write(tensor, (ir_byte_sink){write_piece, zip});
  return zipCloseFileInZip(zip) == ZIP_OK && written;
}

void ir_npz_write(ir_out_file *file, int64_t n, const ir_tensor *const *tensors, const char *const *keys) {
  zlib_filefunc64_def functions = {out_open, out_read, out_write, out_tell, out_seek, out_close, out_error, file};
  zipFile zip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
  bool ok = zip != NULL;
  for (int64_t i = 0; i < n && ok; i++)
    ok = write_member(file, zip, tensors[i], keys[i]);
  if (zip != NULL && zipClose(zip, NULL) != ZIP_OK)
    ok = false;
  /* A failure that is not the file's is a lack of memory. */
  if (!ok)
    ir_out_file_fail(file, ENOMEM);
}
