#include "runtime/edit/remarks.h"
#include "base/limits.h"
#include "irrun_edit.h"
#include "parser/ir_layer_texts.h"
#include "parser/ir_tag.h"
#include "runtime/model/body_models.h"

#include <string.h>

enum { MOST_LEVELS = 256 /* libxml2 reads no deeper text */ };

/* A search for the remarks of a model. */
typedef struct ir_remarks {
  irrun_model *model;
  ir_buffer text; /* the file */
  void *items;    /* irrun_remark, those of the model first, then in the order of the layers */
  size_t n, capacity;
  int64_t path_bytes; /* of the values in the model's <rt_info> */
  ir_code code;       /* of a fault that was reported */
} ir_remarks;

/* ---- keys and values ---- */

static const char *decode(ir_arena *arena, const char *text, int64_t begin, int64_t end) {
  char *decoded = ir_arena_alloc(arena, (size_t)(end - begin) + 1);
  if (decoded != NULL)
    decoded[ir_tag_decode(text + begin, (size_t)(end - begin), decoded)] = '\0';
  return decoded;
}

const char *ir_rt_attribute(ir_arena *arena, const char *text, const ir_element *element, const char *name) {
  int64_t begin, end;
  return ir_element_attribute(text, element, name, &begin, &end) ? decode(arena, text, begin, end) : NULL;
}

const char *ir_rt_key(ir_arena *arena, const char *text, const ir_element *element) {
  const char *name = text + element->begin + 1;
  const size_t length = strcspn(name, " \t\r\n/>");
  int64_t begin, end;
  const bool is_info = length == 4 && memcmp(name, "info", 4) == 0;
  return is_info && ir_element_attribute(text, element, "name", &begin, &end) ? decode(arena, text, begin, end)
                                                                              : ir_arena_text(arena, name, length);
}

/* ---- the search ---- */

static bool add(ir_remarks *r, int64_t layer, int port, const char *path, const char *value) {
  if (path == NULL || value == NULL || !ir_reserve(r->text.memory, &r->items, r->n, &r->capacity, sizeof(irrun_remark)))
    return false;
  ((irrun_remark *)r->items)[r->n++] = (irrun_remark){.layer = layer, .port = port, .path = path, .value = value};
  return true;
}

/* Counts the path of a value, and reports IR004 if all paths are too long: each value has its whole path. */
static bool count_path(ir_remarks *r, size_t bytes, const ir_element *element) {
  const ir_graph *graph = &r->model->graph;
  r->path_bytes += (int64_t)bytes;
  if (r->path_bytes <= IR_MAX_RT_PATHS)
    return true;
  const ir_where where = {.source = graph->source, .at = {element->begin, element->begin + 1}};
  r->code = ir_report(&r->model->context->diags, IR004_LIMIT_EXCEEDED, where,
                      "more than %lld bytes in the paths of the values in <rt_info>", (long long)IR_MAX_RT_PATHS);
  return false;
}

/* Adds the values in the <rt_info> of the model. */
static bool add_tree(ir_remarks *r, const ir_element *rt_info) {
  struct {
    ir_element parent, child;
    size_t length; /* of the path of `parent` */
  } levels[MOST_LEVELS] = {{.parent = *rt_info, .length = strlen("rt_info")}};
  ir_arena *arena = &r->model->arena;
  const char *text = r->text.data;
  ir_buffer path = {.memory = r->text.memory};
  ir_buffer_add_text(&path, "rt_info");
  for (int depth = 0; depth >= 0 && !path.out_of_memory;) {
    ir_element *const child = &levels[depth].child;
    path.n = levels[depth].length;
    if (!ir_next_child(text, &levels[depth].parent, NULL, child)) {
      depth--;
      continue;
    }
    int64_t begin, end;
    const char *key = ir_rt_key(arena, text, child);
    if (key == NULL || !ir_buffer_add_text(&path, "/") || !ir_buffer_add_text(&path, key)) {
      path.out_of_memory = true;
    } else if (ir_element_attribute(text, child, "value", &begin, &end)) {
      if (!count_path(r, path.n, child))
        break;
      if (!add(r, -1, -1, ir_arena_text(arena, path.data, path.n), decode(arena, text, begin, end)))
        path.out_of_memory = true;
    }
    if (depth + 1 < MOST_LEVELS && !path.out_of_memory) {
      levels[++depth].parent = *child;
      levels[depth].child = (ir_element){0};
      levels[depth].length = path.n;
    }
  }
  const bool ok = !path.out_of_memory && r->code == IR_OK;
  ir_buffer_reset(&path);
  return ok;
}

