/* JSON -> a tree of values, each with its place. The values are cJSON's. */
#ifndef NG_TREE_H
#define NG_TREE_H

#include "ng_scan.h"

typedef struct cJSON ng_value;

/* Bits, so that several may be allowed. */
typedef enum ng_kind { NG_NULL = 1, NG_BOOL = 2, NG_NUMBER = 4, NG_STRING = 8, NG_ARRAY = 16, NG_OBJECT = 32 } ng_kind;

typedef struct ng_tree {
  ng_text text;
  ng_places places;
  ng_value *root;
} ng_tree;

/* What is not IR_OK was reported, and there is no tree; a field that stands twice in one object is only reported
 * (IR011), and its first one holds. The text is borrowed. */
ir_code ng_tree_read(const ng_text *text, const ir_memory *memory, ir_diags *diags, ng_tree *out_tree);
void ng_tree_reset(ng_tree *tree, const ir_memory *memory);

ng_kind ng_kind_of(const ng_value *value);
/* "an array" */
const char *ng_kind_text(ng_kind kind);
/* The first item of an array, or field of an object, and the one behind one; NULL when there is none. */
const ng_value *ng_first(const ng_value *value);
const ng_value *ng_next(const ng_value *value);
/* How many of them there are. */
size_t ng_count(const ng_value *value);
/* By the exact name; NULL when there is none. */
const ng_value *ng_member(const ng_value *object, const char *name);
/* The name of a field. */
const char *ng_name_of(const ng_value *field);
/* A string, decoded: UTF-8 without a NUL inside. */
const char *ng_string_of(const ng_value *value);

/* The whole value; what stands between its quotes or brackets; the name of a field, without its quotes. */
ir_at ng_at(const ng_tree *tree, const ng_value *value);
ir_at ng_inner_at(const ng_tree *tree, const ng_value *value);
ir_at ng_name_at(const ng_tree *tree, const ng_value *field);

static inline const char *ng_bytes(const ng_tree *tree, ir_at at) {
  return tree->text.bytes + (at.begin - tree->text.begin);
}

#endif
