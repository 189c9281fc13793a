/* --baseline and --write-baseline: findings that are known already. A file has a line for each, "MODEL, RULE, LAYER,
 * FINGERPRINT" with tabs between them, sorted. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "cli.h"

#define CLI_ALL_MODELS (-1)

/* Reads the file of --baseline. */
irrun_status cli_baseline_open(cli *c);
/* Faults of a model, not of the command line, a file or of irrun, that the baseline has, or, with --write-baseline,
 * would get. */
bool cli_is_known(cli *c, const irrun_diagnostic *diagnostic, const cli_fingerprint *fingerprint);
/* `status` as it is without what is known in this model; counts that, and keeps what is to be written. */
irrun_status cli_judge(cli *c, irrun_status status, int64_t model);
/* Writes the file of --write-baseline. */
irrun_status cli_baseline_write(cli *c);
/* What is known and was not found again, of models that were checked or are there no more. NULL behind the last. */
typedef struct cli_known {
  const char *model, *rule, *layer, *fingerprint;
  bool met;
} cli_known;
const cli_known *cli_next_gone(const cli *c, int64_t *at);
void cli_show_gone(cli *c);
void cli_baseline_free(cli_baseline *baseline);

#endif
