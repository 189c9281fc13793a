/* An nGraph model as an IR of version 11: its graph, and the constants of its .bin. */
#ifndef IR_TRANSLATE_H
#define IR_TRANSLATE_H

#include "base/byte_stream.h"
#include "runtime/model/model.h"

typedef struct ir_translation {
  ir_graph graph;   /* what results need, and every Parameter, in the order of the model; its places are the model's */
  int32_t *nodes;   /* of the model, that its layers stand for */
  int64_t *offsets; /* of constants, in the .bin */
  int64_t bin_bytes;
  int64_t n_left_out; /* layers of the model that it has not */
} ir_translation;

/* Of a model without faults. What an IR cannot say is IR213, what it says otherwise IR214, at the node. The translation
 * is reset also after a failure, and does not outlive the model. */
ir_code ir_translate(irrun_model *model, ir_translation *out);
void ir_translation_reset(ir_translation *translation);
/* Writes the .bin. The sink knows of its own failures. */
ir_code ir_write_constants(irrun_model *model, const ir_translation *translation, ir_byte_sink sink);

#endif
