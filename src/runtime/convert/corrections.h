/* The declarations of an IR's ports that inference corrects. */
#ifndef IR_CORRECTIONS_H
#define IR_CORRECTIONS_H

#include "runtime/model/model.h"

/* Given a port and what it has to declare: its own type, and dims, where they may be right. */
typedef ir_code (*ir_correction_visitor)(void *user, const ir_port *port, ir_type type, const ir_shape *shape);

typedef struct ir_corrections {
  int64_t n_ports, n_layers;
} ir_corrections;

/* Visits every port that declares something else than what was inferred, of an IR whose model was read to be
 * converted. A layer of an op that irrun lacks, whose outputs stay as declared though its inputs are corrected, is a
 * warning (IR210). */
ir_code ir_find_corrections(irrun_model *model, ir_correction_visitor visit, void *user, ir_corrections *out);

#endif
