/* Mutates the tree of a JSON text. cJSON parses and prints it, so the text stays well-formed. */
#include "fuzz.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ITEMS 2048

typedef struct json_tree {
  cJSON *items[MOST_ITEMS], *parents[MOST_ITEMS]; /* all values in the order of the file; the root has no parent */
  size_t n;
  fuzz_rng *rng;
} json_tree;

static void list_items(json_tree *tree, cJSON *first, cJSON *parent) {
  for (cJSON *item = first; item != NULL; item = item->next)
    if (tree->n < MOST_ITEMS) {
      tree->parents[tree->n] = parent;
      tree->items[tree->n++] = item;
      list_items(tree, item->child, item);
    }
}

/* The name of an op of nGraph, or of an element type. */
static const char *draw_word(fuzz_rng *rng) {
  static const char *const words[] = {"f32",     "f64",     "i32",       "i64",        "u8",
                                      "boolean", "float",   "EXPLICIT",  "SAME_UPPER", "VALID",
                                      "",        "INVALID", "Parameter", "Constant",   "Result"};
  irrun_op op = {.size = sizeof op};
  int64_t n = 0;
  const char *found = NULL;
  if (fuzz_one_in(rng, 2))
    return words[fuzz_below(rng, sizeof words / sizeof *words)];
  for (int64_t i = 0; irrun_op_get(i, &op); i++)
    if (strcmp(op.dialect, "ngraph") == 0 && fuzz_below(rng, (size_t)++n) == 0)
      found = op.type;
  return found;
}

static cJSON *draw_value(json_tree *tree) {
  switch (fuzz_below(tree->rng, 4)) {
  case 0:
    return cJSON_Duplicate(tree->items[fuzz_below(tree->rng, tree->n)], true);
  case 1:
    return cJSON_CreateString(fuzz_one_in(tree->rng, 2) ? draw_word(tree->rng) : fuzz_number(tree->rng));
  case 2:
    return fuzz_one_in(tree->rng, 4) ? cJSON_CreateNull() : cJSON_CreateBool(fuzz_one_in(tree->rng, 2));
  default:
    return cJSON_CreateNumber(strtod(fuzz_number(tree->rng), NULL));
  }
}

/* Gives a number or a string another one. */
static void change_leaf(fuzz_rng *rng, cJSON *item) {
  if (cJSON_IsString(item)) {
    cJSON_SetValuestring(item, draw_word(rng));
    return;
  }
  const double near = item->valuedouble + (fuzz_one_in(rng, 2) ? 1.0 : -1.0);
  (void)cJSON_SetNumberHelper(item, fuzz_one_in(rng, 2) ? (double)fuzz_below(rng, 5) : near);
}

/* Puts a drawn value in the place of an item. */
static void replace(json_tree *tree, cJSON *item, cJSON *parent) {
  cJSON *value = draw_value(tree);
  if (item->string != NULL && value != NULL) { /* the value keeps the name */
    char *name = strdup(item->string);
    cJSON_Delete(cJSON_DetachItemViaPointer(parent, item));
    cJSON_AddItemToObject(parent, name, value);
    free(name);
  } else {
    cJSON_ReplaceItemViaPointer(parent, item, value);
  }
}

/* Repeats an item of an array, or gives an object another item of the same name. */
static void repeat(cJSON *item, cJSON *parent) {
  cJSON *value = cJSON_Duplicate(item, true);
  if (cJSON_IsArray(parent))
    cJSON_AddItemToArray(parent, value);
  else
    cJSON_AddItemToObject(parent, item->string, value);
}

/* Changes a value other than the root. */
static void change(json_tree *tree, cJSON *root) {
  tree->n = 0;
  list_items(tree, root, NULL);
  const size_t at = fuzz_below(tree->rng, tree->n);
  cJSON *item = tree->items[at], *parent = tree->parents[at];
  const size_t how = fuzz_below(tree->rng, 8);
  if (parent == NULL)
    return;
  if (how < 5 && (cJSON_IsNumber(item) || cJSON_IsString(item)))
    change_leaf(tree->rng, item);
  else if (how == 5)
    cJSON_Delete(cJSON_DetachItemViaPointer(parent, item));
  else if (how == 6)
    repeat(item, parent);
  else
    replace(tree, item, parent);
}

size_t fuzz_mutate_json(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static json_tree tree;
  fuzz_rng rng = {seed};
  cJSON *root = fuzz_one_in(&rng, 8) ? NULL : cJSON_ParseWithLength((const char *)data, size);
  if (root == NULL) /* an archive, or no JSON */
    return LLVMFuzzerMutate(data, size, most);
  tree.rng = &rng;
  for (size_t i = fuzz_one_in(&rng, 2) ? 1 : 1 + fuzz_below(&rng, 4); i > 0; i--)
    change(&tree, root);
  char *text = cJSON_PrintUnformatted(root);
  cJSON_Delete(root);
  const size_t n = text == NULL ? 0 : strlen(text);
  if (n > 0 && n <= most) {
    memcpy(data, text, n);
    size = n;
  }
  free(text);
  return size;
}
