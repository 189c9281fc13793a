/* Tests edits of port declarations in a file's text: for each input text, the expected output bytes. */
#include "failing_memory.h"
#include "irrun.h"
#include "parser/ir_mend.h"
#include "read_text.h"
#include <stdlib.h>

/* ---- one port ---- */

#define BEFORE                                                                                                         \
  "<net version=\"11\"><layers>\n<layer id=\"0\" name=\"a &amp; > 32\" type=\"T\" version=\"opset1\"><output>\n"
#define BEHIND "</output></layer></layers></net>\n<!-- <dim>1</dim> -->\n"

/* The text of a port, the new declaration, and the resulting text. `shape` is a text like "1,?,3"; NULL keeps the
 * declared shape. */
typedef struct mend_case {
  const char *text, *shape;
  ir_type type;
  const char *expected;
} mend_case;

typedef struct text_sink {
  char text[8192];
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

/* Parses a shape such as "1,?,3". "" is a scalar. */
static ir_shape shape_of(const char *text) {
  ir_shape shape = {.rank = 0};
  while (*text != '\0') {
    char *end = NULL;
    shape.dims[shape.rank++] = *text == '?' ? ir_dim_any() : ir_dim_of(strtoll(text, &end, 10));
    text = end == NULL ? text + 1 : end;
    text += *text == ',';
  }
  return shape;
}

static ir_shape declared_by(const ir_port *port) {
  ir_shape shape = {.rank = port->rank};
  if (port->rank > 0)
    memcpy(shape.dims, port->dims, (size_t)port->rank * sizeof *port->dims);
  return shape;
}

/* Declares the same shape at each port of the layer, from the last port to the first. */
static void mend_all(read_result *r, const mend_case *c, ir_byte_sink sink) {
  ir_layer *layer = &r->graph.layers[0];
  ir_edits edits;
  ir_edits_init(&edits, &r->graph, &r->graph.arena, &r->diags);
  for (int32_t p = layer->n_outputs - 1; p >= 0; p--) {
    const ir_port *port = &layer->outputs[p];
    const ir_shape shape = c->shape == NULL ? declared_by(port) : shape_of(c->shape);
    assert_int_equal(ir_mend_port(&edits, port, c->type, &shape), IR_OK);
  }
  assert_int_equal(ir_write_mended(&edits, sink), IR_OK);
  ir_edits_reset(&edits);
}

static void check_mended(const mend_case *c, const char *before, const char *behind) {
  char text[4096], expected[4096];
  text_sink sink = {.writes_left = 1000};
  read_result r;
  snprintf(text, sizeof text, "%s%s%s", before, c->text, behind);
  snprintf(expected, sizeof expected, "%s%s%s", before, c->expected, behind);
  read_text(&r, text);
  assert_no_diags(&r);
  mend_all(&r, c, (ir_byte_sink){take, &sink});
  assert_no_diags(&r);
  if (strcmp(sink.text, expected) != 0)
    fail_msg("%s\n became %s\n expected %s", text, sink.text, expected);
  read_result_reset(&r);
}

#define CHECK_MENDED(cases)                                                                                            \
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)                                                          \
  check_mended(&cases[i], BEFORE, BEHIND)

#define PORT(dims) "<port id=\"0\" precision=\"FP32\">" dims "</port>"

