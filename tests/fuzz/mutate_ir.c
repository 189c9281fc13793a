/* Mutates the XML tree of an IR. libxml2 parses and prints it, so the text stays well-formed. */
#include "fuzz.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <string.h>

#define MOST_NODES 2048
#define MOST_WORD  512

typedef struct ir_tree {
  xmlDoc *doc;
  xmlNode *nodes[MOST_NODES]; /* all elements in the order of the file */
  size_t n;
  fuzz_rng *rng;
} ir_tree;

/* ---- finding ---- */

static void list_nodes(ir_tree *tree, xmlNode *first) {
  for (xmlNode *node = first; node != NULL; node = node->next)
    if (node->type == XML_ELEMENT_NODE && tree->n < MOST_NODES) {
      tree->nodes[tree->n++] = node;
      list_nodes(tree, node->children);
    }
}

static bool is_named(const xmlNode *node, const char *name) {
  return strcmp((const char *)node->name, name) == 0;
}

/* An element of this name; NULL if there is none. */
static xmlNode *draw_node(ir_tree *tree, const char *name) {
  xmlNode *found = NULL;
  size_t n = 0;
  for (size_t i = 0; i < tree->n; i++)
    if (is_named(tree->nodes[i], name) && fuzz_below(tree->rng, ++n) == 0)
      found = tree->nodes[i];
  return found;
}

static xmlAttr *draw_attribute(ir_tree *tree, const xmlNode *node) {
  xmlAttr *found = NULL;
  size_t n = 0;
  for (xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next)
    if (fuzz_below(tree->rng, ++n) == 0)
      found = attribute;
  return found;
}

/* The text of an attribute or of a <dim>, cut to `text`. */
static void get_text(xmlNode *of, char text[MOST_WORD]) {
  xmlChar *content = xmlNodeGetContent(of);
  snprintf(text, MOST_WORD, "%s", content == NULL ? "" : (const char *)content);
  xmlFree(content);
}

static void set_attribute(xmlNode *node, const char *name, const char *value) {
  xmlSetProp(node, (const xmlChar *)name, (const xmlChar *)value);
}

/* ---- drawing values ---- */

/* An op of the table, but none of nGraph. Returns its index. */
static int64_t draw_op(fuzz_rng *rng, irrun_op *out_op) {
  irrun_op op = {.size = sizeof op};
  int64_t found = 0;
  size_t n = 0;
  for (int64_t i = 0; irrun_op_get(i, &op); i++)
    if (strcmp(op.dialect, "ngraph") != 0 && fuzz_below(rng, ++n) == 0) {
      found = i;
      *out_op = op;
    }
  return found;
}

/* Gets an attribute of an op. Its texts live until the next call. */
static bool get_attribute(int64_t op, int attribute, irrun_op_attribute *out) {
  static irrun_context *context;
  *out = (irrun_op_attribute){.size = sizeof *out};
  if (context == NULL)
    context = irrun_context_create(NULL);
  return irrun_op_get_attribute(context, op, attribute, out);
}

static const char *draw_type(fuzz_rng *rng) {
  /* most often a type with many kernels */
  static const irrun_element_type usual[] = {IRRUN_F32, IRRUN_F16, IRRUN_I32, IRRUN_I64, IRRUN_U8, IRRUN_BOOLEAN};
  const irrun_element_type type = fuzz_one_in(rng, 3) ? (irrun_element_type)(1 + fuzz_below(rng, IRRUN_STRING))
                                                      : usual[fuzz_below(rng, sizeof usual / sizeof *usual)];
  return irrun_type_name(type);
}

/* The name of the type in a port's `precision`. */
static void to_precision(const char *type, char precision[MOST_WORD]) {
  snprintf(precision, MOST_WORD, "%s", strcmp(type, "boolean") == 0 ? "BOOL" : type);
  for (char *c = precision; *c != '\0'; c++)
    *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 32 : *c);
  if (precision[0] == 'F' && (precision[1] == '1' || precision[1] == '3' || precision[1] == '6')) {
    memmove(precision + 2, precision + 1, strlen(precision)); /* f32 is FP32 */
    precision[1] = 'P';
  }
}

