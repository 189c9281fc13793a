/* Parts that all edits need: reports, and layouts as text. */
#include "runtime/edit/editing.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

ir_code ir_edit_fault(const ir_editing *e, const char *format, ...) {
  char message[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return ir_report(e->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE}, "'--edit %s': %s", e->edit, message);
}

ir_code ir_edit_nothing(const ir_editing *e, const char *edit) {
  return ir_report_as(e->diags, IR801_COMMAND_LINE, IR_WARNING, (ir_where){.at = IR_NOWHERE},
                      "'--edit %s' finds nothing to change", edit);
}

bool ir_axes_from_text(const char *text, size_t length, ir_axes *out) {
  int n = 0;
  *out = (ir_axes){""};
  for (size_t i = 0; i < length; i++) {
    const char c = (char)toupper((unsigned char)text[i]);
    if (strchr("[], ", c) != NULL)
      continue;
    if (n == IR_MAX_RANK || (c != '?' && (!isalpha((unsigned char)c) || strchr(out->letters, c) != NULL))) {
      *out = (ir_axes){""};
      return false;
    }
    out->letters[n++] = c;
    out->letters[n] = '\0';
  }
  return n > 0;
}
