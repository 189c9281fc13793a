#include "runtime/files/npz.h"
#include "base/index_map.h"
#include "runtime/files/npz_key.h"
#include "runtime/files/zip_member.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_PASSED (INT64_C(1) << 26) /* bytes: inflating more would take long, only for a better message */

typedef struct member {
  const char *key;
  ir_zip_member zip;
} member;

struct ir_npz {
  const ir_memory *memory;
  ir_diags *diags;
  ir_source *source;
  ir_arena arena;
  member *members;
  size_t n_members, members_capacity;
  ir_unzip *unzip; /* the open member */
  int64_t size;    /* size of the open member */
  ir_where where;
  ir_zip_fault fault; /* fault of the open member's reader */
};

bool ir_npz_begins(const unsigned char *bytes, int64_t n) {
  return n >= 4 && (memcmp(bytes, "PK\x03\x04", 4) == 0 || memcmp(bytes, "PK\x05\x06", 4) == 0);
}

/* ---- the directory ---- */

static ir_code report_fault(const ir_npz *npz, ir_where where, ir_zip_fault fault) {
  switch (fault) {
  case IR_ZIP_NO_MEMORY:
    return ir_out_of_memory(npz->diags);
  case IR_ZIP_UNREADABLE:
    return ir_report(npz->diags, IR701_FILE_NOT_READABLE, where, "cannot read: %s", strerror(errno));
  case IR_ZIP_NO_END:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where,
                     "begins as a zip file, but has no end of one; is it cut short?");
  case IR_ZIP_ENCRYPTED:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "it is encrypted");
  case IR_ZIP_METHOD:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where,
                     "it is neither stored nor deflated, as the members of an .npz are");
  default:
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "its place or its data in the zip file are damaged");
  }
}

/* Makes a source named "in.npz:key", for reports about a member. NULL when memory is out. */
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

static ir_code report_member(const ir_npz *npz, const member *added, ir_zip_fault fault) {
  ir_source *source = name_member(npz, added->key);
  ir_code code = source == NULL ? ir_out_of_memory(npz->diags)
                                : report_fault(npz, (ir_where){.source = source, .at = IR_NOWHERE}, fault);
  ir_source_free(source);
  return code;
}

/* Reports a fault of the directory that concerns no single member. */
static ir_code report_directory(const ir_npz *npz, ir_where where, ir_zip_fault fault) {
  if (fault != IR_ZIP_DAMAGED)
    return report_fault(npz, where, fault);
  return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "the directory of the zip file is damaged");
}

static ir_code add_member(ir_npz *npz, ir_where where, ir_zip_directory *directory, char *name) {
  ir_zip_member zip;
  int64_t length;
  const ir_zip_fault fault = ir_zip_directory_next(directory, name, &length, &zip);
  if (length < 0)
    return report_directory(npz, where, fault);
  if ((int64_t)strlen(name) != length)
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "a member's name holds a zero byte");
  if (length < 4 || memcmp(name + length - 4, ".npy", 4) != 0)
    return ir_report(npz->diags, IR505_NPY_MALFORMED, where, "a zip file, but no .npz: member '%s' is no .npy", name);
  if (npz->n_members == (size_t)IR_MAX_NPZ_MEMBERS)
    return ir_report(npz->diags, IR004_LIMIT_EXCEEDED, where, "more than %" PRId64 " members",
                     (int64_t)IR_MAX_NPZ_MEMBERS);
  name[length - 4] = '\0';
  ir_npz_read_name(name);
  void *members = npz->members;
  if (!ir_reserve(npz->memory, &members, npz->n_members, &npz->members_capacity, sizeof *npz->members))
    return ir_out_of_memory(npz->diags);
  npz->members = members;
  member *added = &npz->members[npz->n_members++];
  *added = (member){.key = ir_arena_text(&npz->arena, name, strlen(name)), .zip = zip};
  if (added->key == NULL)
    return ir_out_of_memory(npz->diags);
  return fault == IR_ZIP_OK ? IR_OK : report_member(npz, added, fault);
}

static ir_code read_directory(ir_npz *npz, ir_where where) {
  ir_zip_directory directory;
  const ir_zip_fault fault = ir_zip_directory_open(npz->source, npz->memory, &directory);
  if (fault != IR_ZIP_OK)
    return report_directory(npz, where, fault);
  char *name = ir_alloc(npz->memory, IR_ZIP_MAX_NAME + 1);
  if (name == NULL)
    return ir_out_of_memory(npz->diags);
  ir_code code = IR_OK;
  for (uint64_t i = 0; i < directory.n && code == IR_OK; i++)
    code = add_member(npz, where, &directory, name);
  if (code == IR_OK && directory.at != directory.end)
    code = report_directory(npz, where, IR_ZIP_DAMAGED);
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
  ir_code code = read_directory(npz, where);
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

bool ir_npz_pass(ir_npz *npz) {
  unsigned char buffer[4096];
  int64_t n = 1;
  for (int64_t passed = 0; n > 0 && passed < MOST_PASSED; passed += n)
    n = read_member(npz, buffer, sizeof buffer);
  return n == 0;
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
