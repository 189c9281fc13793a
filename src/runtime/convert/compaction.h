/* Lays out a new .bin, which has only the bytes of constants, and equal constants once. */
#ifndef IR_COMPACTION_H
#define IR_COMPACTION_H

#include "parser/ir_mend.h"
#include "runtime/model/model.h"

typedef struct ir_compaction {
  struct ir_piece *pieces; /* constants in the order of the new .bin */
  size_t n;
  int64_t bytes; /* of the new .bin */
} ir_compaction;

/* Lists the constants of the model and its bodies. Passes over the layers of the model for which `wanted` is false, and
 * over their bodies; NULL wants all. */
ir_code ir_list_constants(irrun_model *model, const bool *wanted, ir_compaction *out);
/* Finds new offsets for the listed constants, and adds edits of the text with them. If there are constants, the .bin
 * must be open. */
ir_code ir_compact(const irrun_model *model, ir_compaction *c, ir_edits *edits);
/* Writes the new .bin. Reports if the .bin cannot be read; the sink keeps the reason of its own failure. */
ir_code ir_write_compact(const ir_compaction *compaction, ir_weights *weights, ir_byte_sink sink, ir_diags *diags);

#endif
