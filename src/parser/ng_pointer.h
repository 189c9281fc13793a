/* Finds the JSON pointer (RFC 6901) of a place in a model's text, such as /0/ops/2/name. */
#ifndef NG_POINTER_H
#define NG_POINTER_H

#include "base/source.h"

/* Sets `source->find_path` for a JSON text, so that diagnostics have the JSON pointer of their place. */
void ng_name_places(ir_source *source);

#endif
