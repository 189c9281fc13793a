/* Small models into which the examples of the rule table are inserted, and the folder in which they are tried. */
#ifndef EXAMPLE_MODELS_H
#define EXAMPLE_MODELS_H

#include <stdbool.h>
#include <stddef.h>

/* The text of the model that has `part`, replaced by `replacement` (both may be NULL: the unchanged model "pool"). The
 * caller frees it. NULL if no model has the part. */
char *example_model(const char *part, const char *replacement);

/* Writes to `folder` the files for the commands of the examples: pool.xml, adaptive.xml, constant.xml, two.xml,
 * dynamic.xml and huge.xml with their .bin files, and tensors. False if a file cannot be written. */
bool example_folder_fill(const char *folder);

#endif
