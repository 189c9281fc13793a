/* Copies text from the file of an IR that was read without a fault of the XML. */
#ifndef IR_LAYER_TEXTS_H
#define IR_LAYER_TEXTS_H

#include "base/buffer.h"
#include "ir_mend.h"

/* Reads the whole text of a model. */
ir_code ir_read_text(ir_source *source, ir_buffer *out, ir_diags *diags);
/* Sets `out_texts[i]` to the text of layer i of the graph if `wanted[i]`, with the layer's bodies and the elements that
 * irrun does not read, and with the edits, which lie in these layers. The arena owns the texts. */
ir_code ir_layer_texts(ir_edits *edits, const bool *wanted, ir_arena *arena, const char **out_texts);

#endif
