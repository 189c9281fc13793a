#include "runtime/files/tensor_file.h"
#include "base/available_memory.h"
#include "diag/memory_limit.h"
#include "runtime/files/npy.h"
#include "runtime/tensor/element_order.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

enum { PIECE_BYTES = 1024 * 1024 };

bool ir_has_suffix(const char *path, const char *suffix) {
  size_t length = strlen(path), suffix_length = strlen(suffix);
  return length > suffix_length && strcmp(path + length - suffix_length, suffix) == 0;
}

/* ---- opening ---- */

static ir_where where_of(const ir_tensor_file *file) {
  return (ir_where){.source = file->source, .at = IR_NOWHERE};
}

static ir_code report_errno(ir_diags *diags, ir_where where, int error) {
  char text[IR_SOURCE_ERROR_TEXT];
  if (error == ENOMEM)
    return ir_out_of_memory(diags);
  if (error == EFBIG)
    return ir_report(diags, IR004_LIMIT_EXCEEDED, where, "more bytes than there is memory available, %zu",
                     ir_available_memory(""));
  return ir_report(diags, IR701_FILE_NOT_READABLE, where, "cannot read: %s",
                   ir_source_error_text(error, text, sizeof text));
}

static ir_code report_unreadable(ir_diags *diags, const ir_memory *memory, const char *path, int error) {
  ir_source *name = ir_source_create(memory, IR_SOURCE_NAME, strcmp(path, "-") == 0 ? "<stdin>" : path);
  if (name == NULL)
    return ir_out_of_memory(diags);
  ir_where where = {.source = name, .at = IR_NOWHERE};
  ir_code code = report_errno(diags, where, error);
  ir_source_free(name);
  return code;
}

/* If the source is a stream, copies its first `bytes` bytes; EFBIG if the available memory is less. A file is not
 * copied, so it has no such limit. */
static int fetch(ir_source *source, int64_t bytes) {
  if (source->stream < 0)
    return 0;
  const size_t memory = ir_available_memory("");
  const int64_t limit = memory < INT64_MAX ? (int64_t)memory : INT64_MAX;
  int error = ir_source_fetch(source, bytes < limit ? bytes : limit);
  return error == 0 && bytes > limit && source->stream >= 0 ? EFBIG : error;
}

/* Reports a file that should be .npy or .npz because of its suffix or of --read-as, but whose contents are not. */
static ir_code report_other(const ir_tensor_file *file, const char *why, const char *suffix) {
  const char *found = file->source->size == 0 ? "it is empty" : "it does not begin as one";
  return file->file_type == NULL
             ? ir_report(file->diags, IR505_NPY_MALFORMED, where_of(file), "%s %s, but %s", why, suffix, found)
             : ir_report(file->diags, IR505_NPY_MALFORMED, where_of(file), "%s %s, but it is %s", why, suffix,
                         file->file_type->description);
}

/* Finds the form by the first bytes. `wanted`: the form that was asked for, or NULL. */
static ir_code find_form(ir_tensor_file *file, const ir_tensor_form *wanted) {
  unsigned char bytes[IR_FILE_TYPE_HEAD];
  int error = fetch(file->source, IR_FILE_TYPE_HEAD);
  int64_t n = error == 0 ? ir_source_read(file->source, 0, bytes, IR_FILE_TYPE_HEAD) : -1;
  if (n < 0)
    return report_errno(file->diags, where_of(file), error != 0 ? error : errno);
  const char *name = file->source->name;
  if (n >= 6 && memcmp(bytes, IR_NPY_MAGIC, 6) == 0)
    file->form = IR_FORM_NPY;
  else if (ir_npz_begins(bytes, n))
    file->form = IR_FORM_NPZ;
  else
    file->form = IR_FORM_RAW;
  file->file_type = ir_file_type_of(bytes, (size_t)n);
  if (wanted != NULL && *wanted != IR_FORM_RAW && *wanted != file->form)
    return report_other(file, "read as", *wanted == IR_FORM_NPY ? ".npy" : ".npz");
  if (wanted != NULL) {
    file->form = *wanted;
    return IR_OK;
  }
  if (file->file_type != NULL && file->file_type->kind == IR_FILE_POINTER) {
    ir_code code = ir_report(file->diags, IR505_NPY_MALFORMED, where_of(file), "the file is %s, not a tensor",
                             file->file_type->description);
    ir_hint(file->diags, IR_POINTER_HINT);
    return code;
  }
  if (ir_has_suffix(name, ".npy") && file->form != IR_FORM_NPY)
    return report_other(file, "named", ".npy");
  if (ir_has_suffix(name, ".npz") && file->form != IR_FORM_NPZ)
    return report_other(file, "named", ".npz");
  return IR_OK;
}

