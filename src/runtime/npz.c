#include "runtime/npz.h"
#include "index_map.h"
#include "runtime/zip_member.h"

#include <errno.h>
#include <inttypes.h>
#include <minizip/unzip.h>
#include <stdio.h>
#include <string.h>

enum {
  MAX_NAME = 65535,
  END_BYTES = 22 /* of the end record without a comment */
};

typedef struct member {
  const char *key;
  ir_zip_member zip;
} member;

struct ir_npz {
  const ir_memory *memory;
  ir_diags *diags;
  ir_source *source;
  int64_t position; /* of minizip in the source */
  int read_error;   /* errno of the source, 0: none */
  unzFile zip;
  ir_arena arena;
  member *members;
  size_t n_members, members_capacity;
  ir_unzip *unzip; /* the member that is being read */
  int64_t size;    /* its */
  ir_where where;
  ir_zip_fault fault; /* that its reader met */
};

bool ir_npz_begins(const unsigned char *bytes, int64_t n) {
  return n >= 4 && (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

/* ---- what minizip reads from ---- */

static voidpf in_open(voidpf user, const void *name, int mode) {
  (void)name;
  (void)mode;
  return user;
}

static uLong in_read(voidpf user, voidpf stream, void *buffer, uLong bytes) {
  ir_npz *npz = stream;
  (void)user;
  int64_t n = ir_source_read(npz->source, npz->position, buffer, (int64_t)bytes);
  if (n < 0) {
    npz->read_error = errno;
    return 0;
  }
  npz->position += n;
  return (uLong)n;
}

static uLong in_write(voidpf user, voidpf stream, const void *buffer, uLong bytes) {
  (void)user;
  (void)stream;
  (void)buffer;
  (void)bytes;
  return 0;
}

static ZPOS64_T in_tell(voidpf user, voidpf stream) {
  (void)user;
  return (ZPOS64_T)((ir_npz *)stream)->position;
}

static long in_seek(voidpf user, voidpf stream, ZPOS64_T offset, int origin) {
  ir_npz *npz = stream;
  (void)user;
  int64_t from = origin == ZLIB_FILEFUNC_SEEK_END   ? npz->source->size
                 : origin == ZLIB_FILEFUNC_SEEK_CUR ? npz->position
                                                    : 0;
  int64_t to;
  if (offset > INT64_MAX || !ir_add(from, (int64_t)offset, &to) || to > npz->source->size)
    return -1;
  npz->position = to;
  return 0;
}

static int in_close(voidpf user, voidpf stream) {
  (void)user;
  (void)stream;
  return 0;
}

static int in_error(voidpf user, voidpf stream) {
  (void)user;
  return ((ir_npz *)stream)->read_error;
}

/* ---- the directory ---- */

static ir_code report_read_error(const ir_npz *npz, ir_where where) {
  return ir_report(npz->diags, IR701_FILE_NOT_READABLE, where, "cannot read: %s", strerror(npz->read_error));
}

/* What cannot be read because of the file system is another fault than what the file holds. */
static ir_code report_broken(const ir_npz *npz, ir_where where, const char *what) {
  if (npz->read_error != 0)
    return report_read_error(npz, where);
  return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "%s", what);
}

static ir_code report_fault(const ir_npz *npz, ir_where where, ir_zip_fault fault) {
  switch (fault) {
  case IR_ZIP_NO_MEMORY:
    return ir_out_of_memory(npz->diags);
  case IR_ZIP_UNREADABLE:
    return ir_report(npz->diags, IR701_FILE_NOT_READABLE, where, "cannot read: %s", strerror(errno));
  case IR_ZIP_ENCRYPTED:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "it is encrypted");
  case IR_ZIP_METHOD:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where,
                     "it is neither stored nor deflated, as the members of an .npz are");
  default:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "its place or its data in the zip file are damaged");
  }
}

