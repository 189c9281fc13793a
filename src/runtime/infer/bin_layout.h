/* Checks the offsets and sizes of all constants in an IR's .bin, and finds infinite constants. */
#ifndef IR_BIN_LAYOUT_H
#define IR_BIN_LAYOUT_H

#include "runtime/model/model.h"

/* Reports constants that overlap (IR408). If all offsets are too large by the same number, reports IR402 and sets
 * ir_weights.is_shifted, and no constant is read. Runs before inference. */
ir_code ir_check_bin_layout(irrun_model *model);

/* Notes constants that contain an infinity or a NaN (IR407). Without -v or --deny=IR407, skips constants above
 * IR_MAX_KNOWN_BYTES. Runs after inference, if the .bin is sound. */
void ir_note_infinite_constants(irrun_model *model);

#endif
