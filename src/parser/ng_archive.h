/* Reads the cpio archives of nGraph (cpio's old binary format). The first record is the model's text; each other record
 * has the elements of a Constant. */
#ifndef NG_ARCHIVE_H
#define NG_ARCHIVE_H

#include "base/index_map.h"
#include "graph/graph.h"

typedef struct ng_record {
  const char *name; /* owned by the archive's arena */
  int64_t begin, size;
  bool used;         /* a Constant has these elements */
  const void *bytes; /* the elements, once they are used */
} ng_record;

typedef struct ng_archive {
  ir_arena arena;
  ng_record *records; /* the first is the model's text */
  size_t n, capacity;
  ir_index_map names;
} ng_archive;

/* Returns whether the first two bytes are those of a cpio archive. */
bool ng_is_archive(const ir_source *source);
/* Reads the headers of all records. Reports IR013 if a header is wrong or missing. The caller resets the archive, also
 * after a failure. */
ir_code ng_archive_read(ir_source *source, const ir_memory *memory, ir_diags *diags, ng_archive *out_archive);
void ng_archive_reset(ng_archive *archive);
/* Returns the record of the Constant `name`; NULL if there is none. */
ng_record *ng_archive_find(ng_archive *archive, const char *name);

#endif
