/* --diff: compares MODEL with an old model, layer by layer in MODEL's order. diff_pair.c pairs the layers. */
#include "diff_pair.h"
#include "irrun_edit.h"
#include "page.h"
#include "report_text.h"

#include <stdlib.h>
#include <string.h>

/* A change of element type that several outputs have. If `narrowed`, the outputs are those of constants that have a
 * Convert in one model only. */
typedef struct type_change {
  bool narrowed;
  irrun_element_type from, to;
  int64_t n;
  const char *layer; /* this and the following members describe the first such output */
  char what[24];
  cli_string before, after;
} type_change;

typedef struct comparison {
  cli *c;
  cli_diff_side old, new;
  bool is_edited; /* `new` is `old` with edits: names of layers and remarks are compared too */
  cli_node *list; /* array in the JSON document; NULL: reports are text */
  cli_node *page; /* array in the document of --report; NULL: no page is written */
  int64_t n_differences, n_unseen;
  type_change
      *types; /* changes of type; reported last, one line each, because in an f16 model every layer has a change */
  int64_t n_types;
} comparison;

/* ---- reporting ---- */

/* Reports a difference, "'pool' kernel: 2,2 -> 3,3". `layer` is NULL for the model itself; `before` is NULL if the old
 * model lacks the item, `after` if the new model lacks it. */
