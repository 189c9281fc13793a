#include "op.h"
#include "parser/ir_xml.h"
#include "runtime/model.h"
