/* --test: runs models with inputs and expected outputs. docs/regression.md describes the layout of the files. */
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include "folder.h"
#include "report_json.h"

/* The contents of an irrun-test.json. */
typedef struct cli_settings cli_settings;

/* A model and one of its data sets. */
typedef struct cli_case {
  char *name;                   /* such as "models/pool/test_data_set_0" */
  char *model, *folder;         /* path of the model, and of the data set's folder */
  const cli_settings *settings; /* NULL: the tolerances of the element types apply */
  irrun_status status;
  bool differs;      /* outputs differ from the expectation, and no worse fault was found */
  bool updated;      /* all expected files that needed it were rewritten */
  int64_t n_written; /* number of outputs written */
  cli_string report; /* lines for stdout */
  cli_node *node;    /* the report as JSON, with --json; else NULL */
  cli_node *updates; /* its list of written files */
  cli_string fault;  /* such as "pool/expected.npy: output 'y' differs ..."; "" if it passes */
  char rule[16];     /* rule of the fault */
  double seconds;
} cli_case;

typedef struct cli_cases {
  cli_case *items;
  int64_t n, capacity;
  int64_t n_idle;   /* number of models without a data set */
  int64_t n_before; /* number of cases before the current operand */
  int64_t n_met;    /* cases in the operand, including those that --filter drops and duplicates */
  cli_settings **settings;
  int64_t n_settings;
} cli_cases;

#define CLI_SETTINGS_FILE "irrun-test.json"

/* test_find.c: finds all cases of the operands in natural order: set_2 before set_10. Reports IR701 for an unreadable
 * file, IR801 for an operand without cases or if --filter drops all, and IR802. */
irrun_status cli_find_cases(cli *c, cli_cases *out_cases);
void cli_free_cases(cli_cases *cases);

/* test_files.c: recognizes the files of a data set. */
/* A file of a data set: an .npy of an input or output, or an io.npz. */
typedef struct cli_data_file {
  bool is_archive;
  irrun_side side;
  const char *name; /* part of the file's name after "input", "expected" or "output", without ".npy" */
  int name_length;
} cli_data_file;
/* Parses the name of a file in a data set; false if it is none. `folder` is that of the data set. */
bool cli_read_data_file(const char *folder, const char *file, cli_data_file *out);
/* Whether the folder is "test_data_set_0" or the like, with ONNX's file names. */
bool cli_is_onnx_set(const char *folder);

/* test_settings.c: reads irrun-test.json. */
/* Reads and checks an irrun-test.json; `*out_settings` is NULL if `folder` has none. Reports IR802 for invalid
 * contents. */
irrun_status cli_settings_read(cli *c, const char *folder, cli_settings **out_settings);
void cli_settings_free(cli_settings *settings);
/* Called with --atol, --rtol and --ulp of this case; `output` is -1 for all outputs. */
typedef void cli_set_tolerance(void *user, cli_option option, int64_t output, const char *number);
/* Applies the settings. Reports IR502 for an output that the model does not have. */
irrun_status cli_settings_apply(const cli_settings *settings, const char *case_name, irrun_model *model,
                                cli_set_tolerance *set, void *user);

/* test_case.c: runs one case in its own context, so that several threads can run cases, and stores the result. */
void cli_run_case(const cli *c, cli_case *test, int n_threads);
/* Adds the case's name, model and folder, for --json. */
void cli_name_case(const cli_case *test, cli_node *node);

/* test_update.c: rewrites expectations that differ from the run, and reports it; writes all outputs if the data set has
 * no expectations. IRRUN_OK if all was written. */
typedef struct cli_run cli_run;
irrun_status cli_update_case(cli_run *r, cli_case *test, bool has_expected, bool has_archive);

/* test_junit.c: writes the JUnit report. */
irrun_status cli_write_junit(cli *c, const cli_cases *cases, const char *path);

#endif
