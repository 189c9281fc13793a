/* Finds the reason why a model's .bin, with its constants, is unavailable. */
#ifndef IR_BIN_ABSENCE_H
#define IR_BIN_ABSENCE_H

#include "graph/weights.h"

typedef enum ir_bin_absence {
  IR_BIN_PRESENT,
  IR_BIN_NOT_NAMED,  /* no .bin was named, and none can be beside the model, which is from memory or stdin */
  IR_BIN_NOT_THERE,  /* the path does not exist */
  IR_BIN_NO_FILE,    /* the path is a directory or a stream, or goes through a regular file */
  IR_BIN_UNREADABLE, /* the file exists but cannot be read: no permission, no memory */
  IR_BIN_OTHER_FILE  /* the file's first bytes prove that it is another kind of file */
} ir_bin_absence;

/* Returns the reason, after an attempt to open the file. `weights` is NULL if no .bin was named. */
ir_bin_absence ir_bin_absence_of(const ir_weights *weights);

#endif
