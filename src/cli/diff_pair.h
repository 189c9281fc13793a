/* Pairs the layers of two models: by name, or by structure if OpenVINO numbered the names. */
#ifndef CLI_DIFF_PAIR_H
#define CLI_DIFF_PAIR_H

#include "cli.h"
#include "irrun_debug.h"

typedef struct cli_diff_layer {
  char *name; /* its name, after its nesting path */
  int64_t layer;
  bool numbered; /* a name such as "Multiply_2434", whose number changes whenever the model is exported */
  uint64_t sign; /* hash of all that it computes; 0: not computed yet */
  struct cli_diff_layer *partner;
  bool narrowed; /* a constant in a narrower type; the Convert that follows it has the partner */
} cli_diff_layer;

typedef struct cli_diff_side {
  irrun_model *model;
  const char *path;
  cli_diff_layer *layers;  /* in the file's order */
  cli_diff_layer **sorted; /* sorted by name, then in the file's order */
  int64_t n;
} cli_diff_side;

/* Fills both sides from their models. */
void cli_diff_pair(cli_diff_side *old, cli_diff_side *new);
void cli_diff_free(cli_diff_side *side);
/* Finds the layer of that name, or NULL. */
cli_diff_layer *cli_diff_find(const cli_diff_side *side, const char *name);

#endif
