/* Facts that the parts of a pool's shape rule (pool.c, pool_notes.c) share. */
#ifndef IR_POOL_FACTS_H
#define IR_POOL_FACTS_H

#include "ops/pool/pool.h"

typedef struct ir_pool_facts {
  const ir_node *node;
  const ir_pool_params *params;
  const ir_value *in;
  ir_scope *scope;
  ir_auto_pad auto_pad; /* the one that applies */
  int n_spatial;
  bool average;
} ir_pool_facts;

ir_pool_facts ir_pool_facts_of(const ir_node *node, const ir_value *in, bool average, ir_scope *scope);
/* The file's name for the attribute in a field of ir_pool_params, and its word for a position of an enum. */
const char *ir_pool_name(const ir_node *node, size_t offset);
const char *ir_pool_word(const ir_node *node, size_t offset, int position);
const char *ir_pool_kernel_name(const ir_pool_facts *facts);
/* Spatial axis `axis` with resolved pads. */
ir_window_axis ir_pool_facts_axis(const ir_pool_facts *facts, int axis, int64_t n);

/* The first axis with windows that hold no input, and its first such window, `*out_window`. Skips axes that the check
 * of the model already reported; -1: none. */
int ir_pool_first_empty(const ir_pool_facts *facts, const ir_shape *out, int64_t *out_window);
/* The first axis whose last window ends past the padded input, but holds some input. Skips axes in the same way. */
int ir_pool_first_past_pads(const ir_pool_facts *facts, const ir_shape *out);
/* Indices of the window that is `window` on axis `at` and 0 on the others: "0,2,0". */
const char *ir_pool_window_text(const ir_pool_facts *facts, int at, int64_t window, char *buffer, size_t size);
/* Notes that windows are correct but surprising, or that they have no defined value. */
void ir_pool_note_surprises(const ir_pool_facts *facts, const ir_shape *out);
/* Notes that same_* pads replace the given ones only when all sizes are known. */
void ir_pool_note_same(const ir_pool_facts *facts);

#endif
