#include "ops/math/add.h"
#include "ops/op.h"
