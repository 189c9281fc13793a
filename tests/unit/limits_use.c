/* Tests limits of attributes, inference, runs, reports and tensor files. */
#include "io_fixture.h"
#include "irrun_debug.h"
#include "irrun_edit.h"
#include "limits_test.h"
#include "model_text.h"
#include "op_case.h"
#include "op_model.h"
#include "runtime/files/npy.h"
#include "runtime/files/npz.h"
#include "runtime/files/npz_records.h"
#include "small_limits.h"

#define PORT_IN(id) "<port id=\"" #id "\"/>"
#define RESULT(id)                                                                                                     \
  "<layer id=\"" #id "\" name=\"y\" type=\"Result\" version=\"opset1\"><input>" PORT_IN(0) "</input></layer>"
#define EDGE(a, b, c, d) "<edge from-layer=\"" #a "\" from-port=\"" #b "\" to-layer=\"" #c "\" to-port=\"" #d "\"/>"

/* Reads a model with the constants `weights`; NULL: it has none. */
static model_run read_memory(const char *text, const void *weights, size_t bytes, irrun_purpose purpose) {
  model_run run = {.context = irrun_context_create(NULL)};
  const irrun_buffer constants = {weights, bytes};
  assert_non_null(run.context);
  run.status = irrun_model_read_memory(run.context, "m.xml", (irrun_buffer){text, strlen(text)},
                                       weights == NULL ? NULL : &constants, purpose, NULL, 0, &run.model);
  return run;
}

static void expect_fault(const model_run *run, const char *rule, const char *message) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  int64_t i = 0;
  while (irrun_context_get_diagnostic(run->context, i, &diagnostic) &&
         (strcmp(diagnostic.rule, rule) != 0 || strstr(diagnostic.message, message) == NULL))
    i++;
  if (!irrun_context_get_diagnostic(run->context, i, &diagnostic))
    fail_msg("no %s '%s', but %s", rule, message, model_run_rules(run));
}

void limit_axes(void **state) {
  (void)state;
  int64_t axes[IR_MAX_AXES + 1], ones[IR_MAX_RANK];
  for (int i = 0; i <= IR_MAX_AXES; i++)
    axes[i] = i % (2 * IR_MAX_RANK) - IR_MAX_RANK;
  for (int i = 0; i < IR_MAX_RANK; i++)
    ones[i] = 1;
  for (int n = IR_MAX_AXES; n <= IR_MAX_AXES + 1; n++) {
    op_case c;
    op_case_begin(&c, "Squeeze", "opset1", (const char *const[]){NULL});
    c.in[0] = op_case_value(IR_F32, ir_shape_of(IR_MAX_RANK, ones));
    c.in[1] = op_case_list(&c, IR_I64, 1, axes, n);
    op_case_infer(&c, 2, false);
    assert_int_equal(strstr(op_case_rules(&c), "IR004") != NULL, n > IR_MAX_AXES);
    if (n > IR_MAX_AXES)
      assert_string_equal(c.diags.first->message, "'axes' holds 33 axes; irrun reads up to 32");
    op_case_end(&c);
  }
}

/* The name of a Parameter with two Results counts three times. A name that is too much is forgotten. */
void limit_io_names(void **state) {
  (void)state;
  const int most = (int)(IR_MAX_IO_NAMES / 3) - 64;
  for (int n = most; n <= most + 1; n++) {
    char *text = malloc((size_t)n + 1024);
    assert_non_null(text);
    int used =
        sprintf(text, "<net version=\"11\"><layers><layer id=\"0\" name=\"x\" type=\"Parameter\" version=\"opset1\">"
                      "<data shape=\"\" element_type=\"f32\"/><output><port id=\"0\" precision=\"FP32\" names=\"");
    memset(text + used, 'a', (size_t)n);
    sprintf(text + used + n, "\"/></output></layer>" RESULT(1) RESULT(2) "</layers><edges>" EDGE(0, 0, 1, 0)
                                 EDGE(0, 0, 2, 0) "</edges></net>");
    model_run run = read_memory(text, NULL, 0, IRRUN_TO_CHECK);
    irrun_io io = {.size = sizeof io};
    if (n > most)
      expect_fault(&run, "IR004", "the tensor names of inputs and outputs take more than 33554432 bytes");
    else
      assert_null(strstr(model_run_rules(&run), "IR004"));
    assert_true(irrun_model_get_io(run.model, IRRUN_OUTPUTS, 0, &io));
    assert_int_equal(strlen(io.name), n > most ? 1 : n);
    model_run_end(&run);
    free(text);
  }
}

