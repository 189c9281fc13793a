#include "model_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

FILE *model_begin(const char *xml) {
  FILE *file = fopen(xml, "w");
  assert_non_null(file);
  fprintf(file, "<net name=\"m\" version=\"11\"><layers>\n");
  return file;
}

static void source_begin(FILE *file, int id, const char *name, const char *op, ir_type type, const char *shape) {
  fprintf(file, "<layer id=\"%d\" name=\"%s\" type=\"%s\" version=\"opset1\"><data element_type=\"%s\" shape=\"%s\"",
          id, name, op, ir_type_name(type), shape);
}

static void source_end(FILE *file, ir_type type) {
  fprintf(file, "/><output><port id=\"0\" precision=\"%s\"/></output></layer>\n", ir_type_precision(type));
}

void model_parameter(FILE *file, int id, const char *name, ir_type type, const char *shape) {
  source_begin(file, id, name, "Parameter", type, shape);
  source_end(file, type);
}

void model_const(FILE *file, int id, const char *name, ir_type type, const char *shape, size_t offset, size_t bytes) {
  source_begin(file, id, name, "Const", type, shape);
  fprintf(file, " offset=\"%zu\" size=\"%zu\"", offset, bytes);
  source_end(file, type);
}

void model_result(FILE *file, int id, const char *name) {
  fprintf(file,
          "<layer id=\"%d\" name=\"%s\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>\n",
          id, name);
}

void model_edges(FILE *file) {
  fprintf(file, "</layers><edges>\n");
}

void model_edge(FILE *file, int from, int from_port, int to, int to_port) {
  fprintf(file, "<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"%d\"/>\n", from, from_port, to,
          to_port);
}

void model_end(FILE *file) {
  fprintf(file, "</edges></net>\n");
  assert_int_equal(fclose(file), 0);
}

const char *model_list(const int64_t *items, int n, char buffer[MODEL_LIST]) {
  size_t used = 0;
  buffer[0] = '\0';
  for (int i = 0; i < n; i++)
    used += (size_t)snprintf(buffer + used, MODEL_LIST - used, "%s%lld", i > 0 ? "," : "", (long long)items[i]);
  assert_true(used < MODEL_LIST);
  return buffer;
}
