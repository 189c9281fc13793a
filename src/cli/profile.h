/* Declares --profile, which records the time of each step of a run. */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include "run.h"

/* The steps of one run; a zeroed struct is empty. */
typedef struct cli_profile {
  irrun_step *steps; /* NULL: no run was recorded */
  int64_t *macs;     /* one per step: irrun_run_get_step_macs */
  char *kernels;     /* the kernels' names, one after the other: those of a run do not outlive its plans */
  int64_t n_steps;
  int64_t total_ns; /* time from the start of the first step to the end of the last */
} cli_profile;

/* Records the steps of the last execution if it was the fastest so far. */
void cli_profile_take(cli_profile *profile, const irrun_run *run);
void cli_profile_reset(cli_profile *profile);
/* Writes the trace if --profile has a FILE.json. */
irrun_status cli_profile_write(cli_run *r, const cli_profile *profile);
void cli_print_profile(cli_run *r, const cli_profile *profile);
/* Prints how many primitives the last execution had, and how many post-ops of each kind. Counts both in the kernels'
 * names: "convolution+bias+relu". Also prints what the passes changed. */
void cli_print_products(const cli_run *r);
void cli_json_profile(cli_run *r, cli_node *model, const cli_profile *profile);

#endif
