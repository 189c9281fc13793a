/* Tests that files of other kinds, such as .npy or HTML, are recognized. */
#include "parser/ir_xml.h"
#include "parser/ng_archive.h"
#include "parser/ng_file.h"
#include "parser/sniff.h"
#include "read_text.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct sniff_case {
  const char *bytes;
  size_t n;
  ir_file_kind kind;
  const char *description;
} sniff_case;

#define BYTES(text) text, sizeof text - 1
#define BLOB        "a compiled blob, as export_model and the model cache write"

static const sniff_case cases[] = {
    {BYTES(""), IR_FILE_EMPTY, "an empty file"},
    {BYTES("\xef\xbb\xbf \r\n\t"), IR_FILE_EMPTY, "a file of nothing but blanks"},
    {BYTES("<net/>"), IR_FILE_XML, "XML"},
    {BYTES("\xef\xbb\xbf\n <?xml version=\"1.0\"?><svg/>"), IR_FILE_XML, "XML"},
    {BYTES("\xff\xfe<\0n\0"), IR_FILE_XML, "XML"},
    {BYTES("<\0n\0e\0t\0"), IR_FILE_XML, "XML"},
    {BYTES("<!DOCTYPE html><p>"), IR_FILE_OTHER, "an HTML page"},
    {BYTES("\n<HTML><p>"), IR_FILE_OTHER, "an HTML page"},
    {BYTES("{\"a\": 1}"), IR_FILE_JSON, "a JSON text"},
    {BYTES("[{\"name\":\"f\",\"ops\":[],\"parameters\":[\"p\"],\"result\":[]}]"), IR_FILE_NGRAPH,
     "an nGraph JSON model"},
    {BYTES("[{\"name\":\"f\",\"ops\":[{\"cacheable\":false"), IR_FILE_NGRAPH, "an nGraph JSON model"},
    {BYTES("\xc7\x71\0\0"), IR_FILE_NGRAPH, "a cpio archive, as of nGraph"},
    {BYTES("\x71\xc7\0\0"), IR_FILE_NGRAPH, "a cpio archive, as of nGraph"},
    {BYTES("Hello\n"), IR_FILE_TEXT, "a plain text"},
    {BYTES("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 25\n"), IR_FILE_POINTER,
     "a Git LFS pointer"},
    {BYTES("\x93NUMPY\x01\0v\0{'descr': '<f4'}"), IR_FILE_TENSOR, "a NumPy .npy file"},
    {BYTES("PK\3\4\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0x.npy"), IR_FILE_TENSOR,
     "a NumPy .npz archive"},
    {BYTES("PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0archive/data.pkl"), IR_FILE_MODEL,
     "a PyTorch model"},
    {BYTES("PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\0\0x.npy"), IR_FILE_OTHER, "a zip archive"},
    {BYTES("PK\5\6"), IR_FILE_OTHER, "a zip archive"},
    {BYTES("\x08\x07\x12\x07pytorch\x1a\x05"
           "2.0.1:\x80\x01"),
     IR_FILE_ONNX, "an ONNX model"},
    {BYTES("\x08\x0a:\x94\x01\x0a"), IR_FILE_ONNX, "an ONNX model"},
    {BYTES("\x08\x01\x12\xff\x03\x0a\x10\x22\x05serve"), IR_FILE_MODEL, "a TensorFlow model"},
    {BYTES("\x0a\x15\x0a\x01x\x12\x0bPlaceholder*"), IR_FILE_MODEL, "a TensorFlow model"},
    {BYTES("\x1c\0\0\0TFL3\x14\0"), IR_FILE_MODEL, "a TensorFlow Lite model"},
    {BYTES("\x89HDF\r\n\x1a\n\0"), IR_FILE_MODEL, "an HDF5 file, such as a Keras model"},
    {BYTES("RR_UPCVO\1\0\0\0O\0\0\0"), IR_FILE_BLOB, BLOB},
    {BYTES("\x30\0\0\0\0\0\0\0<?xml version=\"1.0\"?>\n<cnndata>"), IR_FILE_BLOB, BLOB},
    {BYTES("<?xml version=\"1.0\"?>\n<compiled_blob ie_version=\"2024\"/>\n\x30\0"), IR_FILE_BLOB, BLOB},
    {BYTES("<?xml version=\"1.0\"?><net name=\"<cnndata\"><compiled_blob/>"), IR_FILE_XML, "XML"},
    {BYTES("\x1f\x8b\x08\0"), IR_FILE_OTHER, "a gzip archive"},
    {BYTES("\x7f"
           "ELF\2\1\1"),
     IR_FILE_OTHER, "an ELF program or library"},
    {BYTES("\0\0\x80\x3f\0\0\0\x40"), IR_FILE_BINARY, "binary data, such as the weights beside a model"},
    {BYTES("\x80\x3f\x01"), IR_FILE_BINARY, "binary data, such as the weights beside a model"},
};

