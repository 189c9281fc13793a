/* Tests random command lines of valid options and garbage. A line is accepted or refused with a report. Names in an
 * accepted line are looked up in a model, but nothing is run or written. */
#include "draw.h"
#include "option_line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MODEL "models/demo/pool.xml" /* has input x and output y */

enum { CASES = 10000, MAX_WORDS = 10, WORD_BYTES = 64 };

typedef struct command_line {
  char words[MAX_WORDS + 2][WORD_BYTES]; /* the last drawn option can have two words */
  char *argv[MAX_WORDS + 3];
  int argc;
} command_line;

static void add_word(command_line *line, const char *before, const char *text) {
  char *word = line->words[line->argc];
  snprintf(word, WORD_BYTES, "%s%s", before, text);
  line->argv[line->argc++] = word;
  line->argv[line->argc] = NULL;
}

static void draw_garbage(char *text) {
  static const char likely[] = "==--,.:/?0129xyqv";
  int64_t length = between(0, 12);
  for (int64_t i = 0; i < length; i++)
    text[i] = one_in(4) ? (char)between(1, 255) : likely[between(0, (int64_t)sizeof likely - 2)];
  text[length] = '\0';
}

static void draw_value(char *text) {
  static const char *const values[] = {
      "",
      "=",
      "==",
      "=-",
      "-",
      "x",
      "x=",
      "y=",
      "models/demo/x.npy",
      "x=no.npy",
      "y=-",
      "out.npy",
      "no/",
      "y=out.npz",
      "out.raw",
      "random:7",
      "x=zeros",
      "=ones",
      "1,1,4,4",
      "x=?",
      "1e-3",
      "y=0",
      "5",
      "0.5s",
      "IR310",
      "IR102,",
      "never",
      "sarif",
      "github",
      "trace.json",
      "out.xml",
      "/dev/full",
      "0=iota",
      "=models/demo/x.npy",
  };
  if (one_in(4))
    draw_garbage(text);
  else
    snprintf(text, WORD_BYTES / 2, "%s", values[between(0, (int64_t)(sizeof values / sizeof values[0]) - 1)]);
}

static void add_option(command_line *line, const cli_option_row *row) {
  char value[WORD_BYTES / 2], name[WORD_BYTES / 2] = {'-', row->letter};
  bool is_letter = row->letter != '\0' && (row->name == NULL || one_in(2));
  draw_value(value);
  if (!is_letter)
    snprintf(name, sizeof name, "--%s", row->name);
  if (row->argument == NULL && !one_in(20)) {
    add_word(line, name, "");
  } else if (is_letter || one_in(2)) {
    strcat(name, is_letter ? "" : "=");
    add_word(line, name, value);
  } else {
    add_word(line, name, "");
    if (!row->optional)
      add_word(line, "", value);
  }
}

/* Adds a word of several option letters, such as "-qvqh". */
static void add_bundle(command_line *line) {
  char letters[WORD_BYTES / 2];
  int64_t length = between(1, sizeof letters - 1);
  for (int64_t i = 0; i < length; i++) {
    const cli_option_row *row = &cli_option_rows[between(0, CLI_OPTION_COUNT - 1)];
    letters[i] = row->letter != '\0' && row->argument == NULL ? row->letter : one_in(2) ? 'q' : 'v';
  }
  letters[length] = '\0';
  add_word(line, "-", letters);
}

/* Draws a command line. Half of the lines run a model, so that names of its inputs and outputs are tested too. */
static void draw_line(command_line *line) {
  bool runs = one_in(2);
  int64_t n = between(1, runs ? 5 : MAX_WORDS);
  line->argc = 0;
  add_word(line, "", "irrun");
  if (runs) {
    add_word(line, "", MODEL);
    add_word(line, "", one_in(2) ? "--fill=random:7" : "--input=models/demo/x.npy");
  }
  while (line->argc < n) {
    const cli_option_row *row = &cli_option_rows[between(0, CLI_OPTION_COUNT - 1)];
    char garbage[WORD_BYTES / 2];
    if (runs ? (row->modes & CLI_RUN) != 0 && row->mode == 0 : one_in(2)) {
      add_option(line, row);
    } else if (!runs && one_in(2)) {
      add_bundle(line);
    } else if (!runs) {
      draw_garbage(garbage);
      add_word(line, "", garbage);
    }
  }
}

static void fail_line(const command_line *line, const char *what) {
  for (int i = 0; i < line->argc; i++)
    print_error("  '%s'\n", line->argv[i]);
  fail_msg("%s", what);
}

static void check_given(const command_line *line, const cli_options *options) {
  for (int i = 0; i < options->n_given; i++) {
    const cli_given *given = &options->given[i];
    if (given->option >= CLI_OPTION_COUNT)
      fail_line(line, "an option that is not in the table");
    const cli_option_row *row = &cli_option_rows[given->option];
    if ((given->value != NULL && row->argument == NULL) ||
        (given->value == NULL && row->argument != NULL && !row->optional))
      fail_line(line, "an option without its argument, or with one that it does not take");
  }
}

static void check_faults(const command_line *line, irrun_context *context, irrun_status status) {
  irrun_diagnostic fault = {.size = sizeof fault};
  if (status != irrun_context_worst(context) || (status == IRRUN_OK) != (irrun_context_count(context).errors == 0))
    fail_line(line, "the status is not that of the errors");
  for (int64_t i = 0; irrun_context_get_diagnostic(context, i, &fault); i++)
    if (*fault.message == '\0' || strcmp(fault.rule, "IR901") == 0)
      fail_line(line, "an error without words, or one of irrun's own");
}

static void every_command_line_is_read_or_refused(void **state) {
  (void)state;
  int n_bound = 0, n_good = 0;
  for (int i = 0; i < CASES; i++) {
    command_line line;
    draw_line(&line);
    assert_true(option_line_forget());
    cli c = {.context = irrun_context_create(NULL)};
    irrun_status status = cli_options_parse(c.context, line.argc, line.argv, &c.options);
    check_given(&line, &c.options);
    if (status == IRRUN_OK && c.options.mode == CLI_RUN) {
      status = option_line_bind(&c, MODEL);
      n_bound++;
      n_good += status == IRRUN_OK;
    }
    check_faults(&line, c.context, status);
    cli_options_reset(&c.options);
    irrun_context_free(c.context);
  }
  /* Enough lines must be accepted, or the test would prove little. */
  assert_in_range(n_bound, CASES / 10, CASES);
  assert_in_range(n_good, CASES / 100, CASES);
}

int main(void) {
  /* Options can read stdin, which is therefore empty. */
  if (freopen("/dev/null", "r", stdin) == NULL)
    return EXIT_FAILURE;
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_command_line_is_read_or_refused)};
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
