/* JSON pointers (RFC 6901) of places in a model's text. */
#ifndef NG_POINTER_H
#define NG_POINTER_H

#include "base/source.h"

/* Gives the source of a JSON text its ir_source.find_path. */
void ng_name_places(ir_source *source);

#endif
