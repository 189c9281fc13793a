/* Declares --bench, which measures the runs of a model on this machine. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "profile.h"

typedef struct cli_bench {
  int64_t load_ns;       /* time to read and check the model */
  int64_t first_ns;      /* time of the first run, which makes the plan */
  int64_t new_shapes_ns; /* time of a run that makes a new plan; the constants are prepared already */
  int64_t *times;        /* times of the runs after the warm-up, in ns; sorted at the end */
  int64_t n_times, capacity;
  int64_t sum_ns;
  int64_t peak_bytes;     /* peak memory of the process until the end of the warm-up; -1: unknown */
  int64_t n_steps, bytes; /* `bytes` are read and written by all steps of a run */
  int64_t floor_ns;       /* floor of a run (docs/glossary.md); 0: a run reads and writes no bytes */
  int n_threads;
  const char *precision; /* name of the type that --precision asks for */
  bool measured;         /* all measurements are complete */
  void **inputs;         /* copies of the inputs' elements, which are set again before each run */
  cli_profile profile;
} cli_bench;

/* Returns a percentile of `times`, which have to be sorted. */
int64_t cli_bench_percentile(const cli_bench *bench, int percent);
void cli_print_bench(cli_run *r, const cli_bench *bench);
void cli_json_bench(cli_run *r, cli_node *model, const cli_bench *bench);

#endif
