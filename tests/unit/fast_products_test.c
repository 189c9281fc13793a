/* Tests convolutions by oneDNN and by plain kernels: which one runs, whether weights are relaid only once, memory,
 * fork, and a caller that uses OpenMP. */
#include "failing_memory.h"
#include "irrun_program.h"
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { IN = 16, OUT = 32, SIZE = 32, N_IN = IN * SIZE * SIZE, N_OUT = OUT * SIZE * SIZE, N_WEIGHTS = OUT * IN * 9 };

#define LAYER(id, type, inside)                                                                                        \
  "<layer id=\"" #id "\" name=\"l" #id "\" type=\"" type "\" version=\"opset1\">" inside "</layer>"
#define PORT(id) "<port id=\"" #id "\" precision=\"FP32\"/>"
#define EDGE(from, port, to)                                                                                           \
  "<edge from-layer=\"" #from "\" from-port=\"" #port "\" to-layer=\"2\" to-port=\"" #to "\"/>"

static const char text[] = "<net name=\"m\" version=\"11\"><layers>" LAYER(
    0, "Parameter", "<data shape=\"1,16,?,?\" element_type=\"f32\"/><output>" PORT(0) "</output>")
    LAYER(1, "Const",
          "<data shape=\"32,16,3,3\" element_type=\"f32\" offset=\"0\" size=\"18432\"/><output>" PORT(0) "</output>")
        LAYER(2, "Convolution",
              "<data strides=\"1,1\" dilations=\"1,1\" pads_begin=\"1,1\" pads_end=\"1,1\"/><input>" PORT(0)
                  PORT(1) "</input><output>" PORT(2) "</output>")
            LAYER(3, "Result", "<input>" PORT(0) "</input>") "</layers><edges>" EDGE(0, 0, 0)
                EDGE(1, 0, 1) "<edge from-layer=\"2\" from-port=\"2\" to-layer=\"3\" to-port=\"0\"/></edges></net>";

static float weights[N_WEIGHTS], x[N_IN];

typedef struct fixture {
  failing_memory counts;
  irrun_context *context;
  irrun_model *model;
} fixture;

static void begin(fixture *f) {
  const irrun_buffer bin = {weights, sizeof weights};
  const ir_memory memory = failing_memory_of(&f->counts);
  const irrun_allocator allocator = {sizeof allocator, memory.alloc, memory.release, memory.user};
  for (int i = 0; i < N_WEIGHTS; i++)
    weights[i] = (float)(i * 7 % 11 - 5) / 16;
  for (int i = 0; i < N_IN; i++)
    x[i] = (float)(i * 5 % 13 - 6) / 4;
  f->context = irrun_context_create(&allocator);
  assert_non_null(f->context);
  assert_int_equal(irrun_model_read_memory(f->context, "in memory", (irrun_buffer){text, sizeof text - 1}, &bin,
                                           IRRUN_TO_RUN, NULL, 0, &f->model),
                   IRRUN_OK);
}

static void end(fixture *f) {
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  assert_int_equal(f->counts.n_alive, 0);
}

/* Sets an input of [1, IN, rows, SIZE], which holds the first elements of x. */
static void set_input(fixture *f, irrun_run *run, int64_t rows) {
  const int64_t dims[] = {1, IN, rows, SIZE};
  irrun_tensor *tensor;
  assert_int_equal(
      irrun_tensor_borrow(f->context, IRRUN_F32, 4, dims, x, (size_t)rows * IN * SIZE * sizeof *x, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
}

static irrun_run *begin_run(fixture *f) {
  irrun_run *run;
  assert_int_equal(irrun_run_create(f->model, &run), IRRUN_OK);
  set_input(f, run, SIZE);
  irrun_run_profile(run, true);
  return run;
}

static const float *execute(irrun_run *run) {
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(run, 0));
  assert_int_equal(info.elements, N_OUT);
  return info.data;
}

static bool is_fast(const irrun_run *run) {
  irrun_step step = {.size = sizeof step};
  for (int64_t i = 0; irrun_run_get_step(run, i, &step); i++)
    if (strcmp(step.isa, "onednn") == 0)
      return true;
  return false;
}

/* All sums are integers / 64 that floats represent exactly. The order of summation therefore changes nothing. */
static void kernels_are_chosen(void **state) {
  (void)state;
  fixture f;
  begin(&f);
  assert_int_equal(irrun_context_get_kernels(f.context), IRRUN_KERNELS_FAST);
  irrun_run *fast = begin_run(&f);
  const float *a = execute(fast);
  assert_int_equal(is_fast(fast), irrun_fast_library() != NULL);
  irrun_context_set_kernels(f.context, IRRUN_KERNELS_PLAIN);
  assert_int_equal(irrun_context_get_kernels(f.context), IRRUN_KERNELS_PLAIN);
  irrun_run *plain = begin_run(&f);
  const float *b = execute(plain);
  assert_false(is_fast(plain));
  for (int i = 0; i < N_OUT; i++)
    if (a[i] != b[i])
      fail_msg("element %d is %g, and %g by the plain kernels", i, (double)a[i], (double)b[i]);
  irrun_run_free(fast);
  irrun_run_free(plain);
  end(&f);
}

/* Begins a run with oneDNN's module, executes it, and copies its first N_OUT results. */
static irrun_run *run_first(fixture *f, float *first) {
  begin(f);
  irrun_run *run = begin_run(f);
  memcpy(first, execute(run), N_OUT * sizeof *first);
  assert_true(is_fast(run));
  return run;
}

/* The model keeps its relaid weights: a later change of the caller's weights has no effect. */
static void weights_are_laid_out_once(void **state) {
  (void)state;
  static float first[N_OUT];
  fixture f;
  if (irrun_fast_library() == NULL)
    skip();
  irrun_run *run = run_first(&f, first);
  memset(weights, 0, sizeof weights);
  assert_memory_equal(execute(run), first, sizeof first);
  irrun_run_free(run);

  /* Another run of the model uses the same relaid weights. */
  run = begin_run(&f);
  assert_memory_equal(execute(run), first, sizeof first);
  irrun_run_free(run);
  end(&f);
}

static void a_run_of_other_sizes_is_planned_anew(void **state) {
  (void)state;
  static float first[N_OUT];
  fixture f;
  if (irrun_fast_library() == NULL)
    skip();
  irrun_run *run = run_first(&f, first);
  set_input(&f, run, SIZE - 1);
  assert_int_equal(irrun_run_execute(run), IRRUN_OK);
  assert_true(is_fast(run));
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(run, 0)).dims[2], SIZE - 1);
  set_input(&f, run, SIZE);
  assert_memory_equal(execute(run), first, sizeof first);
  irrun_run_free(run);
  end(&f);
}

