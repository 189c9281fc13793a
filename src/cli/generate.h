/* --generate: prints files that are made from the tables. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "cli.h"

void cli_print_man_page(cli *c);
void cli_print_bash_completions(cli *c);
void cli_print_zsh_completions(cli *c);
void cli_print_fish_completions(cli *c);
/* Prints one Markdown document, with a heading "# AvgPool-1 (openvino)" for each op; cmake/pages.sh makes a file of
 * each. */
void cli_print_op_pages(cli *c);
/* Prints the rules in the same way: "# IR304 kernel-exceeds-input". */
void cli_print_rule_pages(cli *c);

#endif
