/* Runs a model whose attention keeps its keys and values. Settings that change between executions, questions about the
 * run, and executions that fail do not change its results: another run of the model, which computes layer by layer, has
 * the same ones. */
#include "state_model.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
  ATTENTIONS = 5, /* with two variables each: more than the first room of a run's list of variables */
  HEADS = 2,
  WIDTH = 4,
  MOST_BATCH = 3,
  MOST = 4096, /* elements of a tensor */
  STEPS = 300
};
enum { QUERY, KEY, VALUE, MASK, BEAMS, INPUTS };
enum { RESULT, LENGTH, OUTPUTS };

/* ---- the model ---- */

enum { FIRST_MASK = 10, SECOND_MASK, AXIS, SHAPE, RESULTS, FIRST = 20, LAYERS = 9 };
enum { READ, GATHER, CONCAT, ASSIGN, ATTENTION = 8 }; /* in the layers of an attention; those of the value follow */

/* Each attention reads the result of the one before. The second mask is made from the first. */
static void add_attention(model_words *t, model_words *edges, int i) {
  const int at = FIRST + LAYERS * i;
  char data[160];
  for (int k = 0; k < 2; k++) {
    const int from = at + 4 * k;
    snprintf(data, sizeof data, "<data variable_id='%c%d' variable_type='f32' variable_shape='?,%d,?,%d'/>", "kv"[k], i,
             HEADS, WIDTH);
    words_layer(t, from + READ, "ReadValue", data, 0, "f32");
    words_layer(t, from + GATHER, "Gather", "", 3, "f32");
    words_layer(t, from + CONCAT, "Concat", "<data axis='2'/>", 2, "f32");
    snprintf(data, sizeof data, "<data variable_id='%c%d'/>", "kv"[k], i);
    words_layer(t, from + ASSIGN, "Assign", data, 1, "f32");
    words_edge(edges, from + READ, from + GATHER, 0);
    words_edge(edges, BEAMS, from + GATHER, 1);
    words_edge(edges, AXIS, from + GATHER, 2);
    words_edge(edges, from + GATHER, from + CONCAT, 0);
    words_edge(edges, KEY + k, from + CONCAT, 1);
    words_edge(edges, from + CONCAT, from + ASSIGN, 0);
    words_edge(edges, from + CONCAT, at + ATTENTION, 1 + k);
  }
  words_layer(t, at + ATTENTION, "ScaledDotProductAttention", "<data causal='false'/>", 4, "f32");
  words_edge(edges, i == 0 ? QUERY : at - LAYERS + ATTENTION, at + ATTENTION, 0);
  words_edge(edges, i % 2 == 0 ? FIRST_MASK : SECOND_MASK, at + ATTENTION, 3);
}

static void write_model(model_words *t) {
  static model_words edges;
  edges.n = t->n = 0;
  words_add(t, "<net name='states' version='11'><layers>");
  for (int i = QUERY; i <= VALUE; i++)
    words_layer(t, i, "Parameter", "<data shape='?,2,?,4' element_type='f32'/>", 0, "f32");
  words_layer(t, MASK, "Parameter", "<data shape='?,?,?,?' element_type='f32'/>", 0, "f32");
  words_layer(t, BEAMS, "Parameter", "<data shape='?' element_type='i32'/>", 0, "i32");
  words_layer(t, FIRST_MASK, "ReLU", "", 1, "f32");
  words_layer(t, SECOND_MASK, "Negative", "", 1, "f32");
  words_layer(t, AXIS, "Const", "<data element_type='i64' shape='' offset='0' size='8'/>", 0, "i64");
  words_edge(&edges, MASK, FIRST_MASK, 0);
  words_edge(&edges, FIRST_MASK, SECOND_MASK, 0);
  for (int i = 0; i < ATTENTIONS; i++)
    add_attention(t, &edges, i);
  words_layer(t, RESULTS + RESULT, "Result", "", 1, NULL);
  words_layer(t, SHAPE, "ShapeOf", "<data output_type='i64'/>", 1, "i64");
  words_layer(t, RESULTS + LENGTH, "Result", "", 1, NULL);
  words_edge(&edges, FIRST + LAYERS * (ATTENTIONS - 1) + ATTENTION, RESULTS + RESULT, 0);
  words_edge(&edges, FIRST + GATHER, SHAPE, 0);
  words_edge(&edges, SHAPE, RESULTS + LENGTH, 0);
  words_add(t, "</layers><edges>%s</edges></net>", edges.chars);
}

