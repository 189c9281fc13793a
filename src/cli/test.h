/* --test: models with inputs, and with the outputs that are expected of them. docs/regression.md has the layout of the
 * files. */
#ifndef CLI_TEST_H
#define CLI_TEST_H

#include "folder.h"
#include "report_json.h"

/* An irrun-test.json. */
typedef struct cli_settings cli_settings;

/* A model and one of its data sets. */
typedef struct cli_case {
  char *name;                   /* "models/pool/test_data_set_0" */
  char *model, *folder;         /* its file, and the folder of the data set */
  const cli_settings *settings; /* NULL: the tolerances are those of the types */
  irrun_status status;
  bool differs;      /* outputs were compared, and nothing worse was found than that they differ */
  bool updated;      /* files of what is expected were written, all that had to be */
  int64_t n_written; /* outputs */
  cli_string report; /* lines for stdout */
  cli_node *node;    /* in place of them, with --json; else NULL */
  cli_node *updates; /* its list of written files */
  cli_string fault;  /* "pool/expected.npy: output 'y' differs ...", "" when it is ok */
  char rule[16];     /* of the fault */
  double seconds;
} cli_case;

typedef struct cli_cases {
  cli_case *items;
  int64_t n, capacity;
  int64_t n_idle;   /* models without a data set */
  int64_t n_before; /* the operand at hand */
  int64_t n_met;    /* in it, also those that --filter drops, or that are there already */
  cli_settings **settings;
  int64_t n_settings;
} cli_cases;

#define CLI_SETTINGS_FILE "irrun-test.json"

/* test_find.c: all cases of the operands, in the order in which people count: set_2 before set_10. IR701 for what
 * cannot be read, IR801 for an operand without cases and when --filter leaves none, IR802. */
irrun_status cli_find_cases(cli *c, cli_cases *out_cases);
void cli_free_cases(cli_cases *cases);

/* test_files.c */
/* A file of a data set: an .npy of an input or output, or an io.npz. */
typedef struct cli_data_file {
  bool is_archive;
  irrun_side side;
  const char *name; /* behind "input", "expected" or "output": part of the file's name without ".npy" */
  int name_length;
} cli_data_file;
/* False when it is none. `folder` is that of the data set. */
bool cli_read_data_file(const char *folder, const char *file, cli_data_file *out);
/* "test_data_set_0" and the like: folders and names of ONNX. */
bool cli_is_onnx_set(const char *folder);

/* test_settings.c */
/* Reads and checks an irrun-test.json; `*out_settings` is NULL when `folder` has none. IR802 for what it should not
 * hold. */
irrun_status cli_settings_read(cli *c, const char *folder, cli_settings **out_settings);
void cli_settings_free(cli_settings *settings);
/* --atol, --rtol and --ulp as a command line would have them for this case; `output` is -1 for all of them. */
typedef void cli_set_tolerance(void *user, cli_option option, int64_t output, const char *number);
/* IR502 when it names an output that the model does not have. */
irrun_status cli_settings_apply(const cli_settings *settings, const char *case_name, irrun_model *model,
                                cli_set_tolerance *set, void *user);

/* test_case.c: runs one case in a context of its own, so that several threads may, and fills in what came of it. */
void cli_run_case(const cli *c, cli_case *test, int n_threads);
/* Its name, model and folder, for --json. */
void cli_name_case(const cli_case *test, cli_node *node);

/* test_update.c: writes anew what is expected of a run and differs, and says so in the report; of a data set without
 * any expectations, all outputs. IRRUN_OK when all was written. */
typedef struct cli_run cli_run;
irrun_status cli_update_case(cli_run *r, cli_case *test, bool has_expected, bool has_archive);

/* test_junit.c */
irrun_status cli_write_junit(cli *c, const cli_cases *cases, const char *path);

#endif
