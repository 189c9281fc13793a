/* Tests runs that end early: by a cancellation from another thread, a signal handler or the run itself, or by the
 * time limit. A run stops between steps, between iterations of a body, or inside a long kernel. Afterwards it can be
 * executed again. */
#include "stop_model.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define LAYER(id, name, type, opset, data)                                                                             \
  "<layer id='" id "' name='" name "' type='" type "' version='opset" opset "'>" data
#define IN_1         "<input><port id='0'/></input>"
#define IN_2         "<input><port id='0'/><port id='1'/></input>"
#define IN_3         "<input><port id='0'/><port id='1'/><port id='2'/></input>"
#define OUT(p, type) "<output><port id='" p "' precision='" type "'/></output></layer>"
#define PARAMETER(id, name, shape, type)                                                                               \
  LAYER(id, name, "Parameter", "1", "<data shape='" shape "' element_type='" type "'/>") OUT("0", type)
#define RESULT(id, name)       LAYER(id, name, "Result", "1", IN_1) "</layer>"
#define EDGE(from, fp, to, tp) "<edge from-layer='" from "' from-port='" fp "' to-layer='" to "' to-port='" tp "'/>"

/* A model with a Loop. The Loop's body has Parameters 0 and 1, Results 3 (x) and 4 (the condition), and the given
 * layers and edges. */
#define LOOP(layers, edges)                                                                                            \
  {                                                                                                                    \
    "<net name='endless' version='11'><layers>" PARAMETER("0", "n", "", "i64") PARAMETER("1", "go", "", "boolean"),    \
        PARAMETER("2", "x", "4", "f32") LAYER("3", "loop", "Loop", "5", IN_3),                                         \
        "<output><port id='3' precision='FP32'/></output><port_map><input external_port_id='2' "                       \
        "internal_layer_id='0'/>",                                                                                     \
        "<input external_port_id='1' internal_layer_id='1'/>",                                                         \
        "<output external_port_id='-1' internal_layer_id='4' purpose='execution_condition'/>",                         \
        "<output external_port_id='3' internal_layer_id='3'/></port_map><back_edges>",                                 \
        "<edge from-layer='3' to-layer='0'/></back_edges><body><layers>" PARAMETER("0", "p", "4", "f32"),              \
        PARAMETER("1", "again", "", "boolean") layers, RESULT("3", "q") RESULT("4", "more") "</layers><edges>" edges,  \
        EDGE("1", "0", "4", "0") "</edges></body></layer>" RESULT("4", "y"),                                           \
        "</layers><edges>" EDGE("0", "0", "3", "0") EDGE("1", "0", "3", "1") EDGE("2", "0", "3", "2"),                 \
        EDGE("3", "3", "4", "0") "</edges></net>", NULL                                                                \
  }

/* `endless` doubles x n times, without end if n is negative. `idle` has the same Loop without a step in its body. */
static const char *const endless[] = LOOP(LAYER("2", "double", "Add", "1", IN_2) OUT("2", "FP32"),
                                          EDGE("0", "0", "2", "0") EDGE("0", "0", "2", "1") EDGE("2", "2", "3", "0"));
static const char *const idle[] = LOOP("", EDGE("0", "0", "3", "0"));

