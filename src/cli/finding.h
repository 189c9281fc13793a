/* Identifies a diagnostic so that later checks and other tools recognize it. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include "text.h"

/* The state of a walk over a model's diagnostics; a zeroed struct begins a walk. */
typedef struct cli_findings {
  uint64_t *hashes;
  size_t n_hashes, capacity;
  int64_t model;
} cli_findings;

typedef struct cli_fingerprint {
  char text[48];
} cli_fingerprint;

/* Makes a fingerprint that stays when lines move, ids change or messages are reworded. It contains the rule, the layer
 * with its nesting path, the attribute, or without a layer the marked text; then the diagnostic's number among those of
 * the model that share all this. Pass the diagnostics in their order. */
cli_fingerprint cli_next_fingerprint(cli_findings *findings, const irrun_diagnostic *diagnostic);
void cli_findings_reset(cli_findings *findings);

/* The path without a leading "./", so that equal paths compare equal. */
const char *cli_plain_path(const char *path);
/* Adds the path of a diagnostic's file. For "a.npz:key", a tensor in an archive, adds the archive's path and returns
 * the key; else returns NULL. */
const char *cli_add_file(cli_string *string, const char *file);
/* Adds "loop > pool", printable; nothing if it is about no layer. */
void cli_add_layer(cli_string *string, const irrun_diagnostic *diagnostic);
/* Adds the message, notes and hint of diagnostic number `index`, one line each. */
void cli_add_whole_text(cli_string *string, irrun_context *context, const irrun_diagnostic *diagnostic, int64_t index);

#endif
