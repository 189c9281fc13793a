/* The n-th allocation fails, for every n: the call says so (exit status 6), nothing crashes, nothing leaks. */
#include "example_models.h"
#include "irrun.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct failing {
  int64_t n_calls, fail_at, n_live;
} failing;

static void *failing_alloc(void *user, size_t bytes) {
  failing *f = user;
  if (++f->n_calls == f->fail_at)
    return NULL;
  void *block = malloc(bytes);
  f->n_live += block != NULL;
  return block;
}

static void failing_release(void *user, void *block) {
  failing *f = user;
  f->n_live -= block != NULL;
  free(block);
}

static irrun_status run_model(irrun_context *context, irrun_model *model, const char *folder) {
  irrun_run *run = NULL;
  irrun_tensor *tensor = NULL;
  char path[512];
  irrun_status status = irrun_run_create(model, &run);
  if (status == IRRUN_OK)
    status = irrun_tensor_fill(context, "iota", "f32", 4, (int64_t[]){1, 1, 4, 4}, &tensor);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(run, 0, tensor, false, "x.npy");
  if (status == IRRUN_OK)
    status = irrun_run_execute(run);
  snprintf(path, sizeof path, "%s/y.npy", folder);
  if (status == IRRUN_OK)
    status = irrun_tensor_write(context, irrun_run_output(run, 0), "y", path);
  if (status == IRRUN_OK)
    unlink(path);
  irrun_run_free(run);
  return status;
}

/* The whole way of a model, from the file to the written output. */
static irrun_status all_of_it(failing *f, const char *model_path, const char *folder) {
  irrun_allocator allocator = {.alloc = failing_alloc, .release = failing_release, .user = f};
  irrun_context *context = irrun_context_create(&allocator);
  if (context == NULL)
    return IRRUN_IO;
  irrun_model *model = NULL;
  irrun_status status = irrun_model_read(context, model_path, NULL, IRRUN_TO_RUN, &model);
  if (status == IRRUN_OK)
    status = run_model(context, model, folder);
  if (status != irrun_worst(context))
    fail_msg("allocation %lld fails: returned %d, the context says %d", (long long)f->fail_at, (int)status,
             (int)irrun_worst(context));
  irrun_diagnostic diagnostic;
  if (status != IRRUN_OK)
    assert_true(irrun_get_diagnostic(context, 0, &diagnostic));
  irrun_model_free(model);
  irrun_context_free(context);
  return status;
}

static void fail_every_allocation(const char *model_path) {
  char folder[] = "/tmp/irrun_alloc_XXXXXX";
  assert_non_null(mkdtemp(folder));
  bool done = false;
  for (int64_t n = 1; !done; n++) {
    failing f = {.fail_at = n};
    irrun_status status = all_of_it(&f, model_path, folder);
    done = f.n_calls < n;
    if (status != (done ? IRRUN_OK : IRRUN_IO) && !(status == IRRUN_OK && f.n_live == 0))
      fail_msg("allocation %lld fails: status %d", (long long)n, (int)status);
    if (f.n_live != 0)
      fail_msg("allocation %lld fails: %lld blocks are lost", (long long)n, (long long)f.n_live);
    assert_true(n < 100000);
  }
  assert_int_equal(rmdir(folder), 0);
}

static void a_pool_survives(void **state) {
  (void)state;
  fail_every_allocation(IRRUN_SOURCE_DIR "/models/demo/pool.xml");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_pool_survives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
