/* Tests limits of a model's text. */
#include "limits_test.h"
#include "read_text.h"
#include "small_limits.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define NET    "<net version=\"11\">\n"
#define LAYERS NET "<layers>\n"
#define LAYER  "<layer id=\"0\" name=\"a\" type=\"T\" version=\"opset1\">"
#define END    "</layers></net>"
#define JSON   "[{\"name\":\"f\",\"ops\":\n"

/* A text is `before`, n copies of `each`, `middle`, n copies of `close`, and `after`. '#' in `each` is the number of
 * the copy. NULL: no text. */
typedef struct text_parts {
  const char *before, *each, *middle, *close, *after;
} text_parts;

static void print_text(FILE *file, const text_parts *parts, int64_t n) {
  const char *mark = strchr(parts->each, '#');
  fputs(parts->before, file);
  for (int64_t i = 0; i < n; i++)
    if (mark == NULL)
      fputs(parts->each, file);
    else
      fprintf(file, "%.*s%lld%s", (int)(mark - parts->each), parts->each, (long long)i, mark + 1);
  fputs(parts->middle == NULL ? "" : parts->middle, file);
  for (int64_t i = 0; i < n && parts->close != NULL; i++)
    fputs(parts->close, file);
  fputs(parts->after == NULL ? "" : parts->after, file);
}

/* The first report of IR004, such as "4:1 more than 2 layers"; "" if there is none. */
static void find_limit(const read_result *r, char out[256]) {
  const ir_diag *diag = r->diags.first;
  while (diag != NULL && diag->rule != IR004_LIMIT_EXCEEDED)
    diag = diag->next;
  out[0] = '\0';
  if (diag != NULL)
    snprintf(out, 256, "%lld:%lld %s", (long long)diag->line, (long long)diag->column, diag->message);
}

static void check_bytes_limit(const char *bytes, size_t size, const char *fault) {
  read_result r;
  char found[256];
  assert_true(read_bytes(&r, ir_memory_default(), bytes, size));
  find_limit(&r, found);
  if (strcmp(found, fault) != 0)
    fail_msg("%.200s\n gave '%s', expected '%s'", bytes, found, fault);
  read_result_reset(&r);
}

/* `most` copies are below the limit. One more is above it, and `fault` is its place and message. */
static void check_limit(text_parts parts, int64_t most, const char *fault) {
  for (int64_t n = most; n <= most + 1; n++) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    print_text(file, &parts, n);
    assert_int_equal(fclose(file), 0);
    check_bytes_limit(text, size, n == most ? "" : fault);
    free(text);
  }
}

void limit_rank(void **state) {
  (void)state;
  check_limit((text_parts){LAYERS LAYER "<output><port id=\"0\" precision=\"I8\">", "\n<dim>1</dim>",
                           .after = "</port></output></layer>" END},
              IR_MAX_RANK, "20:6 more than 16 dims in one port");
}

/* The root and <rt_info> are two elements; the list of functions and a function are two levels of JSON. */
void limit_depth(void **state) {
  (void)state;
  check_limit((text_parts){NET "<rt_info>", "\n<a>", .close = "</a>", .after = "</rt_info></net>"}, IR_MAX_DEPTH - 2,
              "257:1 elements are nested more than 256 deep");
  check_limit((text_parts){JSON, "[", .close = "]", .after = "}]"}, IR_MAX_DEPTH - 2,
              "2:255 more than 256 arrays and objects inside each other");
}

#define FUNCTION(result) "[{\"name\":\"f\",\"parameters\":[],\"result\":[" result "],\"ops\":[\n"
#define NODE(name)       "{\"name\":\"" name "\",\"op\":\"Relu\",\"inputs\":[]}"

/* Writes a cpio archive of n empty records, and its last one. */
static void check_archive(int64_t n, const char *fault) {
  char *bytes = NULL;
  size_t size;
  FILE *file = open_memstream(&bytes, &size);
  assert_non_null(file);
  for (int64_t i = 0; i <= n; i++) {
    char name[16] = {0}; /* its NUL and a byte of padding are written, too */
    snprintf(name, sizeof name, i < n ? "%09lld" : "TRAILER!!!", (long long)i);
    const uint16_t words[13] = {0x71c7, [10] = (uint16_t)(strlen(name) + 1)};
    fwrite(words, sizeof words, 1, file);
    fwrite(name, (strlen(name) + 2) / 2 * 2, 1, file);
  }
  assert_int_equal(fclose(file), 0);
  check_bytes_limit(bytes, size, fault);
  free(bytes);
}

