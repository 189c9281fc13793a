/* Finds where files lie once links are followed. */
#ifndef CLI_LINKS_H
#define CLI_LINKS_H

#include "cli.h"

bool cli_is_link(const char *path);
/* Whether the path leads to `folder` or below it, once links are followed. Sets `place`, of PATH_MAX bytes, to where it
 * leads; "": unknown. A file that does not exist lies in its folder. */
bool cli_leads_below(const char *path, const char *folder, char *place);
/* Whether a file beside NAME.xml that is written with it, such as NAME.bin, leads to the folder of NAME.xml or below
 * it, or is the file of this kind beside the one that NAME.xml leads to. Sets `place` as above. */
bool cli_leads_beside(const char *beside, const char *path, char *place);
/* Finds the places of the folders that the command line of --test names, and of the folders of the files that it names:
 * once, because a search for each case would take quadratic time. */
void cli_find_named_places(cli_options *options);
/* Same as cli_leads_below for those folders. */
bool cli_is_named_place(const cli_options *options, const char *path, char *place);
/* Reports IR702: the path is a link that leads to `place`, where nothing is to be written. */
irrun_status cli_report_link(irrun_context *context, const char *path, const char *place, const char *hint);

#endif
