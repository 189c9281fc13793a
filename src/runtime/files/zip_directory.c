#include "runtime/files/zip_directory.h"
#include <string.h>

enum {
  RECORD_BYTES = 46, /* bytes of a member's record before its name */
  END_BYTES = 22,    /* bytes of the end record before its comment */
  MAX_COMMENT = 65535,
  LOCATOR_BYTES = 20, /* bytes of the zip64 locator, which precedes the end record */
  END64_BYTES = 56,
  FLAG_ENCRYPTED = 1,
  METHOD_STORED = 0,
  METHOD_DEFLATED = 8,
  ZIP64_FIELD = 1,
  MAX_RATIO = 1032 /* the highest compression ratio of deflate */
};

/* MAX16 or MAX32 replaces a number that a zip64 field or record has */
#define MAX16 UINT64_C(0xffff)
#define MAX32 UINT64_C(0xffffffff)

uint64_t ir_zip_number(const unsigned char *bytes, int n) {
  uint64_t value = 0;
  for (int i = n - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

ir_zip_fault ir_zip_read(const ir_source *source, int64_t at, void *buffer, int64_t bytes) {
  int64_t n = ir_source_read(source, at, buffer, bytes);
  return n == bytes ? IR_ZIP_OK : n < 0 ? IR_ZIP_UNREADABLE : IR_ZIP_DAMAGED;
}

/* ---- the end ---- */

/* Finds the last end record whose comment lies within the file. */
static ir_zip_fault find_end(const ir_source *source, const ir_memory *memory, unsigned char end[END_BYTES],
                             int64_t *out_at) {
  const int64_t reach = END_BYTES + MAX_COMMENT, n = source->size < reach ? source->size : reach;
  const int64_t first = source->size - n;
  unsigned char *tail = ir_alloc(memory, (size_t)n);
  if (tail == NULL)
    return IR_ZIP_NO_MEMORY;
  ir_zip_fault fault = ir_zip_read(source, first, tail, n);
  int64_t at = n - END_BYTES;
  while (fault == IR_ZIP_OK && at >= 0 &&
         (memcmp(tail + at, "PK\x05\x06", 4) != 0 || (int64_t)ir_zip_number(tail + at + 20, 2) > n - END_BYTES - at))
    at--;
  if (fault == IR_ZIP_OK && at < 0)
    fault = IR_ZIP_NO_END;
  if (fault == IR_ZIP_OK)
    memcpy(end, tail + at, END_BYTES);
  *out_at = first + at;
  ir_free(memory, tail);
  return fault;
}

/* Reads the number of members, and the size and the offset of the directory, from the zip64 end record. Those that the
 * end record has must be the same: else programs would read different directories. Changes `*end_at` from the offset of
 * the end record to that of the zip64 end record. */
static ir_zip_fault read_end64(const ir_source *source, int64_t *end_at, uint64_t numbers[3]) {
  unsigned char locator[LOCATOR_BYTES], end[END64_BYTES];
  if (*end_at < LOCATOR_BYTES)
    return IR_ZIP_DAMAGED;
  ir_zip_fault fault = ir_zip_read(source, *end_at - LOCATOR_BYTES, locator, LOCATOR_BYTES);
  if (fault != IR_ZIP_OK)
    return fault;
  const uint64_t at = ir_zip_number(locator + 8, 8);
  if (memcmp(locator, "PK\x06\x07", 4) != 0 || at > (uint64_t)*end_at)
    return IR_ZIP_DAMAGED;
  fault = ir_zip_read(source, (int64_t)at, end, END64_BYTES);
  if (fault == IR_ZIP_OK && memcmp(end, "PK\x06\x06", 4) != 0)
    fault = IR_ZIP_DAMAGED;
  for (int i = 0; i < 3 && fault == IR_ZIP_OK; i++) {
    const uint64_t number = ir_zip_number(end + 32 + 8 * i, 8);
    if (numbers[i] != number && numbers[i] != (i == 0 ? MAX16 : MAX32))
      fault = IR_ZIP_DAMAGED;
    numbers[i] = number;
  }
  *end_at = (int64_t)at;
  return fault;
}

/* Whether a zip64 locator stands before the end record. */
static bool has_locator(const ir_source *source, int64_t end_at) {
  unsigned char mark[4];
  return end_at >= LOCATOR_BYTES && ir_zip_read(source, end_at - LOCATOR_BYTES, mark, 4) == IR_ZIP_OK &&
         memcmp(mark, "PK\x06\x07", 4) == 0;
}

ir_zip_fault ir_zip_directory_open(const ir_source *source, const ir_memory *memory, ir_zip_directory *out_directory) {
  unsigned char end[END_BYTES];
  int64_t end_at;
  *out_directory = (ir_zip_directory){.source = source};
  ir_zip_fault fault = find_end(source, memory, end, &end_at);
  if (fault != IR_ZIP_OK)
    return fault;
  uint64_t numbers[] = {ir_zip_number(end + 10, 2), ir_zip_number(end + 12, 4), ir_zip_number(end + 16, 4)};
  if (numbers[0] == MAX16 || numbers[1] == MAX32 || numbers[2] == MAX32 || has_locator(source, end_at))
    fault = read_end64(source, &end_at, numbers);
  if (fault != IR_ZIP_OK)
    return fault;
  if (numbers[2] > (uint64_t)end_at || numbers[1] > (uint64_t)end_at - numbers[2])
    return IR_ZIP_DAMAGED;
  out_directory->n = numbers[0];
  out_directory->at = (int64_t)numbers[2];
  out_directory->end = (int64_t)(numbers[2] + numbers[1]);
  return IR_ZIP_OK;
}

/* ---- members ---- */

/* Replaces each number that is MAX32 by the next number of the member's zip64 field, which contains only such numbers.
 * The member's extra fields are the bytes [at, end). */
static ir_zip_fault read_zip64(const ir_source *source, int64_t at, int64_t end, uint64_t *const numbers[3]) {
  unsigned char bytes[8];
  int64_t field_end;
  do {
    ir_zip_fault fault = end - at < 4 ? IR_ZIP_DAMAGED : ir_zip_read(source, at, bytes, 4);
    if (fault != IR_ZIP_OK)
      return fault;
    field_end = at + 4 + (int64_t)ir_zip_number(bytes + 2, 2);
    if (ir_zip_number(bytes, 2) != ZIP64_FIELD)
      at = field_end;
  } while (at == field_end);
  at += 4;
  end = field_end < end ? field_end : end;
  for (int i = 0; i < 3; i++) {
    if (*numbers[i] != MAX32)
      continue;
    ir_zip_fault fault = end - at < 8 ? IR_ZIP_DAMAGED : ir_zip_read(source, at, bytes, 8);
    if (fault != IR_ZIP_OK)
      return fault;
    *numbers[i] = ir_zip_number(bytes, 8);
    at += 8;
  }
  return IR_ZIP_OK;
}

static bool is_possible(const ir_source *source, uint64_t header_at, uint64_t packed, uint64_t size, bool deflated) {
  const uint64_t file = (uint64_t)source->size;
  if (header_at > file || packed > file - header_at || size > INT64_MAX)
    return false;
  /* `size` bytes of memory will be allocated, so refuse a size to which the packed bytes cannot expand */
  return deflated ? size / MAX_RATIO <= packed : size == packed;
}

/* Parses a member's record. Its extra fields are the bytes [extra, extra_end) of the file. */
static ir_zip_fault read_member(const ir_source *source, const unsigned char record[RECORD_BYTES], int64_t extra,
                                int64_t extra_end, ir_zip_member *out_member) {
  const uint64_t method = ir_zip_number(record + 10, 2);
  if ((record[8] & FLAG_ENCRYPTED) != 0)
    return IR_ZIP_ENCRYPTED;
  if (method != METHOD_STORED && method != METHOD_DEFLATED)
    return IR_ZIP_METHOD;
  uint64_t packed = ir_zip_number(record + 20, 4), size = ir_zip_number(record + 24, 4),
           header_at = ir_zip_number(record + 42, 4);
  ir_zip_fault fault = IR_ZIP_OK;
  if (packed == MAX32 || size == MAX32 || header_at == MAX32)
    fault = read_zip64(source, extra, extra_end, (uint64_t *const[]){&size, &packed, &header_at});
  if (fault != IR_ZIP_OK)
    return fault;
  const bool deflated = method == METHOD_DEFLATED;
  if (!is_possible(source, header_at, packed, size, deflated))
    return IR_ZIP_DAMAGED;
  *out_member = (ir_zip_member){.header_at = (int64_t)header_at,
                                .packed = (int64_t)packed,
                                .size = (int64_t)size,
                                .crc = (uint32_t)ir_zip_number(record + 16, 4),
                                .deflated = deflated};
  return IR_ZIP_OK;
}

ir_zip_fault ir_zip_directory_next(ir_zip_directory *directory, char *buffer, int64_t *out_length,
                                   ir_zip_member *out_member) {
  const ir_source *source = directory->source;
  unsigned char record[RECORD_BYTES];
  *out_length = -1;
  *out_member = (ir_zip_member){.size = 0};
  const int64_t left = directory->end - directory->at;
  ir_zip_fault fault = left < RECORD_BYTES ? IR_ZIP_DAMAGED : ir_zip_read(source, directory->at, record, RECORD_BYTES);
  if (fault != IR_ZIP_OK)
    return fault;
  const int64_t name = directory->at + RECORD_BYTES, length = (int64_t)ir_zip_number(record + 28, 2),
                extra = name + length, extra_end = extra + (int64_t)ir_zip_number(record + 30, 2),
                next = extra_end + (int64_t)ir_zip_number(record + 32, 2);
  if (memcmp(record, "PK\x01\x02", 4) != 0 || next > directory->end)
    return IR_ZIP_DAMAGED;
  fault = ir_zip_read(source, name, buffer, length);
  if (fault != IR_ZIP_OK)
    return fault;
  buffer[length] = '\0';
  *out_length = length;
  directory->at = next;
  fault = read_member(source, record, extra, extra_end, out_member);
  out_member->name_at = name;
  out_member->name_bytes = length;
  return fault;
}
