/* Declares the options of the command line. The table cli_option_rows is the source of getopt's arrays, --help, the man
 * page, shell completions and the guesses for misspelt options. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "irrun_program.h"

#include <stdio.h>

typedef enum cli_mode {
  CLI_RUN = 1,
  CLI_CHECK = 2,
  CLI_LIST_OPS = 4,
  CLI_EXPLAIN = 8,
  CLI_HELP = 16,
  CLI_VERSION = 32,
  CLI_CONVERT = 64,
  CLI_BENCH = 128,
  CLI_LIST_RULES = 256,
  CLI_GRAPH = 512,
  CLI_TEST = 1024,
  CLI_GENERATE = 2048,
  CLI_DIFF = 4096,
  CLI_CUT = 8192,
  CLI_SHOW_PLAN = 16384,
  CLI_GREEDY = 32768,
  CLI_EDIT = 65536,
  CLI_RT_INFO = 131072
} cli_mode;

typedef enum cli_option {
  CLI_OPTION_CHECK_SHAPES,
  CLI_OPTION_TEST,
  CLI_OPTION_BENCH,
  CLI_OPTION_GREEDY,
  CLI_OPTION_CONVERT,
  CLI_OPTION_GRAPH,
  CLI_OPTION_DIFF,
  CLI_OPTION_CUT,
  CLI_OPTION_EDIT,
  CLI_OPTION_RT_INFO,
  CLI_OPTION_SHOW_PLAN,
  CLI_OPTION_LIST_OPS,
  CLI_OPTION_LIST_RULES,
  CLI_OPTION_EXPLAIN,
  CLI_OPTION_GENERATE,
  CLI_OPTION_HELP,
  CLI_OPTION_VERSION,
  CLI_OPTION_INPUT,
  CLI_OPTION_FILL,
  CLI_OPTION_READ_AS,
  CLI_OPTION_EMBED_PREPROCESS,
  CLI_OPTION_DIALECT,
  CLI_OPTION_CAST,
  CLI_OPTION_LLM,
  CLI_OPTION_STEP,
  CLI_OPTION_LOAD_STATE,
  CLI_OPTION_SAVE_STATE,
  CLI_OPTION_SHAPE,
  CLI_OPTION_WEIGHTS,
  CLI_OPTION_OUTPUT,
  CLI_OPTION_DRY_RUN,
  CLI_OPTION_SAVE_ALL,
  CLI_OPTION_STATS,
  CLI_OPTION_THREADS,
  CLI_OPTION_PARALLEL,
  CLI_OPTION_KERNELS,
  CLI_OPTION_PRECISION,
  CLI_OPTION_SKIP_PASS,
  CLI_OPTION_MAX_MEMORY,
  CLI_OPTION_MAX_TIME,
  CLI_OPTION_NO_SANDBOX,
  CLI_OPTION_EXPECT,
  CLI_OPTION_AGAINST,
  CLI_OPTION_HEATMAP,
  CLI_OPTION_ATOL,
  CLI_OPTION_RTOL,
  CLI_OPTION_ULP,
  CLI_OPTION_FAIL_BELOW,
  CLI_OPTION_ISOLATE,
  CLI_OPTION_ASSERT_OUTPUT,
  CLI_OPTION_ASSERT_FINITE,
  CLI_OPTION_FAIL_ABOVE,
  CLI_OPTION_UPDATE,
  CLI_OPTION_FILTER,
  CLI_OPTION_LIST_CASES,
  CLI_OPTION_JUNIT,
  CLI_OPTION_FOR,
  CLI_OPTION_ALLOW,
  CLI_OPTION_DENY,
  CLI_OPTION_STRICT,
  CLI_OPTION_MAX_ERRORS,
  CLI_OPTION_BASELINE,
  CLI_OPTION_WRITE_BASELINE,
  CLI_OPTION_WATCH,
  CLI_OPTION_QUIET,
  CLI_OPTION_VERBOSE,
  CLI_OPTION_PROFILE,
  CLI_OPTION_REPORT,
  CLI_OPTION_COLOR,
  CLI_OPTION_FORMAT,
  CLI_OPTION_JSON,
  CLI_OPTION_COUNT
} cli_option;

typedef enum cli_repeat { CLI_ONCE, CLI_REPEATS } cli_repeat;

/* How a command uses the files in an option's argument, FILE or NAME=FILE. CLI_MODEL: as a model, with its weights. */
typedef enum cli_use { CLI_NO_FILE, CLI_READS, CLI_MODEL, CLI_WRITES } cli_use;

typedef struct cli_option_row {
  const char *group; /* heading in --help; NULL: the heading of the previous row */
  const char *name;  /* long name; NULL: the option has only a letter */
  char letter;
  const char *argument; /* name of the argument in --help; NULL: the option has no argument */
  bool optional;        /* the argument can be omitted; otherwise '=' precedes the argument */
  const char *words;    /* allowed arguments, "auto always never"; NULL: any text */
  cli_repeat repeat;
  unsigned modes; /* bit set of the modes in which the option has an effect */
  cli_mode mode;  /* mode that the option selects, or 0 */
  cli_use use;
  bool is_of_step; /* the option belongs to the step in which it is given; false: to all steps */
  const char *help;
} cli_option_row;