static void what_a_dim_holds(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {PORT("<dim>32</dim>"), "16", IR_F32, PORT("<dim>16</dim>")},
      {PORT("<dim>7</dim>"), "9223372036854775806", IR_F32, PORT("<dim>9223372036854775806</dim>")},
      {PORT("<dim>9223372036854775806</dim>"), "0", IR_F32, PORT("<dim>0</dim>")},
      {PORT("<dim>7</dim>"), "?", IR_F32, PORT("<dim>-1</dim>")},
      {PORT("<dim>1..640</dim>"), "8", IR_F32, PORT("<dim>8</dim>")},
      {PORT("<dim>-1</dim>"), "8", IR_F32, PORT("<dim>8</dim>")},
      {PORT("<dim> 32\t</dim>"), "16", IR_F32, PORT("<dim> 16\t</dim>")},
      {PORT("<dim>\n  32\n</dim>"), "16", IR_F32, PORT("<dim>\n  16\n</dim>")},
      {PORT("<dim><![CDATA[32]]></dim>"), "16", IR_F32, PORT("<dim>16</dim>")},
      {PORT("<dim> <![CDATA[ 3 ]]>  </dim>"), "16", IR_F32, PORT("<dim> 16  </dim>")},
      {PORT("<dim>3<![CDATA[2]]></dim>"), "16", IR_F32, PORT("<dim>16</dim>")},
      {PORT("<dim>&#51;2</dim>"), "16", IR_F32, PORT("<dim>16</dim>")},
      {PORT("<dim>3&#x32;</dim>"), "16", IR_F32, PORT("<dim>16</dim>")},
  };
  CHECK_MENDED(cases);
}

static void markup_in_a_dim_stays(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {PORT("<dim><!-- > < <dim> -->32</dim>"), "16", IR_F32, PORT("<dim><!-- > < <dim> -->16</dim>")},
      {PORT("<dim>32<!-- </dim> --></dim>"), "16", IR_F32, PORT("<dim>16<!-- </dim> --></dim>")},
      {PORT("<dim>3<!-- 7 -->2</dim>"), "16", IR_F32, PORT("<dim>16<!-- 7 --></dim>")},
      {PORT("<dim> 3<!----><?pi > 8?>2 </dim>"), "16", IR_F32, PORT("<dim> 16<!----><?pi > 8?> </dim>")},
      {PORT("<dim><?pi?> 32 <!-- --></dim>"), "16", IR_F32, PORT("<dim><?pi?> 16 <!-- --></dim>")},
  };
  CHECK_MENDED(cases);
}

static void tags_of_a_dim_stay(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {PORT("<dim a=\"32\">32</dim>"), "16", IR_F32, PORT("<dim a=\"32\">16</dim>")},
      {PORT("<dim a='>/dim>32'>32</dim>"), "16", IR_F32, PORT("<dim a='>/dim>32'>16</dim>")},
      {PORT("<dim\n>32</dim >"), "16", IR_F32, PORT("<dim\n>16</dim >")},
      {PORT("<dim>32</dim\n\t>"), "16", IR_F32, PORT("<dim>16</dim\n\t>")},
  };
  CHECK_MENDED(cases);
}

static void only_the_dims_that_differ(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {PORT("<dim> 1</dim><dim>3</dim><dim>&#50;</dim>"), "1,4,2", IR_F32,
       PORT("<dim> 1</dim><dim>4</dim><dim>&#50;</dim>")},
      {PORT("<dim>-1</dim><dim> -1 </dim><dim>5</dim>"), "?,?,6", IR_F32,
       PORT("<dim>-1</dim><dim> -1 </dim><dim>6</dim>")},
      {PORT("<dim>01</dim><dim>2</dim>"), "1,2", IR_F32, PORT("<dim>01</dim><dim>2</dim>")},
      {PORT("<dim>1</dim><rt_info><dim>9</dim></rt_info><dim>2</dim>"), "1,7", IR_F32,
       PORT("<dim>1</dim><rt_info><dim>9</dim></rt_info><dim>7</dim>")},
      {PORT("<dim>1</dim><!-- <dim>2</dim> --><dim>2</dim>"), "3,4", IR_F32,
       PORT("<dim>3</dim><!-- <dim>2</dim> --><dim>4</dim>")},
  };
  CHECK_MENDED(cases);
}

