/* --profile: what each step of a run took. */
#ifndef CLI_PROFILE_H
#define CLI_PROFILE_H

#include "run.h"

/* The steps of one run; zero is none. */
typedef struct cli_profile {
  irrun_step *steps; /* NULL: no run was taken */
  int64_t n_steps;
  int64_t total_ns; /* from the first one's start to the last one's end */
} cli_profile;

/* Takes the steps of the last execution, if it was the fastest so far. */
void cli_profile_take(cli_profile *profile, const irrun_run *run);
void cli_profile_reset(cli_profile *profile);
/* To the FILE.json of --profile, if there is one. */
irrun_status cli_profile_write(cli_run *r, const cli_profile *profile);
void cli_print_profile(cli_run *r, const cli_profile *profile);
/* What was computed together in the last execution, told from the names of its kernels: "convolution+bias+relu". A
 * line, or none. */
void cli_print_products(const cli_run *r);
void cli_json_profile(cli_run *r, cli_node *model, const cli_profile *profile);

#endif
