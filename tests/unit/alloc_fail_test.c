/* Lets the n-th allocation fail, for every n. The call then returns IRRUN_IO (exit status 6) without a crash or a
 * leak. */
#include "irrun_debug.h"
#include "irrun_edit.h"
#include "irrun_state.h"
#include "layer_run.h"
#include "model_text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define MAX_BYTES 40000 /* bytes of an input */

typedef struct failing {
  int64_t n_calls, fail_at, n_live;
} failing;

static void *failing_alloc(void *user, size_t bytes) {
  failing *f = user;
  if (++f->n_calls == f->fail_at)
    return NULL;
  void *block = malloc(bytes);
  f->n_live += block != NULL;
  return block;
}

static void failing_release(void *user, void *block) {
  failing *f = user;
  f->n_live -= block != NULL;
  free(block);
}

/* A use of a model: its file, the generated layer in the file (NULL: the file is shipped), and the status if no
 * allocation fails. */
typedef struct model_way {
  const char *path;
  const scratch_folder *folder;
  const layer_case *layer;
  irrun_status status;
  bool converts;        /* the model is converted to IR instead of run */
  const char *edits[2]; /* what is done to the model before it is written; NULL: nothing */
} model_way;

static irrun_status set_inputs(irrun_context *context, irrun_run *run, const model_way *way) {
  static const uint64_t zeros[MAX_BYTES / sizeof(uint64_t)];
  bool list = way->layer != NULL && way->layer->list_at_run_time;
  irrun_status status = IRRUN_OK;
  for (int i = 0; i <= list && status == IRRUN_OK; i++) {
    irrun_tensor *tensor = NULL;
    status = way->layer == NULL ? irrun_tensor_fill(context, "iota", IRRUN_F32, 4, (int64_t[]){1, 1, 4, 4}, &tensor)
                                : layer_make_input(context, way->layer, i, zeros, &tensor);
    if (status == IRRUN_OK)
      status = irrun_run_set_input(run, i, tensor, false, "x.npy");
  }
  return status;
}

static irrun_status run_model(irrun_context *context, irrun_model *model, const model_way *way) {
  irrun_run *run = NULL;
  irrun_status status = irrun_run_create(model, &run);
  irrun_model_info info = {.size = sizeof info};
  irrun_sizes sizes = {.size = sizeof sizes};
  assert_true(irrun_model_get_info(model, &info));
  if (status == IRRUN_OK && !irrun_model_get_sizes(model, &sizes))
    status = IRRUN_IO;
  if (status == IRRUN_OK)
    status = set_inputs(context, run, way);
  if (status == IRRUN_OK)
    status = irrun_run_execute(run);
  for (int64_t i = 0; status == IRRUN_OK && i < info.n_outputs; i++) {
    const char *path = scratch_path(way->folder, "y.npy");
    status = irrun_tensor_write(context, irrun_run_output(run, i), "y", path);
    if (status == IRRUN_OK)
      unlink(path);
  }
  if (status == IRRUN_OK)
    status = irrun_run_show(run, "layout");
  irrun_run_free(run);
  return status;
}

/* Converts the model and removes the output files. If the conversion fails, no output file may exist. */
static irrun_status convert_model(irrun_model *model, const model_way *way) {
  const char *const xml = scratch_path(way->folder, "out.xml"), *const bin = scratch_path(way->folder, "out.bin");
  irrun_conversion converted = {.size = sizeof converted};
  irrun_edit *edit = NULL;
  irrun_status status = way->edits[0] == NULL ? irrun_model_convert(model, xml, &converted)
                                              : irrun_edit_create(model, way->edits, 2, "edited.xml", &edit);
  irrun_remark remark = {.size = sizeof remark};
  if (status == IRRUN_OK && edit != NULL && !irrun_model_get_remark(irrun_edit_get_model(edit), 0, &remark))
    status = IRRUN_IO;
  if (status == IRRUN_OK && edit != NULL)
    status = irrun_edit_write(edit, xml, &converted);
  const bool has_xml = unlink(xml) == 0, has_bin = unlink(bin) == 0;
  assert_int_equal(has_xml, status == IRRUN_OK);
  assert_int_equal(has_bin, converted.weights != NULL);
  irrun_edit_free(edit);
  return status;
}

