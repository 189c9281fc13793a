/* Data that all parts of the program share: the context, the options and the destinations of reports. Every mode
 * returns an exit status. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "finding.h"
#include "options.h"
#include "text.h"

typedef struct cli_baseline cli_baseline;
typedef struct cli_json cli_json;

typedef struct cli {
  irrun_context *context;
  cli_options options;
  FILE *results;      /* stdout, or stderr when stdout carries a tensor */
  bool color_results; /* colour on `results` */
  bool color_errors;  /* colour on stderr */
  cli_json *json;     /* the document of --json or --format=sarif; NULL: reports are text */
  int write_error;    /* errno of a failed flush of `results`, or 0 */
  int turn;           /* number of the shape that --bench measures now */
  int64_t n_passed;   /* diagnostics that this walk has passed, shown or not */
  int64_t n_seen;     /* diagnostics with lower numbers were passed in an earlier walk */
  int64_t n_met[3];   /* diagnostics of each severity, shown or not */
  int64_t n_shown[3];
  cli_baseline *baseline;      /* NULL: there is no baseline */
  cli_findings findings;       /* state of this walk */
  cli_fingerprint fingerprint; /* of the current diagnostic */
  bool known;                  /* whether the baseline has the current diagnostic */
  int64_t n_known[3];          /* known diagnostics of each severity, which are not shown */
  int64_t n_known_here[3];     /* known diagnostics in the current model */
  int64_t n_annotated[3];      /* annotations for GitHub */
  char worst_rule[16];         /* rule of the worst diagnostic shown; the first one if several are equal */
  irrun_severity worst_severity;
  irrun_status worst_status;
} cli;

irrun_status cli_run_mode(cli *c);
irrun_status cli_check_mode(cli *c);
irrun_status cli_bench_mode(cli *c);
irrun_status cli_convert_mode(cli *c);
irrun_status cli_cut_mode(cli *c);
irrun_status cli_show_plan_mode(cli *c);
irrun_status cli_graph_mode(cli *c);
irrun_status cli_test_mode(cli *c);
irrun_status cli_diff_mode(cli *c);
irrun_status cli_list_mode(cli *c);
irrun_status cli_list_rules_mode(cli *c);
irrun_status cli_explain_mode(cli *c);
irrun_status cli_generate_mode(cli *c);

/* open_model.c: reads models. */
/* Applies --allow, --deny, --strict, and sets how many diagnostics are kept. */
irrun_status cli_apply_rules(irrun_context *context, const cli_options *options);
/* Counts the shapes that --bench measures: as often as --shape is given for one input. */
irrun_status cli_count_shapes(cli *c, int *out_n);
/* Reads a model with --weights and --shape. */
irrun_status cli_read_model(cli *c, const char *path, irrun_purpose purpose, irrun_model **out_model);

irrun_model_info cli_model_info(const irrun_model *model);
/* Checks --assert-output against the model; `run` may be NULL. */
irrun_status cli_check_assertions(cli *c, irrun_model *model, const irrun_run *run);

/* release_pages.c: releases pages of libraries that are no longer needed. */
void cli_release_library_pages(void);

/* help.c: prints help. */
typedef struct cli_help_texts {
  const char *usage, *about, *examples, *files, *exit_statuses;
} cli_help_texts;
extern const cli_help_texts cli_help;
void cli_print_help(FILE *out);
/* Adds the program's description, with the number of opsets. */
void cli_add_about(cli_string *string);
/* Adds "-i, --input [NAME=]FILE". */
void cli_add_option_row(cli_string *string, const cli_option_row *row);
void cli_version_mode(cli *c);

/* layer_table.c: the table of layers and the last line of a check, "pool.xml: ok, 3 layers, ...". */
/* Width of `results` in columns; CLI_ANY_WIDTH with -v. */
int cli_results_width(const cli *c);
/* Prints the layers with these numbers; `layers` NULL: all. */
void cli_print_layers(cli *c, irrun_model *model, const int64_t *layers, int64_t n_layers);
void cli_print_verdict(cli *c, irrun_model *model, const char *path, irrun_status status);
/* Describes a status: "ok", "invalid", "unsupported", ... */
const char *cli_verdict(irrun_status status);

/* Layers that fit one or two screens; without -v a larger model is summarized. */
#define CLI_MOST_LAYERS 60
/* explain_mode.c: adds "error or warning", the row's own severity first; and the effect of --allow. */
void cli_add_severities(cli_string *text, const irrun_rule *rule, const char *between);
void cli_add_allow(cli_string *text, const irrun_rule *rule);

/* list_mode.c: adds "1-13"; "f32; rank 3 to 5"; "int list: >= 1". */
void cli_add_opsets(cli_string *text, const irrun_op *op);
void cli_add_port_values(cli_string *text, const irrun_op_port *port);
void cli_add_attribute_values(cli_string *text, const irrun_op_attribute *attribute);

/* model_summary.c: prints a summary in place of the table of a large model. */
void cli_print_summary(cli *c, irrun_model *model);

/* op_counts.c: counts layers by op. */
#define CLI_MAX_OPS 256 /* above the number of ops in all of OpenVINO's opsets */
typedef struct cli_op_count {
  const char *type;
  int version;
  int64_t n_layers;
} cli_op_count;
typedef bool cli_layer_filter(const irrun_layer *layer);
/* Counts the layers that are `wanted` (they need a version) by op. Writes at most CLI_MAX_OPS ops, in the order of
 * their first layers, and returns their number. */
int cli_count_ops(irrun_model *model, cli_layer_filter *wanted, cli_op_count *out_ops);
/* Sorts by descending frequency. */
void cli_sort_ops(cli_op_count *ops, int n_ops);
/* Finds the ops that irrun lacks and outputs need. */
int cli_find_missing_ops(irrun_model *model, cli_op_count *out_ops);
/* Adds as many as fit into `width`, at least one: "Convolution-1 (63 layers), ReLU-1 (1 layer) and 12 more types";
 * nothing if irrun has all ops. */
void cli_add_missing_ops(cli_string *string, irrun_model *model, int width);

#endif
