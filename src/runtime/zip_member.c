#include "runtime/zip_member.h"
#include "shape.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

enum {
  RECORD_BYTES = 46, /* of the directory, before the name */
  HEADER_BYTES = 30, /* before a member's name and data */
  MAX_EXTRA = 65535,
  FLAG_ENCRYPTED = 1,
  METHOD_STORED = 0,
  METHOD_DEFLATED = 8,
  ZIP64_FIELD = 1,
  MAX_RATIO = 1032, /* no deflated byte gives more */
  INPUT_BYTES = 64 * 1024,
  PIECE = 1 << 30 /* zlib counts in unsigned int */
};

#define IN_ZIP64 UINT32_C(0xffffffff)

/* ---- places ---- */

static uint64_t number_at(const unsigned char *bytes, int n) {
  uint64_t value = 0;
  for (int i = n - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

static ir_zip_fault read_exactly(const ir_source *source, int64_t at, void *buffer, int64_t bytes) {
  int64_t n = ir_source_read(source, at, buffer, bytes);
  return n == bytes ? IR_ZIP_OK : n < 0 ? IR_ZIP_UNREADABLE : IR_ZIP_DAMAGED;
}

/* Replaces the numbers that are marked by those of the zip64 field, which has only these, in this order. */
static ir_zip_fault read_zip64(const unsigned char *extra, size_t n_extra, uint64_t *const numbers[3]) {
  size_t at = 0, end = 0;
  while (at + 4 <= n_extra && number_at(extra + at, 2) != ZIP64_FIELD)
    at += 4 + (size_t)number_at(extra + at + 2, 2);
  if (at + 4 <= n_extra) {
    end = at + 4 + (size_t)number_at(extra + at + 2, 2);
    end = end < n_extra ? end : n_extra;
    at += 4;
  }
  for (int i = 0; i < 3; i++) {
    if (*numbers[i] != IN_ZIP64)
      continue;
    if (at + 8 > end)
      return IR_ZIP_DAMAGED;
    *numbers[i] = number_at(extra + at, 8);
    at += 8;
  }
  return IR_ZIP_OK;
}

static bool is_possible(const ir_source *source, uint64_t header_at, uint64_t packed, uint64_t size, bool deflated) {
  const uint64_t file = (uint64_t)source->size;
  if (header_at > file || packed > file - header_at || size > INT64_MAX)
    return false;
  /* So that no more memory is taken than the file's size accounts for. */
  return deflated ? size / MAX_RATIO <= packed : size == packed;
}

ir_zip_fault ir_zip_find(const ir_source *source, int64_t record_at, ir_zip_member *out_member) {
  unsigned char record[RECORD_BYTES], extra[MAX_EXTRA];
  *out_member = (ir_zip_member){.size = 0};
  ir_zip_fault fault = read_exactly(source, record_at, record, RECORD_BYTES);
  if (fault != IR_ZIP_OK)
    return fault;
  if (memcmp(record, "PK\x01\x02", 4) != 0)
    return IR_ZIP_DAMAGED;
  const uint64_t method = number_at(record + 10, 2), n_name = number_at(record + 28, 2),
                 n_extra = number_at(record + 30, 2);
  if ((record[8] & FLAG_ENCRYPTED) != 0)
    return IR_ZIP_ENCRYPTED;
  if (method != METHOD_STORED && method != METHOD_DEFLATED)
    return IR_ZIP_METHOD;
  uint64_t packed = number_at(record + 20, 4), size = number_at(record + 24, 4), header_at = number_at(record + 42, 4);
  if (packed == IN_ZIP64 || size == IN_ZIP64 || header_at == IN_ZIP64) {
    fault = read_exactly(source, record_at + RECORD_BYTES + (int64_t)n_name, extra, (int64_t)n_extra);
    if (fault == IR_ZIP_OK)
      fault = read_zip64(extra, (size_t)n_extra, (uint64_t *const[]){&size, &packed, &header_at});
    if (fault != IR_ZIP_OK)
      return fault;
  }
  const bool deflated = method == METHOD_DEFLATED;
  if (!is_possible(source, header_at, packed, size, deflated))
    return IR_ZIP_DAMAGED;
  *out_member = (ir_zip_member){.header_at = (int64_t)header_at,
                                .packed = (int64_t)packed,
                                .size = (int64_t)size,
                                .crc = (uint32_t)number_at(record + 16, 4),
                                .deflated = deflated};
  return IR_ZIP_OK;
}

/* ---- bytes ---- */

struct ir_unzip {
  const ir_source *source;
  const ir_memory *memory;
  ir_zip_member member;
  int64_t at;          /* of the packed byte that is read next */
  int64_t packed_left; /* not yet read from the file */
  int64_t left;        /* not yet given out */
  uLong crc;
  bool inflating; /* `stream` is in use */
  z_stream stream;
  unsigned char input[INPUT_BYTES];
};

static voidpf zlib_alloc(voidpf memory, uInt count, uInt size) {
  return ir_alloc_zero(memory, count, size);
}

static void zlib_release(voidpf memory, voidpf block) {
  ir_free(memory, block);
}

/* Where the data begin: the header before them has its own extra field. */
static ir_zip_fault find_data(ir_unzip *unzip) {
  unsigned char header[HEADER_BYTES];
  ir_zip_fault fault = read_exactly(unzip->source, unzip->member.header_at, header, HEADER_BYTES);
  if (fault != IR_ZIP_OK)
    return fault;
  const uint64_t method = number_at(header + 8, 2);
  if (memcmp(header, "PK\x03\x04", 4) != 0 || (method == METHOD_DEFLATED) != unzip->member.deflated)
    return IR_ZIP_DAMAGED;
  unzip->at = unzip->member.header_at + HEADER_BYTES + (int64_t)(number_at(header + 26, 2) + number_at(header + 28, 2));
  return unzip->at <= unzip->source->size && unzip->member.packed <= unzip->source->size - unzip->at ? IR_ZIP_OK
                                                                                                     : IR_ZIP_DAMAGED;
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
  ir_zip_fault fault = read_exactly(unzip->source, unzip->at, buffer, bytes);
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
  /* The end mark may still have to be read; another byte may not come. */
  unzip->stream.next_out = &more;
  unzip->stream.avail_out = 1;
  return refill(unzip) == IR_ZIP_OK && inflate(&unzip->stream, Z_NO_FLUSH) == Z_STREAM_END &&
         unzip->stream.avail_out == 1;
}
