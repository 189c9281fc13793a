/* Prepares a run: binds the arguments of --input, --fill, --output and --expect to the model's inputs and outputs. Also
 * compares, writes and prints the outputs. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "cli.h"
#include "irrun_debug.h"
#include "report_json.h"
#include "stats.h"

typedef enum cli_form {
  CLI_FORM_TENSOR,  /* .npy, .raw, .bin, stdout: one tensor */
  CLI_FORM_ARCHIVE, /* .npz */
  CLI_FORM_FOLDER
} cli_form;

/* An argument of --output. */
typedef struct cli_target {
  const char *path;
  cli_form form;
  int64_t output; /* index of the output; -1: all outputs */
} cli_target;

/* A file that --output or --save-all writes. */
typedef struct cli_file {
  cli_option option; /* the option that names the file: --output or --save-all */
  int64_t output;    /* index of the output in the file; -1: all outputs, in an archive */
  char *path, *place;
  int64_t last_number; /* largest number that was added to this file's name to make a name of another file; 1: none */
  bool written;
} cli_file;

/* heatmap.c: a picture of the places where a tensor differs from its expected values. */
typedef struct cli_heatmap cli_heatmap;

/* A heat map that --heatmap asks for, of a compared tensor. */
typedef struct cli_wanted_heatmap {
  const char *path; /* name of the .png to write, or NULL */
  cli_heatmap *map; /* made when the tensor is compared; NULL before */
  bool is_written;
} cli_wanted_heatmap;

/* The expected values of one output, and the result of the comparison. */
typedef struct cli_expected {
  const char *path; /* NULL: the output is not compared */
  irrun_tensor_file *file;
  int64_t key; /* index of the key in the file, 0 in a file of one tensor; -1: no key for the output */
  irrun_tolerance tolerance;
  irrun_comparison comparison;
  cli_wanted_heatmap heatmap;
  bool unreadable;  /* the expected tensor could not be read, so nothing was compared */
  bool is_compared; /* already compared during the run, by run_inner.c */
} cli_expected;

/* A tensor that is compared during the run: a layer's result or an output of the model. */
typedef struct cli_inner {
  int64_t layer;
  int port;
  int64_t output; /* index of the model's output; -1: the tensor is no output */
  irrun_tensor_file *file;
  const char *path;
  int64_t key, order; /* order: number of tensors that were compared before this one; -1: the layer was not computed */
  irrun_comparison comparison;
  cli_wanted_heatmap heatmap; /* of a tensor that is no output */
  bool unreadable;
} cli_inner;

/* Whether a layer's result has infinities that originate in a constant, such as a mask of -inf. --assert-finite accepts
 * such infinities. */
typedef enum cli_infinite { CLI_INFINITE_UNKNOWN, CLI_FINITE, CLI_INFINITE } cli_infinite;

/* A key of a file that matches no tensor of the model, or a tensor of the model without a key in the file. */
typedef struct cli_alone {
  irrun_side side; /* IRRUN_INPUTS for a file of --input, IRRUN_OUTPUTS for a file of --expect */
  const char *path;
  char *name;
  bool is_tensor;
} cli_alone;

/* An input or output, and the tensor that it is. */
typedef struct cli_end {
  int64_t layer, index;
  int port;
  const char *name; /* its name in reports */
} cli_end;

