#include "runtime/files/npy.h"
#include "base/message_text.h"
#include "runtime/files/npy_header.h"
#include "runtime/files/npy_type.h"
#include "runtime/tensor/element_order.h"

#include <inttypes.h>
#include <string.h>

enum {
  MAGIC_BYTES = 6,
  VERSION_BYTES = 8, /* magic and version; the length of the header follows in 2 or 4 bytes */
  ALIGNMENT = 64,    /* the header is padded so that the data begin at a multiple of ALIGNMENT */
  PREFIX_BYTES = VERSION_BYTES + 2,
  /* enough for 16 dims of 19 digits, other text and padding */
  MAX_WRITTEN_HEADER = 512
};

/* The state of reading a header. */
typedef struct reading {
  ir_byte_reader reader;
  ir_diags *diags;
  ir_where where;
  int64_t text_at; /* offset of the header's text */
} reading;

static ir_where place(const reading *r, int64_t begin, int64_t bytes) {
  ir_where where = r->where;
  where.at = (ir_span){begin, begin + bytes};
  return where;
}

/* ---- magic, version and length of the header ---- */

static int64_t little_endian(const unsigned char *bytes, int n) {
  int64_t value = 0;
  for (int i = n - 1; i >= 0; i--)
    value = value << 8 | bytes[i];
  return value;
}

static ir_code read_prefix(reading *r, int64_t *out_length) {
  unsigned char bytes[VERSION_BYTES + 4];
  *out_length = 0;
  int64_t n = r->reader.read(r->reader.user, bytes, VERSION_BYTES);
  if (n >= MAGIC_BYTES && memcmp(bytes, IR_NPY_MAGIC, MAGIC_BYTES) != 0)
    return ir_report(r->diags, IR505_NPY_MALFORMED, place(r, 0, MAGIC_BYTES),
                     "no .npy: it does not begin with \\x93NUMPY");
  int length_bytes = n == VERSION_BYTES && bytes[6] == 1 ? 2 : 4;
  if (n == VERSION_BYTES && (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0))
    return ir_report(r->diags, IR505_NPY_MALFORMED, place(r, MAGIC_BYTES, 2),
                     "version %d.%d of the .npy format; irrun reads 1.0, 2.0 and 3.0", bytes[6], bytes[7]);
  int64_t more = n == VERSION_BYTES ? r->reader.read(r->reader.user, bytes + VERSION_BYTES, length_bytes) : 0;
  if (n < 0 || more < 0)
    return IR_IO;
  n += more;
  if (n != VERSION_BYTES + length_bytes)
    return ir_report(r->diags, IR505_NPY_MALFORMED, place(r, n, 0), "the .npy ends after %s, in its header",
                     ir_count(n, "byte").text);
  r->text_at = n;
  *out_length = little_endian(bytes + VERSION_BYTES, length_bytes);
  if (*out_length > IR_MAX_NPY_HEADER)
    return ir_report(r->diags, IR004_LIMIT_EXCEEDED, place(r, VERSION_BYTES, length_bytes),
                     "a header of %" PRId64 " bytes; irrun reads up to %" PRId64, *out_length,
                     (int64_t)IR_MAX_NPY_HEADER);
  return IR_OK;
}

/* ---- the text of the header ---- */

/* Reports elements "V2" (two bytes without a type) that are not taken as bf16. */
static ir_code report_pairs(const reading *r, const ir_npy_fields *fields, ir_where where, ir_type wanted,
                            bool swapped) {
  const char *why = swapped                ? "not in the other byte order, which NumPy does not know of them"
                    : wanted == IR_DYNAMIC ? "and here it is not known what it has"
                                           : "and here it has ";
  ir_code code = ir_report(r->diags, IR506_NPY_TYPE_UNSUPPORTED, where,
                           "elements are '%s', two bytes without a type, as NumPy saves bfloat16; they are taken as "
                           "bf16 only where the model has bf16, %s%s",
                           ir_shown(fields->descr, fields->descr_length).text, why,
                           swapped || wanted == IR_DYNAMIC ? "" : ir_type_name(wanted));
  ir_hint(r->diags, "save it as float32: x.astype('float32')");
  return code;
}

static ir_code report_type(const reading *r, const ir_npy_fields *fields, ir_type wanted) {
  ir_where where = place(r, r->text_at + (int64_t)fields->descr_at, (int64_t)fields->descr_length);
  bool swapped;
  if (ir_npy_descr_is_bf16(fields->descr, fields->descr_length, &swapped))
    return report_pairs(r, fields, where, wanted, swapped);
  ir_code code = ir_report(r->diags, IR506_NPY_TYPE_UNSUPPORTED, where, "elements are '%s', %s",
                           ir_shown(fields->descr, fields->descr_length).text,
                           ir_npy_descr_meaning(fields->descr, fields->descr_length));
  ir_hint(r->diags, "save it as one of f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, u8, b1: x.astype('f4')");
  return code;
}

