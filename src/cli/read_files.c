/* The files that a command reads, which no output may replace. */
#include "cli.h"

#include <string.h>
#include <unistd.h>

static bool is_at(const char *path, const char *place) {
  char other[IRRUN_PLACE_TEXT];
  return path != NULL && strcmp(path, "-") != 0 && strcmp(irrun_output_place(path, other, sizeof other), place) == 0;
}

void cli_add_weights_beside(cli_string *path, const char *model) {
  const char *slash = strrchr(model, '/'), *dot = strrchr(model, '.');
  const bool has_suffix = dot != NULL && (slash == NULL || dot > slash);
  cli_add(path, "%.*s.bin", (int)(has_suffix ? (size_t)(dot - model) : strlen(model)), model);
}

/* Adds the model's path, or that of its constants, if one of them is at the place. */
static bool find_in_model(const char *model, const char *weights, const char *place, cli_string *found) {
  cli_string beside = {0};
  cli_add_weights_beside(&beside, model);
  if (weights == NULL && access(cli_text(&beside), F_OK) == 0)
    weights = cli_text(&beside);
  const char *path = is_at(model, place) ? model : is_at(weights, place) ? weights : NULL;
  if (path != NULL)
    cli_add(found, "'%s', a file of the model", path);
  cli_reset(&beside);
  return path != NULL;
}

/* Adds the file in the argument of an option, [NAME=]FILE, if it is at the place. NAME can contain '='. */
static bool find_in_argument(const cli_given *given, const char *place, cli_string *found) {
  const bool is_compared = given->option == CLI_OPTION_EXPECT;
  char name[40];
  for (const char *at = given->value; at != NULL; at = strchr(at, '=') != NULL ? strchr(at, '=') + 1 : NULL) {
    const char *path = at + (*at == '@' && at[1] != '\0');
    if (*path == '\0' || !is_at(path, place))
      continue;
    cli_add(found, "what '%s %s' %s", cli_option_name(given->option, name, sizeof name), path,
            is_compared ? "compares with" : "reads");
    return true;
  }
  return false;
}

/* Whether the option of step `step` does not read what `written` writes: a state or a baseline takes the place of the
 * old one, and a later step can read what an earlier step wrote. */
static bool is_free(const cli_given *given, int step, cli_option written, int written_step) {
  return (given->option == CLI_OPTION_INPUT && step > written_step) ||
         (given->option == CLI_OPTION_LOAD_STATE && written == CLI_OPTION_SAVE_STATE) ||
         (given->option == CLI_OPTION_BASELINE && written == CLI_OPTION_WRITE_BASELINE);
}

static bool find_read_file(const cli *c, cli_option written, int written_step, const char *place, cli_string *found) {
  const cli_options *options = c->all != NULL ? c->all : &c->options;
  const char *weights = cli_options_next(options, CLI_OPTION_WEIGHTS, &(int){0});
  int step = 0;
  bool is_found = false;
  for (int i = 0; i < options->n_given && !is_found; i++) {
    const cli_given *given = &options->given[i];
    step += given->option == CLI_OPTION_STEP;
    switch (given->option) {
    case CLI_OPTION_DIFF:
    case CLI_OPTION_AGAINST:
      is_found = find_in_model(given->value, NULL, place, found);
      break;
    case CLI_OPTION_INPUT:
    case CLI_OPTION_EXPECT:
    case CLI_OPTION_LOAD_STATE:
    case CLI_OPTION_BASELINE:
      is_found = !is_free(given, step, written, written_step) && find_in_argument(given, place, found);
      break;
    default:
      break;
    }
  }
  for (int i = 0; i < options->n_models && !is_found; i++)
    is_found = find_in_model(options->models[i], weights, place, found);
  for (int i = 0; i < options->n_found && !is_found; i++)
    is_found = find_in_model(options->found[i], NULL, place, found);
  return is_found;
}

irrun_status cli_check_kept(cli *c, cli_option option, int step, const char *path) {
  char place[IRRUN_PLACE_TEXT], name[40];
  cli_string found = {0};
  irrun_status status = IRRUN_OK;
  irrun_output_place(path, place, sizeof place);
  if (find_read_file(c, option, step, place, &found))
    status = cli_fault(c->context, "IR801", NULL, "write to another file", "'%s%s%s' would overwrite %s",
                       cli_option_name(option, name, sizeof name), cli_option_rows[option].optional ? "=" : " ", path,
                       cli_text(&found));
  cli_reset(&found);
  return status;
}
