/* The sizes of a model: how its weights are stored, what its constants take, and what its variables take for a token.
 */
#include "irrun_debug.h"
#include "irrun_state.h"
#include "model_text.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static irrun_context *context;
static scratch_model scratch;

/* A model under construction. A layer with inputs has output port 9. */
static struct {
  FILE *file;
  int n_layers, edges[64][4], n_edges;
  size_t n_bytes;
} w;

static void begin(void) {
  memset(&w, 0, sizeof w);
  w.file = model_begin(scratch.xml);
}

static int constant_at(ir_type type, const char *shape, size_t offset, size_t bytes) {
  model_const(w.file, w.n_layers, "c", type, shape, offset, bytes);
  return w.n_layers++;
}

static int constant(ir_type type, const char *shape, size_t bytes) {
  const size_t offset = w.n_bytes;
  w.n_bytes += (bytes + 63) / 64 * 64; /* aligned for each type */
  return constant_at(type, shape, offset, bytes);
}

static bool has_inputs[64];

/* Adds an op with inputs a, b and c; -1: there is none. */
static int op(const char *type, const char *data, const char *precision, int a, int b, int c) {
  const int from[] = {a, b, c}, id = w.n_layers++;
  has_inputs[id] = true;
  fprintf(w.file, "<layer id=\"%d\" name=\"l%d\" type=\"%s\" version=\"opset8\"><data %s/><input>", id, id, type, data);
  for (int i = 0; i < 3 && from[i] >= 0; i++) {
    fprintf(w.file, "<port id=\"%d\"/>", i);
    memcpy(w.edges[w.n_edges++], (int[]){from[i], has_inputs[from[i]] ? 9 : 0, id, i}, sizeof w.edges[0]);
  }
  fprintf(w.file, "</input><output><port id=\"9\" precision=\"%s\"/></output></layer>\n", precision);
  return id;
}

static int to_f16(int from) {
  return op("Convert", "destination_type=\"f16\"", "FP16", from, -1, -1);
}

static int add_parameter(ir_type type, const char *shape) {
  model_parameter(w.file, w.n_layers, "x", type, shape);
  return w.n_layers++;
}

static void result(int from) {
  model_result(w.file, w.n_layers, "r");
  memcpy(w.edges[w.n_edges++], (int[]){from, has_inputs[from] ? 9 : 0, w.n_layers++, 0}, sizeof w.edges[0]);
}

static irrun_model *read(void) {
  irrun_model *model;
  model_edges(w.file);
  for (int i = 0; i < w.n_edges; i++)
    model_edge(w.file, w.edges[i][0], w.edges[i][1], w.edges[i][2], w.edges[i][3]);
  model_end(w.file);
  memset(has_inputs, 0, sizeof has_inputs);
  unsigned char *zeros = test_calloc(w.n_bytes + 1, 1);
  scratch_write(scratch.bin, zeros, w.n_bytes);
  test_free(zeros);
  assert_int_equal(irrun_model_read(context, scratch.xml, NULL, IRRUN_TO_CHECK, &model), IRRUN_OK);
  return model;
}

static bool are_equal(const irrun_weights *a, const irrun_weights *b) {
  return a->type == b->type && a->scales == b->scales && a->group == b->group &&
         a->has_zero_points == b->has_zero_points && a->has_codebook == b->has_codebook &&
         a->parameters == b->parameters && a->bytes == b->bytes && a->scale_bytes == b->scale_bytes &&
         a->constants == b->constants;
}

/* Checks that weights number `index` have as many constants as they say, all of their type. */
static void has_constants(irrun_model *model, int64_t index, const irrun_weights *weights) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_value value = {.size = sizeof value};
  int64_t n = 0;
  for (int64_t i = 0; irrun_model_get_layer(model, i, &layer); i++) {
    if (irrun_model_get_weights_of(model, i) != index)
      continue;
    n++;
    assert_true(irrun_model_is_constant(model, i) && irrun_model_get_layer_output(model, i, 0, &value));
    assert_int_equal(value.type, weights->type);
  }
  assert_true(n > 0 && n == weights->constants);
  assert_int_equal(irrun_model_get_weights_of(model, -1), -1);
  assert_int_equal(irrun_model_get_weights_of(model, 1000), -1);
}

