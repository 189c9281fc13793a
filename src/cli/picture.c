#include "picture.h"

#include <stdlib.h>
#include <string.h>

/* Whether compressed or quantized models have this op between a constant and its user. */
static bool is_constants_way(const char *type) {
  static const char *const types[] = {"Convert", "FakeConvert", "FakeQuantize", "Multiply", "Reshape",
                                      "Squeeze", "Subtract",    "Transpose",    "Unsqueeze"};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(type, types[i]) == 0)
      return true;
  return false;
}

static void read_sources(cli_picture *p, int64_t index, int n_inputs) {
  cli_drawn_layer *layer = &p->layers[index];
  irrun_value value = {.size = sizeof value};
  layer->sources = cli_allocate((size_t)n_inputs, sizeof *layer->sources);
  for (int port = 0; irrun_model_get_layer_input(p->model, index, port, &value); port++) {
    int known = 0;
    while (known < layer->n_sources && layer->sources[known] != value.from_layer)
      known++;
    if (value.from_layer >= 0 && known == layer->n_sources)
      layer->sources[layer->n_sources++] = value.from_layer;
  }
}

static void read_layers(cli_picture *p) {
  irrun_layer layer = {.size = sizeof layer};
  for (int64_t i = 0; irrun_model_get_layer(p->model, i, &layer); i++) {
    const bool is_parameter = strcmp(layer.type, "Parameter") == 0, is_result = strcmp(layer.type, "Result") == 0;
    cli_string id = {0};
    cli_add(&id, "%s", layer.id);
    p->layers[i] = (cli_drawn_layer){.name = layer.name,
                                     .id = id.text,
                                     .type = layer.type,
                                     .opset = layer.opset,
                                     .version = layer.version,
                                     .owner = layer.owner,
                                     .body = layer.body,
                                     .is_missing = !layer.runnable,
                                     .is_end = is_parameter || is_result,
                                     .box = i,
                                     .next = -1};
    if (layer.owner >= 0)
      p->layers[layer.owner].has_body = true;
    read_sources(p, i, layer.n_inputs);
  }
}

/* Whether the diagnostic is about a layer at this nesting path. The caller has compared names and ids, which layers can
 * share. */
static bool is_inside(const irrun_diagnostic *diagnostic, const irrun_layer *layer) {
  if (diagnostic->n_inside != layer->n_inside)
    return false;
  for (int i = 0; i < layer->n_inside; i++)
    if (strcmp(diagnostic->layer_inside[i], layer->inside[i]) != 0)
      return false;
  return true;
}

static int by_name(const void *a, const void *b) {
  return strcmp((*(cli_drawn_layer *const *)a)->name, (*(cli_drawn_layer *const *)b)->name);
}

static int by_name_and_id(const void *a, const void *b) {
  const int order = by_name(a, b);
  return order != 0 ? order : strcmp((*(cli_drawn_layer *const *)a)->id, (*(cli_drawn_layer *const *)b)->id);
}

/* Marks the layers that a diagnostic is about. `sorted` are all layers, by name and id. */
static void mark_faulty(cli_picture *p, cli_drawn_layer **sorted, const irrun_diagnostic *diagnostic, bool is_limit) {
  cli_drawn_layer wanted = {.name = diagnostic->layer_name, .id = (char *)diagnostic->layer_id}, *key = &wanted;
  irrun_layer layer = {.size = sizeof layer};
  int (*const compare)(const void *, const void *) = *diagnostic->layer_id == '\0' ? by_name : by_name_and_id;
  cli_drawn_layer **end = sorted + p->n_layers;
  cli_drawn_layer **at = bsearch(&key, sorted, (size_t)p->n_layers, sizeof *sorted, compare);
  while (at != NULL && at > sorted && compare(at - 1, &key) == 0)
    at--;
  for (; at != NULL && at < end && compare(at, &key) == 0; at++) {
    cli_drawn_layer *drawn = *at;
    if (drawn->fault != NULL || (is_limit && drawn->is_missing) ||
        !irrun_model_get_layer(p->model, drawn - p->layers, &layer) || !is_inside(diagnostic, &layer))
      continue;
    cli_string text = {0};
    cli_add(&text, "%s %s", diagnostic->rule, diagnostic->slug);
    drawn->fault = text.text;
    drawn->is_missing = false;
  }
}

static void read_faults(cli_picture *p) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  irrun_rule rule = {.size = sizeof rule};
  cli_drawn_layer **sorted = cli_allocate((size_t)p->n_layers + 1, sizeof *sorted);
  for (int64_t i = 0; i < p->n_layers; i++)
    sorted[i] = &p->layers[i];
  qsort(sorted, (size_t)p->n_layers, sizeof *sorted, by_name_and_id);
  for (int64_t at = 0; irrun_context_get_diagnostic(p->c->context, at, &diagnostic); at++)
    if (diagnostic.severity == IRRUN_ERROR && diagnostic.layer_id != NULL)
      mark_faulty(p, sorted, &diagnostic, irrun_rule_find(diagnostic.rule, &rule) && rule.status == IRRUN_UNSUPPORTED);
  free(sorted);
}

static void fold_constants(cli_picture *p) {
  for (int64_t i = 0; i < p->n_layers; i++) {
    cli_drawn_layer *layer = &p->layers[i];
    bool all = layer->n_sources > 0 && is_constants_way(layer->type);
    for (int k = 0; k < layer->n_sources; k++)
      all = all && p->layers[layer->sources[k]].is_folded;
    layer->is_folded =
        !layer->is_missing && layer->fault == NULL &&
        (all || strcmp(layer->type, "Const") == 0 || strcmp(layer->type, "Constant") == 0 /* nGraph's spelling */);
  }
}

void cli_picture_read(cli *c, irrun_model *model, irrun_status status, cli_picture *out) {
  *out = (cli_picture){.c = c,
                       .model = model,
                       .status = status,
                       .n_layers = cli_model_info(model).n_layers,
                       .is_whole = c->options.verbose};
  out->layers = cli_allocate((size_t)out->n_layers, sizeof *out->layers);
  out->boxes = cli_allocate((size_t)out->n_layers, sizeof *out->boxes);
  read_layers(out);
  read_faults(out);
  if (!out->is_whole)
    fold_constants(out);
  for (int64_t i = 0; i < out->n_layers; i++)
    for (int k = 0; k < out->layers[i].n_sources && !out->layers[i].is_folded; k++)
      out->layers[out->layers[i].sources[k]].n_users++;
}

void cli_picture_make(cli *c, irrun_model *model, irrun_status status, cli_picture *out) {
  cli_picture_read(c, model, status, out);
  cli_picture_arrange(out);
}

void cli_picture_free(cli_picture *picture) {
  for (int64_t i = 0; i < picture->n_layers; i++) {
    free(picture->layers[i].sources);
    free(picture->layers[i].fault);
    free(picture->layers[i].id);
  }
  free(picture->layers);
  free(picture->boxes);
  free(picture->lines);
}
