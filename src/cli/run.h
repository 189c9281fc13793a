/* The preparation of a run: binds the arguments of --input, --fill, --output and --expect to the model's inputs and
 * outputs. */
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

/* A file that the targets write. */
typedef struct cli_file {
  const char *option; /* "--output", or "--save-all", which writes during the run */
  int64_t output;     /* -1: all outputs, in an archive */
  char *path, *place;
  bool written;
} cli_file;

/* heatmap.c: a picture of the places where an output differs. */
typedef struct cli_heatmap cli_heatmap;

/* The expectation of one output. */
typedef struct cli_expected {
  const char *path; /* NULL: the output is not compared */
  irrun_tensor_file *file;
  int64_t key; /* -1: the file has no tensor for it */
  irrun_tolerance tolerance;
  irrun_comparison comparison;
  const char *heatmap; /* name of the .png to write, or NULL */
  cli_heatmap *map;    /* the picture, as far as the output was compared */
  bool heatmap_written;
  bool unreadable; /* the expected file could not be read, so nothing was compared */
  bool is_compared;
} cli_expected;

/* A tensor inside the model that is compared, or an output that is compared with them. */
typedef struct cli_inner {
  int64_t layer;
  int port;
  int64_t output; /* -1: none */
  irrun_tensor_file *file;
  const char *path;
  int64_t key, order; /* order: position in the running order; -1: not computed */
  irrun_comparison comparison;
  bool unreadable;
} cli_inner;

/* Whether a layer has infinities that come from a constant: a mask of -inf is intended. */
typedef enum cli_infinite { CLI_INFINITE_UNKNOWN, CLI_FINITE, CLI_INFINITE } cli_infinite;

/* A key of a file that matches no tensor of the model, or a tensor of the model without a key in the file. */
typedef struct cli_alone {
  irrun_side side; /* the side for which the file was given */
  const char *path;
  char *name;
  bool is_tensor;
} cli_alone;

typedef struct cli_run {
  cli *c;
  const char *path; /* name of the model's tensor */
  irrun_model *model;
  irrun_run *run;
  int64_t n_inputs, n_outputs;
  const char **sources;     /* file or fill of each input, even if unreadable; NULL: none yet */
  const char *default_fill; /* fill of inputs that are not given; NULL: they are missing */
  bool may_lack_inputs;     /* nothing is computed, so an input that is not given is not missing */
  irrun_status fit;         /* status of a run that cannot be planned or exceeds memory: then no input is read */
  bool inputs_unclear;      /* a faulty --input may have meant any of them, so none is reported as missing */
  cli_target *targets;
  int n_targets;
  cli_file *out_files;
  int64_t n_out_files;
  cli_expected *expected;
  irrun_tensor_file **files; /* files of `expected` */
  int n_files;
  char stdin_user[40]; /* the option that reads stdin, as typed; "": none */
  const char **input_files;
  int n_input_files; /* number of --input without NAME= */
  cli_inner *inner;
  int64_t n_inner, n_inner_differ, n_visited, n_saved;
  cli_alone *alone; /* keys and tensors that only one side has */
  int64_t n_alone, alone_capacity;
  irrun_status inner_status;     /* result of comparing the inner tensors */
  irrun_tolerance all_tolerance; /* for outputs without a tolerance of their own */
  bool asserts_finite;           /* --assert-finite is given, and every layer so far was finite */
  cli_infinite *infinite;        /* one per layer */
  const char *save_all;          /* file of --save-all; or NULL */
  irrun_archive *archive;        /* written during the run */
  irrun_tensor *instead;         /* --isolate: replacement for the inputs of later layers */
} cli_run;

/* Finds the NAME before a '='. Without a NAME `*out_index` is -1 and `*out_rest` the whole text. Reports IR502 if the
 * NAME is unknown, unless `may_be_file` and a file of that name exists. */
irrun_status cli_match_option(cli_run *r, irrun_side side, cli_option option, const char *text, bool may_be_file,
                              int64_t *out_index, const char **out_rest);
