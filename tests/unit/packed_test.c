/* Products of packed weights give the results of weights that are unpacked first, for each type, with and without zero
 * points and groups, for few rows and many. */
#include "base/low_bit_types.h"
#include "base/shape.h"
#include "draw.h"
#include "irrun.h"
#include "irrun_debug.h"
#include "irrun_program.h"
#include "model_text.h"
#include "ops/kernels/isa.h"
#include "scratch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_ROWS = 70, MOST_BYTES = 1 << 21, MOST_ELEMENTS = 1 << 21 };

typedef struct packed_case {
  ir_type type;
  int64_t n, k, group;   /* group 0: weights [n, k] with a scale for each row */
  ir_type zeros, scales; /* IR_DYNAMIC: none */
  bool has_one_scale;    /* one number for all rows, in zeros and scales */
  bool has_codebook;     /* the weights are numbers of a codebook's elements, and have no zero points */
  bool is_tiny;          /* the scales are subnormal numbers of f16 */
  int64_t batch;         /* number of matrices of weights, each for its own rows; 0: the weights are a matrix */
} packed_case;

static const packed_case cases[] = {
    {IR_U8, 70, 96, 0, IR_U8, IR_F16, false, false, false, 0},
    {IR_U8, 33, 40, 0, IR_DYNAMIC, IR_F32, true, false, false, 0},
    {IR_I8, 65, 128, 0, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_U8, 41, 64, 0, IR_U4, IR_F16, false, false, false, 0},
    {IR_I8, 42, 64, 64, IR_I8, IR_F16, true, false, false, 0},
    {IR_I8, 40, 48, 24, IR_I8, IR_F32, false, false, false, 0},
    {IR_U4, 64, 1040, 8, IR_U4, IR_F16, false, false, false, 0},
    {IR_I4, 35, 256, 32, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_U4, 31, 72, 0, IR_U4, IR_F32, true, false, false, 0},
    {IR_NF4, 40, 96, 16, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_U2, 40, 96, 16, IR_U2, IR_F16, false, false, false, 0},
    {IR_F4E2M1, 36, 64, 32, IR_DYNAMIC, IR_F8E8M0, false, false, false, 0},
    {IR_F8E4M3, 50, 88, 0, IR_DYNAMIC, IR_F32, false, false, false, 0},
    {IR_I8, 512, 256, 0, IR_DYNAMIC, IR_F16, false, false, true, 0},
    {IR_I4, 35, 512, 128, IR_I4, IR_F16, false, false, false, 0},
    {IR_I8, 37, 192, 64, IR_I8, IR_F16, false, false, false, 0},
    {IR_U8, 33, 128, 0, IR_U8, IR_F32, true, false, false, 0},
    {IR_U8, 33, 128, 0, IR_U4, IR_F8E8M0, true, false, false, 0},      /* a Gather converts two constants of its own */
    {IR_U4, 1031, 512, 128, IR_U4, IR_F16, false, false, false, 0},    /* many rows: the last tile is smaller */
    {IR_I4, 40, 1024, 32, IR_DYNAMIC, IR_F16, false, false, false, 0}, /* several words of codes share a scale */
    {IR_U4, 40, 1088, 64, IR_U4, IR_F16, false, false, false, 0},
    {IR_U4, 40, 2176, 128, IR_U4, IR_F16, false, false, false, 0}, /* 17 groups of 16 words */
    {IR_I4, 37, 400, 40, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_I8, 39, 1056, 32, IR_I8, IR_F16, false, false, false, 0},
    {IR_U2, 40, 1088, 64, IR_U2, IR_F16, false, false, false, 0},
    {IR_U3, 40, 1088, 64, IR_I8, IR_F16, true, false, false, 0},
    {IR_F4E2M1, 36, 1120, 16, IR_DYNAMIC, IR_F8E4M3, false, false, false, 0},
    {IR_F8E4M3, 36, 1120, 32, IR_DYNAMIC, IR_F8E8M0, false, false, false, 0},
    {IR_F8E5M2, 40, 600, 0, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_NF4, 40, 1152, 64, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_I8, 39, 1027, 0, IR_I8, IR_F16, false, false, false, 0}, /* the last word of a row is not whole */
    {IR_U4, 39, 1030, 0, IR_U4, IR_F16, false, false, false, 0},
    {IR_I8, 40, 33, 11, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_BF16, 40, 513, 0, IR_DYNAMIC, IR_DYNAMIC, false, false, false, 0},
    {IR_F16, 1031, 512, 0, IR_DYNAMIC, IR_DYNAMIC, false, false, false, 0},
    {IR_F32, 1031, 256, 0, IR_DYNAMIC, IR_DYNAMIC, false, false, false, 0}, /* many rows, as they lie */
    {IR_F32, 8, 256, 0, IR_DYNAMIC, IR_DYNAMIC, false, false, false, 0},    /* few weights: not by oneDNN */
    {IR_F32, 45, 64, 0, IR_DYNAMIC, IR_F16, false, false, false, 0},
    {IR_U4, 40, 1152, 64, IR_DYNAMIC, IR_F16, false, true, false, 0},
    {IR_U4, 39, 70, 0, IR_DYNAMIC, IR_F32, true, true, false, 0},
    {IR_U8, 35, 128, 0, IR_U8, IR_F16, false, false, false, 3}, /* experts */
    {IR_I4, 70, 256, 64, IR_I4, IR_F16, false, false, false, 5},
    {IR_U4, 33, 66, 0, IR_U4, IR_F16, true, false, false, 3}, /* zero points of all matrices */
    {IR_U4, 31, 72, 8, IR_U4, IR_F16, false, false, false, 2},
    {IR_U2, 37, 96, 32, IR_U2, IR_F32, false, false, false, 3},
    {IR_F4E2M1, 48, 64, 32, IR_DYNAMIC, IR_F8E8M0, false, false, false, 4},
    {IR_F16, 40, 96, 0, IR_DYNAMIC, IR_DYNAMIC, false, false, false, 3},
    {IR_F32, 40, 96, 0, IR_DYNAMIC, IR_DYNAMIC, false, false, false, 3},
    {IR_U4, 300, 64, 0, IR_DYNAMIC, IR_F16, false, true, false, 2},
};

