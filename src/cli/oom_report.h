/* What is said when memory runs out, when nothing can be made any more. */
#ifndef CLI_OOM_REPORT_H
#define CLI_OOM_REPORT_H

#include "cli.h"

/* Sets it from now on; `written`: the output files are in place. */
void cli_choose_oom_report(const cli *c, bool written);

#endif
