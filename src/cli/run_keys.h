/* Keys of an .npz: the tensors that they name, and keys or tensors that only the file or only the model has. */
#ifndef CLI_RUN_KEYS_H
#define CLI_RUN_KEYS_H

#include "run.h"

typedef struct cli_key_match {
  int64_t index; /* of the input or output; -1: none */
  int64_t layer; /* whose output `port` it is, be it the input's or output's or one inside the model; -1: none */
  int port;
  bool is_of_other_side; /* "in/NAME" where outputs are meant, or the like */
} cli_key_match;

/* The tensor that an input is, or an output shows. */
void cli_tensor_of(const cli_run *r, irrun_side side, int64_t index, int64_t *out_layer, int *out_port);
/* As irrun_model_find_tensor has it; else a number, "in/NAME" or "out/NAME". */
irrun_status cli_match_key(cli_run *r, irrun_side side, const char *key, cli_key_match *out);
/* IR508 when another key of the file named the same before: `owners` has that key for each, NULL at first. */
irrun_status cli_claim_key(cli_run *r, irrun_side side, const char *path, int64_t index, const char **owners,
                           const char *key);
/* Number of the key that stands for the input or output `index`, in a file that NAME= gave to it. `*out_key` is 0 for
 * a file of one tensor; IR508 when no key fits. */
irrun_status cli_find_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file, int64_t index,
                          int64_t *out_key);
/* IR508 for a file of which no key has a meaning. */
irrun_status cli_refuse_keys(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file);

/* Collects a key that only one side has; IR510 reports all of them in one line. */
void cli_add_alone(cli_run *r, irrun_side side, const char *path, const char *name, bool is_tensor);
irrun_status cli_report_alone(cli_run *r, irrun_side side, const char *path);
/* Reports the lone keys of every file of --expect. */
irrun_status cli_report_expected_alone(cli_run *r);
void cli_free_alone(cli_run *r);
/* -v: each of them. */
void cli_print_alone(const cli_run *r);
void cli_json_alone(const cli_run *r, cli_node *model);

#endif