void limit_layers(void **state) {
  (void)state;
  check_limit((text_parts){LAYERS, "<layer id=\"#\" name=\"a\" type=\"T\" version=\"opset1\"/>\n", .after = END},
              IR_MAX_LAYERS, "5003:1 more than 5000 layers");
  check_limit((text_parts){FUNCTION(""), NODE("n#") ",\n", .after = NODE("last") "]}]"}, IR_MAX_LAYERS - 1,
              "1:1 more than 5000 nodes");
  /* The reader adds a Result for n0. */
  check_limit((text_parts){FUNCTION("\"n0\""), NODE("n#") ",\n", .after = NODE("last") "]}]"}, IR_MAX_LAYERS - 2,
              "1:40 more than 5000 layers");
  check_archive(IR_MAX_LAYERS, "");
  check_archive(IR_MAX_LAYERS + 1, "0:0 more than 5000 records in the archive");
}

#define X      "{\"name\":\"X\",\"op\":\"Parameter\",\"element_type\":\"float\",\"shape\":[1],\"outputs\":[]},\n"
#define INPUTS "{\"name\":\"n\",\"op\":\"Concat\",\"inputs\":["

void limit_ports(void **state) {
  (void)state;
  check_limit((text_parts){LAYERS LAYER "<input>", "\n<port id=\"#\"/>", .after = "</input></layer>" END}, IR_MAX_PORTS,
              "65540:1 more than 65536 ports in one layer");
  check_limit((text_parts){FUNCTION("") INPUTS "\"X\"", ",\n\"X\"", .after = "]}]}]"}, IR_MAX_PORTS - 1,
              "65538:1 more than 65536 inputs or outputs of one node");
  check_limit((text_parts){FUNCTION("") INPUTS "],\"outputs\":[\"y\"", ",\n\"y#\"", .after = "]}]}]"}, IR_MAX_PORTS - 1,
              "65538:1 more than 65536 inputs or outputs of one node");
}

void limit_edges(void **state) {
  (void)state;
  check_limit((text_parts){NET "<layers/><edges>",
                           "\n<edge from-layer=\"0\" from-port=\"0\" to-layer=\"1\" to-port=\"#\"/>",
                           .after = "</edges></net>"},
              IR_MAX_EDGES, "131075:1 more than 131072 edges");
  const text_parts two_nodes = {FUNCTION("") X INPUTS, "\"X\",",
                                "\"X\"]},{\"name\":\"m\",\"op\":\"Concat\",\"inputs\":[", "\"X\",", "\"X\"]}"};
  text_parts below = two_nodes, above = two_nodes, added = two_nodes;
  below.after = "\"X\"]}]}]";
  above.after = "\"X\"]},\n{\"name\":\"o\",\"op\":\"Relu\",\"inputs\":[\"X\"]}]}]";
  added.before = FUNCTION("\"n\",\"m\"") X INPUTS;
  added.after = below.after;
  const struct {
    const text_parts *parts;
    const char *fault;
  } cases[] = {{&below, ""},
               {&above, "4:35 more than 131072 inputs in the model"},
               {&added, "1:40 more than 131072 inputs"}}; /* the reader adds Results, and their edges */
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    print_text(file, cases[i].parts, IR_MAX_PORTS - 1);
    assert_int_equal(fclose(file), 0);
    check_bytes_limit(text, size, cases[i].fault);
    free(text);
  }
}

void limit_bodies(void **state) {
  (void)state;
  check_limit((text_parts){LAYERS, "\n<layer id=\"#\" name=\"l\" type=\"Loop\" version=\"opset5\"><body/></layer>",
                           .after = END},
              IR_MAX_BODIES, "4100:56 more than 4096 bodies");
}

void limit_body_depth(void **state) {
  (void)state;
  check_limit((text_parts){NET, "\n<layers><layer id=\"0\" name=\"l\" type=\"Loop\" version=\"opset5\"><body>",
                           .close = "</body></layer></layers>", .after = "</net>"},
              IR_MAX_BODY_DEPTH, "35:61 more than 32 bodies in each other");
}

/* The name of the layer around counts, too. */
void limit_layer_name(void **state) {
  (void)state;
  check_limit((text_parts){LAYERS "<layer id=\"0\" name=\"loop\" type=\"Loop\" version=\"opset5\"><body><layers>\n"
                                  "<layer id=\"0\" name=\"",
                           "a", .after = "\" type=\"T\" version=\"opset1\"/></layers></body></layer>" END},
              IR_MAX_LAYER_NAME - 4, "4:21 more than 4096 bytes in the name of a layer and of the layers around it");
  check_limit((text_parts){FUNCTION("") "{\"name\":\"", "n", .after = "\",\"op\":\"Relu\",\"inputs\":[]}]}]"},
              IR_MAX_LAYER_NAME, "2:10 more than 4096 bytes in the name of a node");
}

/* Elements that are skipped have the same limit. libxml2 grows its list of attributes by doubling. */
void limit_attributes(void **state) {
  (void)state;
  check_limit((text_parts){LAYERS LAYER "\n<data", " a#=\"\"", .after = "/></layer>" END}, IR_MAX_ATTRIBUTES,
              "4:1 more than 512 attributes in one element");
  check_limit((text_parts){LAYERS "<layer id=\"0\" name=\"a\" type=\"Loop\" version=\"opset5\"><port_map>\n<input",
                           " a#=\"\"", .after = "/></port_map></layer>" END},
              IR_MAX_ATTRIBUTES, "4:1 more than 512 attributes in one element");
  check_limit((text_parts){JSON "{\"a\":0", ",\"a#\":0", .after = "}}]"}, IR_MAX_ATTRIBUTES - 1,
              "2:1 more than 512 fields in one object");
}