/* Compares all weights of the model with `expected`, n items, and with the sums. Frees the model. */
static void has_weights(irrun_model *model, const irrun_weights *expected, int64_t n, int64_t constant_bytes) {
  irrun_weights found = {.size = sizeof found};
  irrun_sizes sizes = {.size = sizeof sizes};
  int64_t parameters = 0;
  for (int64_t i = 0; i < n; i++) {
    assert_true(irrun_model_get_weights(model, i, &found));
    parameters += found.parameters;
    has_constants(model, i, &found);
    if (!are_equal(&found, &expected[i]))
      fail_msg("item %d: type %d, scales %d, group %d, zeros %d, codebook %d, %d parameters, %d bytes, %d of scales, "
               "%d constants",
               (int)i, (int)found.type, (int)found.scales, (int)found.group, found.has_zero_points, found.has_codebook,
               (int)found.parameters, (int)found.bytes, (int)found.scale_bytes, (int)found.constants);
  }
  assert_false(irrun_model_get_weights(model, n, &found));
  assert_false(irrun_model_get_weights(model, -1, &found));
  assert_true(irrun_model_get_sizes(model, &sizes));
  assert_int_equal(sizes.parameters, parameters);
  assert_int_equal(sizes.constant_bytes, constant_bytes);
  irrun_model_free(model);
}

/* ---- weights ---- */

static void scales_of_groups(void **state) {
  (void)state;
  begin();
  int at = to_f16(constant(IR_U4, "6,2,8", 48));
  at = op("Subtract", "", "FP16", at, to_f16(constant(IR_U4, "6,2,1", 6)), -1);
  at = op("Multiply", "", "FP16", at, constant(IR_F16, "6,2,1", 24), -1);
  at = op("Reshape", "special_zero=\"true\"", "FP16", at, constant(IR_I64, "3", 24), -1); /* 0, 0, 0: the same shape */
  result(op("Convert", "destination_type=\"f32\"", "FP32", at, -1, -1));
  const irrun_weights weights = {0, IRRUN_U4, IRRUN_SCALES_GROUP, 8, true, false, 96, 48, 30, 1};
  has_weights(read(), &weights, 1, 48 + 6 + 24 + 24);
}

static void scales_of_channels_and_tensors(void **state) {
  (void)state;
  begin();
  int at = op("Multiply", "", "FP16", constant(IR_F16, "6,1", 12), to_f16(constant(IR_I8, "6,5", 30)), -1);
  result(at);
  at = to_f16(constant(IR_U8, "3,4", 12));
  at = op("Subtract", "", "FP16", at, to_f16(constant(IR_U8, "", 1)), -1);
  result(op("Multiply", "", "FP16", at, constant(IR_F16, "", 2), -1));
  const irrun_weights weights[] = {{0, IRRUN_I8, IRRUN_SCALES_CHANNEL, 0, false, false, 30, 30, 12, 1},
                                   {0, IRRUN_U8, IRRUN_SCALES_TENSOR, 0, true, false, 12, 12, 3, 1}};
  has_weights(read(), weights, 2, 30 + 12 + 12 + 3);
}