typedef struct cli_run {
  cli *c;
  struct cli_run *before;  /* the run of the step before, with the same model and irrun_run; NULL: the first step */
  int step, n_steps;       /* number of this step, from 0, and of all steps; 0 steps: a run without --step */
  const char *data_set;    /* --input DIR: the file that this step reads, as a run of its own; else NULL */
  const char *path;        /* path of the model */
  const char *inputs_name; /* name of the files of --input in messages; NULL: their paths */
  irrun_model *model;
  irrun_run *run;
  int64_t n_inputs, n_outputs;
  bool *requested;          /* one per output: the run computes it; all false: it computes every output */
  bool is_executed;         /* the run was executed, perhaps in vain */
  bool is_visited;          /* the run calls back for each layer */
  cli_stats *stats;         /* --stats, for all steps; or NULL */
  cli_node *node;           /* the report of a step, if it is JSON */
  const char **sources;     /* file, numbers or fill given for each input, readable or not; NULL: none yet */
  int64_t n_ids;            /* --llm: ids that the model has read after this step, if it began without a state; or 0 */
  const char *default_fill; /* KIND of --fill for inputs without data, "random:1"; NULL: such inputs are missing */
  bool may_lack_inputs;     /* --show-plan: inputs without data are no fault, because nothing is computed */
  irrun_status fit;         /* status of irrun_run_plan; if it is not IRRUN_OK, no input is read */
  bool inputs_unclear;      /* a faulty option could be for any input, so no input is reported as missing */
  cli_target *targets;
  int n_targets;
  cli_file *out_files;
  int64_t n_out_files;
  void *files_by_place; /* the same files, in a tree of <search.h> */
  cli_expected *expected;
  irrun_tensor_file **files; /* open files of --expect */
  int n_files;
  char stdin_user[40]; /* "MODEL" or the option that reads stdin, such as "--input"; "": none. The first step has it for
                          all */
  cli_inner *inner;
  cli_inner **inner_by_tensor; /* the same items sorted by layer and port */
  size_t inner_capacity;
  int64_t n_inner, n_inner_differ, n_visited, n_saved;
  cli_alone *alone; /* keys without a tensor, and tensors without a key */
  int64_t n_alone;
  size_t alone_capacity;
  cli_end *ends[2];              /* inputs and outputs sorted by tensor and name, made on first use (run_keys.c) */
  irrun_status inner_status;     /* worst status of comparisons and --assert-finite during the run */
  irrun_tolerance all_tolerance; /* tolerance of all tensors that have no tolerance of their own */
  bool asserts_finite;           /* --assert-finite is given, and all results so far passed */
  cli_infinite *infinite;        /* one item per layer */
  bool reads_infinities;         /* an input of layer `asked_layer` has infinities that originate in a constant */
  int64_t asked_layer;           /* the layer that was checked last; -1: none */
  int asked_port;                /* its port that was checked last */
  const char *save_all;          /* file of --save-all, or NULL */
  irrun_archive *archive;        /* archive of --save-all during the run; NULL outside of the run */
  bool is_saved;                 /* the file of --save-all was written */
  bool writes_page;              /* --report is given, and its file can be written */
  cli_node *differing;           /* for the page of --report: pairs and heat maps of tensors that differ; NULL: none */
  int64_t n_differing;
  struct cli_peer *peer; /* while results of another model are bound: the pairs of layers (peer.h) */
  irrun_tensor *instead; /* expected tensor of the last comparison, which --isolate gives to later layers */
} cli_run;

/* Finds the input or output NAME in `text`, [NAME=]REST. `text` without '=' is REST alone, with `*out_index` -1. So is
 * `text` with an unknown NAME, if `may_be_file` and `text` is an existing file. Otherwise an unknown NAME is IR502. */
irrun_status cli_match_option(cli_run *r, irrun_side side, cli_option option, const char *text, bool may_be_file,
                              int64_t *out_index, const char **out_rest);
/* Returns "input" or "output". */
const char *cli_side_noun(irrun_side side);
/* Whether the path means stdin: "-", "/dev/stdin", ... */
bool cli_is_stdin(const char *path);
void cli_claim_stdin_for_model(cli_run *r);
/* If `path` means stdin, records that `option` reads stdin. Reports IR801 if stdin has a reader already. */
irrun_status cli_claim_stdin(cli_run *r, cli_option option, const char *path);
/* Reports IR801 for an argument without NAME if the model has several inputs or outputs, or none. Lists the possible
 * names as options to copy. */
irrun_status cli_needs_name(cli_run *r, irrun_side side, cli_option option, const char *path);

/* Adds an option with the name of an input or output, ready to copy: "--input 'x=FILE'". Uses the number instead of a
 * long name, or of a name with unprintable characters. */
void cli_add_named_option(cli_string *string, const cli_run *r, const char *option, irrun_side side, int64_t index,
                          const char *argument);

