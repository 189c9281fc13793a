/* Reasons why the constants of a model's .bin are unavailable. */
#ifndef IR_BIN_ABSENCE_H
#define IR_BIN_ABSENCE_H

#include "graph/weights.h"

typedef enum ir_bin_absence {
  IR_BIN_PRESENT,
  IR_BIN_NOT_NAMED,  /* no file was given, and the model's name implies none */
  IR_BIN_NOT_THERE,  /* the path does not exist */
  IR_BIN_NO_FILE,    /* a directory, a stream, or a path below a file */
  IR_BIN_UNREADABLE, /* it exists but cannot be read, for example for lack of memory or permission */
  IR_BIN_OTHER_FILE  /* its first bytes prove that it is another kind of file */
} ir_bin_absence;

/* The reason for a file after an attempt to open it; NULL: none was named. */
ir_bin_absence ir_bin_absence_of(const ir_weights *weights);

#endif