/* Returns "input" or "output". */
const char *cli_side_noun(irrun_side side);
/* Whether the path is one of stdin's names. */
bool cli_is_stdin(const char *path);
void cli_claim_stdin_for_model(cli_run *r);
/* Reports IR801 if two options read stdin. */
irrun_status cli_claim_stdin(cli_run *r, cli_option option, const char *path);
/* Reports IR801 for a file without NAME when there are several tensors; lists them as options to copy. */
irrun_status cli_needs_name(cli_run *r, irrun_side side, cli_option option, const char *path);

/* Adds "--input 'x=FILE'", ready to copy; with a number if the name is ambiguous, long or hard to type. */
void cli_add_named_option(cli_string *string, const cli_run *r, const char *option, irrun_side side, int64_t index,
                          const char *argument);

/* run_inputs.c: binds --input and --fill; reports missing inputs (IR501). */
/* Checks the arguments of --output and --fill as far as possible without a model. */
irrun_status cli_check_targets(cli *c);
irrun_status cli_check_fills(cli *c);
irrun_status cli_bind_inputs(cli_run *r);
/* run_outputs.c: binds --output. */
irrun_status cli_bind_outputs(cli_run *r);
irrun_status cli_write_outputs(cli_run *r);
void cli_free_outputs(cli_run *r);
/* run_files.c: names every file that the targets write. Reports IR801 if two have the same path, or one that of an
 * expected file or a file of the model. */
irrun_status cli_plan_files(cli_run *r);
void cli_free_files(cli_run *r);
/* run_expected.c: binds --expect. */
irrun_status cli_bind_expected(cli_run *r);
irrun_status cli_compare_outputs(cli_run *r);
/* Reads an expected tensor with the type and shape of `got`. */
irrun_status cli_read_expected(irrun_tensor_file *file, int64_t key, const irrun_tensor *got,
                               irrun_tensor **out_expected);
/* Compares a tensor with an output's expectation. */
irrun_status cli_compare_with(cli_run *r, int64_t output, const irrun_tensor *got, const irrun_tensor *expected,
                              irrun_comparison *out);
/* Makes the heat map of an output, if requested, and returns its callback for each element; else NULL. */
irrun_see_difference *cli_start_heatmap(cli_expected *expected, const irrun_tensor *got);
/* A tensor that is compared inside the model, or an output where it is computed. The list may move. */
cli_inner *cli_add_inner(cli_run *r);
void cli_free_expected(cli_run *r);

/* run_files.c: reports IR801 if an output would overwrite an input, or the trace a file of the run. */
irrun_status cli_check_inputs_kept(cli_run *r);
irrun_status cli_plan_trace(cli_run *r);

/* run_files.c: reports IR801 if `path`, which `option` writes, is an open stream or another file of the run. */
irrun_status cli_plan_side_file(cli_run *r, cli_option option, const char *path);
/* run_expected.c: binds --heatmap; call it when the files of the run are known. */
irrun_status cli_bind_heatmaps(cli_run *r);

/* heatmap.c: makes the heat map of a tensor. */
cli_heatmap *cli_heatmap_create(const irrun_tensor *got);
void cli_heatmap_free(cli_heatmap *map);
/* Draws an element; serves as irrun_see_difference. */
void cli_heatmap_see(void *user, int64_t index, double gap, bool agrees);
irrun_status cli_heatmap_write(cli *c, const cli_heatmap *map, const char *path);
/* Version of libpng; NULL: irrun was built without it. */
const char *cli_heatmap_library_version(void);
/* Reports IR704 if irrun was built without libpng. */
irrun_status cli_heatmap_check_library(cli *c);

/* run_mode.c: runs a model. */
/* Binds the command line to the model; computes and writes nothing. */
irrun_status cli_prepare_run(cli_run *r);
/* Binds the command line to the model, then runs it. */
irrun_status cli_compute_run(cli_run *r);
void cli_free_run(cli_run *r);
/* Prints on stderr the ops that irrun lacks for this model. */
void cli_show_missing_ops(irrun_model *model);

/* result_print.c, compare_print.c: print the results. */
void cli_print_results(cli_run *r);
void cli_print_comparisons(cli_run *r);
void cli_json_results(cli_run *r, cli_node *model);
void cli_json_comparisons(cli_run *r, cli_node *model);
void cli_json_comparison(cli_node *node, const char *path, const irrun_comparison *result);

#endif
