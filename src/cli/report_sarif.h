/* Prints SARIF 2.1.0, the format of static checkers: https://docs.oasis-open.org/sarif/sarif/v2.1.0/ */
#ifndef CLI_REPORT_SARIF_H
#define CLI_REPORT_SARIF_H

#include "cli.h"

#define CLI_SARIF_SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

/* Prints the document to stdout: all diagnostics, and the rules that they report. */
void cli_sarif_print(cli *c, irrun_status status);

#endif
