/* The text of one attribute: splits it into items with their places, and reads numbers, words, types and shapes. */
#ifndef IR_ATTR_TEXT_H
#define IR_ATTR_TEXT_H

#include "ops/op.h"

#define IR_REPEATED (-1) /* ir_ints.n of a fallback: the one item stands for every axis */

/* Item `axis` of a SPATIAL list; `otherwise` if the list is absent, at fault or too short. */
static inline int64_t ir_spatial_item(ir_ints list, int64_t axis, int64_t otherwise) {
  if (list.items == NULL || (list.n != IR_REPEATED && axis >= list.n))
    return otherwise;
  return list.items[list.n == IR_REPEATED ? 0 : axis];
}

typedef struct ir_text_value {
  const char *name, *text;
  ir_where where;      /* place of the whole value */
  bool exact;          /* the file has the text unchanged, so that items have places of their own */
  bool floats_allowed; /* an integer "2.0" is 2, with a warning */
  int64_t n_items;     /* number of items between commas; 0 if the text is blank */
} ir_text_value;

ir_text_value ir_text_value_of(const ir_graph *graph, const ir_layer *layer, const ir_raw_attr *raw);
/* Item `index`, trimmed; `*out_where` is its place. */
const char *ir_text_item(const ir_text_value *value, int64_t index, size_t *out_length, ir_where *out_where);

/* Collects the wrong items of an attribute for one message. */
typedef struct ir_wrong_items {
  char text[256]; /* "'x', 'y'" */
  size_t used;
  int64_t n;
  ir_where where; /* place of the first wrong item */
  bool too_large;
} ir_wrong_items;
void ir_wrong_items_add(ir_wrong_items *wrong, const char *item, size_t length, ir_where where);

/* Each reader reports all faults of an attribute at its first wrong item: IR206 for text of another kind, IR207 for a
 * value that is not allowed. It writes its outs only if there is no fault. */
/* `*out_readable`: every item is a number, so that their count is right even if a value is not. */
ir_code ir_text_ints(const ir_text_value *value, int64_t min, int64_t max, int64_t *out_items, bool *out_readable,
                     ir_diags *diags);
/* Reads a value of one item. */
ir_code ir_text_int(const ir_text_value *value, int64_t min, int64_t max, int64_t *out, ir_diags *diags);
/* Reads all items as doubles: decimal, inf or nan, in any locale. */
ir_code ir_text_floats(const ir_text_value *value, double *out_items, ir_diags *diags);
ir_code ir_text_bool(const ir_text_value *value, bool *out, ir_diags *diags);
/* `others`: other words for the same positions; or NULL. */
ir_code ir_text_enum(const ir_text_value *value, const char *const *names, const char *const *others, int *out,
                     ir_diags *diags);
/* `c_names`: the text has nGraph's names, such as "float", not an IR's. */
ir_code ir_text_type(const ir_text_value *value, bool c_names, ir_type *out, ir_diags *diags);
/* `intervals`: allows `?`, -1, a..b, ..b, a.., and `...` for an unknown rank. */
ir_code ir_text_shape(const ir_text_value *value, bool intervals, ir_shape *out, ir_diags *diags);

#endif
