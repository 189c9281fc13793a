/* The bytes of one member of a zip file. */
#ifndef IR_ZIP_MEMBER_H
#define IR_ZIP_MEMBER_H

#include "runtime/files/zip_directory.h"

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
