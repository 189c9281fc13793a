/* Prints diagnostics as text on stderr, in the format of gcc and clang. */
#ifndef CLI_REPORT_TEXT_H
#define CLI_REPORT_TEXT_H

#include "cli.h"

/* Flushes `c->results`, so that its text precedes later text on stderr if both go to one file. cli_show_diagnostics and
 * cli_show_totals call it first. */
void cli_flush_results(cli *c);
/* Prints the diagnostics that were reported since the last call. */
void cli_show_diagnostics(cli *c);
/* Prints the last lines: known findings that are gone or not shown, the numbers of errors and warnings, and a rule for
 * --explain. */
void cli_show_totals(cli *c);
/* Finds the next diagnostic to show that no earlier walk has read (cli.h). Skips errors beyond --max-errors, notes that
 * the mode does not show, and in text reports known findings. Returns false after the last diagnostic. */
bool cli_next_shown(cli *c, irrun_diagnostic *out_diagnostic, int64_t *out_index);
/* Adds a diagnostic's place: "pool.xml:14:20", "pool.bin:0x40" or "in.npz:key". Adds nothing if the diagnostic has no
 * file. */
void cli_add_place(cli_string *string, const irrun_diagnostic *diagnostic);

/* written.c: adds "out.xml: written". */
void cli_add_written(cli_string *line, const cli *c, const char *path);
/* Adds "; out.bin, 60 bytes", if a .bin was written. */
void cli_add_written_weights(cli_string *line, const irrun_conversion *written);

#endif