/* ---- steps ---- */

static model_words model;
static const int64_t axis = 0;
static const irrun_buffer weights = {&axis, sizeof axis};

/* The inputs of a step. */
typedef struct step {
  int64_t batch, n, length; /* n new rows; length: with those before */
  int32_t beams[MOST_BATCH];
  int64_t n_beams;
  float data[BEAMS][MOST];
} step;

static unsigned seed = 1;

static int draw(int n) {
  seed = seed * 1103515245 + 12345;
  return (int)(seed >> 16) % n;
}

static void draw_step(step *s, int64_t batch, int64_t batch_before, int64_t n, int64_t past) {
  *s = (step){.batch = batch, .n = n, .length = past + n, .n_beams = batch};
  for (int64_t i = 0; i < batch; i++)
    s->beams[i] = draw(2) == 0 ? (int32_t)(i % batch_before) : draw((int)batch_before);
  for (int t = 0; t < BEAMS; t++)
    for (int i = 0; i < MOST; i++)
      s->data[t][i] = (float)(draw(200) - 100) / 50;
}

static irrun_status set(session *s, int input, int rank, const int64_t *dims, const void *data) {
  return session_set(s, input, input == BEAMS ? IRRUN_I32 : IRRUN_F32, rank, dims, data);
}

static void set_inputs(session *s, const step *in) {
  const int64_t rows[] = {in->batch, HEADS, in->n, WIDTH}, mask[] = {in->batch, 1, in->n, in->length};
  for (int i = QUERY; i <= VALUE; i++)
    assert_int_equal(set(s, i, 4, rows, in->data[i]), IRRUN_OK);
  assert_int_equal(set(s, MASK, 4, mask, in->data[MASK]), IRRUN_OK);
  assert_int_equal(set(s, BEAMS, 1, &in->n_beams, in->beams), IRRUN_OK);
}

/* Compares all variables, which both runs show at the same time. */
static void compare_states(const session *a, const session *b) {
  const irrun_tensor *of[2][2 * ATTENTIONS];
  for (int i = 0; i < 2 * ATTENTIONS; i++) {
    irrun_variable x = {.size = sizeof x}, y = {.size = sizeof y};
    assert_true(irrun_run_get_variable(a->run, i, &x) && irrun_run_get_variable(b->run, i, &y));
    assert_int_equal(x.is_set, y.is_set);
    assert_string_equal(x.id, y.id);
    assert_memory_equal(x.info.dims, y.info.dims, sizeof x.info.dims);
    of[0][i] = irrun_run_read_variable(a->run, i);
    of[1][i] = irrun_run_read_variable(b->run, i);
    assert_int_equal(of[0][i] != NULL, x.is_set);
  }
  for (int i = 0; i < 2 * ATTENTIONS; i++)
    if (of[0][i] != NULL)
      session_compare(of[0][i], of[1][i]);
}

static irrun_status ignore(void *user, int64_t layer_number, int port, const irrun_tensor *tensor,
                           const irrun_tensor **out_instead) {
  (void)layer_number;
  (void)port;
  (void)tensor;
  (void)out_instead;
  ++*(int64_t *)user;
  return IRRUN_OK;
}

/* ---- actions between executions ---- */

/* Copies each variable of `from` to `to`. */
static void set_states(session *to, const session *from) {
  irrun_variable variable = {.size = sizeof variable};
  for (int i = 0; irrun_run_get_variable(from->run, i, &variable); i++) {
    const irrun_tensor *value = irrun_run_read_variable(from->run, i);
    irrun_tensor *copy;
    if (value == NULL)
      continue;
    const irrun_tensor_info info = irrun_tensor_get_info(value);
    assert_int_equal(irrun_tensor_create(to->context, info.type, info.rank, info.dims, info.data, info.bytes, &copy),
                     IRRUN_OK);
    assert_int_equal(irrun_run_set_variable(to->run, variable.id, copy, NULL), IRRUN_OK);
  }
}

