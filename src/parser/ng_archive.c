#include "ng_archive.h"
#include "base/limits.h"
#include <errno.h>
#include <string.h>

#define END_NAME "TRAILER!!!"

enum {
  HEADER = 26,       /* bytes of a header: 13 words of 16 bits */
  MAX_NAME = 1 << 12 /* bytes; nGraph's names have about 20 */
};

typedef struct ng_header {
  uint32_t words[HEADER / 2];
} ng_header;

typedef struct ng_archive_reader {
  ir_source *source;
  ir_diags *diags;
  ng_archive *archive;
  const ir_memory *memory;
  bool big_endian;
  int64_t at;
} ng_archive_reader;

bool ng_is_archive(const ir_source *source) {
  unsigned char magic[2];
  return ir_source_read(source, 0, magic, 2) == 2 &&
         (memcmp(magic, "\xc7\x71", 2) == 0 || memcmp(magic, "\x71\xc7", 2) == 0);
}

/* Returns a place without line and column, because messages name byte offsets in the archive. */
static ir_where nowhere(const ng_archive_reader *r) {
  return (ir_where){.source = r->source, .at = IR_NOWHERE};
}

/* Reads `bytes` bytes of `what`, or reports that they are missing. */
static ir_code read_part(ng_archive_reader *r, int64_t offset, void *buffer, int64_t bytes, const char *what) {
  const int64_t n = ir_source_read(r->source, offset, buffer, bytes);
  if (n == bytes)
    return IR_OK;
  if (n < 0)
    return ir_report(r->diags, IR701_FILE_NOT_READABLE, nowhere(r), "cannot read the model: %s", strerror(errno));
  ir_code code = ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r), "the archive ends inside %s at byte %lld",
                           what, (long long)r->at);
  ir_hint(r->diags, "it seems to be cut short: copy or export it again");
  return code;
}

static ir_code read_header(ng_archive_reader *r, ng_header *out_header) {
  unsigned char bytes[HEADER];
  ir_code code;
  if (r->at >= r->source->size) {
    code = ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r),
                     "the archive ends without its last record, '" END_NAME "'");
    ir_hint(r->diags, "it seems to be cut short: copy or export it again");
    return code;
  }
  code = read_part(r, r->at, bytes, HEADER, "the header of a record");
  if (code != IR_OK)
    return code;
  for (int i = 0; i < HEADER / 2; i++) {
    const uint32_t first = bytes[2 * i], second = bytes[2 * i + 1];
    out_header->words[i] = r->big_endian ? first << 8 | second : second << 8 | first;
  }
  if (out_header->words[0] == 0x71c7)
    return IR_OK;
  return ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r),
                   "no record begins at byte %lld, where the one before it says that it ends", (long long)r->at);
}

/* Reads the name of a record: `size` bytes with a NUL at the end. */
static ir_code read_name(ng_archive_reader *r, uint32_t size, const char **out_name) {
  if (size == 0 || size > MAX_NAME)
    return ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r),
                     "the record at byte %lld states a name of %u bytes, expected 2 to %d", (long long)r->at, size,
                     MAX_NAME);
  char *name = ir_arena_alloc(&r->archive->arena, (size_t)size + 1);
  if (name == NULL)
    return ir_out_of_memory(r->diags);
  ir_code code = read_part(r, r->at + HEADER, name, size, "the name of the record");
  if (code != IR_OK)
    return code;
  *out_name = name;
  if (name[size - 1] == '\0' && strlen(name) + 1 == size && size > 1)
    return IR_OK;
  return ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r),
                   "the name of the record at byte %lld has not the %u bytes that its header states", (long long)r->at,
                   size);
}

static int64_t even(int64_t size) {
  return size + size % 2;
}

static ir_code read_record(ng_archive_reader *r, ng_record *out_record) {
  ng_header header;
  ir_code code = read_header(r, &header);
  if (code == IR_OK)
    code = read_name(r, header.words[10], &out_record->name);
  if (code != IR_OK)
    return code;
  out_record->begin = r->at + HEADER + even(header.words[10]);
  out_record->size = (int64_t)((uint64_t)header.words[11] << 16 | header.words[12]);
  out_record->used = false;
  const int64_t there = r->source->size - out_record->begin;
  if (out_record->size > there) {
    code =
        ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r),
                  "the record '%s' at byte %lld states %lld bytes of contents, the file has %lld more",
                  out_record->name, (long long)r->at, (long long)out_record->size, (long long)(there > 0 ? there : 0));
    ir_hint(r->diags, "it seems to be cut short: copy or export it again");
    return code;
  }
  r->at = out_record->begin + even(out_record->size);
  return IR_OK;
}

static ir_code add_record(ng_archive_reader *r, ng_record record) {
  ng_archive *archive = r->archive;
  void *records = archive->records;
  if (archive->n >= (size_t)IR_MAX_LAYERS)
    return ir_report(r->diags, IR004_LIMIT_EXCEEDED, nowhere(r), "more than %lld records in the archive",
                     (long long)IR_MAX_LAYERS);
  if (!ir_reserve(r->memory, &records, archive->n, &archive->capacity, sizeof *archive->records))
    return ir_out_of_memory(r->diags);
  archive->records = records;
  archive->records[archive->n++] = record;
  return IR_OK;
}

static bool same_record(const void *key, int32_t value, const void *user) {
  return strcmp(((const ng_record *)user)[value].name, key) == 0;
}

static ir_code index_names(ng_archive_reader *r) {
  ng_archive *archive = r->archive;
  if (!ir_index_map_init(&archive->names, r->memory, archive->n))
    return ir_out_of_memory(r->diags);
  for (size_t i = 1; i < archive->n; i++) {
    const char *name = archive->records[i].name;
    const int32_t before =
        ir_index_map_add(&archive->names, ir_hash_text(name), name, (int32_t)i, same_record, archive->records);
    if (before >= 0)
      ir_report(r->diags, IR013_ARCHIVE_MALFORMED, nowhere(r), "two records are named '%s'", name);
  }
  return IR_OK;
}

ir_code ng_archive_read(ir_source *source, const ir_memory *memory, ir_diags *diags, ng_archive *out_archive) {
  *out_archive = (ng_archive){.records = NULL};
  ir_arena_init(&out_archive->arena, memory, (size_t)IR_MAX_ARENA_BYTES);
  ng_archive_reader r = {.source = source, .diags = diags, .archive = out_archive, .memory = memory};
  unsigned char first = 0;
  ir_source_read(source, 0, &first, 1);
  r.big_endian = first == 0x71;
  for (;;) {
    ng_record record = {.name = ""};
    ir_code code = read_record(&r, &record);
    if (code != IR_OK)
      return code;
    if (strcmp(record.name, END_NAME) == 0)
      break;
    code = add_record(&r, record);
    if (code != IR_OK)
      return code;
  }
  if (out_archive->n == 0)
    return ir_report(diags, IR013_ARCHIVE_MALFORMED, nowhere(&r), "the archive has no record with a model");
  return index_names(&r);
}

void ng_archive_reset(ng_archive *archive) {
  if (archive->arena.memory == NULL)
    return;
  ir_free(archive->arena.memory, archive->records);
  ir_index_map_reset(&archive->names);
  ir_arena_reset(&archive->arena);
  *archive = (ng_archive){.records = NULL};
}

ng_record *ng_archive_find(ng_archive *archive, const char *name) {
  const int32_t at = ir_index_map_find(&archive->names, ir_hash_text(name), name, same_record, archive->records);
  return at < 0 ? NULL : &archive->records[at];
}