/* run_inputs.c: binds --input and --fill; reports missing inputs (IR501). */
/* Checks the arguments of --output and --fill as far as possible without a model. */
irrun_status cli_check_targets(cli *c);
irrun_status cli_check_fills(cli *c);
irrun_status cli_bind_inputs(cli_run *r);
/* run_outputs.c: binds --output, and writes the outputs. */
irrun_status cli_bind_outputs(cli_run *r);
irrun_status cli_write_outputs(cli_run *r);
void cli_free_outputs(cli_run *r);
/* run_files.c: lists every file that --output and --save-all write. Reports IR801 if two files have the same place, or
 * if one would overwrite a file that the run reads. */
irrun_status cli_plan_files(cli_run *r);
/* Adds a file of --output to r->out_files, which has room. Takes ownership of `path`. */
void cli_add_file_of_run(cli_run *r, int64_t output, char *path, const char *place);
void cli_free_files(cli_run *r);
/* run_folder.c: if an --input is a folder, makes a step of each file in it, and lists the files in c->options.found. */
irrun_status cli_expand_folder(cli *c);
/* run_expected.c: binds --expect and the tolerances, and compares outputs. */
irrun_status cli_bind_expected(cli_run *r);
irrun_status cli_compare_outputs(cli_run *r);
/* measure_limits.c: --fail-below and --fail-above. */
/* Without any tolerance, lets single elements differ by any number if a limit is given. */
void cli_widen_tolerance(const cli *c, irrun_tolerance *tolerance);
/* Clears `match` if a measure of the tensors exceeds its limit, and if `file` is not NULL, reports that as `rule`:
 * IR601 of an output, IR608 of a layer. */
irrun_status cli_judge_similarity(cli *c, const char *rule, const char *name, const char *file,
                                  irrun_comparison *io_result);
/* Prints the similarity if the tensors differ, with -v, or if there are limits. */
void cli_print_similarity(const cli *c, const irrun_comparison *result);
/* Binds the keys of an .npz to the outputs and inner tensors that they name. If all keys name outputs, an output
 * without a key is a fault. The file has to be in r->files. */
irrun_status cli_expect_keys(cli_run *r, irrun_tensor_file *file, const char *path);
/* Reads the expected tensor number `key` of a file. A raw file gets the type and shape of `got`. */
irrun_status cli_read_expected(irrun_tensor_file *file, int64_t key, const irrun_tensor *got,
                               irrun_tensor **out_expected);
/* Compares `got` with `expected`, with the tolerance of an output, and draws the output's heat map. */
irrun_status cli_compare_with(cli_run *r, int64_t output, const irrun_tensor *got, const irrun_tensor *expected,
                              irrun_comparison *out);
/* Makes a heat map if it is wanted, and returns the callback that draws an element. Otherwise returns NULL. */
irrun_see_difference *cli_start_heatmap(cli_wanted_heatmap *wanted, const irrun_tensor *got);
/* Adds an item to r->inner and returns it. The list can move, so earlier pointers to items become invalid. */
cli_inner *cli_add_inner(cli_run *r);
void cli_free_expected(cli_run *r);

/* run_files.c: reports IR801 if the trace of --profile would overwrite a file of the run. */
irrun_status cli_plan_trace(cli_run *r);

/* run_files.c: checks the file `path` that `option` writes. Reports IR801 if `path` is an open stream or another file
 * of the run. */
irrun_status cli_plan_side_file(cli_run *r, cli_option option, const char *path);
/* run_expected.c: binds --heatmap. Call it after cli_plan_files and cli_bind_inputs listed the files of the run. */
irrun_status cli_bind_heatmaps(cli_run *r);

/* heatmap.c: makes an empty heat map for a tensor of the shape of `got`. In a picture with more than `most` elements in
 * a row or column, elements share cells. */
#define CLI_HEATMAP_PIXELS 2048
cli_heatmap *cli_heatmap_create(const irrun_tensor *got, int64_t most);
/* Adds the cells as texts, a character for each: "." equal, "+" within the tolerance, "0" to "9" a difference, "!" not
 * finite, " " none. */
