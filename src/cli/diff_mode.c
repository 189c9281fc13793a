/* --diff: how MODEL differs from another one, layer by layer, in MODEL's order; layers are paired by their names. */
#include "cli.h"
#include "irrun_debug.h"
#include "report_json.h"
#include "report_text.h"

#include <stdlib.h>
#include <string.h>

/* A layer by its name, behind those of the layers in whose bodies it lies. */
typedef struct named_layer {
  char *name;
  int64_t layer;
  bool paired;
} named_layer;

typedef struct side {
  irrun_model *model;
  const char *path;
  named_layer *layers;  /* in the file's order */
  named_layer **sorted; /* by name, then in the file's order */
  int64_t n;
} side;

typedef struct comparison {
  cli *c;
  side old, new;
  cli_node *list; /* of the document, or NULL */
  int64_t n_differences, n_unseen;
} comparison;

/* ---- reporting ---- */

/* "'pool' kernel: 2,2 -> 3,3"; a side that has no such thing is NULL. */
static void report(comparison *d, const char *layer, const char *what, const char *before, const char *after) {
  d->n_differences++;
  if (d->list != NULL) {
    cli_node *node = cli_node_object(d->list, NULL);
    cli_node_text(node, "layer", layer);
    cli_node_text(node, "what", what);
    cli_node_text(node, "old", before);
    cli_node_text(node, "new", after);
    return;
  }
  if (d->c->options.quiet)
    return;
  cli_string line = {0};
  cli_add(&line, "%c '", before == NULL ? '+' : after == NULL ? '-' : ' ');
  cli_add_name(&line, layer);
  cli_add(&line, "' %s: ", what);
  if (before != NULL)
    cli_add_name(&line, before);
  if (before != NULL && after != NULL)
    cli_add(&line, " -> ");
  if (after != NULL)
    cli_add_name(&line, after);
  fprintf(d->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static void compare_text(comparison *d, const char *layer, const char *what, const char *before, const char *after) {
  if (before != after && (before == NULL || after == NULL || strcmp(before, after) != 0))
    report(d, layer, what, before, after);
}

/* ---- names ---- */

static int by_name(const void *a, const void *b) {
  const named_layer *x = *(named_layer *const *)a, *y = *(named_layer *const *)b;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : (x->layer > y->layer) - (x->layer < y->layer);
}

static void name_layers(side *s) {
  irrun_layer layer = {.size = sizeof layer};
  s->n = cli_model_info(s->model).n_layers;
  s->layers = cli_allocate((size_t)s->n + 1, sizeof *s->layers);
  s->sorted = cli_allocate((size_t)s->n + 1, sizeof *s->sorted);
  for (int64_t i = 0; i < s->n && irrun_get_layer(s->model, i, &layer); i++) {
    cli_string name = {0};
    for (int k = 0; k < layer.n_inside; k++)
      cli_add(&name, "%s" CLI_INSIDE, layer.inside[k]);
    cli_add(&name, "%s", layer.name);
    if (name.text == NULL)
      cli_add(&name, "#%s", layer.id);
    s->layers[i] = (named_layer){.name = name.text, .layer = i};
    s->sorted[i] = &s->layers[i];
  }
  qsort(s->sorted, (size_t)s->n, sizeof *s->sorted, by_name);
}

static void free_side(side *s) {
  for (int64_t i = 0; i < s->n; i++)
    free(s->layers[i].name);
  free(s->layers);
  free(s->sorted);
  irrun_model_free(s->model);
}

/* The first layer of that name that has no partner yet; or NULL. */
static named_layer *find_partner(const side *s, const char *name) {
  int64_t first = 0, end = s->n;
  while (first < end) {
    int64_t middle = first + (end - first) / 2;
    if (strcmp(s->sorted[middle]->name, name) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  for (; first < s->n && strcmp(s->sorted[first]->name, name) == 0; first++)
    if (!s->sorted[first]->paired)
      return s->sorted[first];
  return NULL;
}

/* ---- layers ---- */

static const char *find_attribute(const side *s, int64_t layer, const char *name) {
  const char *found, *value;
  for (int i = 0; irrun_get_layer_attribute(s->model, layer, i, &found, &value); i++)
    if (strcmp(found, name) == 0)
      return value != NULL ? value : "";
  return NULL;
}

/* Blanks and line breaks between items mean nothing. */
static bool same_text(const char *a, const char *b) {
  static const char blanks[] = " \t\r\n";
  for (;; a++, b++) {
    a += strspn(a, blanks);
    b += strspn(b, blanks);
    if (*a != *b || *a == '\0')
      return *a == *b;
  }
}

/* Where a constant lies in the .bin is no part of the model: its contents are compared. */
static void compare_attributes(comparison *d, const char *name, int64_t before, int64_t after) {
  const bool is_constant = irrun_is_constant(d->new.model, after) && irrun_is_constant(d->old.model, before);
  const char *attribute, *value;
  for (int i = 0; irrun_get_layer_attribute(d->new.model, after, i, &attribute, &value); i++) {
    const char *other = find_attribute(&d->old, before, attribute);
    value = value != NULL ? value : "";
    bool is_place = is_constant && (strcmp(attribute, "offset") == 0 || strcmp(attribute, "size") == 0);
    if (!is_place && (other == NULL || !same_text(other, value)))
      report(d, name, attribute, other, value);
  }
  for (int i = 0; irrun_get_layer_attribute(d->old.model, before, i, &attribute, &value); i++)
    if (find_attribute(&d->new, after, attribute) == NULL)
      report(d, name, attribute, value != NULL ? value : "", NULL);
}

/* A line of a port map, or a back edge: "external_port_id=0 internal_layer_id=part axis=1"; false behind the last. */
static bool add_line(cli_string *text, const char **out_kind, const side *s, int64_t layer, int line) {
  const char *name, *value;
  *out_kind = irrun_get_line(s->model, layer, line);
  for (int i = 0; irrun_get_line_attribute(s->model, layer, line, i, &name, &value); i++)
    cli_add(text, "%s%s=%s", i > 0 ? " " : "", name, value != NULL ? value : "");
  return *out_kind != NULL;
}

/* The lines of one side that the other has not; their order means nothing. */
static void compare_lines(comparison *d, const char *name, int64_t before, int64_t after, bool is_new) {
  const side *here = is_new ? &d->new : &d->old, *there = is_new ? &d->old : &d->new;
  const int64_t layer = is_new ? after : before, partner = is_new ? before : after;
  const char *kind, *other_kind;
  cli_string text = {0}, other = {0};
  for (int i = 0; add_line(&text, &kind, here, layer, i); i++) {
    bool found = false;
    for (int k = 0; !found && add_line(&other, &other_kind, there, partner, k); k++) {
      found = strcmp(kind, other_kind) == 0 && strcmp(cli_text(&text), cli_text(&other)) == 0;
      cli_clear(&other);
    }
    if (!found)
      report(d, name, kind, is_new ? NULL : cli_text(&text), is_new ? cli_text(&text) : NULL);
    cli_clear(&text);
  }
  cli_reset(&text);
  cli_reset(&other);
}

/* "pool.1", the output that feeds an input. */
static void add_source(cli_string *text, const side *s, const irrun_value *value) {
  if (value->from_layer < 0 || value->from_layer >= s->n)
    cli_add(text, "not connected");
  else
    cli_add(text, "%s, output %d", s->layers[value->from_layer].name, value->from_port);
}

/* Every input or output port: where it comes from, or its type and shape. */
static void compare_ports(comparison *d, const char *name, int64_t before, int64_t after, bool inputs) {
  bool has_old = true, has_new = true;
  for (int port = 0; has_old || has_new; port++) {
    irrun_value old = {.size = sizeof old}, new = old;
    cli_string texts[2] = {{0}, {0}}, what = {0};
    has_old = inputs ? irrun_get_layer_input(d->old.model, before, port, &old)
                     : irrun_get_layer_output(d->old.model, before, port, &old);
    /* The text of an id lives until the next call, and is not used. */
    has_new = inputs ? irrun_get_layer_input(d->new.model, after, port, &new)
                     : irrun_get_layer_output(d->new.model, after, port, &new);
    if (has_old && inputs)
      add_source(&texts[0], &d->old, &old);
    else if (has_old)
      cli_add_value(&texts[0], &old);
    if (has_new && inputs)
      add_source(&texts[1], &d->new, &new);
    else if (has_new)
      cli_add_value(&texts[1], &new);
    cli_add(&what, "%s %d", inputs ? "input" : "output", port);
    compare_text(d, name, cli_text(&what), has_old ? cli_text(&texts[0]) : NULL, has_new ? cli_text(&texts[1]) : NULL);
    cli_reset(&texts[0]);
    cli_reset(&texts[1]);
    cli_reset(&what);
  }
}

/* Types and shapes that differ are told of the output. */
static void compare_elements(comparison *d, const char *name, int64_t layer, const irrun_tensor *before,
                             const irrun_tensor *after) {
  static const irrun_tolerance exact = {0, 0, -1};
  irrun_comparison result = {.size = sizeof result};
  irrun_status status =
      irrun_compare_layer(d->new.model, layer, 0, NULL, after, before, false, exact, NULL, NULL, &result);
  if (status != IRRUN_DIFFERS || !result.comparable)
    return;
  cli_string what = {0};
  cli_add(&what, "%lld of %lld elements, the worst at ", (long long)result.mismatched, (long long)result.count);
  cli_add_index(&what, result.worst_index, result.rank);
  report(d, name, cli_text(&what), result.worst_expected, result.worst_got);
  cli_reset(&what);
}

static void compare_contents(comparison *d, const char *name, int64_t before, int64_t after) {
  irrun_tensor *old, *new;
  if (!irrun_is_constant(d->old.model, before) || !irrun_is_constant(d->new.model, after))
    return;
  old = irrun_get_constant(d->old.model, before);
  new = irrun_get_constant(d->new.model, after);
  if (old != NULL && new != NULL)
    compare_elements(d, name, after, old, new);
  else
    d->n_unseen++;
  irrun_tensor_free(old);
  irrun_tensor_free(new);
}

static void add_op(cli_string *text, const side *s, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_get_layer(s->model, index, &layer);
  cli_add(text, "%s", layer.type);
  if (layer.version >= 0)
    cli_add(text, "-%d", layer.version);
}

static void compare_layers(comparison *d, const named_layer *before, const named_layer *after) {
  const char *name = after->name;
  cli_string old = {0}, new = {0};
  add_op(&old, &d->old, before->layer);
  add_op(&new, &d->new, after->layer);
  compare_text(d, name, "op", cli_text(&old), cli_text(&new));
  cli_reset(&old);
  cli_reset(&new);
  compare_attributes(d, name, before->layer, after->layer);
  compare_lines(d, name, before->layer, after->layer, false);
  compare_lines(d, name, before->layer, after->layer, true);
  compare_ports(d, name, before->layer, after->layer, true);
  compare_ports(d, name, before->layer, after->layer, false);
  compare_contents(d, name, before->layer, after->layer);
}

static void report_alone(comparison *d, const side *s, const named_layer *layer, bool is_new) {
  cli_string op = {0};
  add_op(&op, s, layer->layer);
  report(d, layer->name, "layer", is_new ? NULL : cli_text(&op), is_new ? cli_text(&op) : NULL);
  cli_reset(&op);
}

static void compare_models(comparison *d) {
  name_layers(&d->old);
  name_layers(&d->new);
  for (int64_t i = 0; i < d->new.n; i++) {
    named_layer *partner = find_partner(&d->old, d->new.layers[i].name);
    if (partner == NULL) {
      report_alone(d, &d->new, &d->new.layers[i], true);
      continue;
    }
    partner->paired = true;
    compare_layers(d, partner, &d->new.layers[i]);
  }
  for (int64_t i = 0; i < d->old.n; i++)
    if (!d->old.layers[i].paired)
      report_alone(d, &d->old, &d->old.layers[i], false);
}

/* "new.xml: 3 differences from old.xml" */
static void print_verdict(const comparison *d) {
  cli_string line = {0};
  cli_add_name(&line, d->new.path);
  cli_add(&line, ": ");
  if (d->n_differences == 0)
    cli_add(&line, "no difference");
  else
    cli_add_count(&line, d->n_differences, "difference");
  cli_add(&line, " from ");
  cli_add_name(&line, d->old.path);
  if (d->n_unseen > 0) {
    cli_add(&line, "; ");
    cli_add_count(&line, d->n_unseen, "constant");
    cli_add(&line, " not compared, for want of a .bin");
  }
  fprintf(d->c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

irrun_status cli_diff_mode(cli *c) {
  int at = 0;
  comparison d = {.c = c};
  d.old.path = cli_options_next(&c->options, CLI_OPTION_DIFF, &at);
  d.new.path = c->options.models[0];
  irrun_status old = irrun_model_read(c->context, d.old.path, NULL, IRRUN_TO_CHECK, &d.old.model);
  if (c->json != NULL)
    cli_json_model(c, cli_json_next_model(c->json), d.old.model, d.old.path, old);
  irrun_status status = cli_read_model(c, d.new.path, IRRUN_TO_CHECK, &d.new.model);
  if (c->json != NULL)
    cli_json_model(c, cli_json_next_model(c->json), d.new.model, d.new.path, status);
  else
    cli_show_diagnostics(c);
  status = irrun_worse(old, status);
  if (d.old.model != NULL && d.new.model != NULL) {
    if (c->json != NULL)
      d.list = cli_node_array(cli_json_root(c->json), "differences");
    compare_models(&d);
    if (c->json == NULL)
      print_verdict(&d);
    status = irrun_worse(status, d.n_differences > 0 ? IRRUN_DIFFERS : IRRUN_OK);
  }
  free_side(&d.old);
  free_side(&d.new);
  return status;
}