/* The paths "rt_info/k" and "rt_info/aa...a" of values. Remarks before the one that is too much stay. */
void limit_rt_paths(void **state) {
  (void)state;
  const int most = (int)(IR_MAX_RT_PATHS - (int64_t)strlen("rt_info/k"
                                                           "rt_info/"));
  for (int n = most; n <= most + 1; n++) {
    char text[IR_MAX_RT_PATHS + 256];
    int used = sprintf(text, "<net version=\"11\"><layers/><edges/><rt_info><k value=\"1\"/><");
    memset(text + used, 'a', (size_t)n);
    sprintf(text + used + n, " value=\"2\"/></rt_info></net>");
    model_run run = read_memory(text, NULL, 0, IRRUN_TO_CHECK);
    irrun_remark remark = {.size = sizeof remark};
    assert_true(irrun_model_get_remark(run.model, 0, &remark));
    assert_string_equal(remark.path, "rt_info/k");
    assert_int_equal(irrun_model_get_remark(run.model, 1, &remark), n == most);
    if (n > most)
      expect_fault(&run, "IR004", "more than 4096 bytes in the paths of the values in <rt_info>");
    model_run_end(&run);
  }
}

/* ---- inference ---- */

static irrun_shape result_shape(const model_run *run) {
  irrun_value value = {.size = sizeof value};
  irrun_layer layer = {.size = sizeof layer};
  int64_t result = 0;
  while (irrun_model_get_layer(run->model, result, &layer) && strcmp(layer.name, "last") != 0)
    result++;
  assert_true(irrun_model_get_layer_output(run->model, result, 0, &value));
  return value.shape;
}

/* Round 0 finds that each iteration doubles the rows. Round 1 infers the body again: p, Concat, `n` Abs, and two
 * Results. Then the shape has settled, unless the limit was reached: then its rank is unknown. */
void limit_again(void **state) {
  (void)state;
  static const unsigned char weights[] = {1, 5, 0, 0, 0, 0, 0, 0, 0};
  for (int64_t n = IR_MAX_AGAIN - 4 - 1; n <= IR_MAX_AGAIN - 4; n++) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fputs("<net version=\"11\"><layers>", file);
    model_parameter(file, 0, "x", IR_F32, "2");
    model_const(file, 1, "n", IR_I64, "", 1, 8);
    model_const(file, 2, "go", IR_BOOLEAN, "", 0, 1);
    fputs("<layer id=\"3\" name=\"last\" type=\"Loop\" version=\"opset5\"><port_map>"
          "<input external_port_id=\"2\" internal_layer_id=\"0\"/>"
          "<output external_port_id=\"-1\" internal_layer_id=\"3\" purpose=\"execution_condition\"/>"
          "<output external_port_id=\"3\" internal_layer_id=\"4\"/></port_map>"
          "<back_edges><edge from-layer=\"4\" to-layer=\"0\"/></back_edges><body><layers>",
          file);
    model_parameter(file, 0, "p", IR_F32, "?");
    model_const(file, 1, "true", IR_BOOLEAN, "", 0, 1);
    fputs("<layer id=\"2\" name=\"twice\" type=\"Concat\" version=\"opset1\"><data axis=\"0\"/><input>" PORT_IN(0)
              PORT_IN(1) "</input><output><port id=\"2\" precision=\"FP32\"/></output></layer>",
          file);
    for (int64_t i = 0; i < n; i++)
      fprintf(file,
              "<layer id=\"%d\" name=\"a\" type=\"Abs\" version=\"opset1\"><input>" PORT_IN(
                  0) "</input><output><port id=\"2\" precision=\"FP32\"/></output></layer>",
              5 + (int)i);
    model_result(file, 3, "again");
    model_result(file, 4, "q");
    fputs("</layers><edges>" EDGE(0, 0, 2, 0) EDGE(0, 0, 2, 1) EDGE(1, 0, 3, 0) EDGE(2, 2, 5, 0), file);
    for (int i = 0; i + 1 < (int)n; i++)
      model_edge(file, 5 + i, 2, 6 + i, 0);
    model_edge(file, 4 + (int)n, 2, 4, 0);
    fputs("</edges></body><input>" PORT_IN(0) PORT_IN(1)
              PORT_IN(2) "</input><output><port id=\"3\" precision=\"FP32\"/></output></layer>" RESULT(
                  4) "</layers><edges>" EDGE(1, 0, 3, 0) EDGE(2, 0, 3, 1) EDGE(0, 0, 3, 2)
                  EDGE(3, 3, 4, 0) "</edges></net>",
          file);
    assert_int_equal(fclose(file), 0);
    model_run run = read_memory(text, weights, sizeof weights, IRRUN_TO_CHECK);
    assert_string_equal(model_run_rules(&run), "");
    assert_int_equal(result_shape(&run).rank, n + 4 < IR_MAX_AGAIN ? 1 : -1);
    model_run_end(&run);
    free(text);
  }
}

