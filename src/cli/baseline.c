#include "baseline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_BYTES (256 << 20)
#define HEAD       "# known to irrun: model, rule, layer, fingerprint\n"

struct cli_baseline {
  char *text; /* text of --baseline's file; `known` points into it */
  cli_known *known;
  int64_t n_known;
  const char *written; /* file of --write-baseline, or NULL */
  cli_string *lines;   /* lines of the file to write */
  size_t n_lines, capacity;
  char **models; /* the models of the command line as the file has them, sorted; made on first use */
};

static const char *path_of(const cli *c, cli_option option) {
  int at = 0;
  return cli_options_next(&c->options, option, &at);
}

/* Reads the file up to its first zero byte, and at most MOST_BYTES. */
static irrun_status read_text(cli *c, const char *path, char **out_text) {
  FILE *file = fopen(path, "rb");
  char piece[4096];
  size_t n;
  bool is_text = true;
  cli_string text = {0};
  while (file != NULL && is_text && (n = fread(piece, 1, sizeof piece, file)) > 0) {
    is_text = memchr(piece, '\0', n) == NULL && text.length < MOST_BYTES;
    cli_add(&text, "%.*s", (int)n, piece);
  }
  const int error = file == NULL || ferror(file) != 0 ? errno : 0;
  if (file != NULL)
    fclose(file);
  *out_text = text.text != NULL ? text.text : cli_allocate(1, 1);
  if (!is_text)
    return cli_fault(c->context, "IR801", path, "--write-baseline writes it anew",
                     "the baseline is no text: it has a zero byte, or more than %d MiB", MOST_BYTES >> 20);
  return error == 0 ? IRRUN_OK
                    : cli_fault(c->context, "IR701", path, "--write-baseline makes one", "cannot read the baseline: %s",
                                strerror(error));
}

/* Whether the text is as --write-baseline writes it, without control characters, which would reach a terminal. */
static bool is_printable(const char *text) {
  cli_string printable = {0};
  cli_add_printable(&printable, text);
  const bool is_same = strcmp(cli_text(&printable), text) == 0;
  cli_reset(&printable);
  return is_same;
}

static bool read_line(char *line, cli_known *out_known) {
  const char **fields[] = {&out_known->model, &out_known->rule, &out_known->layer, &out_known->fingerprint};
  for (int i = 0; i < 4; i++)
    if ((*fields[i] = strsep(&line, "\t")) == NULL || !is_printable(*fields[i]))
      return false;
  return line == NULL && *out_known->fingerprint != '\0';
}

/* Reports IR801 if the file exists and is no baseline: a mistyped option could destroy a model. */
static irrun_status check_target(cli *c, const char *path) {
  char head[sizeof HEAD] = "";
  FILE *file = fopen(path, "rb");
  const size_t n = file != NULL ? fread(head, 1, sizeof head - 1, file) : 0;
  if (file != NULL)
    fclose(file);
  if (n == 0 || strcmp(head, HEAD) == 0) {
    const irrun_status status = cli_check_kept(c, CLI_OPTION_WRITE_BASELINE, 0, path);
    return status == IRRUN_OK ? irrun_output_check(c->context, path) : status;
  }
  return cli_fault(c->context, "IR801", NULL, "give a new name", "'--write-baseline %s': the file is no baseline",
                   path);
}

static int compare_known(const void *a, const void *b) {
  const cli_known *one = a, *other = b;
  const int by_model = strcmp(one->model, other->model);
  return by_model != 0 ? by_model : strcmp(one->fingerprint, other->fingerprint);
}

/* Sorts the findings and drops duplicates. Merging two versions of the file can leave duplicates. */
static void sort_known(cli_baseline *b) {
  int64_t n = 0;
  if (b->n_known > 0)
    qsort(b->known, (size_t)b->n_known, sizeof *b->known, compare_known);
  for (int64_t i = 0; i < b->n_known; i++)
    if (n == 0 || compare_known(&b->known[n - 1], &b->known[i]) != 0)
      b->known[n++] = b->known[i];
  b->n_known = n;
}

