/* Reduces each segment of a table's rows to one row, for embedding bags and segment reductions. */
#ifndef IR_SEGMENT_REDUCE_H
#define IR_SEGMENT_REDUCE_H

#include "ops/prepare.h"

typedef enum ir_segment_reduction { IR_SEGMENT_SUM, IR_SEGMENT_MEAN, IR_SEGMENT_MOST } ir_segment_reduction;

/* Port numbers of the node's inputs; -1: the node has no such input. Input 0 is the table; its first axis counts rows.
 * Indices are a list of positions, each of which selects a row. */
typedef struct ir_segments {
  int indices; /* row of the table at each position; -1: position i selects row i */
  /* Segment i has these positions: with `offsets`, [offsets[i], offsets[i + 1]); with `ids`, those whose id is i; with
   * neither, row i of the indices. Ids are sorted; ids above the last segment are ignored. */
  int offsets, ids;
  int weights;       /* weight of each position */
  int default_index; /* row of the table that replaces an empty segment; without this input, or if the row is negative,
                        an empty segment is 0 */
  ir_segment_reduction reduction;
  bool empty_is_lowest; /* an empty segment is the type's lowest number, not 0 */
} ir_segments;

/* Appends the step that computes output 0, of shape [number of segments, the table's other axes..]. */
ir_code ir_segment_reduce_step(ir_plan *plan, const ir_node *node, const ir_segments *segments, ir_scope *scope);

#endif