static void set(const stop_model *f, int64_t input, irrun_element_type type, int64_t n, const void *data,
                size_t bytes) {
  irrun_tensor *tensor;
  assert_int_equal(irrun_tensor_create(f->context, type, n > 0, &n, data, bytes, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(f->run, input, tensor, false, NULL), IRRUN_OK);
}

static irrun_status double_it(const stop_model *f, int64_t times) {
  set(f, 0, IRRUN_I64, 0, &times, sizeof times);
  set(f, 1, IRRUN_BOOLEAN, 0, &(bool){true}, sizeof(bool));
  set(f, 2, IRRUN_F32, 4, (float[]){1, 2, 3, 4}, 4 * sizeof(float));
  return irrun_run_execute(f->run);
}

static void works(const stop_model *f) {
  assert_int_equal(double_it(f, 3), IRRUN_OK);
  const irrun_tensor *y = irrun_run_output(f->run, 0);
  assert_memory_equal(irrun_tensor_get_info(y).data, ((float[]){8, 16, 24, 32}), 4 * sizeof(float));
}

/* Returns whether the run stopped between two iterations. The report then names the Loop instead of the body's
 * layer. */
static bool is_between_iterations(const irrun_diagnostic *d, const char *layer) {
  return strcmp(layer, "double") == 0 && strcmp(d->layer_name, "loop") == 0 && strstr(d->message, "in Loop") != NULL;
}

/* Expects IR705 with `message` at `layer`. Clears the diagnostics. */
static irrun_diagnostic stopped(const stop_model *f, irrun_status status, const char *message, const char *layer) {
  irrun_diagnostic d = {.size = sizeof d};
  assert_int_equal(status, IRRUN_IO);
  assert_true(irrun_context_get_diagnostic(f->context, 0, &d));
  assert_string_equal(d.rule, "IR705");
  if (!is_between_iterations(&d, layer)) {
    if (strstr(d.message, message) == NULL)
      fail_msg("'%s' has no '%s'", d.message, message);
    assert_string_equal(d.layer_name, layer);
  }
  assert_int_equal(irrun_context_count(f->context).errors, 1);
  assert_null(irrun_run_output(f->run, 0));
  return d;
}

static void *cancel_soon(void *user) {
  nanosleep(&(struct timespec){.tv_nsec = 30 * 1000 * 1000}, NULL);
  irrun_run_cancel(user);
  return NULL;
}

static irrun_run *of_the_handler;

static void handle(int number) {
  (void)number;
  irrun_run_cancel(of_the_handler); /* NOLINT(bugprone-signal-handler,cert-sig30-c): irrun.h allows it there */
}

static int n_calls;
static pthread_t called_in;

static void call(void *user) {
  called_in = pthread_self();
  if (++n_calls == 2)
    irrun_run_cancel(user);
}

static void a_run_is_cancelled(void **state) {
  (void)state;
  stop_model f = stop_model_begin(endless, 1);
  pthread_t thread;
  irrun_diagnostic note = {.size = sizeof note};
  works(&f);
  assert_int_equal(pthread_create(&thread, NULL, cancel_soon, f.run), 0);
  const irrun_diagnostic d = stopped(&f, double_it(&f, -1), "the run was cancelled in ", "double");
  assert_int_equal(pthread_join(thread, NULL), 0);
  if (!is_between_iterations(&d, "double")) {
    assert_int_equal(d.n_inside, 1);
    assert_string_equal(d.layer_inside[0], "loop");
  }
  assert_true(irrun_context_get_note(f.context, 0, 0, &note));
  assert_non_null(strstr(note.message, "in iteration "));
  irrun_context_clear_diagnostics(f.context);
  works(&f);

  irrun_run_cancel(f.run); /* without a current execution, cancels the next one */
  stopped(&f, double_it(&f, 3), "cancelled", "double");
  irrun_context_clear_diagnostics(f.context);
  works(&f);

  of_the_handler = f.run;
  signal(SIGALRM, handle);
  setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 30000}}, NULL);
  stopped(&f, double_it(&f, -1), "cancelled", "double");
  signal(SIGALRM, SIG_DFL);
  irrun_context_clear_diagnostics(f.context);

  irrun_run_meanwhile(f.run, call, f.run);
  stopped(&f, double_it(&f, -1), "cancelled", "double");
  assert_int_equal(n_calls, 2);
  assert_true(pthread_equal(called_in, pthread_self()));
  irrun_run_meanwhile(f.run, NULL, NULL);
  irrun_context_clear_diagnostics(f.context);
  works(&f);
  stop_model_end(&f);
}

