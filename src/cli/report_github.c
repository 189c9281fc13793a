#include "report_github.h"

#include <string.h>

/* GitHub shows at most this many annotations of each severity for a step */
#define MOST 10

/* Adds a text with '%', line ends and the characters in `others` escaped as %XX. */
static void add_escaped(cli_string *string, const char *text, const char *others) {
  for (; *text != '\0'; text++)
    cli_add(string, strchr("%\r\n", *text) != NULL || strchr(others, *text) != NULL ? "%%%02X" : "%c",
            (unsigned char)*text);
}

static void add_property(cli_string *string, const char *text) {
  add_escaped(string, text, ":,");
}

bool cli_annotate(cli *c, const irrun_diagnostic *diagnostic, int64_t index) {
  static const char *const words[] = {[IRRUN_NOTE] = "notice", [IRRUN_WARNING] = "warning", [IRRUN_ERROR] = "error"};
  const irrun_severity severity = diagnostic->severity;
  /* keep one notice for cli_annotate_rest */
  if (c->n_annotated[severity] == (severity == IRRUN_NOTE ? MOST - 1 : MOST))
    return false;
  c->n_annotated[severity]++;
  const char *key = NULL;
  cli_string line = {0}, text = {0};
  cli_add(&line, "::%s ", words[severity]);
  if (diagnostic->file != NULL && *diagnostic->file != '\0') {
    cli_string file = {0}, printable = {0};
    key = cli_add_file(&file, diagnostic->file);
    cli_add(&line, "file=");
    cli_add_printable(&printable, cli_text(&file));
    add_property(&line, cli_text(&printable));
    cli_reset(&printable);
    cli_reset(&file);
    if (diagnostic->line > 0)
      cli_add(&line, ",line=%lld,col=%lld", (long long)diagnostic->line, (long long)diagnostic->column);
    cli_add(&line, ",");
  }
  cli_add(&line, "title=%s %s::", diagnostic->rule, diagnostic->slug);
  cli_add_whole_text(&text, c->context, diagnostic, index);
  if (key != NULL)
    cli_add(&text, "\nkey '%s'", key);
  if (diagnostic->line <= 0 && diagnostic->offset >= 0)
    cli_add(&text, "\nat byte 0x%llX", (unsigned long long)diagnostic->offset);
  add_escaped(&line, cli_text(&text), "");
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&text);
  cli_reset(&line);
  return true;
}

void cli_annotate_rest(cli *c, irrun_counts counts) {
  const int64_t n_raised[] = {
      [IRRUN_NOTE] = c->n_shown[IRRUN_NOTE], [IRRUN_WARNING] = counts.warnings, [IRRUN_ERROR] = counts.errors};
  static const char *const nouns[] = {
      [IRRUN_NOTE] = "more note", [IRRUN_WARNING] = "more warning", [IRRUN_ERROR] = "more error"};
  cli_string text = {0};
  for (int severity = IRRUN_ERROR; severity >= IRRUN_NOTE; severity--) {
    if (n_raised[severity] == c->n_annotated[severity])
      continue;
    cli_add(&text, text.length > 0 ? ", " : "");
    cli_add_count(&text, n_raised[severity] - c->n_annotated[severity], nouns[severity]);
  }
  if (text.length > 0)
    fprintf(c->results, "::notice title=irrun::%s: GitHub shows %d of a kind a step, the log has all\n",
            cli_text(&text), MOST);
  cli_reset(&text);
}
