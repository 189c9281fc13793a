/* Adds what reports say of written files. */
#include "report_text.h"

void cli_add_written(cli_string *line, const cli *c, const char *path) {
  cli_add_name(line, path);
  cli_add(line, ": %swritten%s", cli_paint(c->color_results, CLI_GREEN), cli_paint(c->color_results, CLI_PLAIN));
}

void cli_add_written_weights(cli_string *line, const irrun_conversion *written) {
  if (written->weights == NULL)
    return;
  cli_add(line, "; ");
  cli_add_name(line, written->weights);
  cli_add(line, ", ");
  cli_add_count(line, written->bin_bytes, "byte");
}