static void a_run_is_late(void **state) {
  (void)state;
  stop_model f = stop_model_begin(endless, 1);
  irrun_context_set_max_time(f.context, 20 * 1000 * 1000);
  const irrun_diagnostic d =
      stopped(&f, double_it(&f, -1), ", step 1 of 1: it may take 0.02 s, as --max-time says", "double");
  assert_string_equal(d.hint, "if it is meant to take longer: --max-time 1");
  irrun_context_clear_diagnostics(f.context);
  irrun_context_set_max_time(f.context, INT64_MAX); /* the deadline exceeds int64_t */
  works(&f);
  irrun_context_set_max_time(f.context, 0);
  works(&f);
  stop_model_end(&f);
  f = stop_model_begin(idle, 1);
  irrun_context_set_max_time(f.context, 20 * 1000 * 1000);
  stopped(&f, double_it(&f, -1), ", in Loop: it may take 0.02 s", "loop");
  stop_model_end(&f);
}

#define LONG(inputs, type, opset, data, n_in, out)                                                                     \
  "<net name='one' version='11'><layers>" inputs LAYER("1", "long", type, opset, data)                                 \
  n_in out RESULT("2", "y") "</layers><edges>"

typedef struct long_run {
  const char *text[3];
  const char *fills[7]; /* the fill of each input */
} long_run;

/* Each model would run for at least half a minute. The models have many items of work, a single item, work between
 * two plans, or work on few bytes. */
static const long_run long_runs[] = {
    {{LONG(PARAMETER("10", "a", "4096,4096", "i32") PARAMETER("11", "b", "4096,4096", "i32"), "MatMul", "1", "", IN_2,
           OUT("2", "I32")),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("1", "2", "2", "0") "</edges></net>"},
     {"zeros", "zeros"}},
    {{LONG(PARAMETER("10", "x", "1,20000,512", "f32") PARAMETER("11", "h", "1,1,512", "f32") PARAMETER(
               "12", "c", "1,1,512", "f32") PARAMETER("13", "n", "1", "i64") PARAMETER("14", "w", "1,2048,512", "f32")
               PARAMETER("15", "r", "1,2048,512", "f32") PARAMETER("16", "b", "1,2048", "f32"),
           "LSTMSequence", "5", "<data hidden_size='512' direction='forward'/>",
           "<input><port id='0'/><port id='1'/><port id='2'/><port id='3'/><port id='4'/><port id='5'/><port id='6'/>"
           "</input>",
           "<output><port id='7' precision='FP32'/><port id='8' precision='FP32'/><port id='9' precision='FP32'/>"
           "</output></layer>"),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("12", "0", "1", "2") EDGE("13", "0", "1", "3"),
      EDGE("14", "0", "1", "4") EDGE("15", "0", "1", "5") EDGE("16", "0", "1", "6")
          EDGE("1", "7", "2", "0") "</edges></net>"},
     {"zeros", "zeros", "zeros", "20000", "zeros", "zeros", "zeros"}},
    {{LONG(PARAMETER("10", "boxes", "1,1000000,4", "f32") PARAMETER("11", "scores", "1,1,1000000", "f32") PARAMETER(
               "12", "most", "", "i64") PARAMETER("13", "overlap", "", "f32") PARAMETER("14", "least", "", "f32"),
           "NonMaxSuppression", "9", "<data sort_result_descending='false' output_type='i64'/>",
           "<input><port id='0'/><port id='1'/><port id='2'/><port id='3'/><port id='4'/></input>",
           "<output><port id='5' precision='I64'/><port id='6' precision='FP32'/><port id='7' precision='I64'/>"
           "</output></layer>"),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("12", "0", "1", "2"),
      EDGE("13", "0", "1", "3") EDGE("14", "0", "1", "4") EDGE("1", "5", "2", "0") "</edges></net>"},
     {"random:1", "random:2", "1000000", "0.9", "-2"}},
    {{LONG(PARAMETER("10", "x", "1,4096,64,64", "f32") PARAMETER("11", "axes", "1", "i64"), "LRN", "1",
           "<data alpha='1' beta='0.75' bias='1' size='8191'/>", IN_2, OUT("2", "FP32")),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("1", "2", "2", "0") "</edges></net>"},
     {"zeros", "ones"}},
    {{LONG(PARAMETER("10", "x", "4000,4000", "f32"), "Inverse", "14", "<data adjoint='false'/>", IN_1,
           OUT("1", "FP32")),
      EDGE("10", "0", "1", "0") EDGE("1", "1", "2", "0") "</edges></net>"},
     {"random:1"}},
    {{LONG(PARAMETER("10", "logits", "1,60000,2", "f32") PARAMETER("11", "n", "1", "i32")
               PARAMETER("12", "labels", "1,60000", "i32") PARAMETER("13", "m", "1", "i32"),
           "CTCLoss", "4", "<data ctc_merge_repeated='false'/>",
           "<input><port id='0'/><port id='1'/><port id='2'/><port id='3'/></input>", OUT("4", "FP32")),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("12", "0", "1", "2"),
      EDGE("13", "0", "1", "3") EDGE("1", "4", "2", "0") "</edges></net>"},
     {"zeros", "60000", "zeros", "30000"}},
    {{LONG(PARAMETER("10", "x", "6000000", "f32") PARAMETER("11", "k", "", "i64"), "TopK", "11",
           "<data axis='0' mode='max' sort='value'/>", IN_2,
           "<output><port id='2' precision='FP32'/><port id='3' precision='I32'/></output></layer>"),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("1", "2", "2", "0") "</edges></net>"},
     {"random:1", "6000000"}},
    {{LONG(PARAMETER("10", "x", "6000000", "f32"), "Unique", "10", "", IN_1,
           "<output><port id='1' precision='FP32'/><port id='2' precision='I64'/><port id='3' precision='I64'/>"
           "<port id='4' precision='I64'/></output></layer>"),
      EDGE("10", "0", "1", "0") EDGE("1", "1", "2", "0") "</edges></net>"},
     {"random:1"}}};

