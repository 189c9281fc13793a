/* Reads the models of tests/golden/families and sets their inputs, for tests. */
#ifndef FAMILY_H
#define FAMILY_H

#include "irrun.h"

enum { FAMILIES = 18, FAMILY_PATH = 1024 };
extern const char *const families[FAMILIES];

/* Writes the path of a family's model to `buffer` and returns `buffer`. */
const char *family_model(const char *family, char buffer[FAMILY_PATH]);
/* Sets all inputs of a run from the family's io.npz. If `are_halved`, halves the floats, so that contents change
 * while indices, axes and sizes stay. Returns false if a call fails. */
bool family_set_inputs(irrun_context *context, irrun_model *model, irrun_run *run, const char *family, bool are_halved);

#endif
