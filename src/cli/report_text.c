#include "report_text.h"
#include "baseline.h"
#include "report_github.h"

#include <errno.h>
#include <string.h>

void cli_flush_results(cli *c) {
  if (fflush(c->results) != 0 && c->write_error == 0)
    c->write_error = errno;
}

static bool shows_notes(const cli *c) {
  if (c->options.mode == CLI_CHECK || c->options.mode == CLI_CONVERT)
    return !c->options.quiet;
  return c->options.verbose;
}

static bool is_shown(const cli *c, irrun_severity severity) {
  if (severity == IRRUN_ERROR)
    return c->options.max_errors == 0 || c->n_shown[IRRUN_ERROR] < c->options.max_errors;
  return !c->options.silent && (severity == IRRUN_WARNING || shows_notes(c));
}

bool cli_next_shown(cli *c, irrun_diagnostic *out_diagnostic, int64_t *out_index) {
  while (irrun_context_get_diagnostic(c->context, c->n_passed, out_diagnostic)) {
    const irrun_severity severity = out_diagnostic->severity;
    *out_index = c->n_passed++;
    if (out_diagnostic->number < c->n_seen)
      continue;
    if (c->baseline != NULL || c->options.format == CLI_SARIF)
      c->fingerprint = cli_next_fingerprint(&c->findings, out_diagnostic);
    c->known = cli_is_known(c, out_diagnostic, &c->fingerprint);
    if (c->known && c->json != NULL)
      return true;
    if (c->known) {
      c->n_known[severity]++;
      continue;
    }
    c->n_met[severity]++;
    if (is_shown(c, severity)) {
      c->n_shown[severity]++;
      return true;
    }
  }
  irrun_counts counts = irrun_context_count(c->context);
  cli_findings_reset(&c->findings);
  c->n_passed = 0;
  c->n_seen = counts.errors + counts.warnings + counts.notes;
  return false;
}

void cli_add_place(cli_string *string, const irrun_diagnostic *diagnostic) {
  if (diagnostic->file == NULL || *diagnostic->file == '\0')
    return;
  cli_add_name(string, diagnostic->file);
  if (diagnostic->line > 0)
    cli_add(string, ":%lld:%lld", (long long)diagnostic->line, (long long)diagnostic->column);
  else if (diagnostic->offset >= 0)
    cli_add(string, ":0x%llX", (unsigned long long)diagnostic->offset);
}

static void print_head(const cli *c, const irrun_diagnostic *diagnostic) {
  static const char *const words[] = {[IRRUN_NOTE] = "note", [IRRUN_WARNING] = "warning", [IRRUN_ERROR] = "error"};
  static const cli_style styles[] = {[IRRUN_NOTE] = CLI_CYAN, [IRRUN_WARNING] = CLI_MAGENTA, [IRRUN_ERROR] = CLI_RED};
  const char *plain = cli_paint(c->color_errors, CLI_PLAIN);
  cli_string place = {0};
  cli_add_place(&place, diagnostic);
  fprintf(stderr, "%s%s:%s %s%s:%s %s%s%s", cli_paint(c->color_errors, CLI_BOLD),
          place.length > 0 ? cli_text(&place) : "irrun", plain,
          cli_paint(c->color_errors, styles[diagnostic->severity]), words[diagnostic->severity], plain,
          cli_paint(c->color_errors, CLI_BOLD), diagnostic->message, plain);
  fprintf(stderr, " [%s %s]\n", diagnostic->rule, diagnostic->slug);
  cli_reset(&place);
}

/* Prints the excerpt of the line. Marks the diagnostic's characters below the excerpt: the first by a caret, the others
 * by tildes. */