static void report(comparison *d, const char *layer, const char *what, const char *before, const char *after) {
  d->n_differences++;
  if (d->page != NULL)
    cli_json_difference(d->page, layer, what, before, after);
  if (d->list != NULL)
    cli_json_difference(d->list, layer, what, before, after);
  if (d->list != NULL || d->c->options.quiet)
    return;
  cli_string line = {0};
  cli_add(&line, "%c %s", before == NULL ? '+' : after == NULL ? '-' : ' ', layer == NULL ? "model" : "'");
  if (layer != NULL)
    cli_add_name(&line, layer);
  cli_add(&line, "%s ", layer == NULL ? "" : "'");
  cli_add_name(&line, what);
  cli_add(&line, ": ");
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

/* ---- types ---- */

static type_change *find_change(comparison *d, bool narrowed, irrun_element_type from, irrun_element_type to) {
  for (int64_t i = 0; i < d->n_types; i++)
    if (d->types[i].narrowed == narrowed && d->types[i].from == from && d->types[i].to == to)
      return &d->types[i];
  type_change *grown = cli_allocate((size_t)d->n_types + 1, sizeof *grown);
  if (d->n_types > 0)
    memcpy(grown, d->types, (size_t)d->n_types * sizeof *grown);
  free(d->types);
  d->types = grown;
  grown[d->n_types] = (type_change){.narrowed = narrowed, .from = from, .to = to};
  return &grown[d->n_types++];
}

/* Counts a change of an element type. With -v or JSON, reports each change at once. */
static void note_type(comparison *d, const char *layer, int port, bool narrowed, const irrun_value *old,
                      const irrun_value *new) {
  type_change one = {.layer = layer}, *change = find_change(d, narrowed, old->type, new->type);
  cli_add_value(&one.before, old);
  cli_add_value(&one.after, new);
  snprintf(one.what, sizeof one.what, narrowed ? "constant" : "output %d", port);
  if (d->list != NULL || d->c->options.verbose) {
    report(d, layer, one.what, cli_text(&one.before), cli_text(&one.after));
  } else if (change->n++ > 0) {
    if (d->page != NULL)
      cli_json_difference(d->page, layer, one.what, cli_text(&one.before), cli_text(&one.after));
  } else {
    change->layer = one.layer;
    memcpy(change->what, one.what, sizeof one.what);
    change->before = one.before;
    change->after = one.after;
    return;
  }
  cli_reset(&one.before);
  cli_reset(&one.after);
}

static void report_types(comparison *d) {
  for (int64_t i = 0; i < d->n_types; i++) {
    type_change *change = &d->types[i];
    if (change->n == 1)
      report(d, change->layer, change->what, cli_text(&change->before), cli_text(&change->after));
    if (change->n > 1 && d->page != NULL)
      cli_json_difference(d->page, change->layer, change->what, cli_text(&change->before), cli_text(&change->after));
    if (change->n > 1 && !d->c->options.quiet)
      fprintf(d->c->results, "  %lld %s: %s -> %s; -v names them\n", (long long)change->n,
              change->narrowed ? "constants" : "outputs", irrun_type_name(change->from), irrun_type_name(change->to));
    d->n_differences += change->n > 1;
    cli_reset(&change->before);
    cli_reset(&change->after);
  }
  free(d->types);
}

/* ---- layers ---- */

/* Compares two texts of an attribute, ignoring blanks and line breaks. */
static bool same_text(const char *a, const char *b) {
  static const char blanks[] = " \t\r\n";
  for (;; a++, b++) {
    a += strspn(a, blanks);
    b += strspn(b, blanks);
    if (*a != *b || *a == '\0')
      return *a == *b;
  }
}

/* Whether the layers differ in the type of output 0. compare_ports reports such a difference. */
static bool has_other_type(const comparison *d, int64_t before, int64_t after) {
  irrun_value old = {.size = sizeof old}, new = old;
  return irrun_model_get_layer_output(d->old.model, before, 0, &old) &&
         irrun_model_get_layer_output(d->new.model, after, 0, &new) && old.type != new.type;
}

/* Compares attributes. Skips `offset` and `size` of a constant, whose elements are compared instead, and a type
 * attribute if compare_ports reports the type. */
static void compare_attributes(comparison *d, const char *name, int64_t before, int64_t after) {
  const bool is_constant =
      irrun_model_is_constant(d->new.model, after) && irrun_model_is_constant(d->old.model, before);
  const char *attribute, *value;
  for (int i = 0; irrun_model_get_layer_attribute(d->new.model, after, i, &attribute, &value); i++) {
    const char *other = cli_find_attribute(d->old.model, before, attribute);
    value = value != NULL ? value : "";
    bool is_place = is_constant && (strcmp(attribute, "offset") == 0 || strcmp(attribute, "size") == 0);
    bool is_type = strcmp(attribute, "element_type") == 0 || strcmp(attribute, "destination_type") == 0;
    if (!is_place && !(is_type && other != NULL && has_other_type(d, before, after)) &&
        (other == NULL || !same_text(other, value)))
      report(d, name, attribute, other, value);
  }
  for (int i = 0; irrun_model_get_layer_attribute(d->old.model, before, i, &attribute, &value); i++)
    if (cli_find_attribute(d->new.model, after, attribute) == NULL)
      report(d, name, attribute, value != NULL ? value : "", NULL);
}

/* Translates `name`, a value in the port map of `layer`. If `name` is a layer in the old model's body, returns the name
 * of the layer's partner; else returns `name`. */
static const char *paired_name(const comparison *d, const cli_diff_side *s, int64_t layer, const char *name) {
  cli_string whole = {0};
  cli_add(&whole, "%s" CLI_INSIDE "%s", s->layers[layer].name, name);
  const cli_diff_layer *found = s == &d->old ? cli_diff_find(s, cli_text(&whole)) : NULL;
  cli_reset(&whole);
  irrun_layer partner = {.size = sizeof partner};
  return found != NULL && found->partner != NULL && irrun_model_get_layer(d->new.model, found->partner->layer, &partner)
             ? partner.name
             : name;
}

/* Lists the items of a layer's port maps and back edges: kind, tab, and attributes. The caller frees texts and list. */
static cli_string *list_lines(const comparison *d, const cli_diff_side *s, int64_t layer, size_t *out_n) {
  const char *kind, *name, *value;
  size_t capacity = 1;
  cli_string *list = cli_allocate(capacity, sizeof *list);
  for (*out_n = 0; (kind = irrun_model_get_line(s->model, layer, (int)*out_n)) != NULL; ++*out_n) {
    list = cli_with_room(list, *out_n, &capacity, sizeof *list);
    cli_string *text = &list[*out_n];
    cli_add(text, "%s\t", kind);
    for (int i = 0; irrun_model_get_line_attribute(s->model, layer, (int)*out_n, i, &name, &value); i++)
      cli_add(text, "%s%s=%s", i > 0 ? " " : "", name, value != NULL ? paired_name(d, s, layer, value) : "");
  }
  return list;
}

static int by_text(const void *a, const void *b) {
  return strcmp(cli_text(a), cli_text(b));
}

/* Reports the items of port maps and back edges that only one model has: the new model if `is_new`, else the old model.
 * The order of the items does not matter. */
static void compare_lines(comparison *d, const char *name, int64_t before, int64_t after, bool is_new) {
  size_t n, n_others;
  cli_string *lines = list_lines(d, is_new ? &d->new : &d->old, is_new ? after : before, &n);
  cli_string *others = list_lines(d, is_new ? &d->old : &d->new, is_new ? before : after, &n_others);
  qsort(others, n_others, sizeof *others, by_text);
  for (size_t i = 0; i < n; i++) {
    const bool found = bsearch(&lines[i], others, n_others, sizeof *others, by_text) != NULL;
    char *kind = lines[i].text, *text = strchr(kind, '\t');
    *text++ = '\0';
    if (!found)
      report(d, name, kind, is_new ? NULL : text, is_new ? text : NULL);
    cli_reset(&lines[i]);
  }
  for (size_t i = 0; i < n_others; i++)
    cli_reset(&others[i]);
  free(lines);
  free(others);
}

/* Adds the output that feeds an input: "pool, output 1". */
static void add_source(cli_string *text, const cli_diff_side *s, const irrun_value *value) {
  if (value->from_layer < 0 || value->from_layer >= s->n)
    cli_add(text, "not connected");
  else
    cli_add(text, "%s, output %d", s->layers[value->from_layer].name, value->from_port);
}

/* Whether both inputs come from the same output of paired layers. */
static bool same_source(const comparison *d, const irrun_value *old, const irrun_value *new) {
  return old->from_layer >= 0 && old->from_layer < d->old.n && new->from_layer >= 0 && new->from_layer < d->new.n &&
         d->old.layers[old->from_layer].partner == &d->new.layers[new->from_layer] && old->from_port == new->from_port;
}

static bool same_but_type(const irrun_value *old, const irrun_value *new) {
  char a[IRRUN_SHAPE_TEXT], b[IRRUN_SHAPE_TEXT];
  return old->type !=
         new->type &&strcmp(irrun_shape_text(&old->shape, a, sizeof a), irrun_shape_text(&new->shape, b, sizeof b)) ==
         0;
}

/* Compares all inputs, by their sources, or all outputs, by their types and shapes. */
static void compare_ports(comparison *d, const char *name, int64_t before, int64_t after, bool inputs) {
  bool has_old = true, has_new = true;
  for (int port = 0; has_old || has_new; port++) {
    irrun_value old = {.size = sizeof old}, new = old;
    cli_string texts[2] = {{0}, {0}}, what = {0};
    has_old = inputs ? irrun_model_get_layer_input(d->old.model, before, port, &old)
                     : irrun_model_get_layer_output(d->old.model, before, port, &old);
    /* this call invalidates the texts in `old`, which are not read here */
    has_new = inputs ? irrun_model_get_layer_input(d->new.model, after, port, &new)
                     : irrun_model_get_layer_output(d->new.model, after, port, &new);
    if (has_old && inputs)
      add_source(&texts[0], &d->old, &old);
    else if (has_old)
      cli_add_value(&texts[0], &old);
    if (has_new && inputs)
      add_source(&texts[1], &d->new, &new);
    else if (has_new)
      cli_add_value(&texts[1], &new);
    cli_add(&what, "%s %d", inputs ? "input" : "output", port);
    if (has_old && has_new && !inputs && same_but_type(&old, &new))
      note_type(d, name, port, false, &old, &new);
    else if (!has_old || !has_new || !inputs || !same_source(d, &old, &new))
      compare_text(d, name, cli_text(&what), has_old ? cli_text(&texts[0]) : NULL,
                   has_new ? cli_text(&texts[1]) : NULL);
    cli_reset(&texts[0]);
    cli_reset(&texts[1]);
    cli_reset(&what);
  }
}

/* Compares the elements of two constants. If their types differ, rounds to the narrower type. Other functions report
 * differences of types and shapes. */
static void compare_elements(comparison *d, const char *name, int64_t layer, const irrun_tensor *before,
                             const irrun_tensor *after) {
  static const irrun_tolerance exact = {0, 0, -1};
  const bool turned = irrun_tensor_get_info(before).bytes < irrun_tensor_get_info(after).bytes;
  irrun_comparison result = {.size = sizeof result};
  irrun_status status = irrun_model_compare_layer(d->new.model, layer, 0, NULL, turned ? before : after,
                                                  turned ? after : before, true, exact, NULL, NULL, &result);
  if (status != IRRUN_DIFFERS || !result.comparable)
    return;
  cli_string what = {0};
  cli_add(&what, "%lld of %lld elements, the worst at ", (long long)result.mismatched, (long long)result.count);
  cli_add_index(&what, result.worst_index, result.rank);
  report(d, name, cli_text(&what), turned ? result.worst_got : result.worst_expected,
         turned ? result.worst_expected : result.worst_got);
  cli_reset(&what);
}

static void compare_contents(comparison *d, const char *name, int64_t before, int64_t after) {
  irrun_tensor *old, *new;
  if (!irrun_model_is_constant(d->old.model, before) || !irrun_model_is_constant(d->new.model, after))
    return;
  old = irrun_model_get_constant(d->old.model, before);
  new = irrun_model_get_constant(d->new.model, after);
  const bool seen = old != NULL && new != NULL;
  /* an edit that stores a constant in another type tells its error itself */
  if (seen && (!d->is_edited || irrun_tensor_get_info(old).type == irrun_tensor_get_info(new).type))
    compare_elements(d, name, after, old, new);
  else if (!seen)
    d->n_unseen++;
  irrun_tensor_free(old);
  irrun_tensor_free(new);
}

static void add_op(cli_string *text, const cli_diff_side *s, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(s->model, index, &layer);
  cli_add(text, "%s", layer.type);
  if (layer.version >= 0)
    cli_add(text, "-%d", layer.version);
}

/* Compares a constant of one model with a narrower constant and its Convert in the other model. Returns false if the
 * pair does not have this form. */
static bool compare_narrowed(comparison *d, const cli_diff_layer *before, const cli_diff_layer *after) {
  irrun_value value = {.size = sizeof value}, old = value, new = value;
  const bool is_new = irrun_model_is_constant(d->old.model, before->layer);
  int64_t constants[2] = {before->layer, after->layer};
  if (is_new == irrun_model_is_constant(d->new.model, after->layer))
    return false;
  irrun_model_get_layer_input(is_new ? d->new.model : d->old.model, constants[is_new], 0, &value);
  if (value.from_layer < 0 || !(is_new ? d->new : d->old).layers[value.from_layer].narrowed)
    return false;
  constants[is_new] = value.from_layer;
  irrun_model_get_layer_output(d->old.model, constants[0], 0, &old);
  irrun_model_get_layer_output(d->new.model, constants[1], 0, &new);
  note_type(d, after->name, 0, true, &old, &new);
  compare_ports(d, after->name, before->layer, after->layer, false);
  compare_contents(d, after->name, constants[0], constants[1]);
  return true;
}

static void compare_layers(comparison *d, const cli_diff_layer *before, const cli_diff_layer *after) {
  const char *name = after->name;
  if (compare_narrowed(d, before, after))
    return;
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

static void report_alone(comparison *d, const cli_diff_side *s, const cli_diff_layer *layer, bool is_new) {
  cli_string op = {0};
  add_op(&op, s, layer->layer);
  report(d, layer->name, "layer", is_new ? NULL : cli_text(&op), is_new ? cli_text(&op) : NULL);
  cli_reset(&op);
}

static void compare_models(comparison *d) {
  for (int64_t i = 0; i < d->new.n; i++) {
    const cli_diff_layer *layer = &d->new.layers[i];
    if (layer->partner != NULL)
      compare_layers(d, layer->partner, layer);
    else if (!layer->narrowed)
      report_alone(d, &d->new, layer, true);
  }
  for (int64_t i = 0; i < d->old.n; i++)
    if (d->old.layers[i].partner == NULL && !d->old.layers[i].narrowed)
      report_alone(d, &d->old, &d->old.layers[i], false);
  report_types(d);
}

/* Prints "new.xml: 3 differences from old.xml". */
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

/* ---- remarks ---- */

static int by_place(const void *a, const void *b) {
  const irrun_remark *x = a, *y = b;
  const int64_t order = x->layer != y->layer ? x->layer - y->layer : x->port - y->port;
  return order != 0 ? (order > 0) - (order < 0) : strcmp(x->path, y->path);
}

static irrun_remark *sort_remarks(const cli_diff_side *s, size_t *out_n) {
  size_t capacity = 1;
  irrun_remark *list = cli_allocate(capacity, sizeof *list), remark = {.size = sizeof remark};
  for (*out_n = 0; irrun_model_get_remark(s->model, (int64_t)*out_n, &remark); ++*out_n) {
    list = cli_with_room(list, *out_n, &capacity, sizeof *list);
    list[*out_n] = remark;
  }
  qsort(list, *out_n, sizeof *list, by_place);
  return list;
}

/* Reports the remarks of `here` that `there` lacks or, if `here` is the new model, has with another value. */
static void compare_remarks(comparison *d, const cli_diff_side *here, const cli_diff_side *there) {
  irrun_remark remark = {.size = sizeof remark};
  const bool is_new = here == &d->new;
  size_t n;
  irrun_remark *others = sort_remarks(there, &n);
  for (int64_t i = 0; irrun_model_get_remark(here->model, i, &remark); i++) {
    const cli_diff_layer *layer = remark.layer < 0 ? NULL : &here->layers[remark.layer];
    if (layer != NULL && layer->partner == NULL)
      continue;
    irrun_remark wanted = remark;
    wanted.layer = layer == NULL ? -1 : layer->partner->layer;
    const irrun_remark *found = bsearch(&wanted, others, n, sizeof *others, by_place);
    cli_string what = {0};
    if (remark.port >= 0)
      cli_add(&what, "output %d ", remark.port);
    cli_add(&what, "%s", remark.path);
    if (is_new)
      compare_text(d, layer == NULL ? NULL : layer->name, cli_text(&what), found ? found->value : NULL, remark.value);
    else if (found == NULL)
      compare_text(d, layer == NULL ? NULL : layer->name, cli_text(&what), remark.value, NULL);
    cli_reset(&what);
  }
  free(others);
}

/* Compares names of layers, names of tensors, and <rt_info>. */
static void compare_texts(comparison *d) {
  for (int64_t i = 0; i < d->new.n; i++)
    if (d->new.layers[i].partner != NULL)
      compare_text(d, d->new.layers[i].name, "name", d->new.layers[i].partner->name, d->new.layers[i].name);
  compare_remarks(d, &d->old, &d->new);
  compare_remarks(d, &d->new, &d->old);
}

/* ---- the mode ---- */

/* Prints the differences of paired layers. */
static irrun_status print_differences(comparison *d) {
  /* IR603 would report that elements are rounded to the narrower type */
  irrun_status status = irrun_context_allow(d->c->context, "IR603");
  if (d->c->json != NULL)
    d->list = cli_node_array(cli_json_root(d->c->json), "differences");
  compare_models(d);
  if (d->is_edited)
    compare_texts(d);
  if (d->c->json == NULL)
    print_verdict(d);
  return irrun_status_worse(status, d->n_differences > 0 ? IRRUN_DIFFERS : IRRUN_OK);
}

irrun_status cli_diff_edited(cli *c, irrun_model *old, const char *old_path, irrun_model *new, const char *new_path) {
  comparison d = {
      .c = c, .is_edited = true, .old = {.model = old, .path = old_path}, .new = {.model = new, .path = new_path}};
  cli_diff_pair_edited(&d.old, &d.new);
  const irrun_status status = print_differences(&d);
  cli_diff_free(&d.old);
  cli_diff_free(&d.new);
  return status;
}

irrun_status cli_diff_mode(cli *c) {
  int at = 0;
  comparison d = {.c = c};
  const irrun_status checked = cli_page_check(c);
  if (checked != IRRUN_OK)
    return checked;
  cli_json *page = cli_page_path(c) != NULL ? cli_json_create() : NULL;
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
  status = irrun_status_worse(old, status);
  if (d.old.model != NULL && d.new.model != NULL) {
    if (page != NULL)
      d.page = cli_node_array(cli_json_root(page), "differences");
    cli_diff_pair(&d.old, &d.new);
    status = irrun_status_worse(status, print_differences(&d));
  }
  if (page != NULL)
    status = irrun_status_worse(status, cli_page_end_pair(c, page, &d.old, &d.new, status));
  cli_diff_free(&d.old);
  cli_diff_free(&d.new);
  irrun_model_free(d.old.model);
  irrun_model_free(d.new.model);
  return status;
}
