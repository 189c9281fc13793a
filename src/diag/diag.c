#include "diag/diag.h"
#include "base/layer.h"
#include "base/limits.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  EXCERPT_BYTES = 160,
  CONTEXT_LINES = 2, /* lines that are kept before a fault, and after it */
  MAX_VARIANTS = 64  /* most ir_said entries of one rule; a diagnostic without an entry is reported for each layer */
};

/* max_bytes is the limit of the arena. In a full list, a warning can replace a note, then an error the warning: at most
 * 3 diagnostics for each of IR_MAX_DIAGNOSTICS places. Each diagnostic has at most 16 texts. */
static const size_t max_bytes = (size_t)IR_MAX_DIAGNOSTICS * 3 * 16 * IR_MAX_MESSAGE;

void ir_diags_init(ir_diags *diags, const ir_memory *memory) {
  *diags = (ir_diags){.memory = memory};
  ir_arena_init(&diags->arena, memory, max_bytes);
}

void ir_diags_reset(ir_diags *diags) {
  ir_arena_reset(&diags->arena);
  ir_diags_init(diags, diags->memory);
}

void ir_diags_next_group(ir_diags *diags) {
  ir_diags_sort(diags);
  diags->settled = diags->last;
  diags->group++;
  diags->n_errors_in_group = diags->n_warnings_in_group = 0;
  diags->open = NULL;
  memset(diags->said, 0, sizeof diags->said);
  memset(diags->n_said, 0, sizeof diags->n_said);
}

/* ---- contents of a diagnostic ---- */

/* Copies an escaped text to the arena. If memory is out, sets `*ok` to false. */
static char *keep_text(ir_diags *diags, const char *text, bool *ok) {
  char buffer[IR_MAX_MESSAGE];
  ir_printable(text, buffer, sizeof buffer);
  char *copy = ir_arena_text(&diags->arena, buffer, strlen(buffer));
  *ok = *ok && copy != NULL;
  return copy;
}

/* Replaces every %s in the format by %.4096s (IR_MAX_MESSAGE), because a name in a file can have megabytes, and printf
 * would read every byte. */
static const char *bound_texts(const char *format, char *buffer, size_t size) {
  size_t used = 0;
  while (*format != '\0' && used + 16 < size) {
    if (format[0] == '%' && format[1] == 's') {
      used += (size_t)snprintf(buffer + used, size - used, "%%.%ds", IR_MAX_MESSAGE);
      format += 2;
      continue;
    }
    if (format[0] == '%' && format[1] == '%')
      buffer[used++] = *format++;
    buffer[used++] = *format++;
  }
  buffer[used] = '\0';
  return buffer;
}

static char *keep_format(ir_diags *diags, const char *format, va_list args, bool *ok) {
  /* `text` has room for one more UTF-8 character than the kept message. If vsnprintf cuts a character, keep_text
   * removes the rest of that character. */
  char text[IR_MAX_MESSAGE + 8], bounded[1024];
  if (vsnprintf(text, sizeof text, bound_texts(format, bounded, sizeof bounded), args) < 0)
    return keep_text(diags, format, ok);
  return keep_text(diags, text, ok);
}

/* Copies the file's name. Most diagnostics are about the same file as the previous one; if so, returns the previous
 * copy. */
static char *keep_file(ir_diags *diags, const char *name, bool *ok) {
  char *copy = keep_text(diags, name, ok);
  return copy != NULL && diags->last != NULL && strcmp(copy, diags->last->file) == 0 ? diags->last->file : copy;
}

static void set_excerpt(ir_diags *diags, ir_diag *diag, ir_source *source, int64_t offset, bool *ok) {
  char line[EXCERPT_BYTES + 1], printable[3 * EXCERPT_BYTES + 1];
  if (!ir_source_line(source, offset, line, sizeof line, &diag->excerpt_skipped))
    return;
  ir_printable_line(line, printable, sizeof printable);
  diag->excerpt = ir_arena_text(&diags->arena, printable, strlen(printable));
  *ok = *ok && diag->excerpt != NULL;
}

