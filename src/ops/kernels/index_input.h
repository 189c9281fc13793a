/* Reads indices from tensors, and reports an index that is out of range. Another thread, or another process through a
 * mapped file, can change indices during a run, so each is read once. Either the kernel checks an index when it uses it
 * (gather_scatter.c), or the op's port is `checked` (ir_port_spec). */
#ifndef IR_INDEX_INPUT_H
#define IR_INDEX_INPUT_H

#include "ops/prepare.h"

typedef struct ir_index_input {
  ir_diags *diags;
  ir_where where;
  const char *name; /* name of the input */
} ir_index_input;

ir_index_input ir_index_input_of(const ir_plan *plan, const ir_node *node, int port, const ir_scope *scope);

/* Reports IR509: element `at` of the input is `index`, but must lie in [least, limit). */
ir_code ir_index_report(const ir_index_input *input, int64_t at, int64_t index, int64_t least, int64_t limit);

/* Reports IR509 for an index that was out of range when the kernel used it and has changed since. */
ir_code ir_index_report_change(const ir_index_input *input);

/* Loads elements [at, at + n) of a tensor of numbers. Floats are truncated; numbers of u64 above INT64_MAX become
 * INT64_MAX. */
void ir_index_load(const ir_tensor *indices, int64_t at, int64_t n, int64_t *out);
static inline int64_t ir_index_at(const ir_tensor *indices, int64_t at) {
  int64_t out;
  ir_index_load(indices, at, 1, &out);
  return out;
}
/* Stores n integers as elements [at, at + n) of a tensor of numbers. */
void ir_index_store(const int64_t *numbers, int64_t n, ir_tensor *out, int64_t at);

#endif
