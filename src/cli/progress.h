/* Shows the progress of a long run on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"

/* Whether progress is shown: reports are text, and stderr is a terminal that can redraw a line. */
bool cli_has_progress(const cli *c);

typedef struct cli_progress cli_progress;

/* Starts a thread that shows the current step of the run's next execution in a line on stderr, from 2 s on. Returns
 * NULL if cli_has_progress is false or the thread cannot be started. */
cli_progress *cli_progress_begin(const cli *c, irrun_run *run);
/* Ends the thread and removes the line. Call it before the run is freed. `progress` may be NULL. */
void cli_progress_end(cli_progress *progress);

#endif
