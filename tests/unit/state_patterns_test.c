/* Runs graphs that are attention on states, or nearly so. Whether attention keeps the states or not, the results are
 * those of another run that computes layer by layer. */
#include "state_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 4, STEPS = 4, MOST = 2048 };
enum { QUERY, KEY, VALUE, MASK, BEAMS };

typedef enum mask_kind {
  NO_MASK,
  COMPUTED, /* from an input */
  CONSTANT,
  FIXED, /* computed from a constant */
  HIDING /* one that hides all sources of a head */
} mask_kind;

typedef struct pattern {
  const char *name;
  bool is_kept, fails;
  int heads, query_heads;
  const char *variable_shape;
  bool has_no_beams;
  int64_t repeats, target[4]; /* repeats: of Broadcast; 0: there is none. target: of Reshape */
  mask_kind mask;
  int64_t mask_dims[3]; /* before the last; 0: the number of new rows */
  bool has_short_mask;  /* the last dim is 1, else all rows */
  int64_t query_batch, batch, n;
  int32_t beams[3]; /* of later executions */
} pattern;

/* ---- the model ---- */

enum { AXIS, PLACE, WIDE, TARGET = WIDE + 5, NUMBER = TARGET + 4, CONSTANTS };

static int64_t constants[CONSTANTS] = {[AXIS] = 0, [PLACE] = 2};

static void constant(model_words *words, int id, const char *type, const char *shape, int at, int n) {
  char data[160];
  snprintf(data, sizeof data, "<data element_type='%s' shape='%s' offset='%zu' size='%zu'/>", type, shape,
           (size_t)at * sizeof *constants, (size_t)n * (type[0] == 'f' ? sizeof(float) : sizeof *constants));
  words_layer(words, id, "Const", data, 0, type);
}

static void parameter(model_words *words, int id, const char *type, const char *shape) {
  char data[160];
  snprintf(data, sizeof data, "<data element_type='%s' shape='%s'/>", type, shape);
  words_layer(words, id, "Parameter", data, 0, type);
}

enum { C_AXIS = 10, C_PLACE, C_WIDE, C_TARGET, C_MASK, A_MASK, ATTENTION, RESULT, FIRST = 20, LAYERS = 10 };
enum { READ, GATHER, CONCAT, ASSIGN, UNSQUEEZE, BROADCAST, RESHAPE };

/* Returns the layer that attention reads. */
static int add_state(const pattern *p, model_words *words, model_words *edges, int k) {
  const int at = FIRST + LAYERS * k;
  char data[160];
  snprintf(data, sizeof data, "<data variable_id='s%d' variable_type='f32' variable_shape='%s'/>", k,
           p->variable_shape);
  words_layer(words, at + READ, "ReadValue", data, 0, "f32");
  if (!p->has_no_beams) {
    words_layer(words, at + GATHER, "Gather", "", 3, "f32");
    words_edge(edges, at + READ, at + GATHER, 0);
    words_edge(edges, BEAMS, at + GATHER, 1);
    words_edge(edges, C_AXIS, at + GATHER, 2);
  }
  words_layer(words, at + CONCAT, "Concat", "<data axis='-2'/>", 2, "f32");
  words_edge(edges, at + (p->has_no_beams ? READ : GATHER), at + CONCAT, 0);
  words_edge(edges, KEY + k, at + CONCAT, 1);
  snprintf(data, sizeof data, "<data variable_id='s%d'/>", k);
  words_layer(words, at + ASSIGN, "Assign", data, 1, "f32");
  words_edge(edges, at + CONCAT, at + ASSIGN, 0);
  if (p->repeats == 0)
    return at + CONCAT;
  words_layer(words, at + UNSQUEEZE, "Unsqueeze", "", 2, "f32");
  words_layer(words, at + BROADCAST, "Broadcast", "<data mode='bidirectional'/>", 2, "f32");
  words_layer(words, at + RESHAPE, "Reshape", "<data special_zero='true'/>", 2, "f32");
  words_edge(edges, at + CONCAT, at + UNSQUEEZE, 0);
  words_edge(edges, C_PLACE, at + UNSQUEEZE, 1);
  words_edge(edges, at + UNSQUEEZE, at + BROADCAST, 0);
  words_edge(edges, C_WIDE, at + BROADCAST, 1);
  words_edge(edges, at + BROADCAST, at + RESHAPE, 0);
  words_edge(edges, C_TARGET, at + RESHAPE, 1);
  return at + RESHAPE;
}

