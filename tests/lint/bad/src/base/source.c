#include "base/source.h"
#include "base/arena.h"
#include "diag/rules.h"
