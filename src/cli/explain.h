/* Declares the pages of ops that --explain prints. */
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H

#include "cli.h"
#include "report_json.h"

/* explain_op.c */
/* Whether `name` is the op's type, or its type and version, in any case: "avgpool", "AvgPool-14". */
bool cli_op_has_name(const irrun_op *op, const char *name);
/* Prints the pages of the ops with this name, each after an empty line except the first page of all; or, if `list` is
 * not NULL, adds the ops to it. `n_printed` is the number of pages before. Returns the number of ops. */
int cli_explain_op(cli *c, const char *name, cli_node *list, int n_printed);

#endif
