/* Runs the examples of the rule table. `wrong` has to raise its rule and no other error. `right` must not raise the
 * rule and has to exit with 0. The program is $IRRUN, or the one built with this test. */
#include "diag/rules.h"
#include "example_models.h"
#include "runtime/context.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rules for which no example is possible. */
static const char *const untried[] = {"IR901"};
#define N_UNTRIED (sizeof untried / sizeof untried[0])

static scratch_folder folder;

static const char *program(void) {
  const char *path = getenv("IRRUN");
#ifdef IRRUN_PROGRAM
  if (path == NULL || *path == '\0')
    path = IRRUN_PROGRAM;
#endif
  return path;
}

/* ---- running ---- */

typedef struct seen {
  int exit;           /* exit status; -1: the program was ended by a signal */
  int errors;         /* number of errors, of any rule */
  int of_rule;        /* number of diagnostics of the tested rule, of any severity */
  char text[1 << 16]; /* the text of stderr */
} seen;

static void run_shell(const char *command) {
  int out = open("/dev/null", O_WRONLY), err = open("stderr.txt", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out < 0 || err < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0)
    _exit(126);
  execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

static int run_in_folder(const char *command) {
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder.path) != 0)
      _exit(126);
    run_shell(command);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns whether the line is an error. The message can contain other severity words, so the first severity word
 * decides. */
static bool line_is_error(const char *line) {
  const char *error = strstr(line, "error: "), *warning = strstr(line, "warning: "), *note = strstr(line, "note: ");
  return error != NULL && (warning == NULL || error < warning) && (note == NULL || error < note);
}

static void count_lines(seen *s, const char *id) {
  char tag[16], copy[sizeof s->text], *rest = copy;
  snprintf(tag, sizeof tag, "[%s ", id);
  memcpy(copy, s->text, sizeof copy);
  for (char *line = strtok_r(copy, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    if (strstr(line, "[IR") == NULL)
      continue;
    s->errors += line_is_error(line);
    s->of_rule += strstr(line, tag) != NULL;
  }
}

static void see(const char *part, const char *text, const char *id, seen *s) {
  memset(s, 0, sizeof *s);
  const char *command = text;
  if (strcmp(part, "command") != 0) {
    const bool converts = strcmp(part, "conversion") == 0, ngraph = converts || strcmp(part, "ngraph") == 0;
    const bool whole = ngraph || strcmp(part, "file") == 0;
    char *model = whole ? strdup(text) : example_model(part, text);
    assert_non_null(model);
    scratch_write(scratch_path(&folder, ngraph ? "model.json" : "model.xml"), model, strlen(model));
    free(model);
    command = converts ? "irrun --convert out.xml model.json"
              : ngraph ? "irrun --check-shapes model.json"
                       : "irrun --check-shapes -v model.xml";
  }
  s->exit = run_in_folder(command);
  FILE *file = fopen(scratch_path(&folder, "stderr.txt"), "rb");
  assert_non_null(file);
  s->text[fread(s->text, 1, sizeof s->text - 1, file)] = '\0';
  fclose(file);
  count_lines(s, id);
}

/* ---- checking the results ---- */

static int complain(const ir_rule_row *row, const char *side, const char *what, const seen *s) {
  print_error("%s, %s example: %s; exit %d, stderr:\n%s\n", row->id, side, what, s->exit, s->text);
  return 1;
}

static int try_wrong(const ir_rule_row *row, const ir_rule_example *example) {
  static seen s;
  see(example->part, example->wrong, row->id, &s);
  bool error = row->severity == IR_ERROR;
  if (s.of_rule != 1)
    return complain(row, "wrong", "should raise the rule once", &s);
  if (s.errors != error)
    return complain(row, "wrong", "raises other errors", &s);
  if (s.exit != (error ? (int)ir_status(row->status) : 0))
    return complain(row, "wrong", "ends with another status than the rule's", &s);
  return 0;
}

static int try_right(const ir_rule_row *row, const ir_rule_example *example) {
  static seen s;
  see(example->part, example->right, row->id, &s);
  if (s.of_rule != 0 || s.errors != 0 || s.exit != 0)
    return complain(row, "right", "should be without the rule and without errors", &s);
  return 0;
}

static bool is_untried(const char *id) {
  for (size_t i = 0; i < N_UNTRIED; i++)
    if (strcmp(untried[i], id) == 0)
      return true;
  return false;
}

/* ---- tests ---- */

static void every_rule_has_texts(void **state) {
  (void)state;
  for (int rule = 0; rule < IR_RULE_COUNT; rule++) {
    const ir_rule_text *text = &ir_rule_texts[rule];
    const char *const all[] = {text->rule,         text->reason,        text->spec,
                               text->example.part, text->example.wrong, text->example.right};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
      if (all[i] == NULL || *all[i] == '\0')
        fail_msg("%s lacks a text", ir_rule_rows[rule].id);
    if (strcmp(text->example.wrong, text->example.right) == 0)
      fail_msg("%s: both examples are the same", ir_rule_rows[rule].id);
  }
}

static void every_example_does_what_it_says(void **state) {
  (void)state;
  int n_failed = 0;
  size_t n_untried = 0;
  for (int rule = 0; rule < IR_RULE_COUNT; rule++) {
    const ir_rule_row *row = &ir_rule_rows[rule];
    const ir_rule_example *example = &ir_rule_texts[rule].example;
    bool none = strcmp(example->part, "none") == 0;
    n_untried += none;
    if (none != is_untried(row->id)) {
      print_error("%s: an example that is not tried has to be in the list here, and no other\n", row->id);
      n_failed++;
    } else if (!none) {
      n_failed += try_wrong(row, example);
      n_failed += try_right(row, example);
    }
  }
  assert_int_equal(n_untried, N_UNTRIED);
  assert_int_equal(n_failed, 0);
}

/* Puts the program's folder first in PATH, because the examples call `irrun` by name. */
static bool put_program_in_path(void) {
  const char *path = program(), *old = getenv("PATH");
  char resolved[4096], *slash;
  if (path == NULL || realpath(path, resolved) == NULL || (slash = strrchr(resolved, '/')) == NULL)
    return false;
  *slash = '\0';
  char list[8192];
  snprintf(list, sizeof list, "%s:%s", resolved, old == NULL ? "/usr/bin:/bin" : old);
  return setenv("PATH", list, 1) == 0;
}

static int make_folder(void **state) {
  (void)state;
  if (!put_program_in_path()) {
    print_error("no program to try the examples with: set IRRUN to its path\n");
    return -1;
  }
  folder = scratch_folder_make();
  return example_folder_fill(folder.path) ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  char command[sizeof folder + 16];
  snprintf(command, sizeof command, "rm -r '%s'", folder.path);
  return system(command) == 0 ? 0 : -1;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rule_has_texts),
      cmocka_unit_test(every_example_does_what_it_says),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