/* Opens an archive; copies a stream completely, because the directory is at the end. */
static ir_code open_archive(ir_tensor_file *file) {
  int error = fetch(file->source, INT64_MAX);
  return error != 0 ? report_errno(file->diags, where_of(file), error)
                    : ir_npz_open(file->source, file->diags, file->memory, &file->npz);
}

static ir_code open_file(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path,
                         const ir_tensor_form *wanted) {
  int error;
  *file = (ir_tensor_file){.diags = diags, .memory = memory};
  file->source = ir_source_open(memory, IR_SOURCE_BYTES, path, &error);
  if (file->source == NULL)
    return report_unreadable(diags, memory, path, error);
  ir_code code = find_form(file, wanted);
  if (code == IR_OK && file->form == IR_FORM_NPZ)
    code = open_archive(file);
  if (code != IR_OK)
    ir_tensor_file_reset(file);
  return code;
}

ir_code ir_tensor_file_open(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path) {
  return open_file(file, diags, memory, path, NULL);
}

ir_code ir_tensor_file_open_as(ir_tensor_file *file, ir_diags *diags, const ir_memory *memory, const char *path,
                               ir_tensor_form form) {
  return open_file(file, diags, memory, path, &form);
}

void ir_tensor_file_reset(ir_tensor_file *file) {
  ir_npz_free(file->npz);
  ir_source_free(file->source);
  file->npz = NULL;
  file->source = NULL;
}

/* ---- elements ---- */

/* Allocates a tensor for a copy of the elements. */
static ir_code take_elements(ir_diags *diags, const ir_memory *memory, ir_where where, const ir_stored *stored,
                             ir_tensor *out_tensor) {
  ir_code code =
      ir_check_memory(&(ir_memory_limit){.memory = memory}, stored->bytes, diags, where, "a copy of the tensor takes");
  if (code != IR_OK)
    return code;
  return ir_tensor_alloc(out_tensor, memory, stored->type, &stored->shape) ? IR_OK : ir_out_of_memory(diags);
}

/* Swaps the bytes of copied, row-major elements if needed, and makes every boolean 0 or 1. */
static void finish_elements(ir_tensor *tensor, const ir_stored *stored) {
  if (stored->swapped)
    ir_swap_elements(tensor->data, ir_type_size(tensor->type), ir_tensor_elements(tensor));
  if (tensor->type == IR_BOOLEAN)
    ir_clean_booleans(tensor->data, tensor->bytes);
}

static void unmap(ir_tensor *tensor) {
  munmap(tensor->base, tensor->base_bytes);
}

/* Whether the tensor can use the stored bytes directly. */
static bool is_plain(const ir_stored *stored, const unsigned char *bytes) {
  if (stored->swapped || (stored->column_major && stored->shape.rank > 1))
    return false;
  return (uintptr_t)bytes % ir_type_alignment(stored->type) == 0 &&
         (stored->type != IR_BOOLEAN || ir_booleans_are_clean(bytes, stored->bytes));
}

static ir_code read_mapped(ir_tensor_file *file, const ir_stored *stored, ir_tensor *out_tensor) {
  if (stored->bytes == 0)
    return take_elements(file->diags, file->memory, where_of(file), stored, out_tensor);
  const size_t base_bytes = (size_t)stored->offset + stored->bytes;
  unsigned char *base = mmap(NULL, base_bytes, PROT_READ, MAP_PRIVATE, file->source->fd, 0);
  if (base == MAP_FAILED)
    return report_errno(file->diags, where_of(file), errno);
  unsigned char *bytes = base + stored->offset;
  if (is_plain(stored, bytes)) {
    *out_tensor = ir_tensor_borrow(stored->type, &stored->shape, bytes, stored->bytes);
    out_tensor->release = unmap;
    out_tensor->is_mapped = true;
    out_tensor->base = base;
    out_tensor->base_bytes = base_bytes;
    return IR_OK;
  }
  ir_code code = take_elements(file->diags, file->memory, where_of(file), stored, out_tensor);
  if (code == IR_OK) {
    if (stored->column_major)
      ir_copy_column_major(bytes, 0, ir_slabs_of(out_tensor).n, out_tensor);
    else
      memcpy(out_tensor->data, bytes, stored->bytes);
    finish_elements(out_tensor, stored);
  }
  munmap(base, base_bytes);
  return code;
}

/* ---- the three forms ---- */

