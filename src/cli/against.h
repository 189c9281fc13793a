/* --against: compares a run with the results of a peer's layers. */
#ifndef CLI_AGAINST_H
#define CLI_AGAINST_H

#include "diff_pair.h"
#include "run_keys.h"

/* Another model of --against, `old`, and the layers of the run's model that are paired with its layers. */
typedef struct cli_peer {
  cli_diff_side old, new;
} cli_peer;

/* Runs the peer of --against on the inputs of the run, and binds its results as expected values. Does nothing without
 * --against. */
irrun_status cli_ask_peer(cli_run *r);
/* Finds the tensor that the key of r->peer's results names. */
irrun_status cli_match_peer(cli_run *r, const char *key, cli_key_match *out);
/* Returns the tolerance of a comparison. With --against and without --atol, it is a share of the expected tensor's
 * largest element, because another runtime adds in another order. */
irrun_tolerance cli_tolerance_against(const cli_run *r, irrun_tolerance given, const irrun_tensor *got,
                                      const irrun_tensor *expected);

#endif
