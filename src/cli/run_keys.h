/* Matches keys of an .npz with tensors, and collects unmatched keys and tensors. */
#ifndef CLI_RUN_KEYS_H
#define CLI_RUN_KEYS_H

#include "run.h"

typedef struct cli_key_match {
  int64_t index; /* number of the input or output; -1: none */
  int64_t layer; /* output `port` of this layer is the tensor, also for inputs and outputs; -1: none */
  int port;
  bool is_of_other_side; /* the key names the other side, such as "in/NAME" among outputs */
} cli_key_match;

/* Finds the layer and port of an input, or of the tensor that an output shows. */
void cli_tensor_of(const cli_run *r, irrun_side side, int64_t index, int64_t *out_layer, int *out_port);
/* Matches a key as irrun_model_find_tensor does, or else a number, "in/NAME" or "out/NAME". */
irrun_status cli_match_key(cli_run *r, irrun_side side, const char *key, cli_key_match *out);
/* Reports IR508 if an earlier key of the file named the same tensor; `owners` has the key of each, initially NULL. */
irrun_status cli_claim_key(cli_run *r, irrun_side side, const char *path, int64_t index, const char **owners,
                           const char *key);
/* Finds the key for input or output `index` in a file that NAME= assigned to it. `*out_key` is 0 for a file of one
 * tensor; reports IR508 if no key fits. */
irrun_status cli_find_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file, int64_t index,
                          int64_t *out_key);
/* Reports IR508 for a file without any matching key. */
irrun_status cli_refuse_keys(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file);

/* Collects an unmatched key; IR510 reports all of them in one line. */
void cli_add_alone(cli_run *r, irrun_side side, const char *path, const char *name, bool is_tensor);
irrun_status cli_report_alone(cli_run *r, irrun_side side, const char *path);
/* Reports the unmatched keys of every file of --expect. */
irrun_status cli_report_expected_alone(cli_run *r);
void cli_free_alone(cli_run *r);
/* With -v: prints each of them. */
void cli_print_alone(const cli_run *r);
void cli_json_alone(const cli_run *r, cli_node *model);

#endif
