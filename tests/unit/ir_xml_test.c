/* Tests the graph that the reader makes of a model, and the place of every part in the file. */
#include "failing_memory.h"
#include "parser/ir_window.h"
#include "read_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_dim(const ir_port *port, int axis, int64_t lo, int64_t hi) {
  assert_true(axis < port->rank);
  assert_int_equal(port->dims[axis].lo, lo);
  assert_int_equal(port->dims[axis].hi, hi);
}

static void a_small_model(void **state) {
  (void)state;
  read_result r;
  read_text(&r, "<?xml version=\"1.0\"?>\n"
                "<net name=\"m\" version=\"11\">\n"
                " <layers>\n"
                "  <layer id=\"7\" name=\"x\" type=\"AvgPool\" version=\"opset1\">\n"
                "   <data kernel=\"2, 2\" strides=\"1\"/>\n"
                "   <input><port id=\"0\"><dim>1</dim><dim>32</dim></port><port id=\"1\"/></input>\n"
                "   <output><port id=\"2\" precision=\"FP16\" names=\"a,b\"><dim>-1</dim></port></output>\n"
                "  </layer>\n"
                "  <layer id=\"0\" name=\"y\" type=\"Result\" version=\"opset1\" output_names=\"o\"/>\n"
                " </layers>\n"
                " <edges><edge from-layer=\"7\" from-port=\"2\" to-layer=\"0\" to-port=\"11\"/></edges>\n"
                " <rt_info><a><b c=\"d\">text</b></a></rt_info><meta_data/><statistics/>\n"
                "</net>\n");
  assert_no_diags(&r);
  const ir_graph *g = &r.graph;
  assert_int_equal(g->version, 11);
  assert_string_equal(g->name, "m");
  assert_place(&r, g->at, 2, 1, "<net name=\"m\" version=\"11\">");
  assert_int_equal(g->n_layers, 2);
  const ir_layer *pool = &g->layers[0];
  assert_int_equal(pool->id, 7);
  assert_string_equal(pool->type, "AvgPool");
  assert_string_equal(pool->opset, "opset1");
  assert_true(pool->has_data && !pool->broken);
  assert_place(&r, pool->id_at, 4, 14, "7");
  assert_place(&r, pool->name_at, 4, 23, "x");
  assert_place(&r, pool->type_at, 4, 32, "AvgPool");
  assert_place(&r, pool->opset_at, 4, 50, "opset1");
  assert_place(&r, pool->data_at, 5, 4, "<data kernel=\"2, 2\" strides=\"1\"/>");
  assert_int_equal(pool->n_attrs, 2);
  assert_string_equal(pool->attrs[0].name, "kernel");
  assert_string_equal(pool->attrs[0].value, "2, 2");
  assert_place(&r, pool->attrs[0].name_at, 5, 10, "kernel");
  assert_place(&r, pool->attrs[1].at, 5, 33, "1");
  assert_int_equal(pool->n_inputs, 2);
  assert_int_equal(pool->inputs[0].rank, 2);
  assert_int_equal(pool->inputs[0].type, IR_DYNAMIC);
  assert_int_equal(pool->inputs[1].rank, IR_RANK_UNKNOWN);
  assert_dim(&pool->inputs[0], 1, 32, 32);
  assert_place(&r, pool->inputs[0].dims_at[1], 6, 41, "32");
  assert_place(&r, pool->inputs[1].at, 6, 56, "<port id=\"1\"/>");
  const ir_port *out = &pool->outputs[0];
  assert_int_equal(out->type, IR_F16);
  assert_string_equal(out->names, "a,b");
  assert_dim(out, 0, 0, IR_DIM_MAX);
  assert_place(&r, out->type_at, 7, 36, "FP16");
  assert_place(&r, out->names_at, 7, 49, "a,b");
  assert_string_equal(g->layers[1].output_names, "o");
  assert_place(&r, g->layers[1].output_names_at, 9, 71, "o");
  assert_int_equal(g->n_edges, 1);
  assert_int_equal(g->edges[0].to_port, 11);
  assert_place(&r, g->edges[0].from_layer_at, 11, 27, "7");
  assert_place(&r, g->edges[0].to_port_at, 11, 66, "11");
  read_result_reset(&r);
}