/* A chain of n Reshapes, each to `rank` dims of 1 from a constant of its own. Returns the number of known dims of the
 * last shape. */
static int known_dims(int n, int rank) {
  int64_t ones[IR_MAX_RANK];
  char *text = NULL, dims[8];
  size_t size;
  int known = 0;
  FILE *file = open_memstream(&text, &size);
  assert_non_null(file);
  for (int i = 0; i < IR_MAX_RANK; i++)
    ones[i] = 1;
  snprintf(dims, sizeof dims, "%d", rank);
  fputs("<net version=\"11\"><layers>", file);
  model_parameter(file, 0, "x", IR_F32, "1");
  for (int i = 0; i < n; i++) {
    model_const(file, 1 + 2 * i, "shape", IR_I64, dims, 0, 8 * (size_t)rank);
    fprintf(file,
            "<layer id=\"%d\" name=\"%s\" type=\"Reshape\" version=\"opset1\"><data "
            "special_zero=\"false\"/><input>" PORT_IN(0)
                PORT_IN(1) "</input><output><port id=\"2\" precision=\"FP32\"/></output></layer>",
            2 + 2 * i, i == n - 1 ? "last" : "r");
  }
  model_result(file, 2 * n + 1, "y");
  model_edges(file);
  for (int i = 0; i < n; i++) {
    model_edge(file, 2 * i, i == 0 ? 0 : 2, 2 + 2 * i, 0);
    model_edge(file, 1 + 2 * i, 0, 2 + 2 * i, 1);
  }
  model_edge(file, 2 * n, 2, 2 * n + 1, 0);
  model_end(file);
  model_run run = read_memory(text, ones, 8 * (size_t)rank, IRRUN_TO_CHECK);
  assert_string_equal(model_run_rules(&run), "");
  const irrun_shape shape = result_shape(&run);
  assert_int_equal(shape.rank, rank);
  for (int i = 0; i < rank; i++)
    known += shape.dims[i].lo == 1 && shape.dims[i].hi == 1;
  model_run_end(&run);
  free(text);
  return known;
}

void limit_known_bytes(void **state) {
  (void)state;
  const int rank = (int)IR_MAX_KNOWN_BYTES / 8;
  assert_int_equal(known_dims(1, rank), rank);
  assert_int_equal(known_dims(1, rank + 1), 0);
}

void limit_known_work(void **state) {
  (void)state;
  const int rank = (int)IR_MAX_KNOWN_BYTES / 8, n = (int)(IR_MAX_KNOWN_WORK / IR_MAX_KNOWN_BYTES);
  assert_int_equal(known_dims(n, rank), rank);
  assert_int_equal(known_dims(n + 1, rank), 0);
}

void limit_items(void **state) {
  (void)state;
  for (int64_t n = IR_MAX_ITEMS; n <= IR_MAX_ITEMS + 1; n++) {
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fputs("<net version=\"11\"><layers>", file);
    model_parameter(file, 0, "x", IR_F32, "1,1,4,4");
    fputs("<layer id=\"1\" name=\"p\" type=\"MaxPool\" version=\"opset1\"><data strides=\"1,1\" pads_begin=\"0,0\" "
          "pads_end=\"0,0\" kernel=\"1",
          file);
    for (int64_t i = 1; i < n; i++)
      fputs(",1", file);
    fputs("\"/><input>" PORT_IN(0) "</input><output><port id=\"1\" precision=\"FP32\"/></output></layer>" RESULT(2),
          file);
    fputs("</layers><edges>" EDGE(0, 0, 1, 0) EDGE(1, 1, 2, 0) "</edges></net>", file);
    assert_int_equal(fclose(file), 0);
    model_run run = read_memory(text, "", 0, IRRUN_TO_CHECK);
    if (n <= IR_MAX_ITEMS)
      assert_null(strstr(model_run_rules(&run), "IR004"));
    else
      expect_fault(&run, "IR004", "'kernel' has 65537 values; irrun reads up to 65536");
    assert_int_equal(run.status, n <= IR_MAX_ITEMS ? IRRUN_INVALID : IRRUN_IO);
    model_run_end(&run);
    free(text);
  }
}

