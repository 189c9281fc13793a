/* --list-ops: prints the op table, with a row for each input, output and attribute of an op. */
#include "cli.h"
#include "report_json.h"
#include "table.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

typedef enum column { OP, DIALECT, OPSETS, HERE, PART, NAME, WHAT, DEFAULT, N_COLUMNS } column;

/* The next row to print. The first row of an op also names the op. */
typedef struct op_rows {
  cli *c;
  int64_t op;
  int part; /* index of the row within the op; inputs come first, then outputs, then attributes */
} op_rows;

void cli_add_opsets(cli_string *text, const irrun_op *op) {
  if (op->opset_last > 0)
    cli_add(text, op->opset_first == op->opset_last ? "%d" : "%d-%d", op->opset_first, op->opset_last);
}

void cli_add_port_values(cli_string *text, const irrun_op_port *port) {
  cli_add(text, "%s", port->types);
  if (port->rank_min == port->rank_max)
    cli_add(text, "; rank %d", port->rank_min);
  else if (port->rank_min > 0 || port->rank_max < IRRUN_MAX_RANK)
    cli_add(text, "; rank %d to %d", port->rank_min, port->rank_max);
}

void cli_add_attribute_values(cli_string *text, const irrun_op_attribute *attribute) {
  cli_add(text, "%s%s%s", attribute->kind, *attribute->values != '\0' ? ": " : "", attribute->values);
}

/* Whether the op's name, "AvgPool-14", contains `pattern`, or matches it if it has wildcards. */
static bool fits(const char *name, const char *pattern) {
  cli_string glob = {0};
  cli_add(&glob, strpbrk(pattern, "*?[") != NULL ? "%s" : "*%s*", pattern);
  const bool is_fit = fnmatch(cli_text(&glob), name, FNM_CASEFOLD) == 0;
  cli_reset(&glob);
  return is_fit;
}

/* Whether the op fits the pattern of --list-ops, or an operand. Without both, all ops are listed. */
static bool is_listed(const cli *c, const irrun_op *op) {
  const cli_options *options = &c->options;
  const char *pattern = cli_options_next(options, CLI_OPTION_LIST_OPS, &(int){0});
  const char *dialect = cli_options_next(options, CLI_OPTION_DIALECT, &(int){0});
  if (dialect != NULL ? strcmp(op->dialect, dialect) != 0 : strcmp(op->dialect, "legacy") == 0)
    return false;
  cli_string name = {0};
  cli_add(&name, "%s-%d", op->type, op->version);
  bool is_fit = pattern != NULL ? fits(cli_text(&name), pattern) : options->n_models == 0;
  for (int i = 0; i < options->n_models; i++)
    is_fit = is_fit || fits(cli_text(&name), options->models[i]);
  cli_reset(&name);
  return is_fit;
}

static void add_port(op_rows *rows, bool output, int port, const irrun_op *op, cli_string *cells) {
  irrun_op_port row = {.size = sizeof row};
  if (!irrun_op_get_port(rows->c->context, rows->op, output, port, &row))
    return;
  bool more =
      output ? op->outputs_variadic && port == op->n_outputs - 1 : op->inputs_variadic && port == op->n_inputs - 1;
  cli_add(&cells[PART], "%s%s", output ? "output" : "input", more ? "s" : "");
  cli_add(&cells[NAME], "%s", row.name);
  cli_add_port_values(&cells[WHAT], &row);
  cli_add(&cells[DEFAULT], "%s", row.optional ? "optional" : "");
}

static void add_attribute(op_rows *rows, int index, cli_string *cells) {
  irrun_op_attribute row = {.size = sizeof row};
  if (!irrun_op_get_attribute(rows->c->context, rows->op, index, &row))
    return;
  cli_add(&cells[PART], "attribute");
  cli_add(&cells[NAME], "%s", row.name);
  cli_add_attribute_values(&cells[WHAT], &row);
  cli_add(&cells[DEFAULT], "%s", row.required ? "required" : row.fallback != NULL ? row.fallback : "");
}

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  op_rows *rows = user;
  irrun_op op = {.size = sizeof op};
  (void)details;
  if (index == 0) {
    rows->op = 0;
    rows->part = 0;
  }
  while (irrun_op_get(rows->op, &op) && !is_listed(rows->c, &op))
    rows->op++;
  if (!irrun_op_get(rows->op, &op))
    return false;
  if (rows->part == 0) {
    cli_add(&cells[OP], "%s-%d", op.type, op.version);
    cli_add(&cells[DIALECT], "%s", op.dialect);
    cli_add_opsets(&cells[OPSETS], &op);
    cli_add(&cells[HERE], op.is_run ? "run" : "checked");
  }
  int part = rows->part++, attribute = part - op.n_inputs - op.n_outputs;
  if (part < op.n_inputs)
    add_port(rows, false, part, &op, cells);
  else if (attribute < 0)
    add_port(rows, true, part - op.n_inputs, &op, cells);
  else if (attribute < op.n_attributes)
    add_attribute(rows, attribute, cells);
  if (rows->part >= op.n_inputs + op.n_outputs + op.n_attributes) {
    rows->op++;
    rows->part = 0;
  }
  return true;
}

