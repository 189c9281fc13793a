/* Checks the offsets, sizes and contents of all constants in an IR's .bin. */
#ifndef IR_BIN_LAYOUT_H
#define IR_BIN_LAYOUT_H

#include "runtime/model/model.h"

/* Reports constants that overlap (IR408). If all offsets are too large by the same number, reports IR402 and sets
 * ir_weights.is_shifted, and no constant is read. Runs before inference. */
ir_code ir_check_bin_layout(irrun_model *model);

/* In a check, notes constants that contain an infinity or a NaN (IR407); without -v or --deny=IR407, skips constants
 * above IR_MAX_KNOWN_BYTES. With --deny=IR409, reports constants that f16 cannot hold. Runs after inference, if the
 * .bin is sound. */
void ir_note_contents(irrun_model *model, bool is_check);

#endif