/* "in.npz:key" of all that is said of a member. */
static ir_source *name_member(const ir_npz *npz, const char *key) {
  size_t size = strlen(npz->source->name) + 1 + strlen(key) + 1;
  char *name = ir_alloc(npz->memory, size);
  if (name == NULL)
    return NULL;
  snprintf(name, size, "%s:%s", npz->source->name, key);
  ir_source *source = ir_source_create(npz->memory, IR_SOURCE_NAME, name);
  ir_free(npz->memory, name);
  return source;
}

static ir_code find_member(ir_npz *npz, ir_where where, member *added) {
  unz64_file_pos record;
  if (unzGetFilePos64(npz->zip, &record) != UNZ_OK || record.pos_in_zip_directory > INT64_MAX)
    return report_broken(npz, where, "the directory of the zip file is damaged");
  ir_zip_fault fault = ir_zip_find(npz->source, (int64_t)record.pos_in_zip_directory, &added->zip);
  if (fault == IR_ZIP_OK)
    return IR_OK;
  ir_source *source = name_member(npz, added->key);
  ir_code code = source == NULL ? ir_out_of_memory(npz->diags)
                                : report_fault(npz, (ir_where){.source = source, .at = IR_NOWHERE}, fault);
  ir_source_free(source);
  return code;
}

static ir_code add_member(ir_npz *npz, ir_where where, char *name) {
  unz_file_info64 info;
  if (unzGetCurrentFileInfo64(npz->zip, &info, name, MAX_NAME + 1, NULL, 0, NULL, 0) != UNZ_OK)
    return report_broken(npz, where, "the directory of the zip file is damaged");
  name[info.size_filename <= MAX_NAME ? info.size_filename : MAX_NAME] = '\0';
  const size_t length = strlen(name);
  if (length != info.size_filename)
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "a member's name holds a zero byte");
  if (length < 4 || memcmp(name + length - 4, ".npy", 4) != 0)
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "a zip file, but no .npz: member '%s' is no .npy", name);
  if (npz->n_members == (size_t)IR_MAX_NPZ_MEMBERS)
    return ir_report(npz->diags, IR004_LIMIT_EXCEEDED, where, "more than %" PRId64 " members",
                     (int64_t)IR_MAX_NPZ_MEMBERS);
  void *members = npz->members;
  if (!ir_reserve(npz->memory, &members, npz->n_members, &npz->members_capacity, sizeof *npz->members))
    return ir_out_of_memory(npz->diags);
  npz->members = members;
  member *added = &npz->members[npz->n_members++];
  *added = (member){.key = ir_arena_text(&npz->arena, name, length - 4)};
  return added->key == NULL ? ir_out_of_memory(npz->diags) : find_member(npz, where, added);
}

static ir_code read_directory(ir_npz *npz, ir_where where) {
  unz_global_info64 global;
  if (unzGetGlobalInfo64(npz->zip, &global) != UNZ_OK)
    return report_broken(npz, where, "the end of the zip file is damaged");
  if (global.number_entry == 0)
    return IR_OK;
  char *name = ir_alloc(npz->memory, MAX_NAME + 1);
  if (name == NULL)
    return ir_out_of_memory(npz->diags);
  ir_code code = IR_OK;
  int found = unzGoToFirstFile(npz->zip);
  for (; found == UNZ_OK && code == IR_OK; found = unzGoToNextFile(npz->zip))
    code = add_member(npz, where, name);
  if (code == IR_OK && (found != UNZ_END_OF_LIST_OF_FILE || npz->n_members != global.number_entry))
    code = report_broken(npz, where, "the directory of the zip file is damaged");
  ir_free(npz->memory, name);
  return code;
}

static bool is_key(const void *key, int32_t index, const void *user) {
  const ir_npz *npz = user;
  return strcmp(key, npz->members[index].key) == 0;
}

static ir_code check_keys_differ(const ir_npz *npz, ir_where where) {
  ir_index_map map;
  ir_code code = IR_OK;
  if (!ir_index_map_init(&map, npz->memory, npz->n_members))
    return ir_out_of_memory(npz->diags);
  for (size_t i = 0; i < npz->n_members && code == IR_OK; i++) {
    const char *key = npz->members[i].key;
    if (ir_index_map_add(&map, ir_hash_text(key), key, (int32_t)i, is_key, npz) >= 0)
      code = ir_report(npz->diags, IR505_NPY_MALFORMED, where, "two members are named '%s.npy'", key);
  }
  ir_index_map_reset(&map);
  return code;
}

