/* Tests what the reader reports about faulty models: each rule, the place, and k diagnostics for k faults. */
#include "read_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NET        "<net version=\"11\">\n"
#define LAYERS     NET "<layers>\n"
#define END        "\n</layers></net>"
#define LAYER      "<layer id=\"0\" name=\"a\" type=\"T\" version=\"opset1\">"
#define PORT(dims) LAYERS LAYER "\n<output><port id=\"0\" precision=\"FP32\">" dims "</port></output></layer>" END

static void broken_xml(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {NET "</nett>", "IR001 error 2:1", IR_INVALID},
      {LAYERS "</net>", "IR001 error 3:1", IR_INVALID},
      {LAYERS "  <layer", "IR001 error 3:9", IR_INVALID},
      {LAYERS "  <layer id=\"0", "IR001 error 3:15", IR_INVALID},
      {LAYERS "  \n", "IR001 error 2:9", IR_INVALID},
      {LAYERS "<!-- ", "IR001 error 3:5", IR_INVALID},
      {NET "<a b=\"1\" c=\"2\" b=\"3\"/></net>", "IR001 error 2:16", IR_INVALID},
      {NET "<a b=\"1/>\n<c d=\"2\"/></net>", "IR001 error 3:1", IR_INVALID},
      {NET "<a b=1/></net>", "IR001 error 2:6", IR_INVALID},
      {NET "<a b/></net>", "IR001 error 2:5", IR_INVALID},
      {NET "<a b=\"1\"c=\"2\"/></net>", "IR001 error 2:9", IR_INVALID},
      {LAYERS "<layer id=\"0\"\n<data/></layer>" END, "IR001 error 4:1", IR_INVALID},
      {NET "<1/></net>", "IR001 error 2:2", IR_INVALID},
      {NET "a & b</net>", "IR008 warning 2:1, IR001 error 2:4", IR_INVALID},
      {NET "<a \x01 b=\"\"/></net>", "IR001 error 2:4", IR_INVALID},
      {NET "<a b=\"&#0;\"/></net>", "IR001 error 2:11", IR_INVALID},
      {NET "<a b=\"&#xDFFF;\"/></net>", "IR001 error 2:15", IR_INVALID},
      {NET "<a b=\"&#x110000;\"/></net>", "IR001 error 2:17", IR_INVALID},
      {NET "<a b=\"\x01\"/></nett>", "IR008 warning 2:1, IR001 error 2:11", IR_INVALID},
      {NET "<!-- a -- b --></net>", "IR001 error 2:8", IR_INVALID},
      {NET "</net>\ntext", "IR001 error 3:1", IR_INVALID},
      {NET "</net><net version=\"11\"/>", "IR001 error 2:7", IR_INVALID},
      {NET "</net>\n<!-- a --> \n", "", IR_OK},
      {NET "<?xml version=\"1.0\"?></net>", "IR001 error 2:6", IR_INVALID},
      {"<?xml version=\"1.0\"?>", "IR001 error 1:22", IR_INVALID},
  };
  CHECK(cases);
  static const char behind[] = NET "</net>\0more", inside[] = NET "\0</net>";
  check_bytes(behind, sizeof behind - 1, "IR001 error 2:7", IR_INVALID);
  check_bytes(inside, sizeof inside - 1, "IR001 error 2:1", IR_INVALID);
}

/* OpenVINO writes and reads forbidden characters. irrun makes one warning, at the first of them. */
static void characters_that_xml_does_not_allow(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {"<net version=\"11\"><rt_info a=\"\x01\"/></net>", "IR001 warning 1:31", IR_OK},
      {"<net version=\"11\"><rt_info a=\"&#1;&#x1f;\x1f\"/></net>", "IR001 warning 1:31", IR_OK},
      {"<net version=\"11\"><rt_info>\xef\xbf\xbe</rt_info></net>", "IR001 warning 1:28", IR_OK},
      {"<net version=\"11\"><rt_info>&#65535;</rt_info></net>", "IR001 warning 1:28", IR_OK},
      {"<net version=\"11\"><rt_info a=\"&#9;&#xD;\xef\xbf\xbd&amp;\"/></net>", "", IR_OK},
  };
  CHECK(cases);
}

