/* How far a long run is, on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli.h"

/* Whether stderr is a terminal that lines can be drawn on anew, and results are for people. */
bool cli_has_progress(const cli *c);

typedef struct cli_progress cli_progress;

/* Follows the next execution of the run: from 2 s on a line on stderr says which step it is at. NULL where there is no
 * progress to show, or no thread to show it. */
cli_progress *cli_progress_begin(const cli *c, irrun_run *run);
/* Ends before the run does. Takes the line away; accepts NULL. */
void cli_progress_end(cli_progress *progress);

#endif
