/* Reads a model from a text, through a temporary file, for tests of the readers. */
#ifndef READ_TEXT_H
#define READ_TEXT_H

#include "parser/read_model.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct read_result {
  ir_memory memory;
  ir_graph graph;
  ir_diags diags;
  ir_code code;
} read_result;

/* Reads n bytes as a model. Returns false if memory for the source is out. The caller ends the result with
 * read_result_reset. */
static inline bool read_bytes(read_result *result, ir_memory memory, const char *bytes, size_t n) {
  int error = 0;
  result->memory = memory;
  ir_graph_init(&result->graph, &result->memory);
  ir_diags_init(&result->diags, &result->memory);
  scratch_file file = scratch_file_make("model", bytes, n);
  ir_source *source = ir_source_open(&result->memory, IR_SOURCE_TEXT, file.path, &error);
  scratch_file_remove(&file);
  result->code = IR_NO_MEMORY;
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

/* Lists all diagnostics, such as "IR204 error 4:5, IR008 warning 7:9". */
static inline void list_diags(const read_result *result, char *buffer, size_t size) {
  static const char *const severities[] = {"note", "warning", "error"};
  size_t used = 0;
  buffer[0] = '\0';
  for (const ir_diag *diag = result->diags.first; diag != NULL && used < size; diag = diag->next)
    used += (size_t)snprintf(buffer + used, size - used, "%s%s %s %lld:%lld", used > 0 ? ", " : "",
                             ir_rule_rows[diag->rule].id, severities[diag->severity], (long long)diag->line,
                             (long long)diag->column);
}

static inline void read_text(read_result *result, const char *text) {
  assert_true(read_bytes(result, ir_memory_default(), text, strlen(text)));
}

static inline void assert_no_diags(const read_result *result) {
  char list[512];
  list_diags(result, list, sizeof list);
  assert_string_equal(list, "");
  assert_int_equal(result->code, IR_OK);
}

/* Expects a place at `line` and `column`, and `text` as its bytes. */
static inline void assert_place(read_result *result, ir_at at, int64_t line, int64_t column, const char *text) {
  char bytes[256] = "";
  ir_place place;
  assert_true(at.length < sizeof bytes);
  assert_int_equal(ir_source_read(result->graph.source, at.begin, bytes, at.length), at.length);
  assert_string_equal(bytes, text);
  assert_true(ir_source_place(result->graph.source, ir_span_of(at), &place));
  assert_int_equal(place.line, line);
  assert_int_equal(place.column, column);
}

/* ---- faulty models ---- */

/* A model and the expected list of diagnostics. */
typedef struct fault_case {
  const char *text, *expected;
  ir_code code;
} fault_case;

static inline void check_bytes(const char *bytes, size_t n, const char *expected, ir_code code) {
  read_result r;
  char list[1024];
  assert_true(read_bytes(&r, ir_memory_default(), bytes, n));
  list_diags(&r, list, sizeof list);
  if (strcmp(list, expected) != 0 || r.code != code)
    fail_msg("%.300s\n gave '%s' and %d, expected '%s' and %d", bytes, list, r.code, expected, code);
  read_result_reset(&r);
}

static inline void check_cases(const fault_case *cases, size_t n) {
  for (size_t i = 0; i < n; i++)
    check_bytes(cases[i].text, strlen(cases[i].text), cases[i].expected, cases[i].code);
}

#define CHECK(cases) check_cases(cases, sizeof cases / sizeof cases[0])

#endif