static void places_in_unusual_text(void **state) {
  (void)state;
  read_result r;
  read_text(&r, "\xef\xbb\xbf \r\n"
                "<net version='11'>\r\n"
                "<layers>\r\n"
                "<layer\r\n"
                "\t\tname\t=\r\n"
                "  '\xe3\x81\x82\xc3\xa9 > &lt;a&#38;&#x1F600;\t&quot;&apos;' id = \"5\" version=\"opset1\" "
                "type=\"If\"><!-- < ' \" > -->\r\n"
                "<data a='&amp;'\tb='1\r\n2' c=\"'>'\"></data>"
                "</layer>\r\n"
                "</layers></net>");
  assert_no_diags(&r);
  const ir_layer *layer = &r.graph.layers[0];
  assert_string_equal(layer->name, "\xe3\x81\x82\xc3\xa9 > <a&\xf0\x9f\x98\x80 \"'");
  assert_place(&r, layer->name_at, 6, 4, "\xe3\x81\x82\xc3\xa9 > &lt;a&#38;&#x1F600;\t&quot;&apos;");
  assert_int_equal(layer->id, 5);
  assert_place(&r, layer->id_at, 6, 49, "5");
  assert_place(&r, layer->type_at, 6, 75, "If");
  assert_int_equal(layer->n_attrs, 3);
  assert_string_equal(layer->attrs[0].value, "&");
  assert_place(&r, layer->attrs[0].at, 7, 10, "&amp;");
  assert_string_equal(layer->attrs[1].value, "1 2");
  assert_place(&r, layer->attrs[1].name_at, 7, 17, "b");
  assert_string_equal(layer->attrs[2].value, "'>'");
  assert_place(&r, layer->attrs[2].at, 8, 7, "'>'");
  read_result_reset(&r);
}

/* Control characters are hidden from the XML parser, but names in the graph keep them. */
static void names_with_control_characters(void **state) {
  (void)state;
  read_result r;
  read_text(&r, "<net version=\"11\"><layers>\n"
                "<layer id=\"1\" name=\"a\x1b b\" version=\"opset1\" type=\"T\"/>\n"
                "<layer id=\"2\" name=\"a&#27;\x1b&amp;\xef\xbf\xbf\tb\" version=\"opset1\" type=\"T\"/>\n"
                "</layers></net>");
  assert_int_equal(r.code, IR_OK);
  assert_string_equal(r.graph.layers[0].name, "a\x1b b");
  assert_string_equal(r.graph.layers[1].name, "a\x1b\x1b&\xef\xbf\xbf b");
  assert_place(&r, r.graph.layers[1].name_at, 3, 21, "a&#27;\x1b&amp;\xef\xbf\xbf\tb");
  read_result_reset(&r);
}

static void a_name_with_an_ampersand(void **state) {
  (void)state;
  read_result r;
  read_text(&r, "<net version=\"11\"><layers>\n"
                "<layer id=\"0\" name=\"a &amp; b\" type=\"T\" version=\"opset1\"/></layers></net>");
  assert_no_diags(&r);
  assert_string_equal(r.graph.layers[0].name, "a & b");
  assert_place(&r, r.graph.layers[0].name_at, 2, 21, "a &amp; b");
  read_result_reset(&r);
}

static void dims_of_every_form(void **state) {
  (void)state;
  read_result r;
  read_text(&r, "<net version=\"11\"><layers><layer id=\"0\" name=\"\" type=\"T\" version=\"opset1\"><output>\n"
                "<port id=\"0\" precision=\"f32\"><dim> 4 </dim><dim>8</dim><dim>-1</dim><dim>1..640</dim>\n"
                "<dim>0..9</dim><dim>2..</dim><dim>1<!-- <2> -->3</dim><dim><![CDATA[5]]></dim><dim>&#49;0</dim>\n"
                "<dim>\n  0\n</dim><dim><!----> 9223372036854775806 <!-- --></dim></port>\n"
                "<port id=\"1\" precision=\"f32\">\n\t<dim>6</dim>\r\n<dim>8</dim>\t</port>\n"
                "<port id=\"2\" precision=\"f32\"><dim>6</dim><rt_info><dim>9</dim></rt_info><dim>7</dim></port>\n"
                "<port id=\"3\" precision=\"f32\"></port></output></layer></layers></net>");
  assert_no_diags(&r);
  const ir_port *port = r.graph.layers[0].outputs;
  static const int64_t expected[][2] = {{4, 4},
                                        {8, 8},
                                        {0, IR_DIM_MAX},
                                        {1, 640},
                                        {0, 9},
                                        {2, IR_DIM_MAX},
                                        {13, 13},
                                        {5, 5},
                                        {10, 10},
                                        {0, 0},
                                        {IR_DIM_MAX - 1, IR_DIM_MAX - 1}};
  assert_int_equal(port[0].rank, 11);
  for (int i = 0; i < 11; i++)
    assert_dim(&port[0], i, expected[i][0], expected[i][1]);
  assert_place(&r, port[0].dims_at[0], 2, 36, "4");
  assert_place(&r, port[0].dims_at[3], 2, 74, "1..640");
  assert_place(&r, port[0].dims_at[6], 3, 35, "1<!-- <2> -->3");
  assert_place(&r, port[0].dims_at[7], 3, 60, "<![CDATA[5]]>");
  assert_place(&r, port[0].dims_at[8], 3, 84, "&#49;0");
  assert_place(&r, port[0].dims_at[9], 5, 3, "0");
  assert_int_equal(port[1].rank, 2);
  assert_dim(&port[1], 1, 8, 8);
  assert_place(&r, port[1].dims_at[0], 8, 7, "6");
  assert_place(&r, port[1].dims_at[1], 9, 6, "8");
  assert_int_equal(port[2].rank, 2);
  assert_dim(&port[2], 1, 7, 7);
  assert_int_equal(port[3].rank, IR_RANK_UNKNOWN);
  read_result_reset(&r);
}