/* Keeps the lines from number `first` to `last`, counted from the line of the fault. Returns NULL if there are none. */
static char *keep_lines(ir_diags *diags, ir_source *source, int64_t offset, int first, int last, bool *ok) {
  char line[EXCERPT_BYTES + 1], text[CONTEXT_LINES * (3 * EXCERPT_BYTES + 2)];
  size_t used = 0;
  for (int step = first; step <= last; step++) {
    int64_t skipped;
    const int64_t at = ir_source_next_line(source, offset, step);
    if (at < 0 || !ir_source_line(source, at, line, sizeof line, &skipped))
      continue;
    ir_printable_line(line, text + used, 3 * EXCERPT_BYTES + 1);
    used += strlen(text + used);
    text[used++] = '\n';
  }
  char *copy = used > 0 ? ir_arena_text(&diags->arena, text, used) : NULL;
  *ok = *ok && (used == 0 || copy != NULL);
  return copy;
}

static void set_place(ir_diag *diag, ir_source *source, ir_span at) {
  ir_place place;
  if (at.end < at.begin)
    return;
  if (source->kind == IR_SOURCE_BYTES)
    diag->offset = at.begin;
  if (source->kind != IR_SOURCE_TEXT || !ir_source_place(source, at, &place))
    return;
  diag->line = place.line;
  diag->column = place.column;
  diag->end_column = place.end_column;
}

static void set_path(ir_diags *diags, ir_diag *diag, ir_source *source, ir_span at, bool *ok) {
  char path[IR_MAX_MESSAGE];
  if (ir_source_path(source, at, path, sizeof path))
    diag->path = keep_text(diags, path, ok);
}

static void set_inside(ir_diags *diags, ir_diag *diag, const ir_scope_path *scope_path, bool *ok) {
  for (const ir_scope_path *at = scope_path; at != NULL; at = at->outer)
    diag->n_inside++;
  diag->layer_inside = ir_arena_array(&diags->arena, (size_t)diag->n_inside, sizeof *diag->layer_inside);
  *ok = *ok && diag->layer_inside != NULL;
  int i = diag->n_inside;
  for (const ir_scope_path *at = scope_path; at != NULL && diag->layer_inside != NULL; at = at->outer)
    diag->layer_inside[--i] = keep_text(diags, at->name, ok);
}

static void set_layer(ir_diags *diags, ir_diag *diag, const ir_layer *layer, bool *ok) {
  char id[24] = "", op[IR_MAX_MESSAGE];
  const char *type = layer->type == NULL ? "" : layer->type, *opset = layer->opset == NULL ? "" : layer->opset;
  if (layer->id >= 0)
    snprintf(id, sizeof id, "%" PRId64, layer->id);
  if (layer->has_version)
    snprintf(op, sizeof op, "%.*s-%d", IR_MAX_MESSAGE, type, layer->op_version);
  else
    snprintf(op, sizeof op, type[0] == '\0' || opset[0] == '\0' ? "%.*s" : "%.*s (%.*s)", IR_MAX_MESSAGE, type,
             IR_MAX_MESSAGE, opset);
  diag->has_layer = true;
  diag->layer_id = keep_text(diags, id, ok);
  diag->layer_name = keep_text(diags, layer->name == NULL ? "" : layer->name, ok);
  diag->layer_op = keep_text(diags, op, ok);
  if (layer->scope_path != NULL)
    set_inside(diags, diag, layer->scope_path, ok);
}

/* Returns a new diagnostic, which is not in the list yet; NULL if memory is out. */
static ir_diag *make_diag(ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where, const char *format,
                          va_list args) {
  ir_diag *diag = ir_arena_alloc(&diags->arena, sizeof *diag);
  if (diag == NULL)
    return NULL;
  bool ok = true;
  const bool is_named = where.source != NULL && where.source->kind != IR_SOURCE_COMMAND;
  *diag = (ir_diag){.rule = rule, .severity = severity, .offset = -1, .group = diags->group};
  diag->kind = where.source == NULL ? IR_SOURCE_COMMAND : where.source->kind;
  diag->message = keep_format(diags, format, args, &ok);
  diag->file = keep_file(diags, is_named ? where.source->name : "", &ok);
  if (where.source != NULL)
    set_place(diag, where.source, where.at);
  if (where.layer != NULL)
    set_layer(diags, diag, where.layer, &ok);
  if (where.attribute != NULL)
    diag->attribute = keep_text(diags, where.attribute, &ok);
  return ok ? diag : NULL;
}

