/* Changes parts of the text of an IR, such as the types and shapes that ports declare. All other text stays. */
#ifndef IR_MEND_H
#define IR_MEND_H

#include "base/byte_stream.h"
#include "graph/graph.h"

/* Replaces bytes [begin, end) of a file by a text. */
typedef struct ir_edit {
  int64_t begin, end;
  const char *text;
  const char *asker; /* ir_edits.asker when the edit was added */
  size_t number;     /* index among all edits in the order in which they were added */
} ir_edit;

typedef struct ir_edits {
  const ir_graph *graph;
  ir_diags *diags;
  ir_arena *arena; /* owns the texts of `items` */
  ir_edit *items;
  size_t n, capacity;
  const char *asker; /* why edits are added now: the text of an --edit; NULL: no such reason */
} ir_edits;

void ir_edits_init(ir_edits *edits, const ir_graph *graph, ir_arena *arena, ir_diags *diags);
void ir_edits_reset(ir_edits *edits);
/* Adds an edit, with a copy of `text`. Reports only if memory is out. */
ir_code ir_add_edit(ir_edits *edits, int64_t begin, int64_t end, const char *text, size_t length);
/* Sorts by place; edits at one place stay in the order in which they were added. */
void ir_sort_edits(ir_edits *edits);
/* Adds the edits after which `port` declares `type` and `shape`; an open dim becomes -1. A correct declaration keeps
 * its spelling, and a port without <dim>s gets none. Reports if memory is out or the file cannot be read. */
ir_code ir_mend_port(ir_edits *edits, const ir_port *port, ir_type type, const ir_shape *shape);
/* Writes the graph's file with the edits. Reports if the file cannot be read again. If the sink fails, stops without a
 * report: the sink keeps the reason. */
ir_code ir_write_mended(ir_edits *edits, ir_byte_sink sink);

#endif
