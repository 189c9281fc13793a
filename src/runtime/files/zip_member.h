/* Reads the bytes of one zip member. */
#ifndef IR_ZIP_MEMBER_H
#define IR_ZIP_MEMBER_H

#include "runtime/files/zip_directory.h"

typedef struct ir_unzip ir_unzip;

/* Begins to read a member. `source` has to outlive it. */
ir_zip_fault ir_unzip_create(const ir_source *source, const ir_zip_member *member, const ir_memory *memory,
                             ir_unzip **out_unzip);
void ir_unzip_free(ir_unzip *unzip);
/* Reads `bytes`, or the rest of the member if that is less. */
ir_zip_fault ir_unzip_read(ir_unzip *unzip, void *buffer, int64_t bytes, int64_t *out_n);
/* Call this after the whole member was read: true if it ends there and its checksum is right. */
bool ir_unzip_is_whole(ir_unzip *unzip);

#endif
