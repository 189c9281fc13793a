/* --against: compares a run with the results of a peer's layers. */
#ifndef CLI_AGAINST_H
#define CLI_AGAINST_H

#include "run.h"

/* Runs the peer of --against on the inputs of the run, and binds its results as expected values. Does nothing without
 * --against. */
irrun_status cli_ask_peer(cli_run *r);
/* Whether the peer of this name is OpenVINO or onnxruntime, which Python runs. */
bool cli_peer_needs_python(const char *name);

#endif