/* ---- the list of diagnostics ---- */

int64_t ir_diags_counted(const ir_diags *diags) {
  return diags->n_errors + diags->n_warnings + diags->n_notes;
}

static int64_t find_file_order(const ir_diags *diags, const ir_diag *diag) {
  const ir_diag *last = diags->last;
  if (last != NULL && last->group == diag->group && strcmp(last->file, diag->file) == 0)
    return last->file_order;
  const ir_diag *first = diags->settled == NULL ? diags->first : diags->settled->next;
  for (const ir_diag *other = first; other != NULL; other = other->next)
    if (other->group == diag->group && strcmp(other->file, diag->file) == 0)
      return other->file_order;
  return diag->number;
}

static void append(ir_diags *diags, ir_diag *diag) {
  diag->number = ir_diags_counted(diags) - 1;
  diag->file_order = find_file_order(diags, diag);
  if (diags->last == NULL)
    diags->first = diag;
  else
    diags->last->next = diag;
  diags->last = diag;
  diags->n_kept++;
  if (diag->severity == IR_ERROR)
    diags->last_error = diag;
}

/* Returns whether a full list has a diagnostic below `severity`. If more than IR_MAX_DIAGNOSTICS diagnostics of
 * `severity` or above were counted, only those are left in the list. */
static bool some_weigh_less(const ir_diags *diags, ir_severity severity) {
  const int64_t n_before = severity == IR_ERROR ? diags->n_errors : diags->n_errors + diags->n_warnings;
  return severity != IR_NOTE && n_before <= IR_MAX_DIAGNOSTICS;
}

/* Makes room in a full list: drops the last diagnostic of the lowest severity. Returns false if no diagnostic is below
 * `severity`. */
static bool make_room(ir_diags *diags, ir_severity severity) {
  if (diags->n_kept < IR_MAX_DIAGNOSTICS)
    return true;
  ir_diag *before = NULL, *previous = NULL, *lightest = NULL;
  for (ir_diag *diag = some_weigh_less(diags, severity) ? diags->first : NULL; diag != NULL; diag = diag->next) {
    if (diag->severity < severity && (lightest == NULL || diag->severity <= lightest->severity)) {
      lightest = diag;
      before = previous;
    }
    previous = diag;
  }
  if (lightest == NULL)
    return false;
  *(before != NULL ? &before->next : &diags->first) = lightest->next;
  if (diags->last == lightest)
    diags->last = before;
  if (diags->settled == lightest)
    diags->settled = before;
  diags->n_kept--;
  return true;
}

static void count(ir_diags *diags, ir_severity severity, ir_code status) {
  if (severity == IR_NOTE) {
    diags->n_notes++;
  } else if (severity == IR_WARNING) {
    diags->n_warnings++;
    diags->n_warnings_in_group++;
  } else {
    diags->n_errors++;
    diags->n_errors_in_group++;
    diags->status = ir_code_worse(diags->status, status);
  }
}

/* Counts IR703 once for each model, however many calls fail. The list contains IR703 only once. */
ir_code ir_out_of_memory(ir_diags *diags) {
  ir_diag *diag = &diags->memory_out;
  const ir_rule_row *row = &ir_rule_rows[IR703_OUT_OF_MEMORY];
  diags->open = NULL;
  if (diags->is_refused)
    return row->status;
  diags->last_error = diag;
  if (!diags->memory_is_out || diag->group != diags->group)
    count(diags, row->severity, row->status);
  diag->group = diags->group;
  if (diags->memory_is_out)
    return row->status;
  diags->memory_is_out = true;
  *diag = (ir_diag){.rule = IR703_OUT_OF_MEMORY, .severity = row->severity, .offset = -1, .group = diags->group};
  diag->kind = IR_SOURCE_COMMAND;
  diag->message = "out of memory";
  diag->file = "";
  diag->hint = "raise the memory limit, or take a smaller model or input";
  append(diags, diag);
  return row->status;
}

ir_code ir_name_file(ir_diags *diags, const char *file, ir_source **out_source) {
  *out_source = NULL;
  if (file == NULL || file[0] == '\0')
    return IR_OK;
  *out_source = ir_source_create(diags->memory, IR_SOURCE_NAME, file);
  return *out_source == NULL ? ir_out_of_memory(diags) : IR_OK;
}

