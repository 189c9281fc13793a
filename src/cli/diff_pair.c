#include "diff_pair.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define HASH_BASIS UINT64_C(0xcbf29ce484222325) /* FNV-1a */
#define HASH_PRIME UINT64_C(0x100000001b3)

/* ---- the layers ---- */

static int by_name(const void *a, const void *b) {
  const cli_diff_layer *x = *(cli_diff_layer *const *)a, *y = *(cli_diff_layer *const *)b;
  int order = strcmp(x->name, y->name);
  return order != 0 ? order : (x->layer > y->layer) - (x->layer < y->layer);
}

/* Whether the name ends in "_" and digits, like a name that OpenVINO generated. */
static bool is_numbered(const char *name) {
  const char *end = name + strlen(name), *at = end;
  while (at > name && isdigit((unsigned char)at[-1]))
    at--;
  return at < end && at > name && at[-1] == '_';
}

static void name_layers(cli_diff_side *s) {
  irrun_layer layer = {.size = sizeof layer};
  s->n = s->model != NULL ? cli_model_info(s->model).n_layers : 0;
  s->layers = cli_allocate((size_t)s->n + 1, sizeof *s->layers);
  s->sorted = cli_allocate((size_t)s->n + 1, sizeof *s->sorted);
  for (int64_t i = 0; i < s->n && irrun_model_get_layer(s->model, i, &layer); i++) {
    cli_string name = {0};
    bool numbered = is_numbered(layer.name);
    for (int k = 0; k < layer.n_inside; k++) {
      numbered = numbered || is_numbered(layer.inside[k]);
      cli_add(&name, "%s" CLI_INSIDE, layer.inside[k]);
    }
    cli_add(&name, "%s", layer.name);
    if (name.text == NULL)
      cli_add(&name, "#%s", layer.id);
    s->layers[i] = (cli_diff_layer){.name = name.text, .layer = i, .numbered = numbered};
    s->sorted[i] = &s->layers[i];
  }
  qsort(s->sorted, (size_t)s->n, sizeof *s->sorted, by_name);
}

void cli_diff_free(cli_diff_side *s) {
  for (int64_t i = 0; i < s->n; i++)
    free(s->layers[i].name);
  free(s->layers);
  free(s->sorted);
}