static void faults_before_broken_xml_are_kept(void **state) {
  (void)state;
  check_bytes(LAYERS "<layer/>\n</net>", strlen(LAYERS "<layer/>\n</net>"),
              "IR204 error 3:1, IR204 error 3:1, IR204 error 3:1, IR204 error 3:1, IR001 error 4:1", IR_INVALID);
}

static void entities_and_doctypes(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {"<?xml version=\"1.0\"?>\n<!DOCTYPE net>\n<net version=\"11\"/>", "IR005 error 2:1", IR_INVALID},
      {"<!DOCTYPE net [<!ENTITY a \"b\">]><net version=\"11\">&a;</net>", "IR005 error 1:1", IR_INVALID},
      {"<!DOCTYPE net SYSTEM \"net.dtd\"><net/>", "IR005 error 1:1", IR_INVALID},
      {LAYERS "<layer name=\"a &b; c\"/>" END, "IR005 error 3:16", IR_INVALID},
      {PORT("<dim>&one;</dim>"), "IR005 error 4:44", IR_INVALID},
  };
  CHECK(cases);
}

static void encodings(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" NET "</net>", "IR006 error 1:31", IR_INVALID},
      {"\xef\xbb\xbf\n<?xml version='1.0' encoding = 'UTF-16'?>\n" NET "</net>", "IR006 error 2:33", IR_INVALID},
      {"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" NET "</net>", "", IR_OK},
      {"\xef\xbb\xbf<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n" NET "</net>", "", IR_OK},
      {LAYERS "<layer name=\"\xc3\xa9\xe9\"/>" END, "IR006 error 3:15", IR_INVALID},
      {NET "\xc0\xaf</net>", "IR006 error 2:1", IR_INVALID},
  };
  CHECK(cases);
  check_bytes("\xff\xfe<\0n\0e\0t\0/\0>\0", 14, "IR006 error 1:1", IR_INVALID);
  check_bytes("\0<\0n\0e\0t\0/\0>", 12, "IR006 error 1:1", IR_INVALID);
}

static void roots_and_versions(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {"<NET version=\"11\"/>", "IR002 error 1:2", IR_INVALID},
      {"<!-- svg --><svg/>", "IR002 error 1:14", IR_INVALID},
      {"<!DOCTYPE svg>\n<svg/>", "IR002 error 1:1", IR_INVALID},
      {"<x:net xmlns:x=\"u\" version=\"11\"/>", "IR002 error 1:2", IR_INVALID},
      {"<net xmlns=\"u\" xmlns:x=\"v\" version=\"11\"/>", "", IR_OK},
      {"<net name=\"a\"/>", "IR003 error 1:1", IR_INVALID},
      {"<net version=\"9\"/>", "IR003 error 1:15", IR_INVALID},
      {"<net version=\" 11\"/>", "IR003 error 1:15", IR_INVALID},
      {"<net version=\"\"/>", "IR003 error 1:15", IR_INVALID},
      {"<net version=\"&#49;&#49;\"/>", "", IR_OK},
      {"<net version=\"10\"/>", "", IR_OK},
      {"<net batch=\"1\" version=\"8\"/>", "IR003 error 1:25", IR_INVALID},
      {"<net Version=\"11\" batch=\"1\"/>", "IR211 error 1:6, IR205 warning 1:19", IR_OK},
      {NET "<pre-process mean-precision=\"FP32\"><a/></pre-process></net>", "", IR_OK},
  };
  CHECK(cases);
}