/* ---- runs ---- */

/* A Loop of 5 iterations, or 6. Its condition is a constant, or is computed by the body. */
void limit_rounds(void **state) {
  (void)state;
  static const char *const conditions[] = {
      "<layer id=\"1\" name=\"c\" type=\"Const\" version=\"opset1\"><data element_type=\"boolean\" shape=\"\" "
      "offset=\"0\" size=\"1\"/><output><port id=\"2\" precision=\"BOOL\"/></output></layer>",
      "<layer id=\"1\" name=\"c\" type=\"Equal\" version=\"opset1\"><input>" PORT_IN(0)
          PORT_IN(1) "</input><output><port id=\"2\" precision=\"BOOL\"/></output></layer>"};
  for (int i = 0; i < 4; i++) {
    const int64_t n = IR_MAX_ROUNDS + i % 2;
    char text[4096];
    snprintf(text, sizeof text,
             "<net version=\"11\"><layers>"
             "<layer id=\"0\" name=\"n\" type=\"Parameter\" version=\"opset1\"><data shape=\"\" element_type=\"i64\"/>"
             "<output><port id=\"0\" precision=\"I64\"/></output></layer>"
             "<layer id=\"1\" name=\"go\" type=\"Const\" version=\"opset1\"><data element_type=\"boolean\" shape=\"\" "
             "offset=\"0\" size=\"1\"/><output><port id=\"0\" precision=\"BOOL\"/></output></layer>"
             "<layer id=\"2\" name=\"x\" type=\"Parameter\" version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/>"
             "<output><port id=\"0\" precision=\"FP32\"/></output></layer>"
             "<layer id=\"3\" name=\"loop\" type=\"Loop\" version=\"opset5\"><port_map>"
             "<input external_port_id=\"2\" internal_layer_id=\"0\"/>"
             "<output external_port_id=\"-1\" internal_layer_id=\"4\" purpose=\"execution_condition\"/>"
             "<output external_port_id=\"3\" internal_layer_id=\"3\"/></port_map>"
             "<back_edges><edge from-layer=\"3\" to-layer=\"0\"/></back_edges><body><layers>"
             "<layer id=\"0\" name=\"p\" type=\"Parameter\" version=\"opset1\"><data shape=\"1\" element_type=\"f32\"/>"
             "<output><port id=\"0\" precision=\"FP32\"/></output></layer>%s"
             "<layer id=\"2\" name=\"twice\" type=\"Add\" version=\"opset1\"><input>" PORT_IN(0) PORT_IN(
                 1) "</input><output><port id=\"2\" precision=\"FP32\"/></output></layer>" RESULT(3)
                 RESULT(4) "</layers><edges>" EDGE(0, 0, 2, 0) EDGE(0, 0, 2, 1) EDGE(2, 2, 3, 0) EDGE(
                     1, 2, 4,
                     0) "%s</edges></body>"
                        "<input>" PORT_IN(0) PORT_IN(1)
                            PORT_IN(2) "</input><output><port id=\"3\" precision=\"FP32\"/></output></layer>" RESULT(
                                4) "</layers><edges>" EDGE(0, 0, 3, 0) EDGE(1, 0, 3, 1) EDGE(2, 0, 3, 2)
                                EDGE(3, 3, 4, 0) "</edges></net>",
             conditions[i / 2], i / 2 == 0 ? "" : EDGE(0, 0, 1, 0) EDGE(0, 0, 1, 1));
    model_run run = read_memory(text, "\1", 1, IRRUN_TO_RUN);
    assert_string_equal(model_run_rules(&run), "");
    assert_int_equal(irrun_run_create(run.model, &run.run), IRRUN_OK);
    assert_int_equal(model_run_input(&run, 0, IR_I64, 0, NULL, &n), IRRUN_OK);
    assert_int_equal(model_run_input(&run, 1, IR_F32, 1, (int64_t[]){1}, (float[]){1}), IRRUN_OK);
    assert_int_equal(irrun_run_execute(run.run), n <= IR_MAX_ROUNDS ? IRRUN_OK : IRRUN_IO);
    if (n <= IR_MAX_ROUNDS)
      assert_true(*(const float *)irrun_tensor_get_info(irrun_run_output(run.run, 0)).data == 1 << IR_MAX_ROUNDS);
    else
      expect_fault(&run, "IR004", "its body runs more than 5 times, which is as often as irrun runs one");
    model_run_end(&run);
  }
}