static int64_t first_of_name(const cli_diff_side *s, const char *name) {
  int64_t first = 0, end = s->n;
  while (first < end) {
    const int64_t middle = first + (end - first) / 2;
    if (strcmp(s->sorted[middle]->name, name) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

cli_diff_layer *cli_diff_find(const cli_diff_side *s, const char *name) {
  const int64_t at = first_of_name(s, name);
  return at < s->n && strcmp(s->sorted[at]->name, name) == 0 ? s->sorted[at] : NULL;
}

static bool is_alone(const cli_diff_layer *layer) {
  return layer->partner == NULL && !layer->narrowed;
}

/* Returns the first unpaired layer of that name, or NULL. The name's first layer counts the paired layers before it, so
 * that many equal names are not searched again for each layer. */
static cli_diff_layer *find_namesake(const cli_diff_side *s, const char *name) {
  const int64_t first = first_of_name(s, name);
  for (int64_t i = first < s->n ? first + s->sorted[first]->n_paired : first;
       i < s->n && strcmp(s->sorted[i]->name, name) == 0; i++) {
    if (is_alone(s->sorted[i]))
      return s->sorted[i];
    s->sorted[first]->n_paired = i + 1 - first;
  }
  return NULL;
}

static void pair(cli_diff_layer *a, cli_diff_layer *b) {
  a->partner = b;
  b->partner = a;
}

/* ---- edges ---- */

/* An edge: output `from_port` of layer `from` feeds input `port` of layer `to`. */
typedef struct edge {
  int64_t from, to;
  int from_port, port;
} edge;

static int by_source(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->from != y->from)
    return x->from > y->from ? 1 : -1;
  return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->port > y->port) - (x->port < y->port);
}

static bool has_layer(const cli_diff_side *s, int64_t layer) {
  return layer >= 0 && layer < s->n;
}

static edge *list_edges(const cli_diff_side *s, int64_t *out_n) {
  edge *list = NULL;
  irrun_value value = {.size = sizeof value};
  for (int pass = 0; pass < 2; pass++) {
    list = pass == 0 ? NULL : cli_allocate((size_t)*out_n, sizeof *list);
    *out_n = 0;
    for (int64_t i = 0; i < s->n; i++)
      for (int port = 0; irrun_model_get_layer_input(s->model, i, port, &value); port++) {
        if (pass == 1)
          list[*out_n] = (edge){value.from_layer, i, value.from_port, port};
        ++*out_n;
      }
  }
  if (*out_n > 0)
    qsort(list, (size_t)*out_n, sizeof *list, by_source);
  return list;
}

/* Returns the index of the first edge from layer `from`. */
static int64_t first_edge(const edge *edges, int64_t n, int64_t from) {
  int64_t first = 0, end = n;
  while (first < end) {
    const int64_t middle = first + (end - first) / 2;
    if (edges[middle].from < from)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* ---- hashes of what layers compute ---- */

static uint64_t add_bytes(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ at[i]) * HASH_PRIME;
  return hash * HASH_PRIME; /* hash a zero byte, which marks the end */
}

static uint64_t add_text(uint64_t hash, const char *text) {
  return add_bytes(hash, text, text != NULL ? strlen(text) : 0);
}

/* Hashes the attributes. Their order, blanks, and a constant's `offset` and `size` in the .bin have no effect. */
static uint64_t sign_attributes(const cli_diff_side *s, int64_t layer, bool is_constant) {
  const char *name, *value;
  uint64_t sum = 0;
  for (int i = 0; irrun_model_get_layer_attribute(s->model, layer, i, &name, &value); i++) {
    uint64_t hash = add_text(HASH_BASIS, name);
    if (is_constant && (strcmp(name, "offset") == 0 || strcmp(name, "size") == 0))
      continue;
    for (const char *at = value; at != NULL && *at != '\0'; at++)
      if (!isspace((unsigned char)*at))
        hash = add_bytes(hash, at, 1);
    sum += hash;
  }
  return sum;
}

static uint64_t sign_outputs(const cli_diff_side *s, int64_t layer, uint64_t hash) {
  irrun_value value = {.size = sizeof value};
  for (int port = 0; irrun_model_get_layer_output(s->model, layer, port, &value); port++) {
    cli_string text = {0};
    cli_add_value(&text, &value);
    hash = add_text(hash, cli_text(&text));
    cli_reset(&text);
  }
  return hash;
}

static uint64_t sign_alone(const cli_diff_side *s, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  const bool is_constant = irrun_model_is_constant(s->model, index);
  irrun_model_get_layer(s->model, index, &layer);
  uint64_t hash = add_text(HASH_BASIS, layer.type);
  hash = add_bytes(hash, &layer.version, sizeof layer.version) + sign_attributes(s, index, is_constant);
  hash = sign_outputs(s, index, hash);
  irrun_tensor *tensor = is_constant ? irrun_model_get_constant(s->model, index) : NULL;
  if (tensor != NULL) {
    const irrun_tensor_info info = irrun_tensor_get_info(tensor);
    hash = add_bytes(hash, info.data, info.bytes);
    irrun_tensor_free(tensor);
  }
  return hash;
}

/* Hashes a layer together with its sources, which have their hashes. */
static uint64_t sign_with_inputs(const cli_diff_side *s, int64_t index) {
  irrun_value value = {.size = sizeof value};
  uint64_t hash = sign_alone(s, index);
  for (int port = 0; irrun_model_get_layer_input(s->model, index, port, &value); port++) {
    if (!has_layer(s, value.from_layer))
      continue;
    const uint64_t from = s->layers[value.from_layer].sign;
    hash = add_bytes(hash, &from, sizeof from);
    hash = add_bytes(hash, &value.from_port, sizeof value.from_port);
  }
  return hash != 0 ? hash : 1;
}

/* Hashes each layer after its sources, in whatever order the file has them. Layers in a cycle or behind one get no
 * hash. */
static void sign_layers(cli_diff_side *s) {
  int64_t n_edges, n_ready = 0;
  edge *edges = list_edges(s, &n_edges);
  int64_t *n_missing = cli_allocate((size_t)s->n + 1, sizeof *n_missing); /* sources without a hash */
  int64_t *ready = cli_allocate((size_t)s->n + 1, sizeof *ready);
  for (int64_t i = 0; i < n_edges; i++)
    n_missing[edges[i].to] += has_layer(s, edges[i].from);
  for (int64_t i = 0; i < s->n; i++)
    if (n_missing[i] == 0)
      ready[n_ready++] = i;
  for (int64_t k = 0; k < n_ready; k++) {
    const int64_t from = ready[k];
    s->layers[from].sign = sign_with_inputs(s, from);
    for (int64_t i = first_edge(edges, n_edges, from); i < n_edges && edges[i].from == from; i++)
      if (--n_missing[edges[i].to] == 0)
        ready[n_ready++] = edges[i].to;
  }
  free(edges);
  free(n_missing);
  free(ready);
}

static int by_sign(const void *a, const void *b) {
  const cli_diff_layer *x = *(cli_diff_layer *const *)a, *y = *(cli_diff_layer *const *)b;
  if (x->sign != y->sign)
    return x->sign > y->sign ? 1 : -1;
  return (x->layer > y->layer) - (x->layer < y->layer);
}

static cli_diff_layer **sort_by_sign(const cli_diff_side *s) {
  cli_diff_layer **list = cli_allocate((size_t)s->n + 1, sizeof *list);
  for (int64_t i = 0; i < s->n; i++)
    list[i] = &s->layers[i];
  qsort(list, (size_t)s->n, sizeof *list, by_sign);
  return list;
}

/* Pairs layers with equal hashes: first layers of the same name, then numbered layers in the files' order. */
static void pair_by_sign(cli_diff_side *old, cli_diff_side *new) {
  cli_diff_layer **from = sort_by_sign(old), **to = sort_by_sign(new);
  for (int64_t i = 0; i < new->n; i++) {
    cli_diff_layer *namesake = find_namesake(old, new->layers[i].name);
    if (namesake != NULL && namesake->sign == new->layers[i].sign)
      pair(namesake, &new->layers[i]);
  }
  for (int64_t i = 0, k = 0; i < old->n && k < new->n;) {
    if (!from[i]->numbered || !is_alone(from[i]) || from[i]->sign == 0 || from[i]->sign < to[k]->sign)
      i++;
    else if (!to[k]->numbered || !is_alone(to[k]) || from[i]->sign > to[k]->sign)
      k++;
    else
      pair(from[i++], to[k++]);
  }
  free(from);
  free(to);
}

/* ---- neighbours of pairs ---- */

static cli_diff_layer *source_of(const cli_diff_side *s, const cli_diff_layer *layer, int port) {
  irrun_value value = {.size = sizeof value};
  const bool has = irrun_model_get_layer_input(s->model, layer->layer, port, &value);
  return has && has_layer(s, value.from_layer) ? &s->layers[value.from_layer] : NULL;
}

static bool same_op(const cli_diff_side *old, const cli_diff_layer *a, const cli_diff_side *new,
                    const cli_diff_layer *b) {
  irrun_layer x = {.size = sizeof x}, y = x;
  irrun_model_get_layer(old->model, a->layer, &x);
  irrun_model_get_layer(new->model, b->layer, &y);
  return x.version == y.version && strcmp(x.type, y.type) == 0;
}

/* Whether a Convert and its source, a constant, replace a constant of the other model. An IR with f16 weights has this
 * form. */
static bool stands_for(const cli_diff_side *narrow, const cli_diff_layer *convert, const cli_diff_side *wide,
                       const cli_diff_layer *constant) {
  irrun_layer layer = {.size = sizeof layer};
  const cli_diff_layer *source = source_of(narrow, convert, 0);
  irrun_model_get_layer(narrow->model, convert->layer, &layer);
  return source != NULL && strcmp(layer.type, "Convert") == 0 && is_alone(source) &&
         irrun_model_is_constant(narrow->model, source->layer) && irrun_model_is_constant(wide->model, constant->layer);
}

/* Whether `a` and `b`, at the same place beside a pair, can be partners. Both have to be unpaired, numbered and without
 * a namesake. Either their ops are equal, or one layer replaces the other (stands_for). */
static bool may_pair(const cli_diff_side *old, const cli_diff_layer *a, const cli_diff_side *new,
                     const cli_diff_layer *b) {
  return a != NULL && b != NULL && is_alone(a) && is_alone(b) && a->numbered && b->numbered &&
         find_namesake(new, a->name) == NULL && find_namesake(old, b->name) == NULL &&
         (same_op(old, a, new, b) || stands_for(old, a, new, b) || stands_for(new, b, old, a));
}

static bool pair_sources(cli_diff_side *old, cli_diff_side *new) {
  bool found = false;
  irrun_value value = {.size = sizeof value};
  for (int64_t i = new->n - 1; i >= 0; i--) {
    const cli_diff_layer *layer = &new->layers[i];
    for (int port = 0; layer->partner != NULL && irrun_model_get_layer_input(new->model, i, port, &value); port++) {
      cli_diff_layer *a = source_of(old, layer->partner, port), *b = source_of(new, layer, port);
      if (!may_pair(old, a, new, b))
        continue;
      pair(a, b);
      found = true;
    }
  }
  return found;
}

/* Among the old layers that read old layer `from` through the ports of `way`, returns the first that may pair with new
 * layer way->to; NULL if none. */
static cli_diff_layer *find_consumer(cli_diff_side *old, const edge *edges, int64_t n, int64_t from,
                                     const cli_diff_side *new, const edge *way) {
  for (int64_t i = first_edge(edges, n, from); i < n && edges[i].from == from; i++)
    if (edges[i].port == way->port && edges[i].from_port == way->from_port &&
        may_pair(old, &old->layers[edges[i].to], new, &new->layers[way->to]))
      return &old->layers[edges[i].to];
  return NULL;
}

static bool pair_consumers(cli_diff_side *old, cli_diff_side *new, const edge *edges, int64_t n_edges) {
  bool found = false;
  irrun_value value = {.size = sizeof value};
  for (int64_t i = 0; i < new->n; i++)
    for (int port = 0; is_alone(&new->layers[i]) && irrun_model_get_layer_input(new->model, i, port, &value); port++) {
      const bool has = has_layer(new, value.from_layer);
      const cli_diff_layer *source = has ? new->layers[value.from_layer].partner : NULL;
      const edge way = {value.from_layer, i, value.from_port, port};
      cli_diff_layer *partner = source != NULL ? find_consumer(old, edges, n_edges, source->layer, new, &way) : NULL;
      if (partner == NULL)
        continue;
      pair(partner, &new->layers[i]);
      found = true;
    }
  return found;
}

enum { MOST_ROUNDS = 100 }; /* layers in running order need two rounds */

static void pair_neighbours(cli_diff_side *old, cli_diff_side *new) {
  int64_t n_edges;
  edge *edges = list_edges(old, &n_edges);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    const bool found = pair_sources(old, new);
    if (!pair_consumers(old, new, edges, n_edges) && !found)
      break;
  }
  free(edges);
}

static void note_narrowed(cli_diff_side *wide, cli_diff_side *narrow) {
  for (int64_t i = 0; i < narrow->n; i++) {
    cli_diff_layer *layer = &narrow->layers[i];
    if (layer->partner != NULL && stands_for(narrow, layer, wide, layer->partner))
      source_of(narrow, layer, 0)->narrowed = true;
  }
}

static void pair_by_name(cli_diff_side *old, cli_diff_side *new, bool numbered_too) {
  for (int64_t i = 0; i < new->n; i++) {
    cli_diff_layer *layer = &new->layers[i];
    cli_diff_layer *namesake =
        is_alone(layer) && (numbered_too || !layer->numbered) ? find_namesake(old, layer->name) : NULL;
    if (namesake != NULL)
      pair(namesake, layer);
  }
}

void cli_diff_pair(cli_diff_side *old, cli_diff_side *new) {
  name_layers(old);
  name_layers(new);
  sign_layers(old);
  sign_layers(new);
  pair_by_sign(old, new);
  pair_by_name(old, new, false);
  pair_neighbours(old, new);
  pair_by_name(old, new, true);
  pair_neighbours(old, new);
  note_narrowed(old, new);
  note_narrowed(new, old);
}

/* ---- edited models ---- */

/* A layer of the old model, found by its id and its body. */
typedef struct id_place {
  int64_t owner, id, layer; /* owner: the old model's layer whose body has the layer; -1: none */
  int body;
} id_place;

static id_place place_of(irrun_model *model, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(model, index, &layer);
  return (id_place){layer.owner, strtoll(layer.id, NULL, 10), index, layer.body};
}

static int by_id(const void *a, const void *b) {
  const id_place *x = a, *y = b;
  if (x->owner != y->owner)
    return x->owner > y->owner ? 1 : -1;
  return x->body != y->body ? x->body - y->body : (x->id > y->id) - (x->id < y->id);
}

void cli_diff_pair_edited(cli_diff_side *old, cli_diff_side *new) {
  name_layers(old);
  name_layers(new);
  id_place *places = cli_allocate((size_t)old->n + 1, sizeof *places);
  for (int64_t i = 0; i < old->n; i++)
    places[i] = place_of(old->model, i);
  qsort(places, (size_t)old->n, sizeof *places, by_id);
  for (int64_t i = 0; i < new->n; i++) { /* an owner comes before the layers of its bodies */
    id_place place = place_of(new->model, i);
    const cli_diff_layer *owner = place.owner < 0 ? NULL : new->layers[place.owner].partner;
    place.owner = owner == NULL ? -1 : owner->layer;
    const id_place *found = bsearch(&place, places, (size_t)old->n, sizeof *places, by_id);
    if (found != NULL)
      pair(&old->layers[found->layer], &new->layers[i]);
  }
  free(places);
}
