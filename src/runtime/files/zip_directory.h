/* Reads the directory at the end of a zip file, which lists the members and their offsets. */
#ifndef IR_ZIP_DIRECTORY_H
#define IR_ZIP_DIRECTORY_H

#include "base/arena.h"
#include "base/source.h"

typedef enum ir_zip_fault {
  IR_ZIP_OK,
  IR_ZIP_NO_END,  /* no end record: the file is truncated, or is no zip file */
  IR_ZIP_DAMAGED, /* a record is damaged, or the file ends too early */
  IR_ZIP_ENCRYPTED,
  IR_ZIP_METHOD,     /* the compression is neither "stored" nor "deflated" */
  IR_ZIP_UNREADABLE, /* a system error; see errno */
  IR_ZIP_NO_MEMORY
} ir_zip_fault;

typedef struct ir_zip_member {
  int64_t header_at;           /* offset of the member's header in the file */
  int64_t name_at, name_bytes; /* the name in the directory, a part of the file */
  int64_t packed, size;
  uint32_t crc;
  bool deflated; /* compressed with deflate; false: stored */
} ir_zip_member;

typedef struct ir_zip_directory {
  const ir_source *source;
  int64_t at, end; /* `at`: offset of the next record; `end`: offset after the last record */
  uint64_t n;      /* number of members, as the end record says */
} ir_zip_directory;

enum { IR_ZIP_MAX_NAME = 65535 };

ir_zip_fault ir_zip_directory_open(const ir_source *source, const ir_memory *memory, ir_zip_directory *out_directory);
/* Reads the member's record at `at`, and advances `at`. `buffer`, of IR_ZIP_MAX_NAME + 1 bytes, gets the name, of
 * `*out_length` bytes, and a NUL. If `*out_length` is -1 after a fault, no record can be read. After any other fault
 * the name is valid, and the next record can be read. */
ir_zip_fault ir_zip_directory_next(ir_zip_directory *directory, char *buffer, int64_t *out_length,
                                   ir_zip_member *out_member);

/* Reads a little-endian number of `n` bytes. */
uint64_t ir_zip_number(const unsigned char *bytes, int n);
/* Reads exactly `bytes` bytes. IR_ZIP_DAMAGED: the file ends before; IR_ZIP_UNREADABLE: a system error. */
ir_zip_fault ir_zip_read(const ir_source *source, int64_t at, void *buffer, int64_t bytes);

#endif