/* A layer whose text repeats an earlier layer takes a fast path of the reader. */
static void repeated_layers(void **state) {
  (void)state;
  char text[4096] = "<net version=\"11\"><layers>\n";
  for (int i = 0; i < 6; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "<layer id=\"%d\" name=\"n\" type=\"T\" version=\"opset1\">%s<data kernel=\"2,%d\" mode=\"a&amp;b\"/>"
             "<output><port id=\"0\" precision=\"FP32\"><dim>3</dim><dim>%d</dim></port></output></layer>\n",
             i, i % 2 == 0 ? "" : "<!-- -->", i / 4, i / 3);
  strcat(text, "</layers></net>");
  read_result r;
  read_text(&r, text);
  assert_no_diags(&r);
  assert_int_equal(r.graph.n_layers, 6);
  for (int i = 0; i < 6; i++) {
    const ir_layer *layer = &r.graph.layers[i];
    const int shift = i % 2 == 0 ? 0 : 8;
    char kernel[16], dim[16];
    snprintf(kernel, sizeof kernel, "2,%d", i / 4);
    snprintf(dim, sizeof dim, "%d", i / 3);
    assert_int_equal(layer->n_attrs, 2);
    assert_string_equal(layer->attrs[0].value, kernel);
    assert_string_equal(layer->attrs[1].value, "a&b");
    assert_place(&r, layer->attrs[0].at, i + 2, 64 + shift, kernel);
    assert_place(&r, layer->attrs[1].name_at, i + 2, 69 + shift, "mode");
    assert_dim(&layer->outputs[0], 1, i / 3, i / 3);
    assert_place(&r, layer->outputs[0].dims_at[1], i + 2, 140 + shift, dim);
  }
  read_result_reset(&r);
}

static void lines_beyond_16_bits(void **state) {
  (void)state;
  enum { LINES = 70000 };
  char *text = malloc(LINES + 256);
  assert_non_null(text);
  strcpy(text, "<net version=\"11\">");
  memset(text + 18, '\n', LINES);
  strcpy(text + 18 + LINES, "  <layers><layer id=\"0\" name=\"a\" type=\"T\" version=\"opset1\"/></layers></net>");
  read_result r;
  read_text(&r, text);
  free(text);
  assert_no_diags(&r);
  assert_place(&r, r.graph.layers[0].type_at, LINES + 1, 40, "T");
  read_result_reset(&r);
}

/* Reads a model after `padding` bytes inside a comment or, if `in_tag`, inside one attribute. */
static void read_padded(read_result *result, size_t padding, bool in_tag) {
  static const char tail[] =
      "<layer id=\"1\" name=\"a\" type=\"T\" version=\"opset1\"><data k=\"1,2\"/>"
      "<input><port id=\"0\" precision=\"I64\"><dim>1</dim><dim>23</dim></port></input></layer>"
      "</layers><edges><edge from-layer=\"1\" from-port=\"2\" to-layer=\"3\" to-port=\"4\"/></edges></net>";
  char *text = malloc(padding + 512);
  assert_non_null(text);
  size_t n = (size_t)sprintf(text, "<net version=\"11\"><layers>%s",
                             in_tag ? "<layer id=\"0\" name=\"y\" output_names=\"" : "<!--");
  memset(text + n, 'x', padding);
  sprintf(text + n + padding, "%s%s", in_tag ? "\" type=\"Result\" version=\"opset1\"/>" : "-->", tail);
  read_text(result, text);
  free(text);
}

static void check_padded(read_result *r) {
  assert_no_diags(r);
  const ir_layer *layer = &r->graph.layers[r->graph.n_layers - 1];
  const int64_t column = (int64_t)layer->at.begin + 1;
  assert_int_equal(layer->id, 1);
  assert_place(r, layer->id_at, 1, column + 11, "1");
  assert_place(r, layer->attrs[0].at, 1, column + 58, "1,2");
  assert_int_equal(layer->inputs[0].type, IR_I64);
  assert_place(r, layer->inputs[0].type_at, 1, column + 95, "I64");
  assert_int_equal(layer->inputs[0].rank, 2);
  assert_place(r, layer->inputs[0].dims_at[1], 1, column + 117, "23");
  assert_place(r, r->graph.edges[0].to_port_at, 1, column + 221, "4");
}

