/* Tests the steps that a run reports, and the floor with which a run's time is compared. */
#include "failing_memory.h"
#include "model_run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static model_run executed_pool(bool profiled) {
  model_run pool = model_run_read(IRRUN_SOURCE_DIR "/models/demo/pool.xml", IRRUN_TO_RUN, NULL);
  const float x[16] = {0};
  assert_int_equal(pool.status, IRRUN_OK);
  assert_int_equal(irrun_run_create(pool.model, &pool.run), IRRUN_OK);
  assert_int_equal(model_run_input(&pool, 0, IR_F32, 4, (int64_t[]){1, 1, 4, 4}, x), IRRUN_OK);
  irrun_run_profile(pool.run, profiled);
  assert_int_equal(irrun_run_execute(pool.run), IRRUN_OK);
  return pool;
}

static void steps_tell_what_they_read_and_write(void **state) {
  (void)state;
  model_run pool = executed_pool(false);
  irrun_step step = {.size = sizeof step};
  irrun_layer layer = {.size = sizeof layer};
  assert_true(irrun_run_get_step(pool.run, 0, &step));
  assert_true(irrun_model_get_layer(pool.model, step.layer, &layer));
  assert_string_equal(layer.name, "pool");
  assert_true(step.kernel[0] != '\0' && step.isa[0] != '\0');
  assert_int_equal(step.read_bytes, 64);
  assert_int_equal(step.written_bytes, 36);
  assert_int_equal(step.start_ns, 0);
  assert_int_equal(step.duration_ns, 0);
  assert_false(irrun_run_get_step(pool.run, 1, &step));
  assert_false(irrun_run_get_step(pool.run, -1, &step));
  assert_int_equal(step.layer, -1);
  model_run_end(&pool);
}

static void a_profiled_run_has_times(void **state) {
  (void)state;
  model_run pool = executed_pool(true);
  irrun_step first = {.size = sizeof first}, second = first;
  assert_true(irrun_run_get_step(pool.run, 0, &first));
  assert_true(first.start_ns > 0 && first.duration_ns >= 0);
  assert_int_equal(irrun_run_execute(pool.run), IRRUN_OK);
  assert_true(irrun_run_get_step(pool.run, 0, &second));
  assert_true(second.start_ns >= first.start_ns + first.duration_ns);
  irrun_run_profile(pool.run, false);
  assert_int_equal(irrun_run_execute(pool.run), IRRUN_OK);
  assert_true(irrun_run_get_step(pool.run, 0, &second));
  assert_int_equal(second.duration_ns, 0);
  model_run_end(&pool);
}

/* The steps access less than a cache line, odd numbers of bytes, more bytes for writing than for reading, and none.
 * Some steps have fewer cache lines than threads. */
static void a_floor_is_measured(void **state) {
  (void)state;
  static const irrun_step steps[] = {{.size = sizeof *steps, .read_bytes = 4, .written_bytes = 4},
                                     {.size = sizeof *steps, .read_bytes = 100001, .written_bytes = 333},
                                     {.size = sizeof *steps, .read_bytes = 333, .written_bytes = 100001},
                                     {.size = sizeof *steps, .read_bytes = 0, .written_bytes = 0}};
  irrun_context *context = irrun_context_create(NULL);
  static const int threads[] = {1, 2, 3, 9};
  for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
    int64_t floor_ns;
    assert_int_equal(irrun_floor_measure(context, steps, 4, threads[i], 0, &floor_ns), IRRUN_OK);
    assert_true(floor_ns > 0);
  }
  irrun_context_free(context);
}

static void a_floor_without_threads_is_refused(void **state) {
  (void)state;
  irrun_context *context = irrun_context_create(NULL);
  int64_t floor_ns;
  assert_int_equal(irrun_floor_measure(context, NULL, 0, 0, 0, &floor_ns), IRRUN_USAGE);
  assert_int_equal(irrun_floor_measure(context, NULL, 0, 1025, 0, &floor_ns), IRRUN_USAGE);
  assert_int_equal(floor_ns, 0);
  irrun_context_free(context);
}

static void a_floor_survives_the_end_of_memory(void **state) {
  (void)state;
  static const irrun_step step = {.size = sizeof step, .read_bytes = 1000, .written_bytes = 100};
  irrun_status status = IRRUN_IO;
  for (int64_t n = 0; status != IRRUN_OK; n++) {
    failing_memory memory = {.refuse_at = n};
    irrun_allocator allocator = {sizeof allocator, failing_alloc, failing_release, &memory};
    irrun_context *context = irrun_context_create(&allocator);
    if (context != NULL) {
      int64_t floor_ns;
      status = irrun_floor_measure(context, &step, 1, 2, 0, &floor_ns);
      assert_true(status == IRRUN_OK || status == IRRUN_IO);
      assert_int_equal(irrun_context_worst(context), status);
      assert_int_equal(floor_ns > 0, status == IRRUN_OK);
    }
    irrun_context_free(context);
    assert_int_equal(memory.n_alive, 0);
  }
}

/* Refuses blocks of more than 256 MiB. */
static void *alloc_small(void *user, size_t bytes) {
  (void)user;
  return bytes > ((size_t)1 << 28) + 4096 ? NULL : malloc(bytes);
}

static void release_small(void *user, void *block) {
  (void)user;
  free(block);
}

static void a_floor_of_large_steps_takes_a_block_of_256_mib(void **state) {
  (void)state;
  static const irrun_step large = {.size = sizeof large, .read_bytes = 3 << 28, .written_bytes = 64},
                          small = {.size = sizeof small, .read_bytes = 1 << 28, .written_bytes = 64};
  const irrun_allocator allocator = {sizeof allocator, alloc_small, release_small, NULL};
  irrun_context *context = irrun_context_create(&allocator);
  int64_t large_ns, small_ns;
  assert_int_equal(irrun_floor_measure(context, &small, 1, 1, 0, &small_ns), IRRUN_OK);
  assert_int_equal(irrun_floor_measure(context, &large, 1, 1, 0, &large_ns), IRRUN_OK);
  assert_true(large_ns > small_ns);
  irrun_context_free(context);
}

static void vectors_have_a_name(void **state) {
  (void)state;
  static const char *const names[] = {"avx512", "avx2", "sse2", "neon", "none"};
  int n_found = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    n_found += strcmp(irrun_simd(), names[i]) == 0;
  assert_int_equal(n_found, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_tell_what_they_read_and_write),
      cmocka_unit_test(a_profiled_run_has_times),
      cmocka_unit_test(a_floor_is_measured),
      cmocka_unit_test(a_floor_without_threads_is_refused),
      cmocka_unit_test(a_floor_survives_the_end_of_memory),
      cmocka_unit_test(a_floor_of_large_steps_takes_a_block_of_256_mib),
      cmocka_unit_test(vectors_have_a_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
