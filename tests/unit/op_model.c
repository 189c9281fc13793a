#include "op_model.h"
#include "model_text.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* ---- the files ---- */

enum {
  OP = 8,
  RESULT,
  FIRST_OUT = 10
}; /* OP, RESULT: layer ids, after those of the inputs; FIRST_OUT: the op's first output port, after its input ports */

static const char *shape_text(const op_input *input, char buffer[MODEL_LIST]) {
  static const char open[] = "?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?";
  if (!input->open || input->constant)
    return model_list(input->dims, input->rank, buffer);
  snprintf(buffer, MODEL_LIST, "%.*s", input->rank == 0 ? 0 : 2 * input->rank - 1, open);
  return buffer;
}

static size_t bytes_of(const op_input *input) {
  return model_run_bytes(input->type, input->rank, input->dims);
}

static void write_input(FILE *file, const op_input *input, int id, size_t offset) {
  char name[16], shape[MODEL_LIST];
  snprintf(name, sizeof name, "x%d", id);
  shape_text(input, shape);
  if (input->constant)
    model_const(file, id, name, input->type, shape, offset, bytes_of(input));
  else
    model_parameter(file, id, name, input->type, shape);
}

static void write_op(FILE *file, const op_model *c) {
  fprintf(file, "<layer id=\"%d\" name=\"op\" type=\"%s\" version=\"opset%d\">", OP, c->type,
          c->opset > 0 ? c->opset : 1);
  if (c->data != NULL)
    fprintf(file, "<data %s/>", c->data);
  fprintf(file, "<input>");
  for (int i = 0; i < c->n_inputs; i++)
    fprintf(file, "<port id=\"%d\"/>", i);
  fprintf(file, "</input><output>");
  for (int i = 0; i == 0 || i < c->n_outputs; i++)
    fprintf(file, "<port id=\"%d\" precision=\"dynamic\"/>", FIRST_OUT + i);
  fprintf(file, "</output></layer>");
}

static void write_model(const char *xml, const op_model *c) {
  FILE *file = model_begin(xml);
  size_t offset = 0;
  for (int i = 0; i < c->n_inputs; i++) {
    write_input(file, &c->inputs[i], i, offset);
    offset += c->inputs[i].constant ? bytes_of(&c->inputs[i]) : 0;
  }
  write_op(file, c);
  model_result(file, RESULT, "y");
  model_edges(file);
  for (int i = 0; i < c->n_inputs; i++)
    model_edge(file, i, 0, OP, i);
  model_edge(file, OP, FIRST_OUT + c->output, RESULT, 0);
  model_end(file);
}

static void write_bin(const char *path, const op_model *c) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  for (int i = 0; i < c->n_inputs; i++)
    if (c->inputs[i].constant)
      assert_int_equal(fwrite(c->inputs[i].data, 1, bytes_of(&c->inputs[i]), file), bytes_of(&c->inputs[i]));
  assert_int_equal(fclose(file), 0);
}

/* ---- the run ---- */

static irrun_status set_inputs(model_run *run, const op_model *c) {
  irrun_status status = IRRUN_OK;
  int64_t number = 0;
  for (int i = 0; i < c->n_inputs && status == IRRUN_OK; i++) {
    const op_input *input = &c->inputs[i];
    if (!input->constant)
      status = model_run_input(run, number++, input->type, input->rank, input->dims, input->data);
  }
  return status;
}

model_run op_model_run(const op_model *c) {
  scratch_model files = scratch_model_make();
  write_model(files.xml, c);
  write_bin(files.bin, c);
  model_run run = model_run_read(files.xml, IRRUN_TO_RUN, NULL);
  assert_non_null(run.model);
  irrun_context_set_kernels(run.context, c->plain ? IRRUN_KERNELS_PLAIN : IRRUN_KERNELS_FAST);
  if (run.status == IRRUN_OK)
    run.status = irrun_context_set_threads(run.context, c->threads);
  if (run.status == IRRUN_OK)
    run.status = irrun_run_create(run.model, &run.run);
  if (run.status == IRRUN_OK)
    run.status = set_inputs(&run, c);
  if (run.status == IRRUN_OK)
    run.status = irrun_run_execute(run.run);
  if (run.status == IRRUN_OK)
    run.values = irrun_run_output(run.run, 0);
  scratch_model_remove(&files);
  return run;
}
