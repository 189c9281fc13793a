/* The models of tests/golden/families, and their inputs. */
#ifndef FAMILY_H
#define FAMILY_H

#include "irrun.h"

enum { FAMILIES = 18, FAMILY_PATH = 1024 };
extern const char *const families[FAMILIES];

/* The path of a family's model. Returns `buffer`. */
const char *family_model(const char *family, char buffer[FAMILY_PATH]);
/* Sets the inputs of a run of the family's model. `are_halved`: floats are, so that their contents are others; indices,
 * axes and sizes stay as they are. False when something fails. */
bool family_set_inputs(irrun_context *context, irrun_model *model, irrun_run *run, const char *family, bool are_halved);

#endif
