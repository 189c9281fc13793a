/* Builds the JSON document (docs/report.schema.json): collects all reports and prints them at the end. */
#ifndef CLI_REPORT_JSON_H
#define CLI_REPORT_JSON_H

#include "cli.h"

/* A node of the document; its parent owns it. `key` is NULL in an array. */
typedef struct cJSON cli_node;

cli_node *cli_node_object(cli_node *parent, const char *key);
cli_node *cli_node_array(cli_node *parent, const char *key);
/* Adds a text; NULL becomes null. */
void cli_node_text(cli_node *parent, const char *key, const char *text);
/* Adds a list of texts; nothing if it is empty. */
void cli_node_names(cli_node *parent, const char *key, const char *const *names, int n);
/* Adds a text, escaped as in diagnostics. */
void cli_node_printable(cli_node *parent, const char *key, const char *text);
void cli_node_flag(cli_node *parent, const char *key, bool flag);
/* Adds an integer, as a string if a double cannot hold it. */
void cli_node_integer(cli_node *parent, const char *key, int64_t integer);
/* Adds a count; a negative one becomes null. */
void cli_node_count(cli_node *parent, const char *key, int64_t count);
/* Adds a number; "nan", "inf" and "-inf" become strings. */
void cli_node_number(cli_node *parent, const char *key, double number);
void cli_node_null(cli_node *parent, const char *key);
/* Adds a number if the text is one that a double can hold, else the text. */
void cli_node_scalar(cli_node *parent, const char *key, const char *text);

/* Makes an array as a document of its own, owned by the caller. */
cli_node *cli_node_list(void);
/* Makes an object that the caller owns until cli_node_adopt appends it to an array. */
cli_node *cli_node_alone(void);
void cli_node_adopt(cli_node *parent, cli_node *node);
/* Prints the node to stdout. */
void cli_node_print(const cli_node *node);
irrun_status cli_node_write(cli *c, const cli_node *node, const char *path);
void cli_node_free(cli_node *node);

cli_json *cli_json_create(void);
/* The root object; lists of ops and rules are added to it. */
cli_node *cli_json_root(cli_json *json);
/* Adds an object for the next model, in the order of irrun_model_read. */
cli_node *cli_json_next_model(cli_json *json);
/* Adds "diagnostics", a list of all that `c` shows. */
void cli_json_diagnostics(cli *c, cli_node *node);
/* Adds the final results and all diagnostics, and prints the document to stdout. */
void cli_json_print(cli *c, irrun_status status);
void cli_json_free(cli_json *json);
/* Makes cJSON end the program when memory is out. */
void cli_set_json_memory(void);
/* Version of cJSON. */
const char *cli_json_library_version(void);

/* json_model.c: describes a model in the object `node`. `model` may be NULL. */
void cli_json_model(cli *c, cli_node *node, irrun_model *model, const char *path, irrun_status status);
void cli_json_shape(cli_node *parent, const char *key, const irrun_shape *shape);
void cli_json_dims(cli_node *parent, const char *key, const int64_t *dims, int rank);

#endif