/* Reads the model, runs or converts it, and writes the output. */
static irrun_status all_of_it(failing *f, const model_way *way) {
  irrun_allocator allocator = {.size = sizeof allocator, .alloc = failing_alloc, .release = failing_release, .user = f};
  irrun_context *context = irrun_context_create(&allocator);
  if (context == NULL)
    return IRRUN_IO;
  irrun_model *model = NULL;
  irrun_status status = IRRUN_OK;
  if (way->layer != NULL && way->layer->allow != NULL)
    status = irrun_context_allow(context, way->layer->allow);
  if (status == IRRUN_OK)
    status = irrun_model_read(context, way->path, NULL, way->converts ? IRRUN_TO_CONVERT : IRRUN_TO_RUN, &model);
  if (status == IRRUN_OK)
    status = way->converts ? convert_model(model, way) : run_model(context, model, way);
  if (status != irrun_context_worst(context))
    fail_msg("allocation %lld fails: returned %d, the context says %d", (long long)f->fail_at, (int)status,
             (int)irrun_context_worst(context));
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  if (status != IRRUN_OK)
    assert_true(irrun_context_get_diagnostic(context, 0, &diagnostic));
  irrun_model_free(model);
  irrun_context_free(context);
  return status;
}

static void fail_every_allocation(const model_way *way) {
  char layer[640] = "";
  if (way->layer != NULL)
    layer_text(way->layer, layer, sizeof layer);
  bool done = false;
  for (int64_t n = 1; !done; n++) {
    failing f = {.fail_at = n};
    irrun_status status = all_of_it(&f, way);
    done = f.n_calls < n;
    if (status != way->status && (done || status != IRRUN_IO))
      fail_msg("%s: allocation %lld fails: status %d", layer, (long long)n, (int)status);
    if (f.n_live != 0)
      fail_msg("%s: allocation %lld fails: %lld blocks are lost", layer, (long long)n, (long long)f.n_live);
    assert_true(n < 100000);
  }
}

static void fail_every_allocation_of_layer(const layer_case *c, irrun_status status) {
  scratch_model files = scratch_model_make();
  layer_write_files(c, &files);
  fail_every_allocation(&(model_way){.path = files.xml, .folder = &files.folder, .layer = c, .status = status});
  scratch_model_remove(&files);
}

static void a_pool_survives(void **state) {
  (void)state;
  scratch_folder folder = scratch_folder_make();
  fail_every_allocation(&(model_way){.path = IRRUN_SOURCE_DIR "/models/demo/pool.xml", .folder = &folder});
  scratch_folder_remove(&folder);
}

/* ---- the pooling family ---- */

/* Makes a pool of [1,2,4,4]. Its windows span 3 elements and extend into the padding and past it. The shape in the file
 * is partly open. */
static layer_case window_layer(naive_op op) {
  layer_case c = {
      .opset = 16, .shape = "?,2,..9,4..", .layer = {.op = op, .type = IR_F16, .rank = 4, .in = {1, 2, 4, 4}}};
  c.layer.windows[0] = c.layer.windows[1] = (naive_window){2, 3, 2, 1, 1};
  c.layer.rounding = NAIVE_CEIL;
  return c;
}

static void an_average_pool_survives(void **state) {
  (void)state;
  layer_case c = window_layer(NAIVE_AVG_POOL); /* reports a note about the divisor */
  fail_every_allocation_of_layer(&c, IRRUN_OK);
  c.layer.exclude_pad = true;
  c.layer.type = IR_I64;
  c.shape = NULL;
  fail_every_allocation_of_layer(&c, IRRUN_OK);
}

static void a_maximum_pool_survives(void **state) {
  (void)state;
  layer_case c = window_layer(NAIVE_MAX_POOL);
  c.layer.windows[0] = (naive_window){1, 3, 1, 0, 2}; /* one window is empty */
  c.with_indices = c.index_i32 = true;
  c.layer.axis = -1;
  fail_every_allocation_of_layer(&c, IRRUN_OK);
  c.without_values = true;
  fail_every_allocation_of_layer(&c, IRRUN_OK);
  c.without_values = c.with_indices = false;
  c.layer.type = IR_BOOLEAN;
  fail_every_allocation_of_layer(&c, IRRUN_OK);
}