static void more_dims(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {PORT("<dim>1</dim>"), "1,2", IR_F32, PORT("<dim>1</dim><dim>2</dim>")},
      {PORT("<dim>1</dim><dim>9</dim>"), "1,2,?,4", IR_F32, PORT("<dim>1</dim><dim>2</dim><dim>-1</dim><dim>4</dim>")},
      {PORT("\n  <dim>1</dim>\n  <dim>2</dim>\n"), "1,2,3,4", IR_F32,
       PORT("\n  <dim>1</dim>\n  <dim>2</dim>\n  <dim>3</dim>\n  <dim>4</dim>\n")},
      {PORT("\r\n\t<dim>1</dim>\r\n"), "1,2", IR_F32, PORT("\r\n\t<dim>1</dim>\r\n\t<dim>2</dim>\r\n")},
      {PORT(" <dim>1</dim><dim a=\">\"> 2 </dim ><!-- last -->"), "1,2,3", IR_F32,
       PORT(" <dim>1</dim><dim a=\">\"> 2 </dim ><dim>3</dim><!-- last -->")},
      {PORT("<dim>1</dim>"), "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,9223372036854775806", IR_F32,
       PORT("<dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim>"
            "<dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim><dim>1</dim>"
            "<dim>9223372036854775806</dim>")},
  };
  CHECK_MENDED(cases);
}

static void fewer_dims(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {PORT("<dim>1</dim><dim>2</dim>"), "1", IR_F32, PORT("<dim>1</dim>")},
      {PORT("<dim>1</dim>"), "", IR_F32, PORT("")},
      {PORT("\n  <dim>1</dim>\n  <dim>2</dim>\n"), "", IR_F32, PORT("\n")},
      {PORT("\n  <dim>1</dim>\n  <dim>2</dim>\n  <dim>3</dim>\n"), "7", IR_F32, PORT("\n  <dim>7</dim>\n")},
      {PORT("<dim>1</dim><dim a='>'\n>\n2<!-- > --></dim ><dim><!-- < --><![CDATA[3]]></dim\n>"), "1", IR_F32,
       PORT("<dim>1</dim>")},
      {PORT("<dim>1</dim> <!-- two --> <dim>2</dim>"), "1", IR_F32, PORT("<dim>1</dim> <!-- two -->")},
  };
  CHECK_MENDED(cases);
}

static void precisions(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {"<port id='0' precision='FP16'/>", NULL, IR_F32, "<port id='0' precision='FP32'/>"},
      {"<port precision = \"f16\" id=\"0\" ><dim>2</dim></port>", NULL, IR_I64,
       "<port precision = \"I64\" id=\"0\" ><dim>2</dim></port>"},
      {"<port id='0' precision='&#70;P16'\tnames='a'><dim>2</dim></port>", "3", IR_BF16,
       "<port id='0' precision='BF16'\tnames='a'><dim>3</dim></port>"},
      {"<port id='0' precision='f32'><dim>2</dim></port>", NULL, IR_F32,
       "<port id='0' precision='f32'><dim>2</dim></port>"},
      {"<port id='0' precision='I8'><dim>2</dim><dim>5</dim></port>", "", IR_BOOLEAN,
       "<port id='0' precision='BOOL'></port>"},
  };
  CHECK_MENDED(cases);
}

/* A port without any <dim> declares no shape, and none is added. */
static void ports_without_dims_get_none(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {"<port id='0' precision='FP32'/>", "1,2", IR_F32, "<port id='0' precision='FP32'/>"},
      {"<port id='0' precision='FP16'></port>", "1,2", IR_F32, "<port id='0' precision='FP32'></port>"},
  };
  CHECK_MENDED(cases);
}

static void several_ports(void **state) {
  (void)state;
  static const mend_case cases[] = {
      {"<port id='0' precision='FP16'><dim>5</dim></port><port id='1' precision='FP16'>\n<dim>1</dim>\n"
       "<dim>2</dim></port><port id='2' precision='FP32'/>",
       "3,2", IR_F32,
       "<port id='0' precision='FP32'><dim>3</dim><dim>2</dim></port><port id='1' precision='FP32'>\n<dim>3</dim>\n"
       "<dim>2</dim></port><port id='2' precision='FP32'/>"},
  };
  CHECK_MENDED(cases);
}