/* The scales are packed too, and have a scale of their own. */
static void scales_of_low_bits(void **state) {
  (void)state;
  begin();
  int scales = op("Multiply", "", "FP16", to_f16(constant(IR_F8E4M3, "4,2,1", 8)), constant(IR_F16, "", 2), -1);
  result(op("Multiply", "", "FP16", to_f16(constant(IR_F4E2M1, "4,2,16", 64)), scales, -1));
  scales = to_f16(constant(IR_F8E8M0, "3,2,1", 6)); /* they come first */
  result(op("Multiply", "", "FP16", scales, to_f16(constant(IR_F8E5M2, "3,2,4", 24)), -1));
  const irrun_weights weights[] = {{0, IRRUN_F4E2M1, IRRUN_SCALES_GROUP, 16, false, false, 128, 64, 10, 1},
                                   {0, IRRUN_F8E5M2, IRRUN_SCALES_GROUP, 4, false, false, 24, 24, 6, 1}};
  has_weights(read(), weights, 2, 64 + 10 + 24 + 6);
}

/* Two constants of zero points share their bytes, as OpenVINO writes equal constants. */
static void shared_zero_points(void **state) {
  (void)state;
  begin();
  const size_t shared = w.n_bytes;
  for (int i = 0; i < 2; i++) {
    const int zeros = i == 0 ? constant(IR_U8, "3,1", 3) : constant_at(IR_U8, "3,1", shared, 3);
    const int at = op("Subtract", "", "FP16", to_f16(constant(IR_U8, "3,4", 12)), to_f16(zeros), -1);
    result(op("Multiply", "", "FP16", at, constant(IR_F16, "3,1", 6), -1));
  }
  const irrun_weights weights = {0, IRRUN_U8, IRRUN_SCALES_CHANNEL, 0, true, false, 24, 24, 3 + 6 + 6, 2};
  has_weights(read(), &weights, 1, 24 + 3 + 6 + 6);
}

static void codebooks(void **state) {
  (void)state;
  begin();
  const int indices = op("Convert", "destination_type=\"i32\"", "I32", constant(IR_U4, "4,16", 32), -1, -1);
  int at = op("Gather", "batch_dims=\"0\"", "FP16", constant(IR_F16, "16", 32), indices, constant(IR_I64, "", 8));
  result(op("Multiply", "", "FP16", at, constant(IR_F16, "4,1", 8), -1));
  const irrun_weights weights = {0, IRRUN_U4, IRRUN_SCALES_CHANNEL, 0, false, true, 64, 32, 40, 1};
  has_weights(read(), &weights, 1, 32 + 32 + 8 + 8);
}

static void floats_and_other_constants(void **state) {
  (void)state;
  begin();
  const size_t shared = w.n_bytes;
  result(op("Convert", "destination_type=\"f32\"", "FP32", constant(IR_F16, "8,4", 64), -1, -1));
  result(op("Convert", "destination_type=\"f32\"", "FP32", constant_at(IR_F16, "8,4", shared, 64), -1, -1));
  result(op("ReLU", "", "FP32", constant(IR_F32, "5", 20), -1, -1));
  result(op("Convert", "destination_type=\"i32\"", "I32", constant(IR_U8, "9", 9), -1, -1)); /* no weights */
  result(constant(IR_I64, "7", 56));
  const irrun_weights weights[] = {{0, IRRUN_F16, IRRUN_SCALES_NONE, 0, false, false, 32, 64, 0, 2},
                                   {0, IRRUN_F32, IRRUN_SCALES_NONE, 0, false, false, 5, 20, 0, 1}};
  has_weights(read(), weights, 2, 64 + 20 + 9 + 56);
}

/* ---- tables, variables, steps ---- */

static irrun_sizes sizes_of(irrun_model *model) {
  irrun_sizes sizes = {.size = sizeof sizes};
  assert_true(irrun_model_get_sizes(model, &sizes));
  irrun_model_free(model);
  return sizes;
}

/* A table of which rows are gathered, alone or by a product that reads all of it. */
static irrun_sizes table(bool is_multiplied) {
  begin();
  const int ids = add_parameter(IR_I32, "?,?"), scales = constant(IR_F16, "6,1", 12);
  const int made = op("Multiply", "", "FP16", to_f16(constant(IR_U8, "6,4", 24)), scales, -1);
  const int rows = op("Gather", "batch_dims=\"0\"", "FP16", made, ids, constant(IR_I64, "", 8));
  result(rows);
  if (is_multiplied)
    result(op("MatMul", "transpose_a=\"false\" transpose_b=\"true\"", "FP16", rows, made, -1));
  return sizes_of(read());
}