static void adaptive_pools_survive(void **state) {
  (void)state;
  layer_case c = {
      .opset = 8, .layer = {.type = IR_I32, .rank = 4, .in = {1, 2, 4, 4}, .sizes = {3, 2}}, .allow = "IR306"};
  for (int i = 0; i < 4; i++) {
    c.layer.op = i < 2 ? NAIVE_ADAPTIVE_AVG_POOL : NAIVE_ADAPTIVE_MAX_POOL;
    c.with_indices = i == 3;
    c.list_at_run_time = i % 2 == 1;
    c.shape = i % 2 == 1 ? "1,2,?,?" : NULL;
    fail_every_allocation_of_layer(&c, IRRUN_OK);
  }
}

static void reductions_survive(void **state) {
  (void)state;
  layer_case c = {.opset = 1, .layer = {.type = IR_BF16, .rank = 3, .in = {2, 3, 4}}, .n_axes = 2, .axes = {-1, 0}};
  for (int i = 0; i < 4; i++) {
    c.layer.op = i < 2 ? NAIVE_REDUCE_MEAN : NAIVE_REDUCE_MAX;
    c.layer.keep_dims = i == 2;
    c.list_at_run_time = i % 2 == 1;
    c.shape = i % 2 == 1 ? "?,3,4" : NULL;
    fail_every_allocation_of_layer(&c, IRRUN_OK);
  }
}

/* The layer has so many windows that each list of windows is a separate allocation. */
static void layers_of_many_windows_survive(void **state) {
  (void)state;
  for (naive_op op = NAIVE_AVG_POOL; op <= NAIVE_REDUCE_MAX; op++) {
    layer_case c = {.opset = 14, .layer = {.op = op, .type = IR_F16, .rank = 3, .in = {1, 1, 20000}, .sizes = {15000}}};
    c.layer.windows[0] = (naive_window){2, 1, 1, 0, 0};
    c.with_indices = op == NAIVE_MAX_POOL || op == NAIVE_ADAPTIVE_MAX_POOL;
    c.n_axes = 1;
    fail_every_allocation_of_layer(&c, IRRUN_OK);
  }
}

/* Lets memory run out during a check's or run's report of a fault. */
static void faults_survive(void **state) {
  (void)state;
  layer_case c = window_layer(NAIVE_MAX_POOL);
  c.layer.windows[0].kernel = c.layer.windows[1].kernel = 9;
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c.shape = "?,2,?,4..";
  fail_every_allocation_of_layer(&c, IRRUN_BAD_DATA);
  c.shape = NULL;
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c = window_layer(NAIVE_AVG_POOL);
  c.layer.exclude_pad = true;
  c.layer.windows[0].pad_begin = c.layer.windows[1].pad_end = 9;
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c = window_layer(NAIVE_MAX_POOL);
  c.with_indices = c.index_i32 = true;
  c.shape = "4294967296..,2,4,4";
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c.layer.axis = 4;
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c = (layer_case){.opset = 8, .layer = {.op = NAIVE_ADAPTIVE_MAX_POOL, .rank = 3, .in = {1, 1, 3}, .sizes = {-1}}};
  c.layer.type = IR_F32;
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c = (layer_case){.opset = 1, .layer = {.op = NAIVE_REDUCE_MAX, .type = IR_F32, .rank = 2, .in = {2, 2}}};
  c.n_axes = 2;
  fail_every_allocation_of_layer(&c, IRRUN_INVALID);
  c.list_at_run_time = true;
  fail_every_allocation_of_layer(&c, IRRUN_BAD_DATA);
}

/* ---- ops that move elements ---- */

static void write_move(FILE *file, int id, const char *type, const char *data, int n_inputs, const char *dims) {
  fprintf(file, "<layer id=\"%d\" name=\"l%d\" type=\"%s\" version=\"opset1\">%s<input>", id, id, type, data);
  for (int i = 0; i < n_inputs; i++)
    fprintf(file, "<port id=\"%d\">%s</port>", i, i == 4 ? dims : "");
  fprintf(file, "</input><output><port id=\"9\" precision=\"FP32\"/></output></layer>");
}

