/* Finds port declarations of an IR that inference corrects. */
#ifndef IR_CORRECTIONS_H
#define IR_CORRECTIONS_H

#include "runtime/model/model.h"

/* Called with a port and its corrected declaration: the type, and the dims; consistent parts stay. */
typedef ir_code (*ir_correction_visitor)(void *user, const ir_port *port, ir_type type, const ir_shape *shape);

typedef struct ir_corrections {
  int64_t n_ports, n_layers;
} ir_corrections;

/* Visits every port whose declaration differs from the inferred value, in an IR that was read to be converted. Warns
 * (IR210) of a layer with an unknown op: its outputs stay as declared although its inputs are corrected. */
ir_code ir_find_corrections(irrun_model *model, ir_correction_visitor visit, void *user, ir_corrections *out);

#endif
