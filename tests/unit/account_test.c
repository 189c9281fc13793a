/* Tests that a run's account counts exactly the allocated bytes, including those of bodies. Tests how memory grows
 * with the model's length. */
#include "diag/account.h"
#include "family.h"
#include "irrun_program.h"
#include "model_text.h"
#include "runtime/run/run_state.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- an allocator that counts bytes ---- */

typedef struct counted {
  size_t taken, most, all;
} counted;

enum { HEADER = 16 };

static void *counted_alloc(void *user, size_t bytes) {
  counted *c = user;
  unsigned char *block = malloc(bytes + HEADER);
  if (block == NULL)
    return NULL;
  *(size_t *)(void *)block = bytes;
  c->all += bytes;
  c->taken += bytes;
  c->most = c->taken > c->most ? c->taken : c->most;
  return block + HEADER;
}

static void counted_release(void *user, void *block) {
  counted *c = user;
  if (block == NULL)
    return;
  c->taken -= *(size_t *)(void *)((unsigned char *)block - HEADER);
  free((unsigned char *)block - HEADER);
}

/* ---- the account alone ---- */

static void a_refusal_is_told_once(void **state) {
  (void)state;
  enum { MIB = 1 << 20 };
  counted c = {0};
  const ir_memory from = {counted_alloc, counted_release, &c, 3 * MIB};
  ir_diags diags;
  ir_account account;
  ir_diags_init(&diags, &from);
  ir_account_init(&account, &from, &diags);
  ir_account_begin(&account, MIB, 0);
  void *block = ir_alloc(&account.memory, 2 * MIB); /* 1 MiB remains */
  assert_non_null(block);
  assert_true(account.taken == c.taken && ir_account_bytes(&account) == account.taken);
  assert_null(ir_alloc(&account.memory, MIB));
  assert_int_equal(ir_out_of_memory(&diags), IR_NO_MEMORY);
  assert_int_equal(diags.n_errors, 1);
  assert_int_equal(diags.first->rule, IR004_LIMIT_EXCEEDED);
  ir_account_begin(&account, 0, 0);
  void *other = ir_alloc(&account.memory, MIB);
  assert_non_null(other);
  assert_null(ir_alloc(&account.memory, SIZE_MAX));
  ir_free(&account.memory, block);
  ir_free(&account.memory, other);
  ir_free(&account.memory, NULL);
  assert_int_equal(account.taken, 0);
  assert_true(account.most > 3 * MIB);
  ir_diags_reset(&diags);
  assert_int_equal(c.taken, 0);
}

/* ---- runs ---- */

typedef struct fixture {
  counted counts;
  irrun_context *context;
  irrun_model *model;
  irrun_run *run;
} fixture;

static void begin(fixture *f, const char *xml) {
  *f = (fixture){.counts = {0}};
  const irrun_allocator allocator = {sizeof allocator, counted_alloc, counted_release, &f->counts};
  f->context = irrun_context_create(&allocator);
  assert_int_equal(irrun_model_read(f->context, xml, NULL, IRRUN_TO_RUN, &f->model), IRRUN_OK);
  assert_int_equal(irrun_run_create(f->model, &f->run), IRRUN_OK);
}

static void end(fixture *f) {
  irrun_run_free(f->run);
  irrun_model_free(f->model);
  irrun_context_free(f->context);
  assert_int_equal(f->counts.taken, 0);
}

/* Compares the account with the allocator's count. The test uses one thread, because memory of the thread pool
 * belongs to the context. */
static void expect_all_counted(const char *family) {
  char path[FAMILY_PATH];
  fixture f;
  begin(&f, family_model(family, path));
  assert_int_equal(irrun_context_set_threads(f.context, 1), IRRUN_OK);
  assert_true(family_set_inputs(f.context, f.model, f.run, family, false));
  const size_t before = f.counts.taken, counted_before = f.run->account->taken;
  f.counts.most = before;
  assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
  const size_t taken = f.counts.most - before, counted_bytes = f.run->account->most - counted_before;
  if (taken != counted_bytes)
    fail_msg("%s: %zu bytes are taken, %zu counted", family, taken, counted_bytes);
  end(&f);
}

static void families_take_what_is_counted(void **state) {
  (void)state;
  for (size_t i = 0; i < FAMILIES; i++)
    expect_all_counted(families[i]);
}

/* ---- stages ---- */

/* Runs x -> (Unique -> ReLU) n times. Each Unique begins a stage. */
static counted run_pairs(int n, int64_t elements) {
  const scratch_model files = scratch_model_make();
  FILE *file = model_begin(files.xml);
  fixture f;
  model_parameter(file, 0, "x", IR_F32, "?");
  for (int i = 0; i < n; i++) {
    fprintf(file,
            "<layer id=\"%d\" name=\"u%d\" type=\"Unique\" version=\"opset10\"><data sorted=\"true\"/><input>"
            "<port id=\"0\"/></input><output><port id=\"1\" precision=\"FP32\"/><port id=\"2\" precision=\"I64\"/>"
            "<port id=\"3\" precision=\"I64\"/><port id=\"4\" precision=\"I64\"/></output></layer>\n",
            2 * i + 1, i);
    fprintf(file,
            "<layer id=\"%d\" name=\"r%d\" type=\"ReLU\" version=\"opset1\"><input><port id=\"0\"/></input><output>"
            "<port id=\"1\" precision=\"FP32\"/></output></layer>\n",
            2 * i + 2, i);
  }
  model_result(file, 2 * n + 1, "y");
  model_edges(file);
  for (int i = 0; i < n; i++) {
    model_edge(file, 2 * i, i > 0, 2 * i + 1, 0);
    model_edge(file, 2 * i + 1, 1, 2 * i + 2, 0);
  }
  model_edge(file, 2 * n, 1, 2 * n + 1, 0);
  model_end(file);
  begin(&f, files.xml);
  irrun_tensor *x;
  assert_int_equal(irrun_tensor_fill(f.context, "iota", IRRUN_F32, 1, &elements, &x), IRRUN_OK);
  assert_int_equal(irrun_run_set_input(f.run, 0, x, false, NULL), IRRUN_OK);
  const counted before = f.counts;
  f.counts.most = before.taken;
  assert_int_equal(irrun_run_execute(f.run), IRRUN_OK);
  const counted took = {.most = f.counts.most - before.taken, .all = f.counts.all - before.all};
  assert_int_equal(irrun_tensor_get_info(irrun_run_output(f.run, 0)).elements, elements);
  end(&f);
  scratch_model_remove(&files);
  return took;
}

/* A model of 4 times as many stages takes less than 5 times the memory, at the peak and in total. irrun writes all
 * memory that it allocates, so the total also bounds the time. */
static void stages_take_as_much_as_there_are(void **state) {
  (void)state;
  const counted some = run_pairs(500, 3), many = run_pairs(2000, 3);
  assert_true(many.most < 5 * some.most);
  assert_true(many.all < 5 * some.all);
}

static void what_all_have_read_is_given_back(void **state) {
  (void)state;
  enum { ELEMENTS = 1 << 16 };
  const counted some = run_pairs(5, ELEMENTS), many = run_pairs(50, ELEMENTS);
  assert_true(many.most < some.most + some.most / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refusal_is_told_once),
      cmocka_unit_test(families_take_what_is_counted),
      cmocka_unit_test(stages_take_as_much_as_there_are),
      cmocka_unit_test(what_all_have_read_is_given_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
