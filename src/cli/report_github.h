/* Prints workflow annotations for GitHub:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
#ifndef CLI_REPORT_GITHUB_H
#define CLI_REPORT_GITHUB_H

#include "cli.h"

/* Prints diagnostic number `index` as an annotation. Prints nothing and returns false if GitHub's limit for its kind in
 * a step is reached. */
bool cli_annotate(cli *c, const irrun_diagnostic *diagnostic, int64_t index);
/* Prints a last annotation with the number of omitted ones. */
void cli_annotate_rest(cli *c, irrun_counts counts);

#endif
