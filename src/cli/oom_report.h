/* Prepares the report of an out-of-memory failure while memory is left. */
#ifndef CLI_OOM_REPORT_H
#define CLI_OOM_REPORT_H

#include "cli.h"

/* Sets the report of later failures. `written`: the output files are complete, and the report says so. */
void cli_choose_oom_report(const cli *c, bool written);

#endif
