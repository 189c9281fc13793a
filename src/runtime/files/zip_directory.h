/* The directory of a zip file, at its end: which members there are, and where. */
#ifndef IR_ZIP_DIRECTORY_H
#define IR_ZIP_DIRECTORY_H

#include "base/arena.h"
#include "base/source.h"

typedef enum ir_zip_fault {
  IR_ZIP_OK,
  IR_ZIP_NO_END,  /* no end record: cut short, or no zip file */
  IR_ZIP_DAMAGED, /* also an end of the file */
  IR_ZIP_ENCRYPTED,
  IR_ZIP_METHOD,     /* neither stored nor deflated */
  IR_ZIP_UNREADABLE, /* errno says why */
  IR_ZIP_NO_MEMORY
} ir_zip_fault;

typedef struct ir_zip_member {
  int64_t header_at; /* in the file */
  int64_t packed, size;
  uint32_t crc;
  bool deflated; /* else stored */
} ir_zip_member;

typedef struct ir_zip_directory {
  const ir_source *source;
  int64_t at, end; /* bytes of the record that is read next; behind the last */
  uint64_t n;      /* members, as the end record says */
} ir_zip_directory;

enum { IR_ZIP_MAX_NAME = 65535 };

ir_zip_fault ir_zip_directory_open(const ir_source *source, const ir_memory *memory, ir_zip_directory *out_directory);
/* Reads the record at `at` and moves behind it. `buffer` has IR_ZIP_MAX_NAME + 1 bytes: the name, `*out_length` bytes
 * and a NUL. IR_ZIP_DAMAGED with a length of -1: there is no record. With another fault the name is there, and the next
 * record can be read; IR_ZIP_DAMAGED also when sizes and place are more than the file can hold. */
ir_zip_fault ir_zip_directory_next(ir_zip_directory *directory, char *buffer, int64_t *out_length,
                                   ir_zip_member *out_member);

/* `n` bytes, the lowest first. */
uint64_t ir_zip_number(const unsigned char *bytes, int n);
/* All of them, or IR_ZIP_UNREADABLE, IR_ZIP_DAMAGED. */
ir_zip_fault ir_zip_read(const ir_source *source, int64_t at, void *buffer, int64_t bytes);

#endif