static void write_model(const pattern *p, model_words *words) {
  static model_words edges;
  char shape[64];
  edges.n = words->n = 0;
  for (int i = 0; i < 5; i++)
    constants[WIDE + i] = i == 2 ? p->repeats : 1;
  memcpy(constants + TARGET, p->target, sizeof p->target);
  memcpy(constants + NUMBER, (const float[]){p->mask == HIDING ? 0 : 0.3F, 0.5F}, 2 * sizeof(float));
  words_add(words, "<net name='states' version='11'><layers>");
  /* A file may hold a layer before those that it reads. */
  words_layer(words, ATTENTION, "ScaledDotProductAttention", "<data causal='false'/>", p->mask == NO_MASK ? 3 : 4,
              "f32");
  for (int i = QUERY; i <= VALUE; i++) {
    snprintf(shape, sizeof shape, "?,%d,?,%d", i == QUERY ? p->query_heads : p->heads, WIDTH);
    parameter(words, i, "f32", shape);
  }
  parameter(words, MASK, "f32", "?,?,?,?");
  parameter(words, BEAMS, "i32", "?");
  constant(words, C_AXIS, "i64", "", AXIS, 1);
  constant(words, C_PLACE, "i64", "", PLACE, 1);
  constant(words, C_WIDE, "i64", "5", WIDE, 5);
  constant(words, C_TARGET, "i64", "4", TARGET, 4);
  constant(words, C_MASK, "f32", "2,1,1", NUMBER, 2); /* one for each head */
  words_layer(words, A_MASK, p->mask == COMPUTED ? "Sigmoid" : "Log", "", 1, "f32");
  words_edge(&edges, p->mask == COMPUTED ? MASK : C_MASK, A_MASK, 0);
  for (int k = 0; k < 2; k++)
    words_edge(&edges, add_state(p, words, &edges, k), ATTENTION, 1 + k);
  words_edge(&edges, QUERY, ATTENTION, 0);
  if (p->mask != NO_MASK)
    words_edge(&edges, p->mask == CONSTANT ? C_MASK : A_MASK, ATTENTION, 3);
  words_layer(words, RESULT, "Result", "", 1, NULL);
  words_edge(&edges, ATTENTION, RESULT, 0);
  words_add(words, "</layers><edges>%s</edges></net>", edges.chars);
}

/* ---- runs ---- */

static float number(int input, int step, int i) {
  return (float)((i * 37 + step * 101 + input * 53) % 83 - 41) / 20;
}

static void set(session *s, int input, int step, const int64_t *dims) {
  static float data[MOST];
  for (int i = 0; i < MOST; i++)
    data[i] = number(input, step, i);
  assert_true(dims[0] * dims[1] * dims[2] * dims[3] <= MOST);
  assert_int_equal(session_set(s, input, IRRUN_F32, 4, dims, data), IRRUN_OK);
}

static void set_inputs(session *s, const pattern *p, int step) {
  const int64_t n = p->n == 0 ? 2 : p->n, batch = p->batch == 0 ? 1 : p->batch;
  const int64_t query_batch = p->query_batch == 0 ? batch : p->query_batch;
  int64_t mask[] = {0, 0, 0, p->has_short_mask ? 1 : n * (step + 1)};
  for (int i = 0; i < 3; i++)
    mask[i] = p->mask_dims[i] == 0 ? n : p->mask_dims[i];
  set(s, QUERY, step, (const int64_t[]){query_batch, p->query_heads, n, WIDTH});
  set(s, KEY, step, (const int64_t[]){batch, p->heads, n, WIDTH});
  set(s, VALUE, step, (const int64_t[]){batch, p->heads, n, WIDTH});
  set(s, MASK, step, mask);
  assert_int_equal(session_set(s, BEAMS, IRRUN_I32, 1, &batch, step > 0 ? p->beams : (const int32_t[3]){0}), IRRUN_OK);
}

