/* Adds to the document of a page what its picture needs: groups, places of boxes, and routes of lines. */
#include "page.h"
#include "page_tree.h"

static void add_numbers(cli_string *string, const int64_t *numbers, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    cli_add(string, " %lld", (long long)numbers[i]);
}

/* Adds the text "parent x row", followed by the places of the bends of the node's lines. */
static void add_place(cli_node *parent, const char *key, const cli_page_tree *t, int64_t node) {
  const cli_page_node *at = &t->nodes[node];
  cli_string text = {0};
  if (at->parent < 0) {
    cli_node_null(parent, key);
    return;
  }
  cli_add(&text, "%lld %lld %lld", (long long)(at->parent - t->n_layers), (long long)at->x, (long long)at->row);
  add_numbers(&text, at->bends, at->n_bends);
  cli_node_text(parent, key, cli_text(&text));
  cli_reset(&text);
}

static void add_group(cli_node *list, const cli_page_tree *t, int64_t number) {
  static const char *const kinds[] = {[CLI_GROUP_SCOPE] = "scope",
                                      [CLI_GROUP_REPEAT] = "repeat",
                                      [CLI_GROUP_BLOCK] = "block",
                                      [CLI_GROUP_BODY] = "body"};
  const cli_page_group *group = &t->groups[number];
  cli_node *node = cli_node_object(list, NULL);
  cli_node_text(node, "kind", kinds[group->kind]);
  cli_node_text(node, "title", group->title);
  cli_node_text(node, "path", group->path);
  add_place(node, "place", t, t->n_layers + number);
  cli_node_integer(node, "repeats", group->repeats);
  cli_node_integer(node, "layers", group->n_layers);
  cli_node_integer(node, "width", group->width);
  cli_node_integer(node, "rows", group->n_rows);
  cli_node *entries = cli_node_array(node, "entries");
  for (int64_t i = 0; i < group->n_entries; i++) {
    const cli_page_entry *entry = &group->entries[i];
    cli_string text = {0};
    cli_add(&text, "%lld %lld", (long long)entry->layer, (long long)entry->x);
    add_numbers(&text, entry->bends, entry->n_bends);
    cli_node_text(entries, NULL, cli_text(&text));
    cli_reset(&text);
  }
}

/* Adds for each layer the numbers of the layers that feed it. */
static void add_sources(cli_node *page, const cli_picture *picture) {
  cli_node *list = cli_node_array(page, "sources");
  for (int64_t i = 0; i < picture->n_layers; i++) {
    cli_string text = {0};
    for (int k = 0; k < picture->layers[i].n_sources; k++)
      cli_add(&text, "%s%lld", k > 0 ? " " : "", (long long)picture->layers[i].sources[k]);
    cli_node_text(list, NULL, cli_text(&text));
    cli_reset(&text);
  }
}

static void add_sizes(cli_node *page) {
  cli_node *box = cli_node_object(page, "box");
  cli_node_integer(box, "width", CLI_BOX_WIDTH);
  cli_node_integer(box, "height", CLI_BOX_HEIGHT);
  cli_node_integer(box, "gap", CLI_ROW_GAP);
}

/* Adds for each layer of a body the number of the layer that has the body. */
static void add_owners(cli_node *page, const cli_picture *picture) {
  cli_node *owners = cli_node_array(page, "owners");
  for (int64_t i = 0; i < picture->n_layers; i++)
    if (picture->layers[i].owner >= 0)
      cli_node_integer(owners, NULL, picture->layers[i].owner);
}

cli_node *cli_page_add_graph(cli *c, cli_node *model_node, irrun_model *model, irrun_status status) {
  cli_picture picture;
  cli_page_tree tree;
  cli_node *page = cli_node_object(model_node, "page");
  cli_picture_read(c, model, status, &picture);
  cli_page_tree_make(&picture, &tree);
  cli_page_lay_out(&tree);
  add_sizes(page);
  cli_json_kinds(page);
  cli_node *groups = cli_node_array(page, "groups");
  for (int64_t i = 0; i < tree.n_groups; i++)
    add_group(groups, &tree, i);
  cli_node *places = cli_node_array(page, "places");
  for (int64_t i = 0; i < tree.n_layers; i++)
    add_place(places, NULL, &tree, i);
  add_sources(page, &picture);
  add_owners(page, &picture);
  cli_page_add_constants(c, page, model);
  cli_page_tree_free(&tree);
  cli_picture_free(&picture);
  return page;
}