/* A fork copies only the calling thread. The child has to start its own threads. */
static void both_processes_run_after_a_fork(void **state) {
  (void)state;
  enum { MOST_SECONDS = 30 };
  static float first[N_OUT];
  fixture f;
  int status;
  begin(&f);
  assert_int_equal(irrun_context_set_threads(f.context, 2), IRRUN_OK);
  irrun_run *run = begin_run(&f);
  memcpy(first, execute(run), sizeof first);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    alarm(MOST_SECONDS);
    _exit(memcmp(execute(run), first, sizeof first) == 0 ? 0 : 1);
  }
  assert_memory_equal(execute(run), first, sizeof first);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  irrun_run_free(run);
  end(&f);
}

static void the_callers_openmp_keeps_its_threads(void **state) {
  (void)state;
  enum { THREADS = 7 };
  fixture f;
  void *library = dlopen("libgomp.so.1", RTLD_NOW);
  if (irrun_fast_library() == NULL || library == NULL)
    skip();
  void (*set)(int);
  int (*get)(void);
  *(void **)&set = dlsym(library, "omp_set_num_threads");
  *(void **)&get = dlsym(library, "omp_get_max_threads");
  begin(&f);
  set(THREADS);
  irrun_run *run = begin_run(&f);
  execute(run);
  assert_int_equal(get(), THREADS);
  irrun_run_free(run);
  end(&f);
  dlclose(library);
}

/* Returns how many bytes of anonymous memory are executable: code that oneDNN has generated. */
static uint64_t count_code(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  uint64_t begin, end, bytes = 0;
  assert_non_null(maps);
  while (fgets(line, sizeof line, maps) != NULL)
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*1[r]%*1[w-]xp %*x 00:00 0", &begin, &end) == 2 &&
        strchr(line, '[') == NULL && strchr(line, '/') == NULL)
      bytes += end - begin;
  fclose(maps);
  return bytes;
}

static void the_code_of_products_that_are_gone_does_not_add_up(void **state) {
  (void)state;
  enum {
    LEAST = 920,
    ENOUGH = 100,
    MOST = 300
  }; /* LEAST: elements of a plane from which oneDNN is used; ENOUGH, MOST: numbers of plans */
  fixture f;
  int n = 0;
  uint64_t before = 0;
  if (irrun_fast_library() == NULL)
    skip();
  begin(&f);
  irrun_run *run = begin_run(&f);
  for (int64_t rows = 1; n < MOST; rows++)
    for (int64_t columns = LEAST / rows; rows * columns <= SIZE * SIZE && n < MOST; columns++) {
      const int64_t dims[] = {1, IN, rows, columns};
      irrun_tensor *tensor;
      assert_int_equal(irrun_tensor_fill(f.context, "ones", IRRUN_F32, 4, dims, &tensor), IRRUN_OK);
      assert_int_equal(irrun_run_set_input(run, 0, tensor, false, NULL), IRRUN_OK);
      assert_int_equal(irrun_run_plan(run), IRRUN_OK);
      if (++n == ENOUGH)
        before = count_code();
    }
  assert_true(before > 0 && count_code() <= before + before / 4);
  irrun_run_free(run);
  end(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_are_chosen),
      cmocka_unit_test(weights_are_laid_out_once),
      cmocka_unit_test(a_run_of_other_sizes_is_planned_anew),
      cmocka_unit_test(both_processes_run_after_a_fork),
      cmocka_unit_test(the_callers_openmp_keeps_its_threads),
      cmocka_unit_test(the_code_of_products_that_are_gone_does_not_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
