/* A diagnostic as something that is found again: by a later check, by other tools. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include "text.h"

/* What a walk over diagnostics has met of the model at hand; zero begins a walk. */
typedef struct cli_findings {
  uint64_t *hashes;
  size_t n_hashes, capacity;
  int64_t model;
} cli_findings;

typedef struct cli_fingerprint {
  char text[48];
} cli_fingerprint;

/* What stays when lines move, ids are given anew and messages are worded anew: of its rule, its layer with those that
 * it lies in, its attribute, and, where it is about no layer, the text that is marked; then its number among the
 * diagnostics of the model that share all this. Diagnostics are passed in their order. */
cli_fingerprint cli_next_fingerprint(cli_findings *findings, const irrun_diagnostic *diagnostic);
void cli_findings_reset(cli_findings *findings);

/* The path without "./" before it: so all name a model. */
const char *cli_plain_path(const char *path);
/* Adds the path of a diagnostic's file. Of "a.npz:key", a tensor in an archive, it is that of the archive, and the key
 * is returned; else NULL. */
const char *cli_add_file(cli_string *string, const char *file);
/* "loop > pool", printable; nothing when it is about no layer. */
void cli_add_layer(cli_string *string, const irrun_diagnostic *diagnostic);
/* The message, the notes and the hint of diagnostic number `index`, a line each. */
void cli_add_whole_text(cli_string *string, irrun_context *context, const irrun_diagnostic *diagnostic, int64_t index);

#endif