static void a_port_longer_than_what_is_read_at_once(void **state) {
  (void)state;
  char text[2048], expected[2048];
  for (int n = 0; n < 700; n += 7) {
    snprintf(text, sizeof text, PORT("<dim>1</dim><!--%*s--><dim>2</dim%*s>"), n, "", n, "");
    snprintf(expected, sizeof expected, PORT("<dim>1</dim><!--%*s--><dim>3</dim%*s><dim>4</dim>"), n, "", n, "");
    check_mended(&(mend_case){text, "1,3,4", IR_F32, expected}, BEFORE, BEHIND);
  }
}

/* ---- files ---- */

static void the_rest_of_a_file_stays(void **state) {
  (void)state;
  static const mend_case port = {PORT("<dim>32</dim>"), "16", IR_F32, PORT("<dim>16</dim>")};
  static const char *const frames[][2] = {
      {"<net version=\"11\"><layers><layer id=\"0\" name=\"\" type=\"T\" version=\"opset1\"><output>",
       "</output></layer></layers></net>"},
      {"\xef\xbb\xbf<?xml version=\"1.0\"?>\r\n<net version='11'>\r\n<layers>\r\n<layer id='0' name='\xe3\x81\x82' "
       "type='T' version='opset1'>\r\n<output>\r\n\t",
       "\r\n</output>\r\n</layer>\r\n</layers>\r\n</net>\r\n"},
      {"<!-- 32 --><net version=\"11\"><layers><layer id=\"0\" name=\"32\" type=\"T\" version=\"opset1\">"
       "<output><!-- <port id=\"0\"><dim>32</dim> -->",
       "</output><input><port id=\"1\"><dim>32</dim></port></input></layer></layers>"
       "<rt_info><a value=\"32\"/></rt_info></net>\n\n"},
  };
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++)
    check_mended(&port, frames[i][0], frames[i][1]);
}

/* After a failed write, nothing more is written and no diagnostic is made: the sink remembers the failure. */
static void a_sink_that_fails_is_left_alone(void **state) {
  (void)state;
  static const mend_case c = {NULL, "3,4", IR_F32, NULL};
  for (int fine = 0; fine < 5; fine++) {
    text_sink sink = {.writes_left = fine};
    read_result r;
    read_text(&r, BEFORE PORT("<dim>1</dim><dim>2</dim>") BEHIND);
    mend_all(&r, &c, (ir_byte_sink){take, &sink});
    assert_int_equal(sink.n_writes,
                     fine + 1); /* a complete text takes five writes: three pieces of the file, two numbers */
    assert_no_diags(&r);
    read_result_reset(&r);
  }
}

/* ---- memory ---- */

static ir_code mend_with_memory(failing_memory *counts, int64_t refuse_at, text_sink *sink) {
  read_result r;
  ir_memory memory = failing_memory_of(counts);
  static const char text[] = BEFORE PORT("<dim>1</dim><dim>2</dim>") BEHIND;
  assert_true(read_bytes(&r, memory, text, sizeof text - 1));
  const ir_shape shape = shape_of("5,6,7");
  ir_arena arena;
  ir_edits edits;
  ir_arena_init(&arena, &r.memory, 1 << 16);
  ir_edits_init(&edits, &r.graph, &arena, &r.diags);
  counts->n_requests = 0;
  counts->refuse_at = refuse_at;
  ir_code code = ir_mend_port(&edits, &r.graph.layers[0].outputs[0], IR_F16, &shape);
  if (code == IR_OK)
    code = ir_write_mended(&edits, (ir_byte_sink){take, sink});
  assert_int_equal(r.diags.status, code);
  ir_edits_reset(&edits);
  ir_arena_reset(&arena);
  read_result_reset(&r);
  assert_int_equal(counts->n_alive, 0);
  return code;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  failing_memory counts;
  ir_code code = IR_NO_MEMORY;
  int64_t n = 0;
  for (; code != IR_OK; n++) {
    text_sink sink = {.writes_left = 1000};
    code = mend_with_memory(&counts, n, &sink);
    if (code != IR_OK)
      assert_int_equal(code, IR_NO_MEMORY);
    else
      assert_non_null(strstr(sink.text, "\"FP16\"><dim>5</dim><dim>6</dim><dim>7</dim></port>"));
  }
  assert_true(n > 3);
}

