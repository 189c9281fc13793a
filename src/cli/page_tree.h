/* Describes the graph of the page that --report writes: groups of layers, and the place of each box. A group can be
 * folded and opened. The layout of a group knows all its children as folded boxes of one size; the page's script
 * stretches it around children that are open. */
#ifndef CLI_PAGE_TREE_H
#define CLI_PAGE_TREE_H

#include "picture.h"

/* The size of a folded box and the distances between boxes, in pixels. The script uses the same (page_data.c). */
enum { CLI_BOX_WIDTH = 160, CLI_BOX_HEIGHT = 40, CLI_COLUMN_GAP = 24, CLI_ROW_GAP = 34, CLI_BEND_WIDTH = 10 };

typedef enum cli_group_kind {
  CLI_GROUP_SCOPE,  /* layers whose names begin alike: "encoder/layer.0" */
  CLI_GROUP_REPEAT, /* equal groups or blocks, one after the other */
  CLI_GROUP_BLOCK,  /* one of equal blocks of several children */
  CLI_GROUP_BODY    /* the body of an If, Loop or TensorIterator */
} cli_group_kind;

/* A layer or a group. Nodes below tree.n_layers are layers, with the same numbers as in the model. */
typedef struct cli_page_node {
  int64_t parent;  /* group that contains the node; -1: the root, and layers that are not drawn */
  int64_t place;   /* number of the node's first layer; children of a group have this order */
  int64_t index;   /* number among the children of the parent */
  int64_t x, row;  /* centre of the box, and its row in the group */
  int64_t n_bends; /* number of rows that the node's lines pass below it; -1: none */
  int64_t *bends;  /* places of the lines in these rows */
} cli_page_node;

/* A line that enters a group at its top: all lines from one layer share it. */
typedef struct cli_page_entry {
  int64_t layer; /* the layer outside of the group */
  int64_t x, n_bends, *bends;
} cli_page_entry;

typedef struct cli_page_group {
  cli_group_kind kind;
  char *title, *path; /* path: the beginning of the names of all layers of a scope; NULL in other groups */
  int64_t repeats;    /* number of equal children; 1: they differ */
  int64_t n_layers, n_children, width, n_rows;
  int64_t *children; /* nodes, in ascending order of their places */
  cli_page_entry *entries;
  int64_t n_entries;
} cli_page_group;

typedef struct cli_page_tree {
  const cli_picture *picture;
  int64_t n_layers, n_groups;
  cli_page_node *nodes;   /* n_layers + n_groups */
  cli_page_group *groups; /* group number i is node n_layers + i; group 0 is the root */
  size_t node_capacity, group_capacity;
} cli_page_tree;

/* A line between two children of a group. `from` is the layer whose tensor it is. */
typedef struct cli_page_line {
  int64_t group, from, above, below; /* above: -1: the line enters the group; below: -1: it leaves the group */
} cli_page_line;

/* page_tree.c: groups the layers of a picture. */
void cli_page_tree_make(const cli_picture *picture, cli_page_tree *out);
void cli_page_tree_free(cli_page_tree *tree);

/* page_groups.c */
/* Adds an empty group and returns its node. `title` has `length` bytes; of a scope, it is the path too. */
int64_t cli_page_add_group(cli_page_tree *tree, int64_t parent, cli_group_kind kind, const char *title, size_t length);
/* Frees the lists of children, and counts the children of each group. */
void cli_page_count_children(cli_page_tree *tree);
/* Takes groups with one child out of the tree. */
void cli_page_drop_lone_groups(cli_page_tree *tree);
/* Returns the title of a group, or the name of a layer, without what the path of a group around it says already. */
const char *cli_page_short_title(const cli_page_tree *tree, int64_t node);

/* page_scopes.c: groups layers by the scopes of their names. */
void cli_page_add_scopes(cli_page_tree *tree);
/* page_repeats.c: groups equal neighbours. */
void cli_page_find_repeats(cli_page_tree *tree);
/* page_lines.c: lays out all groups. */
void cli_page_lay_out(cli_page_tree *tree);
/* page_layout.c: lays out one group. `lines` are those of the group, in ascending order of `above`. */
void cli_page_lay_out_group(cli_page_tree *tree, int64_t group, const cli_page_line *lines, int64_t n_lines);

static inline cli_page_group *cli_page_group_of(const cli_page_tree *tree, int64_t node) {
  return &tree->groups[node - tree->n_layers];
}

#endif
