#include "base/arena.h"
#include "irrun.h"
#include <cjson/cJSON.h>
