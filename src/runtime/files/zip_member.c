#include "runtime/files/zip_member.h"

#include <string.h>
#include <zlib.h>

enum {
  HEADER_BYTES = 30, /* bytes of the local header before the member's name */
  METHOD_DEFLATED = 8,
  INPUT_BYTES = 64 * 1024,
  PIECE = 1 << 30 /* most bytes for one call of zlib, which counts in unsigned int */
};

struct ir_unzip {
  const ir_source *source;
  const ir_memory *memory;
  ir_zip_member member;
  int64_t at;          /* offset of the next packed byte */
  int64_t packed_left; /* bytes not yet read from the file */
  int64_t left;        /* bytes not yet returned */
  uLong crc;
  bool inflating; /* `stream` is initialized */
  z_stream stream;
  unsigned char input[INPUT_BYTES];
};

static voidpf zlib_alloc(voidpf memory, uInt count, uInt size) {
  return ir_alloc_zero(memory, count, size);
}

static void zlib_release(voidpf memory, voidpf block) {
  ir_free(memory, block);
}

/* Compares the member's name in the directory with the one after the local header: a file of two names would give a
 * tensor another name than other programs see. */
static ir_zip_fault compare_names(const ir_source *source, const ir_zip_member *member) {
  char names[2][256];
  ir_zip_fault fault = IR_ZIP_OK;
  for (int64_t done = 0, n; done < member->name_bytes && fault == IR_ZIP_OK; done += n) {
    n = member->name_bytes - done;
    n = n < (int64_t)sizeof names[0] ? n : (int64_t)sizeof names[0];
    fault = ir_zip_read(source, member->name_at + done, names[0], n);
    if (fault == IR_ZIP_OK)
      fault = ir_zip_read(source, member->header_at + HEADER_BYTES + done, names[1], n);
    if (fault == IR_ZIP_OK && memcmp(names[0], names[1], (size_t)n) != 0)
      fault = IR_ZIP_DAMAGED;
  }
  return fault;
}

/* Finds the start of the member's data, after its local header. The extra field there can be longer than in the
 * directory. */
static ir_zip_fault find_data(ir_unzip *unzip) {
  unsigned char header[HEADER_BYTES];
  ir_zip_fault fault = ir_zip_read(unzip->source, unzip->member.header_at, header, HEADER_BYTES);
  if (fault != IR_ZIP_OK)
    return fault;
  const uint64_t method = ir_zip_number(header + 8, 2);
  if (memcmp(header, "PK\x03\x04", 4) != 0 || (method == METHOD_DEFLATED) != unzip->member.deflated ||
      (int64_t)ir_zip_number(header + 26, 2) != unzip->member.name_bytes)
    return IR_ZIP_DAMAGED;
  unzip->at =
      unzip->member.header_at + HEADER_BYTES + (int64_t)(ir_zip_number(header + 26, 2) + ir_zip_number(header + 28, 2));
  return unzip->at > unzip->source->size || unzip->member.packed > unzip->source->size - unzip->at
             ? IR_ZIP_DAMAGED
             : compare_names(unzip->source, &unzip->member);
}

ir_zip_fault ir_unzip_create(const ir_source *source, const ir_zip_member *member, const ir_memory *memory,
                             ir_unzip **out_unzip) {
  *out_unzip = NULL;
  ir_unzip *unzip = ir_alloc_zero(memory, 1, sizeof *unzip);
  if (unzip == NULL)
    return IR_ZIP_NO_MEMORY;
  unzip->source = source;
  unzip->memory = memory;
  unzip->member = *member;
  unzip->packed_left = member->packed;
  unzip->left = member->size;
  unzip->crc = crc32(0, NULL, 0);
  ir_zip_fault fault = find_data(unzip);
  if (fault == IR_ZIP_OK && member->deflated) {
    unzip->stream = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_release, .opaque = (void *)(uintptr_t)memory};
    unzip->inflating = inflateInit2(&unzip->stream, -MAX_WBITS) == Z_OK;
    fault = unzip->inflating ? IR_ZIP_OK : IR_ZIP_NO_MEMORY;
  }
  if (fault == IR_ZIP_OK)
    *out_unzip = unzip;
  else
    ir_unzip_free(unzip);
  return fault;
}

void ir_unzip_free(ir_unzip *unzip) {
  if (unzip == NULL)
    return;
  if (unzip->inflating)
    inflateEnd(&unzip->stream);
  ir_free(unzip->memory, unzip);
}

static ir_zip_fault read_packed(ir_unzip *unzip, void *buffer, int64_t bytes) {
  if (bytes > unzip->packed_left)
    return IR_ZIP_DAMAGED;
  ir_zip_fault fault = ir_zip_read(unzip->source, unzip->at, buffer, bytes);
  unzip->at += bytes;
  unzip->packed_left -= bytes;
  return fault;
}

static ir_zip_fault refill(ir_unzip *unzip) {
  const int64_t n = unzip->packed_left < INPUT_BYTES ? unzip->packed_left : INPUT_BYTES;
  if (unzip->stream.avail_in > 0 || n == 0)
    return IR_ZIP_OK;
  unzip->stream.next_in = unzip->input;
  unzip->stream.avail_in = (uInt)n;
  return read_packed(unzip, unzip->input, n);
}

static ir_zip_fault inflate_to(ir_unzip *unzip, unsigned char *buffer, uInt bytes) {
  z_stream *stream = &unzip->stream;
  stream->next_out = buffer;
  stream->avail_out = bytes;
  while (stream->avail_out > 0) {
    ir_zip_fault fault = refill(unzip);
    if (fault != IR_ZIP_OK)
      return fault;
    int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
      return IR_ZIP_NO_MEMORY;
    if (result != Z_OK && !(result == Z_STREAM_END && stream->avail_out == 0))
      return IR_ZIP_DAMAGED;
  }
  return IR_ZIP_OK;
}

ir_zip_fault ir_unzip_read(ir_unzip *unzip, void *buffer, int64_t bytes, int64_t *out_n) {
  unsigned char *to = buffer;
  *out_n = 0;
  bytes = bytes < unzip->left ? bytes : unzip->left;
  while (*out_n < bytes) {
    int64_t piece = bytes - *out_n < PIECE ? bytes - *out_n : PIECE;
    ir_zip_fault fault =
        unzip->member.deflated ? inflate_to(unzip, to + *out_n, (uInt)piece) : read_packed(unzip, to + *out_n, piece);
    if (fault != IR_ZIP_OK)
      return fault;
    unzip->crc = crc32(unzip->crc, to + *out_n, (uInt)piece);
    unzip->left -= piece;
    *out_n += piece;
  }
  return IR_ZIP_OK;
}

bool ir_unzip_is_whole(ir_unzip *unzip) {
  unsigned char more;
  if (unzip->left > 0 || unzip->crc != unzip->member.crc)
    return false;
  if (!unzip->member.deflated)
    return true;
  /* The end mark of deflate can still be unread. inflate must find it, and must not return one more byte. */
  unzip->stream.next_out = &more;
  unzip->stream.avail_out = 1;
  return refill(unzip) == IR_ZIP_OK && inflate(&unzip->stream, Z_NO_FLUSH) == Z_STREAM_END &&
         unzip->stream.avail_out == 1;
}
