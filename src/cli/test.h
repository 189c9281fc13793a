/* Declares --test, which runs models on data sets: inputs with expected outputs. docs/regression.md describes the
 * layout of the files. */
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include "folder.h"
#include "report_json.h"

/* The contents of an irrun-test.json. */
typedef struct cli_settings cli_settings;

/* A case: a model, one of its data sets, and the result of running the model on it. */
typedef struct cli_case {
  char *name;                   /* the case's name, such as "models/pool/test_data_set_0" */
  char *model, *folder;         /* paths of the model and of the data set's folder */
  const cli_settings *settings; /* NULL: default tolerances */
  irrun_status status;
  bool differs;      /* outputs differ from the expected outputs, and no worse fault was found */
  bool updated;      /* expected files were written, and no write failed */
  int64_t n_written; /* number of outputs that were written */
  cli_string report; /* lines for stdout */
  cli_node *node;    /* with --json, the report; else NULL */
  cli_node *updates; /* with --update, the list of written files in `node`; else NULL */
  cli_string fault;  /* first of the worst faults, "pool/expected.npy: output 'y' differs ..."; "": none */
  char rule[16];     /* rule of the fault */
  double seconds;
} cli_case;

typedef struct cli_cases {
  cli_case *items;
  int64_t n;
  size_t capacity;
  int64_t n_idle;        /* number of models without a data set */
  size_t found_capacity; /* of the options' `found`, which lists all models */
  void *keys;            /* tree of texts: the model and the data set of each case */
  int64_t n_met;         /* cases of the current operand, with duplicates and cases that --filter drops */
  cli_settings **settings;
  int64_t n_settings;
} cli_cases;

#define CLI_SETTINGS_FILE "irrun-test.json"

/* test_find.c: finds the cases of all operands, those of a folder in natural order ("set_2" before "set_10"). Reports
 * IR701 for an unreadable file, and IR802 for a faulty irrun-test.json. Reports IR801 if an operand has no case, or if
 * --filter drops all cases. */
irrun_status cli_find_cases(cli *c, cli_cases *out_cases);
void cli_free_cases(cli_cases *cases);

/* test_files.c: recognizes the files of a data set. */
/* The meaning of a file name in a data set: a tensor in an .npy, or an io.npz. */
typedef struct cli_data_file {
  bool is_archive;
  irrun_side side;
  const char *name; /* the tensor's name, "x" in the file name "input_x.npy"; `name_length` bytes */
  int name_length;
} cli_data_file;
/* Parses a file name in the data set `folder`. Returns false if the file does not belong to a data set. */
bool cli_read_data_file(const char *folder, const char *file, cli_data_file *out);
/* Whether `name` in the data set `folder` is the folder of a step: "step_1", with files of a data set. */
bool cli_is_step(const char *folder, const char *name);
/* Whether the folder's name begins with "test_data_set_": such folders use ONNX's file names, "output_0.npy". */
bool cli_is_onnx_set(const char *folder);

/* test_settings.c: reads irrun-test.json. */
/* Reads and checks an irrun-test.json; `*out_settings` is NULL if `folder` has none. Reports IR802 for invalid
 * contents. */
irrun_status cli_settings_read(cli *c, const char *folder, cli_settings **out_settings);
void cli_settings_free(cli_settings *settings);
/* Notes a case of the settings' folder. */
void cli_settings_meet(cli_settings *settings, const char *case_name);
/* Reports IR802 for each key of "cases" that names none of the noted cases. */
irrun_status cli_settings_check(cli *c, const cli_settings *settings);
/* Receives a tolerance of a case; `option` is --atol, --rtol or --ulp, and `output` is -1 for all outputs. */
typedef void cli_set_tolerance(void *user, cli_option option, int64_t output, const char *number);
/* Calls `set` for each tolerance that applies to the case. Reports IR502 for an output that the model does not have,
 * and IR802 for two names of one output. */
irrun_status cli_settings_apply(irrun_context *context, const cli_settings *settings, const char *case_name,
                                irrun_model *model, cli_set_tolerance *set, void *user);

/* test_case.c: runs one case and stores the result in `test`. Each case has its own context, so that several threads
 * can run cases. */
void cli_run_case(const cli *c, cli_case *test, int n_threads);
/* Adds the case's name, model and folder, for --json. */
void cli_name_case(const cli_case *test, cli_node *node);

/* Finds the input or output for a file of the data set `folder`. A file without a name is for the only input or output.
 * In ONNX's folders a number counts the inputs or outputs. Otherwise the file's name has to be the tensor's name, as it
 * is or as irrun_file_name writes it. If there is none, reports it with a `path`, and without one sets `*out_index` to
 * -1. */
irrun_status cli_find_named(irrun_model *model, const char *folder, const cli_data_file *file, const char *path,
                            int64_t *out_index);

/* test_update.c: writes the run's outputs over expected values in `folder` that differ, and reports each written
 * output. If `folder` has no expected values, writes all outputs. Reports IR702 if a link leads out of the folders that
 * `options`, those of --test, name. Returns IRRUN_OK if every write succeeded. */
typedef struct cli_run cli_run;
irrun_status cli_update_case(cli_run *r, const cli_options *options, cli_case *test, const char *folder,
                             bool has_expected, bool has_archive);

/* test_junit.c: writes the JUnit report. */
irrun_status cli_write_junit(cli *c, const cli_cases *cases, const char *path);

#endif
