/* Writes parts of a model's IR file. Input ports are numbered from 0, and a layer without inputs has output port 0.
 * Ports declare element types, but no shapes. */
#ifndef MODEL_TEXT_H
#define MODEL_TEXT_H

#include "base/dtype.h"
#include <stdio.h>

/* Opens the file and writes the text up to <layers>. */
FILE *model_begin(const char *xml);
/* Writes a Parameter. `shape` has the format of the file, such as "1,?,4..". */
void model_parameter(FILE *file, int id, const char *name, ir_type type, const char *shape);
void model_const(FILE *file, int id, const char *name, ir_type type, const char *shape, size_t offset, size_t bytes);
void model_result(FILE *file, int id, const char *name);
/* Writes the text between the last layer and the first edge. */
void model_edges(FILE *file);
void model_edge(FILE *file, int from, int from_port, int to, int to_port);
/* Writes the rest of the text and closes the file. */
void model_end(FILE *file);

enum { MODEL_LIST = 512 };
/* Prints a list as attributes and shapes have it, such as "2,3". Returns `buffer`. */
const char *model_list(const int64_t *items, int n, char buffer[MODEL_LIST]);

#endif
