/* Tests how files and streams are opened, and how streams are copied. */
#include "base/source.h"
#include "failing_memory.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static failing_memory counts;
static ir_memory memory;

static void close_source(ir_source *source) {
  ir_source_free(source);
  assert_int_equal(counts.n_alive, 0);
}

static void assert_open_fails(const char *path, int expected) {
  int error = 0;
  assert_null(ir_source_open(&memory, IR_SOURCE_TEXT, path, &error));
  assert_int_equal(error, expected);
  assert_int_equal(counts.n_alive, 0);
}

static void what_cannot_be_opened_says_why(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  assert_open_fails("/tmp", EISDIR);
  assert_open_fails("/tmp/irrun no such file", ENOENT);
  assert_open_fails("", ENOENT);
  scratch_file file = scratch_file_make("x", "12345", 5);
  counts.refuse_at = 0;
  assert_open_fails(file.path, ENOMEM);
  counts = (failing_memory){.refuse_at = 1};
  assert_open_fails(file.path, ENOMEM);
  scratch_file_remove(&file);
}

/* A stream is copied on request, up to the requested number of bytes. */
static void streams_are_fetched_in_pieces(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  int error, ends[2];
  char path[32], byte;
  ir_source *source = ir_source_open(&memory, IR_SOURCE_BYTES, "/dev/zero", &error);
  assert_int_equal(source->size, 0);
  assert_int_equal(ir_source_fetch(source, 100), 0);
  assert_int_equal(source->size, 100);
  assert_int_equal(ir_source_fetch(source, 50), 0);
  assert_int_equal(source->size, 100);
  assert_int_equal(ir_source_fetch(source, 40000), 0);
  assert_int_equal(source->size, 40000);
  assert_true(source->stream >= 0);
  close_source(source);

  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], "12345", 5), 5);
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  source = ir_source_open(&memory, IR_SOURCE_BYTES, path, &error);
  close(ends[0]);
  assert_int_equal(ir_source_fetch(source, 5), 0);
  assert_int_equal(source->size, 5);
  assert_true(source->stream >= 0); /* the end of the stream was not reached yet */
  assert_int_equal(ir_source_fetch(source, 6), 0);
  assert_int_equal(source->size, 5);
  assert_true(source->stream < 0);
  assert_int_equal(ir_source_fetch(source, INT64_MAX), 0);
  assert_int_equal(ir_source_read(source, 4, &byte, 1), 1);
  assert_int_equal(byte, '5');
  close_source(source);
}

/* Runs in a child process, because the limit of file sizes cannot be raised again. */
static void a_full_folder_for_copies_is_named(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  char text[IR_SOURCE_ERROR_TEXT];
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int error;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000});
    ir_source *source = ir_source_open(&memory, IR_SOURCE_BYTES, "/dev/zero", &error);
    _exit(source != NULL && ir_source_fetch(source, 1000000) == ENOSPC ? 0 : 1);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(setenv("TMPDIR", "/some/folder", 1), 0);
  assert_non_null(strstr(ir_source_error_text(ENOSPC, text, sizeof text), "/some/folder, the folder for temporary"));
  assert_non_null(strstr(ir_source_error_text(EDQUOT, text, sizeof text), "/some/folder"));
  assert_int_equal(unsetenv("TMPDIR"), 0);
  assert_non_null(strstr(ir_source_error_text(ENOSPC, text, sizeof text), "/tmp, the folder"));
  assert_string_equal(ir_source_error_text(ENOENT, text, sizeof text), "No such file or directory");
}

static void files_of_proc_are_read(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  int error;
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, "/proc/self/stat", &error);
  assert_non_null(source);
  assert_int_equal(ir_source_fetch(source, INT64_MAX), 0);
  assert_true(source->size > 0);
  close_source(source);
}

/* Runs in a child process, because opening a FIFO waits for the other end. */
static void fifos_are_read_twice(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  scratch_file file = scratch_file_make("fifo", "", 0);
  unlink(file.path);
  assert_int_equal(mkfifo(file.path, 0600), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int fd = open(file.path, O_WRONLY);
    static char bytes[100000];
    memset(bytes, 'x', sizeof bytes);
    bytes[50000] = '\n';
    _exit(fd >= 0 && write(fd, bytes, sizeof bytes) == (ssize_t)sizeof bytes ? 0 : 1);
  }
  int error, status;
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, file.path, &error);
  assert_non_null(source);
  assert_int_equal(ir_source_fetch(source, INT64_MAX), 0);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  scratch_file_remove(&file);
  assert_int_equal(source->size, 100000);
  char byte;
  assert_int_equal(ir_source_read(source, 50000, &byte, 1), 1);
  assert_int_equal(byte, '\n');
  assert_int_equal(ir_source_read(source, 3, &byte, 1), 1);
  assert_int_equal(byte, 'x');
  close_source(source);
}

/* Expects that stdin has the text `expected`. */
static void assert_stdin_is(const char *expected) {
  int error;
  ir_source *source = ir_source_open(&memory, IR_SOURCE_TEXT, "-", &error);
  assert_non_null(source);
  assert_int_equal(ir_source_fetch(source, 1000), 0);
  assert_string_equal(source->name, "<stdin>");
  assert_int_equal(source->size, strlen(expected));
  char buffer[100] = "";
  assert_int_equal(ir_source_read(source, 0, buffer, sizeof buffer), strlen(expected));
  assert_memory_equal(buffer, expected, strlen(expected));
  close_source(source);
}

static void stdin_is_read_from_where_it_is(void **state) {
  (void)state;
  memory = failing_memory_of(&counts);
  int saved = dup(STDIN_FILENO), ends[2];
  assert_int_equal(pipe(ends), 0);
  assert_int_equal(write(ends[1], "piped", 5), 5);
  close(ends[1]);
  assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  close(ends[0]);
  assert_stdin_is("piped");
  scratch_file file = scratch_file_make("in", "head body", 9);
  int fd = open(file.path, O_RDONLY);
  assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
  close(fd);
  assert_stdin_is("head body");
  assert_int_equal(lseek(STDIN_FILENO, 5, SEEK_SET), 5);
  assert_stdin_is("body");
  close(STDIN_FILENO);
  int error;
  assert_null(ir_source_open(&memory, IR_SOURCE_TEXT, "-", &error));
  assert_int_equal(error, EBADF);
  if (saved >= 0) {
    dup2(saved, STDIN_FILENO);
    close(saved);
  }
  scratch_file_remove(&file);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_be_opened_says_why),
      cmocka_unit_test(streams_are_fetched_in_pieces),
      cmocka_unit_test(a_full_folder_for_copies_is_named),
      cmocka_unit_test(files_of_proc_are_read),
      cmocka_unit_test(fifos_are_read_twice),
      cmocka_unit_test(stdin_is_read_from_where_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