static void add_json_port(cli *c, cli_node *list, int64_t op, bool output, int port) {
  irrun_op_port row = {.size = sizeof row};
  if (!irrun_op_get_port(c->context, op, output, port, &row))
    return;
  cli_node *node = cli_node_object(list, NULL);
  cli_node_text(node, "name", row.name);
  cli_node_text(node, "type_variable", row.type_var);
  cli_node_text(node, "types", row.types);
  cli_node_integer(node, "rank_min", row.rank_min);
  cli_node_integer(node, "rank_max", row.rank_max);
  cli_node_flag(node, "optional", row.optional);
}

void cli_json_op(cli *c, cli_node *list, int64_t index, const irrun_op *op) {
  cli_node *node = cli_node_object(list, NULL);
  cli_node_text(node, "dialect", op->dialect);
  cli_node_text(node, "type", op->type);
  cli_node_integer(node, "version", op->version);
  cli_node_integer(node, "opset_first", op->opset_first);
  cli_node_integer(node, "opset_last", op->opset_last);
  cli_node_text(node, "spec", op->spec);
  cli_node_flag(node, "runs", op->is_run);
  cli_node_flag(node, "inputs_variadic", op->inputs_variadic);
  cli_node_flag(node, "outputs_variadic", op->outputs_variadic);
  cli_node *inputs = cli_node_array(node, "inputs");
  for (int i = 0; i < op->n_inputs; i++)
    add_json_port(c, inputs, index, false, i);
  cli_node *outputs = cli_node_array(node, "outputs");
  for (int i = 0; i < op->n_outputs; i++)
    add_json_port(c, outputs, index, true, i);
  cli_node *attributes = cli_node_array(node, "attributes");
  irrun_op_attribute row = {.size = sizeof row};
  for (int i = 0; irrun_op_get_attribute(c->context, index, i, &row); i++) {
    cli_node *item = cli_node_object(attributes, NULL);
    cli_node_text(item, "name", row.name);
    cli_node_text(item, "kind", row.kind);
    cli_node_text(item, "values", row.values);
    cli_node_flag(item, "required", row.required);
    cli_node_text(item, "default", row.fallback);
  }
}

static irrun_status unknown_op(cli *c) {
  const char *pattern = cli_options_next(&c->options, CLI_OPTION_LIST_OPS, &(int){0});
  irrun_op op = {.size = sizeof op};
  size_t n_ops = 0;
  cli_string hint = {0};
  pattern = pattern != NULL ? pattern : c->options.models[0];
  while (irrun_op_get((int64_t)n_ops, &op))
    n_ops++;
  const char **names = cli_allocate(n_ops, sizeof *names);
  for (size_t i = 0; i < n_ops && irrun_op_get((int64_t)i, &op); i++)
    names[i] = op.type;
  const char *near = irrun_did_you_mean(pattern, names, n_ops);
  if (near != NULL)
    cli_add(&hint, "did you mean '%s'?", near);
  const irrun_status status = cli_fault(c->context, "IR801", NULL, hint.text, "no op's name fits '%s'", pattern);
  cli_reset(&hint);
  free(names);
  return status;
}

irrun_status cli_list_mode(cli *c) {
  static const cli_column columns[N_COLUMNS] = {
      [OP] = {"op", false},     [DIALECT] = {"dialect", false}, [OPSETS] = {"opsets", false},
      [HERE] = {"here", false}, [PART] = {"part", false},       [NAME] = {"name", false},
      [WHAT] = {"what", false}, [DEFAULT] = {"default", false},
  };
  op_rows rows = {c, 0, 0};
  irrun_op op = {.size = sizeof op};
  bool is_any = false;
  for (int64_t i = 0; irrun_op_get(i, &op) && !is_any; i++)
    is_any = is_listed(c, &op);
  if (!is_any)
    return unknown_op(c);
  if (c->json == NULL) {
    cli_print_table(c->results, CLI_ANY_WIDTH, columns, N_COLUMNS, fill_row, &rows);
    return IRRUN_OK;
  }
  cli_node *list = cli_node_array(cli_json_root(c->json), "ops");
  for (int64_t i = 0; irrun_op_get(i, &op); i++)
    if (is_listed(c, &op))
      cli_json_op(c, list, i, &op);
  return IRRUN_OK;
}
