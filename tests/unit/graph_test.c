/* Tests the graph as a container: appending, look-up, and lists of tensor names. */
#include "failing_memory.h"
#include "graph/graph.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void layers_and_edges_are_appended(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_graph graph;
  ir_graph_init(&graph, &memory);
  for (int64_t i = 0; i < 1000; i++) {
    ir_layer *layer = ir_graph_add_layer(&graph);
    ir_edge *edge = ir_graph_add_edge(&graph);
    assert_non_null(layer);
    assert_int_equal(layer->id, 0); /* a new layer is zeroed */
    assert_null(layer->attrs);
    assert_int_equal(edge->at.length, 0);
    layer->id = i;
    edge->to_port = -i;
  }
  assert_int_equal(graph.n_layers, 1000);
  assert_int_equal(graph.n_edges, 1000);
  for (int64_t i = 0; i < 1000; i++) {
    assert_int_equal(graph.layers[i].id, i);
    assert_int_equal(graph.edges[i].to_port, -i);
  }
  counts.refuse_at = 0;
  while (graph.n_layers < graph.layers_capacity)
    assert_non_null(ir_graph_add_layer(&graph));
  assert_null(ir_graph_add_layer(&graph));
  assert_int_equal(graph.layers[999].id, 999);
  ir_graph_reset(&graph);
  assert_int_equal(counts.n_alive, 0);
  assert_int_equal(graph.n_layers, 0);
}

static void counts_are_capped(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_graph graph;
  ir_graph_init(&graph, &memory);
  graph.n_layers = (size_t)IR_MAX_LAYERS;
  graph.n_edges = (size_t)IR_MAX_EDGES;
  assert_null(ir_graph_add_layer(&graph));
  assert_null(ir_graph_add_edge(&graph));
  graph.n_layers = graph.n_edges = 0;
  ir_graph_reset(&graph);
}

static void a_graph_owns_its_files(void **state) {
  (void)state;
  failing_memory counts;
  ir_memory memory = failing_memory_of(&counts);
  ir_graph graph;
  ir_graph_init(&graph, &memory);
  graph.source = ir_source_create(&memory, IR_SOURCE_TEXT, "m.xml");
  graph.weights = ir_weights_create(&memory, "m.bin", false);
  assert_non_null(ir_arena_alloc(&graph.arena, 100));
  ir_graph_reset(&graph);
  assert_int_equal(counts.n_alive, 0);
  assert_null(graph.source);
  ir_graph_reset(&graph);
}

static void attributes_are_found_by_name(void **state) {
  (void)state;
  ir_raw_attr attrs[] = {
      {.name = "kernel", .value = "2"}, {.name = "strides", .value = "3"}, {.name = "kernel", .value = "4"}};
  ir_layer layer = {.attrs = attrs, .n_attrs = 3};
  assert_string_equal(ir_layer_attr(&layer, "strides")->value, "3");
  assert_string_equal(ir_layer_attr(&layer, "kernel")->value, "2");
  assert_null(ir_layer_attr(&layer, "Kernel"));
  assert_null(ir_layer_attr(&layer, ""));
  ir_layer empty = {0};
  assert_null(ir_layer_attr(&empty, "kernel"));
}

static void places_of_zero_length_at_zero_are_nowhere(void **state) {
  (void)state;
  assert_true(ir_span_of((ir_at){0, 0}).end < 0);
  assert_int_equal(ir_span_of((ir_at){0, 1}).end, 1);
  assert_int_equal(ir_span_of((ir_at){5, 0}).begin, 5);
  assert_true(ir_span_of((ir_at){UINT32_MAX, UINT32_MAX}).end == 2 * (int64_t)UINT32_MAX);
}

static void assert_names(const char *text, size_t size, const char *const *expected) {
  char buffer[64];
  const char *cursor = text;
  for (; *expected != NULL; expected++) {
    memset(buffer, '#', sizeof buffer);
    assert_true(ir_next_tensor_name(&cursor, buffer, size));
    assert_string_equal(buffer, *expected);
  }
  assert_false(ir_next_tensor_name(&cursor, buffer, size));
  assert_string_equal(buffer, "");
  assert_false(ir_next_tensor_name(&cursor, buffer, size));
}

#define NAMES(...) ((const char *const[]){__VA_ARGS__ NULL})

static void names_are_split(void **state) {
  (void)state;
  assert_names(NULL, 64, NAMES());
  assert_names("", 64, NAMES());
  assert_names("x", 64, NAMES("x", ));
  assert_names("x,y", 64, NAMES("x", "y", ));
  assert_names("x,y,", 64, NAMES("x", "y", ));
  assert_names(" x , \ty\n", 64, NAMES("x", "y", ));
  assert_names(",, ,x,,y , ,", 64, NAMES("x", "y", ));
  assert_names("two words,x", 64, NAMES("two words", "x", ));
  assert_names("a\\,b,c", 64, NAMES("a,b", "c", ));
  assert_names("\\,,\\,\\,", 64, NAMES(",", ",,", ));
  assert_names("a\\b,c\\", 64, NAMES("a\\b", "c\\", )); /* a backslash is special only before a comma */
  assert_names("pool:0/x=1", 64, NAMES("pool:0/x=1", ));
}

static void long_names_are_cut(void **state) {
  (void)state;
  assert_names("abcdefgh,xy", 4, NAMES("abc", "xy", ));
  assert_names("ab  cd,x", 4, NAMES("ab", "x", ));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layers_and_edges_are_appended),
      cmocka_unit_test(counts_are_capped),
      cmocka_unit_test(a_graph_owns_its_files),
      cmocka_unit_test(attributes_are_found_by_name),
      cmocka_unit_test(places_of_zero_length_at_zero_are_nowhere),
      cmocka_unit_test(names_are_split),
      cmocka_unit_test(long_names_are_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