/* Fills n elements. Codes of low-bit floats that are no finite number are left out. */
static void fill(ir_type type, int64_t n, bool is_scale, unsigned char *data) {
  for (int64_t i = 0; i < n; i++) {
    const float x = (float)between(1, 64) / 256;
    if (type == IR_F32)
      memcpy(data + i * 4, &x, 4);
    else if (type == IR_F16)
      memcpy(data + i * 2, &(uint16_t){(uint16_t)(0x2c00 + between(0, 0x3ff))}, 2); /* 1/16 to 1/8 */
    else if (type == IR_F8E8M0)
      data[i] = (unsigned char)between(120, 126);
    else if (type == IR_BF16)
      memcpy(data + i * 2, &(uint16_t){(uint16_t)between(0x3d00, 0x3dff)}, 2); /* 1/32 to 1/8 */
    else if (type == IR_F8E4M3 || type == IR_F8E5M2)
      data[i] = (unsigned char)(between(0, 1) << 7 | between(0, 0x5f));
    else if (type == IR_U8 || type == IR_I8)
      data[i] = (unsigned char)(is_scale ? between(1, 9) : between(0, 255));
    else
      ir_narrow_set_bits(type, data, i, (unsigned)between(0, (1 << ir_type_bits(type)) - 1));
  }
}

/* A model under construction. */
typedef struct writer {
  FILE *file;
  unsigned char *bin;
  size_t n_bytes;
  int n_layers, edges[64][3], n_edges;
  bool is_tiny;
  bool has_rows_last; /* the weights and their numbers have the rows as last axis of a matrix */
  bool is_batch;      /* their first axis is that of the matrices */
  int ports[64];      /* of each layer: its output is port 2, not 0 */
} writer;

static int add_constant(writer *w, ir_type type, const int64_t *dims, int rank, bool is_scale) {
  char list[MODEL_LIST];
  int64_t n = 1, bytes;
  for (int i = 0; i < rank; i++)
    n *= dims[i];
  bytes = ir_type_in(type, IR_SET_NARROW) ? ir_ceil_div(n * ir_type_bits(type), 8) : n * (int64_t)ir_type_size(type);
  if (type == IR_I64)
    memcpy(w->bin + w->n_bytes, (const int64_t[]){-1, is_scale}, 16); /* unused: the caller writes the shape */
  else
    fill(type, n, is_scale, w->bin + w->n_bytes);
  for (int64_t i = 0; i < n && type == IR_F16 && w->is_tiny; i++)
    w->bin[w->n_bytes + (size_t)i * 2 + 1] &= 3; /* the upper bits of the mantissa stay */
  model_const(w->file, w->n_layers, "c", type, model_list(dims, rank, list), w->n_bytes, (size_t)bytes);
  w->n_bytes += (size_t)bytes + 1; /* the next constant is not aligned */
  return w->n_layers++;
}

