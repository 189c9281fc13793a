/* Writes the records of an .npz around its uncompressed members: a header before each, and the directory at the end.
 * The format is the zip format of PKWARE's APPNOTE, with zip64 fields for numbers above 32 bits. Sizes and checksums
 * are known before a member is written, so the output can be a pipe. */
#ifndef IR_NPZ_RECORDS_H
#define IR_NPZ_RECORDS_H

#include "base/byte_stream.h"

enum { IR_NPZ_MAX_KEY = 65535 - 4 }; /* bytes of a key; with ".npy", its length must fit 16 bits */

typedef struct ir_npz_entry {
  const char *key;   /* the member's name without ".npy" */
  uint64_t at, size; /* `at`: offset of the member's header in the file; `size`: bytes of its data */
  uint32_t crc;
} ir_npz_entry;

/* Writes the header of a member, and adds its bytes to `*end`. False if the sink fails. */
bool ir_npz_write_header(ir_byte_sink sink, const ir_npz_entry *entry, uint64_t *end);
/* Writes the directory; `at` is its offset in the file. */
bool ir_npz_write_directory(ir_byte_sink sink, const ir_npz_entry *entries, uint64_t n, uint64_t at);

#endif
