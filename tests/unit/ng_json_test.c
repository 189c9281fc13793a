/* Tests the graph that the nGraph JSON reader makes of a model, and the place of every part in the file. */
#include "failing_memory.h"
#include "read_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *value_of(const ir_layer *layer, const char *name) {
  const ir_raw_attr *attr = ir_layer_attr(layer, name);
  return attr == NULL ? "(none)" : attr->value == NULL ? "(at fault)" : attr->value;
}

/* Lists the names, types and ids of all layers, such as "X Parameter 0; P AvgPool 1". */
static const char *list_layers(const ir_graph *graph, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (size_t i = 0; i < graph->n_layers && used < size; i++) {
    const ir_layer *layer = &graph->layers[i];
    used += (size_t)snprintf(buffer + used, size - used, "%s%s %s %lld", i > 0 ? "; " : "", layer->name, layer->type,
                             (long long)layer->id);
  }
  return buffer;
}

/* Lists the layer ids and ports of all edges, such as "0.0-1.0 1.0-2.0". */
static const char *list_edges(const ir_graph *graph, char *buffer, size_t size) {
  size_t used = 0;
  buffer[0] = '\0';
  for (size_t i = 0; i < graph->n_edges && used < size; i++) {
    const ir_edge *edge = &graph->edges[i];
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld.%lld-%lld.%lld", i > 0 ? " " : "",
                             (long long)edge->from_layer, (long long)edge->from_port, (long long)edge->to_layer,
                             (long long)edge->to_port);
  }
  return buffer;
}

static void assert_graph(const read_result *r, const char *layers, const char *edges) {
  char buffer[1024];
  assert_string_equal(list_layers(&r->graph, buffer, sizeof buffer), layers);
  assert_string_equal(list_edges(&r->graph, buffer, sizeof buffer), edges);
}

#define TINY                                                                                                           \
  "[{\"name\": \"tiny\", \"parameters\": [\"X\"], \"result\": [\"R\"], \"ops\": [\n"                                   \
  "  {\"name\": \"X\", \"op\": \"Parameter\", \"op_version\": 0, \"outputs\": [\"X_0\"], \"element_type\": "           \
  "\"float\",\n"                                                                                                       \
  "   \"shape\": [1, null, 4], \"cacheable\": false},\n"                                                               \
  "  {\"name\": \"P\", \"op\" : \"AvgPool\", \"inputs\": [\"X\"], \"outputs\": [\"P_0\", \"a,b\"],\n"                  \
  "   \"window_shape\": [ 2,\n 2 ], \"padding_below\": [], \"include_padding_in_avg_computation\": true,\n"            \
  "   \"pad_type\": 3, \"auto_pad\": \"SAME_\\u0055PPER\"},\n"                                                         \
  "  {\"name\": \"R\", \"friendly_name\": \"y\", \"op\": \"Result\", \"inputs\": [{\"node\": \"P\", \"index\": 1}],\n" \
  "   \"outputs\": [\"R_0\"]}]}]\n"

static void a_small_model(void **state) {
  (void)state;
  read_result r;
  read_text(&r, TINY);
  assert_no_diags(&r);
  const ir_graph *g = &r.graph;
  assert_int_equal(g->dialect, IR_NGRAPH);
  assert_int_equal(g->version, 0);
  assert_string_equal(g->name, "tiny");
  assert_null(g->weights);
  assert_graph(&r, "X Parameter 0; P AvgPool 1; y Result 2", "0.0-1.0 1.1-2.0");
  const ir_layer *x = &g->layers[0], *pool = &g->layers[1], *y = &g->layers[2];
  assert_string_equal(x->opset, "0");
  assert_place(&r, x->opset_at, 2, 50, "0");
  assert_string_equal(pool->opset, "0");
  assert_place(&r, pool->name_at, 4, 13, "P");
  assert_place(&r, pool->type_at, 4, 25, "AvgPool");
  assert_place(&r, y->name_at, 8, 35, "y");
  assert_place(&r, y->id_at, 8, 13, "R");
  assert_int_equal(pool->n_inputs, 1);
  assert_int_equal(pool->inputs[0].rank, IR_RANK_UNKNOWN);
  assert_int_equal(pool->inputs[0].type, IR_DYNAMIC);
  assert_place(&r, pool->inputs[0].at, 4, 46, "\"X\"");
  assert_int_equal(pool->n_outputs, 2);
  assert_int_equal(pool->outputs[1].id, 1);
  assert_string_equal(pool->outputs[0].names, "P_0");
  assert_string_equal(pool->outputs[1].names, "a\\,b");
  assert_place(&r, pool->outputs[1].names_at, 4, 72, "a,b");
  assert_int_equal(y->n_outputs, 0);
  assert_string_equal(y->output_names, "R_0");
  assert_place(&r, g->edges[1].at, 8, 66, "{\"node\": \"P\", \"index\": 1}");
  assert_place(&r, g->edges[1].from_layer_at, 8, 76, "P");
  assert_place(&r, g->edges[1].from_port_at, 8, 89, "1");
  read_result_reset(&r);
}

