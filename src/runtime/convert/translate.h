/* Translates an nGraph model to an IR of version 11: a graph, and the constants for its .bin. */
#ifndef IR_TRANSLATE_H
#define IR_TRANSLATE_H

#include "base/byte_stream.h"
#include "runtime/model/model.h"

typedef struct ir_translation {
  ir_graph graph;   /* layers that Results need, and all Parameters; places refer to the nGraph file */
  int32_t *nodes;   /* for each layer of `graph`: index of the model's node from which the layer was made */
  int64_t *offsets; /* for each layer of `graph`: offset in the .bin, if the layer is a constant */
  int64_t bin_bytes;
  int64_t n_left_out; /* number of the model's layers that are not translated, because no Result needs them */
} ir_translation;

/* Translates a model that was read without a fault. Reports nodes that an IR cannot express (IR213), or computes
 * differently (IR214). The model must outlive the translation, which must be reset even after a failure. */
ir_code ir_translate(irrun_model *model, ir_translation *out);
void ir_translation_reset(ir_translation *translation);
/* Writes all constants to the sink. If the sink fails, returns IR_OK: the sink keeps its own errors. */
ir_code ir_write_constants(irrun_model *model, const ir_translation *translation, ir_byte_sink sink);

#endif
