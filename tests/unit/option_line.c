#include "option_line.h"

#include <getopt.h>

bool option_line_forget(void) {
  char name[] = "irrun", *argv[] = {name, NULL};
  optind = 0;
  return getopt(1, argv, "-") == -1;
}

irrun_status option_line_bind(cli *c, const char *model) {
  cli_run r = {.c = c, .path = model};
  irrun_status status = irrun_status_worse(cli_check_targets(c), cli_check_fills(c));
  if (status == IRRUN_OK)
    status = cli_read_model(c, r.path, IRRUN_TO_RUN, &r.model);
  if (status == IRRUN_OK)
    status = cli_prepare_run(&r);
  cli_free_run(&r);
  return status;
}
