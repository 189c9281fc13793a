#include "ops/op.h"
