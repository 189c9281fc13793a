/* Handles inner tensors, the results of layers: --save-all, keys of --expect that name layers, --isolate and
 * --assert-finite. */
#ifndef CLI_RUN_INNER_H
#define CLI_RUN_INNER_H

#include "run.h"

/* Binds --save-all. */
irrun_status cli_bind_save_all(cli_run *r);
/* Binds --isolate and --assert-finite. Call it after cli_bind_expected. */
irrun_status cli_bind_inner(cli_run *r);
/* Runs the model. Saves, checks and compares each tensor when it is computed. */
irrun_status cli_execute(cli_run *r);
void cli_free_inner(cli_run *r);

/* inner_print.c: prints the comparisons of inner tensors. */
void cli_print_inner(cli_run *r);
void cli_json_inner(cli_run *r, cli_node *model);

#endif
