/* Adds a run to the page of --report: the statistics of its tensors, its steps, its plan, and what differs. */
#ifndef CLI_PAGE_RUN_H
#define CLI_PAGE_RUN_H

#include "page.h"
#include "profile.h"

/* Adds "tensors", "differing", and what follows to the "page" of a model. Without --stats, executes the run once more,
 * so the outputs become invalid. */
irrun_status cli_page_add_run(cli_run *r, cli_node *page, const cli_profile *profile);
/* page_times.c: adds "times": the steps of the run that was recorded, with the floor of each. */
irrun_status cli_page_add_times(cli_run *r, cli_node *page, const cli_profile *profile);
/* page_plan.c: adds "plan": the tensors of the run's block of memory, and why each layer has its kernel. */
irrun_status cli_page_add_plan(cli_run *r, cli_node *page);
/* Keeps a sample of a compared tensor for the page, if it differs. Does nothing without --report. */
void cli_page_keep(cli_run *r, int64_t layer, int port, const irrun_comparison *comparison, const irrun_tensor *got,
                   const irrun_tensor *expected);

#endif