static ir_code check_size(const reading *r, const ir_npy_fields *fields, ir_stored *stored) {
  char shape[IR_SHAPE_TEXT];
  ir_where where = place(r, r->text_at + (int64_t)fields->shape_at, 1);
  ir_shape_text(&stored->shape, shape, sizeof shape);
  if (!ir_tensor_bytes(stored->type, &stored->shape, &stored->bytes))
    return ir_report(r->diags, IR505_NPY_MALFORMED, where, "the size of shape %s overflows 64 bits", shape);
  int64_t end;
  if (stored->bytes >= INT64_MAX || !ir_add(stored->offset, (int64_t)stored->bytes + 1, &end))
    end = INT64_MAX;
  const int64_t size = r->reader.size(r->reader.user, end);
  if (size < 0)
    return IR_IO;
  const uint64_t rest = (uint64_t)(size - stored->offset);
  if (stored->bytes > rest)
    return ir_report(r->diags, IR505_NPY_MALFORMED, where,
                     "the header says %s%s, %zu bytes, but only %" PRIu64 " follow it; is the file cut short?",
                     ir_type_name(stored->type), shape, stored->bytes, rest);
  if (stored->bytes == rest)
    return IR_OK;
  where = place(r, stored->offset + (int64_t)stored->bytes, 1);
  if (size == IR_SIZE_UNKNOWN)
    return ir_report(r->diags, IR505_NPY_MALFORMED, where,
                     "the header says %s%s, %zu bytes, and more than that follow it", ir_type_name(stored->type), shape,
                     stored->bytes);
  return ir_report(r->diags, IR505_NPY_MALFORMED, where,
                   "%" PRIu64 " byte%s too many: the header says %s%s, %zu bytes, and %" PRIu64 " follow it",
                   rest - stored->bytes, rest - stored->bytes == 1 ? "" : "s", ir_type_name(stored->type), shape,
                   stored->bytes, rest);
}

static ir_code read_text(const reading *r, const char *text, int64_t length, ir_type wanted, ir_stored *out_stored) {
  ir_npy_fields fields;
  char fault[IR_NPY_FAULT];
  size_t fault_at;
  if (!ir_npy_parse_header(text, (size_t)length, &fields, fault, &fault_at))
    return ir_report(r->diags, IR505_NPY_MALFORMED, place(r, r->text_at + (int64_t)fault_at, 1),
                     "the .npy header is wrong at its byte %zu: %s", fault_at, fault);
  out_stored->shape = ir_shape_of(fields.rank, fields.dims);
  out_stored->column_major = fields.column_major;
  out_stored->offset = r->text_at + length;
  if (!ir_npy_type_from_descr(fields.descr, fields.descr_length, wanted, &out_stored->type, &out_stored->swapped))
    return report_type(r, &fields, wanted);
  return check_size(r, &fields, out_stored);
}

ir_code ir_npy_read_header(ir_byte_reader reader, ir_type wanted, ir_diags *diags, const ir_memory *memory,
                           ir_where where, ir_stored *out_stored) {
  *out_stored = (ir_stored){.type = IR_DYNAMIC};
  reading r = {.reader = reader, .diags = diags, .where = where};
  int64_t length;
  ir_code code = read_prefix(&r, &length);
  if (code != IR_OK)
    return code;
  char *text = ir_alloc(memory, (size_t)length);
  if (text == NULL)
    return ir_out_of_memory(diags);
  int64_t n = reader.read(reader.user, text, length);
  if (n == length)
    code = read_text(&r, text, length, wanted, out_stored);
  else if (n < 0)
    code = IR_IO;
  else
    code = ir_report(diags, IR505_NPY_MALFORMED, place(&r, VERSION_BYTES, 1),
                     "the .npy ends in its header: %" PRId64 " bytes of it are announced, %" PRId64 " are there",
                     length, n < 0 ? 0 : n);
  ir_free(memory, text);
  return code;
}

/* ---- writing ---- */

ir_code ir_npy_check_type(ir_diags *diags, ir_type type) {
  if (ir_npy_descr(type) != NULL)
    return IR_OK;
  ir_code code = ir_report_firm(diags, IR210_NOT_RUNNABLE_HERE, (ir_where){.at = IR_NOWHERE},
                                ".npy has no elements of type %s", ir_type_name(type));
  ir_hint(diags, "write the bytes as they are, to a file named .raw");
  return code;
}

/* Makes a header in `buffer`, which has MAX_WRITTEN_HEADER bytes. If no padding is needed, adds 64 blanks, as NumPy
 * does. */
static size_t make_header(const ir_tensor *tensor, char *buffer) {
  size_t n =
      PREFIX_BYTES + ir_npy_print_header(ir_npy_descr(tensor->type), tensor->rank, tensor->dims, buffer + PREFIX_BYTES,
                                         MAX_WRITTEN_HEADER - PREFIX_BYTES - ALIGNMENT - 1);
  size_t padding = ALIGNMENT - (n + 1) % ALIGNMENT;
  memset(buffer + n, ' ', padding);
  n += padding;
  buffer[n++] = '\n';
  size_t text_bytes = n - PREFIX_BYTES;
  memcpy(buffer, IR_NPY_MAGIC "\x01\x00", VERSION_BYTES);
  buffer[VERSION_BYTES] = (char)(text_bytes & 0xff);
  buffer[VERSION_BYTES + 1] = (char)(text_bytes >> 8);
  return n;
}

bool ir_npy_write(const ir_tensor *tensor, ir_byte_sink sink) {
  char header[MAX_WRITTEN_HEADER];
  return sink.write(sink.user, header, make_header(tensor, header)) && ir_write_elements(tensor, sink);
}

uint64_t ir_npy_bytes(const ir_tensor *tensor) {
  char header[MAX_WRITTEN_HEADER];
  return (uint64_t)make_header(tensor, header) + tensor->bytes;
}
