/* Implements the functions of the public headers that return texts. */
#include "diag/diag.h"
#include "irrun_program.h"
#include "program/passes.h"
#include "runtime/context.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *irrun_printable(const char *text, char *buffer, size_t size) {
  return ir_printable(text, buffer, size);
}

const char *irrun_did_you_mean(const char *text, const char *const *names, size_t n_names) {
  return ir_did_you_mean(text, names, n_names);
}

const char *irrun_version(void) {
  return IRRUN_VERSION;
}

int irrun_version_number(void) {
  return IRRUN_VERSION_NUMBER;
}

const char *irrun_status_name(irrun_status status) {
  switch (status) {
  case IRRUN_OK:
    return "ok";
  case IRRUN_DIFFERS:
    return "differs";
  case IRRUN_USAGE:
    return "usage";
  case IRRUN_INVALID:
    return "invalid";
  case IRRUN_UNSUPPORTED:
    return "unsupported";
  case IRRUN_BAD_DATA:
    return "bad-data";
  case IRRUN_IO:
    return "io";
  case IRRUN_INTERNAL:
    return "internal";
  }
  return NULL;
}

/* Text in a buffer of `size` bytes. `used` is the length of all text added; if it does not fit, the buffer ends in
 * "...". */
typedef struct short_text {
  char *buffer;
  size_t size, used;
} short_text;

__attribute__((format(printf, 2, 3))) static void add(short_text *text, const char *format, ...) {
  va_list args;
  if (text->used >= text->size)
    return;
  va_start(args, format);
  const int n = vsnprintf(text->buffer + text->used, text->size - text->used, format, args);
  va_end(args);
  text->used += n > 0 ? (size_t)n : 0;
  if (text->used >= text->size && text->size > 3)
    memcpy(text->buffer + text->size - 4, "...", 4);
}

const char *irrun_type_name(irrun_element_type type) {
  return (int)type > IR_DYNAMIC && (int)type < IR_TYPE_COUNT ? ir_type_name((ir_type)type) : NULL;
}

static const ir_pass *find_pass(irrun_pass pass) {
  for (int i = 0; ir_passes[i].name != NULL; i++)
    if ((unsigned)pass == 1U << i)
      return &ir_passes[i];
  return NULL;
}

const char *irrun_pass_name(irrun_pass pass) {
  return find_pass(pass) == NULL ? NULL : find_pass(pass)->name;
}

const char *irrun_pass_counts(irrun_pass pass) {
  return find_pass(pass) == NULL ? NULL : find_pass(pass)->counts;
}

const char *irrun_diagnostic_text(const irrun_diagnostic *given, char *buffer, size_t size) {
  static const char *const words[] = {[IRRUN_NOTE] = "note", [IRRUN_WARNING] = "warning", [IRRUN_ERROR] = "error"};
  irrun_diagnostic taken;
  const irrun_diagnostic *diagnostic = &taken;
  if (ir_take_struct(NULL, given, IR_SIZE_TO(irrun_diagnostic, n_inside), sizeof taken, &taken) != IR_OK ||
      (unsigned)taken.severity > IRRUN_ERROR)
    return NULL;
  short_text text = {buffer, size, 0};
  if (size > 0)
    buffer[0] = '\0';
  if (diagnostic->file != NULL && diagnostic->file[0] != '\0') {
    add(&text, "%s:", diagnostic->file);
    if (diagnostic->line > 0)
      add(&text, "%" PRId64 ":%" PRId64 ":", diagnostic->line, diagnostic->column);
    add(&text, " ");
  }
  add(&text, "%s: %s", words[diagnostic->severity], diagnostic->message);
  if (diagnostic->rule != NULL)
    add(&text, " [%s %s]", diagnostic->rule, diagnostic->slug);
  if (diagnostic->layer_name == NULL)
    return buffer;
  add(&text, ", layer '");
  for (int i = 0; i < diagnostic->n_inside; i++)
    add(&text, "%s' > '", diagnostic->layer_inside[i]);
  add(&text, "%s'", diagnostic->layer_name);
  return buffer;
}
