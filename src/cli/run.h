/* A run in the making: what --input, --fill, --output and --expect name is bound to the model's inputs and outputs. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"
#include "irrun_debug.h"
#include "report_json.h"

typedef enum cli_form {
  CLI_FORM_TENSOR,  /* .npy, .raw, .bin, stdout: one tensor */
  CLI_FORM_ARCHIVE, /* .npz */
  CLI_FORM_FOLDER
} cli_form;

/* One --output. */
typedef struct cli_target {
  const char *path;
  cli_form form;
  int64_t output; /* -1: all */
} cli_target;

/* A file that the targets make. */
typedef struct cli_file {
  const char *option; /* "--output", or "--save-all", which is written while the model runs */
  int64_t output;     /* -1: all, in an archive */
  char *path, *place;
  bool written;
} cli_file;

/* heatmap.c: where an output differs. */
typedef struct cli_heatmap cli_heatmap;

/* What one output is compared with. */
typedef struct cli_expected {
  const char *path; /* NULL: it is not compared */
  irrun_tensor_file *file;
  int64_t key; /* -1: the file has none for it */
  irrun_tolerance tolerance;
  irrun_comparison comparison;
  const char *heatmap; /* the .png to write, or NULL */
  cli_heatmap *map;    /* its picture, as far as it was compared */
  bool heatmap_written;
  bool unreadable; /* so that nothing was compared */
  bool is_compared;
} cli_expected;

/* A tensor inside the model that is compared, or an output along with such. */
typedef struct cli_inner {
  int64_t layer;
  int port;
  int64_t output; /* -1: none */
  irrun_tensor_file *file;
  const char *path;
  int64_t key, order; /* of being computed; -1: it was not */
  irrun_comparison comparison;
  bool unreadable;
} cli_inner;

/* Whether a layer has infinities that come from a constant: a mask of -inf is meant. */
typedef enum cli_infinite { CLI_INFINITE_UNKNOWN, CLI_FINITE, CLI_INFINITE } cli_infinite;

/* A key of a file that the model has nothing for, or a tensor of the model that a file has no key for. */
typedef struct cli_alone {
  irrun_side side; /* that the file was given for */
  const char *path;
  char *name;
  bool is_tensor;
} cli_alone;

typedef struct cli_run {
  cli *c;
  const char *path; /* of the model */
  irrun_model *model;
  irrun_run *run;
  int64_t n_inputs, n_outputs;
  const char **sources;     /* an input's file or fill, read well or not; NULL: none yet */
  const char *default_fill; /* of inputs that nothing gives; NULL: they are missing */
  bool may_lack_inputs;     /* nothing is computed: what nothing gives is not missing */
  irrun_status fit;         /* of a run that cannot be planned, or takes too much memory: no input is read or made */
  bool inputs_unclear;      /* a faulty --input may have meant any of them: none is called missing */
  cli_target *targets;
  int n_targets;
  cli_file *out_files;
  int64_t n_out_files;
  cli_expected *expected;
  irrun_tensor_file **files; /* behind `expected` */
  int n_files;
  char stdin_user[40]; /* the option that reads stdin, as it is typed; "": none */
  const char **input_files;
  int n_input_files; /* of --input, without NAME= */
  cli_inner *inner;
  int64_t n_inner, n_inner_differ, n_visited, n_saved;
  cli_alone *alone; /* what only one side has */
  int64_t n_alone, alone_capacity;
  irrun_status inner_status;     /* of comparing them */
  irrun_tolerance all_tolerance; /* of what has none of its own */
  bool asserts_finite;           /* and no layer was found that is not */
  cli_infinite *infinite;        /* one a layer */
  const char *save_all;          /* the file of --save-all; or NULL */
  irrun_archive *archive;        /* that is written while the model runs */
  irrun_tensor *instead;         /* what the next layers get, with --isolate */
} cli_run;

/* Finds the NAME before a '='. `*out_index` is -1 when there is none, and `*out_rest` the whole text. A text with a '='
 * that names nothing is IR502, unless `may_be_file` and there is such a file. */
