/* The JSON document, see docs/report.schema.json. Everything that is said is collected in it and printed at the end. */
#ifndef CLI_REPORT_JSON_H
#define CLI_REPORT_JSON_H

#include "cli.h"

/* A node of the document; it belongs to its parent. `key` is NULL in an array. */
typedef struct cJSON cli_node;

cli_node *cli_node_object(cli_node *parent, const char *key);
cli_node *cli_node_array(cli_node *parent, const char *key);
/* NULL is null. */
void cli_node_text(cli_node *parent, const char *key, const char *text);
/* A list of them; nothing when there are none. */
void cli_node_names(cli_node *parent, const char *key, const char *const *names, int n);
/* Text that is escaped as it is in diagnostics. */
void cli_node_printable(cli_node *parent, const char *key, const char *text);
void cli_node_flag(cli_node *parent, const char *key, bool flag);
/* A string when a double cannot hold it. */
void cli_node_integer(cli_node *parent, const char *key, int64_t integer);
/* Null when it is negative. */
void cli_node_count(cli_node *parent, const char *key, int64_t count);
/* "nan", "inf" and "-inf" are strings. */
void cli_node_number(cli_node *parent, const char *key, double number);
void cli_node_null(cli_node *parent, const char *key);
/* A number where the text is one that a double holds, else the text. */
void cli_node_scalar(cli_node *parent, const char *key, const char *text);

/* An array that belongs to the caller: a document of its own. */
cli_node *cli_node_list(void);
/* An object that belongs to the caller until cli_node_adopt makes it the last one of an array. */
cli_node *cli_node_alone(void);
void cli_node_adopt(cli_node *parent, cli_node *node);
/* To stdout. */
void cli_node_print(const cli_node *node);
irrun_status cli_node_write(cli *c, const cli_node *node, const char *path);
void cli_node_free(cli_node *node);

cli_json *cli_json_create(void);
/* The root; lists of ops and rules are added to it. */
cli_node *cli_json_root(cli_json *json);
/* Makes place for the next model, in the order of irrun_model_read. */
cli_node *cli_json_next_model(cli_json *json);
/* "diagnostics", a list of all that `c` shows. */
void cli_json_diagnostics(cli *c, cli_node *node);
/* Adds what is known at the end and all diagnostics, and prints the document to stdout. */
void cli_json_print(cli *c, irrun_status status);
void cli_json_free(cli_json *json);
/* From now on cJSON ends the program where there is no memory. */
void cli_set_json_memory(void);
/* Version of cJSON. */
const char *cli_json_library_version(void);

/* json_model.c: all of a model as the object `node`. `model` may be NULL. */
void cli_json_model(cli *c, cli_node *node, irrun_model *model, const char *path, irrun_status status);
void cli_json_shape(cli_node *parent, const char *key, const irrun_shape *shape);
void cli_json_dims(cli_node *parent, const char *key, const int64_t *dims, int rank);

#endif