/* Shifts the text so that the end of the reader's window falls on each byte of the tags. */
static void tags_on_every_border(void **state) {
  (void)state;
  for (size_t shift = 0; shift < 300; shift++) {
    read_result r;
    read_padded(&r, IR_WINDOW_BYTES - 330 + shift, false);
    check_padded(&r);
    read_result_reset(&r);
  }
}

static void tags_longer_than_what_is_held(void **state) {
  (void)state;
  static const size_t lengths[] = {IR_WINDOW_BYTES / 4 * 3, IR_WINDOW_BYTES, 3 * IR_WINDOW_BYTES, 1000000};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    read_result r;
    read_padded(&r, lengths[i], true);
    check_padded(&r);
    assert_int_equal(strlen(r.graph.layers[0].output_names), lengths[i]);
    assert_int_equal(r.graph.layers[0].output_names_at.length, lengths[i]);
    read_result_reset(&r);
  }
}

static void memory_does_not_grow_with_blanks(void **state) {
  (void)state;
  enum { BLANKS = 3000000 };
  failing_memory memory;
  char *text = malloc(2 * BLANKS + 256);
  assert_non_null(text);
  strcpy(text, "<net version=\"11\"><layers><layer id=\"0\" name=\"a\" type=\"T\" version=\"opset1\"/>");
  size_t n = strlen(text);
  memset(text + n, ' ', BLANKS);
  strcpy(text + n + BLANKS, "<!--");
  memset(text + n + BLANKS + 4, '-' + 1, BLANKS);
  strcpy(text + n + 2 * BLANKS + 4, "--></layers></net>");
  read_result r;
  assert_true(read_bytes(&r, failing_memory_of(&memory), text, strlen(text)));
  free(text);
  assert_no_diags(&r);
  assert_true(memory.largest <= 1024 * 1024);
  read_result_reset(&r);
  assert_int_equal(memory.n_alive, 0);
}

/* Each failing allocation is reported, and no memory leaks. */
static void every_allocation_may_fail(void **state) {
  (void)state;
  static const char text[] =
      "<net name=\"m\" version=\"11\"><layers><layer id=\"0\" name=\"a&amp;\" type=\"Result\" "
      "version=\"opset1\" output_names=\"o\"><data a=\"&#49;\"/><data b=\"2\"/>"
      "<output><port id=\"1\" precision=\"I8\" names=\"n\"><dim>1</dim></port>"
      "<port id=\"0\" precision=\"I8\"/></output></layer></layers>"
      "<edges><edge from-layer=\"0\" from-port=\"1\" to-layer=\"0\" to-port=\"1\"/></edges></net>";
  bool refused = true;
  int64_t n = 0;
  for (; refused && n < 1000; n++) {
    failing_memory memory;
    read_result r;
    ir_memory hooks = failing_memory_of(&memory);
    memory.refuse_at = n;
    bool opened = read_bytes(&r, hooks, text, strlen(text));
    refused = memory.n_requests == n;
    if (opened && refused)
      assert_true(r.diags.memory_is_out || r.diags.n_errors > 0);
    read_result_reset(&r);
    assert_int_equal(memory.n_alive, 0);
  }
  assert_in_range(n, 10, 999);
}

/* libxml2's own limit would refuse them: 10 MB for attributes that follow each other. */
static void long_names_in_a_row(void **state) {
  (void)state;
  enum { N = 12, BYTES = 1 << 20 };
  static char text[N * (BYTES + 80) + 80];
  size_t used = (size_t)sprintf(text, "<net version='11'><layers>");
  for (int i = 0; i < N; i++) {
    used += (size_t)sprintf(text + used, "<layer id='%d' name='y' type='Result' version='opset1' output_names='", i);
    memset(text + used, 'a', BYTES);
    used += BYTES;
    used += (size_t)sprintf(text + used, "'/>");
  }
  sprintf(text + used, "</layers></net>");
  read_result r;
  read_text(&r, text);
  assert_no_diags(&r);
  assert_int_equal(strlen(r.graph.layers[N - 1].output_names), BYTES);
  read_result_reset(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_model),
      cmocka_unit_test(places_in_unusual_text),
      cmocka_unit_test(names_with_control_characters),
      cmocka_unit_test(a_name_with_an_ampersand),
      cmocka_unit_test(dims_of_every_form),
      cmocka_unit_test(repeated_layers),
      cmocka_unit_test(lines_beyond_16_bits),
      cmocka_unit_test(tags_on_every_border),
      cmocka_unit_test(tags_longer_than_what_is_held),
      cmocka_unit_test(long_names_in_a_row),
      cmocka_unit_test(memory_does_not_grow_with_blanks),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
