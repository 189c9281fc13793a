/* Declares the data that all parts of the program share: the context, the options and the destinations of reports.
 * Every mode returns an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "finding.h"
#include "options.h"
#include "text.h"

typedef struct cli_baseline cli_baseline;
typedef struct cli_json cli_json;

typedef struct cli {
  irrun_context *context;
  cli_options options;    /* those of one step, while a step runs */
  const cli_options *all; /* in a run: the options of all steps; or NULL */
  FILE *results;          /* stdout; stderr if a tensor is written to stdout */
  bool color_results;     /* text on `results` is coloured */
  bool color_errors;      /* text on stderr is coloured */
  cli_json *json;         /* JSON document, printed with --json only; NULL: reports are text */
  int write_error;        /* errno of the first failed flush of `results`; 0: none failed */
  int turn;               /* index of the --shape that --bench measures, if an input has several */
  /* A walk is a series of cli_next_shown calls (report_text.h), until a call returns false. */
  int64_t n_passed;            /* index of the next diagnostic in this walk */
  int64_t n_seen;              /* earlier walks read the diagnostics with lower numbers, and this walk skips them */
  int64_t n_met[3];            /* diagnostics read so far, by severity, without known findings */
  int64_t n_shown[3];          /* shown diagnostics, by severity */
  cli_baseline *baseline;      /* NULL: neither --baseline nor --write-baseline is given */
  cli_findings findings;       /* hashes of the diagnostics in this walk */
  cli_fingerprint fingerprint; /* fingerprint of the last read diagnostic; set with a baseline or SARIF only */
  bool known;                  /* the last read diagnostic is a known finding (cli_is_known) */
  int64_t n_known[3];          /* known findings that a text report omits, by severity */
  int64_t n_known_here[3];     /* known findings of the model that cli_judge judged last */
  int64_t n_annotated[3];      /* annotations printed for GitHub, by severity */
  char worst_rule[16];         /* rule id of the worst shown diagnostic; of equally bad ones the first */
  irrun_severity worst_severity;
  irrun_status worst_status;
} cli;

irrun_status cli_run_mode(cli *c);
irrun_status cli_check_mode(cli *c);
irrun_status cli_bench_mode(cli *c);
irrun_status cli_greedy_mode(cli *c);
irrun_status cli_convert_mode(cli *c);
irrun_status cli_cut_mode(cli *c);
irrun_status cli_edit_mode(cli *c);
irrun_status cli_rt_info_mode(cli *c);
irrun_status cli_show_plan_mode(cli *c);
irrun_status cli_graph_mode(cli *c);
irrun_status cli_test_mode(cli *c);
irrun_status cli_diff_mode(cli *c);
irrun_status cli_list_mode(cli *c);
irrun_status cli_list_rules_mode(cli *c);
irrun_status cli_explain_mode(cli *c);
irrun_status cli_generate_mode(cli *c);

/* open_model.c: reads models. */
/* Applies --allow, --deny and --strict. Chooses whether a finding that repeats in many layers is one diagnostic or
 * several (irrun_context_set_detail). */
irrun_status cli_apply_rules(irrun_context *context, const cli_options *options);
/* Gives a context of its own thread the settings of the program: those of options, and `n_threads`. */
irrun_status cli_give_settings(const cli *c, int n_threads, irrun_context *to);
/* Sets `*out_n` to the number of shapes that --bench measures: the number of --shape options for one input, at least 1.
 * Reports IR801 if two inputs have different numbers above 1. */
irrun_status cli_count_shapes(cli *c, int *out_n);
/* Reads a model, with the options --weights and --shape. */
irrun_status cli_read_model(cli *c, const char *path, irrun_purpose purpose, irrun_model **out_model);

irrun_model_info cli_model_info(const irrun_model *model);
/* Returns the value of the layer's attribute; "" if it has none, NULL if the layer lacks the attribute. */
const char *cli_find_attribute(irrun_model *model, int64_t layer, const char *name);
/* Checks --assert-output: the outputs of `run`, or if `run` is NULL, the inferred types and shapes. */
irrun_status cli_check_assertions(cli *c, irrun_model *model, const irrun_run *run);

/* read_files.c: the files that a command reads. */
/* Reports IR801 if `path`, which `option` of step number `step` writes, is a file that the command line reads: a model
 * or its weights, an input, expected values, ... --convert and --edit can replace their model: the library checks them.
 */