static void kernels_are_left_in_the_middle(void **state) {
  (void)state;
  for (int threads = 1; threads < 4; threads += 2)
    for (size_t i = 0; i < sizeof long_runs / sizeof long_runs[0]; i++) {
      const char *const text[] = {long_runs[i].text[0], long_runs[i].text[1], long_runs[i].text[2], NULL};
      stop_model f = stop_model_begin(text, threads);
      stop_model_fill(&f, long_runs[i].fills);
      irrun_context_set_max_time(f.context, 100 * 1000 * 1000);
      const clock_t start = clock(); /* processor time, which other programs do not lengthen */
      stopped(&f, irrun_run_execute(f.run), ": it may take 0.1 s", "long");
      assert_in_range((clock() - start) / CLOCKS_PER_SEC, 0, 10);
      stop_model_end(&f);
    }
}

#define LINE(type, opset, data)                                                                                        \
  LONG(PARAMETER("10", "x", "4000000", "f32"), type, opset, data, IN_1, OUT("1", "FP32")),                             \
      EDGE("10", "0", "1", "0") EDGE("1", "1", "2", "0") "</edges></net>"

/* Each model has one item of work, on many elements. */
static const long_run long_lines[] = {
    {{LINE("CumSum", "3", "")}, {"ones"}},
    {{LINE("SoftMax", "8", "<data axis='0'/>")}, {"ones"}},
    {{LONG(PARAMETER("10", "x", "4000000", "f32"), "NonZero", "3", "", IN_1, OUT("1", "I64")),
      EDGE("10", "0", "1", "0") EDGE("1", "1", "2", "0") "</edges></net>"},
     {"ones"}},
    {{LONG(PARAMETER("10", "x", "1,2000,2000", "f32") PARAMETER("11", "n", "1", "i32"), "ReverseSequence", "1", "",
           IN_2, OUT("2", "FP32")),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("1", "2", "2", "0") "</edges></net>"},
     {"ones", "2000"}},
    {{LONG(PARAMETER("10", "x", "2000000,1,2", "i32") PARAMETER("11", "p", "2000000,1,2", "i32")
               PARAMETER("12", "n", "1", "i32") PARAMETER("13", "e", "", "i32"),
           "GatherTree", "1", "", "<input><port id='0'/><port id='1'/><port id='2'/><port id='3'/></input>",
           OUT("4", "I32")),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("12", "0", "1", "2"),
      EDGE("13", "0", "1", "3") EDGE("1", "4", "2", "0") "</edges></net>"},
     {"zeros", "zeros", "2000000", "ones"}},
    {{LONG(PARAMETER("10", "rois", "2000000,4", "f32") PARAMETER("11", "scores", "2000000", "f32"),
           "ExperimentalDetectronTopKROIs", "6", "<data max_rois='2000000'/>", IN_2, OUT("2", "FP32")),
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("1", "2", "2", "0") "</edges></net>"},
     {"zeros", "random:1"}}};

