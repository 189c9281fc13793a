/* Lets each allocation of the program fail. The status is 6, and the report says whether the output file was
 * written. */
#include "cli/oom_report.h"
#include "cli/report_json.h"
#include "cli/report_sarif.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

static int calls_left = INT32_MAX;

/* Replaces calloc for the program and cJSON. The library calls malloc, so its allocations do not fail. */
void *__wrap_calloc(size_t count, size_t size) {
  return calls_left-- > 0 ? __real_calloc(count, size) : NULL;
}

static int run(cli *c) {
  c->results = stdout;
  c->json = c->options.format != CLI_TEXT ? cli_json_create() : NULL;
  cli_choose_oom_report(c, false);
  irrun_status status = cli_run_mode(c);
  if (c->options.format == CLI_SARIF)
    cli_sarif_print(c, status);
  else if (c->json != NULL)
    cli_json_print(c, status);
  fflush(stdout);
  return (int)status;
}

/* Runs in a child process whose allocations fail after the first n. Captures stdout and stderr in `text`. */
static int run_with(int n, cli *c, char *text, size_t size) {
  int ends[2], status;
  fflush(stdout);
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    calls_left = n;
    _Exit(run(c));
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t bytes; (bytes = read(ends[0], text + length, size - 1 - length)) > 0;)
    length += (size_t)bytes;
  text[length] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void fail_every_allocation(const char *format) {
  static char text[1 << 16];
  scratch_folder folder = scratch_folder_make();
  char output[SCRATCH_PATH + 16];
  const char *path = scratch_path(&folder, "y.npy");
  snprintf(output, sizeof output, "--output=%s", path);
  char *argv[] = {"irrun", IRRUN_SOURCE_DIR "/models/demo/pool.xml", "--fill=iota", "-v", output, (char *)format, NULL};
  cli c = {.context = irrun_context_create(NULL)};
  assert_int_equal(cli_options_parse(c.context, format != NULL ? 6 : 5, argv, &c.options), IRRUN_OK);
  int n = 0, n_written = 0, status = IRRUN_IO;
  for (; status != IRRUN_OK; n++) {
    status = run_with(n, &c, text, sizeof text);
    bool is_there = unlink(path) == 0, said = strstr(text, "after the output files were written") != NULL;
    if (status != IRRUN_OK && (status != IRRUN_IO || said != is_there || strstr(text, "out of memory") == NULL))
      fail_msg("allocation %d fails: status %d, the file is %sthere, but: %s", n, status, is_there ? "" : "not ", text);
    n_written += said;
  }
  assert_in_range(n_written, 1, n - 2);
  cli_options_reset(&c.options);
  irrun_context_free(c.context);
  scratch_folder_remove(&folder);
}

static void a_run_says_what_is_written(void **state) {
  (void)state;
  fail_every_allocation(NULL);
}

static void a_document_says_what_is_written(void **state) {
  (void)state;
  fail_every_allocation("--json");
  fail_every_allocation("--format=sarif");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_says_what_is_written),
      cmocka_unit_test(a_document_says_what_is_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