static void attributes_and_their_places(void **state) {
  (void)state;
  read_result r;
  read_text(&r, TINY);
  const ir_layer *x = &r.graph.layers[0], *pool = &r.graph.layers[1];
  assert_int_equal(x->n_attrs, 3);
  assert_string_equal(value_of(x, "element_type"), "float");
  assert_place(&r, ir_layer_attr(x, "element_type")->at, 2, 90, "float");
  assert_string_equal(value_of(x, "shape"), "1, ?   , 4");
  assert_place(&r, ir_layer_attr(x, "shape")->at, 3, 14, "1, null, 4");
  assert_place(&r, ir_layer_attr(x, "shape")->name_at, 3, 5, "shape");
  assert_string_equal(value_of(x, "cacheable"), "false");
  assert_int_equal(pool->n_attrs, 5);
  assert_string_equal(value_of(pool, "window_shape"), " 2,\n 2 ");
  assert_place(&r, ir_layer_attr(pool, "window_shape")->at, 5, 21, " 2,\n 2 ");
  assert_string_equal(value_of(pool, "padding_below"), "");
  assert_place(&r, ir_layer_attr(pool, "padding_below")->at, 6, 25, "");
  assert_string_equal(value_of(pool, "include_padding_in_avg_computation"), "true");
  assert_string_equal(value_of(pool, "pad_type"), "3");
  assert_place(&r, ir_layer_attr(pool, "pad_type")->at, 7, 16, "3");
  assert_string_equal(value_of(pool, "auto_pad"), "SAME_UPPER");
  assert_place(&r, ir_layer_attr(pool, "auto_pad")->at, 7, 32, "SAME_\\u0055PPER");
  read_result_reset(&r);
}

#define F(parameters, result, ops)                                                                                     \
  "[{\"name\":\"f\",\"parameters\":[" parameters "],\"result\":[" result "],\"ops\":[" ops "]}]"
#define N(name, op, inputs)    "{\"name\":\"" name "\",\"op\":\"" op "\",\"inputs\":[" inputs "]}"
#define PARAMETER(name)        "{\"name\":\"" name "\",\"op\":\"Parameter\",\"element_type\":\"float\",\"shape\":[]}"
#define CONSTANT(name, fields) "{\"name\":\"" name "\",\"op\":\"Constant\"" fields "}"

static void the_lists_give_the_order(void **state) {
  (void)state;
  read_result r;
  read_text(&r, F("\"B\",\"A\"", "\"S\",\"R\",\"S\"",
                  PARAMETER("A") "," PARAMETER("B") "," N("R", "Result", "\"A\"") "," N("C", "Relu", "\"B\"") "," N(
                      "S", "Result", "\"C\"")));
  assert_no_diags(&r);
  assert_graph(&r, "B Parameter 1; A Parameter 0; C Relu 3; S Result 4; R Result 2; S Result 5",
               "1.0-3.0 3.0-4.0 0.0-2.0 3.0-5.0");
  assert_true(r.graph.layers[5].made && !r.graph.layers[3].made);
  read_result_reset(&r);
}

/* A Result with two inputs becomes one layer, even if the model lists the Result for each input. */
static void wide_results_are_not_repeated(void **state) {
  (void)state;
  read_result r;
  read_text(&r, F("\"A\"", "\"R\",\"R\"", PARAMETER("A") "," N("R", "Result", "\"A\",\"A\"")));
  assert_no_diags(&r);
  assert_graph(&r, "A Parameter 0; R Result 1", "0.0-1.0 0.0-1.1");
  read_result_reset(&r);
}

