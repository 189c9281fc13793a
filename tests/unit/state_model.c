#include "state_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the text ---- */

void words_add(model_words *words, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  words->n += (size_t)vsnprintf(words->chars + words->n, sizeof words->chars - words->n, format, arguments);
  va_end(arguments);
  assert_true(words->n < sizeof words->chars);
}

void words_layer(model_words *words, int id, const char *type, const char *data, int n_inputs, const char *out) {
  words_add(words, "<layer id='%d' name='l%d' type='%s' version='opset13'>%s", id, id, type, data);
  for (int i = 0; i < n_inputs; i++)
    words_add(words, "%s<port id='%d'/>", i == 0 ? "<input>" : "", i);
  words_add(words, "%s", n_inputs > 0 ? "</input>" : "");
  if (out != NULL)
    words_add(words, "<output><port id='9' precision='%s'/></output>", out);
  words_add(words, "</layer>");
}

void words_edge(model_words *words, int from, int to, int port) {
  words_add(words, "<edge from-layer='%d' from-port='9' to-layer='%d' to-port='%d'/>", from, to, port);
}

/* ---- runs ---- */

static void *failing_alloc(void *user, size_t bytes) {
  failing *f = user;
  if (++f->n_calls == f->fail_at)
    return NULL;
  f->n_live++;
  return malloc(bytes);
}

static void failing_release(void *user, void *block) {
  failing *f = user;
  f->n_live -= block != NULL;
  free(block);
}

void session_begin(session *s, const model_words *words, irrun_buffer weights, unsigned skipped) {
  s->memory = (failing){.fail_at = 0};
  const irrun_allocator allocator = {
      .size = sizeof allocator, .alloc = failing_alloc, .release = failing_release, .user = &s->memory};
  s->context = irrun_context_create(&allocator);
  assert_int_equal(irrun_context_set_threads(s->context, 1), IRRUN_OK);
  irrun_context_skip_passes(s->context, skipped);
  const irrun_buffer text = {words->chars, words->n};
  if (irrun_model_read_memory(s->context, "m.xml", text, &weights, IRRUN_TO_RUN, NULL, 0, &s->model) != IRRUN_OK)
    fail_msg("%s", irrun_context_last_error(s->context));
  assert_int_equal(irrun_run_create(s->model, &s->run), IRRUN_OK);
}

void session_end(session *s) {
  irrun_run_free(s->run);
  irrun_model_free(s->model);
  irrun_context_free(s->context);
  assert_int_equal(s->memory.n_live, 0);
}

irrun_status session_set(session *s, int input, irrun_element_type type, int rank, const int64_t *dims,
                         const void *data) {
  irrun_tensor *tensor;
  size_t bytes = 4; /* of an element */
  for (int i = 0; i < rank; i++)
    bytes *= (size_t)dims[i];
  const irrun_status status = irrun_tensor_create(s->context, type, rank, dims, data, bytes, &tensor);
  return status == IRRUN_OK ? irrun_run_set_input(s->run, input, tensor, false, NULL) : status;
}

void session_execute(session *s) {
  if (irrun_run_execute(s->run) != IRRUN_OK)
    fail_msg("%s", irrun_context_last_error(s->context));
}

int session_count_kept(const session *s) {
  irrun_step step = {.size = sizeof step};
  int n = 0;
  for (int64_t i = 0; irrun_run_get_step(s->run, i, &step); i++)
    n += strcmp(step.kernel, "attention_on_state") == 0;
  return n;
}

void session_compare(const irrun_tensor *a, const irrun_tensor *b) {
  assert_non_null(a);
  assert_non_null(b);
  const irrun_tensor_info x = irrun_tensor_get_info(a), y = irrun_tensor_get_info(b);
  assert_int_equal(x.type, y.type);
  assert_int_equal(x.rank, y.rank);
  assert_memory_equal(x.dims, y.dims, (size_t)x.rank * sizeof *x.dims);
  const float *of_x = x.data, *of_y = y.data;
  for (int64_t i = 0; i < x.elements && x.type == IRRUN_F32; i++) {
    assert_int_equal(isnan(of_x[i]), isnan(of_y[i]));
    assert_float_equal(of_x[i], of_y[i], 1e-5);
  }
  if (x.type != IRRUN_F32 && x.bytes > 0)
    assert_memory_equal(x.data, y.data, x.bytes);
}
