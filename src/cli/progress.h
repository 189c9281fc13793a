/* Shows the progress of a long run on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"

/* Whether stderr is a terminal that can redraw a line, and results are for people. */
bool cli_has_progress(const cli *c);

typedef struct cli_progress cli_progress;

/* Follows the next execution of the run: after 2 s a line on stderr shows the current step. NULL if progress is not
 * shown or no thread can be started. */
cli_progress *cli_progress_begin(const cli *c, irrun_run *run);
/* Ends before the run does, and removes the line; accepts NULL. */
void cli_progress_end(cli_progress *progress);

#endif