/* Adds an op with one output, port 2. Ports 0 and 1 are its inputs; `b` -1: it has one. */
static int add(writer *w, const char *type, const char *data, ir_type made, int a, int b) {
  fprintf(w->file,
          "<layer id=\"%d\" name=\"l%d\" type=\"%s\" version=\"opset6\"><data %s/><input><port id=\"0\"/>%s</input>",
          w->n_layers, w->n_layers, type, data, b >= 0 ? "<port id=\"1\"/>" : "");
  fprintf(w->file, "<output><port id=\"2\" precision=\"%s\"/></output></layer>\n", made == IR_I32 ? "I32" : "FP32");
  const int from[] = {a, b};
  w->ports[w->n_layers] = 2;
  for (int i = 0; i < 2 && from[i] >= 0; i++)
    memcpy(w->edges[w->n_edges++], (int[]){from[i], w->n_layers, i}, sizeof w->edges[0]);
  return w->n_layers++;
}

/* Adds weights, scales or zero points. */
static int add_part(writer *w, ir_type type, const int64_t *dims, int rank, bool is_scale) {
  const int first = w->is_batch; /* axis of the rows */
  int64_t turned[4];
  memcpy(turned, dims, (size_t)rank * sizeof *dims);
  for (int i = first; w->has_rows_last && i < rank; i++)
    turned[i] = i < rank - 1 ? dims[i + 1] : dims[first];
  return add_constant(w, type, turned, rank, is_scale);
}

static int convert(writer *w, int from) {
  return add(w, "Convert", "destination_type=\"f32\"", IR_F32, from, -1);
}

/* Adds a Gather of rows of `data`; its output is port 3. */
static int add_gather(writer *w, int data, int indices) {
  const size_t at = w->n_bytes;
  const int axis = add_constant(w, IR_I64, &(int64_t){1}, 1, false), gather = w->n_layers++;
  w->ports[gather] = 3;
  memset(w->bin + at, 0, sizeof(int64_t));
  fprintf(w->file,
          "<layer id=\"%d\" name=\"gather\" type=\"Gather\" version=\"opset8\"><data/><input><port id=\"0\"/>"
          "<port id=\"1\"/><port id=\"2\"/></input><output><port id=\"3\" precision=\"FP32\"/></output></layer>\n",
          gather);
  const int from[] = {data, indices, axis};
  for (int i = 0; i < 3; i++)
    memcpy(w->edges[w->n_edges++], (int[]){from[i], gather, i}, sizeof w->edges[0]);
  return gather;
}

/* Adds the operations that unpack the weights, as compressed models have them. */
static int unpacked(writer *w, const packed_case *c) {
  const int64_t group = c->group == 0 ? c->k : c->group, n_groups = c->k / group, one = c->has_one_scale;
  const int64_t all[] = {c->batch, c->n, n_groups, group}, flat[] = {c->batch, c->n, c->k};
  const int64_t all_own[] = {one ? 1 : c->batch, one ? 1 : c->n, one ? 1 : n_groups, 1};
  const int64_t flat_own[] = {all_own[0], all_own[1], 1};
  const int skipped = c->batch == 0, rank = (c->group == 0 ? 3 : 4) - skipped;
  const int64_t *dims = (c->group == 0 ? flat : all) + skipped, *own = (c->group == 0 ? flat_own : all_own) + skipped;
  int at = add_part(w, c->type, dims, rank, false);
  if (c->has_codebook)
    at = add_gather(w, convert(w, add_constant(w, IR_F8E4M3, &(int64_t){16}, 1, false)),
                    add(w, "Convert", "destination_type=\"i32\"", IR_I32, at, -1));
  else if (c->type != IR_F32)
    at = convert(w, at);
  if (c->zeros != IR_DYNAMIC)
    at = add(w, "Subtract", "", IR_F32, at, convert(w, add_part(w, c->zeros, own, rank, true)));
  if (c->scales == IR_DYNAMIC)
    return at;
  int scales = add_part(w, c->scales, own, rank, true);
  if (c->scales == IR_F8E4M3) /* NVFP4: scales that have a scale */
    scales = add(w, "Multiply", "", IR_F32, convert(w, scales), add_constant(w, IR_F32, &(int64_t){1}, 1, true));
  const bool are_f32 = c->scales == IR_F32 || c->scales == IR_F8E4M3;
  at = add(w, "Multiply", "", IR_F32, at, are_f32 ? scales : convert(w, scales));
  if (c->group == 0)
    return at;
  const size_t shape_at = w->n_bytes;
  const int shape = add_constant(w, IR_I64, &(int64_t){rank - 1}, 1, false);
  const int64_t turned[] = {c->batch, c->k, c->n};
  memcpy(w->bin + shape_at, (w->has_rows_last ? turned : flat) + skipped, (size_t)(rank - 1) * sizeof *flat);
  return add(w, "Reshape", "special_zero=\"false\"", IR_F32, at, shape);
}