static void request(session *s, int output) {
  irrun_run_request_all(s->run);
  if (output < OUTPUTS)
    assert_int_equal(irrun_run_request_output(s->run, output), IRRUN_OK);
}

/* Executes with a wrong order, which fails, and sets the right one again. */
static void fail_once(session *s, const step *in) {
  const int64_t n = in->batch + 1;
  assert_int_equal(set(s, BEAMS, 1, &n, (const int32_t[MOST_BATCH + 1]){0}), IRRUN_OK);
  assert_int_equal(irrun_run_execute(s->run), IRRUN_BAD_DATA);
  assert_int_equal(set(s, BEAMS, 1, &in->n_beams, in->beams), IRRUN_OK);
}

/* Does something that must not change results. */
static void disturb(session *s, const session *other, const step *in, int64_t *n_visits) {
  static const unsigned passes[] = {0, 0, 0, 0, IRRUN_PASS_FUSE, IRRUN_PASS_FOLD, IRRUN_PASS_PACK};
  switch (draw(14)) {
  case 0:
    irrun_context_set_kernels(s->context, draw(2) == 0 ? IRRUN_KERNELS_PLAIN : IRRUN_KERNELS_FAST);
    break;
  case 1:
  case 2:
    irrun_context_skip_passes(s->context, passes[draw(7)]);
    break;
  case 3:
    irrun_run_visit(s->run, draw(4) == 0 ? ignore : NULL, n_visits);
    break;
  case 4:
    assert_int_equal(irrun_run_plan(s->run), IRRUN_OK);
    break;
  case 5:
    assert_int_equal(irrun_run_show(s->run, draw(2) == 0 ? NULL : "fuse"), IRRUN_OK);
    break;
  case 6:
    irrun_run_forget_plans(s->run);
    break;
  case 7:
    compare_states(s, other);
    break;
  case 8:
    set_states(s, other);
    break;
  case 9:
    request(s, draw(OUTPUTS + 1));
    break;
  case 10:
    irrun_run_cancel(s->run);
    assert_int_equal(irrun_run_execute(s->run), IRRUN_IO);
    break;
  case 11:
    fail_once(s, in);
    break;
  case 12:
    assert_int_equal(irrun_context_set_threads(s->context, 1 + draw(2)), IRRUN_OK);
    break;
  default:
    break;
  }
}

static void execute(session *s, const step *in) {
  set_inputs(s, in);
  session_execute(s);
}

static void compare_outputs(const session *kept, const session *plain, const step *in) {
  const int64_t past = in->length - in->n;
  for (int i = 0; i < OUTPUTS; i++)
    if (irrun_run_output(kept->run, i) != NULL)
      session_compare(irrun_run_output(kept->run, i), irrun_run_output(plain->run, i));
  if (irrun_run_output(kept->run, LENGTH) != NULL)
    assert_int_equal(((const int64_t *)irrun_tensor_get_info(irrun_run_output(kept->run, LENGTH)).data)[2], past);
}

static void disturbances_change_no_result(void **state) {
  (void)state;
  static step in;
  session kept, plain;
  int64_t past = 0, before = 1, n_kept = 0, n_visits = 0;
  session_begin(&kept, &model, weights, 0);
  session_begin(&plain, &model, weights, IRRUN_PASS_FUSE);
  for (int i = 0; i < STEPS; i++) {
    if (past > 100 || draw(40) == 0) {
      irrun_run_reset_state(kept.run);
      irrun_run_reset_state(plain.run);
      past = 0;
    }
    const int64_t batch = draw(4) == 0 ? 1 + draw(MOST_BATCH) : before;
    draw_step(&in, batch, past == 0 ? batch : before, draw(3) == 0 ? draw(6) : 1, past);
    set_inputs(&kept, &in);
    disturb(&kept, &plain, &in, &n_visits);
    execute(&kept, &in);
    execute(&plain, &in);
    n_kept += session_count_kept(&kept);
    assert_int_equal(session_count_kept(&plain), 0);
    compare_outputs(&kept, &plain, &in);
    past = in.length;
    before = batch;
  }
  assert_in_range(n_kept, STEPS / 4 * ATTENTIONS, (STEPS - 1) * ATTENTIONS);
  assert_true(n_visits > 0);
  compare_states(&kept, &plain);
  session_end(&kept);
  session_end(&plain);
}

