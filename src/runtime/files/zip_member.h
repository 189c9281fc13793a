/* Reads and decompresses one zip member. */
#ifndef IR_ZIP_MEMBER_H
#define IR_ZIP_MEMBER_H

#include "runtime/files/zip_directory.h"

typedef struct ir_unzip ir_unzip;

/* Begins to read a member. `source` must outlive `*out_unzip`. */
ir_zip_fault ir_unzip_create(const ir_source *source, const ir_zip_member *member, const ir_memory *memory,
                             ir_unzip **out_unzip);
void ir_unzip_free(ir_unzip *unzip);
/* Reads `bytes` bytes of the decompressed data, or the rest if that is less; `*out_n` is the number read. */
ir_zip_fault ir_unzip_read(ir_unzip *unzip, void *buffer, int64_t bytes, int64_t *out_n);
/* Whether the member has no more data, and its checksum is right. Call after all bytes were read. */
bool ir_unzip_is_whole(ir_unzip *unzip);

#endif