/* Adds a state that nothing else reads. Only models with states keep weights of f16 and f32 packed. */
static void add_state(writer *w) {
  const int64_t first = add_constant(w, IR_F32, &(int64_t){1}, 1, false);
  const int state =
      add(w, "ReadValue", "variable_id=\"v\" variable_shape=\"1\" variable_type=\"f32\"", IR_F32, (int)first, -1);
  add(w, "Assign", "variable_id=\"v\"", IR_F32, state, -1);
}

/* Writes a model that multiplies rows by the weights, or gathers rows of the weights. */
static void write_model(const packed_case *c, bool gathers, bool has_rows_last, const scratch_model *files) {
  static unsigned char bin[MOST_BYTES];
  char shape[40];
  writer w = {.file = model_begin(files->xml),
              .bin = bin,
              .n_bytes = 1,
              .is_tiny = c->is_tiny,
              .has_rows_last = has_rows_last,
              .is_batch = c->batch > 0};
  snprintf(shape, sizeof shape, gathers ? "?" : c->batch > 0 ? "?,?,%lld" : "?,%lld", (long long)c->k);
  model_parameter(w.file, w.n_layers++, "x", gathers ? IR_I64 : IR_F32, shape);
  const int weights = unpacked(&w, c);
  const int made =
      gathers ? add_gather(&w, weights, 0)
              : add(&w, "MatMul", has_rows_last ? "transpose_b=\"false\"" : "transpose_b=\"true\"", IR_F32, 0, weights);
  add_state(&w);
  model_result(w.file, w.n_layers, "y");
  model_edges(w.file);
  for (int i = 0; i < w.n_edges; i++)
    model_edge(w.file, w.edges[i][0], w.ports[w.edges[i][0]], w.edges[i][1], w.edges[i][2]);
  model_edge(w.file, made, w.ports[made], w.n_layers, 0);
  model_end(w.file);
  assert_true(w.n_bytes < MOST_BYTES);
  scratch_write(files->bin, bin, w.n_bytes);
}

/* ---- runs ---- */

typedef struct setting {
  unsigned skipped;
  int threads;
  irrun_kernels kernels;
} setting;

/* The input of a run: m rows of floats for each matrix, or m numbers of rows. */
typedef struct given {
  int64_t m;
  const float *rows;
  const int64_t *numbers;
} given;

/* Copies the result, m rows of `columns` floats for each matrix; returns the number of operations that read packed
 * weights. */
static int64_t run(const scratch_model *files, const packed_case *c, setting s, given in, int64_t columns, float *out) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *model;
  irrun_tensor *tensor;
  irrun_run *executed;
  assert_int_equal(irrun_context_set_threads(context, s.threads), IRRUN_OK);
  irrun_context_set_kernels(context, s.kernels);
  irrun_context_skip_passes(context, s.skipped);
  if (irrun_model_read(context, files->xml, NULL, IRRUN_TO_RUN, &model) != IRRUN_OK) {
    irrun_diagnostic d = {.size = sizeof d};
    irrun_context_get_diagnostic(context, 0, &d);
    fail_msg("%s %s", d.rule, d.message);
  }
  assert_int_equal(irrun_run_create(model, &executed), IRRUN_OK);
  const int64_t dims[] = {c->batch, in.m, c->k}, m = in.m * (c->batch > 0 ? c->batch : 1);
  const int skipped = c->batch == 0;
  const irrun_status status =
      in.rows != NULL
          ? irrun_tensor_create(context, IRRUN_F32, 3 - skipped, dims + skipped, in.rows,
                                (size_t)(m * c->k) * sizeof *in.rows, &tensor)
          : irrun_tensor_create(context, IRRUN_I64, 1, &in.m, in.numbers, (size_t)in.m * sizeof *in.numbers, &tensor);
  assert_int_equal(status, IRRUN_OK);
  assert_int_equal(irrun_run_set_input(executed, 0, tensor, false, NULL), IRRUN_OK);
  assert_int_equal(irrun_run_execute(executed), IRRUN_OK);
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(executed, 0));
  assert_int_equal(info.elements, m * columns);
  memcpy(out, info.data, info.bytes);
  const int64_t packed = irrun_run_pass_count(executed, IRRUN_PASS_PACK);
  irrun_run_free(executed);
  irrun_model_free(model);
  irrun_context_free(context);
  return packed;
}

