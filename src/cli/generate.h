/* Declares --generate, which prints files that are made from the tables of options, ops and rules. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "cli.h"

void cli_print_man_page(cli *c);
void cli_print_bash_completions(cli *c);
void cli_print_zsh_completions(cli *c);
void cli_print_fish_completions(cli *c);
/* Prints a Markdown document with a heading for each op, "# AvgPool-1 (openvino)". cmake/pages.sh splits it into a file
 * for each op. */
void cli_print_op_pages(cli *c);
/* Prints a Markdown document with a heading for each rule, "# IR304 kernel-exceeds-input". */
void cli_print_rule_pages(cli *c);
/* edit_mode.c: prints a line for each word of --edit. */
void cli_print_edit_words(cli *c);

#endif
