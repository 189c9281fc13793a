#include "source.h"
#include "arena.h"
