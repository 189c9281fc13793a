/* Translates an nGraph model to an IR of version 11: a graph, and the constants of its .bin. */
#ifndef IR_TRANSLATE_H
#define IR_TRANSLATE_H

#include "base/byte_stream.h"
#include "runtime/model/model.h"

typedef struct ir_translation {
  ir_graph graph;   /* layers that results need, and all Parameters, in the model's order and with its places */
  int32_t *nodes;   /* one per layer: the model's node that it represents */
  int64_t *offsets; /* of the constants in the .bin */
  int64_t bin_bytes;
  int64_t n_left_out; /* layers of the model that are left out */
} ir_translation;

/* Translates a model without faults. Reports IR213 at nodes that an IR cannot express, IR214 at nodes that it expresses
 * differently. Reset the translation even after a failure; the model has to outlive it. */
ir_code ir_translate(irrun_model *model, ir_translation *out);
void ir_translation_reset(ir_translation *translation);
/* Writes the .bin. The sink keeps its own failures. */
ir_code ir_write_constants(irrun_model *model, const ir_translation *translation, ir_byte_sink sink);

#endif
