/* Several threads talk to one language model, each with a run and a state of its own. Its weights, packed ones and
 * those that oneDNN lays out, are in memory once. ThreadSanitizer reports data that they change without a lock. */
#include "irrun_state.h"
#include "model_text.h"
#include "scratch.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, STEPS = 5, SIZE = 1024, WEIGHTS = SIZE * SIZE };

/* The bytes that an allocator has given. */
typedef struct counter {
  atomic_size_t now, most;
} counter;

static void *take(void *user, size_t bytes) {
  counter *c = user;
  max_align_t *block = malloc(sizeof(max_align_t) + bytes);
  if (block == NULL)
    return NULL;
  memcpy(block, &bytes, sizeof bytes);
  const size_t now = atomic_fetch_add(&c->now, bytes) + bytes;
  for (size_t most = atomic_load(&c->most); now > most && !atomic_compare_exchange_weak(&c->most, &most, now);)
    continue;
  return block + 1;
}

static void give_back(void *user, void *block) {
  counter *c = user;
  size_t bytes;
  if (block == NULL)
    return;
  max_align_t *whole = (max_align_t *)block - 1;
  memcpy(&bytes, whole, sizeof bytes);
  atomic_fetch_sub(&c->now, bytes);
  free(whole);
}

static irrun_context *make_context(counter *c) {
  const irrun_allocator allocator = {.size = sizeof allocator, .alloc = take, .release = give_back, .user = c};
  irrun_context *context = irrun_context_create(&allocator);
  assert_non_null(context);
  assert_int_equal(irrun_context_set_threads(context, 1), IRRUN_OK);
  return context;
}

/* ---- the model ---- */

static void op(FILE *file, int id, const char *type, const char *data, int n_inputs) {
  fprintf(file, "<layer id=\"%d\" name=\"l%d\" type=\"%s\" version=\"opset6\"><data %s/><input>", id, id, type, data);
  for (int i = 0; i < n_inputs; i++)
    fprintf(file, "<port id=\"%d\"/>", i);
  fprintf(file, "</input><output><port id=\"9\" precision=\"FP32\"/></output></layer>\n");
}

/* Writes a model that appends x, [1,?,SIZE], to the variable v, and multiplies v by packed weights, whose product with
 * weights of f32 is the result. All weights are random. */
static void write_model(const scratch_model *files) {
  static const char matrix[] = "transpose_a=\"false\" transpose_b=\"true\"";
  static const char *const assign = "variable_id=\"v\"";
  static const char *const variable = "variable_id=\"v\" variable_type=\"f32\" variable_shape=\"1,?,1024\"";
  static const int edges[][4] = {{0, 0, 4, 1}, {1, 0, 6, 0}, {6, 9, 7, 0},  {2, 0, 7, 1},  {3, 9, 4, 0},  {4, 9, 5, 0},
                                 {4, 9, 8, 0}, {7, 9, 8, 1}, {8, 9, 10, 0}, {9, 0, 10, 1}, {10, 9, 11, 0}};
  const size_t scales = WEIGHTS, floats = scales + SIZE * sizeof(float), end = floats + WEIGHTS * sizeof(float);
  unsigned char *bin = test_malloc(end);
  unsigned number = 1;
  for (size_t i = 0; i < end; i++)
    bin[i] = (unsigned char)((number = number * 1103515245 + 12345) >> 16);
  for (size_t i = scales; i < end; i += sizeof(float))
    memcpy(bin + i, &(float){(float)bin[i] / 65536 - 1.0F / 512}, sizeof(float));
  scratch_write(files->bin, bin, end);
  test_free(bin);
  FILE *file = model_begin(files->xml);
  model_parameter(file, 0, "x", IR_F32, "1,?,1024");
  model_const(file, 1, "packed", IR_U8, "1024,1024", 0, WEIGHTS);
  model_const(file, 2, "scales", IR_F32, "1024,1", scales, SIZE * sizeof(float));
  op(file, 3, "ReadValue", variable, 0);
  op(file, 4, "Concat", "axis=\"1\"", 2);
  op(file, 5, "Assign", assign, 1);
  op(file, 6, "Convert", "destination_type=\"f32\"", 1);
  op(file, 7, "Multiply", "", 2);
  op(file, 8, "MatMul", matrix, 2);
  model_const(file, 9, "floats", IR_F32, "1024,1024", floats, WEIGHTS * sizeof(float));
  op(file, 10, "MatMul", matrix, 2);
  model_result(file, 11, "y");
  model_edges(file);
  for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
    model_edge(file, edges[i][0], edges[i][1], edges[i][2], edges[i][3]);
  model_end(file);
}

