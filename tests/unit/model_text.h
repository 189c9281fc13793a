/* Writes pieces of a model's text. Input ports are numbered from 0; layers without inputs have output port 0. Ports
 * declare only element types. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "base/dtype.h"
#include <stdio.h>

/* Opens the file and begins <layers>. */
FILE *model_begin(const char *xml);
/* Writes a Parameter; `shape` as in the file: "1,?,4..". */
void model_parameter(FILE *file, int id, const char *name, ir_type type, const char *shape);
void model_const(FILE *file, int id, const char *name, ir_type type, const char *shape, size_t offset, size_t bytes);
void model_result(FILE *file, int id, const char *name);
/* Ends <layers> and begins <edges>. */
void model_edges(FILE *file);
void model_edge(FILE *file, int from, int from_port, int to, int to_port);
/* Ends the text and closes the file. */
void model_end(FILE *file);

enum { MODEL_LIST = 512 };
/* Prints a list for attributes and shapes: "2,3". Returns `buffer`. */
const char *model_list(const int64_t *items, int n, char buffer[MODEL_LIST]);

#endif