/* The sums have other orders: each may be off by the rounding errors of k terms. */
static void compare(const packed_case *c, int64_t m, const float *got, const float *want) {
  float largest = 0;
  for (int64_t i = 0; i < m * c->n; i++)
    largest = fmaxf(largest, fabsf(want[i]));
  assert_true(largest > 0 && isfinite(largest));
  for (int64_t i = 0; i < m * c->n; i++)
    if (!(fabsf(got[i] - want[i]) <= 2e-6F * largest))
      fail_msg("%s, %lld rows: element %lld is %g, not %g", ir_type_name(c->type), (long long)m, (long long)i,
               (double)got[i], (double)want[i]);
}

static void check_product(const packed_case *c, bool has_rows_last) {
  static float rows[MOST_ELEMENTS], want[MOST_ELEMENTS], got[MOST_ELEMENTS], again[MOST_ELEMENTS];
  static const int64_t counts[] = {1, 3, 8, 9, MOST_ROWS};
  const scratch_model files = scratch_model_make();
  const int64_t n_matrices = c->batch > 0 ? c->batch : 1;
  for (int64_t i = 0; i < n_matrices * MOST_ROWS * c->k; i++)
    rows[i] = (float)between(-1000, 1000) / 1000;
  write_model(c, false, has_rows_last, &files);
  const int64_t packed = !has_rows_last || c->type != IR_F32;
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const int64_t m = counts[i];
    const given in = {.m = m, .rows = rows};
    assert_int_equal(run(&files, c, (setting){IRRUN_PASS_PACK, 1, IRRUN_KERNELS_FAST}, in, c->n, want), 0);
    assert_int_equal(run(&files, c, (setting){0, 1, IRRUN_KERNELS_PLAIN}, in, c->n, got), packed);
    compare(c, n_matrices * m, got, want);
    assert_int_equal(run(&files, c, (setting){0, 2, IRRUN_KERNELS_PLAIN}, in, c->n, again), packed);
    assert_memory_equal(got, again, (size_t)(n_matrices * m * c->n) * sizeof *got);
    for (ir_isa isa = IR_ISA_ANY; isa <= IR_ISA_AVX512; isa++) {
      ir_isa_limit(isa);
      run(&files, c, (setting){0, 1, IRRUN_KERNELS_PLAIN}, in, c->n, again);
      assert_memory_equal(got, again, (size_t)(n_matrices * m * c->n) * sizeof *got);
    }
    assert_int_equal(run(&files, c, (setting){0, 2, IRRUN_KERNELS_FAST}, in, c->n, got), packed);
    compare(c, n_matrices * m, got, want);
  }
  remove(files.xml);
  remove(files.bin);
  scratch_model_remove(&files);
}

/* Elements of gathered rows are computed by the same operations as those of all rows, so their bits are the same. */
static void check_gather(const packed_case *c) {
  static float want[MOST_ELEMENTS], got[MOST_ELEMENTS];
  const scratch_model files = scratch_model_make();
  int64_t numbers[MOST_ROWS];
  for (int i = 0; i < MOST_ROWS; i++)
    numbers[i] = between(-c->n - 2, c->n + 1); /* negative numbers count from the end; rows outside are 0 */
  write_model(c, true, false, &files);
  const given in = {.m = MOST_ROWS, .numbers = numbers};
  assert_int_equal(run(&files, c, (setting){IRRUN_PASS_PACK, 1, IRRUN_KERNELS_FAST}, in, c->k, want), 0);
  const int64_t packed = c->type != IR_F32 || c->scales != IR_DYNAMIC;
  assert_int_equal(run(&files, c, (setting){0, 1, IRRUN_KERNELS_FAST}, in, c->k, got), packed);
  assert_memory_equal(got, want, (size_t)(MOST_ROWS * c->k) * sizeof *got);
  remove(files.xml);
  remove(files.bin);
  scratch_model_remove(&files);
}

static void gathered_rows_are_unpacked_after_the_gather(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (cases[i].batch == 0)
      check_gather(&cases[i]);
}

static void packed_weights_give_the_results_of_unpacked_ones(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check_product(&cases[i], false);
    check_product(&cases[i], true);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(packed_weights_give_the_results_of_unpacked_ones),
                                     cmocka_unit_test(gathered_rows_are_unpacked_after_the_gather)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
