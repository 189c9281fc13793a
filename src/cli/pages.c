/* Prints a page for each op and for each rule, as Markdown. */
#include "generate.h"

#include <string.h>

/* Prints text that is no code: escapes the special characters of Markdown. */
static void print_escaped(FILE *out, const char *text) {
  for (; *text != '\0'; text++)
    fprintf(out, strchr("\\*<>|`[]", *text) != NULL ? "\\%c" : "%c", *text);
}

static void print_cells(FILE *out, const char *const *cells, int n) {
  for (int i = 0; i < n; i++) {
    fputs("| ", out);
    print_escaped(out, cells[i]);
    fputc(' ', out);
  }
  fputs("|\n", out);
}

static void print_ports(cli *c, int64_t index, const irrun_op *op, bool output) {
  const int n = output ? op->n_outputs : op->n_inputs;
  const bool variadic = output ? op->outputs_variadic : op->inputs_variadic;
  if (n == 0)
    return;
  fprintf(c->results, "\n## %s\n\n| port | name | types and ranks | |\n|---|---|---|---|\n",
          output ? "Outputs" : "Inputs");
  irrun_op_port port = {.size = sizeof port};
  for (int i = 0; i < n && irrun_op_get_port(c->context, index, output, i, &port); i++) {
    cli_string number = {0}, values = {0};
    const bool more = variadic && i == n - 1;
    cli_add(&number, "%d", i);
    cli_add_port_values(&values, &port);
    print_cells(c->results,
                (const char *[]){cli_text(&number), port.name, cli_text(&values),
                                 more            ? "any number of them"
                                 : port.optional ? "optional"
                                                 : ""},
                4);
    cli_reset(&number);
    cli_reset(&values);
  }
}

static void print_attributes(cli *c, int64_t index, const irrun_op *op) {
  if (op->n_attributes > 0)
    fputs("\n## Attributes\n\n| name | values | default |\n|---|---|---|\n", c->results);
  irrun_op_attribute row = {.size = sizeof row};
  for (int i = 0; irrun_op_get_attribute(c->context, index, i, &row); i++) {
    cli_string values = {0};
    cli_add_attribute_values(&values, &row);
    print_cells(c->results,
                (const char *[]){row.name, cli_text(&values),
                                 row.required           ? "required"
                                 : row.fallback != NULL ? row.fallback
                                                        : ""},
                3);
    cli_reset(&values);
  }
}

void cli_print_op_pages(cli *c) {
  FILE *out = c->results;
  irrun_op op = {.size = sizeof op};
  for (int64_t i = 0; irrun_op_get(i, &op); i++) {
    cli_string opsets = {0};
    cli_add_opsets(&opsets, &op);
    fprintf(out, "%s# %s-%d (%s)\n\n%s", i > 0 ? "\n" : "", op.type, op.version, op.dialect,
            op.is_run ? "irrun checks and runs it." : "irrun checks it, and infers its shapes; it does not run it.");
    if (opsets.length > 0)
      fprintf(out, " In opsets: %s.", cli_text(&opsets));
    fprintf(out, "\n\nSpecification: %s\n", op.spec);
    print_ports(c, i, &op, false);
    print_ports(c, i, &op, true);
    print_attributes(c, i, &op);
    cli_reset(&opsets);
  }
}

static void print_paragraph(FILE *out, const char *label, const char *text) {
  fprintf(out, "**%s** ", label);
  print_escaped(out, text);
  fputs("\n\n", out);
}

static void print_example(FILE *out, const char *label, const char *text) {
  fprintf(out, "%s:\n\n```\n%s%s```\n", label, text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

void cli_print_rule_pages(cli *c) {
  FILE *out = c->results;
  irrun_rule rule = {.size = sizeof rule};
  for (int64_t i = 0; irrun_rule_get(i, &rule); i++) {
    cli_string severities = {0}, allow = {0};
    cli_add_severities(&severities, &rule, " or ");
    cli_add_allow(&allow, &rule);
    fprintf(out, "%s# %s %s\n\n", i > 0 ? "\n" : "", rule.id, rule.slug);
    fprintf(out, "%s; exit status %d when it is an error.\n\n", cli_text(&severities), (int)rule.status);
    print_paragraph(out, "Rule.", rule.text);
    print_paragraph(out, "Reason.", rule.reason);
    print_paragraph(out, "Specification.", rule.spec);
    if (rule.found != IRRUN_IN_ALL)
      print_paragraph(out, "Only in", cli_founds[rule.found].name);
    print_paragraph(out, "With `--allow`:", cli_text(&allow));
    print_example(out, "Wrong", rule.wrong);
    fputc('\n', out);
    print_example(out, "Right", rule.right);
    cli_reset(&severities);
    cli_reset(&allow);
  }
}
