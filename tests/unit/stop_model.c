#include "stop_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

stop_model stop_model_begin(const char *const *text, int threads) {
  stop_model f = {.context = irrun_context_create(NULL)};
  static char xml[8192]; /* the model reads it again for reports */
  xml[0] = 0;
  for (size_t i = 0; text[i] != NULL; i++) {
    assert_true(strlen(xml) + strlen(text[i]) < sizeof xml);
    strcat(xml, text[i]);
  }
  assert_int_equal(irrun_context_set_threads(f.context, threads), IRRUN_OK);
  irrun_context_set_kernels(f.context, IRRUN_KERNELS_PLAIN);
  const irrun_status status = irrun_model_read_memory(f.context, "m.xml", (irrun_buffer){xml, strlen(xml)}, NULL,
                                                      IRRUN_TO_RUN, NULL, 0, &f.model);
  irrun_diagnostic d = {.size = sizeof d};
  if (status != IRRUN_OK && irrun_context_get_diagnostic(f.context, 0, &d))
    fail_msg("%s", d.message);
  assert_int_equal(irrun_run_create(f.model, &f.run), IRRUN_OK);
  return f;
}

void stop_model_end(const stop_model *f) {
  irrun_run_free(f->run);
  irrun_model_free(f->model);
  irrun_context_free(f->context);
}

void stop_model_fill(const stop_model *f, const char *const *fills) {
  irrun_io io = {.size = sizeof io};
  for (int64_t input = 0; irrun_model_get_io(f->model, IRRUN_INPUTS, input, &io); input++) {
    irrun_tensor *tensor;
    int64_t dims[IRRUN_MAX_RANK];
    for (int a = 0; a < io.value.shape.rank; a++)
      dims[a] = io.value.shape.dims[a].lo;
    assert_int_equal(irrun_tensor_fill(f->context, fills[input], io.value.type, io.value.shape.rank, dims, &tensor),
                     IRRUN_OK);
    assert_int_equal(irrun_run_set_input(f->run, input, tensor, false, NULL), IRRUN_OK);
  }
}

clock_t stop_model_time(const stop_model *f, irrun_status expected) {
  const clock_t start = clock();
  assert_int_equal(irrun_run_execute(f->run), expected);
  return clock() - start;
}

void stop_model_check(const stop_model *f, const char *name) {
  stop_model_time(f, IRRUN_OK); /* the first run also brings memory */
  const clock_t whole = stop_model_time(f, IRRUN_OK);
  irrun_context_set_max_time(f->context, (int64_t)whole * (1000000000 / CLOCKS_PER_SEC) / 10);
  const clock_t part = stop_model_time(f, IRRUN_IO);
  if (part > whole / 2)
    fail_msg("%s is stopped after %ld of %ld us", name, (long)part, (long)whole);
}

stop_model stop_model_of_op(const stop_op *op) {
  char *xml;
  size_t size;
  FILE *to = open_memstream(&xml, &size);
  assert_non_null(to);
  fputs("<net name='one' version='11'><layers>", to);
  int n = 0;
  for (; n < 6 && op->in[n][0] != NULL; n++)
    fprintf(to,
            "<layer id='1%d' name='x%d' type='Parameter' version='opset1'><data shape='%s' element_type='%s'/><output>"
            "<port id='0' precision='%s'/></output></layer>",
            n, n, op->in[n][0], op->in[n][1], op->in[n][1]);
  fprintf(to, "<layer id='1' name='long' type='%s' version='opset%s'><data %s/><input>", op->type, op->opset, op->data);
  for (int i = 0; i < n; i++)
    fprintf(to, "<port id='%d'/>", i);
  fputs("</input><output>", to);
  for (int i = 0; i < 3 && op->out[i] != NULL; i++)
    fprintf(to, "<port id='%d' precision='%s'/>", 10 + i, op->out[i]);
  fputs("</output></layer><layer id='2' name='y' type='Result' version='opset1'><input><port id='0'/></input></layer>"
        "</layers><edges><edge from-layer='1' from-port='10' to-layer='2' to-port='0'/>",
        to);
  for (int i = 0; i < n; i++)
    fprintf(to, "<edge from-layer='1%d' from-port='0' to-layer='1' to-port='%d'/>", i, i);
  fputs("</edges></net>", to);
  fclose(to);
  const stop_model f = stop_model_begin((const char *const[]){xml, NULL}, 1);
  const char *fills[6];
  for (int i = 0; i < n; i++)
    fills[i] = op->in[i][2];
  stop_model_fill(&f, fills);
  free(xml);
  return f;
}