static irrun_status read_baseline(cli *c, cli_baseline *b, const char *path) {
  const irrun_status status = read_text(c, path, &b->text);
  if (status != IRRUN_OK)
    return status;
  size_t n_lines = 1;
  for (const char *at = b->text; (at = strchr(at, '\n')) != NULL; at++)
    n_lines++;
  b->known = cli_allocate(n_lines, sizeof *b->known);
  char *rest = b->text, *line;
  for (int number = 1; (line = strsep(&rest, "\n")) != NULL; number++) {
    const size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\r') /* Git can write Windows line ends */
      line[length - 1] = '\0';
    if (*line == '\0' || *line == '#')
      continue;
    else if (!read_line(line, &b->known[b->n_known++]))
      return cli_fault(
          c->context, "IR801", path, "--write-baseline writes it anew",
          "line %d of the baseline is none: needs 4 fields with tabs between them, without control characters", number);
  }
  sort_known(b);
  return IRRUN_OK;
}

irrun_status cli_baseline_open(cli *c) {
  const char *path = path_of(c, CLI_OPTION_BASELINE), *written = path_of(c, CLI_OPTION_WRITE_BASELINE);
  if (path == NULL && written == NULL)
    return IRRUN_OK;
  cli_baseline *b = cli_allocate(1, sizeof *b);
  b->written = written;
  irrun_status status = written != NULL ? check_target(c, written) : IRRUN_OK;
  if (status == IRRUN_OK && path != NULL)
    status = read_baseline(c, b, path);
  if (status == IRRUN_OK)
    c->baseline = b;
  else
    cli_baseline_free(b);
  return status;
}

void cli_baseline_free(cli_baseline *b) {
  if (b == NULL)
    return;
  for (size_t i = 0; i < b->n_lines; i++)
    cli_reset(&b->lines[i]);
  for (int i = 0; b->models != NULL && b->models[i] != NULL; i++)
    free(b->models[i]);
  free(b->models);
  free(b->lines);
  free(b->known);
  free(b->text);
  free(b);
}

/* Whether a baseline can contain the diagnostic: its rule is about the contents of a model, not about an unreadable
 * file or the command line. */
static bool may_be_known(const cli *c, const irrun_diagnostic *diagnostic) {
  irrun_rule rule = {.size = sizeof rule};
  return diagnostic->model >= 0 && diagnostic->model < c->options.n_models &&
         irrun_rule_find(diagnostic->rule, &rule) && (rule.status == IRRUN_INVALID || rule.status == IRRUN_UNSUPPORTED);
}

/* Adds the model's path as written in the baseline: with control characters escaped, and with "./" only before '#',
 * which would begin a comment. */
static void add_model(cli_string *string, const char *path) {
  const char *plain = cli_plain_path(path);
  cli_add(string, "%s", *plain == '#' ? "./" : "");
  cli_add_printable(string, plain);
}

bool cli_is_known(cli *c, const irrun_diagnostic *diagnostic, const cli_fingerprint *fingerprint) {
  cli_baseline *b = c->baseline;
  if (b == NULL || !may_be_known(c, diagnostic))
    return false;
  cli_string model = {0};
  add_model(&model, c->options.models[diagnostic->model]);
  const cli_known key = {.model = cli_text(&model), .fingerprint = fingerprint->text};
  cli_known *known =
      b->n_known > 0 ? bsearch(&key, b->known, (size_t)b->n_known, sizeof *b->known, compare_known) : NULL;
  if (known != NULL)
    known->met = true;
  cli_reset(&model);
  return known != NULL || b->written != NULL;
}

static void keep(cli *c, const irrun_diagnostic *diagnostic, const cli_fingerprint *fingerprint) {
  cli_baseline *b = c->baseline;
  b->lines = cli_with_room(b->lines, b->n_lines, &b->capacity, sizeof *b->lines);
  cli_string *line = &b->lines[b->n_lines++];
  add_model(line, c->options.models[diagnostic->model]);
  cli_add(line, "\t%s\t", diagnostic->rule);
  cli_add_layer(line, diagnostic);
  cli_add(line, "\t%s\n", fingerprint->text);
}