static void gathered_tables(void **state) {
  (void)state;
  assert_int_equal(table(false).gathered_bytes, 36);
  assert_int_equal(table(true).gathered_bytes, 0);
  assert_int_equal(table(false).step_bytes, 4 + 4 * 2); /* an id and its row */
  assert_int_equal(table(true).step_bytes, 4 * 2 + 6 * 2);
}

/* The sizes of a model that reads these variables, all of f32. */
static irrun_sizes variables(const char *const *shapes, int n) {
  char data[160];
  begin();
  for (int i = 0; i < n; i++) {
    snprintf(data, sizeof data, "variable_id=\"v%d\" variable_type=\"f32\" variable_shape=\"%s\"", i % 3, shapes[i]);
    const int read_value = op("ReadValue", data, "FP32", -1, -1, -1);
    snprintf(data, sizeof data, "variable_id=\"v%d\"", i % 3);
    result(op("Assign", data, "FP32", read_value, -1, -1));
  }
  return sizes_of(read());
}

static void states(void **state) {
  (void)state;
  irrun_sizes sizes = variables((const char *const[]){"?,4,?,8", "2,3,?"}, 2);
  assert_int_equal(sizes.variables, 2);
  assert_int_equal(sizes.token_bytes, (4 * 8 + 2 * 3) * 4);
  assert_int_equal(sizes.fixed_bytes, 0);
  sizes = variables((const char *const[]){"?,16,3", "?,?", "5", "?,16,3"}, 4); /* the last one reads v0 again */
  assert_int_equal(sizes.variables, 3);
  assert_int_equal(sizes.token_bytes, 4);
  assert_int_equal(sizes.fixed_bytes, (16 * 3 + 5) * 4);
  sizes = variables((const char *const[]){"?,4", "?,?,?"}, 2);
  assert_int_equal(sizes.token_bytes, -1);
  assert_int_equal(sizes.fixed_bytes, -1);
}

/* ---- work ---- */

/* y = ReLU(x * w), as a convolution of 2 to 3 channels on 6x6 by a kernel of 3x3, of which a view is pooled. */
static irrun_sizes small_network(const char *shape) {
  begin();
  const int x = add_parameter(IR_F32, shape), folded = op("ReLU", "", "FP32", constant(IR_F32, "3,2,3,3", 216), -1, -1);
  int at =
      op("Convolution", "strides=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\" dilations=\"1,1\"", "FP32", x, folded, -1);
  at = op("ReLU", "", "FP32", at, -1, -1);
  at = op("Unsqueeze", "", "FP32", at, constant(IR_I64, "1", 8), -1);
  op("Exp", "", "FP32", at, -1, -1); /* no output needs it */
  result(op("ReduceSum", "keep_dims=\"false\"", "FP32", at, constant(IR_I64, "1", 8), -1));
  return sizes_of(read());
}

static void work_of_a_network(void **state) {
  (void)state;
  irrun_sizes sizes = small_network("1,2,6,6");
  const int64_t macs = 3 * 6 * 6 * 2 * 3 * 3, of_relu = 3 * 6 * 6;
  assert_int_equal(sizes.macs, macs);
  assert_int_equal(sizes.flops, 2 * macs + of_relu + of_relu); /* the sum reads each element once */
  assert_int_equal(sizes.uncounted, 0);
  /* the result of the convolution and that of ReLU; Unsqueeze shows it; axis 0 of size 1 is summed */
  assert_int_equal(sizes.peak_bytes, 2 * of_relu * 4);
  sizes = small_network("?,2,6,6");
  assert_int_equal(sizes.macs, 0);
  assert_int_equal(sizes.uncounted, 3);
  assert_int_equal(sizes.peak_bytes, -1);
}

