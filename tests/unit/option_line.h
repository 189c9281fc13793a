/* Reads command lines in one process, one after the other. */
#ifndef OPTION_LINE_H
#define OPTION_LINE_H

#include "cli/run.h"

/* Resets getopt, which keeps a pointer into the last word of the previous line. False if getopt does not end. */
bool option_line_forget(void);
/* Binds the options of a run to the inputs and outputs of a model. Runs and writes nothing. */
irrun_status option_line_bind(cli *c, const char *model);

#endif
