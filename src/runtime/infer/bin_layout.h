/* Checks the places of all constants in an IR's .bin, and finds infinite contents. */
#ifndef IR_BIN_LAYOUT_H
#define IR_BIN_LAYOUT_H

#include "runtime/model/model.h"

/* Runs before inference: reports constants that overlap, and offsets that are all too large by the same number; then no
 * constant is read (ir_weights.is_shifted). */
ir_code ir_check_bin_layout(irrun_model *model);

/* Runs after inference if the .bin is sound: notes constants with an infinity or a NaN; only small constants, unless
 * all are requested. */
void ir_note_infinite_constants(irrun_model *model);

#endif
