/* check_schema SCHEMA DOCUMENT: checks a JSON document against a JSON schema. Exits with status 1 if the document
 * violates the schema, and prints each violation. Exits with status 2 if the schema has a keyword that this program
 * does not implement. */
#include <cjson/cJSON.h>
#include <math.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *root; /* root of the schema */
static char place[4096];  /* path in the document: "/runs/0/tool" */
static int n_faults;
static bool silent; /* set while alternatives are tried */

static void fault(const char *text, const char *what) {
  n_faults++;
  if (!silent)
    printf("%s: %s%s\n", *place != '\0' ? place : "/", text, what);
}

static void give_up(const char *text, const char *what) {
  fprintf(stderr, "check_schema: %s%s\n", text, what);
  exit(2);
}

static void check(const cJSON *schema, const cJSON *value);

static void check_child(const cJSON *schema, const cJSON *value, const char *key, int index) {
  const size_t length = strlen(place);
  if (key != NULL)
    snprintf(place + length, sizeof place - length, "/%s", key);
  else
    snprintf(place + length, sizeof place - length, "/%d", index);
  check(schema, value);
  place[length] = '\0';
}

/* Returns the schema at a reference such as "#/$defs/model". */
static const cJSON *follow(const char *reference) {
  char *copy = strdup(reference), *rest = copy, *step = strsep(&rest, "/");
  const cJSON *at = strcmp(step, "#") == 0 ? root : NULL;
  while (at != NULL && (step = strsep(&rest, "/")) != NULL)
    at = cJSON_GetObjectItemCaseSensitive(at, step);
  free(copy);
  if (at == NULL)
    give_up("no such $ref: ", reference);
  return at;
}

static bool has_type(const cJSON *value, const char *type) {
  return (strcmp(type, "object") == 0 && cJSON_IsObject(value)) ||
         (strcmp(type, "array") == 0 && cJSON_IsArray(value)) || (strcmp(type, "null") == 0 && cJSON_IsNull(value)) ||
         (strcmp(type, "string") == 0 && cJSON_IsString(value)) ||
         (strcmp(type, "boolean") == 0 && cJSON_IsBool(value)) ||
         (strcmp(type, "number") == 0 && cJSON_IsNumber(value)) ||
         (strcmp(type, "integer") == 0 && cJSON_IsNumber(value) && floor(value->valuedouble) == value->valuedouble);
}

static void check_type(const cJSON *types, const cJSON *value) {
  const cJSON *type;
  bool fits = cJSON_IsString(types) && has_type(value, types->valuestring);
  cJSON_ArrayForEach(type, types) {
    fits = fits || has_type(value, type->valuestring);
  }
  if (!fits)
    fault("has another type than ", cJSON_IsString(types) ? types->valuestring : "those allowed");
}

static void check_enum(const cJSON *values, const cJSON *value) {
  const cJSON *one;
  cJSON_ArrayForEach(one, values) {
    if (cJSON_Compare(one, value, true))
      return;
  }
  fault("is none of the values allowed", "");
}

