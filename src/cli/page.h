/* Writes the page of --report: one file of HTML with the document of --json, and a script that shows it. The models of
 * the document have a member "page" with what a picture needs beside the facts. */
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "diff_pair.h"
#include "run.h"

/* Returns the file of --report; NULL: no page is written. */
const char *cli_page_path(const cli *c);
/* Checks, before any work, that the name ends in .html, and that the page can be written and would not overwrite a file
 * that irrun reads. */
irrun_status cli_page_check(cli *c);
/* Adds a model as --json does, its diagnostics, and its "page". `number` is the model's number in the order of reading.
 */
cli_node *cli_page_add_model(cli *c, cli_json *page, irrun_model *model, const char *path, irrun_status status,
                             int64_t number);
/* Adds the rules that the diagnostics name, writes the page, and prints its name. Frees the document, which
 * cli_json_create made. */
irrun_status cli_page_end(cli *c, cli_json *page, irrun_status status);
/* Does the same for --diff, after it added both models, and the pairs of their layers. */
irrun_status cli_page_end_pair(cli *c, cli_json *page, const cli_diff_side *old, const cli_diff_side *new,
                               irrun_status status);

/* page_data.c: adds "page": groups, places, lines and constants. Returns its node. */
cli_node *cli_page_add_graph(cli *c, cli_node *model_node, irrun_model *model, irrun_status status);
/* page_constants.c: adds "constants": the statistics and first values of each. */
void cli_page_add_constants(cli *c, cli_node *page, irrun_model *model);

#endif