static void attributes(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {LAYERS "<layer/>" END, "IR204 error 3:1, IR204 error 3:1, IR204 error 3:1, IR204 error 3:1", IR_OK},
      {LAYERS "<layer id=\"-1\" nam=\"a\" type=\"\" version=\"opset1\" b=\"\"/>" END,
       "IR206 error 3:12, IR211 error 3:16, IR206 error 3:30, IR205 warning 3:49", IR_OK},
      {LAYERS "<layer id=\"9223372036854775808\" name=\"a\" TYPE=\"T\" version=\"o\" output_names=\"b\"/>" END,
       "IR207 error 3:12, IR211 error 3:42, IR205 warning 3:77", IR_OK},
      {LAYERS LAYER "<data x=\"y\"/></layer><layer id=\"+1\" name=\"b\" type=\"T\" version=\"opset1\"/>" END,
       "IR206 error 3:82", IR_OK},
      {NET
       "<edges><edge/><edge from-layer=\"x\" from-port=\"1\" to_layer=\"2\" to-port=\"99999999999999999999\" a=\"\"/>"
       "</edges></net>",
       "IR204 error 2:8, IR204 error 2:8, IR204 error 2:8, IR204 error 2:8, IR206 error 2:33, IR211 error 2:50, "
       "IR207 error 2:72, IR205 warning 2:94",
       IR_OK},
  };
  CHECK(cases);
}

static void ports(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {LAYERS LAYER
       "\n<input><port/><port id=\"1\" precision=\"FP23\"/></input>\n<output><port id=\"x\"/></output></layer>" END,
       "IR204 error 4:8, IR206 error 4:39, IR204 error 5:9, IR206 error 5:19", IR_OK},
      {LAYERS LAYER "\n<input><port id=\"1\"/><port id=\"0\"/><port id=\"1\"/><port id=\"0\"/></input></layer>" END,
       "IR111 error 4:46, IR111 error 4:60", IR_OK},
      {PORT("<dim>4x</dim><dim>1</dim><dim/><dim> </dim><dim>-2</dim><dim>1 2</dim>"),
       "IR206 error 4:44, IR206 error 4:64, IR206 error 4:70, IR206 error 4:87, IR206 error 4:100", IR_OK},
      {PORT("<dim>9223372036854775807</dim><dim>3..2</dim><dim>..</dim><dim>4.0</dim>"),
       "IR308 error 4:44, IR206 error 4:74, IR206 error 4:89, IR206 error 4:102", IR_OK},
      {PORT("<dim>1</dim><dims/><rt_info/>7"), "IR008 warning 4:51, IR008 warning 4:68", IR_OK},
  };
  CHECK(cases);
}

static void elements(void **state) {
  (void)state;
  static const fault_case cases[] = {
      {NET "<Layers><LAYER id=\"0\" name=\"a\" type=\"T\" version=\"opset1\"/></Layers></net>",
       "IR008 error 2:1, IR008 error 2:9", IR_OK},
      {NET "<layes><layer/></layes><blobs/><layer/></net>", "IR008 warning 2:1, IR008 warning 2:24, IR008 warning 2:32",
       IR_OK},
      {LAYERS LAYER "<body/><weights/>stray <b/> more</layer>" END,
       "IR008 warning 3:50, IR008 warning 3:57, IR008 warning 3:67, IR008 warning 3:73", IR_OK},
      {NET "  \xc3\xa9t\xc3\xa9</net>", "IR008 warning 2:3", IR_OK},
      {NET "\n \xc3\xa9t\xc3\xa9 \n </net>", "IR008 warning 3:2", IR_OK},
      {LAYERS "<layer id=\"0\" name=\"a\" type=\"Loop\" version=\"opset5\"><port_map><a/></port_map><back_edges/>"
              "<body><layers/><rt_info>text</rt_info></body><rt_info>text</rt_info></layer>" END,
       "IR008 warning 3:63", IR_OK},
      {LAYERS "<layer id=\"0\" name=\"a\" type=\"If\" version=\"opset8\"><port_map/><body/>"
              "<then_body><layers><layer/></layers></then_body><then_body><layer/></then_body></layer>" END,
       "IR008 warning 3:51, IR008 warning 3:62, IR204 error 3:88, IR204 error 3:88, IR204 error 3:88, IR204 error "
       "3:88, "
       "IR007 error 3:117",
       IR_OK},
      {NET "<LAYERS/><layers/></net>", "IR008 error 2:1", IR_OK},
      {NET "<layers/><LAYERS/></net>", "IR008 error 2:10", IR_OK},
      {NET "<meta_data><a>b</a></meta_data><quantization_parameters/><statistics><layer/></statistics></net>", "",
       IR_OK},
  };
  CHECK(cases);
}

