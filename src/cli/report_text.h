/* Diagnostics as text on stderr, in the form of gcc and clang. */
#ifndef CLI_REPORT_TEXT_H
#define CLI_REPORT_TEXT_H

#include "cli.h"

/* What was printed so far is before what is written to stderr next, also where both go to one file; the functions
 * below begin with it. */
void cli_flush_results(cli *c);
/* Prints what was reported since the last call. */
void cli_show_diagnostics(cli *c);
/* The last line: how many errors and warnings there were, and where to read on. */
void cli_show_totals(cli *c);
/* Walks what the options let be shown of the diagnostics not passed yet: notes that stand alone and errors beyond
 * --max-errors are left out. False behind the last. */
bool cli_next_shown(cli *c, irrun_diagnostic *out_diagnostic, int64_t *out_index);
/* "pool.xml:14:20", "pool.bin:0x40", "in.npz:key", or nothing. */
void cli_add_place(cli_string *string, const irrun_diagnostic *diagnostic);

#endif
