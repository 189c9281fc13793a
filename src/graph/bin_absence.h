/* Why the constants of a model cannot be had from its .bin. */
#ifndef IR_BIN_ABSENCE_H
#define IR_BIN_ABSENCE_H

#include "graph/weights.h"

typedef enum ir_bin_absence {
  IR_BIN_PRESENT,
  IR_BIN_NOT_NAMED,  /* none is given, and none can be beside the model */
  IR_BIN_NOT_THERE,  /* nothing has that path */
  IR_BIN_NO_FILE,    /* a folder, a stream, or something below a file */
  IR_BIN_UNREADABLE, /* it is there and cannot be read, for want of memory or of a right say */
  IR_BIN_OTHER_FILE  /* its first bytes say for certain that it is another file */
} ir_bin_absence;

/* Of a file that was tried to be opened; NULL: none. */
ir_bin_absence ir_bin_absence_of(const ir_weights *weights);

#endif
