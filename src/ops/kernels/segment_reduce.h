/* Reduces segments of a table's rows to one row each: embeddings, and segment reductions. */
#ifndef IR_SEGMENT_REDUCE_H
#define IR_SEGMENT_REDUCE_H

#include "ops/prepare.h"

typedef enum ir_segment_reduction { IR_SEGMENT_SUM, IR_SEGMENT_MEAN, IR_SEGMENT_MOST } ir_segment_reduction;

/* Input ports of the node; -1: the node has no such input. Input 0 is the table; its first axis counts rows. */
typedef struct ir_segments {
  int indices; /* row of each position; -1: position i is row i */
  /* Segment i has the positions [offsets[i], offsets[i + 1]), or those with id i, or, with neither input, row i of the
   * indices. Ids are sorted; those above the last segment are ignored. */
  int offsets, ids;
  int weights;       /* weights of positions */
  int default_index; /* the row that replaces an empty segment; if absent or negative, an empty segment is 0 */
  ir_segment_reduction reduction;
  bool empty_is_lowest; /* an empty segment is the type's lowest number, not 0 */
} ir_segments;

/* Appends the step that computes output 0: [segments, the table's other axes]. */
ir_code ir_segment_reduce_step(ir_plan *plan, const ir_node *node, const ir_segments *segments, ir_scope *scope);

#endif
