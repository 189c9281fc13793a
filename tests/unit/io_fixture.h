/* A fixture for tests of tensor files: an allocator that counts, diagnostics, and checks of diagnostics. */
#ifndef IO_FIXTURE_H
#define IO_FIXTURE_H

#include "base/tensor.h"
#include "diag/diag.h"
#include "failing_memory.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DATA TENSOR_FILES

typedef struct io_fixture {
  failing_memory state;
  ir_memory memory;
  ir_diags diags;
} io_fixture;

static inline void io_begin(io_fixture *f) {
  f->memory = failing_memory_of(&f->state);
  ir_diags_init(&f->diags, &f->memory);
}

/* Checks that all memory was freed. */
static inline void io_end(io_fixture *f) {
  ir_diags_reset(&f->diags);
  assert_int_equal(f->state.n_alive, 0);
}

/* Expects exactly one diagnostic, of `rule` and with `text` in its message. Clears the diagnostics. */
static inline void io_expect(io_fixture *f, ir_rule rule, const char *text) {
  const ir_diag *diag = f->diags.first;
  assert_non_null(diag);
  if (diag->rule != rule || strstr(diag->message, text) == NULL || diag->next != NULL)
    fail_msg("expected %s \"%s\", got %s \"%s\"%s", ir_rule_rows[rule].id, text, ir_rule_rows[diag->rule].id,
             diag->message, diag->next != NULL ? " and more" : "");
  ir_diags_reset(&f->diags);
}

static inline void io_expect_nothing(io_fixture *f) {
  if (f->diags.first != NULL)
    fail_msg("unexpected %s \"%s\"", ir_rule_rows[f->diags.first->rule].id, f->diags.first->message);
}

/* Reads up to 1 MiB of a file. The caller frees the block. Returns NULL if the file cannot be opened. */
static inline unsigned char *io_read_all(const char *path, size_t *out_n) {
  *out_n = 0;
  FILE *file = fopen(path, "rb");
  if (file == NULL)
    return NULL;
  unsigned char *bytes = malloc(1 << 20);
  *out_n = bytes == NULL ? 0 : fread(bytes, 1, 1 << 20, file);
  fclose(file);
  return bytes;
}

static inline uint64_t io_random(uint64_t *seed) {
  *seed += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t x = *seed * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 29;
}

#endif
