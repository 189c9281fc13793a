/* Computes fingerprints of diagnostics. Later checks and other tools recognize a diagnostic by its fingerprint. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include "text.h"

/* The hashes of the current model's diagnostics so far; a zeroed struct is empty. */
typedef struct cli_findings {
  uint64_t *hashes;
  size_t n_hashes, capacity;
  int64_t model;
} cli_findings;

typedef struct cli_fingerprint {
  char text[48];
} cli_fingerprint;

/* Makes a fingerprint that does not depend on lines, ids and wording. Hashes the rule, the layer with its nesting path,
 * and the attribute; if there is no layer, also the marked source text. A number distinguishes a model's diagnostics
 * with equal hashes, so pass all diagnostics in their order. */
cli_fingerprint cli_next_fingerprint(cli_findings *findings, const irrun_diagnostic *diagnostic);
void cli_findings_reset(cli_findings *findings);

/* Returns the path without leading "./": "./a" and "a" compare equal. */
const char *cli_plain_path(const char *path);
/* Adds the path of a diagnostic's file, and returns NULL. For a tensor in an archive, "a.npz:key", adds the archive's
 * path and returns the key. */
const char *cli_add_file(cli_string *string, const char *file);
/* Adds the diagnostic's layer with its nesting path, "loop > pool". Adds nothing if the diagnostic has no layer. */
void cli_add_layer(cli_string *string, const irrun_diagnostic *diagnostic);
/* Adds the message, layer, notes and hint of diagnostic number `index`, one line each. */
void cli_add_whole_text(cli_string *string, irrun_context *context, const irrun_diagnostic *diagnostic, int64_t index);

#endif