irrun_status cli_judge(cli *c, irrun_status status, int64_t model) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  cli_findings findings = {0};
  irrun_status worst = IRRUN_OK;
  int64_t n_errors = 0;
  memset(c->n_known_here, 0, sizeof c->n_known_here);
  if (c->baseline == NULL)
    return status;
  for (int64_t i = 0; irrun_context_get_diagnostic(c->context, i, &diagnostic); i++) {
    const bool error = diagnostic.severity == IRRUN_ERROR;
    irrun_rule rule = {.size = sizeof rule};
    n_errors += error;
    if (model != CLI_ALL_MODELS && diagnostic.model != model)
      continue;
    const cli_fingerprint fingerprint = cli_next_fingerprint(&findings, &diagnostic);
    if (cli_is_known(c, &diagnostic, &fingerprint))
      c->n_known_here[diagnostic.severity]++;
    else if (error && irrun_rule_find(diagnostic.rule, &rule))
      worst = irrun_status_worse(worst, rule.status);
    if (model != CLI_ALL_MODELS && c->baseline->written != NULL && may_be_known(c, &diagnostic))
      keep(c, &diagnostic, &fingerprint);
  }
  cli_findings_reset(&findings);
  /* if the context dropped errors, a dropped error can be new: keep `status` */
  return c->n_known_here[IRRUN_ERROR] > 0 && n_errors == irrun_context_count(c->context).errors ? worst : status;
}

static int compare_lines(const void *a, const void *b) {
  return strcmp(cli_text(a), cli_text(b));
}

irrun_status cli_baseline_write(cli *c) {
  cli_baseline *b = c->baseline;
  cli_string text = {0};
  if (b == NULL || b->written == NULL)
    return IRRUN_OK;
  if (b->n_lines > 0)
    qsort(b->lines, b->n_lines, sizeof *b->lines, compare_lines);
  cli_add(&text, "%s", HEAD);
  int64_t n_written = 0;
  for (size_t i = 0; i < b->n_lines; i++) {
    if (i > 0 && compare_lines(&b->lines[i - 1], &b->lines[i]) == 0)
      continue; /* the model was named twice */
    cli_add(&text, "%s", cli_text(&b->lines[i]));
    n_written++;
  }
  irrun_status status = irrun_text_write(c->context, cli_text(&text), b->written);
  if (status == IRRUN_OK && c->json == NULL)
    cli_print_saved(c, b->written, n_written, "finding");
  cli_reset(&text);
  return status;
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool was_checked(const cli *c, const char *model) {
  const size_t n = (size_t)c->options.n_models;
  if (c->baseline->models == NULL) {
    char **models = c->baseline->models = cli_allocate(n + 1, sizeof *models);
    for (size_t i = 0; i < n; i++) {
      cli_string path = {0};
      add_model(&path, c->options.models[i]);
      models[i] = path.text;
    }
    qsort(models, n, sizeof *models, compare_texts);
  }
  return bsearch(&model, c->baseline->models, n, sizeof model, compare_texts) != NULL;
}

/* A check that could not read or keep everything does not show that a finding is gone. */
const cli_known *cli_next_gone(const cli *c, int64_t *at) {
  if (irrun_context_worst(c->context) == IRRUN_IO)
    return NULL;
  while (c->baseline != NULL && *at < c->baseline->n_known) {
    const cli_known *known = &c->baseline->known[(*at)++];
    if (!known->met && (was_checked(c, known->model) || access(known->model, F_OK) != 0))
      return known;
  }
  return NULL;
}

void cli_show_gone(cli *c) {
  const cli_known *known;
  int64_t n_gone = 0;
  for (int64_t at = 0; (known = cli_next_gone(c, &at)) != NULL; n_gone++) {
    cli_string model = {0};
    cli_add_name(&model, known->model);
    fprintf(stderr, "%s: gone: %s%s%s%s\n", cli_text(&model), known->rule, *known->layer != '\0' ? " in layer '" : "",
            known->layer, *known->layer != '\0' ? "'" : "");
    cli_reset(&model);
  }
  if (n_gone > 0 && c->baseline->written == NULL)
    fprintf(stderr, "hint: --write-baseline FILE writes the baseline without what is gone\n");
}