/* Changes one item of a list, or the number of its items. */
static void change_list(fuzz_rng *rng, char text[MOST_WORD]) {
  char out[2 * MOST_WORD] = "", *rest = text, *item;
  size_t n = 1;
  for (const char *c = text; *c != '\0'; c++)
    n += *c == ',';
  const size_t at = fuzz_below(rng, n);
  const size_t how = fuzz_below(rng, 6);
  for (size_t i = 0; i < n && (item = strsep(&rest, ",")) != NULL; i++) {
    const size_t used = strlen(out);
    if (i == at && how == 0 && n > 1)
      continue;
    snprintf(out + used, sizeof out - used, "%s%s%s%s", used > 0 ? "," : "",
             i == at && how > 1 ? fuzz_number(rng) : item, i == at && how == 1 ? "," : "",
             i == at && how == 1 ? item : "");
  }
  snprintf(text, MOST_WORD, "%.*s", MOST_WORD - 1, out);
}

/* Adds 1 or -1 to a number. */
static void change_number(fuzz_rng *rng, char text[MOST_WORD]) {
  long long number = 0;
  if (sscanf(text, "%lld", &number) == 1)
    snprintf(text, MOST_WORD, "%lld",
             number > 1000000 || (number > -1000000 && fuzz_one_in(rng, 2)) ? number - 1 : number + 1);
  else
    snprintf(text, MOST_WORD, "%s", fuzz_number(rng));
}

/* A word that an attribute of some op can have, such as "same_upper". */
static void draw_op_word(fuzz_rng *rng, char text[MOST_WORD]) {
  irrun_op op;
  irrun_op_attribute attribute;
  const int64_t index = draw_op(rng, &op);
  if (op.n_attributes == 0 || !get_attribute(index, (int)fuzz_below(rng, (size_t)op.n_attributes), &attribute))
    return;
  /* `values` is "explicit, same_upper or valid"; any of its words will do */
  const char *values = attribute.values, *end = values + strlen(values);
  if (values == end)
    return;
  const char *begin = values + fuzz_below(rng, (size_t)(end - values));
  while (begin > values && begin[-1] != ' ')
    begin--;
  snprintf(text, MOST_WORD, "%.*s", (int)strcspn(begin, ", "), begin);
}

static void change_text(ir_tree *tree, char text[MOST_WORD]) {
  fuzz_rng *rng = tree->rng;
  switch (fuzz_below(rng, 8)) {
  case 0:
  case 1:
    snprintf(text, MOST_WORD, "%s", fuzz_number(rng));
    break;
  case 2:
  case 3:
    change_list(rng, text);
    break;
  case 4:
    change_number(rng, text);
    break;
  case 5:
    draw_op_word(rng, text);
    break;
  case 6: {
    /* the value of another attribute */
    const xmlAttr *other = draw_attribute(tree, tree->nodes[fuzz_below(rng, tree->n)]);
    if (other != NULL)
      get_text((xmlNode *)other, text);
    break;
  }
  default:
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
      snprintf(text, MOST_WORD, "%s", text[0] == 't' ? "false" : "true");
    else
      snprintf(text, MOST_WORD, "%s", draw_type(rng));
  }
}

/* ---- changes ---- */

static void change_attribute(ir_tree *tree) {
  char text[MOST_WORD];
  /* most often of <data>: the attributes of ops */
  xmlNode *node = fuzz_one_in(tree->rng, 3) ? NULL : draw_node(tree, "data");
  if (node == NULL)
    node = tree->nodes[fuzz_below(tree->rng, tree->n)];
  xmlAttr *attribute = draw_attribute(tree, node);
  if (attribute == NULL)
    return;
  if (fuzz_one_in(tree->rng, 12)) {
    xmlRemoveProp(attribute);
    return;
  }
  get_text((xmlNode *)attribute, text);
  change_text(tree, text);
  xmlSetProp(node, attribute->name, (const xmlChar *)text);
}

