/* Groups the layers of a model: by bodies here, by scopes in page_scopes.c, by repetitions in page_repeats.c. */
#include "page_tree.h"

#include <stdlib.h>
#include <string.h>

/* ---- bodies ---- */

/* Puts each layer into the root, or into the group of its body. The group of a body stands beside its layer. */
static void add_bodies(cli_page_tree *t) {
  const cli_picture *p = t->picture;
  const cli_drawn_layer *before = NULL;
  int64_t group = t->n_layers;
  for (int64_t i = 0; i < t->n_layers; i++) {
    const cli_drawn_layer *layer = &p->layers[i];
    if (before != NULL && (layer->owner != before->owner || layer->body != before->body)) {
      cli_string title = {0};
      cli_add_body_title(&title, p, i);
      group = cli_page_add_group(t, t->nodes[layer->owner].parent, CLI_GROUP_BODY, cli_text(&title), title.length);
      cli_reset(&title);
    }
    before = layer;
    t->nodes[i] = (cli_page_node){.parent = layer->is_folded ? -1 : group, .place = i, .n_bends = -1};
  }
}

/* ---- the tree ---- */

/* Removes the groups that are in no other group. The root remains. */
static void drop_empty_groups(cli_page_tree *t) {
  int64_t *moved = cli_allocate((size_t)t->n_groups, sizeof *moved), n = 0;
  for (int64_t i = 0; i < t->n_groups; i++) {
    if (i > 0 && t->nodes[t->n_layers + i].parent < 0) {
      free(t->groups[i].title);
      free(t->groups[i].path);
      continue;
    }
    moved[i] = n;
    t->groups[n] = t->groups[i];
    t->nodes[t->n_layers + n++] = t->nodes[t->n_layers + i];
  }
  for (int64_t i = 0; i < t->n_layers + n; i++)
    if (t->nodes[i].parent >= 0)
      t->nodes[i].parent = t->n_layers + moved[t->nodes[i].parent - t->n_layers];
  t->n_groups = n;
  free(moved);
}

static int by_place(const void *a, const void *b) {
  const cli_page_node *const *x = a, *const *y = b;
  return ((*x)->place > (*y)->place) - ((*x)->place < (*y)->place);
}

/* Lists the children of each group, and sets the places and numbers of layers of groups. */
static void list_children(cli_page_tree *t) {
  const int64_t n = t->n_layers + t->n_groups;
  cli_page_count_children(t);
  for (int64_t i = 0; i < t->n_groups; i++) {
    cli_page_group *group = &t->groups[i];
    group->children = cli_allocate((size_t)group->n_children, sizeof *group->children);
    group->n_children = group->n_layers = 0;
    t->nodes[t->n_layers + i].place = INT64_MAX;
  }
  for (int64_t i = 0; i < t->n_layers; i++)
    for (int64_t at = t->nodes[i].parent; at >= 0; at = t->nodes[at].parent) {
      cli_page_group_of(t, at)->n_layers++;
      if (t->nodes[at].place == INT64_MAX)
        t->nodes[at].place = i;
    }
  cli_page_node **order = cli_allocate((size_t)n, sizeof *order);
  for (int64_t i = 0; i < n; i++)
    order[i] = &t->nodes[i];
  qsort(order, (size_t)n, sizeof *order, by_place);
  for (int64_t i = 0; i < n; i++)
    if (order[i]->parent >= 0) {
      cli_page_group *parent = cli_page_group_of(t, order[i]->parent);
      order[i]->index = parent->n_children;
      parent->children[parent->n_children++] = order[i] - t->nodes;
    }
  free(order);
}

static void shorten_titles(cli_page_tree *t) {
  for (int64_t i = 1; i < t->n_groups; i++) {
    cli_string title = {0};
    if (t->groups[i].path == NULL || t->nodes[t->n_layers + i].parent < 0)
      continue;
    cli_add(&title, "%s", cli_page_short_title(t, t->n_layers + i));
    free(t->groups[i].title);
    t->groups[i].title = title.text;
  }
}

void cli_page_tree_make(const cli_picture *picture, cli_page_tree *out) {
  *out = (cli_page_tree){.picture = picture, .n_layers = picture->n_layers};
  out->node_capacity = (size_t)picture->n_layers;
  out->nodes = cli_allocate(out->node_capacity, sizeof *out->nodes);
  cli_page_add_group(out, -1, CLI_GROUP_BODY, "", 0);
  add_bodies(out);
  cli_page_add_scopes(out);
  cli_page_drop_lone_groups(out);
  drop_empty_groups(out);
  list_children(out);
  cli_page_find_repeats(out);
  list_children(out);
  shorten_titles(out);
}

void cli_page_tree_free(cli_page_tree *tree) {
  for (int64_t i = 0; i < tree->n_layers + tree->n_groups; i++)
    free(tree->nodes[i].bends);
  for (int64_t i = 0; i < tree->n_groups; i++) {
    cli_page_group *group = &tree->groups[i];
    for (int64_t k = 0; k < group->n_entries; k++)
      free(group->entries[k].bends);
    free(group->entries);
    free(group->children);
    free(group->title);
    free(group->path);
  }
  free(tree->groups);
  free(tree->nodes);
}