/* Changes `*severity` as the rule's policy requires. Returns false if the policy drops the diagnostic. */
static bool apply_policy(const ir_diags *diags, ir_rule rule, bool firm, ir_severity *severity) {
  ir_rule_policy policy = diags->policy[rule];
  if (*severity == IR_ERROR) {
    if (ir_rule_rows[rule].allow == NULL || firm)
      return true;
    /* a check drops the error: a model that irrun cannot run is not wrong. A run fails, and has to say why */
    if (policy == IR_POLICY_ALLOW && ir_rule_rows[rule].status == IR_UNSUPPORTED)
      return diags->is_for_run;
    if (policy == IR_POLICY_ALLOW)
      *severity = IR_WARNING;
    if (policy == IR_POLICY_NOTE)
      *severity = IR_NOTE;
    return true;
  }
  if (policy == IR_POLICY_ALLOW)
    return false;
  if (policy == IR_POLICY_NOTE)
    *severity = IR_NOTE;
  if (policy == IR_POLICY_DENY || (*severity == IR_WARNING && diags->strict))
    *severity = IR_ERROR;
  return true;
}

/* ---- rules that are reported once ---- */

/* Returns whether a repetition about another layer is only counted. If an error makes the model invalid, each
 * repetition is reported, because the user has to fix each layer. */
static bool is_said_once(const ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where) {
  const bool is_fault = severity == IR_ERROR && ir_rule_rows[rule].status == IR_INVALID;
  return ir_rule_rows[rule].say != IR_EACH && where.layer != NULL && !is_fault && !diags->in_detail &&
         !diags->each_place;
}

static const char *type_of(ir_where where) {
  return where.layer->type == NULL ? "" : where.layer->type;
}

static const char *attribute_of(ir_where where) {
  return where.attribute == NULL ? "" : where.attribute;
}

/* Returns the earlier diagnostic about another layer of this model with the same rule, severity, format, layer type and
 * attribute. Returns NULL if there is none, or if repetitions are reported. */
static ir_diag *find_said(const ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where,
                          const char *format) {
  for (const ir_said *said = is_said_once(diags, rule, severity, where) ? diags->said[rule] : NULL; said != NULL;
       said = said->next)
    if (said->severity == severity && said->format == format && strcmp(said->layer_type, type_of(where)) == 0 &&
        strcmp(said->attribute, attribute_of(where)) == 0)
      return said->diag;
  return NULL;
}

static void remember(ir_diags *diags, ir_diag *diag, ir_where where, const char *format) {
  if (!is_said_once(diags, diag->rule, diag->severity, where) || diags->n_said[diag->rule] == MAX_VARIANTS)
    return;
  const char *type = type_of(where), *attribute = attribute_of(where);
  ir_said *said = ir_arena_alloc(&diags->arena, sizeof *said);
  const char *type_copy = ir_arena_text(&diags->arena, type, strlen(type));
  const char *attribute_copy = ir_arena_text(&diags->arena, attribute, strlen(attribute));
  if (said == NULL || type_copy == NULL || attribute_copy == NULL)
    return; /* memory is out: repetitions will be reported */
  *said = (ir_said){diag->severity, format, type_copy, attribute_copy, diag, diags->said[diag->rule]};
  diags->said[diag->rule] = said;
  diags->n_said[diag->rule]++;
}

static bool is_left_out(const ir_diags *diags, ir_say say) {
  return !diags->in_detail && (say == IR_DETAIL || (say == IR_ASIDE && diags->each_place));
}

