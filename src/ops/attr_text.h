/* The text of one attribute: split into items, each with its place, and read as numbers, words, types and shapes. */
#ifndef IR_ATTR_TEXT_H
#define IR_ATTR_TEXT_H

#include "ops/op.h"

#define IR_REPEATED (-1) /* ir_ints.n of a fallback: one item stands for every axis */

/* Item `axis` of a SPATIAL list; `otherwise` when the list is absent, at fault or too short. */
static inline int64_t ir_spatial_item(ir_ints list, int64_t axis, int64_t otherwise) {
  if (list.items == NULL || (list.n != IR_REPEATED && axis >= list.n))
    return otherwise;
  return list.items[list.n == IR_REPEATED ? 0 : axis];
}

typedef struct ir_text_value {
  const char *name, *text;
  ir_where where;      /* of the whole value */
  bool exact;          /* the text stands in the file as it is, so that items have places of their own */
  bool floats_allowed; /* an integer "2.0" is 2, with a warning */
  int64_t n_items;     /* between commas; 0 when there is nothing but blanks */
} ir_text_value;

ir_text_value ir_text_value_of(const ir_graph *graph, const ir_layer *layer, const ir_raw_attr *raw);
/* Item `index` without the blanks around it; `*out_where` is its place. */
const char *ir_text_item(const ir_text_value *value, int64_t index, size_t *out_length, ir_where *out_where);

/* Gathers the wrong items of one attribute for one message. */
typedef struct ir_wrong_items {
  char text[256]; /* "'x', 'y'" */
  size_t used;
  int64_t n;
  ir_where where; /* of the first */
  bool too_large;
} ir_wrong_items;
void ir_wrong_items_add(ir_wrong_items *wrong, const char *item, size_t length, ir_where where);

/* Each reports what is wrong, once for the whole attribute, at its first wrong item: IR206 for text of another kind,
 * IR207 for a value that is not allowed. Outs are written only when all is well. */
/* `*out_readable`: every item is a number, so that their count can be believed whatever their values. */
ir_code ir_text_ints(const ir_text_value *value, int64_t min, int64_t max, int64_t *out_items, bool *out_readable,
                     ir_diags *diags);
/* Of a value of one item. */
ir_code ir_text_int(const ir_text_value *value, int64_t min, int64_t max, int64_t *out, ir_diags *diags);
/* All items, any number of them, as doubles: decimal, or inf and nan; the locale does not count. */
ir_code ir_text_floats(const ir_text_value *value, double *out_items, ir_diags *diags);
ir_code ir_text_bool(const ir_text_value *value, bool *out, ir_diags *diags);
/* `others`: more words, for the same positions; or NULL. */
ir_code ir_text_enum(const ir_text_value *value, const char *const *names, const char *const *others, int *out,
                     ir_diags *diags);
/* `c_names`: nGraph's names, "float", and not an IR's. */
ir_code ir_text_type(const ir_text_value *value, bool c_names, ir_type *out, ir_diags *diags);
/* `intervals`: `?`, -1, a..b, ..b, a.., and `...` for an unknown rank are allowed. */
ir_code ir_text_shape(const ir_text_value *value, bool intervals, ir_shape *out, ir_diags *diags);

#endif
