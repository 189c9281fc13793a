#include "report_json.h"
#include "baseline.h"
#include "report_text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_IN_DOUBLE (INT64_C(1) << 53)

struct cli_json {
  cJSON *root, *models;
};

static void *allocate(size_t bytes) {
  return cli_allocate(1, bytes);
}

static cJSON *attach(cJSON *parent, const char *key, cJSON *item) {
  if (key != NULL)
    cJSON_AddItemToObject(parent, key, item);
  else
    cJSON_AddItemToArray(parent, item);
  return item;
}

cli_node *cli_node_object(cli_node *parent, const char *key) {
  return attach(parent, key, cJSON_CreateObject());
}

cli_node *cli_node_array(cli_node *parent, const char *key) {
  return attach(parent, key, cJSON_CreateArray());
}

void cli_node_flag(cli_node *parent, const char *key, bool flag) {
  attach(parent, key, cJSON_CreateBool(flag));
}

void cli_node_null(cli_node *parent, const char *key) {
  attach(parent, key, cJSON_CreateNull());
}

static bool is_utf8(const char *text) {
  while (*text != '\0') {
    const char *begin = text;
    uint32_t character = cli_next_character(&text);
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t bytes = (size_t)(text - begin);
    bool lone_byte = bytes == 1 && (*begin & 0x80) != 0;
    if (lone_byte || character < least[bytes] || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
      return false;
  }
  return true;
}

void cli_node_printable(cli_node *parent, const char *key, const char *text) {
  cli_string printable = {0};
  cli_add_printable(&printable, text);
  attach(parent, key, cJSON_CreateString(cli_text(&printable)));
  cli_reset(&printable);
}

void cli_node_text(cli_node *parent, const char *key, const char *text) {
  if (text == NULL) {
    cli_node_null(parent, key);
  } else if (is_utf8(text)) {
    attach(parent, key, cJSON_CreateString(text));
  } else {
    cli_node_printable(parent, key, text);
  }
}

void cli_node_names(cli_node *parent, const char *key, const char *const *names, int n) {
  cli_node *list = n > 0 ? cli_node_array(parent, key) : NULL;
  for (int i = 0; i < n; i++)
    cli_node_text(list, NULL, names[i]);
}

void cli_node_integer(cli_node *parent, const char *key, int64_t integer) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)integer);
  if (integer > EXACT_IN_DOUBLE || integer < -EXACT_IN_DOUBLE)
    cli_node_text(parent, key, text);
  else
    attach(parent, key, cJSON_CreateRaw(text));
}

void cli_node_count(cli_node *parent, const char *key, int64_t count) {
  if (count >= 0)
    cli_node_integer(parent, key, count);
  else
    cli_node_null(parent, key);
}

/* Returns the shortest text, of 15 to 17 digits, that reads back as the same double. cJSON prints another text for some
 * numbers. */
static const char *exact_text(double number, char *buffer, size_t size) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(buffer, size, "%.*g", digits, number);
    if (strtod(buffer, NULL) == number)
      break;
  }
  return buffer;
}

void cli_node_number(cli_node *parent, const char *key, double number) {
  char text[32];
  if (isnan(number))
    cli_node_text(parent, key, "nan");
  else if (isinf(number))
    cli_node_text(parent, key, number > 0 ? "inf" : "-inf");
  else
    attach(parent, key, cJSON_CreateRaw(exact_text(number, text, sizeof text)));
}

void cli_node_rounded(cli_node *parent, const char *key, double number) {
  char text[32];
  snprintf(text, sizeof text, "%.7g", number);
  cli_node_number(parent, key, strtod(text, NULL));
}

void cli_node_scalar(cli_node *parent, const char *key, const char *text) {
  char *end;
  double number = strtod(text, &end);
  bool integer = strspn(text, "-0123456789") == strlen(text);
  if (*text == '\0' || *end != '\0' || !isfinite(number) || (integer && fabs(number) > (double)EXACT_IN_DOUBLE))
    cli_node_text(parent, key, text);
  else
    cli_node_number(parent, key, number);
}

