#include "sniff.h"
#include "ir_prolog.h"
#include <string.h>

typedef struct file_head {
  unsigned char bytes[IR_SNIFF_HEAD];
  size_t n;
} file_head;

#define BYTES(text) text, sizeof text - 1

static bool holds(const file_head *head, const char *bytes, size_t n) {
  return memmem(head->bytes, head->n, bytes, n) != NULL;
}

static bool begins(const file_head *head, const char *bytes, size_t n) {
  return head->n >= n && memcmp(head->bytes, bytes, n) == 0;
}

/* ---- protobuf ---- */

typedef struct proto_field {
  uint64_t number, value; /* value: the varint (wire 0), or the length of the content (wire 2) */
  int wire;
  const unsigned char *content;
} proto_field;

static bool read_varint(const unsigned char **at, const unsigned char *end, uint64_t *out) {
  *out = 0;
  for (int shift = 0; *at < end && shift < 64; shift += 7) {
    const unsigned char byte = *(*at)++;
    *out |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80)
      return true;
  }
  return false;
}

/* Reads a field of wire type 0 or 2, and moves `*at` after the field. If the content exceeds the head, moves `*at` to
 * `end`. */
static bool read_field(const unsigned char **at, const unsigned char *end, proto_field *out) {
  uint64_t key;
  if (!read_varint(at, end, &key))
    return false;
  *out = (proto_field){.number = key >> 3, .wire = (int)(key & 7)};
  if (out->wire != 0 && out->wire != 2)
    return false;
  if (!read_varint(at, end, &out->value))
    return false;
  out->content = *at;
  if (out->wire == 2)
    *at += out->value < (uint64_t)(end - *at) ? (size_t)out->value : (size_t)(end - *at);
  return true;
}

static bool is_printable(const unsigned char *text, const unsigned char *end, uint64_t n) {
  if (n == 0 || n > (uint64_t)(end - text))
    return false;
  for (uint64_t i = 0; i < n; i++)
    if (text[i] < ' ' || text[i] > '~')
      return false;
  return true;
}

/* Recognizes ONNX's ModelProto by its first two fields, which are in ascending order in all known files: ir_version =
 * 1, producer_name = 2, graph = 7, opset_import = 8. */
static bool is_onnx(const file_head *head) {
  const unsigned char *at = head->bytes, *end = head->bytes + head->n;
  proto_field field;
  if (!read_field(&at, end, &field) || field.number != 1 || field.wire != 0 || field.value == 0 || field.value > 100)
    return false;
  if (!read_field(&at, end, &field) || field.wire != 2)
    return false;
  return field.number == 7 || field.number == 8 || (field.number == 2 && is_printable(field.content, end, field.value));
}

/* Recognizes TensorFlow's SavedModel: field 1 (saved_model_schema_version) has the value 1, then field 2 (meta_graphs)
 * begins. */
static bool is_saved_model(const file_head *head) {
  return begins(head, BYTES("\x08\x01\x12")) && holds(head, BYTES("serve"));
}

/* Recognizes TensorFlow's GraphDef: its first field is a node (field 1), which begins with a name (field 1) and an op
 * (field 2). */
static bool is_graph_def(const file_head *head) {
  const unsigned char *at = head->bytes, *end = head->bytes + head->n;
  proto_field node, name, op;
  if (!read_field(&at, end, &node) || node.number != 1 || node.wire != 2)
    return false;
  at = node.content;
  if (!read_field(&at, end, &name) || name.number != 1 || !is_printable(name.content, end, name.value))
    return false;
  return read_field(&at, end, &op) && op.number == 2 && op.wire == 2 && is_printable(op.content, end, op.value);
}

/* ---- text ---- */

static bool is_json(const file_head *head) {
  return head->bytes[0] == '{' || head->bytes[0] == '[';
}

/* Recognizes some of nGraph's fields. nGraph writes fields in alphabetical order, so `ops` can fill the head and hide
 * `parameters`. */
static bool is_ngraph(const file_head *head) {
  return is_json(head) && holds(head, BYTES("\"name\"")) &&
         (holds(head, BYTES("\"parameters\"")) || holds(head, BYTES("\"ops\"")));
}

/* Finds the kind of a text; `head` begins after the byte order mark and blanks. */
static ir_file_kind sniff_text(const file_head *head, const char **out_description) {
  if (head->bytes[0] == '<') {
    *out_description = "XML";
    return IR_FILE_XML;
  }
  const bool json = is_json(head), ngraph = is_ngraph(head);
  *out_description = ngraph ? "an nGraph JSON model" : json ? "a JSON text" : "a plain text";
  return ngraph ? IR_FILE_NGRAPH : json ? IR_FILE_JSON : IR_FILE_TEXT;
}

static ir_file_kind describe(const ir_file_type *file_type, const char **out_description) {
  *out_description = file_type->description;
  return file_type->kind;
}

static bool read_head(const ir_source *source, int64_t begin, file_head *head) {
  const int64_t n = begin < 0 ? -1 : ir_source_read(source, begin, head->bytes, IR_SNIFF_HEAD);
  head->n = n > 0 ? (size_t)n : 0;
  return n >= 0;
}

ir_file_kind ir_sniff(const ir_source *source, const char **out_description) {
  file_head head;
  *out_description = "unreadable";
  if (!read_head(source, 0, &head))
    return IR_FILE_UNREADABLE;
  const ir_file_type *file_type = ir_file_type_of(head.bytes, head.n);
  if (file_type != NULL)
    return describe(file_type, out_description);
  *out_description = "XML";
  if (ir_wide_encoding(source) != NULL)
    return IR_FILE_XML;
  const bool tensorflow = is_saved_model(&head) || is_graph_def(&head);
  if (tensorflow || is_onnx(&head)) {
    *out_description = tensorflow ? "a TensorFlow model" : "an ONNX model";
    return tensorflow ? IR_FILE_MODEL : IR_FILE_ONNX;
  }
  const int64_t begin = ir_text_begin(source);
  if (!read_head(source, begin, &head))
    return IR_FILE_UNREADABLE;
  *out_description = begin == 0 ? "an empty file" : "a file of nothing but blanks";
  if (head.n == 0)
    return IR_FILE_EMPTY;
  file_type = begin == 0 ? NULL : ir_file_type_of(head.bytes, head.n);
  if (file_type != NULL && ir_file_type_is_certain(file_type))
    return describe(file_type, out_description);
  *out_description = "binary data, such as the weights beside a model";
  return head.bytes[0] == '<' || is_ngraph(&head) || ir_is_text(head.bytes, head.n) ? sniff_text(&head, out_description)
                                                                                    : IR_FILE_BINARY;
}