static void print_excerpt(const cli *c, const irrun_diagnostic *diagnostic) {
  if (diagnostic->excerpt == NULL || diagnostic->line <= 0)
    return;
  const char *left_out = diagnostic->excerpt_skipped > 0 ? "..." : "", *at = diagnostic->excerpt;
  cli_string marks = {0};
  cli_add(&marks, "%*s", (int)strlen(left_out), "");
  for (int64_t column = diagnostic->excerpt_skipped + 1;
       column < diagnostic->end_column || column <= diagnostic->column; column++) {
    uint32_t character = cli_next_character(&at);
    int width = character == 0 ? 1 : cli_character_width(character);
    bool inside = column >= diagnostic->column;
    for (int i = 0; i < width; i++)
      cli_add(&marks, "%c", !inside ? ' ' : column == diagnostic->column && i == 0 ? '^' : '~');
    if (character == 0)
      break;
  }
  fprintf(stderr, "%5lld | %s%s\n      | %s%s%s\n", (long long)diagnostic->line, left_out, diagnostic->excerpt,
          cli_paint(c->color_errors, CLI_GREEN), cli_text(&marks), cli_paint(c->color_errors, CLI_PLAIN));
  cli_reset(&marks);
}

static void print_line(const cli *c, const char *word, const char *text, const irrun_diagnostic *where) {
  cli_string place = {0};
  if (where != NULL)
    cli_add_place(&place, where);
  fprintf(stderr, "%s%s:%s %s%s%s\n", cli_paint(c->color_errors, CLI_CYAN), word, cli_paint(c->color_errors, CLI_PLAIN),
          text, place.length > 0 ? ", " : "", cli_text(&place));
  cli_reset(&place);
}

/* Adds the closing quote and the known parts of " (id 1, AvgPool-1)". */
static void add_parts(cli_string *text, const irrun_diagnostic *diagnostic) {
  bool has_id = diagnostic->layer_id[0] != '\0', has_op = diagnostic->layer_op[0] != '\0';
  cli_add(text, "'");
  if (has_id || has_op)
    cli_add(text, " (%s%s%s%s)", has_id ? "id " : "", diagnostic->layer_id, has_id && has_op ? ", " : "",
            diagnostic->layer_op);
}

/* Prints the faulty layer and the notes. If the first note is about the same layer, both share a line. */
static void print_notes(cli *c, const irrun_diagnostic *diagnostic, int64_t index) {
  irrun_diagnostic note = {.size = sizeof note};
  cli_string text = {0};
  int64_t n_shared = 0;
  if (diagnostic->layer_name != NULL) {
    cli_add(&text, "layer '");
    cli_add_layer_name(&text, diagnostic->layer_inside, diagnostic->n_inside, "' > '", diagnostic->layer_name);
    add_parts(&text, diagnostic);
    n_shared = irrun_context_get_note(c->context, index, 0, &note) && note.layer_id != NULL &&
               strcmp(note.layer_id, diagnostic->layer_id) == 0 && strcmp(note.layer_name, diagnostic->layer_name) == 0;
    if (n_shared > 0)
      cli_add(&text, ", %s", note.message);
    print_line(c, "note", cli_text(&text), n_shared > 0 ? &note : NULL);
  }
  for (int64_t i = n_shared; irrun_context_get_note(c->context, index, i, &note); i++)
    print_line(c, "note", note.message, &note);
  if (diagnostic->n_more > 0) {
    cli_clear(&text);
    cli_add(&text, "the same in ");
    cli_add_count(&text, diagnostic->n_more, "more place");
    cli_add(&text, "; -v shows all");
    print_line(c, "note", cli_text(&text), NULL);
  }
  if (diagnostic->pointer != NULL) {
    cli_clear(&text);
    cli_add(&text, "JSON pointer %s", diagnostic->pointer);
    print_line(c, "note", cli_text(&text), NULL);
  }
  cli_reset(&text);
}

/* Remembers the worst rule of the shown diagnostics; the last line names the rule. A rule is worse if its severity is
 * higher, or if it is an error with a worse exit status. */
static void keep_worst(cli *c, const irrun_diagnostic *diagnostic) {
  irrun_rule rule = {.size = sizeof rule, .status = IRRUN_OK};
  irrun_rule_find(diagnostic->rule, &rule);
  const bool worse = diagnostic->severity > c->worst_severity ||
                     (diagnostic->severity == IRRUN_ERROR && rule.status != c->worst_status &&
                      irrun_status_worse(rule.status, c->worst_status) == rule.status);
  if (c->worst_rule[0] != '\0' && !worse)
    return;
  snprintf(c->worst_rule, sizeof c->worst_rule, "%s", diagnostic->rule);
  c->worst_severity = diagnostic->severity;
  c->worst_status = rule.status;
}