static void old_results_are_any_nodes(void **state) {
  (void)state;
  read_result r;
  read_text(&r, F("\"A\"", "\"C\",\"C\",\"A\"", PARAMETER("A") "," N("C", "Relu", "\"A\"")));
  assert_no_diags(&r);
  assert_graph(&r, "A Parameter 0; C Relu 1; C Result 2; C Result 3; A Result 4", "0.0-1.0 1.0-2.0 1.0-3.0 0.0-4.0");
  for (int i = 2; i < 5; i++)
    assert_true(r.graph.layers[i].made);
  read_result_reset(&r);
}

static void old_types_of_parameters_and_constants(void **state) {
  (void)state;
  read_result r;
  read_text(&r, F("\"A\"", "\"K\"",
                  "{\"name\":\"A\",\"op\":\"Parameter\",\"shape\":[9],\"value_type\":{\"element_type\":\n"
                  "{\"bitwidth\":32,\"c_type_string\":\"float\"},\"shape\":null}},"
                  "{\"name\":\"K\",\"op\":\"Constant\",\"value_type\":{\"shape\":[2],\"element_type\":\"int8_t\"},"
                  "\"value\":[\"1\", \"-2\"]}"));
  assert_no_diags(&r);
  const ir_layer *a = &r.graph.layers[0], *k = &r.graph.layers[1];
  assert_int_equal(a->n_attrs, 2);
  assert_string_equal(value_of(a, "element_type"), "float");
  assert_place(&r, ir_layer_attr(a, "element_type")->at, 2, 33, "float");
  assert_string_equal(value_of(a, "shape"), "... ");
  assert_place(&r, ir_layer_attr(a, "shape")->at, 2, 49, "null");
  assert_int_equal(k->n_attrs, 3);
  assert_string_equal(value_of(k, "element_type"), "int8_t");
  assert_string_equal(value_of(k, "shape"), "2");
  assert_string_equal(value_of(k, "value"), "\"1\", \"-2\"");
  read_result_reset(&r);
}

/* An attribute whose JSON kind is wrong has no value. It is not reported as missing too. */
static void attributes_of_a_wrong_kind(void **state) {
  (void)state;
  read_result r;
  char list[256];
  read_text(&r, F("", "\"K\"", "\n" CONSTANT("K", ",\"value_type\":1,\"value\":{}")));
  list_diags(&r, list, sizeof list);
  assert_string_equal(list, "IR012 error 2:42, IR012 error 2:52");
  const ir_layer *k = &r.graph.layers[0];
  assert_int_equal(k->n_attrs, 3);
  assert_string_equal(value_of(k, "element_type"), "(at fault)");
  assert_string_equal(value_of(k, "shape"), "(at fault)");
  assert_string_equal(value_of(k, "value"), "(at fault)");
  read_result_reset(&r);
}

static void inner_nodes_say_nothing_of_types(void **state) {
  (void)state;
  read_result r;
  read_text(&r, F("\"A\"", "\"C\"",
                  PARAMETER("A") ",{\"name\":\"C\",\"op\":\"Relu\",\"inputs\":[\"A\"],\"outputs\":null,"
                                 "\"element_type\":\"float\",\"shape\":[1],\"value_type\":{},\"control_deps\":[\"A\"],"
                                 "\"type_info\":{},\"provenance_tags\":[],\"attribute_visitor\":true,\"own\":[1]}"));
  assert_no_diags(&r);
  assert_int_equal(r.graph.layers[1].n_attrs, 1);
  assert_string_equal(value_of(&r.graph.layers[1], "own"), "1");
  assert_int_equal(r.graph.layers[1].n_outputs, 1);
  read_result_reset(&r);
}

static void visited_shapes(void **state) {
  (void)state;
  read_result r;
  read_text(&r, F("\"A\",\"B\"", "\"A\",\"B\"",
                  "{\"name\":\"A\",\"op\":\"Parameter\",\"attribute_visitor\":true,\"element_type\":\"f32\","
                  "\"shape\":[-2]},{\"name\":\"B\",\"op\":\"Parameter\",\"attribute_visitor\":true,"
                  "\"element_type\":\"f32\",\"shape\":[-1, 2]}"));
  assert_no_diags(&r);
  assert_string_equal(value_of(&r.graph.layers[0], "shape"), "...");
  assert_string_equal(value_of(&r.graph.layers[1], "shape"), "-1, 2");
  read_result_reset(&r);
}

