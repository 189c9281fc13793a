/* Which input or output a NAME=, or a key of an .npz, means. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_NAMES_SHOWN 8
#define MAX_GUESSES     50  /* as many errors as are shown without --max-errors */
#define NAME_BYTES      120 /* of a name that somebody may paste */

static const char *side_noun(irrun_side side) {
  return side == IRRUN_INPUTS ? "input" : "output";
}

void cli_add_named_option(cli_string *string, const cli_run *r, const char *option, irrun_side side, int64_t index,
                          const char *argument) {
  const char *key = irrun_get_key(r->model, side, index);
  char printable[NAME_BYTES], number[24];
  snprintf(number, sizeof number, "%lld", (long long)index);
  bool can_be_typed = strcmp(irrun_printable(key, printable, sizeof printable), key) == 0;
  cli_add_option(string, option, can_be_typed ? key : number, argument);
}

irrun_status cli_match_option(cli_run *r, irrun_side side, cli_option option, const char *text, bool may_be_file,
                              int64_t *out_index, const char **out_rest) {
  char name[40];
  cli_option_name(option, name, sizeof name);
  irrun_status status = irrun_match_name(r->model, side, text, out_index, out_rest);
  if (status != IRRUN_OK)
    return status;
  if (**out_rest == '\0')
    return cli_fault(r->c->context, "IR801", NULL, NULL, "'%s %s': needs %s", name, text,
                     cli_option_rows[option].argument);
  const char *equals = strchr(text, '=');
  if (*out_index >= 0 || equals == NULL || (option == CLI_OPTION_INPUT && *text == '@') ||
      (may_be_file && access(text, F_OK) == 0))
    return IRRUN_OK;
  cli_string before = {0};
  cli_add(&before, "%.*s", (int)(equals - text), text);
  status = irrun_find_name(r->model, side, cli_text(&before), NULL, out_index);
  cli_reset(&before);
  return status;
}

/* The whole text, which may be NULL, as a name; -1 when it is none. */
static irrun_status match_text(cli_run *r, irrun_side side, const char *name, int64_t *out_index) {
  cli_string text = {0};
  const char *rest;
  *out_index = -1;
  if (name == NULL)
    return IRRUN_OK;
  cli_add(&text, "%s=", name);
  irrun_status status = irrun_match_name(r->model, side, text.text, out_index, &rest);
  if (status == IRRUN_OK && *out_index >= 0 && *rest != '\0')
    *out_index = -1;
  cli_reset(&text);
  return status;
}

/* The NAME of a key "in/NAME" or "out/NAME", else NULL. */
static const char *name_behind(const char *key, irrun_side side) {
  const char *prefix = side == IRRUN_INPUTS ? "in/" : "out/";
  const size_t length = strlen(prefix);
  return strncmp(key, prefix, length) == 0 ? key + length : NULL;
}

/* The input or output that an .npz key names, or -1. */
static irrun_status match_key(cli_run *r, irrun_side side, const char *key, int64_t *out_index) {
  irrun_status status = match_text(r, side, key, out_index);
  if (status == IRRUN_OK && *out_index < 0)
    status = match_text(r, side, name_behind(key, side), out_index);
  return status;
}

/* The name that is nearest to the key, or NULL. Guesses take time, and nobody reads a hundred of them. */
static const char *guess_name(cli_run *r, irrun_side side, const char *key) {
  if (r->n_unmatched_keys++ >= MAX_GUESSES)
    return NULL;
  int64_t n = side == IRRUN_INPUTS ? r->n_inputs : r->n_outputs;
  const char **names = cli_allocate((size_t)n, sizeof *names);
  irrun_io io = {.size = sizeof io};
  for (int64_t i = 0; i < n && irrun_get_io(r->model, side, i, &io); i++)
    names[i] = io.name;
  const char *near = irrun_did_you_mean(key, names, (size_t)n);
  free(names);
  return near;
}

/* The names that there are, or the one that is nearest. */
static void add_names(cli_string *hint, cli_run *r, irrun_side side, const char *key) {
  const char *near = guess_name(r, side, key);
  irrun_io io = {.size = sizeof io};
  if (near != NULL) {
    cli_add(hint, "did you mean '");
    cli_add_name(hint, near);
    cli_add(hint, "'?");
    return;
  }
  cli_add(hint, "the %ss are", side_noun(side));
  for (int64_t i = 0; i <= MAX_NAMES_SHOWN && irrun_get_io(r->model, side, i, &io); i++) {
    cli_add(hint, i > 0 ? ", " : " ");
    cli_add_name(hint, i < MAX_NAMES_SHOWN ? io.name : "...");
  }
}

