/* Groups layers by the scopes of their names: "a/b/c" and "a.b.d" lie in the scopes a and b. Modules that a network
 * calls at several places give one scope to layers that are far apart: a scope becomes one group for each of its
 * connected parts, and none if its layers lie scattered among others. */
#include "page_tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static bool is_separator(char character) {
  return character == '/' || character == '.';
}

typedef struct named {
  const char *name;
  int64_t layer, base; /* base: the root or a body */
} named;

/* Compares names so that those with the same first components follow each other. */
static int by_scope(const void *a, const void *b) {
  const named *x = a, *y = b;
  size_t i = 0;
  if (x->base != y->base)
    return x->base < y->base ? -1 : 1;
  while (x->name[i] == y->name[i] && x->name[i] != '\0')
    i++;
  const int first = is_separator(x->name[i]) ? 1 : (unsigned char)x->name[i] * 2;
  const int second = is_separator(y->name[i]) ? 1 : (unsigned char)y->name[i] * 2;
  return first != second ? first - second : (x->layer > y->layer) - (x->layer < y->layer);
}

/* A scope that is open while the sorted names are read. */
typedef struct scope {
  size_t length;
  int64_t group;
} scope;

enum { DEEPEST = 24 }; /* more components of a name make no groups */

/* Whether the name begins with the first `length` bytes of the other, and a separator follows. */
static bool is_in_scope(const char *name, const char *other, size_t length) {
  return strncmp(name, other, length) == 0 && is_separator(name[length]);
}

/* Makes a group for each scope. The name of layer homes[i] says in which scopes layer i lies. */
static void name_scopes(cli_page_tree *t, const int64_t *homes) {
  named *names = cli_allocate((size_t)t->n_layers, sizeof *names);
  scope open[DEEPEST];
  int depth = 0;
  int64_t n = 0;
  for (int64_t i = 0; i < t->n_layers; i++)
    if (t->nodes[i].parent >= 0)
      names[n++] = (named){t->picture->layers[homes[i]].name, i, t->nodes[i].parent};
  if (n > 0)
    qsort(names, (size_t)n, sizeof *names, by_scope);
  for (int64_t i = 0; i < n; i++) {
    const named *at = &names[i];
    while (depth > 0 && (i == 0 || names[i - 1].base != at->base ||
                         !is_in_scope(at->name, names[i - 1].name, open[depth - 1].length)))
      depth--;
    size_t length = depth > 0 ? open[depth - 1].length + 1 : 0;
    for (; depth < DEEPEST; depth++) {
      const size_t end = length + strcspn(at->name + length, "/.");
      if (at->name[end] == '\0' || at->name[end + 1] == '\0')
        break;
      const int64_t parent = depth > 0 ? open[depth - 1].group : at->base;
      open[depth] =
          (scope){end, end == length ? parent : cli_page_add_group(t, parent, CLI_GROUP_SCOPE, at->name, end)};
      length = end + 1;
    }
    t->nodes[at->layer].parent = depth > 0 ? open[depth - 1].group : at->base;
  }
  free(names);
}

/* ---- connected parts ---- */

static int64_t find_root(int64_t *roots, int64_t layer) {
  while (roots[layer] != layer) {
    roots[layer] = roots[roots[layer]];
    layer = roots[layer];
  }
  return layer;
}

static int depth_of(const cli_page_tree *t, int64_t group) {
  int depth = 0;
  for (; group >= 0 && cli_page_group_of(t, group)->kind == CLI_GROUP_SCOPE; group = t->nodes[group].parent)
    depth++;
  return depth;
}

/* Returns the scope of a layer at a depth, from 1 on; -1: the layer lies in fewer scopes. */
static int64_t scope_at(const cli_page_tree *t, int64_t layer, int depth) {
  int64_t group = t->nodes[layer].parent;
  int at = depth_of(t, group);
  for (; at > depth; at--)
    group = t->nodes[group].parent;
  return at == depth ? group : -1;
}

