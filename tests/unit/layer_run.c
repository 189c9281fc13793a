#include "layer_run.h"
#include "model_text.h"
#include "scratch.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- text ---- */

static const char *op_type(naive_op op) {
  static const char *const names[] = {"AvgPool",         "MaxPool",    "AdaptiveAvgPool",
                                      "AdaptiveMaxPool", "ReduceMean", "ReduceMax"};
  return names[op];
}

static void write_list(FILE *file, const char *name, const int64_t *items, int n) {
  char list[MODEL_LIST];
  fprintf(file, " %s=\"%s\"", name, model_list(items, n, list));
}

/* Writes one member of every axis's window, such as the stride, as a list. */
static void write_field(FILE *file, const char *name, const naive_layer *layer, size_t offset) {
  int64_t items[3];
  for (int a = 0; a < layer->rank - 2; a++)
    memcpy(&items[a], (const char *)&layer->windows[a] + offset, sizeof items[a]);
  write_list(file, name, items, layer->rank - 2);
}

static void write_window_data(FILE *file, const layer_case *c) {
  static const char *const auto_pads[] = {"explicit", "same_upper", "same_lower", "valid"};
  static const char *const roundings[] = {"floor", "ceil", "ceil_torch"};
  const naive_layer *layer = &c->layer;
  write_field(file, "kernel", layer, offsetof(naive_window, kernel));
  write_field(file, "strides", layer, offsetof(naive_window, stride));
  write_field(file, "pads_begin", layer, offsetof(naive_window, pad_begin));
  write_field(file, "pads_end", layer, offsetof(naive_window, pad_end));
  if (c->opset >= (layer->op == NAIVE_AVG_POOL ? 16 : 8))
    write_field(file, "dilations", layer, offsetof(naive_window, dilation));
  fprintf(file, " auto_pad=\"%s\" rounding_type=\"%s\"", auto_pads[layer->auto_pad], roundings[layer->rounding]);
  if (layer->op == NAIVE_AVG_POOL)
    fprintf(file, " exclude-pad=\"%s\"", layer->exclude_pad ? "true" : "false");
  else if (c->opset >= 8)
    fprintf(file, " axis=\"%lld\"", (long long)layer->axis);
}

void layer_write_data(FILE *file, const layer_case *c) {
  const naive_layer *layer = &c->layer;
  fprintf(file, "<data");
  if (layer->op == NAIVE_AVG_POOL || layer->op == NAIVE_MAX_POOL)
    write_window_data(file, c);
  if (c->index_i32)
    fprintf(file, " index_element_type=\"i32\"");
  if (naive_is_reduction(layer->op) && layer->keep_dims)
    fprintf(file, " keep_dims=\"true\"");
  fprintf(file, "/>");
}

const char *layer_text(const layer_case *c, char *buffer, size_t size) {
  FILE *file = fmemopen(buffer, size, "w");
  assert_non_null(file);
  const naive_layer *layer = &c->layer;
  fprintf(file, "%s opset%d %s", op_type(layer->op), c->opset, ir_type_name(layer->type));
  write_list(file, "in", layer->in, layer->rank);
  if (naive_is_adaptive(layer->op))
    write_list(file, "sizes", layer->sizes, layer->rank - 2);
  if (naive_is_reduction(layer->op))
    write_list(file, "axes", c->axes, c->n_axes);
  fprintf(file, " ");
  layer_write_data(file, c);
  if (c->shape != NULL)
    fprintf(file, " for %s", c->shape);
  fclose(file);
  return buffer;
}

/* ---- the files ---- */

/* Finds the items of the second input: an adaptive pool's sizes or a reduction's axes. Returns their number, or -1
 * for other layers. */
static int list_of(const layer_case *c, const int64_t **items) {
  *items = naive_is_adaptive(c->layer.op) ? c->layer.sizes : c->axes;
  return naive_is_adaptive(c->layer.op) ? c->layer.rank - 2 : naive_is_reduction(c->layer.op) ? c->n_axes : -1;
}

static void write_list_layer(FILE *file, const layer_case *c, int n) {
  ir_type type = c->list_i32 ? IR_I32 : IR_I64;
  char length[16];
  snprintf(length, sizeof length, "%d", n);
  const char *shape = c->list_shape != NULL ? c->list_shape : length;
  if (c->list_at_run_time)
    model_parameter(file, 5, "list", type, shape);
  else
    model_const(file, 5, "list", type, shape, 0, (size_t)n * ir_type_size(type));
}

