/* Tests the .bin of a model: its path, when it counts as present, and which bytes can be read. */
#include "failing_memory.h"
#include "graph/bin_absence.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/stat.h>

static failing_memory counts;
static ir_memory memory;

static int setup(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  return counts.n_alive == 0 ? 0 : -1;
}

static void assert_beside(const char *model, const char *expected) {
  char *path = ir_weights_path_beside(&memory, model);
  assert_non_null(path);
  assert_string_equal(path, expected);
  ir_free(&memory, path);
}

static void the_last_extension_is_replaced(void **state) {
  (void)state;
  assert_beside("model.xml", "model.bin");
  assert_beside("a.b.xml", "a.b.bin");
  assert_beside("a.b", "a.bin");
  assert_beside("model", "model.bin");
  assert_beside("dir.d/model", "dir.d/model.bin");
  assert_beside("../model", "../model.bin");
  assert_beside("./a/b.c/model.xml", "./a/b.c/model.bin");
  assert_beside("model.", "model.bin");
  assert_beside("", ".bin");
  assert_beside("-x.xml", "-x.bin");
  counts.refuse_at = 0;
  assert_null(ir_weights_path_beside(&memory, "model.xml"));
}

static void assert_absent(const char *path, int error) {
  ir_weights *weights = ir_weights_create(&memory, path, false);
  assert_false(ir_weights_open(weights));
  assert_false(ir_weights_open(weights));
  assert_int_equal(weights->error, error);
  assert_string_equal(ir_weights_fault(weights), error == ESPIPE
                                                     ? "the constants have to be in a regular file, for they are mapped"
                                                     : strerror(error));
  assert_false(weights->present);
  assert_int_equal(ir_bin_absence_of(weights), error == ENOENT ? IR_BIN_NOT_THERE : IR_BIN_NO_FILE);
  assert_null(ir_weights_bytes(weights, 0, 0));
  assert_non_null(weights->source); /* diagnostics can still name the file */
  assert_string_equal(weights->source->name, path);
  assert_int_equal(weights->source->kind, IR_SOURCE_BYTES);
  ir_weights_free(weights);
}

static void what_is_no_file_is_absent(void **state) {
  (void)state;
  assert_absent("/tmp/irrun no such file.bin", ENOENT);
  assert_absent("", ENOENT);
  assert_absent("/tmp", EISDIR);
  assert_absent("/dev/zero", ESPIPE);
  assert_absent("-", ESPIPE);
  scratch_file file = scratch_file_make("m.bin", "", 0);
  unlink(file.path);
  assert_int_equal(mkfifo(file.path, 0600), 0);
  assert_absent(file.path, ESPIPE); /* opening a FIFO does not wait for a writer */
  scratch_file_remove(&file);
}

static void bytes_inside_can_be_had(void **state) {
  (void)state;
  scratch_file file = scratch_file_make("m.bin", "0123456789", 10);
  ir_weights *weights = ir_weights_create(&memory, file.path, true);
  assert_true(weights->given);
  assert_true(ir_weights_open(weights));
  assert_int_equal(ir_bin_absence_of(weights), IR_BIN_PRESENT);
  assert_int_equal(weights->size, 10);
  assert_null(weights->bytes); /* the file is mapped by the first read */
  assert_memory_equal(ir_weights_bytes(weights, 0, 10), "0123456789", 10);
  assert_memory_equal(ir_weights_bytes(weights, 7, 3), "789", 3);
  assert_non_null(ir_weights_bytes(weights, 10, 0));
  const int64_t outside[][2] = {{0, 11},        {10, 1},        {11, 0},        {-1, 1},
                                {0, -1},        {INT64_MAX, 1}, {1, INT64_MAX}, {INT64_MAX, INT64_MAX},
                                {INT64_MIN, 10}};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
    assert_null(ir_weights_bytes(weights, outside[i][0], outside[i][1]));
  ir_weights_free(weights);
  scratch_file_remove(&file);
}

static void an_empty_file_is_there(void **state) {
  (void)state;
  scratch_file file = scratch_file_make("m.bin", "", 0);
  ir_weights *weights = ir_weights_create(&memory, file.path, false);
  assert_non_null(ir_weights_bytes(weights, 0, 0)); /* opens the file implicitly */
  assert_true(weights->present);
  assert_null(ir_weights_bytes(weights, 0, 1));
  ir_weights_free(weights);
  scratch_file_remove(&file);
}

static void no_memory_leaves_nothing(void **state) {
  (void)state;
  scratch_file file = scratch_file_make("m.bin", "0123456789", 10);
  for (int64_t n = 0; n < 6; n++) {
    counts = (failing_memory){.refuse_at = n};
    ir_weights *weights = ir_weights_create(&memory, file.path, false);
    assert_int_equal(weights != NULL, n >= 4);
    if (weights != NULL) {
      assert_false(ir_weights_open(weights));
      assert_int_equal(weights->error, ENOMEM);
      assert_int_equal(ir_bin_absence_of(weights), IR_BIN_UNREADABLE);
    }
    ir_weights_free(weights);
    assert_int_equal(counts.n_alive, 0);
  }
  assert_int_equal(ir_bin_absence_of(NULL), IR_BIN_NOT_NAMED);
  ir_weights_free(NULL);
  scratch_file_remove(&file);
}

#define WITH_MEMORY(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_MEMORY(the_last_extension_is_replaced), WITH_MEMORY(what_is_no_file_is_absent),
      WITH_MEMORY(bytes_inside_can_be_had),        WITH_MEMORY(an_empty_file_is_there),
      WITH_MEMORY(no_memory_leaves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