/* Lets each allocation of a step fail, one after the other. The step can be done again. */
static void fail_allocations(session *s) {
  irrun_status status = IRRUN_IO;
  int64_t n = 0;
  for (n = 1; status != IRRUN_OK; n++) {
    s->memory.fail_at = s->memory.n_calls + n;
    status = irrun_run_execute(s->run);
    s->memory.fail_at = 0;
    if (status != IRRUN_OK)
      assert_int_equal(status, IRRUN_IO);
    assert_true(n < 5000);
  }
}

static void memory_that_is_out_changes_no_state(void **state) {
  (void)state;
  static step in;
  session kept, plain;
  int64_t past = 0;
  session_begin(&kept, &model, weights, 0);
  session_begin(&plain, &model, weights, IRRUN_PASS_FUSE);
  for (int i = 0; i < 8; i++) {
    draw_step(&in, 2, 2, i == 0 ? 3 : 1, past);
    if (i == 4)
      in.beams[0] = in.beams[1] = 1;
    set_inputs(&kept, &in);
    if (i == 5)
      irrun_run_forget_plans(kept.run);
    if (i == 6)
      set_states(&kept, &plain);
    if (i == 7)
      irrun_context_skip_passes(kept.context, IRRUN_PASS_FUSE);
    fail_allocations(&kept);
    execute(&plain, &in);
    compare_outputs(&kept, &plain, &in);
    past = in.length;
  }
  compare_states(&kept, &plain);
  session_end(&kept);
  session_end(&plain);
}

/* Keys and values were set that have other lengths, but as many rows with the new ones. */
static void states_have_lengths_of_their_own(void **state) {
  (void)state;
  static step in;
  session kept, plain;
  session *const both[] = {&kept, &plain};
  session_begin(&kept, &model, weights, 0);
  session_begin(&plain, &model, weights, IRRUN_PASS_FUSE);
  draw_step(&in, 1, 1, 2, 3);
  for (int i = 0; i < 2; i++) {
    set_inputs(both[i], &in);
    for (int v = 0; v < 2 * ATTENTIONS; v++) {
      const bool is_value = v % 2 == 1;
      const int64_t dims[] = {1, HEADS, is_value ? 4 : 3, WIDTH};
      const char id[] = {"kv"[v % 2], (char)('0' + v / 2), '\0'};
      irrun_tensor *tensor;
      assert_int_equal(irrun_tensor_create(both[i]->context, IRRUN_F32, 4, dims, in.data[KEY],
                                           (size_t)(HEADS * dims[2] * WIDTH) * sizeof(float), &tensor),
                       IRRUN_OK);
      assert_int_equal(irrun_run_set_variable(both[i]->run, id, tensor, NULL), IRRUN_OK);
    }
    assert_int_equal(irrun_run_execute(both[i]->run), IRRUN_BAD_DATA);
    const int64_t one[] = {1, HEADS, 1, WIDTH};
    assert_int_equal(set(both[i], VALUE, 4, one, in.data[VALUE]), IRRUN_OK);
    assert_int_equal(irrun_run_execute(both[i]->run), IRRUN_OK);
  }
  assert_int_equal(session_count_kept(&kept), ATTENTIONS);
  compare_outputs(&kept, &plain, &in);
  compare_states(&kept, &plain);
  session_end(&kept);
  session_end(&plain);
}

