/* Handles tensors between layers: --save-all, the inner tensors of --expect, --isolate and --assert-finite. */
#ifndef CLI_RUN_INNER_H
#define CLI_RUN_INNER_H

#include "run.h"

/* Binds the related options; call it when --expect is bound. */
irrun_status cli_bind_inner(cli_run *r);
/* Runs the model; saves and compares during the run. */
irrun_status cli_execute(cli_run *r);
void cli_free_inner(cli_run *r);

/* inner_print.c: prints the comparisons inside the model. */
void cli_print_inner(cli_run *r);
void cli_print_saved(cli_run *r);
void cli_json_inner(cli_run *r, cli_node *model);

#endif