static void repeated_blocks(void **state) {
  (void)state;
  static const char text[] = LAYERS LAYER "\n<data a=\"1\"/><data a=\"2\" b=\"3\"/><data c=\"4\"/>\n"
                                          "<input><port id=\"0\"/></input><output/><input><port id=\"5\"/></input>\n"
                                          "<output><port id=\"6\" precision=\"I8\"/></output></layer></layers>\n"
                                          "<layers>" LAYER "</layer></layers><edges/>\n<edges/></net>";
  read_result r;
  char list[512];
  assert_true(read_bytes(&r, ir_memory_default(), text, strlen(text)));
  list_diags(&r, list, sizeof list);
  assert_string_equal(list, "IR007 error 4:14, IR007 error 4:33, IR007 error 5:39, IR007 error 6:1, IR007 error 7:1, "
                            "IR007 error 8:1");
  assert_int_equal(r.graph.n_layers, 2);
  const ir_layer *layer = &r.graph.layers[0];
  assert_int_equal(layer->n_attrs, 2);
  assert_string_equal(layer->attrs[0].value, "1");
  assert_string_equal(layer->attrs[1].value, "3");
  assert_int_equal(layer->n_inputs, 2);
  assert_int_equal(layer->inputs[1].id, 5);
  assert_int_equal(layer->n_outputs, 1);
  assert_false(layer->broken);
  read_result_reset(&r);
}

static void what_a_fault_breaks(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool broken;
  } cases[] = {
      {LAYERS "<layer id=\"0\" type=\"T\" version=\"opset1\"/>" END, false},
      {LAYERS "<layer name=\"a\" type=\"T\" version=\"opset1\"/>" END, false},
      {LAYERS "<layer id=\"0\" name=\"a\" type=\"T\" versoin=\"opset1\"/>" END, false},
      {LAYERS "<layer id=\"0\" name=\"a\" type=\"T\"/>" END, true},
      {LAYERS "<layer id=\"0\" name=\"a\" version=\"opset1\"/>" END, true},
      {PORT("<dim>4x</dim><dim>4</dim>"), true},
      {LAYERS LAYER "<output><port id=\"0\"/><port id=\"1\" precision=\"I8\"/></output></layer>" END, true},
      {LAYERS LAYER "<input><port/></input></layer>" END, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    read_result r;
    assert_true(read_bytes(&r, ir_memory_default(), cases[i].text, strlen(cases[i].text)));
    assert_int_equal(r.code, IR_OK);
    assert_true(r.diags.n_errors > 0);
    assert_int_equal(r.graph.layers[0].broken, cases[i].broken);
    read_result_reset(&r);
  }
}

static void faulty_edges_are_kept(void **state) {
  (void)state;
  static const char text[] = NET "<edges><edge from-layer=\"0\" from-port=\"1x\" to-layer=\"2\"/></edges></net>";
  read_result r;
  assert_true(read_bytes(&r, ir_memory_default(), text, strlen(text)));
  assert_int_equal(r.diags.n_errors, 2);
  assert_int_equal(r.graph.n_edges, 1);
  const ir_edge *edge = &r.graph.edges[0];
  assert_int_equal(edge->from_layer, 0);
  assert_int_equal(edge->from_port, -1);
  assert_int_equal(edge->to_layer, 2);
  assert_int_equal(edge->to_port, -1);
  read_result_reset(&r);
}

