/* Which layers of two models are pairs: by their names, and by structure where OpenVINO numbered the names. */
#ifndef CLI_DIFF_PAIR_H
#define CLI_DIFF_PAIR_H

#include "cli.h"
#include "irrun_debug.h"

typedef struct cli_diff_layer {
  char *name; /* behind those of the layers in whose bodies it lies */
  int64_t layer;
  bool numbered; /* "Multiply_2434": the number is another one whenever the model is made anew */
  uint64_t sign; /* of all that it computes; 0: not known yet */
  struct cli_diff_layer *partner;
  bool narrowed; /* a constant in a narrower type, for the Convert behind it, which has the partner */
} cli_diff_layer;

typedef struct cli_diff_side {
  irrun_model *model;
  const char *path;
  cli_diff_layer *layers;  /* in the file's order */
  cli_diff_layer **sorted; /* by name, then in the file's order */
  int64_t n;
} cli_diff_side;

/* Fills both sides from their models. */
void cli_diff_pair(cli_diff_side *old, cli_diff_side *new);
void cli_diff_free(cli_diff_side *side);
/* The layer of that name, or NULL. */
cli_diff_layer *cli_diff_find(const cli_diff_side *side, const char *name);

#endif
