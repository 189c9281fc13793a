/* Declares --watch, which checks models again when their files change. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli.h"

typedef struct cli_watch cli_watch;

/* Notes the files of the models as they are now, before they are checked: the models, the models in folders, their
 * .bin, --weights and --baseline. If `*watch` is NULL, makes it, and from then on Ctrl-C and SIGTERM end the next
 * cli_watch_wait. In a later call prints which file has changed. Reports IR801, and makes nothing, if the models or the
 * format of the report do not allow several checks. */
irrun_status cli_watch_note(cli *c, cli_watch **watch);
/* Begins a check in a process of its own, whose sandbox follows folders that were removed and made again. Returns true
 * in that process. In the first process waits for its end, then sets `*out_status` and returns false. If the system
 * starts no process, returns true in the first process. */
bool cli_watch_begin_check(cli_watch *watch, irrun_status *out_status);
/* The exit status of a process that only does a check, if it lost output. */
#define CLI_WATCH_LOST 100
/* Whether this process only does a check. */
bool cli_watch_is_check(const cli_watch *watch);
/* Waits for a change of the noted files. Returns false after Ctrl-C or SIGTERM, if a check lost its
 * output, and in the process of a check. */
bool cli_watch_wait(cli_watch *watch);
void cli_watch_free(cli_watch *watch);

#endif
