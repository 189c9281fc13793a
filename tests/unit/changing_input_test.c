/* Another thread changes indices, lengths or sizes during a run. The result is then arbitrary, but irrun must not
 * access memory outside of a tensor. */
#include "irrun_debug.h"
#include "op_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>

enum { N = 1 << 17, RUNS = 12 };

static float floats[2 * N]; /* all zero */
static int64_t numbers[N];
static int64_t ones[N];

/* A thread writes `then` and `now` in turn to the elements from `from` to before `end`, until `is_done`. */
typedef struct changer {
  int64_t *from, *end, now, then;
  atomic_bool is_done;
} changer;

static void *change(void *user) {
  changer *c = user;
  while (!c->is_done)
    for (int turn = 0; turn < 2; turn++)
      for (volatile int64_t *at = c->from; at < c->end; at++)
        *at = turn == 0 ? c->then : c->now;
  return NULL;
}

/* Runs `op` while the last elements of input `input` change between `now` and `then`. Its other elements are `now`. */
typedef struct changing_case {
  const char *name;
  op_model op;
  int input;
  int64_t now, then;
} changing_case;

#define FLOATS(...)                                                                                                    \
  { .type = IR_F32, .data = floats, __VA_ARGS__ }
#define SHAPE(n_axes, ...) .rank = n_axes, .dims = {__VA_ARGS__}
#define CHANGING(...)                                                                                                  \
  { .type = IR_I64, .data = numbers, __VA_ARGS__ }
#define FIXED(...)                                                                                                     \
  { .type = IR_I64, .data = ones, __VA_ARGS__ }
#define FAR (INT64_C(1) << 40)

static changing_case cases[] = {
    {"indices of bags",
     {.type = "EmbeddingBagPacked",
      .opset = 15,
      .n_inputs = 2,
      .inputs = {FLOATS(SHAPE(2, 10, 2)), CHANGING(SHAPE(2, N / 8, 8))}},
     1,
     0,
     FAR},
    {"offsets of bags",
     {.type = "EmbeddingBagOffsets",
      .opset = 15,
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(2, 10, 2)), FIXED(SHAPE(1, 64)), CHANGING(SHAPE(1, N))}},
     2,
     64,
     -FAR},
    {"ids of segments",
     {.type = "SegmentMax",
      .opset = 16,
      .data = "fill_mode=\"zero\"",
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(1, N)), CHANGING(SHAPE(1, N)), FIXED(SHAPE(0, 0), .constant = true)}},
     1,
     0,
     FAR},
    {"indices of slices",
     {.type = "Gather",
      .opset = 8,
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(2, 4, 10)), CHANGING(SHAPE(1, N)), FIXED(SHAPE(0, 0), .constant = true)}},
     1,
     0,
     FAR},
    {"indices of elements",
     {.type = "GatherElements",
      .opset = 6,
      .data = "axis=\"0\"",
      .n_inputs = 2,
      .inputs = {FLOATS(SHAPE(1, 10)), CHANGING(SHAPE(1, N))}},
     1,
     0,
     FAR},
    {"indices of updates",
     {.type = "ScatterNDUpdate",
      .opset = 15,
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(1, 10)), CHANGING(SHAPE(2, N, 1)), FLOATS(SHAPE(1, N))}},
     1,
     0,
     FAR},
    {"lengths of sequences",
     {.type = "ReverseSequence",
      .data = "batch_axis=\"0\" seq_axis=\"1\"",
      .n_inputs = 2,
      .inputs = {FLOATS(SHAPE(2, N, 2)), CHANGING(SHAPE(1, N))}},
     1,
     0,
     FAR},
    {"lengths of a recurrent network",
     {.type = "RNNSequence",
      .opset = 5,
      .data = "hidden_size=\"1\" direction=\"forward\"",
      .n_inputs = 6,
      .inputs = {FLOATS(SHAPE(3, N, 2, 1)), FLOATS(SHAPE(3, N, 1, 1)), CHANGING(SHAPE(1, N)), FLOATS(SHAPE(3, 1, 1, 1)),
                 FLOATS(SHAPE(3, 1, 1, 1)), FLOATS(SHAPE(2, 1, 1))},
      .n_outputs = 2},
     2,
     0,
     FAR},
    {"lengths of decoded sequences",
     {.type = "CTCGreedyDecoderSeqLen",
      .opset = 6,
      .n_inputs = 2,
      .inputs = {FLOATS(SHAPE(3, N, 1, 2)), CHANGING(SHAPE(1, N))},
      .n_outputs = 2},
     1,
     0,
     FAR},
    {"labels",
     {.type = "CTCLoss",
      .opset = 4,
      .n_inputs = 4,
      .inputs = {FLOATS(SHAPE(3, N / 2, 1, 2)), FIXED(SHAPE(1, N / 2)), CHANGING(SHAPE(2, N / 2, 1)),
                 FIXED(SHAPE(1, N / 2))}},
     2,
     0,
     FAR},
    {"images of regions",
     {.type = "ROIAlign",
      .opset = 9,
      .data = "pooled_h=\"1\" pooled_w=\"1\" sampling_ratio=\"1\" spatial_scale=\"1\" mode=\"avg\"",
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(4, 1, 1, 2, 2)), FLOATS(SHAPE(2, N / 8, 4)), CHANGING(SHAPE(1, N / 8))}},
     2,
     0,
     INT64_C(1) << 30},
    {"elements that are not 0",
     {.type = "NonZero", .opset = 3, .n_inputs = 1, .inputs = {CHANGING(SHAPE(1, N))}},
     0,
     0,
     1},
    {"where a slice begins",
     {.type = "StridedSlice",
      .data = "begin_mask=\"0\" end_mask=\"0\" shrink_axis_mask=\"1\"",
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(1, N)), CHANGING(SHAPE(1, 1)), FIXED(SHAPE(1, 1))}},
     1,
     0,
     N - 1},
    {"pads",
     {.type = "Pad",
      .data = "pad_mode=\"constant\"",
      .n_inputs = 3,
      .inputs = {FLOATS(SHAPE(1, N)), CHANGING(SHAPE(1, 1)), FIXED(SHAPE(1, 1))}},
     1,
     0,
     N},
    {"the number of the greatest",
     {.type = "TopK",
      .opset = 11,
      .data = "axis=\"0\" mode=\"max\" sort=\"value\"",
      .n_inputs = 2,
      .inputs = {FLOATS(SHAPE(1, 1000)), CHANGING(SHAPE(0, 0))},
      .n_outputs = 2},
     1,
     1,
     1000},
    {"a target shape",
     {.type = "Reshape",
      .data = "special_zero=\"false\"",
      .n_inputs = 2,
      .inputs = {FLOATS(SHAPE(1, N)), CHANGING(SHAPE(1, 1))}},
     1,
     N,
     -1},
    {"repeats", {.type = "Tile", .n_inputs = 2, .inputs = {FLOATS(SHAPE(1, N)), CHANGING(SHAPE(1, 1))}}, 1, 1, 3},
};

