/* Tests that a graph written as IR and read again is the same graph. */
#include "parser/ir_write.h"
#include "read_text.h"
#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- sinks ---- */

typedef struct text_sink {
  char text[1 << 16];
  size_t n;
  int n_writes, writes_left; /* `take` fails after writes_left writes */
} text_sink;

static bool take(void *user, const void *data, size_t bytes) {
  text_sink *sink = user;
  sink->n_writes++;
  if (sink->writes_left-- <= 0)
    return false;
  assert_in_range(sink->n + bytes, 0, sizeof sink->text - 1);
  memcpy(sink->text + sink->n, data, bytes);
  sink->n += bytes;
  sink->text[sink->n] = '\0';
  return true;
}

static const char *written(const ir_graph *graph, ir_diags *diags) {
  static text_sink sink;
  sink = (text_sink){.writes_left = 1 << 20};
  assert_int_equal(ir_write_graph(graph, NULL, (ir_byte_sink){take, &sink}, diags), IR_OK);
  return sink.text;
}

/* ---- equality of graphs ---- */

#define ASSERT_SAME_TEXT(a, b)                                                                                         \
  do {                                                                                                                 \
    if ((a) == NULL)                                                                                                   \
      assert_null(b);                                                                                                  \
    else                                                                                                               \
      assert_string_equal(b, a);                                                                                       \
  } while (0)

static void assert_same_ports(const ir_port *a, const ir_port *b, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    assert_int_equal(b[i].id, a[i].id);
    assert_int_equal(b[i].type, a[i].type);
    assert_int_equal(b[i].rank, a[i].rank);
    ASSERT_SAME_TEXT(a[i].names, b[i].names);
    for (int d = 0; d < a[i].rank; d++) {
      const ir_dim dim = ir_dim_known(a[i].dims[d]) ? a[i].dims[d] : ir_dim_any();
      assert_true(ir_dims_equal(b[i].dims[d], dim));
    }
  }
}

static void assert_same_layer(const ir_layer *a, const ir_layer *b) {
  assert_int_equal(b->id, a->id);
  assert_string_equal(b->name, a->name);
  assert_string_equal(b->type, a->type);
  assert_string_equal(b->opset, a->opset);
  ASSERT_SAME_TEXT(a->output_names, b->output_names);
  assert_int_equal(b->n_attrs, a->n_attrs);
  for (int32_t i = 0; i < a->n_attrs; i++) {
    assert_string_equal(b->attrs[i].name, a->attrs[i].name);
    assert_string_equal(b->attrs[i].value, a->attrs[i].value);
  }
  assert_int_equal(b->n_inputs, a->n_inputs);
  assert_int_equal(b->n_outputs, a->n_outputs);
  assert_same_ports(a->inputs, b->inputs, a->n_inputs);
  assert_same_ports(a->outputs, b->outputs, a->n_outputs);
}

static void assert_same_graph(const ir_graph *a, const ir_graph *b) {
  assert_int_equal(b->version, a->version);
  ASSERT_SAME_TEXT(a->name, b->name);
  assert_int_equal(b->n_layers, a->n_layers);
  for (size_t i = 0; i < a->n_layers; i++)
    assert_same_layer(&a->layers[i], &b->layers[i]);
  assert_int_equal(b->n_edges, a->n_edges);
  for (size_t i = 0; i < a->n_edges; i++) {
    assert_int_equal(b->edges[i].from_layer, a->edges[i].from_layer);
    assert_int_equal(b->edges[i].from_port, a->edges[i].from_port);
    assert_int_equal(b->edges[i].to_layer, a->edges[i].to_layer);
    assert_int_equal(b->edges[i].to_port, a->edges[i].to_port);
  }
}

static void assert_reads_back(read_result *r) {
  read_result again;
  read_text(&again, written(&r->graph, &r->diags));
  assert_no_diags(&again);
  assert_same_graph(&r->graph, &again.graph);
  read_result_reset(&again);
}

/* ---- written texts ---- */

static const char small_model[] =
    "<net name='m' version='11'><edges><edge from-layer='7' from-port='1' to-layer='3' to-port='0'/></edges>"
    "<layers><layer id='7' name='p' type='AvgPool' version='opset1'><output>"
    "<port id='1' precision='f16' names='a,b'/></output><data kernel='2,2' exclude-pad='true'/>"
    "<input><port id='0' precision='FP16'><dim>1</dim><dim>0..640</dim></port></input></layer>"
    "<layer id='3' name='y' type='Result' version='opset1' output_names='o'>"
    "<input><port id='0'/></input></layer></layers></net>";

