/* --explain: prints the page of an op, or a rule with its reason, the effect of --allow, a wrong and a right example.
 * --list-rules: prints a line for each rule. */
#include "explain.h"
#include "table.h"

#include <stdlib.h>
#include <string.h>

static const char *const severities[] = {[IRRUN_NOTE] = "note", [IRRUN_WARNING] = "warning", [IRRUN_ERROR] = "error"};

#define INDENT 11

static void print_text(FILE *out, const char *label, const char *text) {
  fprintf(out, "  %-*s", INDENT - 2, label);
  cli_print_wrapped(out, INDENT, text);
}

/* Prints an example without wrapping lines, so that the example can be copied. */
static void print_example(FILE *out, const char *label, const char *text) {
  while (*text != '\0') {
    size_t length = strcspn(text, "\n");
    fprintf(out, "  %-*s%.*s\n", INDENT - 2, label, (int)length, text);
    text += length + (text[length] == '\n');
    label = "";
  }
}

static bool has_severity(const irrun_rule *rule, irrun_severity severity) {
  return (rule->severities >> severity & 1) != 0;
}

void cli_add_severities(cli_string *text, const irrun_rule *rule, const char *between) {
  cli_add(text, "%s", severities[rule->severity]);
  for (int severity = IRRUN_ERROR; severity >= IRRUN_NOTE; severity--)
    if (severity != (int)rule->severity && has_severity(rule, (irrun_severity)severity))
      cli_add(text, "%s%s", between, severities[severity]);
}

void cli_add_allow(cli_string *text, const irrun_rule *rule) {
  const bool errs = has_severity(rule, IRRUN_ERROR), warns = has_severity(rule, IRRUN_WARNING);
  if (!errs || rule->severities != 1u << IRRUN_ERROR)
    cli_add(text, "%s is not shown", !errs ? "it" : warns ? "the warning" : "the note");
  if (errs && text->length > 0)
    cli_add(text, "; %s", rule->allow != NULL ? "of the error: " : "the error cannot be allowed");
  else if (errs && rule->allow == NULL)
    cli_add(text, "it cannot be allowed");
  if (rule->allow != NULL)
    cli_add(text, "%s", rule->allow);
}

static void print_rule(const cli *c, const irrun_rule *rule) {
  FILE *out = c->results;
  cli_string words = {0}, allow = {0};
  cli_add_severities(&words, rule, " or ");
  cli_add_allow(&allow, rule);
  fprintf(out, "%s%s %s%s  %s, exit status %d%s\n", cli_paint(c->color_results, CLI_BOLD), rule->id, rule->slug,
          cli_paint(c->color_results, CLI_PLAIN), cli_text(&words), (int)rule->status,
          rule->severities == 1u << IRRUN_ERROR ? ""
          : has_severity(rule, IRRUN_ERROR)     ? " when it is an error"
                                                : " when it is made an error");
  print_text(out, "rule", rule->text);
  print_text(out, "reason", rule->reason);
  print_text(out, "spec", rule->spec);
  if (rule->found != IRRUN_IN_ALL)
    print_text(out, "only in", cli_founds[rule->found].name);
  print_text(out, "--allow", cli_text(&allow));
  print_example(out, "wrong", rule->wrong);
  print_example(out, "right", rule->right);
  cli_reset(&words);
  cli_reset(&allow);
}

void cli_json_rule(cli_node *list, const irrun_rule *rule) {
  cli_node *node = cli_node_object(list, NULL);
  cli_node_text(node, "id", rule->id);
  cli_node_text(node, "slug", rule->slug);
  cli_node_text(node, "severity", severities[rule->severity]);
  cli_node *list_of_severities = cli_node_array(node, "severities");
  for (int severity = IRRUN_ERROR; severity >= IRRUN_NOTE; severity--)
    if (has_severity(rule, (irrun_severity)severity))
      cli_node_text(list_of_severities, NULL, severities[severity]);
  cli_node_integer(node, "exit", rule->status);
  cli_node_text(node, "allow", rule->allow);
  cli_node_text(node, "only_in", cli_founds[rule->found].name);
  cli_node_text(node, "text", rule->text);
  cli_node_text(node, "reason", rule->reason);
  cli_node_text(node, "spec", rule->spec);
  cli_node_text(node, "part", rule->part);
  cli_node_text(node, "wrong", rule->wrong);
  cli_node_text(node, "right", rule->right);
}

