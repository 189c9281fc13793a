/* Finds layers of an edited model by name, and edges by their source. */
#include "runtime/edit/editing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool has_name(const void *key, int32_t value, const void *user) {
  const ir_edit_scope *scope = user;
  return strcmp(scope->names[value].name, key) == 0;
}

static ir_edit_name *find_name(const ir_edit_scope *scope, const char *name) {
  const int32_t at = ir_index_map_find(&scope->by_name, ir_hash_text(name), name, has_name, scope);
  return at < 0 ? NULL : &scope->names[at];
}

/* Makes a larger table of the names. */
static bool grow_table(ir_edit_scope *scope, const ir_memory *memory) {
  ir_index_map_reset(&scope->by_name);
  if (!ir_index_map_init(&scope->by_name, memory, 2 * scope->n_names))
    return false;
  for (size_t i = 0; i < scope->n_names; i++)
    ir_index_map_add(&scope->by_name, ir_hash_text(scope->names[i].name), scope->names[i].name, (int32_t)i, has_name,
                     scope);
  return true;
}

/* Adds a name; `layer` is -1 for an added layer. */
static bool add_name(ir_edit_scope *scope, const char *name, int32_t layer) {
  const ir_memory *memory = &scope->model->context->memory;
  void *names = scope->names;
  ir_edit_name *same = find_name(scope, name);
  if (same != NULL) {
    same->is_shared = true;
    return true;
  }
  if (!ir_reserve(memory, &names, scope->n_names, &scope->names_capacity, sizeof *scope->names))
    return false;
  scope->names = names;
  scope->names[scope->n_names] = (ir_edit_name){.name = name, .layer = layer};
  ir_index_map_add(&scope->by_name, ir_hash_text(name), name, (int32_t)scope->n_names++, has_name, scope);
  return scope->n_names <= scope->by_name.mask / 2 || grow_table(scope, memory);
}

/* Returns "LOOP > ", behind the path of the scope around it. */
static const char *path_of(ir_editing *e, const irrun_model *model) {
  if (model->outer == NULL)
    return "";
  const irrun_model *outer = model->outer;
  const char *before = e->scopes[outer->outer == NULL ? 0 : outer->graph.index + 1].path;
  const char *owner = model->owner->layer->name;
  const size_t size = strlen(before) + strlen(owner) + sizeof " > ";
  char *path = ir_arena_alloc(&e->arena, size);
  if (path != NULL)
    snprintf(path, size, "%s%s > ", before, owner);
  return path;
}

bool ir_edit_list_names(ir_editing *e, ir_edit_scope *scope) {
  const ir_graph *graph = &scope->model->graph;
  scope->path = path_of(e, scope->model);
  bool ok = scope->path != NULL && ir_index_map_init(&scope->by_name, &e->scopes[0].model->context->memory, 16);
  for (size_t i = 0; i < graph->n_layers && ok; i++)
    ok = add_name(scope, graph->layers[i].name, (int32_t)i);
  return ok;
}

static ir_code report_no_layer(ir_editing *e, const char *name) {
  const ir_code code = ir_edit_fault(e, "the model has no layer '%s'", name);
  return e->n_guesses++ >= IR_MAX_GUESSES
             ? code
             : ir_code_worse(code, ir_graph_hint_at_layer(&e->scopes[0].model->graph, name, e->diags));
}

ir_code ir_find_layer(ir_editing *e, const char *name, ir_subject *out) {
  out->port = IR_ALL_PORTS;
  for (size_t s = 0; s < e->n_scopes; s++) {
    ir_edit_scope *scope = &e->scopes[s];
    const size_t path = strlen(scope->path);
    const ir_edit_name *found = strncmp(name, scope->path, path) == 0 ? find_name(scope, name + path) : NULL;
    if (found == NULL || found->layer < 0)
      continue;
    if (found->is_shared || out->layer >= 0)
      return ir_edit_fault(e, "several layers are named '%s'", name);
    out->layer = found->layer;
    out->name = name + path;
    e->scope = scope;
  }
  return out->layer >= 0 ? IR_OK : report_no_layer(e, name);
}

const char *ir_new_layer_name(ir_editing *e, const char *base, const char *suffix) {
  const size_t size = strlen(base) + strlen(suffix) + sizeof "/_" + 24;
  char *name = ir_arena_alloc(&e->arena, size);
  if (name == NULL)
    return NULL;
  snprintf(name, size, "%s%s%s", base, suffix[0] == '\0' ? "" : "/", suffix);
  const size_t length = strlen(name);
  ir_edit_name *plain = find_name(e->scope, name);
  for (bool is_taken = plain != NULL; is_taken; is_taken = find_name(e->scope, name) != NULL)
    snprintf(name + length, size - length, "_%" PRId64, ++plain->n_taken);
  return add_name(e->scope, name, -1) ? name : NULL;
}

/* ---- edges ---- */

static int by_source(const void *a, const void *b) {
  const ir_edge *x = *(const ir_edge *const *)a, *y = *(const ir_edge *const *)b;
  const int order = (x->from_layer > y->from_layer) - (x->from_layer < y->from_layer);
  return order != 0 ? order : (x->from_port > y->from_port) - (x->from_port < y->from_port);
}

/* Returns how many of the sorted edges are less than `key`, or, with `or_equal`, not greater. */
static size_t count_below(const ir_edge *const *edges, size_t n, const ir_edge *key, bool or_equal) {
  size_t low = 0, high = n;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (by_source(&edges[middle], &key) < or_equal)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

const ir_edge *const *ir_edges_from(ir_editing *e, int64_t layer, int64_t port, size_t *out_n) {
  const ir_graph *graph = &e->scope->model->graph;
  const ir_edge key = {.from_layer = layer, .from_port = port};
  const ir_edge **edges = e->scope->edges_by_source;
  *out_n = 0;
  if (edges == NULL) {
    edges = e->scope->edges_by_source = ir_arena_array(&e->arena, graph->n_edges + 1, sizeof *edges);
    for (size_t i = 0; i < graph->n_edges && edges != NULL; i++)
      edges[i] = &graph->edges[i];
    if (edges == NULL)
      return NULL;
    qsort(edges, graph->n_edges, sizeof *edges, by_source);
  }
  const size_t first = count_below(edges, graph->n_edges, &key, false);
  *out_n = count_below(edges, graph->n_edges, &key, true) - first;
  return edges + first;
}

void ir_edit_scope_reset(ir_edit_scope *scope) {
  ir_graph_reset(&scope->added);
  ir_index_map_reset(&scope->by_name);
  ir_free(&scope->model->context->memory, scope->names);
}
