/* Builds the JSON document of --json (docs/report.schema.json), which is printed at the end of the program. */
#ifndef CLI_REPORT_JSON_H
#define CLI_REPORT_JSON_H

#include "cli.h"

/* A node of the document; its parent owns it. In the functions below, `key` is NULL if `parent` is an array. */
typedef struct cJSON cli_node;

cli_node *cli_node_object(cli_node *parent, const char *key);
cli_node *cli_node_array(cli_node *parent, const char *key);
/* Adds a text; NULL becomes null. */
void cli_node_text(cli_node *parent, const char *key, const char *text);
/* Adds a list of texts; adds nothing if `n` is 0. */
void cli_node_names(cli_node *parent, const char *key, const char *const *names, int n);
/* Adds a text with control characters escaped, in the same way as in diagnostics. */
void cli_node_printable(cli_node *parent, const char *key, const char *text);
void cli_node_flag(cli_node *parent, const char *key, bool flag);
/* Adds an integer. An integer above 2^53 becomes a string, because a double cannot hold it exactly. */
void cli_node_integer(cli_node *parent, const char *key, int64_t integer);
/* Adds a count, or null if `count` is negative. */
void cli_node_count(cli_node *parent, const char *key, int64_t count);
/* Adds a number, or one of the strings "nan", "inf" and "-inf". */
void cli_node_number(cli_node *parent, const char *key, double number);
/* Adds a number with 7 digits. */
void cli_node_rounded(cli_node *parent, const char *key, double number);
void cli_node_null(cli_node *parent, const char *key);
/* Adds a finite number as a number, and any other text as a string. An integer above 2^53 becomes a string. */
void cli_node_scalar(cli_node *parent, const char *key, const char *text);

/* Makes an array without a parent, owned by the caller, as a document of its own. */
cli_node *cli_node_list(void);
/* Makes an object that the caller owns until cli_node_adopt gives it to an array or object. */
cli_node *cli_node_alone(void);
void cli_node_adopt(cli_node *parent, const char *key, cli_node *node);
/* Makes a table of a member, a list of objects: {"columns": [keys], "rows": [[values]]}. null: an object lacks the key.
 */
void cli_node_tabulate(cli_node *parent, const char *key);
/* Returns the place of a text in a list of texts. Adds the text if the list lacks it. */
int64_t cli_node_place_of(cli_node *list, const char *text);
/* Returns a member of an object; NULL: there is none. */
cli_node *cli_node_member(cli_node *node, const char *key);
/* Prints the node to stdout. */
void cli_node_print(const cli_node *node);
irrun_status cli_node_write(cli *c, const cli_node *node, const char *path);
void cli_node_free(cli_node *node);
/* Returns the node's text for a <script> element: without line breaks, with "<" escaped. NULL: the text is too long.
 * The caller frees it. */
char *cli_node_script(const cli_node *node);

cli_json *cli_json_create(void);
/* Returns the document's root object. --list-ops and --list-rules add their lists to the root. */
cli_node *cli_json_root(cli_json *json);
/* Adds an object for the next model. Objects have the order of the irrun_model_read calls, because diagnostics name a
 * model by its number in this order. */
cli_node *cli_json_next_model(cli_json *json);
/* Adds "diagnostics", a list of all diagnostics that cli_next_shown returns. */
void cli_json_diagnostics(cli *c, cli_node *node);
/* Adds all diagnostics about model number `number` to a list, shown or not, with excerpts of its file. -1: those about
 * no model. */
void cli_json_page_diagnostics(cli *c, cli_node *list, int64_t number);
/* Makes the table of a page of the layers of a model, without declarations that inference confirmed. */
void cli_json_page_layers(cli_node *model_node);
/* Adds the mode, the exit status and counts; `n_shown` is the number of diagnostics in the document. */
void cli_json_end(cli *c, cli_node *root, irrun_status status, int64_t n_shown);
/* Adds the mode, the exit status, counts and all diagnostics, and prints the document to stdout. */
void cli_json_print(cli *c, irrun_status status);
void cli_json_free(cli_json *json);
/* Makes cJSON allocate memory by cli_allocate, which ends the program if memory is out. */
void cli_set_json_memory(void);
/* Returns cJSON's version. */
const char *cli_json_library_version(void);

/* json_model.c: describes a model in the object `node`. If `model` is NULL, describes only its path and verdict. */
void cli_json_model(cli *c, cli_node *node, irrun_model *model, const char *path, irrun_status status);
/* Adds a difference of two models to the list "differences". */
void cli_json_difference(cli_node *list, const char *layer, const char *what, const char *before, const char *after);
/* model_sizes.c: adds "sizes" to a model. */
void cli_json_sizes(cli_node *model_node, irrun_model *model);
/* list_mode.c: adds an op of the table to the list "ops". */
void cli_json_op(cli *c, cli_node *list, int64_t index, const irrun_op *op);
/* explain_mode.c: adds a rule to the list "rules". */
void cli_json_rule(cli_node *list, const irrun_rule *rule);
/* result_print.c: adds type, shape, counts and range of a tensor. Returns its statistics. */
irrun_statistics cli_json_tensor(cli_node *node, const irrun_tensor *tensor);
/* picture_kinds.c: adds "kinds": the kind of the ops in each folder of the specification. */
void cli_json_kinds(cli_node *parent);
void cli_json_shape(cli_node *parent, const char *key, const irrun_shape *shape);
void cli_json_dims(cli_node *parent, const char *key, const int64_t *dims, int rank);

#endif
