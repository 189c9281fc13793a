/* Makes a model of each body of an If, Loop or TensorIterator, and connects the body with the ports of its layer. */
#ifndef IR_MODEL_BODIES_H
#define IR_MODEL_BODIES_H

#include "ops/bodies.h"
#include "runtime/model/model.h"

/* Makes model->bodies: looks up, links, orders and binds each body, and sets ir_node.bodies of the layers. Reports
 * faults of port maps and back edges (IR331), and of attributes. */
ir_code ir_model_make_bodies(irrun_model *model);
void ir_model_free_bodies(irrun_model *model);
/* Returns body `number` of the node. The node must have bodies. */
irrun_model *ir_body_model(irrun_model *model, const ir_node *node, int number);
/* Returns the position of node `index` in model->inputs; -1: the node is no input. */
int32_t ir_model_input_number(const irrun_model *model, int32_t index);

#endif
