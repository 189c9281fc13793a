#include "read_files.h"

#include <string.h>
#include <unistd.h>

void cli_add_weights_beside(cli_string *path, const char *model) {
  const char *slash = strrchr(model, '/'), *dot = strrchr(model, '.');
  const bool has_suffix = dot != NULL && (slash == NULL || dot > slash);
  cli_add(path, "%.*s.bin", (int)(has_suffix ? (size_t)(dot - model) : strlen(model)), model);
}

const char *cli_next_file(const char *text) {
  const char *equals = strchr(text, '=');
  return equals != NULL ? equals + 1 : NULL;
}

/* ---- the list ---- */

static bool visit_model(const char *model, const char *weights, cli_read_visit *visit, void *user) {
  cli_string beside = {0};
  cli_add_weights_beside(&beside, model);
  if (weights == NULL && access(cli_text(&beside), F_OK) == 0)
    weights = cli_text(&beside);
  const bool ends = visit(&(cli_read_file){.path = model}, user) ||
                    (weights != NULL && visit(&(cli_read_file){.path = weights}, user));
  cli_reset(&beside);
  return ends;
}

/* Visits the file in an argument [NAME=]FILE; --input can have @FILE. */
static bool visit_argument(const cli_given *given, int step, cli_read_visit *visit, void *user) {
  for (const char *at = given->value; at != NULL; at = cli_next_file(at)) {
    const char *path = at + (*at == '@' && at[1] != '\0');
    if (*path != '\0' && visit(&(cli_read_file){path, given, step}, user))
      return true;
  }
  return false;
}

/* Visits the files of --edit 'NAME: read=FILE'. Quotes keep blanks in the name of a file. */
static bool visit_edit(const cli_given *given, cli_read_visit *visit, void *user) {
  static const char word[] = "read=";
  bool ends = false, quoted = false;
  for (const char *at = given->value; *at != '\0' && !ends; at++) {
    quoted = quoted != (*at == '"');
    if (strncmp(at, word, strlen(word)) != 0)
      continue;
    cli_string path = {0};
    for (at += strlen(word); *at != '\0' && (quoted || (*at != ' ' && *at != '\t')); at++)
      if (*at == '"')
        quoted = !quoted;
      else
        cli_add(&path, "%c", *at);
    ends = path.length > 0 && visit(&(cli_read_file){cli_text(&path), given, 0}, user);
    cli_reset(&path);
    at--;
  }
  return ends;
}

bool cli_visit_read_files(const cli *c, cli_read_visit *visit, void *user) {
  const cli_options *options = c->all != NULL ? c->all : &c->options;
  const char *weights = cli_options_next(options, CLI_OPTION_WEIGHTS, &(int){0});
  int step = 0;
  bool ends = false;
  for (int i = 0; i < options->n_given && !ends; i++) {
    const cli_given *given = &options->given[i];
    const cli_use use = cli_option_rows[given->option].use;
    step += given->option == CLI_OPTION_STEP;
    if (use == CLI_MODEL)
      ends = visit_model(given->value, NULL, visit, user);
    else if (use == CLI_READS)
      ends = visit_argument(given, step, visit, user);
    else if (given->option == CLI_OPTION_EDIT)
      ends = visit_edit(given, visit, user);
  }
  for (int i = 0; i < options->n_models && !ends; i++)
    ends = visit_model(options->models[i], weights, visit, user);
  for (int i = 0; i < options->n_found && options->operands == NULL && !ends; i++)
    ends = visit_model(options->found[i], NULL, visit, user);
  return ends;
}

/* ---- files that no output may replace ---- */

/* An output, and what would be lost. */
typedef struct output {
  cli_option option;
  int step;
  const char *place;
  bool replaces_model; /* the library checks whether the model may be replaced */
  cli_string lost;
} output;

/* Whether the output may replace the file: a state or a baseline takes the place of the old one, and a later step can
 * read what an earlier step wrote. */
static bool is_free(const cli_read_file *file, const output *out) {
  if (file->given == NULL)
    return out->replaces_model;
  const cli_option option = file->given->option;
  return (option == CLI_OPTION_INPUT && file->step > out->step) ||
         (option == CLI_OPTION_LOAD_STATE && out->option == CLI_OPTION_SAVE_STATE) ||
         (option == CLI_OPTION_BASELINE && out->option == CLI_OPTION_WRITE_BASELINE);
}

static bool find_lost(const cli_read_file *file, void *user) {
  output *out = user;
  char other[IRRUN_PLACE_TEXT], name[40];
  if (is_free(file, out) || strcmp(file->path, "-") == 0 ||
      strcmp(irrun_output_place(file->path, other, sizeof other), out->place) != 0)
    return false;
  if (file->given == NULL)
    cli_add(&out->lost, "'%s', a file of the model", file->path);
  else
    cli_add(&out->lost, "what '%s %s' %s", cli_option_name(file->given->option, name, sizeof name), file->path,
            file->given->option == CLI_OPTION_EXPECT ? "compares with" : "reads");
  return true;
}

irrun_status cli_check_kept(cli *c, cli_option option, int step, const char *path) {
  char place[IRRUN_PLACE_TEXT], name[40];
  const bool replaces_model = (c->options.mode & (CLI_CONVERT | CLI_EDIT)) != 0;
  output out = {.option = option, .step = step, .place = place, .replaces_model = replaces_model};
  irrun_status status = IRRUN_OK;
  irrun_output_place(path, place, sizeof place);
  if (cli_visit_read_files(c, find_lost, &out))
    status = cli_fault(c->context, "IR801", NULL, "write to another file", "'%s%s%s' would overwrite %s",
                       cli_option_name(option, name, sizeof name), cli_option_rows[option].optional ? "=" : " ", path,
                       cli_text(&out.lost));
  cli_reset(&out.lost);
  return status;
}

irrun_status cli_check_kept_model(cli *c, cli_option option, const char *path) {
  cli_string constants = {0};
  cli_add_weights_beside(&constants, path);
  irrun_status status = cli_check_kept(c, option, 0, path);
  if (status == IRRUN_OK)
    status = cli_check_kept(c, option, 0, cli_text(&constants));
  cli_reset(&constants);
  return status;
}

/* Returns the file that the option writes; NULL if it writes none, or to a stream. */
static const char *written_by(const cli_given *given) {
  const char *path = cli_written_value(given);
  return path != NULL && irrun_output_descriptor(path) < 0 ? path : NULL;
}

irrun_status cli_check_apart(cli *c) {
  const cli_options *options = &c->options;
  irrun_status worst = IRRUN_OK;
  char place[IRRUN_PLACE_TEXT], other[IRRUN_PLACE_TEXT], name[40], other_name[40];
  for (int i = 1; i < options->n_given && (options->mode & (CLI_RUN | CLI_GREEDY)) == 0; i++) {
    const char *path = written_by(&options->given[i]);
    if (path == NULL)
      continue;
    irrun_output_place(path, place, sizeof place);
    for (int k = 0; k < i; k++) {
      const char *other_path = written_by(&options->given[k]);
      if (other_path != NULL && strcmp(irrun_output_place(other_path, other, sizeof other), place) == 0)
        worst = cli_fault(c->context, "IR801", NULL, "write to two files", "'%s %s' and '%s %s' lead to one place",
                          cli_option_name(options->given[k].option, other_name, sizeof other_name), other_path,
                          cli_option_name(options->given[i].option, name, sizeof name), path);
    }
  }
  return worst;
}