/* Writes n edges into layer `to`. Layers below 4 are inputs and constants, whose output port is 0. Later layers have
 * output port 9. */
static void write_edges(FILE *file, int to, int n, const int *from) {
  for (int i = 0; i < n; i++)
    model_edge(file, from[i], from[i] < 4 ? 0 : 9, to, i);
}

/* Writes a model that concatenates x six times, transposes, and so on. `declared` are the Concat's declared dims. */
static void write_moves(const scratch_model *files, const char *declared) {
  FILE *file = model_begin(files->xml);
  model_parameter(file, 0, "x", IR_F32, "?,1,4,4");
  model_const(file, 1, "first", IR_I64, "1", 0, 8);
  model_const(file, 2, "target", IR_I64, "2", 8, 16);
  model_const(file, 3, "reversed", IR_I64, "0", 24, 0);
  write_move(file, 4, "Concat", "<data axis=\"1\"/>", 6, declared);
  write_move(file, 5, "Transpose", "", 2, "");
  write_move(file, 6, "Unsqueeze", "", 2, "");
  write_move(file, 7, "Squeeze", "", 2, "");
  write_move(file, 8, "Reshape", "<data special_zero=\"true\"/>", 2, "");
  model_result(file, 9, "y");
  model_edges(file);
  write_edges(file, 4, 6, (const int[]){0, 0, 0, 0, 0, 0});
  write_edges(file, 5, 2, (const int[]){4, 3});
  write_edges(file, 6, 2, (const int[]){5, 1});
  write_edges(file, 7, 2, (const int[]){6, 1});
  write_edges(file, 8, 2, (const int[]){7, 2});
  write_edges(file, 9, 1, (const int[]){8});
  model_end(file);
  const int64_t lists[3] = {0, 4, -1};
  scratch_write(files->bin, lists, sizeof lists);
}

static void moves_survive(void **state) {
  (void)state;
  scratch_model files = scratch_model_make();
  model_way way = {.path = files.xml, .folder = &files.folder};
  write_moves(&files, "");
  fail_every_allocation(&way);
  write_moves(&files, "<dim>1</dim><dim>7</dim><dim>4</dim><dim>4</dim>");
  way.status = IRRUN_INVALID;
  fail_every_allocation(&way);
  scratch_model_remove(&files);
}

/* ---- conversions ---- */

static void a_corrected_model_survives(void **state) {
  (void)state;
  scratch_model files = scratch_model_make();
  write_moves(&files, "<dim>1</dim><dim>7</dim>");
  fail_every_allocation(&(model_way){.path = files.xml, .folder = &files.folder, .converts = true});
  scratch_model_remove(&files);
}

static void a_translated_model_survives(void **state) {
  (void)state;
  scratch_folder folder = scratch_folder_make();
  const char *path = IRRUN_SOURCE_DIR "/models/ngraph/old_spelling.json";
  fail_every_allocation(&(model_way){.path = path, .folder = &folder, .converts = true});
  scratch_folder_remove(&folder);
}

static void an_edited_model_survives(void **state) {
  (void)state;
  scratch_folder folder = scratch_folder_make();
  const char *path = IRRUN_SOURCE_DIR "/models/networks/digits.xml";
  fail_every_allocation(&(model_way){
      .path = path,
      .folder = &folder,
      .converts = true,
      .edits = {"image: u8 nhwc resize=?,? reverse mean=1 scale=2 batch=? rename=a,b", "probability: drop"}});
  fail_every_allocation(&(model_way){.path = path,
                                     .folder = &folder,
                                     .converts = true,
                                     .edits = {"model: weights=int8_asym rt_info/a/b=c", "layer match: output=f"}});
  scratch_folder_remove(&folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pool_survives),
      cmocka_unit_test(an_average_pool_survives),
      cmocka_unit_test(a_maximum_pool_survives),
      cmocka_unit_test(adaptive_pools_survive),
      cmocka_unit_test(reductions_survive),
      cmocka_unit_test(layers_of_many_windows_survive),
      cmocka_unit_test(faults_survive),
      cmocka_unit_test(moves_survive),
      cmocka_unit_test(a_corrected_model_survives),
      cmocka_unit_test(a_translated_model_survives),
      cmocka_unit_test(an_edited_model_survives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
