#include "graph/bin_absence.h"
#include <errno.h>

ir_bin_absence ir_bin_absence_of(const ir_weights *weights) {
  if (weights == NULL)
    return IR_BIN_NOT_NAMED;
  if (ir_weights_are_other(weights))
    return IR_BIN_OTHER_FILE;
  switch (weights->error) {
  case 0:
    return IR_BIN_PRESENT;
  case ENOENT:
    return IR_BIN_NOT_THERE;
  case ENOTDIR:
  case EISDIR:
  case ESPIPE:
    return IR_BIN_NO_FILE;
  default:
    return IR_BIN_UNREADABLE;
  }
}