/* The mask has a place more than there are rows of keys. The next execution, with the right mask, succeeds. */
static void a_mask_of_another_length_is_refused(void **state) {
  (void)state;
  static step in;
  session kept;
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  session_begin(&kept, &model, weights, 0);
  draw_step(&in, 1, 1, 2, 0);
  set_inputs(&kept, &in);
  assert_int_equal(irrun_run_execute(kept.run), IRRUN_OK);
  assert_int_equal(session_count_kept(&kept), ATTENTIONS);
  assert_int_equal(set(&kept, MASK, 4, (const int64_t[]){1, 1, 2, 5}, in.data[MASK]), IRRUN_OK);
  assert_int_equal(irrun_run_execute(kept.run), IRRUN_BAD_DATA);
  assert_true(irrun_context_get_diagnostic(kept.context, 0, &diagnostic));
  assert_string_equal(diagnostic.rule, "IR322");
  assert_non_null(strstr(diagnostic.message, "'attention_mask' has 5 sources, and 4 rows of keys are kept and new"));
  assert_int_equal(set(&kept, MASK, 4, (const int64_t[]){1, 1, 2, 4}, in.data[MASK]), IRRUN_OK);
  assert_int_equal(irrun_run_execute(kept.run), IRRUN_OK);
  session_end(&kept);
}

enum { THREADS = 3, TURNS = 6 };

/* A conversation of one thread. All share the model of the first one, which does not talk. */
typedef struct conversation {
  pthread_t thread;
  session s;
  float last[MOST]; /* the last result */
  size_t bytes;
} conversation;

static step turns[TURNS];

static void *converse(void *user) {
  conversation *c = user;
  for (int i = 0; i < TURNS; i++)
    execute(&c->s, &turns[i]);
  const irrun_tensor_info info = irrun_tensor_get_info(irrun_run_output(c->s.run, RESULT));
  c->bytes = info.bytes;
  memcpy(c->last, info.data, info.bytes);
  return NULL;
}

static void threads_share_a_model(void **state) {
  (void)state;
  static conversation all[THREADS];
  for (int i = 0; i < TURNS; i++)
    draw_step(&turns[i], 2, 2, i == 0 ? 40 : 1, i == 0 ? 0 : turns[i - 1].length);
  session_begin(&all[0].s, &model, weights, 0);
  for (int i = 1; i < THREADS; i++) {
    all[i].s.context = irrun_context_create(NULL);
    assert_int_equal(irrun_context_set_threads(all[i].s.context, 1), IRRUN_OK);
    assert_int_equal(irrun_run_create_in(all[i].s.context, all[0].s.model, &all[i].s.run), IRRUN_OK);
    assert_int_equal(pthread_create(&all[i].thread, NULL, converse, &all[i]), 0);
  }
  for (int i = 1; i < THREADS; i++) {
    pthread_join(all[i].thread, NULL);
    assert_int_equal(all[i].bytes, 2 * HEADS * WIDTH * sizeof(float));
    assert_memory_equal(all[i].last, all[1].last, all[i].bytes);
    irrun_run_free(all[i].s.run);
    irrun_context_free(all[i].s.context);
  }
  session_end(&all[0].s);
}

/* The outputs lie in a plan that the question drops. */
static void a_question_after_other_settings_drops_outputs(void **state) {
  (void)state;
  static step in;
  session s;
  session_begin(&s, &model, weights, 0);
  draw_step(&in, 1, 1, 2, 0);
  execute(&s, &in);
  assert_non_null(irrun_run_output(s.run, RESULT));
  irrun_context_skip_passes(s.context, IRRUN_PASS_FUSE);
  assert_true(irrun_run_needs(s.run, QUERY));
  assert_null(irrun_run_output(s.run, RESULT));
  session_end(&s);
}

int main(void) {
  write_model(&model);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(disturbances_change_no_result),
      cmocka_unit_test(memory_that_is_out_changes_no_state),
      cmocka_unit_test(states_have_lengths_of_their_own),
      cmocka_unit_test(a_mask_of_another_length_is_refused),
      cmocka_unit_test(threads_share_a_model),
      cmocka_unit_test(a_question_after_other_settings_drops_outputs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
