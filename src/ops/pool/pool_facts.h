/* What the parts of a pool's shape rule (pool.c, pool_notes.c) hand each other. */
#ifndef IR_POOL_FACTS_H
#define IR_POOL_FACTS_H

#include "ops/pool/pool.h"

typedef struct ir_pool_facts {
  const ir_node *node;
  const ir_pool_params *params;
  const ir_value *in;
  ir_scope *scope;
  ir_auto_pad auto_pad; /* in force */
  int n_spatial;
  bool average;
} ir_pool_facts;

ir_pool_facts ir_pool_facts_of(const ir_node *node, const ir_value *in, bool average, ir_scope *scope);
/* What the file calls the attribute of a field of ir_pool_params, and the word that it has for a position of an enum.
 */
const char *ir_pool_name(const ir_node *node, size_t offset);
const char *ir_pool_word(const ir_node *node, size_t offset, int position);
const char *ir_pool_kernel_name(const ir_pool_facts *facts);
/* Spatial axis `axis` with the pads in force. */
ir_window_axis ir_pool_facts_axis(const ir_pool_facts *facts, int axis, int64_t n);

/* The first axis that has windows without any input, and the first of those: `*out_window`. Of axes that a check could
 * not tell of; -1 when there is none. */
int ir_pool_first_empty(const ir_pool_facts *facts, const ir_shape *out, int64_t *out_window);
/* The first axis whose last window ends past the padded input, but holds some of the input; likewise. */
int ir_pool_first_past_pads(const ir_pool_facts *facts, const ir_shape *out);
/* "0,2,0": the window that is the given one on its axis and the first on the others. */
const char *ir_pool_window_text(const ir_pool_facts *facts, int at, int64_t window, char *buffer, size_t size);
/* What is right and may surprise, or has no value, of windows that lead to `out`. */
void ir_pool_note_surprises(const ir_pool_facts *facts, const ir_shape *out);
/* Where same_* pads take the place of the given ones only once all sizes are known. */
void ir_pool_note_same(const ir_pool_facts *facts);

#endif