static void a_changing_input_harms_no_memory(void **state) {
  const changing_case *c = *state;
  const op_input *input = &c->op.inputs[c->input];
  const int64_t elements = (int64_t)(model_run_bytes(input->type, input->rank, input->dims) / sizeof *numbers);
  int number = 0;
  for (int64_t i = 0; i < elements; i++)
    numbers[i] = c->now;
  model_run run = op_model_run(&c->op);
  assert_int_equal(run.status, IRRUN_OK);
  for (int i = 0; i < c->input; i++)
    number += !c->op.inputs[i].constant;
  changer work = {numbers + (elements > 100 ? elements - 100 : 0), numbers + elements, c->now, c->then, false};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, change, &work), 0);
  for (int i = 0; i < RUNS; i++) {
    irrun_tensor *tensor;
    assert_int_equal(irrun_tensor_borrow(run.context, IRRUN_I64, input->rank, input->dims, numbers,
                                         (size_t)elements * sizeof *numbers, &tensor),
                     IRRUN_OK);
    if (irrun_run_set_input(run.run, number, tensor, false, NULL) == IRRUN_OK)
      assert_int_not_equal(irrun_run_execute(run.run), IRRUN_INTERNAL);
    irrun_context_clear_diagnostics(run.context);
  }
  work.is_done = true;
  assert_int_equal(pthread_join(thread, NULL), 0);
  model_run_end(&run);
}

/* ---- between the plan and its steps ---- */

static void make_many_rows(void *user, int64_t step, int64_t n_steps, const char *layer) {
  (void)user, (void)step, (void)n_steps, (void)layer;
  numbers[0] = N;
}

/* Step 0 changes the number of rows after the plan was made. The kernel has to read the number that decided the
 * output's shape, 4. */
static void shapes_are_of_what_kernels_see(void **state) {
  (void)state;
  static const int64_t place[] = {1, 0};
  op_model c = {.type = "SparseFillEmptyRows",
                .opset = 16,
                .n_inputs = 4,
                .inputs = {FLOATS(SHAPE(1, 1)),
                           CHANGING(SHAPE(1, 2)),
                           {.type = IR_I64, .rank = 2, .dims = {1, 2}, .data = place},
                           FLOATS(SHAPE(0, 0))},
                .n_outputs = 3};
  numbers[0] = 4;
  numbers[1] = 1;
  model_run run = op_model_run(&c);
  irrun_tensor *tensor;
  assert_int_equal(run.status, IRRUN_OK);
  assert_int_equal(irrun_tensor_borrow(run.context, IRRUN_I64, 1, c.inputs[1].dims, numbers, 16, &tensor), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(run.run, 1, tensor, false, NULL), IRRUN_OK);
  irrun_run_follow(run.run, make_many_rows, NULL);
  assert_int_equal(irrun_run_execute(run.run), IRRUN_OK);
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(run.run, 0)).dims[0], 4);
  irrun_run_follow(run.run, NULL, NULL);
  assert_int_equal(irrun_run_execute(run.run), IRRUN_OK); /* the next execution sees the new number of rows */
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(run.run, 0)).dims[0], N);
  model_run_end(&run);
}

int main(void) {
  enum { N_CASES = sizeof cases / sizeof *cases };
  struct CMUnitTest tests[N_CASES + 1];
  for (int i = 0; i < N; i++)
    ones[i] = 1;
  for (int i = 0; i < N_CASES; i++)
    tests[i] = (struct CMUnitTest){cases[i].name, a_changing_input_harms_no_memory, NULL, NULL, &cases[i]};
  tests[N_CASES] = (struct CMUnitTest)cmocka_unit_test(shapes_are_of_what_kernels_see);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
