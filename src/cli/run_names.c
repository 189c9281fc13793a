/* Finds the input or output NAME in arguments such as NAME=FILE, and records which option reads stdin. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_NAMES_SHOWN 8
#define NAME_BYTES      120 /* bytes of a name with the NUL; a longer name is replaced by its number */

const char *cli_side_noun(irrun_side side) {
  return side == IRRUN_INPUTS ? "input" : "output";
}

void cli_add_named_option(cli_string *string, const cli_run *r, const char *option, irrun_side side, int64_t index,
                          const char *argument) {
  const char *key = irrun_model_get_key(r->model, side, index);
  char printable[NAME_BYTES], number[24];
  snprintf(number, sizeof number, "%lld", (long long)index);
  bool can_be_typed = key != NULL && strcmp(irrun_printable(key, printable, sizeof printable), key) == 0;
  cli_add_option(string, option, can_be_typed ? key : number, argument);
}

irrun_status cli_match_option(cli_run *r, irrun_side side, cli_option option, const char *text, bool may_be_file,
                              int64_t *out_index, const char **out_rest) {
  char name[40];
  cli_option_name(option, name, sizeof name);
  irrun_status status = irrun_model_match_name(r->model, side, text, out_index, out_rest);
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
  status = irrun_model_find_name(r->model, side, cli_text(&before), NULL, out_index);
  cli_reset(&before);
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
  while (r->before != NULL)
    r = r->before;
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
    return cli_fault(r->c->context, "IR801", NULL, NULL, "'%s %s': the model has no %s", name, path,
                     cli_side_noun(side));
  cli_string hint = {0};
  for (int64_t i = 0; i < n && i < MAX_NAMES_SHOWN; i++) {
    cli_add(&hint, "%s", i > 0 ? " " : "");
    cli_add_named_option(&hint, r, name, side, i, "FILE");
  }
  if (n > MAX_NAMES_SHOWN)
    cli_add(&hint, " ...");
  irrun_status status =
      cli_fault(r->c->context, "IR801", NULL, cli_text(&hint), "'%s %s': the model has %lld %ss, say which one it is",
                name, path, (long long)n, cli_side_noun(side));
  cli_reset(&hint);
  return status;
}
