/* Annotations of a workflow on GitHub:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
#ifndef CLI_REPORT_GITHUB_H
#define CLI_REPORT_GITHUB_H

#include "cli.h"

/* Prints diagnostic number `index` as an annotation. False, and nothing printed, when a step shows no more of its kind.
 */
bool cli_annotate(cli *c, const irrun_diagnostic *diagnostic, int64_t index);
/* The last annotation: how many there are more. */
void cli_annotate_rest(cli *c, irrun_counts counts);

#endif
