/* --input DIR: a run for each file in a folder. */
#include "folder.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Finds the index of the first `option` that is given a folder. Returns -1 if there is none. */
static int find_folder(const cli_options *options, cli_option option) {
  struct stat found;
  for (int i = 0; i < options->n_given; i++)
    if (options->given[i].option == option && stat(options->given[i].value, &found) == 0 && S_ISDIR(found.st_mode))
      return i;
  return -1;
}

/* Reports the options that the runs of a folder cannot have: those of steps, and with several files, `n`, those that
 * write a file, because each run would write it. */
static irrun_status check_options(cli *c, const char *folder, int n) {
  static const cli_option of_one_run[] = {CLI_OPTION_STEP, CLI_OPTION_AGAINST},
                          writing[] = {CLI_OPTION_OUTPUT,  CLI_OPTION_SAVE_ALL, CLI_OPTION_SAVE_STATE,
                                       CLI_OPTION_HEATMAP, CLI_OPTION_PROFILE,  CLI_OPTION_REPORT};
  static const char hint[] = "give the files one by one: --input FILE";
  const int expected = find_folder(&c->options, CLI_OPTION_EXPECT);
  irrun_status worst = IRRUN_OK;
  char name[40];
  for (size_t i = 0; i < sizeof of_one_run / sizeof *of_one_run; i++)
    if (cli_options_have(&c->options, of_one_run[i]))
      worst = cli_fault(c->context, "IR801", NULL, hint, "'%s' is for one run, and '--input %s' is a run for each file",
                        cli_option_name(of_one_run[i], name, sizeof name), folder);
  for (size_t i = 0; n > 1 && i < sizeof writing / sizeof *writing; i++) {
    const char *path = cli_options_next(&c->options, writing[i], &(int){0});
    if (path != NULL)
      worst = cli_fault(c->context, "IR801", NULL, hint,
                        "'%s%s%s' is written by one run, and '--input %s' is a run for each of %d files",
                        cli_option_name(writing[i], name, sizeof name),
                        cli_option_rows[writing[i]].optional ? "=" : " ", path, folder, n);
  }
  if (expected >= 0)
    worst = cli_fault(c->context, "IR801", NULL, "'irrun --test' compares a folder of inputs and expected values",
                      "'--expect %s' is a folder, and each run of '--input %s' compares with the same file",
                      c->options.given[expected].value, folder);
  return worst;
}

/* Puts a step for each file in place of the options. Step k reads file k, and repeats all other options of a step. */
static void make_steps(cli_options *options, int folder, char *const *names, int n) {
  const char *path = options->given[folder].value;
  cli_given *given = cli_allocate((size_t)(options->n_given + 1) * (size_t)n, sizeof *given);
  int n_given = 0;
  options->found = cli_allocate((size_t)n, sizeof *options->found);
  for (int step = 0; step < n; step++) {
    char *file = cli_join(path, names[step]);
    options->found[options->n_found++] = file;
    if (step > 0)
      given[n_given++] = (cli_given){.option = CLI_OPTION_STEP};
    for (int i = 0; i < options->n_given; i++)
      if (step == 0 || cli_option_rows[options->given[i].option].is_of_step)
        given[n_given++] = i == folder ? (cli_given){CLI_OPTION_INPUT, file} : options->given[i];
  }
  free(options->given);
  options->given = given;
  options->n_given = n_given;
}

irrun_status cli_expand_folder(cli *c) {
  const int folder = find_folder(&c->options, CLI_OPTION_INPUT);
  const char *path = folder >= 0 ? c->options.given[folder].value : NULL;
  char **names;
  int n;
  if (folder < 0)
    return IRRUN_OK;
  if (!cli_list_folder(path, &names, &n))
    return cli_fault(c->context, "IR701", path, NULL, "cannot read the folder: %s", strerror(errno));
  irrun_status status = check_options(c, path, n);
  if (n == 0)
    status = cli_fault(c->context, "IR701", path, NULL, "the folder has no files");
  else if (status == IRRUN_OK)
    make_steps(&c->options, folder, names, n);
  cli_free_names(names, n);
  return status;
}