static ir_code check_raw_size(ir_tensor_file *file, const ir_stored *stored) {
  char shape[IR_SHAPE_TEXT];
  ir_source *source = file->source;
  int error = fetch(source, stored->bytes < INT64_MAX ? (int64_t)stored->bytes + 1 : INT64_MAX);
  if (error != 0)
    return report_errno(file->diags, where_of(file), error);
  if ((uint64_t)source->size == stored->bytes)
    return IR_OK;
  ir_shape_text(&stored->shape, shape, sizeof shape);
  ir_code code =
      ir_report(file->diags, IR507_RAW_SIZE_DIFFERS, where_of(file), "a raw file of %s%" PRId64 " byte%s; %s%s has %zu",
                source->stream >= 0 ? "at least " : "", source->size, source->size == 1 ? "" : "s",
                ir_type_name(stored->type), shape, stored->bytes);
  if (file->file_type != NULL)
    ir_hint(file->diags, "it looks like %s; irrun reads .npy, .npz and raw elements", file->file_type->description);
  else
    ir_hint(file->diags, "it is neither .npy nor .npz by its first bytes, so it has to be the elements alone");
  return code;
}

static ir_code read_raw(ir_tensor_file *file, ir_type type, const ir_shape *shape, ir_tensor *out_tensor) {
  ir_diags *diags = file->diags;
  ir_where where = where_of(file);
  char text[IR_SHAPE_TEXT];
  ir_stored stored = {.type = type, .swapped = IR_HOST_IS_BIG_ENDIAN && ir_type_size(type) > 1};
  if (type == IR_DYNAMIC || shape == NULL) {
    ir_code code =
        ir_report(diags, IR507_RAW_SIZE_DIFFERS, where,
                  "neither .npy nor .npz by its first bytes, and raw bytes do not tell what tensor they are");
    ir_hint(diags, "save it as .npy");
    return code;
  }
  ir_shape_text(shape, text, sizeof text);
  if (!ir_shape_known(shape)) {
    ir_code code =
        ir_report(diags, IR309_SHAPE_UNKNOWN, where,
                  "neither .npy nor .npz by its first bytes, and raw bytes do not tell the open dims of %s%s",
                  ir_type_name(type), text);
    ir_hint(diags, "save it as .npy, which has a shape");
    return code;
  }
  stored.shape = *shape;
  if (!ir_type_in(type, IR_SET_HELD))
    return ir_report_firm(diags, IR210_NOT_RUNNABLE_HERE, where, "tensors of type %s cannot be read here",
                          ir_type_name(type));
  if (!ir_tensor_bytes(type, shape, &stored.bytes))
    return ir_report(diags, IR507_RAW_SIZE_DIFFERS, where, "the size of %s%s overflows 64 bits", ir_type_name(type),
                     text);
  ir_code code = check_raw_size(file, &stored);
  return code == IR_OK ? read_mapped(file, &stored, out_tensor) : code;
}

/* State of a reader that begins at the start of the file. */
typedef struct file_cursor {
  ir_source *source;
  int64_t at;
  int error; /* errno; 0: none */
} file_cursor;

static int64_t read_file(void *user, void *buffer, int64_t bytes) {
  file_cursor *cursor = user;
  cursor->error = fetch(cursor->source, cursor->at + bytes);
  if (cursor->error != 0)
    return -1;
  int64_t n = ir_source_read(cursor->source, cursor->at, buffer, bytes);
  if (n < 0)
    cursor->error = errno;
  else
    cursor->at += n;
  return n;
}

static int64_t file_size(void *user, int64_t bytes) {
  file_cursor *cursor = user;
  cursor->error = fetch(cursor->source, bytes);
  if (cursor->error != 0)
    return -1;
  return cursor->source->stream >= 0 ? IR_SIZE_UNKNOWN : cursor->source->size;
}

static bool is_wanted(const ir_stored *stored, const ir_shape *shape) {
  return shape == NULL || ir_shapes_meet(&stored->shape, shape);
}

static ir_code read_npy(ir_tensor_file *file, ir_type type, const ir_shape *shape, ir_tensor *out_tensor) {
  file_cursor cursor = {.source = file->source};
  ir_byte_reader reader = {.read = read_file, .size = file_size, .user = &cursor};
  ir_stored stored;
  ir_code code = ir_npy_read_header(reader, type, file->diags, file->memory, where_of(file), &stored);
  if (cursor.error != 0)
    return report_errno(file->diags, where_of(file), cursor.error);
  if (code == IR_OK && !is_wanted(&stored, shape))
    *out_tensor = ir_tensor_outline(stored.type, &stored.shape);
  else if (code == IR_OK)
    code = read_mapped(file, &stored, out_tensor);
  return code;
}

