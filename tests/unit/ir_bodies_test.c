/* Tests bodies, port maps and back edges in the graph that the reader makes. */
#include "read_text.h"

#define PARAMETER                                                                                                      \
  "<layer id='0' name='p' type='Parameter' version='opset1'><data shape='1' element_type='f32'/></layer>"

static const char nested[] =
    "<net version='11'><layers>\n"
    "<layer id='4' name='outer' type='Loop' version='opset5'>\n"
    "<data a='1'/>\n"
    "<port_map><input external_port_id='0' internal_layer_id='7'/>\n"
    "<output external_port_id='1' internal_layer_id='8' axis='0'/></port_map>\n"
    "<back_edges><edge from-layer='8' to-layer='7'/></back_edges>\n"
    "<body><layers>" PARAMETER "\n"
    "<layer id='1' name='inner' type='If' version='opset8'>"
    "<else_body><layers>" PARAMETER "</layers></else_body><then_body/>"
    "<else_port_map><input external_port_id='5' internal_layer_id='0'/></else_port_map>"
    "</layer>\n"
    "</layers><edges><edge from-layer='0' from-port='0' to-layer='1' to-port='0'/></edges></body>\n"
    "<input><port id='0'/></input></layer>\n"
    "<layer id='5' name='next' type='Result' version='opset1'/>\n"
    "</layers></net>";

static void a_body_in_a_body(void **state) {
  (void)state;
  read_result r;
  read_text(&r, nested);
  assert_no_diags(&r);
  const ir_graph *graph = &r.graph;
  assert_int_equal(graph->n_layers, 2);
  assert_int_equal(graph->n_bodies, 3);
  const ir_layer *outer = &graph->layers[0];
  assert_int_equal(outer->n_attrs, 1);
  assert_int_equal(outer->n_inputs, 1);
  assert_null(outer->scope_path);
  const ir_graph *body = outer->bodies->graphs[0];
  assert_ptr_equal(body, graph->bodies[0]);
  assert_ptr_equal(body->outer, graph);
  assert_int_equal(body->n_layers, 2);
  assert_int_equal(body->n_edges, 1);
  assert_string_equal(body->layers[1].scope_path->name, "outer");
  const ir_bodies *inner = body->layers[1].bodies;
  assert_non_null(inner->graphs[0]);
  assert_int_equal(inner->graphs[0]->n_layers, 0);
  assert_int_equal(inner->graphs[1]->number, 1);
  const ir_layer *deep = &inner->graphs[1]->layers[0];
  assert_string_equal(deep->scope_path->name, "inner");
  assert_ptr_equal(deep->scope_path->outer, body->layers[0].scope_path);
  assert_string_equal(deep->attrs[1].value, "f32");
  assert_place(&r, deep->id_at, 8, 85, "0");
  read_result_reset(&r);
}

static void lines_in_the_order_of_the_file(void **state) {
  (void)state;
  read_result r;
  read_text(&r, nested);
  const ir_line *line = r.graph.layers[0].bodies->lines;
  assert_int_equal(line->kind, IR_LINE_INPUT);
  assert_string_equal(line->layer.name, "outer");
  assert_string_equal(line->layer.attrs[1].name, "internal_layer_id");
  assert_place(&r, line->layer.attrs[1].at, 4, 58, "7");
  line = line->next;
  assert_int_equal(line->kind, IR_LINE_OUTPUT);
  assert_int_equal(line->layer.n_attrs, 3);
  line = line->next;
  assert_int_equal(line->kind, IR_LINE_BACK_EDGE);
  assert_place(&r, line->layer.at, 6, 13, "<edge from-layer='8' to-layer='7'/>");
  assert_null(line->next);
  assert_int_equal(r.graph.bodies[0]->layers[1].bodies->lines->body, 1);
  read_result_reset(&r);
}

/* The reader copies attributes of a <data> that equals the last one. Port maps, bodies and a second <data> between
 * two equal ones must not change the copy. */
static void a_data_that_repeats_after_a_port_map(void **state) {
  (void)state;
#define SOFT_MAX(id) "<layer id='" id "' name='s' type='SoftMax' version='opset8'><data axis='1'/></layer>\n"
  read_result r;
  read_text(&r, "<net version='11'><layers>\n" SOFT_MAX("0") //
            "<layer id='1' name='t' type='TensorIterator' version='opset1'>"
            "<port_map><input axis='0' external_port_id='0' internal_layer_id='0'/>"
            "<output external_port_id='1' internal_layer_id='0'/></port_map>"
            "<body><layers>" PARAMETER "</layers></body></layer>\n" SOFT_MAX("2") //
            "<layer id='3' name='t' type='Loop' version='opset5'><data axis='1'/>"
            "<port_map><input axis='7' external_port_id='0' internal_layer_id='0'/></port_map>"
            "<body><layers>" PARAMETER "</layers></body></layer>\n" SOFT_MAX("4") SOFT_MAX("5") "</layers></net>");
  assert_no_diags(&r);
  assert_int_equal(r.graph.n_layers, 6);
  const int line_of[] = {2, 0, 4, 0, 6, 7};
  for (int i = 0; i < 6; i++) {
    const ir_layer *layer = &r.graph.layers[i];
    assert_int_equal(layer->n_attrs, i == 1 ? 0 : 1);
    if (i == 1)
      continue;
    assert_string_equal(layer->attrs[0].name, "axis");
    assert_string_equal(layer->attrs[0].value, "1");
    if (line_of[i] > 0)
      assert_place(&r, layer->attrs[0].at, line_of[i], 68, "1");
  }
  read_result_reset(&r);
}

/* If a file ends inside a body, the reader frees all memory exactly once. */
static void a_file_that_ends_in_a_body(void **state) {
  (void)state;
  for (size_t n = 30; n < sizeof nested; n += 7) {
    read_result r;
    assert_true(read_bytes(&r, ir_memory_default(), nested, n));
    read_result_reset(&r);
  }
}

static void more_bodies_in_each_other_than_are_read(void **state) {
  (void)state;
  char text[8192] = "<net version='11'>";
  for (int i = 0; i < 34; i++)
    strcat(text, "<layers><layer id='0' name='l' type='Loop' version='opset5'><body>");
  read_result r;
  read_text(&r, text);
  assert_int_equal(r.diags.first->rule, IR004_LIMIT_EXCEEDED);
  assert_int_equal(r.diags.first->n_inside, 32);
  assert_string_equal(r.diags.first->layer_inside[31], "l");
  read_result_reset(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_in_a_body), cmocka_unit_test(lines_in_the_order_of_the_file),
      cmocka_unit_test(a_file_that_ends_in_a_body), cmocka_unit_test(a_data_that_repeats_after_a_port_map),
      cmocka_unit_test(more_bodies_in_each_other_than_are_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
