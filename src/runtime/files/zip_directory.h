/* The directory at the end of a zip file, which lists its members and their offsets. */
#ifndef IR_ZIP_DIRECTORY_H
#define IR_ZIP_DIRECTORY_H

#include "base/arena.h"
#include "base/source.h"

typedef enum ir_zip_fault {
  IR_ZIP_OK,
  IR_ZIP_NO_END,  /* no end record: the file is truncated, or no zip file */
  IR_ZIP_DAMAGED, /* also an unexpected end of file */
  IR_ZIP_ENCRYPTED,
  IR_ZIP_METHOD,     /* neither stored nor deflated */
  IR_ZIP_UNREADABLE, /* a system error; see errno */
  IR_ZIP_NO_MEMORY
} ir_zip_fault;

typedef struct ir_zip_member {
  int64_t header_at; /* offset in the file */
  int64_t packed, size;
  uint32_t crc;
  bool deflated; /* compressed with deflate, else stored */
} ir_zip_member;

typedef struct ir_zip_directory {
  const ir_source *source;
  int64_t at, end; /* at: offset of the next record; end: after the last record */
  uint64_t n;      /* number of members in the end record */
} ir_zip_directory;

enum { IR_ZIP_MAX_NAME = 65535 };

ir_zip_fault ir_zip_directory_open(const ir_source *source, const ir_memory *memory, ir_zip_directory *out_directory);
/* Reads the record at `at` and advances. `buffer` has IR_ZIP_MAX_NAME + 1 bytes for the name, which has `*out_length`
 * bytes and a NUL. IR_ZIP_DAMAGED with a length of -1: there is no record. After any other fault the name is valid and
 * the next record can be read; IR_ZIP_DAMAGED also reports sizes or offsets beyond the file. */
ir_zip_fault ir_zip_directory_next(ir_zip_directory *directory, char *buffer, int64_t *out_length,
                                   ir_zip_member *out_member);

/* Reads a little-endian number of `n` bytes. */
uint64_t ir_zip_number(const unsigned char *bytes, int n);
/* Reads exactly `bytes` bytes; else IR_ZIP_UNREADABLE or IR_ZIP_DAMAGED. */
ir_zip_fault ir_zip_read(const ir_source *source, int64_t at, void *buffer, int64_t bytes);

#endif