void limit_samples(void **state) {
  (void)state;
  for (int64_t n = IR_MAX_SAMPLES; n <= IR_MAX_SAMPLES + 1; n++) {
    char data[128];
    snprintf(data, sizeof data, "pooled_h='1' pooled_w='1' spatial_scale='1' mode='avg' sampling_ratio='%lld'",
             (long long)n);
    const op_model c = {.type = "ROIAlign",
                        .opset = 3,
                        .data = data,
                        .n_inputs = 3,
                        .inputs = {{.type = IR_F32, .rank = 4, .dims = {1, 1, 1, 1}, .data = (float[]){7}},
                                   {.type = IR_F32, .rank = 2, .dims = {1, 4}, .data = (float[]){0, 0, 1, 1}},
                                   {.type = IR_I32, .rank = 1, .dims = {1}, .data = (int32_t[]){0}}}};
    model_run run = op_model_run(&c);
    assert_int_equal(run.status, n <= IR_MAX_SAMPLES ? IRRUN_OK : IRRUN_IO);
    if (n > IR_MAX_SAMPLES)
      expect_fault(&run, "IR004", "1025 samples of a bin on each axis; irrun computes at most 1024");
    model_run_end(&run);
  }
}

/* ---- reports ---- */

/* The last diagnostic is only counted. */
void limit_diagnostics(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_diags diags;
  ir_diags_init(&diags, &memory);
  for (int n = 1; n <= IR_MAX_DIAGNOSTICS + 1; n++)
    ir_report(&diags, IR103_EDGE_UNKNOWN_LAYER, (ir_where){.at = IR_NOWHERE}, "%d", n);
  assert_int_equal(diags.n_kept, IR_MAX_DIAGNOSTICS);
  assert_int_equal(diags.n_errors, IR_MAX_DIAGNOSTICS + 1);
  assert_string_equal(diags.last->message, "10000");
  ir_diags_reset(&diags);
}

void limit_message(void **state) {
  (void)state;
  ir_memory memory = ir_memory_default();
  ir_diags diags;
  char text[IR_MAX_MESSAGE + 1];
  for (size_t n = IR_MAX_MESSAGE - 1; n <= IR_MAX_MESSAGE; n++) {
    memset(text, 'n', n);
    text[n] = '\0';
    ir_diags_init(&diags, &memory);
    ir_report(&diags, IR107_CYCLE, (ir_where){.at = IR_NOWHERE}, "%s", text);
    assert_int_equal(strlen(diags.first->message), IR_MAX_MESSAGE - 1);
    assert_string_equal(diags.first->message + IR_MAX_MESSAGE - 4, n < IR_MAX_MESSAGE ? "nnn" : "...");
    ir_diags_reset(&diags);
  }
}

/* ---- files ---- */

/* A tensor name of an nGraph model, which a conversion writes into an IR. */
void limit_xml_name(void **state) {
  (void)state;
  char *text = malloc(IR_MAX_XML_NAME + 1024);
  assert_non_null(text);
  for (int n = IR_MAX_XML_NAME; n <= IR_MAX_XML_NAME + 1; n++) {
    const size_t used =
        (size_t)sprintf(text, "[{\"name\":\"f\",\"parameters\":[\"X\"],\"result\":[\"R\"],\"ops\":[{\"name\":\"X\","
                              "\"op\":\"Parameter\",\"element_type\":\"float\",\"shape\":[1],\"outputs\":[\"");
    memset(text + used, 'a', (size_t)n);
    sprintf(text + used + n, "\"]},{\"name\":\"R\",\"op\":\"Result\",\"inputs\":[\"X\"],\"outputs\":[\"y\"]}]}]");
    model_run run = read_memory(text, NULL, 0, IRRUN_TO_CONVERT);
    assert_string_equal(model_run_rules(&run), "");
    const scratch_model files = scratch_model_make();
    irrun_conversion conversion = {.size = sizeof conversion};
    assert_int_equal(irrun_model_convert(run.model, files.xml, &conversion),
                     n <= IR_MAX_XML_NAME ? IRRUN_OK : IRRUN_UNSUPPORTED);
    if (n > IR_MAX_XML_NAME)
      expect_fault(&run, "IR213", "10000001 bytes; the most that XML parsers read is 10000000");
    model_run_end(&run);
    if (n <= IR_MAX_XML_NAME) {
      run = model_run_read(files.xml, IRRUN_TO_CHECK, NULL);
      assert_string_equal(model_run_rules(&run), "");
      model_run_end(&run);
    }
    unlink(files.xml);
    scratch_model_remove(&files);
  }
  free(text);
}

