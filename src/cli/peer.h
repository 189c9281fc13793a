/* Pairs tensors of a run with results of a peer of --against, and sets the tolerance of their comparison. */
#ifndef CLI_PEER_H
#define CLI_PEER_H

#include "diff_pair.h"
#include "run_keys.h"

/* Another model of --against, `old`, and the layers of the run's model that are paired with its layers. */
typedef struct cli_peer {
  cli_diff_side old, new;
} cli_peer;

/* Finds the tensor of the run's model whose layer is paired with the layer that the key of r->peer's results names. */
irrun_status cli_match_peer(cli_run *r, const char *key, cli_key_match *out);
/* Returns the tolerance of a comparison. With --against and without --atol, it is a share of the expected tensor's
 * largest element, because another runtime adds in another order. */
irrun_tolerance cli_tolerance_against(const cli_run *r, irrun_tolerance given, const irrun_tensor *got,
                                      const irrun_tensor *expected);

#endif