static void get_output_element(void **state) {
  (void)state;
  read_result r;
  read_text(&r,
            F("\"A\"", "\"G\",\"H\"",
              PARAMETER("A") ",{\"name\":\"T\",\"op\":\"TopK\",\"inputs\":[\"A\"],\"outputs\":[\"t\",\"u\"]},"
                             "{\"name\":\"G\",\"op\":\"GetOutputElement\",\"inputs\":[\"T\"],\"n\":1},"
                             "{\"name\":\"H\",\"op\":\"GetOutputElement\",\"inputs\":[{\"node\":\"T\",\"index\":0}],"
                             "\"n\":0}"));
  assert_no_diags(&r);
  assert_graph(&r, "A Parameter 0; T TopK 1; G GetOutputElement 2; H GetOutputElement 3; G Result 4; H Result 5",
               "0.0-1.0 1.1-2.0 1.0-3.0 2.0-4.0 3.0-5.0");
  assert_string_equal(value_of(&r.graph.layers[2], "n"), "1");
  read_result_reset(&r);
}

/* The last function is the model. Of other functions, only nodes that the model names are used. */
static void several_functions(void **state) {
  (void)state;
  read_result r;
  char list[256];
  read_text(
      &r,
      "[{\"name\":\"f\",\"parameters\":[],\"result\":[\"K\"],\"ops\":[\n" CONSTANT("K", ",\"value\":[]") ",\n" CONSTANT(
          "L", ",\"value\":[]") "]},\n"
                                "{\"name\":\"g\",\"parameters\":[],\"result\":[\"C\"],\"ops\":[" N("C", "Relu",
                                                                                                   "\"K\"") "]}]");
  list_diags(&r, list, sizeof list);
  assert_string_equal(list, "IR109 warning 3:10");
  assert_string_equal(r.graph.name, "g");
  assert_graph(&r, "K Constant 0; C Relu 2; C Result 3", "0.0-2.0 2.0-3.0");
  read_result_reset(&r);
}

/* ---- archives ---- */

typedef struct archive {
  unsigned char bytes[4096];
  size_t n;
  bool big_endian;
} archive;

static void put_word(archive *a, unsigned word) {
  a->bytes[a->n++] = (unsigned char)(a->big_endian ? word >> 8 : word & 0xff);
  a->bytes[a->n++] = (unsigned char)(a->big_endian ? word & 0xff : word >> 8);
}

static void put_record(archive *a, const char *name, const void *data, size_t size) {
  const size_t n_name = strlen(name) + 1;
  assert_true(a->n + 64 + n_name + size < sizeof a->bytes);
  put_word(a, 0x71c7);
  for (int i = 0; i < 9; i++)
    put_word(a, 0x0a0a);
  put_word(a, (unsigned)n_name);
  put_word(a, (unsigned)(size >> 16));
  put_word(a, (unsigned)(size & 0xffff));
  memcpy(a->bytes + a->n, name, n_name);
  a->n += n_name + n_name % 2;
  memcpy(a->bytes + a->n, data, size);
  a->n += size + size % 2;
}

static const char archived[] = "[{\"name\":\"f\",\"parameters\":[],\n\"result\":[\"K\"],\"ops\":[\n" CONSTANT(
    "K", ",\"element_type\":\"char\",\"shape\":[3]") "]}]";

static void archives_of_both_byte_orders(void **state) {
  (void)state;
  for (int order = 0; order < 2; order++) {
    archive a = {.big_endian = order == 1};
    put_record(&a, "model", archived, sizeof archived - 1);
    put_record(&a, "K", "\1\0\1", 3);
    put_record(&a, "TRAILER!!!", "", 0);
    failing_memory memory;
    read_result r;
    assert_true(read_bytes(&r, failing_memory_of(&memory), (const char *)a.bytes, a.n));
    assert_no_diags(&r);
    const ir_layer *k = &r.graph.layers[0];
    assert_graph(&r, "K Constant 0; K Result 1", "0.0-1.0");
    assert_place(&r, k->name_at, 3, 10, "K");
    assert_place(&r, ir_layer_attr(k, "shape")->at, 3, 60, "3");
    assert_int_equal(k->data_bytes, 3);
    assert_memory_equal(k->data, "\1\0\1", 3);
    char line[128];
    int64_t skipped;
    assert_true(ir_source_line(r.graph.source, r.graph.at.begin, line, sizeof line, &skipped));
    assert_string_equal(line, "[{\"name\":\"f\",\"parameters\":[],");
    read_result_reset(&r);
    assert_int_equal(memory.n_alive, 0);
  }
}

