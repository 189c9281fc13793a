/* Pairs each layer of a model with its partner in another model: the layer of the same name. If OpenVINO numbered the
 * names, pairs layers that compute the same, and neighbours of paired layers. */
#ifndef CLI_DIFF_PAIR_H
#define CLI_DIFF_PAIR_H

#include "cli.h"
#include "irrun_debug.h"

typedef struct cli_diff_layer {
  char *name;    /* nesting path and name, "loop > add" */
  int64_t layer; /* index of the layer in the model */
  bool numbered; /* the name ends in a number that changes with each export: "Multiply_2434" */
  uint64_t sign; /* hash of the layer and of all layers before it; 0: not computed yet */
  struct cli_diff_layer *partner;
  int64_t n_paired; /* of the first layer of a name in `sorted`: at least so many layers from it on are paired */
  bool narrowed;    /* stored in a narrower type than the other model's constant; the Convert has the partner */
} cli_diff_layer;

typedef struct cli_diff_side {
  irrun_model *model;
  const char *path;
  cli_diff_layer *layers;  /* layers in the file's order */
  cli_diff_layer **sorted; /* the same layers sorted by name; equal names in the file's order */
  int64_t n;
} cli_diff_side;

/* Lists the layers of both models, and pairs them. */
void cli_diff_pair(cli_diff_side *old, cli_diff_side *new);
/* The same for an edited model, in which each layer keeps its id. */
void cli_diff_pair_edited(cli_diff_side *old, cli_diff_side *new);
/* Frees the lists; the model is the caller's. */
void cli_diff_free(cli_diff_side *side);
/* diff_mode.c: prints the differences of an edited model, remarks too. Returns IRRUN_DIFFERS if there are any. */
irrun_status cli_diff_edited(cli *c, irrun_model *old, const char *old_path, irrun_model *new, const char *new_path);
/* Returns the first layer of that name, or NULL. */
cli_diff_layer *cli_diff_find(const cli_diff_side *side, const char *name);

#endif