void cli_json_heatmap(cli_node *node, const cli_heatmap *map);
void cli_heatmap_free(cli_heatmap *map);
/* Draws an element into the cli_heatmap `user`. A callback of type irrun_see_difference. */
void cli_heatmap_see(void *user, int64_t index, double gap, bool agrees);
irrun_status cli_heatmap_write(cli *c, const cli_heatmap *map, const char *path);
/* Returns the version of libpng; NULL: irrun was built without libpng. */
const char *cli_heatmap_library_version(void);
/* Reports IR704 if irrun was built without libpng. */
irrun_status cli_heatmap_check_library(cli *c);

/* run_prepare.c: binds the command line to a model, and runs it. */
/* Binds the options that need no input: what the run writes and what it compares. With --against, cli_ask_peer binds
 * what it compares. */
irrun_status cli_bind_run_outputs(cli_run *r);
/* Binds the inputs. `bound` is the status of cli_bind_run_outputs. */
irrun_status cli_bind_run_inputs(cli_run *r, irrun_status bound);
/* Binds what needs the inputs and expected values: --heatmap, --profile. */
irrun_status cli_bind_pictures(cli_run *r);
/* Whether a run measures its steps: with --profile or --report. */
bool cli_is_profiled(const cli *c);
irrun_status cli_execute_run(cli_run *r);
/* Binds the command line to the model. Computes and writes nothing. */
irrun_status cli_prepare_run(cli_run *r);
/* Binds the command line to the model, then runs it. Both make r->run if it is NULL. */
irrun_status cli_compute_run(cli_run *r);
void cli_free_run(cli_run *r);
/* Frees what belongs to one step: all but the model and the irrun_run. */
void cli_free_step(cli_run *r);

/* run_mode.c: runs a model. */
/* Prints on stderr the ops that irrun lacks for this model. */
void cli_show_missing_ops(irrun_model *model);

/* run_llm.c: --llm. */
/* The source of an input that --llm filled. */
extern const char cli_llm_source[];
bool cli_has_llm(const cli_run *r);
/* Narrows the shape of an input to one sequence, [1,n], if --llm is given and both sizes are open. */
void cli_make_one_sequence(const cli_run *r, irrun_value *value);
/* Returns r->default_fill, or if --bench --llm measures the model and the input has its ids, the fill of a prompt.
 * Narrows the shape of these ids to one sequence of 128, or of the most that the shape allows. */
const char *cli_make_prompt(cli_run *r, int64_t input, irrun_value *value);
/* Report IR801 if the model has no variables, or if an input that --llm fills was given. */
irrun_status cli_check_variables(cli_run *r, const char *option);
irrun_status cli_check_filled(cli_run *r, const char *option);
/* Reports IR801 if --llm is given and the model has no ids. */
irrun_status cli_check_llm(cli_run *r);
/* Fills the inputs of a language model that have no data or were filled before. Does nothing without --llm. */
irrun_status cli_fill_llm(cli_run *r);
/* Returns the input with the ids, "input_ids" or "inputs_embeds"; -1: there is none. */
int64_t cli_find_ids(cli_run *r);
/* Whether the input is one of those that --llm fills. */
bool cli_is_llm_input(cli_run *r, int64_t input);
/* Whether cli_fill_llm fills the input unless it has data. */
static inline bool cli_is_filled_later(cli_run *r, int64_t input) {
  return cli_has_llm(r) && cli_is_llm_input(r, input);
}
/* Prints which inputs were filled, on one line. */
void cli_print_llm(cli_run *r);
/* Adds "filled", the names of these inputs. */
void cli_json_llm(cli_run *r, cli_node *node);

/* run_state.c: --load-state and --save-state. */
/* Checks the file that --save-state writes. `r` is the last step. */
irrun_status cli_plan_state(cli_run *r);
irrun_status cli_load_state(cli_run *r);
irrun_status cli_save_state(cli_run *r);

/* result_print.c, compare_print.c: print the results. */
void cli_print_results(cli_run *r);
void cli_print_comparisons(cli_run *r);
void cli_json_results(cli_run *r, cli_node *model);
void cli_json_comparisons(cli_run *r, cli_node *model);
/* plan_json.c: adds "plan", what the last irrun_run_show shows. */
void cli_json_plan(const cli_run *r, cli_node *model, const char *after, const char *picture);
void cli_json_comparison(cli_node *node, const char *path, const irrun_comparison *result);

#endif
