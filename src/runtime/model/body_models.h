/* Bodies of If, Loop and TensorIterator as models of their own, bound to their layers. */
#ifndef IR_MODEL_BODIES_H
#define IR_MODEL_BODIES_H

#include "ops/bodies.h"
#include "runtime/model/model.h"

/* Makes model->bodies, runs on each body the stages that precede inference, and sets ir_node.bodies of their layers.
 * Reports faults of port maps and back edges (IR331) and of attributes. */
ir_code ir_model_make_bodies(irrun_model *model);
void ir_model_free_bodies(irrun_model *model);
/* Body `number` of the node, which has bodies. */
irrun_model *ir_body_model(irrun_model *model, const ir_node *node, int number);
/* The number of node `index` among the model's inputs; -1: it is no input. */
int32_t ir_model_input_number(const irrun_model *model, int32_t index);

#endif