static const pattern patterns[] = {
    {"the usual one", true, false, 2, 2, "?,2,?,4", .mask = COMPUTED, .mask_dims = {1, 1, 0}},
    {"no mask", true, false, 2, 2, "?,2,?,4", .mask = NO_MASK},
    {"a constant mask", true, false, 2, 2, "?,2,?,4", .mask = CONSTANT},
    {"a mask that is computed from a constant", true, false, 2, 2, "?,2,?,4", .mask = FIXED},
    {"a head without sources", true, false, 2, 2, "?,2,?,4", .mask = HIDING},
    {"one mask for all rows", true, false, 2, 2, "?,2,?,4", .mask = COMPUTED, .mask_dims = {1, 2, 0}, true},
    {"queries of one sequence", true, false, 2, 2, "?,2,?,4", .query_batch = 1, .batch = 3, .beams = {2, 0, 0}},
    {"keys of one sequence", true, false, 2, 2, "?,2,?,4", .query_batch = 3, .mask = COMPUTED, .mask_dims = {3, 1, 1}},
    {"masks of more sequences", true, false, 2, 2, "?,2,?,4", .mask = COMPUTED, .mask_dims = {3, 1, 0}},
    {"masks of more heads", true, false, 1, 1, "?,1,?,4", .mask = COMPUTED, .mask_dims = {1, 3, 0}},
    {"masks of more queries", true, false, 2, 2, "?,2,?,4", .mask = COMPUTED, .mask_dims = {1, 2, 3}, .n = 1},
    {"one head for all", true, false, 1, 4, "?,1,?,4", .mask = COMPUTED, .mask_dims = {1, 4, 1}},
    {"heads that are repeated", true, false, 2, 4, "?,2,?,4", .repeats = 2, .target = {0, 4, -1, 4}},
    {"one head that is repeated", true, false, 1, 4, "?,1,?,4", .repeats = 4, .target = {0, 4, -1, 4}},
    {"repeated keys for one head of queries", false, false, 1, 1, "?,1,?,4", .repeats = 4, .target = {0, 4, -1, 4}},
    {"length becomes batch", false, false, 2, 4, "?,2,?,4", .repeats = 2, .target = {-1, 4, 1, 4}, .query_batch = 1},
    {"indices out of range", true, false, 2, 2, "?,2,?,4", .batch = 2, .beams = {2, -3}},
    {"other sequences", true, false, 2, 2, "?,2,?,4", .batch = 3, .beams = {-1, 0, 0}},
    {"one sequence and no Gather", true, false, 2, 2, "1,2,?,4", .has_no_beams = true},
    {"any number of sequences and no Gather", false, true, 2, 2, "?,2,?,4", .has_no_beams = true},
    {"a length with a limit", false, false, 2, 2, "?,2,..9,4", .mask = NO_MASK},
};

static void graphs_have_the_results_of_their_layers(void **state) {
  (void)state;
  static model_words words;
  const irrun_buffer weights = {constants, sizeof constants};
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    const pattern *p = &patterns[i];
    session kept, plain;
    print_message("%s\n", p->name);
    write_model(p, &words);
    session_begin(&kept, &words, weights, 0);
    session_begin(&plain, &words, weights, IRRUN_PASS_FUSE);
    for (int step = 0; step < STEPS; step++) {
      set_inputs(&kept, p, step);
      set_inputs(&plain, p, step);
      if (p->fails) {
        assert_int_equal(irrun_run_execute(kept.run), IRRUN_BAD_DATA);
        assert_int_equal(irrun_run_execute(plain.run), IRRUN_BAD_DATA);
        continue;
      }
      session_execute(&kept);
      session_execute(&plain);
      session_compare(irrun_run_output(kept.run, 0), irrun_run_output(plain.run, 0));
      assert_int_equal(session_count_kept(&kept), p->is_kept);
      assert_int_equal(session_count_kept(&plain), 0);
    }
    session_end(&kept);
    session_end(&plain);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graphs_have_the_results_of_their_layers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
