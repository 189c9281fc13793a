/* Several threads run a model that was read once, each with a context of its own. ThreadSanitizer reports data that
 * they change without a lock. */
#include "family.h"
#include "irrun_debug.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { THREADS = 4, ROUNDS = 3, MOST_BYTES = 1 << 20 };

typedef struct worker {
  pthread_t thread;
  irrun_model *model;
  const char *family;
  int n_failed;
  size_t n_bytes;
  unsigned char bytes[MOST_BYTES]; /* bytes of all outputs, one after the other */
} worker;

static worker workers[THREADS];

static void keep_outputs(worker *w, const irrun_run *run) {
  const irrun_tensor *tensor;
  w->n_bytes = 0;
  for (int64_t i = 0; (tensor = irrun_run_output(run, i)) != NULL; i++) {
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    const size_t left = MOST_BYTES - w->n_bytes, n = info.bytes < left ? info.bytes : left;
    if (n > 0)
      memcpy(w->bytes + w->n_bytes, info.data, n);
    w->n_bytes += n;
  }
}

/* Each round makes a new run. Threads therefore meet while one of them makes the model's constants. */
static void *work(void *user) {
  worker *w = user;
  irrun_context *context = irrun_context_create(NULL);
  for (int round = 0; round < ROUNDS; round++) {
    irrun_run *run;
    bool done = context != NULL && irrun_context_set_threads(context, 1) == IRRUN_OK &&
                irrun_run_create_in(context, w->model, &run) == IRRUN_OK;
    if (done) {
      done = family_set_inputs(context, w->model, run, w->family, false) && irrun_run_execute(run) == IRRUN_OK &&
             irrun_run_execute(run) == IRRUN_OK;
      keep_outputs(w, run);
      irrun_run_free(run);
    }
    w->n_failed += !done;
  }
  irrun_context_free(context);
  return NULL;
}

static void run_by_threads(const char *family) {
  char xml[FAMILY_PATH];
  irrun_model *model;
  irrun_context *context = irrun_context_create(NULL);
  assert_non_null(context);
  assert_int_equal(irrun_model_read(context, family_model(family, xml), NULL, IRRUN_TO_RUN, &model), IRRUN_OK);
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){.model = model, .family = family};
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(workers[i].thread, NULL);
  for (int i = 0; i < THREADS; i++) {
    if (workers[i].n_failed > 0 || workers[i].n_bytes != workers[0].n_bytes ||
        memcmp(workers[i].bytes, workers[0].bytes, workers[0].n_bytes) != 0)
      fail_msg("%s: thread %d failed %d times, or computed something else", family, i, workers[i].n_failed);
  }
  irrun_model_free(model);
  irrun_context_free(context);
}

static void threads_share_a_model(void **state) {
  (void)state;
  for (size_t i = 0; i < FAMILIES; i++)
    run_by_threads(families[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_share_a_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
