/* Small models into which tests insert the examples of the rule table, and the folder in which they run the
 * examples. */
#ifndef EXAMPLE_MODELS_H
#define EXAMPLE_MODELS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the text of the model that contains `part`, with `replacement` in its place. If both are NULL, returns the
 * model "pool" unchanged. Returns NULL if no model has the part. The caller frees the text. */
char *example_model(const char *part, const char *replacement);

/* Writes the files that the examples' commands read: pool.xml, adaptive.xml, constant.xml, two.xml, matmul.xml,
 * dynamic.xml and huge.xml with their .bin files, and tensors. Returns false if a file cannot be written. */
bool example_folder_fill(const char *folder);

#endif
