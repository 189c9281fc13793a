/* Declares --bench, which measures the runs of a model on this machine. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "profile.h"

/* An input, which is set again before each run. */
typedef struct cli_bench_input {
  irrun_tensor_info info;
  void *data; /* a copy of the elements; NULL: the input has no tensor */
} cli_bench_input;

typedef struct cli_bench {
  int64_t load_ns;       /* time to read and check the model */
  int64_t first_ns;      /* time of the first run, which makes the plan */
  int64_t new_shapes_ns; /* time of a run that makes a new plan; the constants are prepared already */
  int64_t *times;        /* times of the runs after the warm-up, in ns; sorted at the end */
  int64_t n_times;
  int64_t sum_ns;         /* of the runs that one thread timed: the longest such sum */
  double runs_per_s;      /* throughput of all threads */
  int64_t peak_bytes;     /* peak memory of the process until the end of the warm-up; -1: unknown */
  int64_t n_steps, bytes; /* `bytes` are read and written by all steps of a run */
  int64_t floor_ns;       /* floor of a run (docs/glossary.md); 0: a run reads and writes no bytes */
  int n_parallel;         /* value of --parallel */
  int n_threads;          /* threads of each run */
  const char *precision;  /* name of the type that --precision asks for */
  bool measured;          /* all measurements are complete */
  cli_bench_input *inputs;
  cli_profile profile;
} cli_bench;

/* bench_llm.c */
/* Measures prompts and tokens of a language model apart, and prints the times. `bench` has load_ns and settings. */
irrun_status cli_bench_llm(cli_run *r, cli_bench *bench);

/* bench_times.c */
int64_t cli_now_ns(void);
/* Reads the peak memory of this process, -1 if unknown. */
int64_t cli_peak_bytes(void);
void cli_bench_sort(cli_bench *bench);
/* Returns a percentile of `times`, which have to be sorted. */
int64_t cli_bench_percentile(const cli_bench *bench, int percent);
/* Reports IR607 if the median is above --fail-above. `noun` says what was timed: "run". */
irrun_status cli_bench_check_limit(cli_run *r, const cli_bench *bench, const char *noun);

/* bench_runs.c */
/* Sets the inputs and executes the run, with the variables at their initial values. `*out_ns` is the time of both. */
irrun_status cli_bench_run(const cli_run *r, const cli_bench *bench, int64_t *out_ns);
/* Warms up and times runs, `n_parallel` at once, each by a thread and a context of its own. The first of them is r->run
 * in the caller's thread. `start_ns` is when the warm-up began. Fills times, sum_ns, runs_per_s and peak_bytes. */
irrun_status cli_bench_time(cli_run *r, cli_bench *bench, int64_t start_ns);

/* bench_print.c */
/* Adds the processor, its vectors and the threads: "Xeon, avx512, 2 threads". */
void cli_add_bench_machine(cli_string *line, const cli_bench *bench);
/* Adds "min 1 ms   median 2 ms   p90 3 ms   p99 4 ms   max 5 ms". */
void cli_add_bench_times(cli_string *line, const cli_bench *bench);
/* Adds the times of load, first run and new shapes (0: none was measured), and the peak memory. */
void cli_add_bench_start(cli_string *line, const cli_bench *bench);
void cli_json_bench_times(cli_node *node, const cli_bench *bench);
void cli_json_bench_machine(cli_node *node, const cli_bench *bench);
void cli_print_bench(cli_run *r, const cli_bench *bench);
void cli_json_bench(cli_run *r, cli_node *model, const cli_bench *bench);

#endif