static void write_layer(FILE *file, const layer_case *c, bool list) {
  const naive_layer *layer = &c->layer;
  bool second = layer->op == NAIVE_ADAPTIVE_MAX_POOL || (layer->op == NAIVE_MAX_POOL && c->opset >= 8);
  fprintf(file, "<layer id=\"1\" name=\"layer\" type=\"%s\" version=\"opset%d\">", op_type(layer->op), c->opset);
  layer_write_data(file, c);
  fprintf(file, "<input><port id=\"0\"/>%s</input><output><port id=\"2\" precision=\"%s\"/>",
          list ? "<port id=\"1\"/>" : "", ir_type_precision(layer->type));
  if (second)
    fprintf(file, "<port id=\"3\" precision=\"%s\"/>", c->index_i32 ? "I32" : "I64");
  fprintf(file, "</output></layer>");
}

static void write_model(const char *xml, const layer_case *c) {
  const naive_layer *layer = &c->layer;
  const int64_t *items;
  char shape[MODEL_LIST];
  int n_list = list_of(c, &items);
  bool list = n_list >= 0;
  FILE *file = model_begin(xml);
  model_parameter(file, 0, "x", layer->type, c->shape != NULL ? c->shape : model_list(layer->in, layer->rank, shape));
  if (list)
    write_list_layer(file, c, n_list);
  write_layer(file, c, list);
  if (!c->without_values)
    model_result(file, 6, "y6");
  if (c->with_indices)
    model_result(file, 7, "y7");
  model_edges(file);
  model_edge(file, 0, 0, 1, 0);
  if (list)
    model_edge(file, 5, 0, 1, 1);
  if (!c->without_values)
    model_edge(file, 1, 2, 6, 0);
  if (c->with_indices)
    model_edge(file, 1, 3, 7, 0);
  model_end(file);
}

/* Stores the items in the list's type. Returns the number of bytes. */
static size_t list_bytes(const layer_case *c, void *bytes) {
  const int64_t *items;
  int n = list_of(c, &items);
  for (int i = 0; i < n; i++)
    if (c->list_i32)
      ((int32_t *)bytes)[i] = (int32_t)items[i];
    else
      ((int64_t *)bytes)[i] = items[i];
  return n <= 0 ? 0 : (size_t)n * (c->list_i32 ? sizeof(int32_t) : sizeof(int64_t));
}

void layer_write_files(const layer_case *c, const scratch_model *files) {
  const int64_t *items;
  int64_t list[NAIVE_MAX_RANK];
  write_model(files->xml, c);
  if (list_of(c, &items) >= 0 && !c->list_at_run_time)
    scratch_write(files->bin, list, list_bytes(c, list));
}

/* ---- the run ---- */

irrun_status layer_make_input(irrun_context *context, const layer_case *c, int index, const void *x,
                              irrun_tensor **out_tensor) {
  const naive_layer *layer = &c->layer;
  int64_t list[NAIVE_MAX_RANK], n = (int64_t)list_bytes(c, list) / (c->list_i32 ? 4 : 8);
  if (index == 0)
    return irrun_tensor_create(context, (irrun_element_type)layer->type, layer->rank, layer->in, x,
                               (size_t)naive_count(layer->in, layer->rank) * ir_type_size(layer->type), out_tensor);
  return irrun_tensor_create(context, c->list_i32 ? IRRUN_I32 : IRRUN_I64, 1, &n, list, list_bytes(c, list),
                             out_tensor);
}

static irrun_status set_inputs(const model_run *run, const layer_case *c, const void *x) {
  irrun_status status = IRRUN_OK;
  for (int i = 0; i <= c->list_at_run_time && status == IRRUN_OK; i++) {
    irrun_tensor *tensor;
    assert_int_equal(layer_make_input(run->context, c, i, x, &tensor), IRRUN_OK);
    status = irrun_run_set_input(run->run, i, tensor, false, NULL);
  }
  return status;
}

void layer_run_again(model_run *run, const layer_case *c, const void *x) {
  run->status = set_inputs(run, c, x);
  if (run->status == IRRUN_OK)
    run->status = irrun_run_execute(run->run);
  run->values = c->without_values ? NULL : irrun_run_output(run->run, 0);
  run->indices = c->with_indices ? irrun_run_output(run->run, c->without_values ? 0 : 1) : NULL;
}

model_run layer_run_begin(const layer_case *c, const void *x) {
  scratch_model files = scratch_model_make();
  layer_write_files(c, &files);
  model_run run = model_run_read(files.xml, x == NULL ? IRRUN_TO_CHECK : IRRUN_TO_RUN, c->allow);
  assert_non_null(run.model);
  if (x != NULL && run.status == IRRUN_OK) {
    assert_int_equal(irrun_run_create(run.model, &run.run), IRRUN_OK);
    layer_run_again(&run, c, x);
  }
  scratch_model_remove(&files);
  return run;
}
