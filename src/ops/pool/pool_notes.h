/* Reports about a pool's attributes and windows, beside its shape. */
#ifndef IR_POOL_NOTES_H
#define IR_POOL_NOTES_H

#include "ops/pool/pool_facts.h"

/* Notes pads that have no effect because of `auto_pad`. */
void ir_pool_check_attributes(const ir_node *node, ir_scope *scope);
/* Whether this spatial size of `in` is known, and was not yet when the model was checked, so that its consequences are
 * still to be reported. */
bool ir_pool_is_news(const ir_scope *scope, const ir_shape *in, int axis);

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