static ir_code report(ir_diags *diags, ir_rule rule, ir_severity severity, bool firm, ir_where where,
                      const char *format, va_list args) {
  diags->open = NULL;
  if (!apply_policy(diags, rule, firm, &severity))
    return IR_OK;
  ir_code status = ir_rule_rows[rule].status;
  if (severity == IR_NOTE && is_left_out(diags, ir_rule_rows[rule].say))
    return IR_OK;
  if (diags->muted > 0)
    return severity == IR_ERROR ? status : IR_OK;
  diags->n_raised++;
  ir_diag *said = find_said(diags, rule, severity, where, format);
  if (said != NULL) {
    said->n_more++;
    return severity == IR_ERROR ? status : IR_OK;
  }
  count(diags, severity, status);
  if (make_room(diags, severity)) {
    bool ok = true;
    ir_diag *diag = make_diag(diags, rule, severity, where, format, args);
    if (diag != NULL && where.source != NULL && diag->line > 0) {
      set_excerpt(diags, diag, where.source, where.at.begin, &ok);
      diag->lines_before = keep_lines(diags, where.source, where.at.begin, -CONTEXT_LINES, -1, &ok);
      diag->lines_after = keep_lines(diags, where.source, where.at.begin, 1, CONTEXT_LINES, &ok);
      set_path(diags, diag, where.source, where.at, &ok);
    }
    if (diag == NULL || !ok) {
      ir_out_of_memory(diags);
    } else {
      append(diags, diags->open = diag);
      remember(diags, diag, where, format);
      if (severity == IR_ERROR && diags->policy[rule] == IR_POLICY_ALLOW)
        ir_note(diags, (ir_where){0}, "--allow=%s lets other cases pass, not this one", ir_rule_rows[rule].id);
    }
  }
  return severity == IR_ERROR ? status : IR_OK;
}

ir_code ir_report(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ir_code code = report(diags, rule, ir_rule_rows[rule].severity, false, where, format, args);
  va_end(args);
  return code;
}

ir_code ir_report_as(ir_diags *diags, ir_rule rule, ir_severity severity, ir_where where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ir_code code = report(diags, rule, severity, false, where, format, args);
  va_end(args);
  return code;
}

ir_code ir_report_firm(ir_diags *diags, ir_rule rule, ir_where where, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ir_code code = report(diags, rule, IR_ERROR, true, where, format, args);
  va_end(args);
  return code;
}

static void attach(ir_diag *diag, ir_diag *note) {
  ir_diag **end = &diag->notes;
  while (*end != NULL)
    end = &(*end)->next;
  *end = note;
}

void ir_note(ir_diags *diags, ir_where where, const char *format, ...) {
  ir_diag *open = diags->open;
  if (open == NULL)
    return;
  va_list args;
  va_start(args, format);
  ir_diag *note = make_diag(diags, open->rule, IR_NOTE, where, format, args);
  va_end(args);
  if (note == NULL) {
    ir_out_of_memory(diags);
    return;
  }
  attach(open, note);
}

void ir_hint(ir_diags *diags, const char *format, ...) {
  ir_diag *open = diags->open;
  if (open == NULL)
    return;
  bool ok = true;
  va_list args;
  va_start(args, format);
  open->hint = keep_format(diags, format, args, &ok);
  va_end(args);
  if (!ok)
    ir_out_of_memory(diags);
}

/* Returns the first diagnostic of the rule about a layer of the current model, or NULL. */
static const ir_diag *find_of_rule(const ir_diags *diags, ir_rule rule) {
  for (const ir_diag *diag = diags->first; diag != NULL; diag = diag->next)
    if (diag->rule == rule && diag->group == diags->group && diag->has_layer)
      return diag;
  return NULL;
}

/* Adds a note to the open diagnostic. The note quotes `cause` and has the same place. */
static void add_cause(ir_diags *diags, const ir_diag *cause) {
  char text[IR_MAX_MESSAGE];
  const ir_rule_row *row = &ir_rule_rows[cause->rule];
  bool ok = true;
  ir_diag *note = ir_arena_alloc(&diags->arena, sizeof *note);
  snprintf(text, sizeof text, "layer '%s' may be why: %s [%s %s]", cause->layer_name, cause->message, row->id,
           row->slug);
  char *message = keep_text(diags, text, &ok);
  if (note == NULL || !ok) {
    ir_out_of_memory(diags);
    return;
  }
  *note = *cause;
  note->severity = IR_NOTE;
  note->message = message;
  note->hint = NULL;
  note->notes = note->next = NULL;
  attach(diags->open, note);
  ir_hint(diags, "'irrun --explain=%s' tells more of it; -v shows all notes", row->id);
}

void ir_note_causes(ir_diags *diags, unsigned differences) {
  for (int rule = 0; rule < IR_RULE_COUNT && diags->open != NULL; rule++) {
    const ir_diag *cause = (ir_rule_rows[rule].explains & differences) != 0 ? find_of_rule(diags, rule) : NULL;
    if (cause != NULL)
      add_cause(diags, cause);
  }
}