static const char *mode_word(cli_mode mode) {
  for (int i = 0; i < CLI_OPTION_COUNT; i++)
    if (cli_option_rows[i].mode == mode)
      return cli_option_rows[i].name;
  return "run";
}

void cli_set_json_memory(void) {
  cJSON_Hooks hooks = {allocate, free};
  cJSON_InitHooks(&hooks);
}

cli_node *cli_node_list(void) {
  cli_set_json_memory();
  return cJSON_CreateArray();
}

cli_node *cli_node_alone(void) {
  return cJSON_CreateObject();
}

void cli_node_adopt(cli_node *parent, const char *key, cli_node *node) {
  attach(parent, key, node);
}

void cli_node_tabulate(cli_node *parent, const char *key) {
  cJSON *list = cJSON_DetachItemFromObjectCaseSensitive(parent, key), *object, *member, *column;
  cli_node *table = cli_node_object(parent, key);
  cli_node *columns = cli_node_array(table, "columns"), *rows = cli_node_array(table, "rows");
  cJSON_ArrayForEach(object, list) {
    cJSON_ArrayForEach(member, object) {
      cli_node_place_of(columns, member->string);
    }
  }
  cJSON_ArrayForEach(object, list) {
    cli_node *row = cli_node_array(rows, NULL);
    cJSON_ArrayForEach(column, columns) {
      member = cJSON_DetachItemFromObjectCaseSensitive(object, column->valuestring);
      attach(row, NULL, member != NULL ? member : cJSON_CreateNull());
    }
  }
  cJSON_Delete(list);
}

static void drop_confirmed(cJSON *ports) {
  static const char *const keys[] = {"declaration", "declared_type", "declared"};
  cJSON *port;
  cJSON_ArrayForEach(port, ports) {
    const char *word = cJSON_GetStringValue(cli_node_member(port, "declaration"));
    const bool is_confirmed = word == NULL || strcmp(word, "ok") == 0;
    for (int i = 0; i < 3 && is_confirmed; i++)
      cJSON_DeleteItemFromObjectCaseSensitive(port, keys[i]);
  }
}

void cli_json_page_layers(cli_node *model_node) {
  cJSON *layer;
  cJSON_ArrayForEach(layer, cli_node_member(model_node, "layers")) {
    drop_confirmed(cli_node_member(layer, "inputs"));
    drop_confirmed(cli_node_member(layer, "outputs"));
  }
  cli_node_tabulate(model_node, "layers");
}

int64_t cli_node_place_of(cli_node *list, const char *text) {
  const cJSON *item;
  int64_t n = 0;
  cJSON_ArrayForEach(item, list) {
    if (strcmp(item->valuestring, text) == 0)
      return n;
    n++;
  }
  cli_node_text(list, NULL, text);
  return n;
}

cli_node *cli_node_member(cli_node *node, const char *key) {
  return cJSON_GetObjectItemCaseSensitive(node, key);
}

static bool is_also(const char *at, const char *also) {
  return *at != '\0' && (strchr(also, *at) != NULL || strncmp(at, "##", 2) == 0);
}

/* Returns a copy of the document `text` with \u escapes for control characters and direction marks, which a terminal
 * displays safely, for "##", which begins a command to the log of a workflow, and for the characters of `also`. Frees
 * `text`. The caller frees the copy. NULL remains NULL. */
static char *escape(char *text, const char *also) {
  cli_string safe = {0};
  if (text == NULL)
    return NULL;
  for (const char *at = text; *at != '\0';) {
    const char *plain = at;
    while (*at != '\0' && (*at & 0x80) == 0 && *at != 0x7f && !is_also(at, also))
      at++;
    cli_add(&safe, "%.*s", (int)(at - plain), plain);
    const char *begin = at;
    char character[8] = "", printable[40];
    const uint32_t code = *at != '\0' ? cli_next_character(&at) : 0;
    memcpy(character, begin, (size_t)(at - begin));
    if (strcmp(irrun_printable(character, printable, sizeof printable), character) == 0 && !is_also(begin, also))
      cli_add(&safe, "%s", character);
    else
      cli_add(&safe, "\\u%04x", code);
  }
  free(text);
  return safe.text;
}