/* Replaces a size in all ports and shapes, so that declarations still agree. */
static void change_size(ir_tree *tree) {
  xmlNode *dim = draw_node(tree, "dim");
  char old[MOST_WORD], text[MOST_WORD];
  if (dim == NULL)
    return;
  get_text(dim, old);
  const char *number = fuzz_number(tree->rng);
  const bool everywhere = !fuzz_one_in(tree->rng, 4);
  for (size_t i = 0; i < tree->n; i++) {
    xmlNode *node = tree->nodes[i];
    xmlChar *shape = is_named(node, "data") ? xmlGetProp(node, (const xmlChar *)"shape") : NULL;
    get_text(node, text);
    /* an element inside of a <dim> would be freed, but stay in the list */
    if ((node == dim || (everywhere && is_named(node, "dim") && strcmp(text, old) == 0)) &&
        xmlChildElementCount(node) == 0)
      xmlNodeSetContent(node, (const xmlChar *)number);
    if (shape != NULL && everywhere) {
      char out[2 * MOST_WORD] = "", *rest = (char *)shape, *item;
      while ((item = strsep(&rest, ",")) != NULL) {
        const size_t used = strlen(out);
        snprintf(out + used, sizeof out - used, "%s%s", used > 0 ? "," : "", strcmp(item, old) == 0 ? number : item);
      }
      set_attribute(node, "shape", out);
    }
    xmlFree(shape);
  }
}

/* Changes an element type in the whole model. */
static void change_types(ir_tree *tree) {
  const xmlNode *data = draw_node(tree, "data");
  xmlChar *old = data == NULL ? NULL : xmlGetProp(data, (const xmlChar *)"element_type");
  const char *type = draw_type(tree->rng);
  char old_precision[MOST_WORD], precision[MOST_WORD];
  if (old != NULL && type != NULL) {
    to_precision((const char *)old, old_precision);
    to_precision(type, precision);
    for (size_t i = 0; i < tree->n; i++)
      for (xmlAttr *attribute = tree->nodes[i]->properties; attribute != NULL; attribute = attribute->next) {
        char text[MOST_WORD];
        get_text((xmlNode *)attribute, text);
        if (strcmp(text, (const char *)old) == 0)
          xmlSetProp(tree->nodes[i], attribute->name, (const xmlChar *)type);
        else if (strcmp(text, old_precision) == 0)
          xmlSetProp(tree->nodes[i], attribute->name, (const xmlChar *)precision);
      }
  }
  xmlFree(old);
}

/* Connects an edge with another layer or port of the same model. */
static void change_edge(ir_tree *tree) {
  static const char *const ends[] = {"from-layer", "from-port", "to-layer", "to-port"};
  xmlNode *edge = draw_node(tree, "edge"), *other = draw_node(tree, "edge");
  if (edge == NULL)
    return;
  const size_t side = 2 * fuzz_below(tree->rng, 2);
  for (size_t i = side; i < side + 2; i++) {
    xmlChar *value = xmlGetProp(other, (const xmlChar *)ends[i]);
    if (value != NULL)
      xmlSetProp(edge, (const xmlChar *)ends[i], value);
    xmlFree(value);
  }
}

/* Makes a layer one of another op: with its type, an opset that has it, and its attributes. */
static void change_op(ir_tree *tree) {
  xmlNode *layer = draw_node(tree, "layer"), *data = NULL;
  irrun_op op;
  irrun_op_attribute attribute;
  char text[MOST_WORD];
  if (layer == NULL)
    return;
  const int64_t index = draw_op(tree->rng, &op);
  set_attribute(layer, "type", op.type);
  snprintf(text, sizeof text, "opset%d", op.opset_last);
  set_attribute(layer, "version", text);
  if (fuzz_one_in(tree->rng, 4)) /* keeps the attributes */
    return;
  for (xmlNode *child = layer->children; child != NULL; child = child->next)
    if (child->type == XML_ELEMENT_NODE && is_named(child, "data"))
      data = child;
  if (data == NULL)
    data = xmlNewChild(layer, NULL, (const xmlChar *)"data", NULL);
  while (data->properties != NULL)
    xmlRemoveProp(data->properties);
  for (int i = 0; i < op.n_attributes && get_attribute(index, i, &attribute); i++) {
    if (!attribute.required && fuzz_one_in(tree->rng, 2))
      continue;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(attribute.values, ", "), attribute.values);
    if (attribute.fallback != NULL)
      snprintf(text, sizeof text, "%s", attribute.fallback);
    else if (strcmp(attribute.kind, "type") == 0)
      snprintf(text, sizeof text, "%s", draw_type(tree->rng));
    else if (strncmp(attribute.kind, "int", 3) == 0 || strncmp(attribute.kind, "float", 5) == 0)
      snprintf(text, sizeof text, strstr(attribute.kind, "list") != NULL ? "%s,%s" : "%s", fuzz_number(tree->rng),
               fuzz_number(tree->rng));
    set_attribute(data, attribute.name, text);
  }
}

