/* The bytes of one member of a zip file. minizip 1.1 takes no size or offset beyond 4 GiB on 64-bit systems (it
 * compares the marks of zip64 with -1 of the wrong width), so it serves for the directory, and members are found and
 * unpacked here. */
#ifndef IR_ZIP_MEMBER_H
#define IR_ZIP_MEMBER_H

#include "arena.h"
#include "source.h"

typedef struct ir_zip_member {
  int64_t header_at; /* in the file */
  int64_t packed, size;
  uint32_t crc;
  bool deflated; /* else stored */
} ir_zip_member;

typedef enum ir_zip_fault {
  IR_ZIP_OK,
  IR_ZIP_DAMAGED, /* also an end of the file */
  IR_ZIP_ENCRYPTED,
  IR_ZIP_METHOD,     /* neither stored nor deflated */
  IR_ZIP_UNREADABLE, /* errno says why */
  IR_ZIP_NO_MEMORY
} ir_zip_fault;

/* Reads the directory's record of a member at byte `record_at`, with sizes and offset from its zip64 field where it has
 * one. IR_ZIP_DAMAGED also when they are more than the file can hold. */
ir_zip_fault ir_zip_find(const ir_source *source, int64_t record_at, ir_zip_member *out_member);

typedef struct ir_unzip ir_unzip;

/* Begins to read a member. `source` has to outlive it. */
ir_zip_fault ir_unzip_create(const ir_source *source, const ir_zip_member *member, const ir_memory *memory,
                             ir_unzip **out_unzip);
void ir_unzip_free(ir_unzip *unzip);
/* Reads `bytes`, or what is left of the member. */
ir_zip_fault ir_unzip_read(ir_unzip *unzip, void *buffer, int64_t bytes, int64_t *out_n);
/* After all of the member was read: true when it ends there and its checksum is right. */
bool ir_unzip_is_whole(ir_unzip *unzip);

#endif