/* Returns the document's text, or NULL if it is too long. The caller frees the text. */
static char *print_text(const cli_node *node) {
  return escape(cJSON_Print(node), "");
}

char *cli_node_script(const cli_node *node) {
  return escape(cJSON_PrintUnformatted(node), "<");
}

irrun_status cli_node_write(cli *c, const cli_node *node, const char *path) {
  char *text = print_text(node);
  irrun_status status = text != NULL ? irrun_text_write(c->context, text, path)
                                     : cli_fault(c->context, "IR004", NULL, NULL, "the text of '%s' is too long", path);
  free(text);
  return status;
}

void cli_node_print(const cli_node *node) {
  char *text = print_text(node);
  if (text == NULL)
    cli_out_of_memory();
  printf("%s\n", text);
  free(text);
}

void cli_node_free(cli_node *node) {
  cJSON_Delete(node);
}

cli_json *cli_json_create(void) {
  cli_set_json_memory();
  cli_json *json = cli_allocate(1, sizeof *json);
  json->root = cJSON_CreateObject();
  cli_node_integer(json->root, "schema", 1);
  cli_node *tool = cli_node_object(json->root, "tool");
  cli_node_text(tool, "name", "irrun");
  cli_node_text(tool, "version", IRRUN_VERSION);
  return json;
}

const char *cli_json_library_version(void) {
  return cJSON_Version();
}

cli_node *cli_json_root(cli_json *json) {
  return json->root;
}

cli_node *cli_json_next_model(cli_json *json) {
  if (json->models == NULL)
    json->models = cli_node_array(json->root, "models");
  return cli_node_object(json->models, NULL);
}

static void add_place(cli_node *node, const irrun_diagnostic *diagnostic) {
  bool has_file = diagnostic->file != NULL && *diagnostic->file != '\0';
  cli_node_text(node, "file", has_file ? diagnostic->file : NULL);
  bool has_line = diagnostic->line > 0;
  cli_node_count(node, "line", has_line ? diagnostic->line : -1);
  cli_node_count(node, "column", has_line ? diagnostic->column : -1);
  cli_node_count(node, "end_column", has_line ? diagnostic->end_column : -1);
  cli_node_count(node, "offset", diagnostic->offset);
}

/* Adds a diagnostic and returns its node. */
static cli_node *add_diagnostic(cli *c, cli_node *list, const irrun_diagnostic *diagnostic, int64_t index) {
  static const char *const words[] = {[IRRUN_NOTE] = "note", [IRRUN_WARNING] = "warning", [IRRUN_ERROR] = "error"};
  cli_node *node = cli_node_object(list, NULL);
  cli_node_text(node, "rule", diagnostic->rule);
  cli_node_text(node, "slug", diagnostic->slug);
  cli_node_text(node, "severity", words[diagnostic->severity]);
  cli_node_text(node, "message", diagnostic->message);
  add_place(node, diagnostic);
  if (diagnostic->layer_id != NULL) {
    cli_node *layer = cli_node_object(node, "layer");
    cli_node_scalar(layer, "id", diagnostic->layer_id);
    cli_node_text(layer, "name", diagnostic->layer_name);
    cli_node_text(layer, "op", diagnostic->layer_op);
    cli_node_names(layer, "inside", diagnostic->layer_inside, diagnostic->n_inside);
  } else {
    cli_node_null(node, "layer");
  }
  cli_node_text(node, "attribute", diagnostic->attribute);
  cli_node_text(node, "pointer", diagnostic->pointer);
  cli_node *notes = cli_node_array(node, "notes");
  irrun_diagnostic note = {.size = sizeof note};
  for (int64_t i = 0; irrun_context_get_note(c->context, index, i, &note); i++) {
    cli_node *item = cli_node_object(notes, NULL);
    cli_node_text(item, "message", note.message);
    add_place(item, &note);
  }
  cli_node_text(node, "hint", diagnostic->hint);
  return node;
}

