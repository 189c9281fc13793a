/* The small models that the examples of the rule table stand in, and the folder that they are tried in. */
#ifndef EXAMPLE_MODELS_H
#define EXAMPLE_MODELS_H

#include <stdbool.h>
#include <stddef.h>

/* The model that has `part`, as a text, with `replacement` in its place (both may be NULL: the model "pool" as it is).
 * The caller frees it. NULL when no model has the part. */
char *example_model(const char *part, const char *replacement);

/* Writes to `folder` what the commands of the examples use: pool.xml, adaptive.xml, constant.xml, two.xml, dynamic.xml
 * and huge.xml with their .bin files, and tensors for them. False when a file cannot be written. */
bool example_folder_fill(const char *folder);

#endif