typedef struct bytes {
  unsigned char *data;
  int64_t n, at;
} bytes;

static int64_t read_bytes(void *user, void *buffer, int64_t n) {
  bytes *b = user;
  n = n < b->n - b->at ? n : b->n - b->at;
  memcpy(buffer, b->data + b->at, (size_t)n);
  b->at += n;
  return n;
}

static int64_t size_of_bytes(void *user, int64_t n) {
  (void)n;
  return ((const bytes *)user)->n;
}

void limit_npy_header(void **state) {
  static const char head[] = "{'descr':'<f4','fortran_order':False,'shape':(0,)}";
  (void)state;
  for (int64_t n = IR_MAX_NPY_HEADER; n <= IR_MAX_NPY_HEADER + 1; n++) {
    io_fixture f;
    ir_stored stored;
    bytes file = {malloc((size_t)n + 12), n + 12, 0};
    assert_non_null(file.data);
    memset(file.data, ' ', (size_t)file.n);
    memcpy(file.data, "\x93NUMPY\2", 8);
    for (int i = 0; i < 4; i++)
      file.data[8 + i] = (unsigned char)(n >> 8 * i);
    memcpy(file.data + 12, head, sizeof head - 1);
    file.data[file.n - 1] = '\n';
    io_begin(&f);
    ir_npy_read_header((ir_byte_reader){read_bytes, size_of_bytes, &file}, IR_DYNAMIC, &f.diags, &f.memory,
                       (ir_where){.at = IR_NOWHERE}, &stored);
    if (n <= IR_MAX_NPY_HEADER)
      io_expect_nothing(&f);
    else
      io_expect(&f, IR004_LIMIT_EXCEEDED, "a header of 1048577 bytes; irrun reads up to 1048576");
    io_end(&f);
    free(file.data);
  }
}

static bool write_file(void *user, const void *data, size_t n) {
  return fwrite(data, 1, n, user) == n;
}

/* Archives of members without contents are enough: irrun reads the directory first. */
void limit_npz_members(void **state) {
  (void)state;
  for (uint64_t n = (uint64_t)IR_MAX_NPZ_MEMBERS; n <= (uint64_t)IR_MAX_NPZ_MEMBERS + 1; n++) {
    static const char *const keys[] = {"a", "b", "c", "d"};
    ir_npz_entry entries[4];
    char *text = NULL;
    size_t size;
    uint64_t end = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    for (uint64_t i = 0; i < n; i++) {
      entries[i] = (ir_npz_entry){.key = keys[i], .at = end};
      assert_true(ir_npz_write_header((ir_byte_sink){write_file, file}, &entries[i], &end));
    }
    assert_true(ir_npz_write_directory((ir_byte_sink){write_file, file}, entries, n, end));
    assert_int_equal(fclose(file), 0);
    io_fixture f;
    ir_npz *npz;
    int error = 0;
    io_begin(&f);
    const scratch_file path = scratch_file_make("m.npz", text, size);
    ir_source *source = ir_source_open(&f.memory, IR_SOURCE_TEXT, path.path, &error);
    ir_npz_open(source, &f.diags, &f.memory, &npz);
    if (n <= (uint64_t)IR_MAX_NPZ_MEMBERS)
      io_expect_nothing(&f);
    else
      io_expect(&f, IR004_LIMIT_EXCEEDED, "more than 3 members");
    ir_npz_free(npz);
    ir_source_free(source);
    scratch_file_remove(&path);
    io_end(&f);
    free(text);
  }
}
