/* What a pool's attributes and windows give rise to say beside the shape. */
#ifndef IR_POOL_NOTES_H
#define IR_POOL_NOTES_H

#include "ops/pool/pool_facts.h"

/* Pads that `auto_pad` makes meaningless: a note. */
void ir_pool_check_attributes(const ir_node *node, ir_scope *scope);
/* A size of `in` is known on this spatial axis and, in a run, was not when the model was checked: what follows from it
 * has not been said yet. */
bool ir_pool_is_news(const ir_scope *scope, const ir_shape *in, int axis);

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
