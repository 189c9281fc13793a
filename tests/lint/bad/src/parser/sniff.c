#include "base/arena.h"
#include "ops/op.h"
#include <libxml/parser.h>
