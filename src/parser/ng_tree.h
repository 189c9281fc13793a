/* Parses a JSON text to a tree of values, and records the place of each value. The values are nodes of a cJSON tree. */
#ifndef NG_TREE_H
#define NG_TREE_H

#include "ng_scan.h"

typedef struct cJSON ng_value;

/* The kinds of JSON values are bits, so that a set of kinds can be allowed. */
typedef enum ng_kind { NG_NULL = 1, NG_BOOL = 2, NG_NUMBER = 4, NG_STRING = 8, NG_ARRAY = 16, NG_OBJECT = 32 } ng_kind;

typedef struct ng_tree {
  ng_text text;
  ng_places places;
  ng_value *root;
} ng_tree;

/* Parses a text, which must outlive the tree. A code other than IR_OK was reported, and the tree is unusable, but
 * ng_tree_reset must be called. If an object has a field twice, reports IR011 and uses the first field. */
ir_code ng_tree_read(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_tree *out_tree);
void ng_tree_reset(ng_tree *tree, const ir_memory *memory);

ng_kind ng_kind_of(const ng_value *value);
/* Returns words for a kind, such as "an array". */
const char *ng_kind_text(ng_kind kind);
/* ng_first returns the first item of an array or the first field of an object, ng_next the item or field after `value`.
 * NULL: there is none. */
const ng_value *ng_first(const ng_value *value);
const ng_value *ng_next(const ng_value *value);
/* Returns the number of items of an array, or of fields of an object. */
size_t ng_count(const ng_value *value);
/* Returns the field with exactly this name; NULL if there is none. */
const ng_value *ng_member(const ng_value *object, const char *name);
const char *ng_name_of(const ng_value *field);
/* Returns the decoded text of a string: UTF-8, NUL-terminated. */
const char *ng_string_of(const ng_value *value);

/* ng_at returns the place of a whole value, ng_inner_at of its text between quotes or brackets, ng_name_at of a field's
 * name without quotes. */
ir_at ng_at(const ng_tree *tree, const ng_value *value);
ir_at ng_inner_at(const ng_tree *tree, const ng_value *value);
ir_at ng_name_at(const ng_tree *tree, const ng_value *field);

static inline const char *ng_bytes(const ng_tree *tree, ir_at at) {
  return tree->text.bytes + (at.begin - tree->text.begin);
}

#endif
