/* --bench: measures the runs of a model on this machine. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "profile.h"

typedef struct cli_bench {
  int64_t load_ns;       /* the model read and checked */
  int64_t first_ns;      /* the first run, in which the plan is made */
  int64_t new_shapes_ns; /* a run that makes its plan, of a model whose constants are laid out */
  int64_t *times;        /* of the runs after it and the warm-up, in ns; sorted when all are done */
  int64_t n_times, capacity;
  int64_t sum_ns;
  int64_t peak_bytes;     /* peak memory of the process until the end of the warm-up; -1: unknown */
  int64_t n_steps, bytes; /* bytes: read and written by all steps of a run */
  int64_t floor_ns;       /* 0: a run reads and writes nothing */
  int n_threads;
  bool measured; /* all of it */
  void **inputs; /* copies of the inputs' elements, which each run is given anew */
  cli_profile profile;
} cli_bench;

/* The percentile of the times. */
int64_t cli_bench_percentile(const cli_bench *bench, int percent);
void cli_print_bench(cli_run *r, const cli_bench *bench);
void cli_json_bench(cli_run *r, cli_node *model, const cli_bench *bench);

#endif