/* Adds the attributes in the <rt_info> of a layer or port, <attribute name="layout" version="0" layout="[N,C]"/>. The
 * value is that of `value` or `layout`. */
static bool add_attributes(ir_remarks *r, int64_t layer, int port, ir_at at) {
  static const char *const values[] = {"value", "layout"};
  ir_arena *arena = &r->model->arena;
  const char *text = r->text.data;
  ir_element element, rt_info = {0}, attribute = {0};
  if (!ir_element_at(text, (int64_t)r->text.n, at.begin, &element) ||
      !ir_next_child(text, &element, "rt_info", &rt_info))
    return true;
  while (ir_next_child(text, &rt_info, "attribute", &attribute)) {
    const char *name = ir_rt_attribute(arena, text, &attribute, "name"), *value = NULL;
    for (size_t i = 0; i < sizeof values / sizeof values[0] && value == NULL; i++)
      value = ir_rt_attribute(arena, text, &attribute, values[i]);
    ir_buffer path = {.memory = r->text.memory};
    ir_buffer_add_text(&path, "rt_info/");
    ir_buffer_add_text(&path, name == NULL ? "" : name);
    const bool ok =
        !path.out_of_memory && add(r, layer, port, ir_arena_text(arena, path.data, path.n), value == NULL ? "" : value);
    ir_buffer_reset(&path);
    if (!ok)
      return false;
  }
  return true;
}

static bool add_graph(ir_remarks *r, const irrun_model *model) {
  const int64_t first = model->first_layer;
  bool ok = true;
  for (size_t i = 0; i < model->graph.n_layers && ok; i++) {
    const ir_layer *layer = &model->graph.layers[i];
    const int64_t number = first + (int64_t)i;
    if (layer->output_names != NULL)
      ok = add(r, number, -1, "output_names", layer->output_names);
    ok = ok && add_attributes(r, number, -1, layer->at);
    for (int32_t p = 0; p < layer->n_outputs && ok; p++) {
      if (layer->outputs[p].names != NULL)
        ok = add(r, number, p, "names", layer->outputs[p].names);
      ok = ok && add_attributes(r, number, p, layer->outputs[p].at);
    }
  }
  return ok;
}

static bool find_remarks(ir_remarks *r) {
  const irrun_model *model = r->model;
  const ir_element root = {.content_end = (int64_t)r->text.n, .end = (int64_t)r->text.n};
  ir_element net = {0}, rt_info = {0};
  bool ok = true;
  if (ir_next_child(r->text.data, &root, "net", &net) && ir_next_child(r->text.data, &net, "rt_info", &rt_info))
    ok = add_tree(r, &rt_info);
  ok = ok && add_graph(r, model);
  for (size_t i = 0; i < model->graph.n_bodies && ok; i++)
    ok = add_graph(r, model->bodies[i]);
  return ok;
}

/* Makes model->remarks. Reports if the file cannot be read again, memory is out, or the paths are too long. */
static void make_remarks(irrun_model *model) {
  ir_diags *diags = &model->context->diags;
  ir_remarks r = {.model = model, .text.memory = &model->context->memory, .code = IR_OK};
  ir_code code = ir_read_text(model->graph.source, &r.text, diags);
  if (code == IR_OK && !find_remarks(&r))
    code = r.code != IR_OK ? r.code : ir_out_of_memory(diags);
  ir_buffer_reset(&r.text);
  ir_free(&model->context->memory, model->remarks); /* of a call that failed */
  model->remarks = r.items;
  model->n_remarks = r.n;
  model->has_remarks = code == IR_OK || r.code != IR_OK; /* those before the fault */
}

bool irrun_model_get_remark(irrun_model *model, int64_t index, irrun_remark *out) {
  if (model->graph.dialect == IR_OPENVINO && !model->has_remarks)
    make_remarks(model);
  return model->has_remarks && index >= 0 && index < (int64_t)model->n_remarks &&
         ir_give_struct(&model->context->diags, &model->remarks[index], sizeof *model->remarks, out) == IR_OK;
}