/* Joins layers that feed each other and lie in one scope of this depth. Returns whether there is such a scope. */
static bool join_layers(const cli_page_tree *t, const int64_t *scopes, int64_t *roots) {
  bool found = false;
  for (int64_t i = 0; i < t->n_layers; i++)
    roots[i] = i;
  for (int64_t i = 0; i < t->n_layers; i++) {
    const cli_drawn_layer *layer = &t->picture->layers[i];
    found = found || scopes[i] >= 0;
    for (int k = 0; k < layer->n_sources && scopes[i] >= 0; k++)
      if (scopes[layer->sources[k]] == scopes[i])
        roots[find_root(roots, layer->sources[k])] = find_root(roots, i);
  }
  return found;
}

/* Replaces each scope by groups of its connected parts, from the outermost scopes to the innermost. */
static void split_scopes(cli_page_tree *t) {
  const size_t n = (size_t)t->n_layers;
  int64_t *parents = cli_allocate(n, sizeof *parents), *scopes = cli_allocate(n, sizeof *scopes);
  int64_t *roots = cli_allocate(n, sizeof *roots), *parts = cli_allocate(n, sizeof *parts);
  for (int64_t i = 0; i < t->n_layers; i++) {
    parents[i] = t->nodes[i].parent;
    while (parents[i] >= 0 && cli_page_group_of(t, parents[i])->kind == CLI_GROUP_SCOPE)
      parents[i] = t->nodes[parents[i]].parent;
  }
  for (int depth = 1; depth <= DEEPEST; depth++) {
    for (int64_t i = 0; i < t->n_layers; i++) {
      scopes[i] = t->nodes[i].parent < 0 ? -1 : scope_at(t, i, depth);
      parts[i] = -1;
    }
    if (!join_layers(t, scopes, roots))
      break;
    for (int64_t i = 0; i < t->n_layers; i++) {
      const int64_t root = find_root(roots, i);
      if (scopes[i] < 0)
        continue;
      if (parts[root] < 0) {
        const char *path = cli_page_group_of(t, scopes[i])->path;
        parts[root] = cli_page_add_group(t, parents[i], CLI_GROUP_SCOPE, path, strlen(path));
      }
      parents[i] = parts[root];
    }
  }
  for (int64_t i = 0; i < t->n_layers; i++)
    t->nodes[i].parent = parents[i];
  free(parents);
  free(scopes);
  free(roots);
  free(parts);
}

/* ---- shared modules ---- */

enum { LEAST_PARTS = 3, MOST_ROUNDS = 16 };

/* Returns for each layer the innermost scope of its name; -1: none, or a scope around others. */
static int64_t *find_innermost(const cli_page_tree *t) {
  int64_t *innermost = cli_allocate((size_t)t->n_layers, sizeof *innermost);
  bool *has_groups = cli_allocate((size_t)t->n_groups, sizeof *has_groups);
  for (int64_t i = 0; i < t->n_groups; i++)
    if (t->nodes[t->n_layers + i].parent >= 0)
      has_groups[t->nodes[t->n_layers + i].parent - t->n_layers] = true;
  for (int64_t i = 0; i < t->n_layers; i++) {
    const int64_t parent = t->nodes[i].parent;
    innermost[i] =
        parent >= 0 && cli_page_group_of(t, parent)->kind == CLI_GROUP_SCOPE && !has_groups[parent - t->n_layers]
            ? parent
            : -1;
  }
  free(has_groups);
  return innermost;
}

/* Counts the connected parts of each scope. Returns the largest number. */
static int64_t count_parts(const cli_page_tree *t, const int64_t *scopes, int64_t *roots, int64_t *parts) {
  int64_t most = 0;
  memset(parts, 0, (size_t)t->n_groups * sizeof *parts);
  join_layers(t, scopes, roots);
  for (int64_t i = 0; i < t->n_layers; i++)
    if (scopes[i] >= 0 && find_root(roots, i) == i && ++parts[scopes[i] - t->n_layers] > most)
      most = parts[scopes[i] - t->n_layers];
  return most;
}

