#include "op_run.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static size_t bytes_of(const op_input *input) {
  size_t bytes = ir_type_size(input->type);
  for (int i = 0; i < input->rank; i++)
    bytes *= (size_t)input->dims[i];
  return bytes;
}

/* ---- the files ---- */

static void write_input(FILE *file, const op_input *input, int id, size_t offset) {
  fprintf(file, "<layer id=\"%d\" name=\"x%d\" type=\"%s\" version=\"opset1\"><data element_type=\"%s\" shape=\"", id,
          id, input->constant ? "Const" : "Parameter", ir_type_name(input->type));
  for (int i = 0; i < input->rank; i++) {
    if (input->open && !input->constant)
      fprintf(file, "%s?", i > 0 ? "," : "");
    else
      fprintf(file, "%s%lld", i > 0 ? "," : "", (long long)input->dims[i]);
  }
  fprintf(file, "\"");
  if (input->constant)
    fprintf(file, " offset=\"%zu\" size=\"%zu\"", offset, bytes_of(input));
  fprintf(file, "/><output><port id=\"0\" precision=\"%s\"/></output></layer>", ir_type_precision(input->type));
}

static void write_op(FILE *file, const op_case *c) {
  fprintf(file, "<layer id=\"8\" name=\"op\" type=\"%s\" version=\"opset1\">", c->type);
  if (c->data != NULL)
    fprintf(file, "<data %s/>", c->data);
  fprintf(file, "<input>");
  for (int i = 0; i < c->n_inputs; i++)
    fprintf(file, "<port id=\"%d\"/>", i);
  fprintf(file,
          "</input><output><port id=\"2\" precision=\"dynamic\"/></output></layer>"
          "<layer id=\"9\" name=\"y\" type=\"Result\" version=\"opset1\"><input><port id=\"0\"/></input></layer>");
}

static void write_model(const char *path, const op_case *c) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  size_t offset = 0;
  fprintf(file, "<net name=\"m\" version=\"11\"><layers>");
  for (int i = 0; i < c->n_inputs; i++) {
    write_input(file, &c->inputs[i], i, offset);
    offset += c->inputs[i].constant ? bytes_of(&c->inputs[i]) : 0;
  }
  write_op(file, c);
  fprintf(file, "</layers><edges>");
  for (int i = 0; i < c->n_inputs; i++)
    fprintf(file, "<edge from-layer=\"%d\" from-port=\"0\" to-layer=\"8\" to-port=\"%d\"/>", i, i);
  fprintf(file, "<edge from-layer=\"8\" from-port=\"2\" to-layer=\"9\" to-port=\"0\"/></edges></net>");
  assert_int_equal(fclose(file), 0);
}

static void write_bin(const char *path, const op_case *c) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  for (int i = 0; i < c->n_inputs; i++)
    if (c->inputs[i].constant)
      assert_int_equal(fwrite(c->inputs[i].data, 1, bytes_of(&c->inputs[i]), file), bytes_of(&c->inputs[i]));
  assert_int_equal(fclose(file), 0);
}

/* ---- the run ---- */

static irrun_status set_inputs(op_run *run, const op_case *c) {
  irrun_status status = IRRUN_OK;
  int64_t number = 0;
  for (int i = 0; i < c->n_inputs && status == IRRUN_OK; i++) {
    const op_input *input = &c->inputs[i];
    irrun_tensor *tensor;
    if (input->constant)
      continue;
    assert_int_equal(irrun_tensor_create(run->context, ir_type_name(input->type), input->rank, input->dims, input->data,
                                         bytes_of(input), &tensor),
                     IRRUN_OK);
    status = irrun_run_set_input(run->run, number++, tensor, false, NULL);
  }
  return status;
}

op_run op_run_begin(const op_case *c) {
  char folder[] = "/tmp/irrun_op_XXXXXX", xml[64], bin[64];
  assert_non_null(mkdtemp(folder));
  snprintf(xml, sizeof xml, "%s/m.xml", folder);
  snprintf(bin, sizeof bin, "%s/m.bin", folder);
  write_model(xml, c);
  write_bin(bin, c);
  op_run run = {.context = irrun_context_create(NULL)};
  assert_non_null(run.context);
  run.status = irrun_model_read(run.context, xml, NULL, IRRUN_TO_RUN, &run.model);
  assert_non_null(run.model);
  if (run.status == IRRUN_OK)
    run.status = irrun_run_create(run.model, &run.run);
  if (run.status == IRRUN_OK)
    run.status = set_inputs(&run, c);
  if (run.status == IRRUN_OK)
    run.status = irrun_run_execute(run.run);
  if (run.status == IRRUN_OK)
    run.out = irrun_get_tensor(irrun_run_output(run.run, 0));
  unlink(xml);
  unlink(bin);
  rmdir(folder);
  return run;
}

void op_run_end(op_run *run) {
  irrun_run_free(run->run);
  irrun_model_free(run->model);
  irrun_context_free(run->context);
}

const char *op_run_rule(const op_run *run) {
  irrun_diagnostic first, second;
  if (!irrun_get_diagnostic(run->context, 0, &first))
    return "";
  return irrun_get_diagnostic(run->context, 1, &second) ? "several" : first.rule;
}
