/* Prints diagnostics as text on stderr, in the format of gcc and clang. */
#ifndef CLI_REPORT_TEXT_H
#define CLI_REPORT_TEXT_H

#include "cli.h"

/* Flushes stdout, so that its text precedes later text on stderr even if both go to one file. The functions below call
 * it first. */
void cli_flush_results(cli *c);
/* Prints the diagnostics reported since the last call. */
void cli_show_diagnostics(cli *c);
/* Prints the last line: the numbers of errors and warnings, and where to read on. */
void cli_show_totals(cli *c);
/* Finds the next new diagnostic that the options allow to show; skips separate notes and errors beyond --max-errors.
 * False after the last. */
bool cli_next_shown(cli *c, irrun_diagnostic *out_diagnostic, int64_t *out_index);
/* Adds "pool.xml:14:20", "pool.bin:0x40", "in.npz:key", or nothing. */
void cli_add_place(cli_string *string, const irrun_diagnostic *diagnostic);

#endif
