/* --explain=OP: prints the page of an op, made from the op table: ports, attributes, and what differs from the version
 * before. */
#include "explain.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LABEL_WIDTH 12 /* width of "  attributes" */
#define LARGEST     22 /* width of names; a longer name has a line of its own */

/* A port or an attribute. */
typedef struct part {
  const char *kind;      /* "input", "output" or "attribute" */
  cli_string name, text; /* "strides", "int list: >= 1; required" */
} part;

typedef struct parts {
  part *items;
  int n;
} parts;

static void add_ports(cli *c, int64_t index, const irrun_op *op, bool output, parts *out) {
  const int n = output ? op->n_outputs : op->n_inputs;
  const bool variadic = output ? op->outputs_variadic : op->inputs_variadic;
  irrun_op_port row = {.size = sizeof row};
  for (int i = 0; i < n && irrun_op_get_port(c->context, index, output, i, &row); i++) {
    part *to = &out->items[out->n++];
    to->kind = output ? "output" : "input";
    cli_add(&to->name, "%s", row.name);
    cli_add_port_values(&to->text, &row);
    if (variadic && i == n - 1)
      cli_add(&to->text, "; any number of them");
    else if (row.optional)
      cli_add(&to->text, "; optional");
  }
}

static parts list_parts(cli *c, int64_t index, const irrun_op *op) {
  parts list = {.items = cli_allocate((size_t)(op->n_inputs + op->n_outputs + op->n_attributes), sizeof *list.items)};
  irrun_op_attribute row = {.size = sizeof row};
  add_ports(c, index, op, false, &list);
  add_ports(c, index, op, true, &list);
  for (int i = 0; irrun_op_get_attribute(c->context, index, i, &row); i++) {
    part *to = &list.items[list.n++];
    to->kind = "attribute";
    cli_add(&to->name, "%s", row.name);
    cli_add_attribute_values(&to->text, &row);
    if (row.required)
      cli_add(&to->text, "; required");
    else if (row.fallback != NULL)
      cli_add(&to->text, "; default: %s", row.fallback);
  }
  return list;
}

static void reset_parts(parts *list) {
  for (int i = 0; i < list->n; i++) {
    cli_reset(&list->items[i].name);
    cli_reset(&list->items[i].text);
  }
  free(list->items);
}

static const part *find_part(const parts *list, const part *like) {
  for (int i = 0; i < list->n; i++)
    if (strcmp(list->items[i].kind, like->kind) == 0 &&
        strcmp(cli_text(&list->items[i].name), cli_text(&like->name)) == 0)
      return &list->items[i];
  return NULL;
}

static void print_parts(FILE *out, const parts *list) {
  int width = 0;
  for (int i = 0; i < list->n; i++) {
    const int length = (int)list->items[i].name.length;
    width = length > width && length <= LARGEST ? length : width;
  }
  for (int i = 0; i < list->n; i++) {
    const part *at = &list->items[i];
    const bool is_first = i == 0 || strcmp(list->items[i - 1].kind, at->kind) != 0;
    cli_string label = {0};
    cli_add(&label, "%s%s", is_first ? at->kind : "",
            is_first && i + 1 < list->n && strcmp(list->items[i + 1].kind, at->kind) == 0 ? "s" : "");
    fprintf(out, "  %-*s ", LABEL_WIDTH - 2, cli_text(&label));
    if ((int)at->name.length > width)
      fprintf(out, "%s\n%*s", cli_text(&at->name), LABEL_WIDTH + 3 + width, "");
    else
      fprintf(out, "%-*s  ", width, cli_text(&at->name));
    cli_print_wrapped(out, LABEL_WIDTH + 3 + width, cli_text(&at->text));
    cli_reset(&label);
  }
}

/* Finds the version before that of `op`. Returns its index, -1 if there is none. */
static int64_t find_before(const irrun_op *op, irrun_op *out_before) {
  irrun_op other = {.size = sizeof other};
  int64_t found = -1;
  for (int64_t i = 0; irrun_op_get(i, &other); i++)
    if (strcmp(other.type, op->type) == 0 && strcmp(other.dialect, op->dialect) == 0 && other.version < op->version &&
        (found < 0 || other.version > out_before->version)) {
      found = i;
      *out_before = other;
    }
  return found;
}

static void add_change(cli_string *text, const part *at, const char *words, const char *more) {
  cli_add(text, "%s%s %s %s%s", text->length > 0 ? "\n" : "", at->kind, cli_text(&at->name), words, more);
}

static void print_differences(cli *c, const irrun_op *op, const parts *now) {
  irrun_op before = {.size = sizeof before};
  const int64_t index = find_before(op, &before);
  if (index < 0)
    return;
  parts old = list_parts(c, index, &before);
  cli_string text = {0};
  for (int i = 0; i < now->n; i++) {
    const part *at = &now->items[i], *was = find_part(&old, at);
    if (was == NULL)
      add_change(&text, at, "is new", "");
    else if (strcmp(cli_text(&was->text), cli_text(&at->text)) != 0)
      add_change(&text, at, "was: ", cli_text(&was->text));
  }
  for (int i = 0; i < old.n; i++)
    if (find_part(now, &old.items[i]) == NULL)
      add_change(&text, &old.items[i], "is gone: ", cli_text(&old.items[i].text));
  if (text.length == 0)
    cli_add(&text, "ports and attributes are the same; the pages tell what they mean: %s", before.spec);
  fprintf(c->results, "  since %s-%d\n    ", before.type, before.version);
  cli_print_wrapped(c->results, 4, cli_text(&text));
  cli_reset(&text);
  reset_parts(&old);
}

static void print_page(cli *c, int64_t index, const irrun_op *op) {
  FILE *out = c->results;
  cli_string opsets = {0};
  parts list = list_parts(c, index, op);
  cli_add_opsets(&opsets, op);
  fprintf(out, "%s%s-%d%s  %s\n", cli_paint(c->color_results, CLI_BOLD), op->type, op->version,
          cli_paint(c->color_results, CLI_PLAIN), op->dialect);
  if (opsets.length > 0)
    fprintf(out, "  %-*s %s\n", LABEL_WIDTH - 2, "opsets", cli_text(&opsets));
  fprintf(out, "  %-*s %s\n", LABEL_WIDTH - 2, "here", op->is_run ? "checked and run" : "checked, not run");
  fprintf(out, "  %-*s %s\n", LABEL_WIDTH - 2, "spec", op->spec);
  print_parts(out, &list);
  print_differences(c, op, &list);
  cli_reset(&opsets);
  reset_parts(&list);
}

bool cli_op_has_name(const irrun_op *op, const char *name) {
  cli_string whole = {0};
  cli_add(&whole, "%s-%d", op->type, op->version);
  const bool is_same = strcasecmp(op->type, name) == 0 || strcasecmp(cli_text(&whole), name) == 0;
  cli_reset(&whole);
  return is_same;
}

int cli_explain_op(cli *c, const char *name, cli_node *list, int n_printed) {
  irrun_op op = {.size = sizeof op};
  int n = 0;
  for (int64_t i = 0; irrun_op_get(i, &op); i++) {
    if (!cli_op_has_name(&op, name))
      continue;
    if (list != NULL) {
      cli_json_op(c, list, i, &op);
    } else {
      fputs(n_printed + n > 0 ? "\n" : "", c->results);
      print_page(c, i, &op);
    }
    n++;
  }
  return n;
}
