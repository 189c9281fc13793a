/* What the parts of the program share: the context, the options and where reports go. Every mode returns by cause. */
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
  bool color_results; /* on `results` */
  bool color_errors;  /* on stderr */
  cli_json *json;     /* what --json and --format=sarif print; NULL: reports are text */
  int write_error;    /* errno of a flush of `results` that failed, or 0 */
  int turn;           /* of the shapes that are measured one after the other */
  int64_t n_passed;   /* diagnostics of the walk at hand that were shown or left out */
  int64_t n_seen;     /* numbers below were met in an earlier walk */
  int64_t n_met[3];   /* diagnostics of each severity, shown or left out */
  int64_t n_shown[3];
  cli_baseline *baseline;      /* NULL: nothing is known */
  cli_findings findings;       /* of the walk at hand */
  cli_fingerprint fingerprint; /* of the diagnostic that it is at */
  bool known;                  /* and whether the baseline has it */
  int64_t n_known[3];          /* of each severity, not shown */
  int64_t n_known_here[3];     /* in the model at hand */
  int64_t n_annotated[3];      /* for GitHub */
  char worst_rule[16];         /* of the first of the worst that was shown */
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

/* open_model.c */
/* --allow, --deny, --strict, and how much is kept. */
irrun_status cli_apply_rules(irrun_context *context, const cli_options *options);
/* How many shapes --bench has to measure: --shape may be given so often for an input. */
irrun_status cli_count_shapes(cli *c, int *out_n);
/* With --weights and --shape. */
irrun_status cli_read_model(cli *c, const char *path, irrun_purpose purpose, irrun_model **out_model);

irrun_model_info cli_model_info(const irrun_model *model);
/* The same place: what --assert-output says of the model; `run` may be NULL. */
irrun_status cli_check_assertions(cli *c, irrun_model *model, const irrun_run *run);

/* release_pages.c: pages of libraries that were needed up to here. */
void cli_release_library_pages(void);

/* help.c */
typedef struct cli_help_texts {
  const char *usage, *about, *examples, *files, *exit_statuses;
} cli_help_texts;
extern const cli_help_texts cli_help;
void cli_print_help(FILE *out);
/* Adds the description of the program, with the number of opsets. */
void cli_add_about(cli_string *string);
/* "-i, --input [NAME=]FILE" */
void cli_add_option_row(cli_string *string, const cli_option_row *row);
void cli_version_mode(cli *c);

/* layer_table.c: the table of layers and the last line of a check, "pool.xml: ok, 3 layers, ...". */
/* That what is printed on `results` has to fit; with -v CLI_ANY_WIDTH. */
int cli_results_width(const cli *c);
/* The layers with these numbers; `layers` NULL: all. */
void cli_print_layers(cli *c, irrun_model *model, const int64_t *layers, int64_t n_layers);
void cli_print_verdict(cli *c, irrun_model *model, const char *path, irrun_status status);
/* "ok", "invalid", "unsupported", ... */
const char *cli_verdict(irrun_status status);

/* A larger model is summed up without -v: this is a screen or two. */
#define CLI_MOST_LAYERS 60
/* explain_mode.c: "error or warning", the row's own first; what --allow does. */
void cli_add_severities(cli_string *text, const irrun_rule *rule, const char *between);
void cli_add_allow(cli_string *text, const irrun_rule *rule);

/* list_mode.c: "1-13"; "f32; rank 3 to 5"; "int list: >= 1". */
void cli_add_opsets(cli_string *text, const irrun_op *op);
void cli_add_port_values(cli_string *text, const irrun_op_port *port);
void cli_add_attribute_values(cli_string *text, const irrun_op_attribute *attribute);

/* model_summary.c: in place of the table of a large model. */
void cli_print_summary(cli *c, irrun_model *model);

/* op_counts.c */
#define CLI_MAX_OPS 256 /* more than all opsets of OpenVINO have */
typedef struct cli_op_count {
  const char *type;
  int version;
  int64_t n_layers;
} cli_op_count;
typedef bool cli_layer_filter(const irrun_layer *layer);
/* Counts the layers that are `wanted`, which have to have a version; writes CLI_MAX_OPS at most, in the order of their
 * first layers, and returns their number. */
int cli_count_ops(irrun_model *model, cli_layer_filter *wanted, cli_op_count *out_ops);
/* The most frequent first. */
void cli_sort_ops(cli_op_count *ops, int n_ops);
/* The ops that irrun does not have and outputs need. */
int cli_find_missing_ops(irrun_model *model, cli_op_count *out_ops);
/* "Convolution-1 (63 layers), ReLU-1 (1 layer) and 12 more types", as many as fit into `width`, one at least; nothing
 * when it has all. */
void cli_add_missing_ops(cli_string *string, irrun_model *model, int width);

#endif
