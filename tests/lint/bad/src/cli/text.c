#include "irrun.h"
#include "arena.h"
#include <cjson/cJSON.h>
