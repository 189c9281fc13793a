/* --input DIR: a run for each file in a folder. */
#include "folder.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Finds the index of the first --input that is a folder. Returns -1 if there is none. */
static int find_folder(const cli_options *options) {
  struct stat found;
  for (int i = 0; i < options->n_given; i++)
    if (options->given[i].option == CLI_OPTION_INPUT && stat(options->given[i].value, &found) == 0 &&
        S_ISDIR(found.st_mode))
      return i;
  return -1;
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
  const int folder = find_folder(&c->options);
  const char *path = folder >= 0 ? c->options.given[folder].value : NULL;
  char **names;
  int n;
  if (folder < 0)
    return IRRUN_OK;
  if (cli_options_have(&c->options, CLI_OPTION_STEP) || cli_options_have(&c->options, CLI_OPTION_AGAINST))
    return cli_fault(c->context, "IR801", NULL, "each file of the folder is a run of its own",
                     "'--input %s' is a folder, which cannot be combined with '--step' and '--against'", path);
  if (!cli_list_folder(path, &names, &n))
    return cli_fault(c->context, "IR701", path, NULL, "cannot read the folder: %s", strerror(errno));
  irrun_status status = IRRUN_OK;
  if (n == 0)
    status = cli_fault(c->context, "IR701", path, NULL, "the folder has no files");
  else
    make_steps(&c->options, folder, names, n);
  cli_free_names(names, n);
  return status;
}