void cli_show_diagnostics(cli *c) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  int64_t index;
  cli_flush_results(c);
  while (cli_next_shown(c, &diagnostic, &index)) {
    keep_worst(c, &diagnostic);
    if (c->options.format == CLI_GITHUB && cli_annotate(c, &diagnostic, index))
      continue;
    cli_flush_results(c);
    print_head(c, &diagnostic);
    print_excerpt(c, &diagnostic);
    print_notes(c, &diagnostic, index);
    if (diagnostic.hint != NULL)
      print_line(c, "hint", diagnostic.hint, NULL);
  }
  fflush(stderr);
}

/* Prints "3 more errors not shown; --max-errors=0 shows all". If the context dropped some errors, prints how many
 * --max-errors=0 can show. */
static void print_left_out(const cli *c, irrun_severity severity, int64_t n_raised, const char *what) {
  const int64_t n_left_out = n_raised - c->n_shown[severity], n_kept = c->n_met[severity] - c->n_shown[severity];
  cli_string text = {0};
  if (n_left_out <= 0)
    return;
  cli_add_count(&text, n_left_out, what);
  cli_add(&text, " not shown");
  if (n_kept == n_left_out)
    cli_add(&text, "; --max-errors=0 shows all");
  else if (n_kept > 0)
    cli_add(&text, "; --max-errors=0 shows %lld of them, no more are kept", (long long)n_kept);
  else
    cli_add(&text, ": no more are kept");
  fprintf(stderr, "%s\n", cli_text(&text));
  cli_reset(&text);
}

void cli_show_totals(cli *c) {
  irrun_counts counts = irrun_context_count(c->context);
  cli_string text = {0};
  counts.errors -= c->n_known[IRRUN_ERROR];
  counts.warnings -= c->n_known[IRRUN_WARNING];
  counts.notes -= c->n_known[IRRUN_NOTE];
  if (c->options.format == CLI_GITHUB)
    cli_annotate_rest(c, counts);
  cli_flush_results(c);
  if (c->options.silent) {
    print_left_out(c, IRRUN_ERROR, counts.errors, "more error");
    return;
  }
  cli_show_gone(c);
  const int64_t n_known = c->n_known[IRRUN_ERROR] + c->n_known[IRRUN_WARNING] + c->n_known[IRRUN_NOTE];
  if (n_known > 0) {
    cli_add_count(&text, n_known, "known finding");
    fprintf(stderr, "%s not shown\n", cli_text(&text));
    cli_clear(&text);
  }
  print_left_out(c, IRRUN_ERROR, counts.errors, "more error");
  print_left_out(c, IRRUN_WARNING, counts.warnings, "more warning");
  if (shows_notes(c))
    print_left_out(c, IRRUN_NOTE, counts.notes, "more note");
  if (counts.errors > 0)
    cli_add_count(&text, counts.errors, "error");
  if (counts.errors > 0 && counts.warnings > 0)
    cli_add(&text, ", ");
  if (counts.warnings > 0)
    cli_add_count(&text, counts.warnings, "warning");
  if (counts.errors > 0 && strcmp(c->worst_rule, "IR801") == 0)
    fprintf(stderr, "Try 'irrun --help'.\n");
  else if (text.length > 0 && c->worst_rule[0] == '\0')
    fprintf(stderr, "%s.\n", cli_text(&text)); /* no diagnostic was shown, so no rule can be named */
  else if (text.length > 0 && !(counts.errors == 1 && counts.warnings == 0 && strncmp(c->worst_rule, "IR7", 3) == 0))
    fprintf(stderr, "%s. 'irrun --explain=%s' tells more.\n", cli_text(&text), c->worst_rule);
  cli_reset(&text);
}