/* Moves the layer to the scope of the first layer that feeds it. Returns whether it was in another. */
static bool move_home(const cli_page_tree *t, int64_t layer, int64_t *homes) {
  const cli_drawn_layer *drawn = &t->picture->layers[layer];
  for (int k = 0; k < drawn->n_sources; k++)
    if (t->nodes[drawn->sources[k]].parent >= 0) {
      const int64_t before = homes[layer];
      homes[layer] = homes[drawn->sources[k]];
      return homes[layer] != before;
    }
  return false;
}

/* Finds innermost scopes of many parts: modules that the network calls at several places, such as activations. Their
 * layers move to the scopes of the layers that feed them. This can join the parts of other scopes, which the modules
 * separated, so the scopes of the most parts come first. Layers of a faulty model can feed each other in a circle, in
 * which homes would move for ever: the rounds are limited. */
static void find_homes(cli_page_tree *t, int64_t *homes) {
  int64_t *innermost = find_innermost(t), *parts = cli_allocate((size_t)t->n_groups, sizeof *parts);
  int64_t *roots = cli_allocate((size_t)t->n_layers, sizeof *roots);
  int64_t *scopes = cli_allocate((size_t)t->n_layers, sizeof *scopes);
  bool moved = true;
  for (int round = 0; moved && round < MOST_ROUNDS; round++) {
    for (int64_t i = 0; i < t->n_layers; i++)
      scopes[i] = innermost[homes[i]];
    const int64_t most = count_parts(t, scopes, roots, parts);
    moved = false;
    for (int64_t i = 0; i < t->n_layers && most >= LEAST_PARTS; i++)
      if (scopes[i] >= 0 && 2 * parts[scopes[i] - t->n_layers] > most)
        moved = move_home(t, i, homes) || moved;
  }
  free(innermost);
  free(parts);
  free(roots);
  free(scopes);
}

/* Takes all layers out of their scopes. */
static void leave_scopes(cli_page_tree *t) {
  for (int64_t i = 0; i < t->n_layers; i++)
    while (t->nodes[i].parent >= 0 && cli_page_group_of(t, t->nodes[i].parent)->kind == CLI_GROUP_SCOPE)
      t->nodes[i].parent = t->nodes[t->nodes[i].parent].parent;
}

/* ---- scattered groups ---- */

/* The first and the last layer of a group, and their number. */
typedef struct span {
  int64_t first_layer, last_layer, n;
} span;

static void mark_spans(const cli_page_tree *t, span *spans) {
  for (int64_t i = 0; i < t->n_groups; i++)
    spans[i] = (span){.first_layer = INT64_MAX, .last_layer = -1};
  for (int64_t i = 0; i < t->n_layers; i++)
    for (int64_t at = t->nodes[i].parent; at >= 0; at = t->nodes[at].parent) {
      span *s = &spans[at - t->n_layers];
      s->first_layer = s->first_layer < i ? s->first_layer : i;
      s->last_layer = i;
      s->n++;
    }
}

static bool contains(const cli_page_tree *t, int64_t group, int64_t layer) {
  int64_t at = t->nodes[layer].parent;
  while (at > group) /* a group lies behind the groups around it */
    at = t->nodes[at].parent;
  return at == group;
}

/* Whether the lines between layers of the group pass at least as many layers outside of it as it has. */
static bool is_scattered(const cli_page_tree *t, int64_t group, const span *s, bool *is_behind) {
  const cli_picture *p = t->picture;
  int64_t n_outside = 0;
  bool returns = false;
  for (int64_t i = s->first_layer; i <= s->last_layer; i++) {
    const bool inside = contains(t, group, i);
    is_behind[i] = false;
    for (int k = 0; k < p->layers[i].n_sources; k++) {
      const int64_t source = p->layers[i].sources[k];
      if (source < s->first_layer || source >= i || t->nodes[source].parent < 0)
        continue;
      returns = returns || (inside && is_behind[source]);
      is_behind[i] = is_behind[i] || (!inside && (is_behind[source] || contains(t, group, source)));
    }
    n_outside += is_behind[i];
  }
  return returns && n_outside >= s->n;
}

