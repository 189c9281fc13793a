/* Reports faults and surprises of a pool's attributes and windows that do not change its output shape. */
#ifndef IR_POOL_NOTES_H
#define IR_POOL_NOTES_H

#include "ops/pool/pool_facts.h"

/* Reports pads that have no effect because of auto_pad, and an auto_pad that has no effect because pads are missing. */
void ir_pool_check_attributes(const ir_node *node, ir_scope *scope);
/* Whether a spatial size of `in` still has consequences to report. True if the size is known, and the model is being
 * checked or the size was open in that check. */
bool ir_pool_is_news(const ir_scope *scope, const ir_shape *in, int axis);

/* Returns the first axis with a window that holds no input element, and its first such window in `*out_window`; -1 if
 * there is none. Skips axes that the check of the model already reported. */
int ir_pool_first_empty(const ir_pool_facts *facts, const ir_shape *out, int64_t *out_window);
/* Returns the first axis whose last window ends past the padded input but holds some input element; -1 if there is
 * none. Skips axes that the check of the model already reported. */
int ir_pool_first_past_pads(const ir_pool_facts *facts, const ir_shape *out);
/* Writes the index of a window to `buffer`, such as "0,2,0": `window` on axis `at`, and 0 on the other axes. */
const char *ir_pool_window_text(const ir_pool_facts *facts, int at, int64_t window, char *buffer, size_t size);
/* Reports windows without input elements, windows without a defined value, and sizes that differ from PyTorch's. */
void ir_pool_note_surprises(const ir_pool_facts *facts, const ir_shape *out);
/* For same_* pads in nGraph, reports which attribute has no effect: if a size of the input is open, auto_pad; otherwise
 * the given pads. */
void ir_pool_note_same(const ir_pool_facts *facts);

#endif
