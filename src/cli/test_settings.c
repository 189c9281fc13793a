/* Reads irrun-test.json: tolerances for all cases of a folder, for single outputs, and for single cases. */
#include "finding.h"
#include "report_json.h"
#include "test.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_BYTES (1 << 20)

struct cli_settings {
  char *path;
  cJSON *root;
  bool *is_met; /* for each member of "cases": a case has such a name */
};

static const struct {
  const char *name;
  cli_option option;
} tolerances[] = {{"atol", CLI_OPTION_ATOL}, {"rtol", CLI_OPTION_RTOL}, {"ulp", CLI_OPTION_ULP}};
#define N_TOLERANCES (sizeof tolerances / sizeof tolerances[0])

/* ---- reading ---- */

static irrun_status wrong(cli *c, const cli_settings *s, const char *hint, const char *message, const char *key) {
  return cli_fault(c->context, "IR802", s->path, hint, message, key);
}

static bool is_tolerance(const cJSON *item, size_t kind) {
  const double number = item->valuedouble;
  const bool is_whole = number == floor(number) && number < 9e15;
  return cJSON_IsNumber(item) && isfinite(number) && number >= 0 &&
         (tolerances[kind].option != CLI_OPTION_ULP || is_whole);
}

/* The level of a JSON object, which decides its allowed members. */
typedef enum level { IN_FILE, IN_CASE, IN_OUTPUT } level;

static irrun_status check_object(cli *c, const cli_settings *s, const cJSON *object, level at);

/* A member of an object, and its place in the file. */
typedef struct member {
  const cJSON *item;
  size_t place;
} member;

