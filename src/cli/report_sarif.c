#include "report_sarif.h"
#include "baseline.h"
#include "report_json.h"
#include "report_text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct sarif {
  cli *c;
  cli_node *rules, *results, *notifications;
  const char **ids; /* ids of `rules` */
  int n_ids;
} sarif;

static const char *const levels[] = {[IRRUN_NOTE] = "note", [IRRUN_WARNING] = "warning", [IRRUN_ERROR] = "error"};

static void add_message(cli_node *parent, const char *key, const char *text) {
  cli_node_text(cli_node_object(parent, key), "text", text);
}

/* Adds the rule's text and its two examples, also as Markdown, which GitHub shows beside the finding. */
static void add_help(cli_node *node, const irrun_rule *rule) {
  cli_string text = {0}, markdown = {0};
  cli_add(&text, "%s\n%s\nwrong: %s\nright: %s\nspec: %s", rule->text, rule->reason, rule->wrong, rule->right,
          rule->spec);
  cli_add(&markdown, "%s\n\n%s\n\nWrong:\n\n```\n%s\n```\n\nRight:\n\n```\n%s\n```\n\nSpec: %s\n", rule->text,
          rule->reason, rule->wrong, rule->right, rule->spec);
  cli_node *help = cli_node_object(node, "help");
  cli_node_text(help, "text", cli_text(&text));
  cli_node_text(help, "markdown", cli_text(&markdown));
  cli_reset(&text);
  cli_reset(&markdown);
}

static void add_rule(cli_node *list, const irrun_rule *rule) {
  cli_node *node = cli_node_object(list, NULL);
  const char *page = strstr(rule->spec, "https://");
  cli_node_text(node, "id", rule->id);
  cli_node_text(node, "name", rule->slug);
  add_message(node, "shortDescription", rule->text);
  add_message(node, "fullDescription", rule->reason);
  add_help(node, rule);
  if (page != NULL && strcspn(page, " ,;") == strlen(page))
    cli_node_text(node, "helpUri", page);
  cli_node_text(cli_node_object(node, "defaultConfiguration"), "level", levels[rule->severity]);
}

/* Returns the index of the rule in the document; adds a rule that the document lacks. -1 for an unknown rule. */
static int find_rule(sarif *s, const char *id) {
  irrun_rule rule = {.size = sizeof rule};
  for (int i = 0; i < s->n_ids; i++)
    if (strcmp(s->ids[i], id) == 0)
      return i;
  if (!irrun_rule_find(id, &rule))
    return -1;
  add_rule(s->rules, &rule);
  s->ids[s->n_ids] = rule.id;
  return s->n_ids++;
}

/* Adds the bytes of a file's name, which a diagnostic has as irrun_printable prints it: "\xff" is one byte, unless a
 * file has the four characters in its name. */
static void add_bytes(cli_string *string, const char *printed) {
  const bool is_plain = access(printed, F_OK) == 0;
  for (const char *at = printed; *at != '\0'; at++) {
    unsigned byte = 0;
    int n_read = 0;
    if (is_plain || *at != '\\')
      cli_add(string, "%c", *at);
    else if (at[1] == 'n' || at[1] == 't')
      cli_add(string, "%c", *++at == 'n' ? '\n' : '\t');
    else if (sscanf(at, "\\x%2x%n", &byte, &n_read) == 1 && n_read == 4 && byte != 0)
      cli_add(string, "%c", (int)byte);
    else
      cli_add(string, "%c", *at);
    at += n_read == 4 ? 3 : 0;
  }
}

/* Adds a path as a URI. A relative path stays relative, because the reader of the document knows the root of the
 * sources. */
static void add_uri(cli_node *node, const char *path) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  cli_string printed = {0}, file = {0}, uri = {0};
  cli_add_file(&printed, path);
  add_bytes(&file, cli_text(&printed));
  if (*path == '/')
    cli_add(&uri, "file://");
  for (const char *at = cli_text(&file); *at != '\0'; at++)
    cli_add(&uri, strchr(plain, *at) != NULL ? "%c" : "%%%02X", (unsigned char)*at);
  cli_node_text(node, "uri", cli_text(&uri));
  cli_reset(&printed);
  cli_reset(&file);
  cli_reset(&uri);
}

static void add_physical(cli_node *location, const irrun_diagnostic *at) {
  cli_node *physical = cli_node_object(location, "physicalLocation");
  add_uri(cli_node_object(physical, "artifactLocation"), at->file);
  if (at->line <= 0 && at->offset < 0)
    return;
  cli_node *region = cli_node_object(physical, "region");
  if (at->line > 0) {
    cli_node_integer(region, "startLine", at->line);
    cli_node_integer(region, "startColumn", at->column);
    cli_node_integer(region, "endColumn", at->end_column > at->column ? at->end_column : at->column);
  } else {
    cli_node_integer(region, "byteOffset", at->offset);
  }
}

static void add_locations(cli_node *result, const irrun_diagnostic *diagnostic) {
  cli_node *location = cli_node_object(cli_node_array(result, "locations"), NULL);
  cli_string layer = {0};
  add_physical(location, diagnostic);
  cli_add_layer(&layer, diagnostic);
  if (layer.length > 0) {
    cli_node *logical = cli_node_object(cli_node_array(location, "logicalLocations"), NULL);
    cli_node_text(logical, "name", diagnostic->layer_name);
    cli_node_text(logical, "fullyQualifiedName", cli_text(&layer));
    cli_node_text(logical, "kind", "layer");
  }
  cli_reset(&layer);
}

