#include "page.h"
#include "page_files.h"
#include "report_text.h"

#include <stdlib.h>
#include <string.h>

const char *cli_page_path(const cli *c) {
  return cli_options_next(&c->options, CLI_OPTION_REPORT, &(int){0});
}

irrun_status cli_page_check(cli *c) {
  const char *path = cli_page_path(c);
  if (path == NULL)
    return IRRUN_OK;
  if (!cli_ends_in(path, ".html"))
    return cli_fault(c->context, "IR801", NULL, "a report is a page of HTML",
                     "'--report=%s': the name does not end in .html", path);
  const irrun_status status = cli_check_kept(c, CLI_OPTION_REPORT, 0, path);
  return status == IRRUN_OK ? irrun_output_check(c->context, path) : status;
}

static bool is_known(const irrun_layer *layer) {
  return layer->version >= 0;
}

/* Adds the rows of the op table that the model's layers use. */
static void add_ops(cli *c, cli_node *page, irrun_model *model) {
  cli_op_count counts[CLI_MAX_OPS];
  const int n = cli_count_ops(model, is_known, counts);
  const char *kind = cli_model_info(model).kind;
  irrun_op op = {.size = sizeof op};
  cli_node *list = cli_node_array(page, "ops");
  for (int64_t i = 0; irrun_op_get(i, &op); i++)
    for (int k = 0; k < n; k++)
      if (op.version == counts[k].version && strcmp(op.type, counts[k].type) == 0 &&
          strncmp(kind, op.dialect, strlen(op.dialect)) == 0)
        cli_json_op(c, list, i, &op);
}

cli_node *cli_page_add_model(cli *c, cli_json *page, irrun_model *model, const char *path, irrun_status status,
                             int64_t number) {
  cli_node *node = cli_json_next_model(page);
  cli_json_model(c, node, model, path, status);
  if (model != NULL) {
    cli_json_page_layers(node);
    cli_json_sizes(node, model);
    add_ops(c, cli_page_add_graph(c, node, model, status), model);
  }
  cli_json_page_diagnostics(c, cli_node_member(node, "diagnostics"), number);
  return node;
}

/* Adds the rules that the diagnostics name. */
static void add_rules(cli *c, cli_node *root) {
  irrun_rule rule = {.size = sizeof rule};
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  cli_node *list = cli_node_array(root, "rules");
  for (int64_t i = 0; irrun_rule_get(i, &rule); i++)
    for (int64_t k = 0; irrun_context_get_diagnostic(c->context, k, &diagnostic); k++)
      if (strcmp(diagnostic.rule, rule.id) == 0) {
        cli_json_rule(list, &rule);
        break;
      }
}

static irrun_status write_page(cli *c, const cli_node *root) {
  const char *path = cli_page_path(c);
  char *data = cli_node_script(root);
  cli_string text = {0};
  if (data == NULL)
    return cli_fault(c->context, "IR004", NULL, NULL, "the text of '%s' is too long", path);
  cli_add(&text, "%.*s%s%.*s", (int)sizeof page_before, page_before, data, (int)sizeof page_after, page_after);
  const irrun_status status = irrun_text_write(c->context, cli_text(&text), path);
  free(data);
  cli_reset(&text);
  return status;
}

static void print_written(const cli *c) {
  cli_string line = {0};
  if (c->json != NULL || c->options.quiet)
    return;
  cli_add_written(&line, c, cli_page_path(c));
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

irrun_status cli_page_end(cli *c, cli_json *page, irrun_status status) {
  cli_node *root = cli_json_root(page);
  cli_json_page_diagnostics(c, cli_node_array(root, "diagnostics"), -1);
  cli_json_end(c, root, status, irrun_context_count(c->context).kept);
  add_rules(c, root);
  const irrun_status written = write_page(c, root);
  if (written == IRRUN_OK)
    print_written(c);
  cli_json_free(page);
  return written;
}

/* Adds for each old layer the number of its partner, or -1 if the new model lacks it. null: a narrower constant, whose
 * Convert has the partner. */
static void add_partners(cli_node *root, const cli_diff_side *old) {
  cli_node *list = cli_node_array(root, "partners");
  for (int64_t i = 0; i < old->n; i++) {
    const cli_diff_layer *layer = &old->layers[i];
    if (layer->narrowed)
      cli_node_null(list, NULL);
    else
      cli_node_integer(list, NULL, layer->partner != NULL ? layer->partner->layer : -1);
  }
}

irrun_status cli_page_end_pair(cli *c, cli_json *page, const cli_diff_side *old, const cli_diff_side *new,
                               irrun_status status) {
  cli_page_add_model(c, page, old->model, old->path, status, 0);
  cli_page_add_model(c, page, new->model, new->path, status, 1);
  add_partners(cli_json_root(page), old);
  return cli_page_end(c, page, status);
}
