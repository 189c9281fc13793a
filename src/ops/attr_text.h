/* Parses the text of one attribute: splits it into items with their places, and reads numbers, words, types and
 * shapes. */
#ifndef IR_ATTR_TEXT_H
#define IR_ATTR_TEXT_H

#include "ops/op.h"

#define IR_REPEATED (-1) /* value of ir_ints.n: the list has one item, which counts for every axis */

/* Item `axis` of a list with IR_COUNT_SPATIAL. Returns `otherwise` if the list is absent, faulty or too short. */
static inline int64_t ir_spatial_item(ir_ints list, int64_t axis, int64_t otherwise) {
  if (list.items == NULL || (list.n != IR_REPEATED && axis >= list.n))
    return otherwise;
  return list.items[list.n == IR_REPEATED ? 0 : axis];
}

typedef struct ir_text_value {
  const char *name, *text;
  ir_where where;      /* place of the whole text */
  bool exact;          /* the file has the text unchanged, so an item's place can be computed from its offset */
  bool floats_allowed; /* accepts "2.0" as the integer 2, with a warning */
  int64_t n_items;     /* number of comma-separated items; 0 if the text is blank */
} ir_text_value;

ir_text_value ir_text_value_of(const ir_graph *graph, const ir_layer *layer, const ir_raw_attr *raw);
/* Item `index` without surrounding blanks; `*out_where` is its place. */
const char *ir_text_item(const ir_text_value *value, int64_t index, size_t *out_length, ir_where *out_where);

/* Faulty items of an attribute, collected for one message. */
typedef struct ir_wrong_items {
  char text[256]; /* "'x', 'y'" */
  size_t used;
  int64_t n;
  ir_where where; /* place of the first wrong item */
  bool too_large;
} ir_wrong_items;
void ir_wrong_items_add(ir_wrong_items *wrong, const char *item, size_t length, ir_where where);

/* The next functions parse an attribute. They report all faults of the attribute together, at the first faulty item:
 * IR206 for unreadable text, IR207 for a value that is not allowed, IR208 for a list instead of one number. Outputs are
 * valid only if there is no fault. */
/* Parses a list of integers. `*out_readable`: every item is a number, so the length of the list is right even if a
 * value is out of range. */
ir_code ir_text_ints(const ir_text_value *value, int64_t min, int64_t max, int64_t *out_items, bool *out_readable,
                     ir_diags *diags);
/* Parses one integer. */
ir_code ir_text_int(const ir_text_value *value, int64_t min, int64_t max, int64_t *out, ir_diags *diags);
/* Parses all items as doubles: decimal, inf or nan. The locale has no effect. */
ir_code ir_text_floats(const ir_text_value *value, double *out_items, ir_diags *diags);
/* Parses one double. */
ir_code ir_text_float(const ir_text_value *value, double *out, ir_diags *diags);
ir_code ir_text_bool(const ir_text_value *value, bool *out, ir_diags *diags);
/* `others` are synonyms of `names`, in the same order; or NULL. */
ir_code ir_text_enum(const ir_text_value *value, const char *const *names, const char *const *others, int *out,
                     ir_diags *diags);
/* With `c_names`, the text has nGraph's names, such as "float"; without, an IR's. */
ir_code ir_text_type(const ir_text_value *value, bool c_names, ir_type *out, ir_diags *diags);
/* With `intervals`, the text can also have `?`, -1, a..b, ..b and a.., or be `...` for an unknown rank. */
ir_code ir_text_shape(const ir_text_value *value, bool intervals, ir_shape *out, ir_diags *diags);

#endif