/* ---- conversations ---- */

typedef struct worker {
  pthread_t thread;
  irrun_model *model;
  float first; /* what the conversation begins with */
  bool failed;
  double sum; /* of all outputs */
  counter memory;
} worker;

static bool do_step(irrun_context *context, irrun_run *run, int step, worker *w) {
  static const int64_t lengths[STEPS] = {40, 1, 1, 1, 2};
  const int64_t n = lengths[step];
  float *x = calloc((size_t)n * SIZE, sizeof *x);
  irrun_tensor *tensor;
  for (int64_t i = 0; x != NULL && i < n * SIZE; i++)
    x[i] = w->first + (float)(i % 7 + step);
  bool done = x != NULL &&
              irrun_tensor_create(context, IRRUN_F32, 3, (int64_t[]){1, n, SIZE}, x, (size_t)n * SIZE * sizeof *x,
                                  &tensor) == IRRUN_OK &&
              irrun_run_set_input(run, 0, tensor, false, NULL) == IRRUN_OK && irrun_run_execute(run) == IRRUN_OK;
  free(x);
  const irrun_tensor_info y = done ? irrun_tensor_get_info(irrun_run_output(run, 0)) : (irrun_tensor_info){.rank = 0};
  for (int64_t i = 0; i < y.elements; i++)
    w->sum += ((const float *)y.data)[i];
  return done;
}

static void *converse(void *user) {
  worker *w = user;
  irrun_context *context = make_context(&w->memory);
  irrun_run *run = NULL;
  irrun_variable variable = {.size = sizeof variable};
  w->sum = 0;
  bool done = irrun_run_create_in(context, w->model, &run) == IRRUN_OK;
  for (int step = 0; step < STEPS && done; step++)
    done = do_step(context, run, step, w);
  done = done && irrun_run_get_variable(run, 0, &variable) && variable.is_set && variable.token_axis == 1 &&
         variable.info.dims[1] == 45;
  irrun_run_free(run);
  irrun_context_free(context);
  w->failed = !done;
  return NULL;
}

static void conversations_share_the_weights(void **state) {
  (void)state;
  static worker workers[THREADS];
  counter of_model = {0, 0};
  const scratch_model files = scratch_model_make();
  irrun_context *context = make_context(&of_model);
  irrun_model *model;
  double alone[THREADS];
  size_t bytes_before = 0;
  write_model(&files);
  assert_int_equal(irrun_model_read(context, files.xml, NULL, IRRUN_TO_RUN, &model), IRRUN_OK);
  for (int i = 0; i < THREADS; i++) { /* one after the other; the first one lays out weights */
    workers[i].model = model;
    workers[i].first = (float)i;
    converse(&workers[i]);
    assert_false(workers[i].failed);
    alone[i] = workers[i].sum;
    bytes_before = i == 0 ? atomic_load(&of_model.now) : bytes_before;
  }
  assert_true(alone[0] != alone[1]);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&workers[i].thread, NULL, converse, &workers[i]), 0);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    assert_false(workers[i].failed);
    assert_true(workers[i].sum == alone[i]);
    assert_true(atomic_load(&workers[i].memory.most) < WEIGHTS * sizeof(float)); /* no copy of either weights */
  }
  assert_int_equal(atomic_load(&of_model.now), bytes_before); /* the model's constants: none was made twice */
  irrun_model_free(model);
  irrun_context_free(context);
  scratch_model_remove(&files);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conversations_share_the_weights),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