/* A sparse file has no blocks on the disk. irrun reads it up to the zeros after its first bytes, which no XML has. */
void limit_model_bytes(void **state) {
  (void)state;
  for (int64_t size = IR_MAX_MODEL_BYTES; size <= IR_MAX_MODEL_BYTES + 1; size++) {
    const scratch_file file = scratch_file_make("m.xml", NET, strlen(NET));
    assert_int_equal(truncate(file.path, size), 0);
    read_result r = {.memory = ir_memory_default()};
    char found[256];
    int error = 0;
    ir_graph_init(&r.graph, &r.memory);
    ir_diags_init(&r.diags, &r.memory);
    r.code = ir_read_model(ir_source_open(&r.memory, IR_SOURCE_TEXT, file.path, &error), &r.graph, &r.diags);
    find_limit(&r, found);
    assert_string_equal(found, size == IR_MAX_MODEL_BYTES
                                   ? ""
                                   : "0:0 the file has 4294967296 bytes; irrun reads models up to 4294967295");
    assert_int_equal(r.code, size == IR_MAX_MODEL_BYTES ? IR_INVALID : IR_IO);
    assert_int_equal(r.diags.first->rule,
                     size == IR_MAX_MODEL_BYTES ? IR001_XML_NOT_WELL_FORMED : IR004_LIMIT_EXCEEDED);
    read_result_reset(&r);
    scratch_file_remove(&file);
  }
}

void limit_stream_text(void **state) {
  (void)state;
  static char text[IR_MAX_STREAM_TEXT + 1];
  memset(text, ' ', sizeof text);
  memcpy(text, NET "<layers/></net>", strlen(NET "<layers/></net>"));
  for (size_t size = sizeof text - 1; size <= sizeof text; size++) {
    read_result r = {.memory = ir_memory_default()};
    int ends[2], error = 0;
    char path[40], found[256];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, size), size);
    if (size < sizeof text) /* a longer stream may be endless */
      assert_int_equal(close(ends[1]), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ir_graph_init(&r.graph, &r.memory);
    ir_diags_init(&r.diags, &r.memory);
    r.code = ir_read_model(ir_source_open(&r.memory, IR_SOURCE_TEXT, path, &error), &r.graph, &r.diags);
    find_limit(&r, found);
    assert_string_equal(found, size < sizeof text ? "" : "0:0 a stream of more than 32768 bytes");
    assert_int_equal(r.code, size < sizeof text ? IR_OK : IR_IO);
    read_result_reset(&r);
    assert_int_equal(close(ends[0]), 0);
    if (size == sizeof text)
      assert_int_equal(close(ends[1]), 0);
  }
}

void limit_json_values(void **state) {
  (void)state;
  check_limit((text_parts){JSON "[[0", ",0", .after = "]]}]"}, IR_MAX_JSON_VALUES - 6,
              "2:524281 more than 262144 values in one model");
}

void limit_json_number(void **state) {
  (void)state;
  check_limit((text_parts){JSON, "9", .after = "}]"}, IR_MAX_JSON_NUMBER,
              "2:1 a number of 64 characters; irrun reads up to 63");
}

/* Tensor names of 8 MiB: two and the arena's other blocks fit, four do not. Then the arena alone, with its exact limit.
 */
void limit_arena_bytes(void **state) {
  (void)state;
  enum { NAME = 1 << 23 };
  const size_t size = 4 * NAME + 1024;
  char *text = malloc(size);
  assert_non_null(text);
  for (int n_names = 2; n_names <= 4; n_names += 2) {
    size_t used = (size_t)sprintf(text, LAYERS);
    for (int i = 0; i < n_names; i++) {
      used += (size_t)sprintf(
          text + used, "<layer id=\"%d\" type=\"T\" version=\"opset1\" name=\"a\"><output><port id=\"0\" names=\"", i);
      memset(text + used, 'a' + i, NAME);
      used += NAME;
      used += (size_t)sprintf(text + used, "\"/></output></layer>");
    }
    used += (size_t)sprintf(text + used, END);
    read_result r;
    assert_true(read_bytes(&r, ir_memory_default(), text, used));
    assert_int_equal(r.code, n_names == 2 ? IR_OK : IR_NO_MEMORY);
    read_result_reset(&r);
  }
  free(text);
  ir_memory memory = ir_memory_default();
  ir_graph graph;
  ir_graph_init(&graph, &memory);
  assert_null(ir_arena_alloc(&graph.arena, (size_t)IR_MAX_ARENA_BYTES));
  assert_non_null(ir_arena_alloc(&graph.arena, (size_t)IR_MAX_ARENA_BYTES - 64));
  ir_graph_reset(&graph);
}
