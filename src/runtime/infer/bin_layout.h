/* Checks of all constants of an IR in its .bin: their places, and infinite contents. */
#ifndef IR_BIN_LAYOUT_H
#define IR_BIN_LAYOUT_H

#include "runtime/model/model.h"

/* Before anything is inferred: reports constants whose bytes overlap, and offsets that are all too large by the same
 * number, after which no constant is read (ir_weights.is_shifted). */
ir_code ir_check_bin_layout(irrun_model *model);

/* When all is inferred and the .bin is sound: notes the constants with an infinity or a NaN, the small ones, or all
 * when that is asked for. */
void ir_note_infinite_constants(irrun_model *model);

#endif