/* An end record that says 0 members and is all of the file; minizip takes an end at byte 0 for none. */
static bool is_empty_zip(const ir_source *source) {
  static const unsigned char empty[END_BYTES] = "PK\x05\x06";
  unsigned char bytes[END_BYTES];
  return source->size == END_BYTES && ir_source_read(source, 0, bytes, END_BYTES) == END_BYTES &&
         memcmp(bytes, empty, END_BYTES) == 0;
}

ir_code ir_npz_open(ir_source *source, ir_diags *diags, const ir_memory *memory, ir_npz **out_npz) {
  ir_where where = {.source = source, .at = IR_NOWHERE};
  *out_npz = NULL;
  ir_npz *npz = ir_alloc_zero(memory, 1, sizeof *npz);
  if (npz == NULL)
    return ir_out_of_memory(diags);
  npz->memory = memory;
  npz->diags = diags;
  npz->source = source;
  ir_arena_init(&npz->arena, memory, (size_t)IR_MAX_ARENA_BYTES);
  if (is_empty_zip(source)) {
    *out_npz = npz;
    return IR_OK;
  }
  zlib_filefunc64_def functions = {in_open, in_read, in_write, in_tell, in_seek, in_close, in_error, npz};
  npz->zip = unzOpen2_64("", &functions);
  ir_code code = npz->zip == NULL
                     ? report_broken(npz, where, "begins as a zip file, but has no end of one; is it cut short?")
                     : read_directory(npz, where);
  if (code == IR_OK)
    code = check_keys_differ(npz, where);
  if (code == IR_OK)
    *out_npz = npz;
  else
    ir_npz_free(npz);
  return code;
}

void ir_npz_free(ir_npz *npz) {
  if (npz == NULL)
    return;
  if (npz->zip != NULL)
    unzClose(npz->zip);
  ir_free(npz->memory, npz->members);
  ir_arena_reset(&npz->arena);
  ir_free(npz->memory, npz);
}

int64_t ir_npz_count(const ir_npz *npz) {
  return (int64_t)npz->n_members;
}

const char *ir_npz_key(const ir_npz *npz, int64_t index) {
  return npz->members[index].key;
}

/* ---- one member ---- */

static int64_t read_member(void *user, void *buffer, int64_t bytes) {
  ir_npz *npz = user;
  int64_t n;
  npz->fault = ir_unzip_read(npz->unzip, buffer, bytes, &n);
  return npz->fault == IR_ZIP_OK ? n : -1;
}

static int64_t member_size(void *user, int64_t bytes) {
  const ir_npz *npz = user;
  (void)bytes;
  return npz->size;
}

ir_code ir_npz_begin(ir_npz *npz, int64_t index, ir_byte_reader *out_reader, ir_where *out_where) {
  const member *begun = &npz->members[index];
  npz->size = begun->zip.size;
  *out_reader = (ir_byte_reader){.read = read_member, .size = member_size, .user = npz};
  npz->where = *out_where = (ir_where){.source = name_member(npz, begun->key), .at = IR_NOWHERE};
  npz->fault = npz->where.source == NULL ? IR_ZIP_NO_MEMORY
                                         : ir_unzip_create(npz->source, &begun->zip, npz->memory, &npz->unzip);
  return npz->fault == IR_ZIP_OK ? IR_OK : ir_npz_end(npz, false);
}

ir_code ir_npz_end(ir_npz *npz, bool read_all) {
  ir_code code = IR_OK;
  if (npz->fault != IR_ZIP_OK)
    code = report_fault(npz, npz->where, npz->fault);
  else if (read_all && !ir_unzip_is_whole(npz->unzip))
    code = ir_report(npz->diags, IR505_NPY_MALFORMED, npz->where, "its checksum is wrong: the data are damaged");
  ir_unzip_free(npz->unzip);
  ir_source_free(npz->where.source);
  npz->unzip = NULL;
  npz->where.source = NULL;
  return code;
}