static void check_pattern(const char *pattern, const cJSON *value) {
  regex_t expression;
  if (!cJSON_IsString(value))
    return;
  if (regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
    give_up("not a pattern: ", pattern);
  if (regexec(&expression, value->valuestring, 0, NULL, 0) != 0)
    fault("does not match ", pattern);
  regfree(&expression);
}

static void check_required(const cJSON *names, const cJSON *value) {
  const cJSON *name;
  cJSON_ArrayForEach(name, names) {
    if (cJSON_IsObject(value) && !cJSON_HasObjectItem(value, name->valuestring))
      fault("lacks ", name->valuestring);
  }
}

static void check_members(const cJSON *schema, const cJSON *value) {
  const cJSON *properties = cJSON_GetObjectItemCaseSensitive(schema, "properties"), *member;
  const cJSON *others = cJSON_GetObjectItemCaseSensitive(schema, "additionalProperties");
  if (!cJSON_IsObject(value))
    return;
  cJSON_ArrayForEach(member, value) {
    const cJSON *own = cJSON_GetObjectItemCaseSensitive(properties, member->string);
    if (own != NULL)
      check_child(own, member, member->string, 0);
    else if (cJSON_IsFalse(others))
      fault("must not have ", member->string);
    else if (cJSON_IsObject(others))
      check_child(others, member, member->string, 0);
  }
}

static void check_items(const char *keyword, const cJSON *rule, const cJSON *value) {
  const cJSON *item, *other;
  int index = 0;
  if (!cJSON_IsArray(value))
    return;
  if (strcmp(keyword, "minItems") == 0 && cJSON_GetArraySize(value) < rule->valueint)
    fault("has too few items", "");
  if (strcmp(keyword, "maxItems") == 0 && cJSON_GetArraySize(value) > rule->valueint)
    fault("has too many items", "");
  if (strcmp(keyword, "items") == 0)
    cJSON_ArrayForEach(item, value) {
      check_child(rule, item, NULL, index++);
    }
  if (strcmp(keyword, "uniqueItems") == 0 && cJSON_IsTrue(rule))
    cJSON_ArrayForEach(item, value) {
      for (other = item->next; other != NULL; other = other->next)
        if (cJSON_Compare(item, other, true))
          fault("has an item twice", "");
    }
}

/* Returns the number of alternatives to which the value conforms. */
static int count_fitting(const cJSON *alternatives, const cJSON *value) {
  const cJSON *one;
  const int n_before = n_faults;
  const bool was_silent = silent;
  int n_fitting = 0;
  silent = true;
  cJSON_ArrayForEach(one, alternatives) {
    n_faults = 0;
    check(one, value);
    n_fitting += n_faults == 0;
  }
  n_faults = n_before;
  silent = was_silent;
  return n_fitting;
}

static bool is_word(const char *keyword, const char *words) {
  char padded[80];
  snprintf(padded, sizeof padded, " %s ", keyword);
  return strstr(words, padded) != NULL;
}

static void check(const cJSON *schema, const cJSON *value) {
  const cJSON *rule;
  cJSON_ArrayForEach(rule, schema) {
    const char *keyword = rule->string;
    if (strcmp(keyword, "$ref") == 0)
      check(follow(rule->valuestring), value);
    else if (strcmp(keyword, "type") == 0)
      check_type(rule, value);
    else if (strcmp(keyword, "enum") == 0)
      check_enum(rule, value);
    else if (strcmp(keyword, "const") == 0 && !cJSON_Compare(rule, value, true))
      fault("is not the value that it has to be", "");
    else if (strcmp(keyword, "pattern") == 0)
      check_pattern(rule->valuestring, value);
    else if (strcmp(keyword, "minimum") == 0 && cJSON_IsNumber(value) && value->valuedouble < rule->valuedouble)
      fault("is too small", "");
    else if (strcmp(keyword, "maximum") == 0 && cJSON_IsNumber(value) && value->valuedouble > rule->valuedouble)
      fault("is too large", "");
    else if (strcmp(keyword, "required") == 0)
      check_required(rule, value);
    else if (is_word(keyword, " items minItems maxItems uniqueItems "))
      check_items(keyword, rule, value);
    else if (strcmp(keyword, "anyOf") == 0 && count_fitting(rule, value) == 0)
      fault("fits no alternative", "");
    else if (strcmp(keyword, "oneOf") == 0 && count_fitting(rule, value) != 1)
      fault("does not fit one alternative", "");
    else if (!is_word(keyword, " const minimum maximum anyOf oneOf properties additionalProperties $schema id title "
                               "description default format definitions $defs "))
      give_up("unknown keyword: ", keyword);
  }
  check_members(schema, value);
}

static cJSON *read_json(const char *path) {
  size_t length = 0, n;
  char *text = NULL;
  FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
  if (file == NULL)
    give_up("cannot read ", path);
  do {
    text = realloc(text, length + (1 << 16) + 1);
    if (text == NULL)
      give_up("out of memory", "");
    n = fread(text + length, 1, 1 << 16, file);
    length += n;
  } while (n > 0);
  text[length] = '\0';
  cJSON *json = cJSON_ParseWithOpts(text, NULL, true);
  if (file != stdin)
    fclose(file);
  free(text);
  if (json == NULL)
    give_up("not JSON: ", path);
  return json;
}

int main(int argc, char **argv) {
  if (argc != 3)
    give_up("usage: check_schema SCHEMA DOCUMENT", "");
  cJSON *schema = read_json(argv[1]), *document = read_json(argv[2]);
  root = schema;
  check(schema, document);
  cJSON_Delete(document);
  cJSON_Delete(schema);
  return n_faults > 0;
}
