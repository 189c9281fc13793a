/* Pieces of the text of a model, for tests that write one. Inputs' ports are numbered from 0; layers without inputs
 * have output port 0. Nothing is declared but element types. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "base/dtype.h"
#include <stdio.h>

/* Opens the file and begins with layers. */
FILE *model_begin(const char *xml);
/* `shape` as the file writes it: "1,?,4..". */
void model_parameter(FILE *file, int id, const char *name, ir_type type, const char *shape);
void model_const(FILE *file, int id, const char *name, ir_type type, const char *shape, size_t offset, size_t bytes);
void model_result(FILE *file, int id, const char *name);
/* Between layers and edges. */
void model_edges(FILE *file);
void model_edge(FILE *file, int from, int from_port, int to, int to_port);
/* Ends the text and closes the file. */
void model_end(FILE *file);

enum { MODEL_LIST = 512 };
/* "2,3": a list of attributes and shapes. Returns `buffer`. */
const char *model_list(const int64_t *items, int n, char buffer[MODEL_LIST]);

#endif
