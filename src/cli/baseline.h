/* --baseline and --write-baseline: files of known findings. Such a file is sorted and has one line per finding, "MODEL,
 * RULE, LAYER, FINGERPRINT", separated by tabs. */
#ifndef CLI_BASELINE_H
#define CLI_BASELINE_H

#include "cli.h"

#define CLI_ALL_MODELS (-1)

/* Reads the file of --baseline. */
irrun_status cli_baseline_open(cli *c);
/* Whether the baseline contains the diagnostic or, with --write-baseline, would get it. Only faults of a model qualify,
 * not those of the command line, a file or irrun. */
bool cli_is_known(cli *c, const irrun_diagnostic *diagnostic, const cli_fingerprint *fingerprint);
/* Returns `status` without the known findings of this model; counts them, and collects the findings to write. */
irrun_status cli_judge(cli *c, irrun_status status, int64_t model);
/* Writes the file of --write-baseline. */
irrun_status cli_baseline_write(cli *c);
/* A finding in the baseline. */
typedef struct cli_known {
  const char *model, *rule, *layer, *fingerprint;
  bool met; /* it was found again */
} cli_known;
/* Returns the next finding that was not found again although its model was checked or no longer exists. NULL after the
 * last. */
const cli_known *cli_next_gone(const cli *c, int64_t *at);
void cli_show_gone(cli *c);
void cli_baseline_free(cli_baseline *baseline);

#endif
