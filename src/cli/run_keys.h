/* Matches keys of an .npz with tensors, and collects unmatched keys and tensors. */
#ifndef CLI_RUN_KEYS_H
#define CLI_RUN_KEYS_H

#include "run.h"

typedef struct cli_key_match {
  int64_t index; /* index of the input or output; -1: none */
  int64_t layer; /* layer whose output `port` is the tensor; for an input, its Parameter; -1: none */
  int port;
  bool is_of_other_side; /* the key has the prefix of the other side: "in/" if `side` is outputs, "out/" if inputs */
} cli_key_match;

/* Finds the layer and port whose output is the tensor of input or output `index`. */
void cli_tensor_of(const cli_run *r, irrun_side side, int64_t index, int64_t *out_layer, int *out_port);
/* Sets `*out` to output `port` of a layer, and to the input or output of the model that has this tensor. */
void cli_match_tensor(cli_run *r, irrun_side side, int64_t layer, int port, cli_key_match *out);
/* Finds the tensor that a key names. Tries irrun_model_find_tensor, then the names and numbers of inputs or outputs,
 * then the prefixes "in/" and "out/". */
irrun_status cli_match_key(cli_run *r, irrun_side side, const char *key, cli_key_match *out);
/* Records in `owners[index]` that `key` names input or output `index`; `owners` is all NULL at first. Reports IR508 if
 * an earlier key of the file names the same tensor. */
irrun_status cli_claim_key(cli_run *r, irrun_side side, const char *path, int64_t index, const char **owners,
                           const char *key);
/* Finds the key of input or output `index` in a file that the user gave as NAME=FILE. In a file of one tensor,
 * `*out_key` is 0. Reports IR508 if the file has several keys and none fits. */
irrun_status cli_find_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file, int64_t index,
                          int64_t *out_key);
/* Reports IR508 for a file in which no key matches. */
irrun_status cli_refuse_keys(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file);

/* Records a key without a tensor, or if `is_tensor`, a tensor without a key. cli_report_alone reports all unmatched
 * keys and tensors as one IR510. */
void cli_add_alone(cli_run *r, irrun_side side, const char *path, const char *name, bool is_tensor);
irrun_status cli_report_alone(cli_run *r, irrun_side side, const char *path);
/* Reports the unmatched keys of every file of --expect. */
irrun_status cli_report_expected_alone(cli_run *r);
void cli_free_keys(cli_run *r);
/* For -v: prints each .npz key without a tensor of the model, and each tensor without a key. */
void cli_print_alone(const cli_run *r);
void cli_json_alone(const cli_run *r, cli_node *model);

#endif