static void work_of_products(void **state) {
  (void)state;
  begin();
  const int q = add_parameter(IR_F32, "2,3,5,8"), k = add_parameter(IR_F32, "2,3,7,8");
  result(op("MatMul", "transpose_b=\"true\"", "FP32", q, k, -1));
  assert_int_equal(sizes_of(read()).macs, 2 * 3 * 5 * 7 * 8);
  begin();
  const int query = add_parameter(IR_F32, "2,3,5,8"), key = add_parameter(IR_F32, "2,3,7,8");
  result(op("Softmax", "axis=\"3\"", "FP32", op("MatMul", "transpose_b=\"true\"", "FP32", query, key, -1), -1, -1));
  const irrun_sizes sizes = sizes_of(read());
  assert_int_equal(sizes.flops, 2 * sizes.macs + 2 * 3 * 5 * 7);
}

/* Compares item `index` with the numbers, which begin with that of layers. */
static void has_op(irrun_model *model, int64_t index, const char *type, const int64_t numbers[5]) {
  irrun_op_sizes op = {.size = sizeof op};
  assert_true(irrun_model_get_op_sizes(model, index, &op));
  assert_string_equal(op.type, type);
  assert_int_equal(op.version, 1);
  const int64_t found[] = {op.layers, op.macs, op.flops, op.parameters, op.bytes};
  for (int i = 0; i < 5; i++)
    assert_int_equal(found[i], numbers[i]);
}

/* The products are of weights of 8 bits with scales, and of floats. ReLU reads a constant of its own. */
static void sizes_by_op(void **state) {
  (void)state;
  begin();
  const int x = add_parameter(IR_F16, "2,4"), weights = to_f16(constant(IR_I8, "4,3", 12));
  int at = op("Multiply", "", "FP16", weights, constant(IR_F16, "1,3", 6), -1);
  at = op("MatMul", "", "FP16", x, at, -1);
  at = op("MatMul", "", "FP16", at, constant(IR_F16, "3,5", 30), -1);
  result(op("ReLU", "", "FP16", op("ReLU", "", "FP16", at, -1, -1), -1, -1));
  result(op("ReLU", "", "FP16", constant(IR_F16, "7", 14), -1, -1));
  op("Exp", "", "FP16", at, -1, -1); /* no output needs it */
  irrun_model *model = read();
  const int64_t macs = 2 * 3 * 4 + 2 * 5 * 3, of_relu = 2 * 2 * 5;
  has_op(model, 0, "MatMul", (const int64_t[]){2, macs, 2 * macs, 12 + 15, 12 + 6 + 30});
  has_op(model, 1, "ReLU", (const int64_t[]){2, 0, of_relu, 7, 14}); /* that of the constant does not count */
  irrun_op_sizes none = {.size = sizeof none};
  assert_false(irrun_model_get_op_sizes(model, 2, &none) || irrun_model_get_op_sizes(model, -1, &none));
  const irrun_sizes sizes = sizes_of(model);
  assert_true(sizes.macs == macs && sizes.flops == 2 * macs + of_relu && sizes.parameters == 12 + 15 + 7);
}

static int make_scratch(void **state) {
  (void)state;
  context = irrun_context_create(NULL);
  scratch = scratch_model_make();
  return context == NULL;
}

static int remove_scratch(void **state) {
  (void)state;
  scratch_model_remove(&scratch);
  irrun_context_free(context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scales_of_groups),
      cmocka_unit_test(scales_of_channels_and_tensors),
      cmocka_unit_test(scales_of_low_bits),
      cmocka_unit_test(codebooks),
      cmocka_unit_test(shared_zero_points),
      cmocka_unit_test(gathered_tables),
      cmocka_unit_test(floats_and_other_constants),
      cmocka_unit_test(states),
      cmocka_unit_test(work_of_a_network),
      cmocka_unit_test(work_of_products),
      cmocka_unit_test(sizes_by_op),
  };
  return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