static ir_code read_archive(ir_source *source, ir_graph *graph, ir_diags *diags) {
  ng_archive archive;
  ir_code code = ng_archive_read(source, graph->memory, diags, &archive);
  ng_archive_reset(&archive);
  return code;
}

static void kinds(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int error;
    ir_memory memory = ir_memory_default();
    scratch_file file = scratch_file_make("model.xml", cases[i].bytes, cases[i].n);
    ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, file.path, &error);
    scratch_file_remove(&file);
    assert_non_null(source);
    const char *description;
    ir_file_kind kind = ir_sniff(source, &description);
    assert_string_equal(description, cases[i].description);
    assert_int_equal(kind, cases[i].kind);
    ir_source_free(source);
  }
}

/* If a file cannot be read, the report does not guess what the file contains. */
static void unreadable_files(void **state) {
  (void)state;
  ir_code (*const readers[])(ir_source *, ir_graph *, ir_diags *) = {ir_read_model, ir_xml_read, ir_ng_read,
                                                                     read_archive};
  for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
    ir_memory memory = ir_memory_default();
    ir_graph graph;
    ir_diags diags;
    ir_graph_init(&graph, &memory);
    ir_diags_init(&diags, &memory);
    ir_source *source = ir_source_create(&memory, IR_SOURCE_TEXT, "model.xml");
    assert_non_null(source);
    source->size = 100;
    source->fd = open("/", O_RDONLY | O_DIRECTORY); /* a folder: every read fails */
    assert_true(source->fd >= 0);
    assert_int_equal(readers[i](source, &graph, &diags), IR_IO);
    assert_int_equal(diags.n_errors, 1);
    assert_int_equal(diags.first->rule, IR701_FILE_NOT_READABLE);
    assert_non_null(strstr(diags.first->message, strerror(EISDIR)));
    graph.source = source;
    ir_graph_reset(&graph);
    ir_diags_reset(&diags);
  }
}

/* A file that is cut anywhere is not accepted, has exactly one error, and is never read past its end. */
static void cut_files(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (size_t n = 0; n < cases[i].n; n++) {
      read_result r;
      assert_true(read_bytes(&r, ir_memory_default(), cases[i].bytes, n));
      assert_int_not_equal(r.code, IR_OK);
      assert_true(r.diags.n_errors == 1);
      read_result_reset(&r);
    }
}

static void reports(void **state) {
  (void)state;
  static const struct {
    const char *text, *message, *hint;
    ir_rule rule;
  } rows[] = {
      {"\x93NUMPY\x01", "a NumPy .npy file, not an OpenVINO IR",
       "give the model first, and tensors with --input or --expect", IR002_NOT_AN_IR},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 25\n",
       "a Git LFS pointer, not an OpenVINO IR", "run 'git lfs pull', which puts the file itself in its place",
       IR002_NOT_AN_IR},
      {"Hello", "a plain text, not an OpenVINO IR", "give the .xml of a model", IR002_NOT_AN_IR},
      {"{\"a\": 1}", "a JSON text, not an OpenVINO IR",
       "give the .xml of a model, or an nGraph model: an array of functions with 'name', 'parameters', 'result' and "
       "'ops'",
       IR002_NOT_AN_IR},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    read_result r;
    assert_true(read_bytes(&r, ir_memory_default(), rows[i].text, strlen(rows[i].text)));
    const ir_diag *diag = r.diags.first;
    assert_int_equal(r.code, ir_rule_rows[rows[i].rule].status);
    assert_int_equal(diag->rule, rows[i].rule);
    assert_int_equal(diag->line, 0);
    assert_non_null(strstr(diag->message, " is "));
    assert_string_equal(strstr(diag->message, " is ") + 4, rows[i].message);
    assert_string_equal(diag->hint, rows[i].hint);
    read_result_reset(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinds),
      cmocka_unit_test(unreadable_files),
      cmocka_unit_test(cut_files),
      cmocka_unit_test(reports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
