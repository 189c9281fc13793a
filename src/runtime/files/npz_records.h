/* What an .npz holds around its members, which are stored: the headers before them and the directory behind them, of
 * the zip format as PKWARE's APPNOTE has it, with zip64 fields where a number does not fit 32 bits. Sizes and checksums
 * are known beforehand, so that nothing is written twice and an archive can go to a pipe. */
#ifndef IR_NPZ_RECORDS_H
#define IR_NPZ_RECORDS_H

#include "base/byte_stream.h"

enum { IR_NPZ_MAX_KEY = 65535 - 4 }; /* bytes: ".npy" follows, and a name's length has 16 bits */

typedef struct ir_npz_entry {
  const char *key;   /* the member's name without ".npy" */
  uint64_t at, size; /* of its header in the file; of its bytes */
  uint32_t crc;
} ir_npz_entry;

/* False when the sink refuses; `*end` is moved behind what was written. */
bool ir_npz_write_header(ir_byte_sink sink, const ir_npz_entry *entry, uint64_t *end);
/* The directory begins at byte `at`. */
bool ir_npz_write_directory(ir_byte_sink sink, const ir_npz_entry *entries, uint64_t n, uint64_t at);

#endif
