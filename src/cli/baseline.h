/* Declares --baseline and --write-baseline. A baseline is a file of known findings. Its lines are sorted, one for each
 * finding: MODEL, RULE, LAYER and FINGERPRINT, separated by tabs. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "cli.h"

#define CLI_ALL_MODELS (-1)

/* Reads the file of --baseline. */
irrun_status cli_baseline_open(cli *c);
/* Whether the diagnostic is a known finding: the baseline contains it, or --write-baseline is given. Faults of the
 * command line, of unreadable files or of irrun itself are never known findings. */
bool cli_is_known(cli *c, const irrun_diagnostic *diagnostic, const cli_fingerprint *fingerprint);
/* Returns the status of a model without its known findings; `status` is the status with its known findings. `model` is
 * its index, or CLI_ALL_MODELS. Counts the known findings in c->n_known_here, and with --write-baseline collects the
 * findings to write. */
irrun_status cli_judge(cli *c, irrun_status status, int64_t model);
/* Writes the file of --write-baseline. */
irrun_status cli_baseline_write(cli *c);
/* A finding in the baseline. */
typedef struct cli_known {
  const char *model, *rule, *layer, *fingerprint;
  bool met; /* the finding was found again */
} cli_known;
/* Returns the next finding of the baseline that is gone. A finding is gone if its model was checked and lacks it, or if
 * the model's file no longer exists. `*at` is the position, 0 at first; NULL after the last. */
const cli_known *cli_next_gone(const cli *c, int64_t *at);
void cli_show_gone(cli *c);
void cli_baseline_free(cli_baseline *baseline);

#endif