static void drop_scattered(cli_page_tree *t) {
  span *spans = cli_allocate((size_t)t->n_groups, sizeof *spans);
  bool *is_behind = cli_allocate((size_t)t->n_layers, sizeof *is_behind);
  bool *is_dropped = cli_allocate((size_t)t->n_groups, sizeof *is_dropped);
  mark_spans(t, spans);
  for (int64_t i = 0; i < t->n_groups; i++)
    is_dropped[i] = t->groups[i].kind == CLI_GROUP_SCOPE && spans[i].n > 1 &&
                    spans[i].last_layer - spans[i].first_layer >= spans[i].n &&
                    is_scattered(t, t->n_layers + i, &spans[i], is_behind);
  for (int64_t i = 0; i < t->n_layers + t->n_groups; i++)
    while (t->nodes[i].parent >= 0 && is_dropped[t->nodes[i].parent - t->n_layers])
      t->nodes[i].parent = t->nodes[t->nodes[i].parent].parent;
  free(spans);
  free(is_behind);
  free(is_dropped);
}

/* ---- layers without a scope ---- */

static int64_t common_group(const cli_page_tree *t, int64_t a, int64_t b) {
  while (a != b) /* a group lies behind the groups around it */
    if (a > b)
      a = t->nodes[a].parent;
    else
      b = t->nodes[b].parent;
  return a;
}

/* Widens the group of the part `root` so that it contains the layer too. */
static void widen(const cli_page_tree *t, int64_t *groups, int64_t root, int64_t layer) {
  const int64_t parent = t->nodes[layer].parent;
  groups[root] = groups[root] < 0 ? parent : common_group(t, groups[root], parent);
}

/* Moves layers without a scope, which OpenVINO's passes insert, between the layers that feed and read them, if those
 * have a scope in common. Layers without a scope that feed each other move together. */
static void adopt(cli_page_tree *t) {
  const size_t n = (size_t)t->n_layers;
  int64_t *roots = cli_allocate(n, sizeof *roots), *groups = cli_allocate(n, sizeof *groups);
  int64_t *loose = cli_allocate(n, sizeof *loose);
  for (int64_t i = 0; i < t->n_layers; i++) {
    const int64_t parent = t->nodes[i].parent;
    const bool is_loose =
        parent >= 0 && cli_page_group_of(t, parent)->kind == CLI_GROUP_BODY && !t->picture->layers[i].is_end;
    loose[i] = is_loose ? parent : -1;
    groups[i] = -1;
  }
  join_layers(t, loose, roots);
  for (int64_t i = 0; i < t->n_layers; i++)
    for (int k = 0; k < t->picture->layers[i].n_sources && t->nodes[i].parent >= 0; k++) {
      const int64_t source = t->picture->layers[i].sources[k];
      if (t->nodes[source].parent < 0 || (loose[i] >= 0 && loose[source] >= 0))
        continue;
      if (loose[i] >= 0)
        widen(t, groups, find_root(roots, i), source);
      if (loose[source] >= 0)
        widen(t, groups, find_root(roots, source), i);
    }
  for (int64_t i = 0; i < t->n_layers; i++)
    if (loose[i] >= 0 && groups[find_root(roots, i)] >= 0)
      t->nodes[i].parent = groups[find_root(roots, i)];
  free(roots);
  free(groups);
  free(loose);
}

void cli_page_add_scopes(cli_page_tree *tree) {
  int64_t *homes = cli_allocate((size_t)tree->n_layers, sizeof *homes);
  for (int64_t i = 0; i < tree->n_layers; i++)
    homes[i] = i;
  name_scopes(tree, homes);
  cli_page_drop_lone_groups(tree);
  find_homes(tree, homes);
  leave_scopes(tree);
  name_scopes(tree, homes);
  free(homes);
  split_scopes(tree);
  drop_scattered(tree);
  adopt(tree);
}
