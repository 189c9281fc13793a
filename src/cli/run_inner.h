/* What lies between layers: --save-all, the inner tensors of --expect, --isolate and --assert-finite. */
#ifndef CLI_RUN_INNER_H
#define CLI_RUN_INNER_H

#include "run.h"

/* What a key names that is no output's own name: an output of a layer, and how many outputs of the model show it. */
typedef struct cli_tensor_match {
  int64_t layer; /* -1: none */
  int port;
  int64_t n_outputs, output; /* -1: none, or several */
} cli_tensor_match;

void cli_output_source(const cli_run *r, int64_t output, int64_t *out_layer, int *out_port);
irrun_status cli_match_tensor(cli_run *r, const char *key, cli_tensor_match *out);
/* Adds a key of an .npz that names no single output to what is compared. */
irrun_status cli_expect_inner(cli_run *r, const cli_tensor_match *match, irrun_tensor_file *file, int64_t key,
                              const char *path);
/* The options that go with it, when --expect is bound. */
irrun_status cli_bind_inner(cli_run *r);
/* Runs the model, and saves and compares meanwhile. */
irrun_status cli_execute(cli_run *r);
void cli_free_inner(cli_run *r);

/* inner_print.c */
void cli_print_inner(cli_run *r);
void cli_print_saved(cli_run *r);
void cli_json_inner(cli_run *r, cli_node *model);

#endif