/* Whether an earlier item of the list is the same. Items end in NUL. */
static bool is_repeated(const char *list, const char *item) {
  while (list < item && strcmp(list, item) != 0)
    list += strlen(list) + 1;
  return list < item;
}

static irrun_status unknown_name(cli *c, const char *text) {
  irrun_rule rule = {.size = sizeof rule};
  irrun_op op = {.size = sizeof op};
  int64_t n_rules = 0, n_ops = 0;
  size_t n_names = 0;
  while (irrun_rule_get(n_rules, &rule))
    n_rules++;
  while (irrun_op_get(n_ops, &op))
    n_ops++;
  const char **names = cli_allocate((size_t)(2 * n_rules + n_ops), sizeof *names);
  for (int64_t i = 0; irrun_rule_get(i, &rule); i++) {
    names[n_names++] = rule.slug;
    names[n_names++] = rule.id;
  }
  for (int64_t i = 0; irrun_op_get(i, &op); i++)
    names[n_names++] = op.type;
  const char *near = irrun_did_you_mean(text, names, n_names);
  cli_string hint = {0};
  if (near != NULL)
    cli_add(&hint, "did you mean '%s'?", near);
  else
    cli_add(&hint, "--list-rules lists all rules, --list-ops all ops");
  irrun_status status =
      cli_fault(c->context, "IR801", NULL, hint.text, "'--explain=%s': there is no such rule or op", text);
  cli_reset(&hint);
  free(names);
  return status;
}

irrun_status cli_explain_mode(cli *c) {
  int at = 0, n_printed = 0;
  irrun_status status = IRRUN_OK;
  cli_string list = {0};
  cli_add(&list, "%s", cli_options_next(&c->options, CLI_OPTION_EXPLAIN, &at));
  cli_node *rules = c->json != NULL ? cli_node_array(cli_json_root(c->json), "rules") : NULL;
  cli_node *ops = c->json != NULL ? cli_node_array(cli_json_root(c->json), "ops") : NULL;
  char *rest = list.text, *item;
  while ((item = strsep(&rest, ",")) != NULL) {
    irrun_rule rule = {.size = sizeof rule};
    if (is_repeated(list.text, item))
      continue;
    if (!irrun_rule_find(item, &rule)) {
      const int n_ops = cli_explain_op(c, item, ops, n_printed);
      n_printed += n_ops;
      if (n_ops == 0)
        status = irrun_status_worse(status, unknown_name(c, item));
    } else if (rules != NULL) {
      cli_json_rule(rules, &rule);
    } else {
      if (n_printed++ > 0)
        fputc('\n', c->results);
      print_rule(c, &rule);
    }
  }
  if (list.length == 0)
    status = unknown_name(c, "");
  cli_reset(&list);
  return status;
}

typedef enum column { RULE, NAME, SEVERITY, EXIT, ONLY_IN, N_COLUMNS } column;

static bool fill_row(void *user, int64_t index, cli_string *cells, cli_string *details) {
  irrun_rule rule = {.size = sizeof rule};
  (void)user, (void)details;
  if (!irrun_rule_get(index, &rule))
    return false;
  cli_add(&cells[RULE], "%s", rule.id);
  cli_add(&cells[NAME], "%s", rule.slug);
  cli_add_severities(&cells[SEVERITY], &rule, ", ");
  cli_add(&cells[EXIT], "%d", (int)rule.status);
  if (rule.found != IRRUN_IN_ALL)
    cli_add(&cells[ONLY_IN], "%s", cli_founds[rule.found].name);
  return true;
}

irrun_status cli_list_rules_mode(cli *c) {
  static const cli_column columns[N_COLUMNS] = {
      [RULE] = {.title = "rule"}, [NAME] = {.title = "name"},       [SEVERITY] = {.title = "severity"},
      [EXIT] = {.title = "exit"}, [ONLY_IN] = {.title = "only in"},
  };
  if (c->json == NULL) {
    cli_print_table(c->results, CLI_ANY_WIDTH, columns, N_COLUMNS, fill_row, NULL);
    return IRRUN_OK;
  }
  cli_node *list = cli_node_array(cli_json_root(c->json), "rules");
  irrun_rule rule = {.size = sizeof rule};
  for (int64_t i = 0; irrun_rule_get(i, &rule); i++)
    cli_json_rule(list, &rule);
  return IRRUN_OK;
}