static irrun_status report_unmatched_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file,
                                         const char *key) {
  cli_string hint = {0};
  if (irrun_tensor_file_count(file) == 1 && (side == IRRUN_INPUTS ? r->n_inputs : r->n_outputs) == 1) {
    cli_add(&hint, "with a name its only key may be any: ");
    cli_add_named_option(&hint, r, side == IRRUN_INPUTS ? "--input" : "--expect", side, 0, path);
  } else {
    add_names(&hint, r, side, key);
  }
  irrun_status status =
      cli_fault(r->c->context, "IR508", path, hint.text, "key '%s' names no %s of the model", key, side_noun(side));
  cli_reset(&hint);
  return status;
}

static irrun_status report_rival_keys(cli_run *r, irrun_side side, const char *path, const char *first,
                                      const char *second, int64_t index) {
  irrun_io io = {.size = sizeof io};
  irrun_get_io(r->model, side, index, &io);
  return cli_fault(r->c->context, "IR508", path, "leave one of them out", "keys '%s' and '%s' both name %s '%s'", first,
                   second, side_noun(side), io.name);
}

irrun_status cli_bind_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file, int64_t key,
                          const char **owners, int64_t *out_index) {
  const char *name = irrun_tensor_file_key(file, key);
  irrun_status status = *out_index < 0 ? match_key(r, side, name, out_index) : IRRUN_OK;
  if (status != IRRUN_OK)
    return status;
  if (*out_index < 0 && name_behind(name, side == IRRUN_INPUTS ? IRRUN_OUTPUTS : IRRUN_INPUTS) != NULL)
    return IRRUN_OK;
  if (*out_index < 0)
    return report_unmatched_key(r, side, path, file, name);
  if (owners[*out_index] != NULL)
    return report_rival_keys(r, side, path, owners[*out_index], name, *out_index);
  owners[*out_index] = name;
  return IRRUN_OK;
}

irrun_status cli_find_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file, int64_t index,
                          int64_t *out_key) {
  int64_t n_keys = irrun_tensor_file_count(file);
  irrun_io io = {.size = sizeof io};
  *out_key = 0;
  if (n_keys < 0 || n_keys == 1)
    return IRRUN_OK;
  const char *owner = NULL;
  for (int64_t key = 0; key < n_keys; key++) {
    int64_t named;
    const char *name = irrun_tensor_file_key(file, key);
    irrun_status status = match_key(r, side, name, &named);
    if (status == IRRUN_OK && named == index && owner != NULL)
      status = report_rival_keys(r, side, path, owner, name, index);
    if (status != IRRUN_OK)
      return status;
    if (named != index)
      continue;
    *out_key = key;
    owner = name;
  }
  if (owner != NULL)
    return IRRUN_OK;
  irrun_get_io(r->model, side, index, &io);
  cli_string hint = {0};
  for (int64_t key = 0; key < n_keys && key <= MAX_NAMES_SHOWN; key++) {
    cli_add(&hint, key > 0 ? ", " : "its keys are ");
    cli_add_name(&hint, key < MAX_NAMES_SHOWN ? irrun_tensor_file_key(file, key) : "...");
  }
  irrun_status status =
      cli_fault(r->c->context, "IR508", path, hint.text, "no key is named like %s '%s'", side_noun(side), io.name);
  cli_reset(&hint);
  return status;
}

bool cli_is_stdin(const char *path) {
  static const char *const names[] = {"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(path, names[i]) == 0)
      return true;
  return false;
}

void cli_claim_stdin_for_model(cli_run *r) {
  snprintf(r->stdin_user, sizeof r->stdin_user, "%s", cli_is_stdin(r->path) ? "MODEL" : "");
}

irrun_status cli_claim_stdin(cli_run *r, cli_option option, const char *path) {
  char user[sizeof r->stdin_user];
  if (!cli_is_stdin(path))
    return IRRUN_OK;
  cli_option_name(option, user, sizeof user);
  if (r->stdin_user[0] != '\0')
    return cli_fault(r->c->context, "IR801", NULL, "read one of them from a file", "'%s' and '%s' both read stdin",
                     r->stdin_user, user);
  memcpy(r->stdin_user, user, sizeof user);
  return IRRUN_OK;
}

irrun_status cli_needs_name(cli_run *r, irrun_side side, cli_option option, const char *path) {
  int64_t n = side == IRRUN_INPUTS ? r->n_inputs : r->n_outputs;
  char name[40];
  cli_option_name(option, name, sizeof name);
  if (n == 0)
    return cli_fault(r->c->context, "IR801", NULL, NULL, "'%s %s': the model has no %s", name, path, side_noun(side));
  cli_string hint = {0};
  for (int64_t i = 0; i < n && i < MAX_NAMES_SHOWN; i++) {
    cli_add(&hint, "%s", i > 0 ? " " : "");
    cli_add_named_option(&hint, r, name, side, i, "FILE");
  }
  if (n > MAX_NAMES_SHOWN)
    cli_add(&hint, " ...");
  irrun_status status =
      cli_fault(r->c->context, "IR801", NULL, cli_text(&hint), "'%s %s': the model has %lld %ss, say which one it is",
                name, path, (long long)n, side_noun(side));
  cli_reset(&hint);
  return status;
}
