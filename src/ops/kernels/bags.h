/* Bags of rows of a table, each made one row: of embeddings, and of segments. */
#ifndef IR_BAGS_H
#define IR_BAGS_H

#include "ops/prepare.h"

typedef enum ir_bag_reduction { IR_BAG_SUM, IR_BAG_MEAN, IR_BAG_MOST } ir_bag_reduction;

/* Inputs of the node; -1: it has none such. Input 0 is the table, its first axis that of rows. */
typedef struct ir_bags {
  int indices; /* of the rows, position by position; -1: position i is row i */
  /* Bag i has the positions from offsets[i] to before the next one, or those whose id is i, or, with neither, row i of
   * the indices. Ids are sorted; those that no bag has are passed over. */
  int offsets, ids;
  int weights;       /* of positions */
  int default_index; /* the row of a bag without positions; without it, or below 0, such a bag is 0 */
  ir_bag_reduction reduction;
  bool empty_is_lowest; /* such a bag is the lowest number in place of 0 */
} ir_bags;

/* Appends the step that makes output 0: [bags, the table's other axes]. */
ir_code ir_bags_step(ir_plan *plan, const ir_node *node, const ir_bags *bags, ir_scope *scope);

#endif