/* Adds a diagnostic that cli_next_shown returned. */
static void add_shown(cli *c, cli_node *list, const irrun_diagnostic *diagnostic, int64_t index) {
  cli_node *node = add_diagnostic(c, list, diagnostic, index);
  if (c->baseline != NULL)
    cli_node_flag(node, "known", c->known);
}

void cli_json_diagnostics(cli *c, cli_node *node) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  int64_t index;
  cli_node *list = cli_node_array(node, "diagnostics");
  while (cli_next_shown(c, &diagnostic, &index))
    add_shown(c, list, &diagnostic, index);
}

/* Adds each diagnostic to the object of its model. Adds a diagnostic without a model to the root. Returns the number of
 * diagnostics. */
static int64_t add_diagnostics(cli *c, cJSON *root, cJSON *models) {
  int n_models = cJSON_GetArraySize(models);
  cJSON *rest = cJSON_CreateArray(), *list = NULL;
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  int64_t index, at_model = -1, n_shown = 0;
  cJSON *model = NULL;
  for (; cli_next_shown(c, &diagnostic, &index); n_shown++) {
    if (diagnostic.model >= 0 && diagnostic.model < n_models && diagnostic.model != at_model) {
      at_model = diagnostic.model;
      model = cJSON_GetArrayItem(models, (int)at_model);
      list = cJSON_GetObjectItemCaseSensitive(model, "diagnostics");
    }
    bool has_model = diagnostic.model == at_model && list != NULL;
    add_shown(c, has_model ? list : rest, &diagnostic, index);
  }
  cJSON_AddItemToObject(root, "diagnostics", rest);
  return n_shown;
}

void cli_json_page_diagnostics(cli *c, cli_node *list, int64_t number) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  for (int64_t i = 0; irrun_context_get_diagnostic(c->context, i, &diagnostic); i++) {
    if (diagnostic.model != number && !(diagnostic.model < 0 && number < 0))
      continue;
    cli_node *node = add_diagnostic(c, list, &diagnostic, i);
    cli_node_text(node, "excerpt", diagnostic.excerpt);
    cli_node_integer(node, "excerpt_skipped", diagnostic.excerpt_skipped);
    cli_node_text(node, "lines_before", diagnostic.lines_before);
    cli_node_text(node, "lines_after", diagnostic.lines_after);
  }
}

static void add_gone(const cli *c, cli_node *root) {
  const cli_known *known;
  if (c->baseline == NULL)
    return;
  cli_node *list = cli_node_array(root, "gone");
  for (int64_t at = 0; (known = cli_next_gone(c, &at)) != NULL;) {
    cli_node *node = cli_node_object(list, NULL);
    cli_node_text(node, "model", known->model);
    cli_node_text(node, "rule", known->rule);
    cli_node_text(node, "layer", *known->layer != '\0' ? known->layer : NULL);
    cli_node_text(node, "fingerprint", known->fingerprint);
  }
}

void cli_json_end(cli *c, cli_node *root, irrun_status status, int64_t n_shown) {
  const irrun_counts counts = irrun_context_count(c->context);
  cli_node_text(root, "mode", mode_word(c->options.mode));
  cli_node_integer(root, "exit", status);
  cli_node *node = cli_node_object(root, "counts");
  cli_node_integer(node, "errors", counts.errors);
  cli_node_integer(node, "warnings", counts.warnings);
  cli_node_integer(node, "notes", counts.notes);
  cli_node_integer(node, "shown", n_shown);
}

void cli_json_print(cli *c, irrun_status status) {
  cJSON *root = c->json->root;
  const int64_t n_shown = add_diagnostics(c, root, c->json->models);
  cli_json_end(c, root, status, n_shown);
  add_gone(c, root);
  cli_node_print(root);
}

void cli_json_free(cli_json *json) {
  if (json == NULL)
    return;
  cJSON_Delete(json->root);
  free(json);
}
