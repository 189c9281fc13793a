/* Gives access to the options of the command line. */
#include "options.h"

#include <search.h>
#include <stdlib.h>

const char *cli_option_name(cli_option option, char *buffer, size_t size) {
  const cli_option_row *row = &cli_option_rows[option];
  if (row->name != NULL)
    snprintf(buffer, size, "--%s", row->name);
  else
    snprintf(buffer, size, "-%c", row->letter);
  return buffer;
}

const char *cli_options_next(const cli_options *options, cli_option option, int *at) {
  while (*at < options->n_given) {
    const cli_given *given = &options->given[(*at)++];
    if (given->option == option)
      return given->value;
  }
  return NULL;
}

int cli_options_count(const cli_options *options, cli_option option) {
  int n = 0;
  for (int i = 0; i < options->n_given; i++)
    n += options->given[i].option == option;
  return n;
}

bool cli_options_have(const cli_options *options, cli_option option) {
  return cli_options_count(options, option) > 0;
}

bool cli_compares(const cli_options *options) {
  return cli_options_have(options, CLI_OPTION_EXPECT) || cli_options_have(options, CLI_OPTION_AGAINST);
}

int cli_options_steps(const cli_options *options) {
  return 1 + cli_options_count(options, CLI_OPTION_STEP);
}

int cli_options_of_step(const cli_options *options, int step, cli_given *out_given) {
  int n = 0, at = 0;
  for (int i = 0; i < options->n_given; i++) {
    const cli_given *given = &options->given[i];
    at += given->option == CLI_OPTION_STEP;
    if (!cli_option_rows[given->option].is_of_step || at == step)
      out_given[n++] = *given;
  }
  return n;
}

cli_mode cli_options_usual_mode(const cli_options *options) {
  for (int i = 0; i < options->n_given; i++)
    if ((cli_option_rows[options->given[i].option].modes & CLI_CHECK) == 0)
      return CLI_RUN;
  return cli_options_have(options, CLI_OPTION_REPORT) ? CLI_CHECK : CLI_RUN;
}

void cli_options_reset(cli_options *options) {
  free(options->given);
  for (int i = 0; i < options->n_found; i++)
    free(options->found[i]);
  free(options->found);
  tdestroy(options->named_places, free);
  free(options->models);
  free(options->operands);
  *options = (cli_options){0};
}