static ir_code read_exactly(ir_byte_reader reader, void *data, size_t bytes) {
  return reader.read(reader.user, data, (int64_t)bytes) == (int64_t)bytes ? IR_OK : IR_IO;
}

/* Reads about PIECE_BYTES of slabs (see ir_slabs) at a time, so that the tensor is not in memory twice. */
static ir_code read_column_major(ir_byte_reader reader, ir_diags *diags, const ir_memory *memory, ir_tensor *tensor) {
  const ir_slabs slabs = ir_slabs_of(tensor);
  const int64_t fit =
      slabs.slab_bytes == 0 || slabs.slab_bytes > PIECE_BYTES ? 1 : PIECE_BYTES / (int64_t)slabs.slab_bytes;
  unsigned char *piece = ir_alloc(memory, (size_t)(fit < slabs.n ? fit : slabs.n) * slabs.slab_bytes + 1);
  if (piece == NULL)
    return ir_out_of_memory(diags);
  ir_code code = IR_OK;
  for (int64_t first = 0; first < slabs.n && code == IR_OK; first += fit) {
    const int64_t n = slabs.n - first < fit ? slabs.n - first : fit;
    code = read_exactly(reader, piece, (size_t)n * slabs.slab_bytes);
    if (code == IR_OK)
      ir_copy_column_major(piece, first, n, tensor);
  }
  ir_free(memory, piece);
  return code;
}

/* Reads the data that follow the header. If the reader has an error, returns IR_IO without a report. */
static ir_code read_elements(ir_byte_reader reader, ir_diags *diags, const ir_memory *memory, ir_where where,
                             const ir_stored *stored, ir_tensor *out_tensor) {
  ir_code code = take_elements(diags, memory, where, stored, out_tensor);
  if (code != IR_OK)
    return code;
  code = stored->column_major && stored->bytes > 0 ? read_column_major(reader, diags, memory, out_tensor)
                                                   : read_exactly(reader, out_tensor->data, stored->bytes);
  if (code == IR_OK)
    finish_elements(out_tensor, stored);
  return code;
}

/* Reports why the header of a member is unreadable. If the member's checksum is wrong, reports only damaged data,
 * unless ir_npz_pass ends before. */
static ir_code report_header(ir_tensor_file *file, int64_t index, ir_type type) {
  ir_byte_reader reader;
  ir_where where;
  ir_stored stored;
  ir_code code = ir_npz_end(file->npz, ir_npz_pass(file->npz));
  if (code == IR_OK)
    code = ir_npz_begin(file->npz, index, &reader, &where);
  if (code != IR_OK)
    return code;
  code = ir_npy_read_header(reader, type, file->diags, file->memory, where, &stored);
  ir_code end = ir_npz_end(file->npz, false);
  return end != IR_OK ? end : code;
}

static ir_code read_member(ir_tensor_file *file, int64_t index, ir_type type, const ir_shape *shape,
                           ir_tensor *out_tensor) {
  ir_byte_reader reader;
  ir_where where;
  ir_stored stored;
  ir_code code = ir_npz_begin(file->npz, index, &reader, &where);
  if (code != IR_OK)
    return code;
  ir_diags silent;
  ir_diags_init(&silent, file->memory);
  code = ir_npy_read_header(reader, type, &silent, file->memory, where, &stored);
  if (silent.memory_is_out)
    ir_out_of_memory(file->diags);
  const bool is_faulty = silent.n_errors > 0 && !silent.memory_is_out;
  ir_diags_reset(&silent);
  if (is_faulty)
    return report_header(file, index, type);
  const bool reads = code == IR_OK && is_wanted(&stored, shape);
  if (reads)
    code = read_elements(reader, file->diags, file->memory, where, &stored, out_tensor);
  else if (code == IR_OK)
    *out_tensor = ir_tensor_outline(stored.type, &stored.shape);
  ir_code end = ir_npz_end(file->npz, reads && code == IR_OK);
  return end != IR_OK ? end : code;
}

ir_code ir_tensor_file_read(ir_tensor_file *file, int64_t index, ir_type type, const ir_shape *shape,
                            ir_tensor *out_tensor) {
  *out_tensor = (ir_tensor){.data = NULL};
  ir_code code = file->form == IR_FORM_NPZ   ? read_member(file, index, type, shape, out_tensor)
                 : file->form == IR_FORM_NPY ? read_npy(file, type, shape, out_tensor)
                                             : read_raw(file, type, shape, out_tensor);
  if (code != IR_OK)
    ir_tensor_release(out_tensor);
  return code;
}
