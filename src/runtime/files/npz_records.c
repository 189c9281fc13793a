#include "runtime/files/npz_records.h"
#include <string.h>

enum {
  VERSION = 20,
  VERSION_ZIP64 = 45,
  FLAG_UTF8 = 1 << 11,
  DATE = 1 << 5 | 1, /* 1980-01-01, the earliest date of the format */
  ZIP64_FIELD = 1,
  END64_BYTES = 44, /* bytes of the zip64 end record after its size field */
  MAX_RECORD = 128  /* bytes of the largest record, without the name */
};

#define MAX16  UINT64_C(0xffff) /* MAX16 or MAX32 replaces a number that a zip64 field or record has */
#define MAX32  UINT64_C(0xffffffff)
#define SUFFIX ".npy"

typedef struct record {
  unsigned char bytes[MAX_RECORD];
  size_t n;
} record;

/* Appends a little-endian number of `bytes` bytes. */
static void put(record *r, uint64_t number, int bytes) {
  for (int i = 0; i < bytes; i++)
    r->bytes[r->n++] = (unsigned char)(number >> (8 * i));
}

static void put_zeros(record *r, size_t bytes) {
  memset(r->bytes + r->n, 0, bytes);
  r->n += bytes;
}

static uint64_t at_most(uint64_t number, uint64_t most) {
  return number < most ? number : most;
}

static bool write_record(ir_byte_sink sink, const record *r, uint64_t *end) {
  *end += r->n;
  return sink.write(sink.user, r->bytes, r->n);
}

/* ---- members ---- */

static bool is_large(const ir_npz_entry *entry) {
  return entry->size >= MAX32 || entry->at >= MAX32;
}

static bool is_ascii(const char *text) {
  for (; *text != '\0'; text++)
    if ((unsigned char)*text >= 0x80)
      return false;
  return true;
}

/* Appends the fields that a member's header and its record in the directory share. `extra` is the size of the zip64
 * field, which follows the name. */
static void put_common(record *r, const ir_npz_entry *entry, uint64_t extra) {
  const uint64_t size = is_large(entry) ? MAX32 : entry->size;
  put(r, is_large(entry) ? VERSION_ZIP64 : VERSION, 2);
  put(r, is_ascii(entry->key) ? 0 : FLAG_UTF8, 2);
  put_zeros(r, 2 + 2); /* method: stored; time: midnight */
  put(r, DATE, 2);
  put(r, entry->crc, 4);
  put(r, size, 4);
  put(r, size, 4);
  put(r, strlen(entry->key) + strlen(SUFFIX), 2);
  put(r, extra, 2);
}

/* Writes the member's name. If the member is large, writes the zip64 field too, with the first `n` of `numbers`. */
static bool write_name(ir_byte_sink sink, const ir_npz_entry *entry, int n, uint64_t *end) {
  const uint64_t numbers[] = {entry->size, entry->size, entry->at};
  const size_t length = strlen(entry->key);
  record field = {.n = 0};
  *end += length + strlen(SUFFIX);
  if (!sink.write(sink.user, entry->key, length) || !sink.write(sink.user, SUFFIX, strlen(SUFFIX)))
    return false;
  if (!is_large(entry))
    return true;
  put(&field, ZIP64_FIELD, 2);
  put(&field, 8 * (uint64_t)n, 2);
  for (int i = 0; i < n; i++)
    put(&field, numbers[i], 8);
  return write_record(sink, &field, end);
}

bool ir_npz_write_header(ir_byte_sink sink, const ir_npz_entry *entry, uint64_t *end) {
  record r = {.n = 0};
  put(&r, 0x04034b50, 4);
  put_common(&r, entry, is_large(entry) ? 4 + 2 * 8 : 0);
  return write_record(sink, &r, end) && write_name(sink, entry, 2, end);
}

static bool write_entry(ir_byte_sink sink, const ir_npz_entry *entry, uint64_t *end) {
  record r = {.n = 0};
  put(&r, 0x02014b50, 4);
  put(&r, VERSION_ZIP64, 2); /* the field "version made by" */
  put_common(&r, entry, is_large(entry) ? 4 + 3 * 8 : 0);
  put_zeros(&r, 2 + 2 + 2 + 4); /* no comment, disk 0, no attributes */
  put(&r, is_large(entry) ? MAX32 : entry->at, 4);
  return write_record(sink, &r, end) && write_name(sink, entry, 3, end);
}

/* ---- the end ---- */

/* Appends the zip64 end record and its locator. */
static void put_end64(record *r, uint64_t n, uint64_t begin, uint64_t end) {
  put(r, 0x06064b50, 4);
  put(r, END64_BYTES, 8);
  put(r, VERSION_ZIP64, 2);
  put(r, VERSION_ZIP64, 2);
  put_zeros(r, 4 + 4); /* a single disk */
  put(r, n, 8);
  put(r, n, 8);
  put(r, end - begin, 8);
  put(r, begin, 8);
  put(r, 0x07064b50, 4);
  put_zeros(r, 4);
  put(r, end, 8);
  put(r, 1, 4);
}

bool ir_npz_write_directory(ir_byte_sink sink, const ir_npz_entry *entries, uint64_t n, uint64_t at) {
  uint64_t end = at;
  record r = {.n = 0};
  for (uint64_t i = 0; i < n; i++)
    if (!write_entry(sink, &entries[i], &end))
      return false;
  if (n >= MAX16 || end >= MAX32)
    put_end64(&r, n, at, end);
  put(&r, 0x06054b50, 4);
  put_zeros(&r, 2 + 2); /* a single disk */
  put(&r, at_most(n, MAX16), 2);
  put(&r, at_most(n, MAX16), 2);
  put(&r, at_most(end - at, MAX32), 4);
  put(&r, at_most(at, MAX32), 4);
  put_zeros(&r, 2); /* no comment */
  return write_record(sink, &r, &end);
}
