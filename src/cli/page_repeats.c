/* Finds equal neighbours among the children of each group: single groups such as "layer.0" to "layer.11", or blocks of
 * several children. */
#include "page_tree.h"

#include <stdlib.h>

enum { LONGEST = 400, LEAST_SAVED = 3 };

static uint64_t mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

/* Returns hashes of the ops and outputs of layers, and of all layers of groups in their order. Equal groups have equal
 * hashes. */
static uint64_t *hash_nodes(const cli_page_tree *t) {
  const cli_picture *p = t->picture;
  uint64_t *hashes = cli_allocate((size_t)(t->n_layers + t->n_groups), sizeof *hashes);
  irrun_value value = {.size = sizeof value};
  for (int64_t i = 0; i < t->n_layers; i++) {
    cli_string text = {0};
    cli_add(&text, "%s-%d", p->layers[i].type, p->layers[i].version);
    for (int k = 0; t->nodes[i].parent >= 0 && irrun_model_get_layer_output(p->model, i, k, &value); k++)
      cli_add_value(&text, &value);
    for (const char *at = cli_text(&text); *at != '\0'; at++)
      hashes[i] = mix(hashes[i], (unsigned char)*at);
    cli_reset(&text);
    for (int64_t at = t->nodes[i].parent; at >= 0; at = t->nodes[at].parent)
      hashes[at] = mix(hashes[at], hashes[i]);
  }
  return hashes;
}

/* A part of the children of a group: `count` equal blocks of `length` children from number `first` on. */
typedef struct repeats {
  int64_t first, length, count;
} repeats;

/* Finds the repetition from `first` on that saves the most boxes. Its count is 1 if there is none. */
static repeats find_repeats(const cli_page_group *group, const uint64_t *hashes, int64_t first) {
  repeats best = {first, 1, 1};
  int64_t saved = LEAST_SAVED - 1;
  for (int64_t length = 1; length <= LONGEST && first + 2 * length <= group->n_children; length++) {
    int64_t n_alike = 0;
    while (first + length + n_alike < group->n_children &&
           hashes[group->children[first + n_alike]] == hashes[group->children[first + length + n_alike]])
      n_alike++;
    const int64_t count = 1 + n_alike / length;
    if ((count - 1) * length > saved) {
      best = (repeats){first, length, count};
      saved = (count - 1) * length;
    }
  }
  return best;
}

/* Moves `n` children of a group to another. */
static void move_children(cli_page_tree *t, int64_t to, const int64_t *children, int64_t n) {
  cli_page_group *group = cli_page_group_of(t, to);
  group->children = cli_allocate((size_t)n, sizeof *group->children);
  group->n_children = n;
  for (int64_t i = 0; i < n; i++) {
    group->children[i] = children[i];
    t->nodes[children[i]].parent = to;
  }
}

static int64_t add_between(cli_page_tree *t, int64_t parent, cli_group_kind kind, int64_t first, int64_t last) {
  cli_string title = {0};
  cli_add(&title, "%s ... %s", cli_page_short_title(t, first), cli_page_short_title(t, last));
  const int64_t group = cli_page_add_group(t, parent, kind, cli_text(&title), title.length);
  cli_reset(&title);
  return group;
}

/* Puts equal blocks into a group of their own, unless they are all that their group has, and the children of each block
 * of several into another. */
static void join(cli_page_tree *t, int64_t parent, repeats found) {
  const int64_t n = found.length * found.count, *children = cli_page_group_of(t, parent)->children + found.first;
  int64_t around = parent;
  if (n < cli_page_group_of(t, parent)->n_children) {
    around = add_between(t, parent, CLI_GROUP_REPEAT, children[0], children[n - 1]);
    if (found.length == 1)
      move_children(t, around, children, n);
  }
  cli_page_group_of(t, around)->repeats = found.count;
  for (int64_t i = 0; i < found.count && found.length > 1; i++) {
    const int64_t *block = children + i * found.length;
    const int64_t member = add_between(t, around, CLI_GROUP_BLOCK, block[0], block[found.length - 1]);
    move_children(t, member, block, found.length);
  }
}

void cli_page_find_repeats(cli_page_tree *tree) {
  uint64_t *hashes = hash_nodes(tree);
  const int64_t n_groups = tree->n_groups;
  for (int64_t i = 0; i < n_groups; i++)
    for (int64_t first = 0; first < tree->groups[i].n_children;) {
      const repeats found = find_repeats(&tree->groups[i], hashes, first);
      if (found.count > 1)
        join(tree, tree->n_layers + i, found);
      first += found.length * found.count;
    }
  free(hashes);
}