static int by_name(const void *a, const void *b) {
  const member *x = a, *y = b;
  const int order = strcmp(x->item->string, y->item->string);
  return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* Reports members with the same name, because it would be unclear which member counts. */
static irrun_status check_names(cli *c, const cli_settings *s, const cJSON *object) {
  irrun_status worst = IRRUN_OK;
  const size_t n = (size_t)cJSON_GetArraySize(object);
  member *members = cli_allocate(n, sizeof *members);
  bool *is_repeated = cli_allocate(n, sizeof *is_repeated);
  size_t place = 0;
  for (const cJSON *item = object->child; item != NULL; item = item->next, place++)
    members[place] = (member){item, place};
  qsort(members, n, sizeof *members, by_name);
  for (size_t i = 1; i < n; i++)
    is_repeated[members[i].place] = strcmp(members[i - 1].item->string, members[i].item->string) == 0;
  place = 0;
  for (const cJSON *item = object->child; item != NULL; item = item->next, place++)
    if (is_repeated[place])
      worst = wrong(c, s, "leave one of them out", "'%s' is there twice", item->string);
  free(members);
  free(is_repeated);
  return worst;
}

/* Checks the member "outputs" or "cases": an object whose members are objects. */
static irrun_status check_objects(cli *c, const cli_settings *s, const cJSON *list, level at) {
  if (!cJSON_IsObject(list))
    return wrong(c, s, "write {\"NAME\": {\"atol\": 1e-4}}", "'%s' is no object", list->string);
  irrun_status worst = check_names(c, s, list);
  for (const cJSON *item = list->child; item != NULL; item = item->next)
    worst = irrun_status_worse(worst, cJSON_IsObject(item) ? check_object(c, s, item, at)
                                                           : wrong(c, s, "write {\"atol\": 1e-4}",
                                                                   "what '%s' has is no object", item->string));
  return worst;
}

/* Checks an object and the objects in it. The recursion has at most three levels (`level`). */
static irrun_status check_object(cli *c, const cli_settings *s, const cJSON *object, level at) {
  irrun_status worst = check_names(c, s, object);
  for (const cJSON *item = object->child; item != NULL; item = item->next) {
    irrun_status status = IRRUN_OK;
    size_t kind = 0;
    while (kind < N_TOLERANCES && strcmp(item->string, tolerances[kind].name) != 0)
      kind++;
    if (kind < N_TOLERANCES) {
      if (!is_tolerance(item, kind))
        status = wrong(c, s, NULL,
                       tolerances[kind].option == CLI_OPTION_ULP ? "'%s' is no whole number of at least 0"
                                                                 : "'%s' is no number of at least 0",
                       item->string);
    } else if (at != IN_OUTPUT && strcmp(item->string, "outputs") == 0) {
      status = check_objects(c, s, item, IN_OUTPUT);
    } else if (at == IN_FILE && strcmp(item->string, "cases") == 0) {
      status = check_objects(c, s, item, IN_CASE);
    } else {
      static const char *const hints[] = {[IN_FILE] = "it may hold atol, rtol, ulp, outputs and cases",
                                          [IN_CASE] = "a case may have atol, rtol, ulp and outputs",
                                          [IN_OUTPUT] = "an output may have atol, rtol and ulp"};
      status = wrong(c, s, hints[at], "'%s' is no setting here", item->string);
    }
    worst = irrun_status_worse(worst, status);
  }
  return worst;
}

/* Reports a file that is no JSON object; `end` is the place where the parser stopped. */
static irrun_status not_json(cli *c, const cli_settings *s, const char *text, const char *end) {
  int line = 1;
  const char *begin = text;
  for (const char *at = text; at < end; at++)
    if (*at == '\n') {
      line++;
      begin = at + 1;
    }
  return cli_fault(c->context, "IR802", s->path, NULL, "it is no JSON object: line %d, column %d", line,
                   (int)(end - begin) + 1);
}

/* Returns the first escape of a zero byte, which would end a string early; NULL if there is none. */
static const char *find_zero(const char *text) {
  for (; (text = strchr(text, '\\')) != NULL && text[1] != '\0'; text += 2)
    if (strncmp(text, "\\u0000", 6) == 0)
      return text;
  return NULL;
}

/* Returns where `text` of n bytes is no JSON object; NULL: it is one. cJSON has made `root` of it, up to `end`. */
static const char *find_fault(const cJSON *root, const char *text, const char *end, size_t n) {
  const char *zero = find_zero(text);
  if (zero != NULL && zero < end)
    return zero;
  if (root != NULL && !cJSON_IsObject(root))
    return text;
  return root == NULL || end != text + n ? end : NULL; /* cJSON ends at a zero byte */
}

static irrun_status parse(cli *c, cli_settings *s, FILE *file) {
  char *text = cli_allocate(MAX_BYTES + 1, 1);
  const char *end = text;
  irrun_status status;
  const size_t n = fread(text, 1, MAX_BYTES, file);
  if (ferror(file) != 0) {
    status = cli_fault(c->context, "IR701", s->path, NULL, "cannot read: %s", strerror(errno));
  } else if (n == MAX_BYTES) {
    status = cli_fault(c->context, "IR802", s->path, NULL, "it is larger than %d bytes", MAX_BYTES);
  } else {
    cli_set_json_memory();
    s->root = cJSON_ParseWithOpts(text, &end, true);
    const char *fault = find_fault(s->root, text, end, n);
    status = fault != NULL ? not_json(c, s, text, fault) : check_object(c, s, s->root, IN_FILE);
  }
  free(text);
  return status;
}

irrun_status cli_settings_read(cli *c, const char *folder, cli_settings **out_settings) {
  *out_settings = NULL;
  char *path = cli_join(folder, CLI_SETTINGS_FILE);
  struct stat info;
  const bool is_other = stat(path, &info) == 0 && !S_ISREG(info.st_mode); /* a FIFO can wait for ever */
  FILE *file = is_other ? NULL : fopen(path, "rb");
  if (file == NULL) {
    irrun_status status = IRRUN_OK;
    if (is_other || errno != ENOENT)
      status = cli_fault(c->context, "IR701", path, NULL, "cannot read: %s",
                         is_other ? "it is no regular file" : strerror(errno));
    free(path);
    return status;
  }
  cli_settings *s = cli_allocate(1, sizeof *s);
  s->path = path;
  irrun_status status = parse(c, s, file);
  fclose(file);
  *out_settings = s;
  return status;
}

void cli_settings_free(cli_settings *settings) {
  cJSON_Delete(settings->root);
  free(settings->path);
  free(settings->is_met);
  free(settings);
}

/* ---- applying ---- */

/* Skips slashes and "./": "a//b", "a/./b" and "a/b" are the same path. */
static const char *skip_slashes(const char *path) {
  while (*path == '/')
    path++;
  return cli_plain_path(path);
}

/* Returns the case's name relative to the folder of irrun-test.json, however the command line spells that folder. */
static const char *relative_name(const cli_settings *s, const char *case_name) {
  const char *name = cli_plain_path(case_name), *path = cli_plain_path(s->path);
  const char *const end = s->path + strlen(s->path) - strlen(CLI_SETTINGS_FILE);
  while (path < end && *name == *path) {
    const bool is_slash = *path == '/';
    name = is_slash ? skip_slashes(name) : name + 1;
    path = is_slash ? skip_slashes(path) : path + 1;
  }
  return path == end ? name : case_name;
}

/* Whether the key, a glob, matches the case's relative name. */
static bool names_case(const cli_settings *s, const char *key, const char *case_name) {
  return fnmatch(key, relative_name(s, case_name), 0) == 0;
}

static const cJSON *first_case(const cli_settings *s) {
  const cJSON *cases = cJSON_GetObjectItemCaseSensitive(s->root, "cases");
  return cases != NULL ? cases->child : NULL;
}

/* Returns the first member of "cases" that names the case; NULL if none does. */
static const cJSON *find_case(const cli_settings *s, const char *case_name) {
  const cJSON *item = first_case(s);
  while (item != NULL && !names_case(s, item->string, case_name))
    item = item->next;
  return item;
}

void cli_settings_meet(cli_settings *settings, const char *case_name) {
  const cJSON *cases = cJSON_GetObjectItemCaseSensitive(settings->root, "cases");
  size_t i = 0;
  if (settings->is_met == NULL)
    settings->is_met = cli_allocate((size_t)cJSON_GetArraySize(cases), sizeof *settings->is_met);
  for (const cJSON *item = first_case(settings); item != NULL; item = item->next, i++)
    settings->is_met[i] = settings->is_met[i] || names_case(settings, item->string, case_name);
}

irrun_status cli_settings_check(cli *c, const cli_settings *settings) {
  irrun_status worst = IRRUN_OK;
  size_t i = 0;
  for (const cJSON *item = first_case(settings); item != NULL; item = item->next, i++)
    if (settings->is_met == NULL || !settings->is_met[i])
      worst = wrong(c, settings, "--list-cases shows all names; a key has the name relative to the folder of the file",
                    "no case has the name '%s'", item->string);
  return worst;
}

/* Calls `set` for each tolerance in the two objects. A tolerance in `nearer` replaces the same tolerance in `farther`.
 * Both objects may be NULL. */
static void set_tolerances(const cJSON *nearer, const cJSON *farther, int64_t output, cli_set_tolerance *set,
                           void *user) {
  for (size_t kind = 0; kind < N_TOLERANCES; kind++) {
    char text[32];
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(nearer, tolerances[kind].name);
    if (item == NULL)
      item = cJSON_GetObjectItemCaseSensitive(farther, tolerances[kind].name);
    if (item == NULL)
      continue;
    snprintf(text, sizeof text, "%.17g", item->valuedouble);
    if (tolerances[kind].option == CLI_OPTION_ULP)
      snprintf(text, sizeof text, "%.0f", item->valuedouble);
    set(user, tolerances[kind].option, output, text);
  }
}

/* Finds the settings of each output in the member "outputs" of `scope`. An item of `out_items` stays NULL if the output
 * has no settings. */
static irrun_status find_outputs(irrun_context *context, const cli_settings *s, const cJSON *scope, irrun_model *model,
                                 const cJSON **out_items) {
  irrun_status worst = IRRUN_OK;
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(scope, "outputs");
  for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next) {
    int64_t output;
    irrun_status status = irrun_model_find_name(model, IRRUN_OUTPUTS, item->string, s->path, &output);
    if (status == IRRUN_OK && out_items[output] != NULL)
      status = cli_fault(context, "IR802", s->path, "leave one of them out", "'%s' and '%s' are names of one output",
                         out_items[output]->string, item->string);
    if (status == IRRUN_OK)
      out_items[output] = item;
    worst = irrun_status_worse(worst, status);
  }
  return worst;
}

irrun_status cli_settings_apply(irrun_context *context, const cli_settings *settings, const char *case_name,
                                irrun_model *model, cli_set_tolerance *set, void *user) {
  const int64_t n_outputs = cli_model_info(model).n_outputs;
  const cJSON *own = find_case(settings, case_name);
  const cJSON **nearer = cli_allocate((size_t)n_outputs, sizeof *nearer);
  const cJSON **farther = cli_allocate((size_t)n_outputs, sizeof *farther);
  irrun_status status = find_outputs(context, settings, own, model, nearer);
  status = irrun_status_worse(status, find_outputs(context, settings, settings->root, model, farther));
  set_tolerances(own, settings->root, -1, set, user);
  for (int64_t i = 0; i < n_outputs; i++)
    set_tolerances(nearer[i], farther[i], i, set, user);
  free(nearer);
  free(farther);
  return status;
}