/* ---- whole models ---- */

/* A pool between the Parameter f32[1,3,32,4..8] and its Result. Inference gives f32[1,3,16,2..4]. The strings
 * declare the ports, before and after the correction. */
typedef struct model_case {
  const char *parameter, *pool, *result;             /* port declarations in the file */
  const char *new_parameter, *new_pool, *new_result; /* expected declarations; NULL: unchanged */
  int64_t n_ports, n_layers;
} model_case;

#define D4(a, b, c, d) "<dim>" a "</dim><dim>" b "</dim><dim>" c "</dim><dim>" d "</dim>"
#define IN(dims)       "<input><port id=\"0\" precision=\"FP32\">" dims "</port></input>"
#define OUT(dims)      "<output><port id=\"1\" precision=\"FP32\">" dims "</port></output>"

static void write_model(const char *parameter, const char *pool, const char *result, char *buffer, size_t size) {
  snprintf(buffer, size,
           "<net version=\"11\"><layers>\n<layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data "
           "element_type=\"f32\" shape=\"1,3,32,4..8\"/>\n%s</layer>\n<layer id=\"1\" name=\"p\" type=\"AvgPool\" "
           "version=\"opset1\"><data kernel=\"2,2\" strides=\"2,2\" pads_begin=\"0,0\" pads_end=\"0,0\" "
           "exclude-pad=\"true\"/>\n%s</layer>\n<layer id=\"2\" name=\"y\" type=\"Result\" version=\"opset1\">\n"
           "%s</layer></layers><edges><edge from-layer=\"0\" from-port=\"1\" to-layer=\"1\" to-port=\"0\"/>"
           "<edge from-layer=\"1\" from-port=\"1\" to-layer=\"2\" to-port=\"0\"/></edges></net>\n",
           parameter, pool, result);
}

static void read_all(const char *path, char *buffer, size_t size) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  buffer[fread(buffer, 1, size - 1, file)] = '\0';
  fclose(file);
}

static void check_converted(const model_case *c) {
  char text[4096], expected[4096], got[4096] = "";
  scratch_model files = scratch_model_make();
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  irrun_conversion converted = {.size = sizeof converted};
  write_model(c->parameter, c->pool, c->result, text, sizeof text);
  write_model(c->new_parameter == NULL ? c->parameter : c->new_parameter, c->new_pool == NULL ? c->pool : c->new_pool,
              c->new_result == NULL ? c->result : c->new_result, expected, sizeof expected);
  scratch_write(files.xml, text, strlen(text));
  assert_int_equal(irrun_model_read(context, files.xml, NULL, IRRUN_TO_CONVERT, &model), IRRUN_OK);
  assert_int_equal(irrun_model_convert(model, files.xml, &converted), IRRUN_OK);
  read_all(files.xml, got, sizeof got);
  if (strcmp(got, expected) != 0)
    fail_msg("%s became\n%s expected\n%s", text, got, expected);
  assert_int_equal(converted.n_ports, c->n_ports);
  assert_int_equal(converted.n_layers, c->n_layers);
  assert_null(converted.weights);
  irrun_model_free(model);
  irrun_context_free(context);
  scratch_model_remove(&files);
}

