/* Parses JSON to a tree of values, each with its place. cJSON holds the values. */
#ifndef NG_TREE_H
#define NG_TREE_H

#include "ng_scan.h"

typedef struct cJSON ng_value;

/* Kinds of JSON values; they are bits, so that a set of kinds can be allowed. */
typedef enum ng_kind { NG_NULL = 1, NG_BOOL = 2, NG_NUMBER = 4, NG_STRING = 8, NG_ARRAY = 16, NG_OBJECT = 32 } ng_kind;

typedef struct ng_tree {
  ng_text text;
  ng_places places;
  ng_value *root;
} ng_tree;

/* Parses a borrowed text. Reports a code other than IR_OK; then there is no tree. A repeated field of an object is only
 * reported (IR011); its first value counts. */
ir_code ng_tree_read(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_tree *out_tree);
void ng_tree_reset(ng_tree *tree, const ir_memory *memory);

ng_kind ng_kind_of(const ng_value *value);
/* Describes a kind: "an array". */
const char *ng_kind_text(ng_kind kind);
/* The first item of an array or field of an object; and the next one after it. NULL if there is none. */
const ng_value *ng_first(const ng_value *value);
const ng_value *ng_next(const ng_value *value);
/* Number of items or fields. */
size_t ng_count(const ng_value *value);
/* Finds a field by its exact name; NULL if there is none. */
const ng_value *ng_member(const ng_value *object, const char *name);
/* The name of a field. */
const char *ng_name_of(const ng_value *field);
/* The decoded text of a string: UTF-8 without inner NULs. */
const char *ng_string_of(const ng_value *value);

/* The places of a whole value, of its text between quotes or brackets, and of a field's name without quotes. */
ir_at ng_at(const ng_tree *tree, const ng_value *value);
ir_at ng_inner_at(const ng_tree *tree, const ng_value *value);
ir_at ng_name_at(const ng_tree *tree, const ng_value *field);

static inline const char *ng_bytes(const ng_tree *tree, ir_at at) {
  return tree->text.bytes + (at.begin - tree->text.begin);
}

#endif
