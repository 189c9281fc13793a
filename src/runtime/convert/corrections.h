/* Finds ports of an IR whose declaration differs from inference. */
#ifndef IR_CORRECTIONS_H
#define IR_CORRECTIONS_H

#include "runtime/model/model.h"

/* Called with a port and the type and shape that it should declare. Parts of the old declaration that agree with
 * inference are kept. */
typedef ir_code (*ir_correction_visitor)(void *user, const ir_port *port, ir_type type, const ir_shape *shape);

typedef struct ir_corrections {
  int64_t n_ports, n_layers;
} ir_corrections;

/* Calls `visit` for every port, also in bodies, whose declaration differs from the inferred value. The IR must have
 * been read with IRRUN_TO_CONVERT. If irrun lacks a layer's op and corrects the layer's inputs, warns (IR210) that it
 * cannot correct the outputs. */
ir_code ir_find_corrections(irrun_model *model, ir_correction_visitor visit, void *user, ir_corrections *out);

#endif