static void a_small_model_to_the_byte(void **state) {
  (void)state;
  static const char expected[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<net name=\"m\" version=\"11\">\n"
      "  <layers>\n"
      "    <layer id=\"7\" name=\"p\" type=\"AvgPool\" version=\"opset1\">\n"
      "      <data kernel=\"2,2\" exclude-pad=\"true\"/>\n"
      "      <input>\n"
      "        <port id=\"0\" precision=\"FP16\">\n"
      "          <dim>1</dim>\n"
      "          <dim>-1</dim>\n"
      "        </port>\n"
      "      </input>\n"
      "      <output>\n"
      "        <port id=\"1\" precision=\"FP16\" names=\"a,b\"/>\n"
      "      </output>\n"
      "    </layer>\n"
      "    <layer id=\"3\" name=\"y\" type=\"Result\" version=\"opset1\" output_names=\"o\">\n"
      "      <input>\n"
      "        <port id=\"0\" precision=\"UNSPECIFIED\"/>\n"
      "      </input>\n"
      "    </layer>\n"
      "  </layers>\n"
      "  <edges>\n"
      "    <edge from-layer=\"7\" from-port=\"1\" to-layer=\"3\" to-port=\"0\"/>\n"
      "  </edges>\n"
      "</net>\n";
  read_result r;
  read_text(&r, small_model);
  assert_no_diags(&r);
  assert_string_equal(written(&r.graph, &r.diags), expected);
  assert_reads_back(&r);
  read_result_reset(&r);
}

static void text_that_xml_has_to_escape(void **state) {
  (void)state;
  read_result r;
  read_text(&r,
            "<net name=\"&lt;n&gt;\" version=\"11\"><layers>"
            "<layer id=\"0\" name=\"a &amp; &lt;b&gt; &quot;c&quot; 'd'\" type=\"Parameter\" version=\"opset1\">"
            "<data shape=\"&#10;1&#9;\" element_type=\"&amp;amp;\"/>"
            "<output><port id=\"0\" precision=\"FP32\" names=\"a\\,b,c&amp;d,&quot;e&apos;\\\\,\"/></output></layer>"
            "<layer id=\"1\" name=\"line&#10;tab&#9;return&#13; end \" type=\"Result\" version=\"opset1\" "
            "output_names=\"x\\,y&#10;\"/>"
            "<layer id=\"2\" name=\"\xc3\xa9 \xe3\x81\x82 \xf0\x9f\x98\x80 \x7f\" type=\"T\" version=\"opset1\"/>"
            "<layer id=\"3\" name=\"\" type=\"]]&gt;\" version=\"opset1\"/></layers></net>");
  assert_no_diags(&r);
  assert_string_equal(r.graph.layers[0].name, "a & <b> \"c\" 'd'");
  assert_string_equal(r.graph.layers[0].attrs[1].value, "&amp;");
  assert_string_equal(r.graph.layers[0].outputs[0].names, "a\\,b,c&d,\"e'\\\\,");
  assert_string_equal(r.graph.layers[1].name, "line\ntab\treturn\r end ");
  assert_reads_back(&r);
  read_result_reset(&r);
}

static void types_and_numbers_of_every_size(void **state) {
  (void)state;
  char text[8192] = "<net version=\"11\"><layers><layer id=\"9223372036854775807\" name=\"\" type=\"T\" "
                    "version=\"opset1\"><output>";
  for (int type = 0; type < IR_TYPE_COUNT; type++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "<port id=\"%d\" precision=\"%s\"><dim>%d</dim></port>",
             type, ir_type_precision((ir_type)type), type);
  strcat(text,
         "<port id=\"9223372036854775807\" precision=\"I64\"><dim>9223372036854775806</dim><dim>0</dim><dim>-1</dim>"
         "</port></output></layer></layers><edges><edge from-layer=\"9223372036854775807\" from-port=\"4\" "
         "to-layer=\"0\" to-port=\"12\"/></edges></net>");
  read_result r;
  read_text(&r, text);
  assert_no_diags(&r);
  assert_int_equal(r.graph.layers[0].n_outputs, IR_TYPE_COUNT + 1);
  assert_reads_back(&r);
  read_result_reset(&r);
}

/* A port of rank 0 and a port of unknown rank are both written without <dim>. Both are read as ports without a
 * declared shape. */
static void ports_without_dims(void **state) {
  (void)state;
  static const char expected[] = "<output>\n"
                                 "        <port id=\"0\" precision=\"I32\"/>\n"
                                 "        <port id=\"1\" precision=\"I32\"/>\n"
                                 "      </output>\n";
  read_result r;
  read_text(&r,
            "<net version=\"11\"><layers><layer id=\"0\" name=\"s\" type=\"T\" version=\"opset1\"><output>"
            "<port id=\"0\" precision=\"I32\"><dim>1</dim></port><port id=\"1\" precision=\"I32\"><dim>1</dim></port>"
            "</output></layer></layers></net>");
  r.graph.layers[0].outputs[0].rank = 0;
  r.graph.layers[0].outputs[1].rank = IR_RANK_UNKNOWN;
  const char *output = strstr(written(&r.graph, &r.diags), "<output>");
  assert_non_null(output);
  assert_true(strncmp(output, expected, strlen(expected)) == 0);
  read_result_reset(&r);
}

static void a_graph_of_nothing(void **state) {
  (void)state;
  read_result r;
  read_text(&r, "<net version=\"10\"><layers/></net>");
  assert_string_equal(written(&r.graph, &r.diags), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                                   "<net name=\"\" version=\"10\">\n"
                                                   "  <layers/>\n"
                                                   "  <edges/>\n"
                                                   "</net>\n");
  read_result_reset(&r);
}

/* ---- sinks that fail ---- */

/* Reads a model with enough layers for several writes. */
static void read_many_layers(read_result *r) {
  static char text[1 << 16];
  size_t n = (size_t)sprintf(text, "<net version=\"11\"><layers>");
  for (int i = 0; i < 300; i++)
    n += (size_t)sprintf(text + n, "<layer id=\"%d\" name=\"a layer of some name\" type=\"T\" version=\"opset1\"/>", i);
  strcpy(text + n, "</layers></net>");
  read_text(r, text);
  assert_no_diags(r);
}

/* After a failed write, nothing more is written and no diagnostic is made: the sink remembers the failure. */
static void a_sink_that_fails_is_left_alone(void **state) {
  (void)state;
  static text_sink sink;
  read_result r;
  read_many_layers(&r);
  sink = (text_sink){.writes_left = 1 << 20};
  assert_int_equal(ir_write_graph(&r.graph, NULL, (ir_byte_sink){take, &sink}, &r.diags), IR_OK);
  const int n_writes = sink.n_writes;
  assert_true(n_writes > 1);
  for (int fine = 0; fine < n_writes; fine++) {
    sink = (text_sink){.writes_left = fine};
    assert_int_equal(ir_write_graph(&r.graph, NULL, (ir_byte_sink){take, &sink}, &r.diags), IR_OK);
    assert_int_equal(sink.n_writes, fine + 1);
    assert_null(r.diags.first);
  }
  read_result_reset(&r);
}

/* ---- memory ---- */

/* Live blocks of libxml2. libxml2 leaks blocks if an allocation fails, so the test frees them. */
static void *blocks[4096];
static int allocations_left;

static void **place_of(const void *block) {
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    if (blocks[i] == block)
      return &blocks[i];
  fail_msg("a block that is not known, or too many");
  return blocks;
}

static void *scarce_malloc(size_t bytes) {
  return allocations_left-- > 0 ? (*place_of(NULL) = malloc(bytes)) : NULL;
}

static void scarce_free(void *block) {
  if (block != NULL)
    *place_of(block) = NULL;
  free(block);
}

static void *scarce_realloc(void *block, size_t bytes) {
  if (allocations_left-- <= 0)
    return NULL;
  void **place = place_of(block);
  return *place = realloc(block, bytes);
}

static char *scarce_strdup(const char *text) {
  char *copy = scarce_malloc(strlen(text) + 1);
  return copy == NULL ? NULL : strcpy(copy, text);
}

static void give_back(void) {
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
    scarce_free(blocks[i]);
}

/* Captures stderr while libxml2's allocations fail. libxml2 must print nothing. */
static int stderr_kept, stderr_taken;

static void take_stderr(void) {
  stderr_kept = dup(STDERR_FILENO);
  stderr_taken = memfd_create("stderr", MFD_CLOEXEC);
  assert_true(stderr_kept >= 0 && stderr_taken >= 0);
  dup2(stderr_taken, STDERR_FILENO);
}

static void expect_silence(void) {
  char text[200] = "";
  fflush(stderr);
  dup2(stderr_kept, STDERR_FILENO);
  close(stderr_kept);
  assert_true(pread(stderr_taken, text, sizeof text - 1, 0) >= 0);
  close(stderr_taken);
  assert_string_equal(text, "");
}

/* libxml2 ignores some failed allocations. An incomplete text must still not count as complete. */
static void libxml2_without_memory(void **state) {
  (void)state;
  read_result r;
  read_text(&r, small_model);
  static text_sink whole, sink;
  whole = (text_sink){.writes_left = 1 << 20};
  assert_int_equal(ir_write_graph(&r.graph, NULL, (ir_byte_sink){take, &whole}, &r.diags), IR_OK);
  ir_code code = IR_NO_MEMORY;
  int failed = 0;
  take_stderr();
  for (int left = 0; code != IR_OK; left++) {
    ir_diags diags;
    sink = (text_sink){.writes_left = 1 << 20};
    ir_diags_init(&diags, r.graph.memory);
    allocations_left = left;
    assert_int_equal(xmlMemSetup(scarce_free, scarce_malloc, scarce_realloc, scarce_strdup), 0);
    code = ir_write_graph(&r.graph, NULL, (ir_byte_sink){take, &sink}, &diags);
    xmlResetLastError();
    assert_int_equal(xmlMemSetup(free, malloc, realloc, strdup), 0);
    give_back();
    if (code == IR_OK)
      assert_string_equal(sink.text, whole.text);
    else
      assert_int_equal(code, IR_NO_MEMORY);
    failed += code != IR_OK;
    ir_diags_reset(&diags);
  }
  expect_silence();
  assert_true(failed > 20);
  read_result_reset(&r);
}

/* Lets each allocation fail, beginning with libxml2's initialization. */
static void reading_without_memory(void **state) {
  (void)state;
  ir_code code = IR_NO_MEMORY;
  int failed = 0;
  take_stderr();
  for (int left = 0; code != IR_OK; left++) {
    read_result r;
    xmlCleanupParser();
    allocations_left = left;
    assert_int_equal(xmlMemSetup(scarce_free, scarce_malloc, scarce_realloc, scarce_strdup), 0);
    read_text(&r, small_model);
    code = r.code;
    if (code != IR_OK)
      assert_int_equal(code, IR_NO_MEMORY);
    failed += code != IR_OK;
    read_result_reset(&r);
    xmlCleanupParser();
    assert_int_equal(xmlMemSetup(free, malloc, realloc, strdup), 0);
    give_back();
  }
  expect_silence();
  assert_true(failed > 5);
}

/* ---- characters ---- */

static void characters_of_xml(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t forbidden;
  } cases[] = {{"", 0},
               {"\t\n\r ~\x7f", 0},
               {"\"<&>']]>", 0},
               {"\xc2\x85\xe2\x80\xa8", 0},
               {"\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbd", 0},
               {"\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf", 0},
               {"\x01", 1},
               {"a\x08", 8},
               {"\x0b-", 11},
               {"\xc3\xa9\x1f", 31},
               {"a\xef\xbf\xbe", 0xfffe},
               {"\xef\xbf\xbf\x01", 0xffff}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    if (ir_xml_forbids(cases[i].text) != cases[i].forbidden)
      fail_msg("'%s' gives U+%04X", cases[i].text, (unsigned)ir_xml_forbids(cases[i].text));
  assert_int_equal(ir_xml_forbids(NULL), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_model_to_the_byte),
      cmocka_unit_test(text_that_xml_has_to_escape),
      cmocka_unit_test(types_and_numbers_of_every_size),
      cmocka_unit_test(ports_without_dims),
      cmocka_unit_test(a_graph_of_nothing),
      cmocka_unit_test(a_sink_that_fails_is_left_alone),
      cmocka_unit_test(libxml2_without_memory),
      cmocka_unit_test(reading_without_memory),
      cmocka_unit_test(characters_of_xml),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