irrun_status cli_check_kept(cli *c, cli_option option, int step, const char *path);
/* Does the same for a model, whose constants are written beside it. */
irrun_status cli_check_kept_model(cli *c, cli_option option, const char *path);
/* Reports IR801 for two options that write one file. Runs, whose files can depend on the model, check theirs later. */
irrun_status cli_check_apart(cli *c);
/* Adds the path of the .bin beside a model. */
void cli_add_weights_beside(cli_string *path, const char *model);

/* save_constants.c: writes the constants to the .npz of --save-all, if it is given. */
irrun_status cli_save_constants(cli *c, irrun_model *model);
/* Checks that file before any work. */
irrun_status cli_check_constants(cli *c);
/* Prints "all.npz: written, 5 tensors". */
void cli_print_saved(cli *c, const char *path, int64_t n, const char *noun);

/* release_pages.c: releases the memory pages of libraries that only start-up and reading needed. */
void cli_release_library_pages(void);

/* help.c: prints help. */
typedef struct cli_help_texts {
  const char *usage, *about, *examples, *files, *exit_statuses;
} cli_help_texts;
extern const cli_help_texts cli_help;
void cli_print_help(FILE *out);
/* Adds the program's description, with the number of the newest opset. */
void cli_add_about(cli_string *string);
/* Adds an option's names and argument: "-i, --input [NAME=]FILE". */
void cli_add_option_row(cli_string *string, const cli_option_row *row);
void cli_version_mode(cli *c);

/* layer_table.c: prints the table of layers, and the last line of a check, "pool.xml: ok, 3 layers, ...". */
/* Returns the width of `results` in columns; CLI_ANY_WIDTH with -v. */
int cli_results_width(const cli *c);
/* Prints the layers whose indices are in `layers`; if `layers` is NULL, all layers. */
void cli_print_layers(cli *c, irrun_model *model, const int64_t *layers, int64_t n_layers);
void cli_print_verdict(cli *c, irrun_model *model, const char *path, irrun_status status);
/* Returns a word for a status: "ok", "invalid", "unsupported", ... */
const char *cli_verdict(irrun_status status);

/* Without -v, --check-shapes prints a table of a model with at most this many layers (one or two screens), and a
 * summary of a larger model. */
#define CLI_MOST_LAYERS 60
/* explain_mode.c: adds the severities that a rule can have, separated by `between`, the usual one first: "error or
 * warning". */
void cli_add_severities(cli_string *text, const irrun_rule *rule, const char *between);
/* Adds the effect of --allow on a rule: "the warning is not shown". */
void cli_add_allow(cli_string *text, const irrun_rule *rule);

/* list_mode.c: adds the opsets that have an op: "1-13". */
void cli_add_opsets(cli_string *text, const irrun_op *op);
/* Adds the types and ranks of a port: "f32; rank 3 to 5". */
void cli_add_port_values(cli_string *text, const irrun_op_port *port);
/* Adds the kind and the allowed values of an attribute: "int list: >= 1". */
void cli_add_attribute_values(cli_string *text, const irrun_op_attribute *attribute);

/* model_summary.c: prints a summary in place of the table of a large model. */
void cli_print_summary(cli *c, irrun_model *model);

/* model_sizes.c: prints how the weights are stored, the work of a run, the size of the state, and the memory that a run
 * takes. For a model without variables, prints only sums after a summary, all with -v, and else nothing. */
void cli_print_sizes(cli *c, irrun_model *model, bool is_summary);

/* op_counts.c: counts layers by op. */
#define CLI_MAX_OPS 256 /* more than all OpenVINO opsets have together */
typedef struct cli_op_count {
  const char *type;
  int version;
  int64_t n_layers;
} cli_op_count;
typedef bool cli_layer_filter(const irrun_layer *layer);
/* Counts the layers for which `wanted` returns true, for each op; `wanted` has to reject layers without an op version.
 * Writes at most CLI_MAX_OPS ops, in the order of their first layers, and returns the number of ops. */
int cli_count_ops(irrun_model *model, cli_layer_filter *wanted, cli_op_count *out_ops);
/* Sorts by descending number of layers. */
void cli_sort_ops(cli_op_count *ops, int n_ops);
/* Counts the layers whose op irrun lacks and that an output needs, for each op. Returns the number of ops. */
int cli_find_missing_ops(irrun_model *model, cli_op_count *out_ops);
/* Adds the ops that irrun lacks: "Convolution-1 (63 layers), ReLU-1 (1 layer) and 12 more types". Names as many ops as
 * fit into `width` columns, at least one. Adds nothing if irrun has all ops. */
void cli_add_missing_ops(cli_string *string, irrun_model *model, int width);

#endif
