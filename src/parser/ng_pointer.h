/* JSON pointers (RFC 6901) of places in a model's text. */
#ifndef NG_POINTER_H
#define NG_POINTER_H

#include "base/source.h"

/* Sets the ir_source.find_path of a JSON text. */
void ng_name_places(ir_source *source);

#endif
