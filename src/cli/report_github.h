/* Prints workflow annotations for GitHub:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
#ifndef CLI_REPORT_GITHUB_H
#define CLI_REPORT_GITHUB_H

#include "cli.h"

/* Prints diagnostic number `index` as an annotation. GitHub limits the annotations of each severity in a step: beyond
 * the limit, prints nothing and returns false. */
bool cli_annotate(cli *c, const irrun_diagnostic *diagnostic, int64_t index);
/* Prints a last annotation with the number of diagnostics that got none; `counts` has all diagnostics. */
void cli_annotate_rest(cli *c, irrun_counts counts);

#endif
