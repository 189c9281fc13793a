#include "model.h"
#include "ops/op.h"
#include "parser/ir_xml.h"
