/* Changes the groups of a page: adds them, takes lone ones out, and finds their titles. */
#include "page_tree.h"

#include <stdlib.h>
#include <string.h>

int64_t cli_page_add_group(cli_page_tree *t, int64_t parent, cli_group_kind kind, const char *title, size_t length) {
  const size_t n_nodes = (size_t)(t->n_layers + t->n_groups);
  cli_string text = {0}, path = {0};
  cli_add(&text, "%.*s", (int)length, title);
  if (kind == CLI_GROUP_SCOPE)
    cli_add(&path, "%.*s", (int)length, title);
  t->nodes = cli_with_room(t->nodes, n_nodes, &t->node_capacity, sizeof *t->nodes);
  t->groups = cli_with_room(t->groups, (size_t)t->n_groups, &t->group_capacity, sizeof *t->groups);
  t->nodes[n_nodes] = (cli_page_node){.parent = parent, .place = INT64_MAX, .n_bends = -1};
  t->groups[t->n_groups++] = (cli_page_group){.kind = kind, .title = text.text, .path = path.text, .repeats = 1};
  return (int64_t)n_nodes;
}

void cli_page_count_children(cli_page_tree *t) {
  for (int64_t i = 0; i < t->n_groups; i++) {
    free(t->groups[i].children);
    t->groups[i].children = NULL;
    t->groups[i].n_children = 0;
  }
  for (int64_t i = 0; i < t->n_layers + t->n_groups; i++)
    if (t->nodes[i].parent >= 0)
      cli_page_group_of(t, t->nodes[i].parent)->n_children++;
}

/* Takes groups with one child out of the tree: the child goes to the group above. This can leave another group with one
 * child or none, so the loop ends when nothing changes. */
void cli_page_drop_lone_groups(cli_page_tree *t) {
  for (bool changed = true; changed;) {
    changed = false;
    cli_page_count_children(t);
    for (int64_t i = 0; i < t->n_layers + t->n_groups; i++) {
      cli_page_node *node = &t->nodes[i];
      while (node->parent > t->n_layers && cli_page_group_of(t, node->parent)->n_children == 1 &&
             cli_page_group_of(t, node->parent)->kind != CLI_GROUP_BODY) {
        cli_page_group *gone = cli_page_group_of(t, node->parent);
        node->parent = t->nodes[node->parent].parent;
        gone->n_children = 0;
        changed = true;
      }
    }
    for (int64_t i = 1; i < t->n_groups; i++) {
      cli_page_node *node = &t->nodes[t->n_layers + i];
      if (t->groups[i].n_children == 0 && node->parent >= 0) {
        node->parent = -1;
        changed = true;
      }
    }
  }
}

const char *cli_page_short_title(const cli_page_tree *t, int64_t node) {
  const bool is_layer = node < t->n_layers;
  const char *title = is_layer ? t->picture->layers[node].name : cli_page_group_of(t, node)->title;
  if (!is_layer && cli_page_group_of(t, node)->path == NULL)
    return title;
  for (int64_t at = t->nodes[node].parent; at >= 0; at = t->nodes[at].parent) {
    const cli_page_group *around = cli_page_group_of(t, at);
    if (around->kind == CLI_GROUP_BODY)
      break;
    if (around->path == NULL)
      continue;
    const size_t length = strlen(around->path);
    return strncmp(title, around->path, length) == 0 && title[length] != '\0' ? title + length + 1 : title;
  }
  return title;
}
