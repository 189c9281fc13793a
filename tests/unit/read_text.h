/* Reads a model given as text, for tests of the reader: from a file of its own, as everything that is read. */
#ifndef READ_TEXT_H
#define READ_TEXT_H

#include "parser/read_model.h"
#include "scratch.h"
#include <stdio.h>

typedef struct read_result {
  ir_memory memory;
  ir_graph graph;
  ir_diags diags;
  ir_code code;
} read_result;

/* False when the test itself cannot go on. Undone by read_result_reset. */
static inline bool read_bytes(read_result *result, ir_memory memory, const char *bytes, size_t n) {
  int error = 0;
  result->memory = memory;
  ir_graph_init(&result->graph, &result->memory);
  ir_diags_init(&result->diags, &result->memory);
  scratch_file file = scratch_file_make("model", bytes, n);
  ir_source *source = ir_source_open(&result->memory, IR_SOURCE_TEXT, file.path, IR_MAX_MODEL_BYTES, &error);
  scratch_file_remove(&file);
  result->code = IR_IO;
  if (source == NULL)
    return false;
  result->code = ir_read_model(source, &result->graph, &result->diags);
  ir_diags_sort(&result->diags);
  return true;
}

static inline void read_result_reset(read_result *result) {
  ir_graph_reset(&result->graph);
  ir_diags_reset(&result->diags);
}

/* "IR204 error 4:5, IR008 warning 7:9": all diagnostics. */
static inline void list_diags(const read_result *result, char *buffer, size_t size) {
  static const char *const severities[] = {"note", "warning", "error"};
  size_t used = 0;
  buffer[0] = '\0';
  for (const ir_diag *diag = result->diags.first; diag != NULL && used < size; diag = diag->next)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s %s %lld:%lld", used > 0 ? ", " : "",
                             ir_rule_rows[diag->rule].id, severities[diag->severity], (long long)diag->line,
                             (long long)diag->column);
}

#endif
