/* The records of an .npz around its uncompressed members: their local headers and the directory at the end, in the zip
 * format of PKWARE's APPNOTE, with zip64 fields for numbers above 32 bits. Sizes and checksums are known beforehand, so
 * nothing is written twice and an archive can go to a pipe. */
#ifndef IR_NPZ_RECORDS_H
#define IR_NPZ_RECORDS_H

#include "base/byte_stream.h"

enum { IR_NPZ_MAX_KEY = 65535 - 4 }; /* in bytes: ".npy" is appended, and the format has 16 bits for a name's length */

typedef struct ir_npz_entry {
  const char *key;   /* the member's name without ".npy" */
  uint64_t at, size; /* at: offset of its header in the file; size: of its data */
  uint32_t crc;
} ir_npz_entry;

/* Advances `*end` by the bytes written. False if the sink refuses them. */
bool ir_npz_write_header(ir_byte_sink sink, const ir_npz_entry *entry, uint64_t *end);
/* Writes the directory, whose offset in the file is `at`. */
bool ir_npz_write_directory(ir_byte_sink sink, const ir_npz_entry *entries, uint64_t n, uint64_t at);

#endif
