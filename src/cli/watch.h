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
/* Waits for a change of the noted files. Returns false after Ctrl-C or SIGTERM. */
bool cli_watch_wait(cli_watch *watch);
void cli_watch_free(cli_watch *watch);

#endif
