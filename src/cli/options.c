/* Gives access to the options of the command line. */
#include "options.h"

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

bool cli_options_have(const cli_options *options, cli_option option) {
  for (int i = 0; i < options->n_given; i++)
    if (options->given[i].option == option)
      return true;
  return false;
}

void cli_options_reset(cli_options *options) {
  free(options->given);
  for (int i = 0; i < options->n_found; i++)
    free(options->found[i]);
  free(options->found);
  free(options->models);
  *options = (cli_options){0};
}
