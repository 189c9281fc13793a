/* The report of an out-of-memory failure, prepared while memory is left. */
#ifndef CLI_OOM_REPORT_H
#define CLI_OOM_REPORT_H

#include "cli.h"

/* Sets the report from now on; `written`: the output files are in place. */
void cli_choose_oom_report(const cli *c, bool written);

#endif