/* A declaration that agrees with inference keeps its bytes. It agrees if it is a size in the interval, -1, an
 * overlapping interval, or empty. A Parameter has to declare its 'shape': -1 for an open dim. */
static void what_agrees_keeps_its_bytes(void **state) {
  (void)state;
  static const model_case cases[] = {
      {OUT(D4("1", "3", "32", "-1")), IN(D4("1", "3", "32", "5")) OUT(D4("1", "3", "16", "2")),
       IN(D4("1", "3", "16", "4")), NULL, NULL, NULL, 0, 0},
      {OUT(D4("1", "03", " 32 ", "4..8")), IN(D4("0..9", "1..", "-1", "6..7")) OUT(D4("-1", "03", "16", "-1")),
       IN(D4("1", "3", "16", "0..2")), NULL, NULL, NULL, 0, 0},
      {"<output><port id='1' precision='FP32'/></output>",
       "<output><port id='1' precision='dynamic'></port></output><input><port id='0'/></input>",
       "<input><port id='0' precision='UNSPECIFIED'/></input>", NULL, NULL, NULL, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_converted(&cases[i]);
}

/* In a wrong port, dims that agree stay and wrong dims are replaced. An open dim becomes -1, because IR ports have
 * no intervals. */
static void what_does_not_agree_is_corrected(void **state) {
  (void)state;
  static const model_case cases[] = {
      {OUT(D4("-1", "3", "32", "8")), IN(D4("-1", "3", "32", "4..8")) OUT(D4("-1", "3", "32", "0..3")),
       IN(D4("1", "3", "16", "9")), OUT(D4("1", "3", "32", "-1")),
       IN(D4("-1", "3", "32", "4..8")) OUT(D4("-1", "3", "16", "0..3")), IN(D4("1", "3", "16", "-1")), 3, 3},
      {OUT("<dim>1</dim>"), OUT(D4("1", "3", "16", "4")) IN("<dim>1</dim>\n<dim>2</dim>"),
       IN(D4("1", "3", "16", "4") "<dim>5</dim>"), OUT(D4("1", "3", "32", "-1")),
       OUT(D4("1", "3", "16", "4")) IN("<dim>1</dim>\n<dim>3</dim>\n<dim>32</dim>\n<dim>-1</dim>"),
       IN(D4("1", "3", "16", "-1")), 3, 3},
      {"<output><port id='1' precision='I64'/></output>",
       "<output><port id='1' precision='FP16'>" D4("1", "3", "16", "-1") "</port></output><input><port id='0'>" D4(
           "1", "2", "32", "-1") "</port></input>",
       "<input><port id='0'>" D4("2", "3", "16", "4") "</port></input>",
       "<output><port id='1' precision='FP32'/></output>",
       "<output><port id='1' precision='FP32'>" D4("1", "3", "16", "-1") "</port></output><input><port id='0'>" D4(
           "1", "3", "32", "-1") "</port></input>",
       "<input><port id='0'>" D4("1", "3", "16", "4") "</port></input>", 4, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    check_converted(&cases[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_dim_holds),
      cmocka_unit_test(markup_in_a_dim_stays),
      cmocka_unit_test(tags_of_a_dim_stay),
      cmocka_unit_test(only_the_dims_that_differ),
      cmocka_unit_test(more_dims),
      cmocka_unit_test(fewer_dims),
      cmocka_unit_test(precisions),
      cmocka_unit_test(ports_without_dims_get_none),
      cmocka_unit_test(several_ports),
      cmocka_unit_test(a_port_longer_than_what_is_read_at_once),
      cmocka_unit_test(the_rest_of_a_file_stays),
      cmocka_unit_test(a_sink_that_fails_is_left_alone),
      cmocka_unit_test(every_allocation_may_fail),
      cmocka_unit_test(what_agrees_keeps_its_bytes),
      cmocka_unit_test(what_does_not_agree_is_corrected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
