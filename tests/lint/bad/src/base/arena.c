#include "ops/op.h"
/*
 * What is written
 * Of two lines. By nobody.
 */