/* Archives are cut after each byte, or have a changed header byte. The reader reports a fault or reads the same
 * model. */
static void archives_that_lie(void **state) {
  (void)state;
  archive a = {.big_endian = false};
  put_record(&a, "model", archived, sizeof archived - 1);
  put_record(&a, "K", "\1\0\1", 3);
  put_record(&a, "TRAILER!!!", "", 0);
  for (size_t n = 2; n < a.n; n++) {
    read_result r;
    assert_true(read_bytes(&r, ir_memory_default(), (const char *)a.bytes, n));
    assert_int_equal(r.code, IR_INVALID);
    assert_int_equal(r.diags.n_errors, 1);
    assert_int_equal(r.diags.first->rule, IR013_ARCHIVE_MALFORMED);
    read_result_reset(&r);
  }
  for (size_t i = 0; i < a.n; i++)
    for (int change = 1; change < 256; change *= 2) {
      read_result r;
      a.bytes[i] = (unsigned char)(a.bytes[i] ^ change);
      assert_true(read_bytes(&r, ir_memory_default(), (const char *)a.bytes, a.n));
      assert_true(r.code == IR_OK || r.diags.n_errors > 0);
      a.bytes[i] = (unsigned char)(a.bytes[i] ^ change);
      read_result_reset(&r);
    }
}

/* Constants of one name share the elements: memory depends on the archive, not on the number of Constants. */
static void a_record_is_read_once(void **state) {
  static const char text[] = "[{\"name\":\"f\",\"parameters\":[],\n\"result\":[\"K\"],\"ops\":[\n" CONSTANT(
      "K", ",\"element_type\":\"char\",\"shape\":[3]") "," CONSTANT("K",
                                                                    ",\"element_type\":\"char\",\"shape\":[3]") "]}]";
  (void)state;
  archive a = {.big_endian = false};
  read_result r;
  put_record(&a, "model", text, sizeof text - 1);
  put_record(&a, "K", "\1\0\1", 3);
  put_record(&a, "TRAILER!!!", "", 0);
  assert_true(read_bytes(&r, ir_memory_default(), (const char *)a.bytes, a.n));
  assert_int_equal(r.diags.first->rule, IR114_NODE_NAME_REPEATED);
  assert_memory_equal(r.graph.layers[0].data, "\1\0\1", 3);
  assert_ptr_equal(r.graph.layers[0].data, r.graph.layers[1].data);
  read_result_reset(&r);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  bool failed = true;
  int64_t n = 0;
  for (; failed; n++) {
    failing_memory memory;
    ir_memory hooks = failing_memory_of(&memory);
    memory.refuse_at = n;
    read_result r;
    const bool opened = read_bytes(&r, hooks, TINY, strlen(TINY));
    failed = !opened || r.code != IR_OK;
    if (failed)
      assert_int_equal(r.code, IR_NO_MEMORY);
    if (opened)
      read_result_reset(&r);
    else
      ir_diags_reset(&r.diags);
    assert_int_equal(memory.n_alive, 0);
  }
  assert_true(n > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_model),
      cmocka_unit_test(attributes_and_their_places),
      cmocka_unit_test(the_lists_give_the_order),
      cmocka_unit_test(wide_results_are_not_repeated),
      cmocka_unit_test(old_results_are_any_nodes),
      cmocka_unit_test(old_types_of_parameters_and_constants),
      cmocka_unit_test(attributes_of_a_wrong_kind),
      cmocka_unit_test(inner_nodes_say_nothing_of_types),
      cmocka_unit_test(visited_shapes),
      cmocka_unit_test(get_output_element),
      cmocka_unit_test(several_functions),
      cmocka_unit_test(archives_of_both_byte_orders),
      cmocka_unit_test(archives_that_lie),
      cmocka_unit_test(a_record_is_read_once),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