irrun_status cli_match_option(cli_run *r, irrun_side side, cli_option option, const char *text, bool may_be_file,
                              int64_t *out_index, const char **out_rest);
/* "input" or "output". */
const char *cli_side_noun(irrun_side side);
/* By any of its names. */
bool cli_is_stdin(const char *path);
void cli_claim_stdin_for_model(cli_run *r);
/* IR801 when two read stdin. */
irrun_status cli_claim_stdin(cli_run *r, cli_option option, const char *path);
/* IR801 for a file without NAME where there are several to choose from; lists them ready to paste. */
irrun_status cli_needs_name(cli_run *r, irrun_side side, cli_option option, const char *path);

/* "--input 'x=FILE'", ready to paste: with the number where the name is shared, long or cannot be typed. */
void cli_add_named_option(cli_string *string, const cli_run *r, const char *option, irrun_side side, int64_t index,
                          const char *argument);

/* run_inputs.c: --input and --fill; IR501 for what is missing. */
/* What can be said of the words of --output and --fill without a model. */
irrun_status cli_check_targets(cli *c);
irrun_status cli_check_fills(cli *c);
irrun_status cli_bind_inputs(cli_run *r);
/* run_outputs.c */
irrun_status cli_bind_outputs(cli_run *r);
irrun_status cli_write_outputs(cli_run *r);
void cli_free_outputs(cli_run *r);
/* run_files.c: names every file that the targets make; IR801 when two lead to one place, or one to an
 * expected file or a file of the model. */
irrun_status cli_plan_files(cli_run *r);
void cli_free_files(cli_run *r);
/* run_expected.c */
irrun_status cli_bind_expected(cli_run *r);
irrun_status cli_compare_outputs(cli_run *r);
/* Reads an expected tensor of the type and shape of `got`. */
irrun_status cli_read_expected(irrun_tensor_file *file, int64_t key, const irrun_tensor *got,
                               irrun_tensor **out_expected);
/* Compares what an output shows. */
irrun_status cli_compare_with(cli_run *r, int64_t output, const irrun_tensor *got, const irrun_tensor *expected,
                              irrun_comparison *out);
/* Makes the heat map of an output where one is asked for: NULL, or what sees each element. */
irrun_see_difference *cli_start_heatmap(cli_expected *expected, const irrun_tensor *got);
void cli_free_expected(cli_run *r);

/* run_files.c: IR801 when an output would be written over an input; when the trace would be written over a file of the
 * run. */
irrun_status cli_check_inputs_kept(cli_run *r);
irrun_status cli_plan_trace(cli_run *r);

/* run_files.c: IR801 when `path`, which `option` writes, is an open stream or another file of the run. */
irrun_status cli_plan_side_file(cli_run *r, cli_option option, const char *path);
/* run_expected.c: after the files of the run are known. */
irrun_status cli_bind_heatmaps(cli_run *r);

/* heatmap.c */
cli_heatmap *cli_heatmap_create(const irrun_tensor *got);
void cli_heatmap_free(cli_heatmap *map);
/* An irrun_see_difference. */
void cli_heatmap_see(void *user, int64_t index, double gap, bool agrees);
irrun_status cli_heatmap_write(cli *c, const cli_heatmap *map, const char *path);
/* Of libpng; NULL: irrun was built without it. */
const char *cli_heatmap_library_version(void);
/* IR704 when irrun was built without libpng. */
irrun_status cli_heatmap_check_library(cli *c);

/* run_mode.c */
/* Binds all that the command line names to the model that was read; nothing is computed or written. */
irrun_status cli_prepare_run(cli_run *r);
/* The same, and then computes it. */
irrun_status cli_compute_run(cli_run *r);
void cli_free_run(cli_run *r);
/* Says on stderr which ops a model that cannot be run lacks. */
void cli_show_missing_ops(irrun_model *model);

/* result_print.c, compare_print.c */
void cli_print_results(cli_run *r);
void cli_print_comparisons(cli_run *r);
void cli_json_results(cli_run *r, cli_node *model);
void cli_json_comparisons(cli_run *r, cli_node *model);
void cli_json_comparison(cli_node *node, const char *path, const irrun_comparison *result);

#endif
