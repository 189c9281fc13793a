/* Adds a run to the page of --report: the statistics of its tensors, its plan, and the tensors that differ. */
#ifndef CLI_PAGE_RUN_H
#define CLI_PAGE_RUN_H

#include "page.h"
#include "profile.h"

/* Adds "plan" to a model, and "tensors" and "differing" to its "page". Without --stats, executes the run once
 * more, so the outputs become invalid. */
irrun_status cli_page_add_run(cli_run *r, cli_node *model_node);
/* Keeps a sample of a compared tensor for the page, if it differs. Does nothing without --report. */
void cli_page_keep(cli_run *r, int64_t layer, int port, const irrun_comparison *comparison, const irrun_tensor *got,
                   const irrun_tensor *expected);

#endif