static void lines_are_left_in_the_middle(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof long_lines / sizeof long_lines[0]; i++) {
    const char *const text[] = {long_lines[i].text[0], long_lines[i].text[1], long_lines[i].text[2], NULL};
    stop_model f = stop_model_begin(text, 1);
    stop_model_fill(&f, long_lines[i].fills);
    char name[32];
    snprintf(name, sizeof name, "line %zu", i);
    stop_model_check(&f, name);
    stop_model_end(&f);
  }
}

#define SIZED(type, opset, data, n)                                                                                    \
  LONG(PARAMETER("10", "x", n, "f32") PARAMETER("11", "n", "1", "i64"), type, opset, data, IN_2, OUT("2", "FP32")),    \
      EDGE("10", "0", "1", "0") EDGE("11", "0", "1", "1") EDGE("1", "2", "2", "0") "</edges></net>"
#define RESIZED(n, mode) SIZED("Interpolate", "11", "<data mode='" mode "' shape_calculation_mode='sizes'/>", n)

/* Each model has tables of millions of numbers, whose making takes most of the time of the first execution. */
static const long_run long_tables[] = {{{SIZED("AdaptiveAvgPool", "8", "", "1,1,2000003")}, {"random:1", "2000000"}},
                                       {{RESIZED("3", "nearest")}, {"random:1", "4000000"}},
                                       {{RESIZED("1000000", "bicubic_pillow")}, {"random:1", "1"}}};

static irrun_tensor_info output_of(const stop_model *f) {
  return irrun_tensor_get_info(irrun_run_output(f->run, 0));
}

/* A stop also ends the making of tables. The next execution makes them anew. */
static void tables_are_left_in_the_middle(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof long_tables / sizeof long_tables[0]; i++) {
    const char *const text[] = {long_tables[i].text[0], long_tables[i].text[1], NULL};
    stop_model f = stop_model_begin(text, 1), other = stop_model_begin(text, 1);
    stop_model_fill(&f, long_tables[i].fills);
    stop_model_fill(&other, long_tables[i].fills);
    const clock_t whole = stop_model_time(&f, IRRUN_OK);
    irrun_run_cancel(other.run);
    const clock_t part = stop_model_time(&other, IRRUN_IO);
    if (part > whole / 2)
      fail_msg("model %zu is stopped after %ld of %ld us", i, (long)part, (long)whole);
    stop_model_time(&other, IRRUN_OK);
    assert_memory_equal(output_of(&f).data, output_of(&other).data, output_of(&f).bytes);
    stop_model_end(&f);
    stop_model_end(&other);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_is_cancelled),
      cmocka_unit_test(a_run_is_late),
      cmocka_unit_test(kernels_are_left_in_the_middle),
      cmocka_unit_test(lines_are_left_in_the_middle),
      cmocka_unit_test(tables_are_left_in_the_middle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