/* Moves a layer to another opset. */
static void change_opset(ir_tree *tree) {
  xmlNode *layer = draw_node(tree, "layer");
  char text[MOST_WORD];
  snprintf(text, sizeof text, "opset%d", (int)fuzz_below(tree->rng, 18));
  if (layer != NULL)
    set_attribute(layer, "version", text);
}

/* Removes an element, repeats it, or puts a copy of another element in its place. */
static void change_elements(ir_tree *tree) {
  xmlNode *node = tree->nodes[fuzz_below(tree->rng, tree->n)];
  xmlNode *other = fuzz_one_in(tree->rng, 4) ? tree->nodes[fuzz_below(tree->rng, tree->n)]
                                             : draw_node(tree, (const char *)node->name);
  if (node == tree->nodes[0])
    return;
  switch (fuzz_below(tree->rng, 3)) {
  case 0:
    xmlUnlinkNode(node);
    xmlFreeNode(node);
    break;
  case 1:
    xmlAddNextSibling(node, xmlCopyNode(other, 1));
    break;
  default:
    xmlFreeNode(xmlReplaceNode(node, xmlCopyNode(other, 1)));
  }
}

/* ---- the mutator ---- */

static void change(ir_tree *tree) {
  static void (*const changes[])(ir_tree *) = {change_attribute, change_attribute, change_attribute,
                                               change_size,      change_types,     change_edge,
                                               change_op,        change_opset,     change_elements};
  tree->n = 0;
  list_nodes(tree, xmlDocGetRootElement(tree->doc));
  if (tree->n > 0)
    changes[fuzz_below(tree->rng, sizeof changes / sizeof *changes)](tree);
}

/* Changes an element of 1 to 8 bytes in the .bin: indices, axes, sizes. */
static void change_weights(fuzz_rng *rng, uint8_t *weights, size_t bytes) {
  static const int64_t numbers[] = {0, 1, 2, 3, -1, -2, -128, 127, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, 1 << 20};
  const size_t width = (size_t)1 << fuzz_below(rng, 4);
  const int64_t number = numbers[fuzz_below(rng, sizeof numbers / sizeof *numbers)];
  if (bytes >= width)
    memcpy(weights + fuzz_below(rng, bytes / width) * width, &number, width); /* little-endian: the low bytes */
}

static size_t change_ir(uint8_t *data, fuzz_model model, size_t most, fuzz_rng *rng) {
  static ir_tree tree;
  size_t size = model.text.bytes + model.weights.bytes + (model.weights.data != NULL);
  xmlChar *text = NULL;
  int n = 0;
  tree.rng = rng;
  tree.doc = xmlReadMemory(model.text.data, (int)model.text.bytes, NULL, NULL,
                           XML_PARSE_RECOVER | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
  if (tree.doc == NULL)
    return LLVMFuzzerMutate(data, size, most);
  for (size_t i = 1 + fuzz_below(rng, 3); i > 0; i--)
    change(&tree);
  xmlDocDumpMemory(tree.doc, &text, &n);
  xmlFreeDoc(tree.doc);
  if (text != NULL && (size_t)n + 1 + model.weights.bytes <= most) {
    memmove(data + n + 1, model.weights.data == NULL ? data : model.weights.data, model.weights.bytes);
    memcpy(data, text, (size_t)n);
    data[n] = 0;
    size = (size_t)n + 1 + model.weights.bytes;
  }
  xmlFree(text);
  return size;
}

size_t fuzz_mutate_ir(uint8_t *data, size_t size, size_t most, unsigned seed) {
  fuzz_rng rng = {seed};
  const fuzz_model model = fuzz_split(data, size);
  const size_t before = size - model.weights.bytes;
  switch (fuzz_below(&rng, 12)) {
  case 0:
    return LLVMFuzzerMutate(data, size, most);
  case 1:
    return before + LLVMFuzzerMutate(data + before, model.weights.bytes, most - before);
  case 2:
  case 3:
    change_weights(&rng, data + before, model.weights.bytes);
    return size;
  default:
    return change_ir(data, model, most, &rng);
  }
}