extern const cli_option_row cli_option_rows[]; /* CLI_OPTION_COUNT rows, indexed by cli_option */

typedef enum cli_format { CLI_TEXT, CLI_JSON, CLI_SARIF, CLI_GITHUB, CLI_FORMAT_COUNT } cli_format;
typedef enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER } cli_color;

typedef struct cli_given {
  cli_option option;
  const char *value;
} cli_given;

/* Lists the modes that can find a rule broken; cli_founds has an item for each irrun_found. `name` describes these
 * modes in messages, "a run"; NULL: all modes. */
typedef struct cli_found {
  unsigned modes;
  const char *name;
} cli_found;
extern const cli_found cli_founds[];

typedef struct cli_options {
  cli_mode mode;
  cli_given *given; /* given options in the order of the command line */
  int n_given;
  const char **models;
  int n_models;
  const char **operands; /* of a check: the operands before the models of folders took their place; else NULL */
  int n_operands;
  char **found; /* paths of files in folders: models, or the data sets of --input DIR; NULL: none */
  int n_found;
  void *named_places; /* of --test: a tree of tsearch, of links.c */
  cli_format format;
  bool quiet, verbose, cast, strict, update;
  bool silent; /* -qq: print nothing but errors */
  cli_color color;
  int64_t max_errors; /* value of --max-errors; 0: no limit */
  irrun_form form;    /* value of --read-as */
  int threads;        /* value of --threads; 0: the default */
  int parallel;       /* value of --parallel */
  size_t max_memory;  /* value of --max-memory in bytes; 0: the default */
  int64_t max_ns;     /* value of --max-time in ns; 0: no limit */
  int64_t bench_runs; /* value of --bench=N; 0: as many runs as fit in bench_ns */
  int64_t bench_ns;   /* time to measure; 0 if bench_runs is set */
  int64_t limit_ns;   /* least --fail-above of --bench in ns; 0: no limit */
} cli_options;

/* options_parse.c: parses the command line and reports every fault as IR801. --format and --color take effect even if
 * other options are faulty. */
irrun_status cli_options_parse(irrun_context *context, int argc, char **argv, cli_options *out_options);
void cli_options_reset(cli_options *options);
/* options.c: returns the mode of a command line without an option for it: a run; with --report, and without an option
 * that a check does not have, a check. */
cli_mode cli_options_usual_mode(const cli_options *options);
/* options_check.c: reads the values of options. Checks what getopt_long cannot: conflicting options and modes, the
 * number of operands, numbers in arguments. */
void cli_options_check(irrun_context *context, cli_options *options);
/* measure_limits.c: checks --fail-below and --fail-above. */
void cli_check_limits(irrun_context *context, const cli_options *options);
/* Writes the option's name, "--input" or "-q", to `buffer`, and returns `buffer`. */
const char *cli_option_name(cli_option option, char *buffer, size_t size);
bool cli_options_have(const cli_options *options, cli_option option);
/* Whether a run compares its results: with --expect or --against. */
bool cli_compares(const cli_options *options);
int cli_options_count(const cli_options *options, cli_option option);
/* Returns the number of steps: one more than the number of --step. */
int cli_options_steps(const cli_options *options);
/* Lists in `out_given` the options of step number `step`: those of all steps, and those between two --step. Returns
 * their number, at most options->n_given. */
int cli_options_of_step(const cli_options *options, int step, cli_given *out_given);
/* Returns the next value of an option; `*at` is the position, 0 at first. Returns NULL after the last value, and for an
 * omitted optional argument. */
const char *cli_options_next(const cli_options *options, cli_option option, int *at);

/* options_check.c: parses a whole number of at least 0. Returns false if `text` is anything else. */
bool cli_parse_count(const char *text, int64_t *out_count);
/* Parses the value of --bench: "100" into `*out_runs`, "0.3s" into `*out_ns`. The unused result becomes 0. */
bool cli_parse_bench(const char *text, int64_t *out_runs, int64_t *out_ns);
/* Returns the pass in a value of --show-plan, "fuse" in "after:fuse"; NULL for any other value. */
const char *cli_shown_after(const char *value);
/* Returns the value of an option that writes a file, FILE or NAME=FILE; NULL if the option writes none. */
const char *cli_written_value(const cli_given *given);
/* Parses the name of a format, such as "json". Returns false if `text` is no such name. */
bool cli_parse_format(const char *text, cli_format *out_format);
/* Parses a time above 0: "5ms", "300us", "0.3s", "80ns". */
bool cli_parse_time(const char *text, int64_t *out_ns);
bool cli_parse_tolerance(const char *text, double *out_tolerance);

#endif