/* Adds the notes that have a file. */
static void add_related(sarif *s, cli_node *result, int64_t index) {
  irrun_diagnostic note = {.size = sizeof note};
  cli_node *list = NULL;
  for (int64_t i = 0; irrun_context_get_note(s->c->context, index, i, &note); i++) {
    if (note.file == NULL || *note.file == '\0')
      continue;
    list = list != NULL ? list : cli_node_array(result, "relatedLocations");
    cli_node *location = cli_node_object(list, NULL);
    add_physical(location, &note);
    add_message(location, "message", note.message);
  }
}

static void add_properties(cli_node *result, const irrun_diagnostic *diagnostic) {
  cli_string file = {0};
  const char *key = cli_add_file(&file, diagnostic->file);
  cli_reset(&file);
  if (diagnostic->layer_id == NULL && diagnostic->attribute == NULL && diagnostic->pointer == NULL && key == NULL)
    return;
  cli_node *bag = cli_node_object(result, "properties");
  if (diagnostic->layer_id != NULL)
    cli_node_text(bag, "layerId", diagnostic->layer_id);
  if (diagnostic->layer_op != NULL)
    cli_node_text(bag, "op", diagnostic->layer_op);
  if (diagnostic->attribute != NULL)
    cli_node_text(bag, "attribute", diagnostic->attribute);
  if (diagnostic->pointer != NULL)
    cli_node_text(bag, "pointer", diagnostic->pointer);
  if (key != NULL)
    cli_node_text(bag, "key", key);
}

/* Adds a diagnostic with a file as a result. Adds a diagnostic without a file, such as a fault of the command line, as
 * a notification. */
static void add_diagnostic(sarif *s, const irrun_diagnostic *diagnostic, int64_t index) {
  const bool has_file = diagnostic->file != NULL && *diagnostic->file != '\0';
  cli_node *node = cli_node_object(has_file ? s->results : s->notifications, NULL);
  const int rule = find_rule(s, diagnostic->rule);
  cli_string text = {0};
  if (has_file)
    cli_node_text(node, "ruleId", diagnostic->rule);
  cli_node *descriptor = has_file ? node : cli_node_object(node, "associatedRule");
  cli_node_integer(descriptor, has_file ? "ruleIndex" : "index", rule);
  cli_node_text(node, "level", levels[diagnostic->severity]);
  cli_add_whole_text(&text, s->c->context, diagnostic, index);
  add_message(node, "message", cli_text(&text));
  cli_reset(&text);
  if (!has_file)
    return;
  add_locations(node, diagnostic);
  add_related(s, node, index);
  cli_node_text(cli_node_object(node, "partialFingerprints"), "irrun/v1", s->c->fingerprint.text);
  if (s->c->baseline != NULL)
    cli_node_text(node, "baselineState", s->c->known ? "unchanged" : "new");
  add_properties(node, diagnostic);
}

static void add_gone(sarif *s) {
  const cli_known *known;
  for (int64_t at = 0; (known = cli_next_gone(s->c, &at)) != NULL;) {
    cli_node *node = cli_node_object(s->results, NULL);
    cli_string text = {0};
    cli_add(&text, "gone: %s%s%s", known->rule, *known->layer != '\0' ? " in layer " : "", known->layer);
    cli_node_text(node, "ruleId", known->rule);
    add_message(node, "message", cli_text(&text));
    irrun_diagnostic place = {.file = known->model, .offset = -1};
    add_physical(cli_node_object(cli_node_array(node, "locations"), NULL), &place);
    cli_node_text(cli_node_object(node, "partialFingerprints"), "irrun/v1", known->fingerprint);
    cli_node_text(node, "baselineState", "absent");
    cli_reset(&text);
  }
}

void cli_sarif_print(cli *c, irrun_status status) {
  cli_node *list = cli_node_list(), *root = cli_node_object(list, NULL);
  cli_node_text(root, "$schema", CLI_SARIF_SCHEMA);
  cli_node_text(root, "version", "2.1.0");
  cli_node *run = cli_node_object(cli_node_array(root, "runs"), NULL);
  cli_node *driver = cli_node_object(cli_node_object(run, "tool"), "driver");
  cli_node_text(driver, "name", "irrun");
  cli_node_text(driver, "version", IRRUN_VERSION);
  cli_node_text(run, "columnKind", "unicodeCodePoints");
  cli_node *invocation = cli_node_object(cli_node_array(run, "invocations"), NULL);
  cli_node_flag(invocation, "executionSuccessful",
                status != IRRUN_USAGE && status != IRRUN_IO && status != IRRUN_INTERNAL);
  cli_node_integer(invocation, "exitCode", status);

  irrun_rule rule = {.size = sizeof rule};
  int64_t n_rules = 0, index;
  while (irrun_rule_get(n_rules, &rule))
    n_rules++;
  sarif s = {c,
             cli_node_array(driver, "rules"),
             cli_node_array(run, "results"),
             cli_node_array(invocation, "toolExecutionNotifications"),
             cli_allocate((size_t)n_rules, sizeof(const char *)),
             0};
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  while (cli_next_shown(c, &diagnostic, &index))
    add_diagnostic(&s, &diagnostic, index);
  add_gone(&s);
  cli_node_print(root);
  cli_node_free(list);
  free(s.ids);
}
