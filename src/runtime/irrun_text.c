/* The public header's text helpers. */
#include "diag.h"
#include "irrun_program.h"

const char *irrun_printable(const char *text, char *buffer, size_t size) {
  return ir_printable(text, buffer, size);
}

const char *irrun_did_you_mean(const char *text, const char *const *names, size_t n_names) {
  return ir_did_you_mean(text, names, n_names);
}
