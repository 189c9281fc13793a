#include "finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* FNV-1a, 64 bits. */
#define HASH_BASIS UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

/* Hashes an item of the fingerprint, and its end. */
static uint64_t add_item(uint64_t hash, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * HASH_PRIME;
  return hash * HASH_PRIME; /* hash a zero byte, which marks the item's end */
}

static uint64_t add_text(uint64_t hash, const char *text) {
  return add_item(hash, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

/* Hashes the columns of the excerpt that a report marks by a caret and tildes. */
static uint64_t add_marked(uint64_t hash, const irrun_diagnostic *diagnostic) {
  const char *begin = diagnostic->excerpt, *end;
  if (begin == NULL || diagnostic->line <= 0)
    return add_text(hash, NULL);
  int64_t column = diagnostic->excerpt_skipped + 1;
  for (; column < diagnostic->column && *begin != '\0'; column++)
    cli_next_character(&begin);
  end = begin;
  for (; column < diagnostic->end_column && *end != '\0'; column++)
    cli_next_character(&end);
  return add_item(hash, begin, (size_t)(end - begin));
}

static uint64_t hash_of(const irrun_diagnostic *diagnostic) {
  uint64_t hash = add_text(HASH_BASIS, diagnostic->rule);
  for (int i = 0; i < diagnostic->n_inside; i++)
    hash = add_text(hash, diagnostic->layer_inside[i]);
  hash = add_text(hash, diagnostic->layer_name);
  hash = add_text(hash, diagnostic->attribute);
  return diagnostic->layer_name == NULL ? add_marked(hash, diagnostic) : hash;
}

cli_fingerprint cli_next_fingerprint(cli_findings *findings, const irrun_diagnostic *diagnostic) {
  const uint64_t hash = hash_of(diagnostic);
  int64_t number = 1;
  if (diagnostic->model != findings->model)
    findings->n_hashes = 0;
  findings->model = diagnostic->model;
  for (size_t i = 0; i < findings->n_hashes; i++)
    number += findings->hashes[i] == hash;
  findings->hashes = cli_with_room(findings->hashes, findings->n_hashes, &findings->capacity, sizeof *findings->hashes);
  findings->hashes[findings->n_hashes++] = hash;
  cli_fingerprint fingerprint;
  snprintf(fingerprint.text, sizeof fingerprint.text, "%016" PRIx64 ":%" PRId64, hash, number);
  return fingerprint;
}

void cli_findings_reset(cli_findings *findings) {
  free(findings->hashes);
  *findings = (cli_findings){0};
}

const char *cli_plain_path(const char *path) {
  while (path[0] == '.' && path[1] == '/')
    for (path += 2; *path == '/';)
      path++;
  return path;
}

const char *cli_add_file(cli_string *string, const char *file) {
  const char *path = cli_plain_path(file);
  size_t length = strlen(path);
  for (const char *at = strchr(path, ':'); at != NULL && access(path, F_OK) != 0; at = strchr(at + 1, ':')) {
    cli_string archive = {0};
    cli_add(&archive, "%.*s", (int)(at - path), path);
    if (access(cli_text(&archive), F_OK) == 0)
      length = (size_t)(at - path);
    cli_reset(&archive);
  }
  cli_add(string, "%.*s", (int)length, path);
  return path[length] == ':' ? path + length + 1 : NULL;
}

void cli_add_layer(cli_string *string, const irrun_diagnostic *diagnostic) {
  if (diagnostic->layer_name != NULL)
    cli_add_layer_name(string, diagnostic->layer_inside, diagnostic->n_inside, CLI_INSIDE, diagnostic->layer_name);
}

void cli_add_whole_text(cli_string *string, irrun_context *context, const irrun_diagnostic *diagnostic, int64_t index) {
  irrun_diagnostic note = {.size = sizeof note};
  cli_string layer = {0};
  cli_add(string, "%s", diagnostic->message);
  cli_add_layer(&layer, diagnostic);
  if (diagnostic->layer_name != NULL)
    cli_add(string, "\nlayer '%s'%s%s", cli_text(&layer), *diagnostic->layer_op != '\0' ? ", " : "",
            diagnostic->layer_op);
  for (int64_t i = 0; irrun_context_get_note(context, index, i, &note); i++)
    cli_add(string, "\n%s", note.message);
  if (diagnostic->n_more > 0) {
    cli_add(string, "\nthe same in ");
    cli_add_count(string, diagnostic->n_more, "more place");
  }
  if (diagnostic->hint != NULL)
    cli_add(string, "\nhint: %s", diagnostic->hint);
  cli_reset(&layer);
}