/* Comparing a million attributes in pairs would take hours. A limit has to stop the reader earlier. */
static void very_many_attributes(void **state) {
  (void)state;
  static const char *const formats[] = {" a#=\"\"", " xmlns:a#=\"u\""};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    char text[64];
    read_result r;
    size_t n = 1000000, size = 32 * n;
    char *model = malloc(size);
    assert_non_null(model);
    size_t used = (size_t)sprintf(model, "<net version=\"11\"><a");
    for (size_t k = 0; k < n; k++) {
      const char *mark = strchr(formats[i], '#');
      used += (size_t)sprintf(model + used, "%.*s%zu%s", (int)(mark - formats[i]), formats[i], k, mark + 1);
    }
    used += (size_t)sprintf(model + used, "/></net>");
    assert_true(read_bytes(&r, ir_memory_default(), model, used));
    free(model);
    list_diags(&r, text, sizeof text);
    assert_memory_equal(text, "IR004 error 1:", 14);
    assert_int_equal(r.code, IR_IO);
    read_result_reset(&r);
  }
}

static const ir_diag *only_diag(read_result *r, const char *text) {
  assert_true(read_bytes(r, ir_memory_default(), text, strlen(text)));
  assert_int_equal(r->diags.n_kept, 1);
  return r->diags.first;
}

static void messages(void **state) {
  (void)state;
  static const struct {
    const char *text, *message, *hint, *note;
  } cases[] = {
      {LAYERS "</net>", "</net> where </layers> is expected", NULL, "the element begins here"},
      {LAYERS, "the file ends inside <layers>", "it seems to be cut short: copy or export it again",
       "which begins here"},
      {NET "<a b=\"1\" b=\"2\"/></net>", "the attribute 'b' stands twice in one tag", NULL, "the first one"},
      {LAYERS "<layer id=\"0\" name=\"pool\" type=\"T\"/>" END, "layer 'pool' has no attribute 'version'", NULL, NULL},
      {LAYERS "<layer id=\"7\" type=\"T\" version=\"o\"/>" END, "layer 7 has no attribute 'name'", NULL, NULL},
      {NET "<layer/></net>", "unknown element <layer> in <net>, passed over with all that it holds",
       "did you mean <layers>?", NULL},
      {LAYERS LAYER "<input><port id=\"0\" precision=\"F32\"/></input></layer>" END,
       "'precision' is 'F32', which is no element type", "did you mean 'f32'?", NULL},
      {LAYERS LAYER "<input><port id=\"0\" name=\"n\"/></input></layer>" END,
       "unknown attribute 'name'; a runtime would ignore it", "did you mean 'names'?", NULL},
      {"<Net version=\"11\"/>", "the root element is <Net>, that of an OpenVINO IR is <net>",
       "write <net> and </net> in lower case", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    read_result r;
    const ir_diag *diag = only_diag(&r, cases[i].text);
    assert_string_equal(diag->message, cases[i].message);
    assert_string_equal(diag->hint == NULL ? "" : diag->hint, cases[i].hint == NULL ? "" : cases[i].hint);
    assert_string_equal(diag->notes == NULL ? "" : diag->notes->message, cases[i].note == NULL ? "" : cases[i].note);
    read_result_reset(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broken_xml),
      cmocka_unit_test(characters_that_xml_does_not_allow),
      cmocka_unit_test(faults_before_broken_xml_are_kept),
      cmocka_unit_test(entities_and_doctypes),
      cmocka_unit_test(encodings),
      cmocka_unit_test(roots_and_versions),
      cmocka_unit_test(attributes),
      cmocka_unit_test(ports),
      cmocka_unit_test(elements),
      cmocka_unit_test(repeated_blocks),
      cmocka_unit_test(what_a_fault_breaks),
      cmocka_unit_test(faulty_edges_are_kept),
      cmocka_unit_test(very_many_attributes),
      cmocka_unit_test(messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
