/* Segments of rows of a table, each made one row: of embeddings, and of segments. */
#ifndef IR_SEGMENT_REDUCE_H
#define IR_SEGMENT_REDUCE_H

#include "ops/plan.h"

typedef enum ir_segment_reduction { IR_SEGMENT_SUM, IR_SEGMENT_MEAN, IR_SEGMENT_MOST } ir_segment_reduction;

/* Inputs of the node; -1: it has none such. Input 0 is the table, its first axis that of rows. */
typedef struct ir_segments {
  int indices; /* of the rows, position by position; -1: position i is row i */
  /* Bag i has the positions from offsets[i] to before the next one, or those whose id is i, or, with neither, row i of
   * the indices. Ids are sorted; those that no segment has are passed over. */
  int offsets, ids;
  int weights;       /* of positions */
  int default_index; /* the row of a segment without positions; without it, or below 0, such a segment is 0 */
  ir_segment_reduction reduction;
  bool empty_is_lowest; /* such a segment is the lowest number in place of 0 */
} ir_segments;

/* Appends the step that makes output 0: [segments, the table's other axes]. */
ir_code ir_segment_reduce_step(ir_plan *plan, const ir_node *node, const ir_segments *segments, ir_scope *scope);

#endif
