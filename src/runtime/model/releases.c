/* irrun_model_check_release: what of a model a release of OpenVINO does not know. */
#include "base/message_text.h"
#include "irrun_debug.h"
#include "runtime/model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct release {
  const char *name;
  int opset;      /* the last opset */
  uint64_t types; /* set of element types of an IR that are new in this release */
} release;

enum { FIRST_OPSET_WITH_IR_11 = 8 };

/* All releases. Opsets: OpenVINO's page "Available Operation Sets" and its
 * packages. Types: found by reading a constant of each with each release from 2023.0 on. */
static const release releases[] = {
    {"2020.1", 1, 0},
    {"2020.2", 2, 0},
    {"2020.3", 2, 0},
    {"2020.4", 3, 0},
    {"2021.1", 4, 0},
    {"2021.2", 5, 0},
    {"2021.3", 6, 0},
    {"2021.4", 7, 0},
    {"2022.1", FIRST_OPSET_WITH_IR_11, 0},
    {"2022.2", 9, 0},
    {"2022.3", 10, 0},
    {"2023.0", 11, 0},
    {"2023.1", 12, 0},
    {"2023.2", 13, IR_SET(IR_NF4)},
    {"2023.3", 13, IR_SET(IR_STRING)},
    {"2024.0", 14, IR_SET(IR_F8E4M3) | IR_SET(IR_F8E5M2)},
    {"2024.1", 14, IR_SET(IR_U2) | IR_SET(IR_U3) | IR_SET(IR_U6)},
    {"2024.2", 15, 0},
    {"2024.3", 15, IR_SET(IR_F8E8M0) | IR_SET(IR_F4E2M1)},
    {"2024.4", 15, 0},
    {"2024.5", 15, 0},
    {"2024.6", 15, 0},
    {"2025.0", 16, 0},
    {"2025.1", 16, 0},
    {"2025.2", 16, 0},
    {"2025.3", 16, 0},
    {"2025.4", 16, 0},
    {"2026.0", 16, 0},
    {"2026.1", 16, 0},
    {"2026.2", 17, 0},
    {"2026.3", 17, 0},
    {"2026.4", 17, 0},
};
enum { N_RELEASES = sizeof releases / sizeof *releases };

typedef struct checking {
  irrun_model *model; /* the model or a body */
  const char *text;   /* the release as it was given */
  const release *release;
  uint64_t unknown; /* element types that the release does not know and that were not reported yet */
  ir_code worst;
} checking;

/* Reads "2023.0" or, of the same release, "2023.0.1". NULL: it is no release of the table. */
static const release *find_release(const char *text) {
  for (size_t i = 0; i < N_RELEASES; i++) {
    const size_t length = strlen(releases[i].name);
    const char *rest = text + length;
    if (strncmp(text, releases[i].name, length) == 0 &&
        (*rest == '\0' || (*rest == '.' && rest[1] != '\0' && strspn(rest, "0123456789.") == strlen(rest))))
      return &releases[i];
  }
  return NULL;
}

static const char *first_with_opset(int opset) {
  for (size_t i = 0; i < N_RELEASES; i++)
    if (releases[i].opset >= opset)
      return releases[i].name;
  return NULL;
}

static const char *first_with_type(ir_type type) {
  for (size_t i = 0; i < N_RELEASES; i++)
    if (ir_type_in(type, releases[i].types))
      return releases[i].name;
  return NULL;
}

/* The number of a layer's opset; 0: it belongs to an extension. */
static int opset_of(const ir_layer *layer) {
  int opset = 0;
  return sscanf(layer->opset, "opset%d", &opset) == 1 ? opset : 0;
}

/* Counts the layers of the same op, in the model and its bodies. 0: an earlier layer was counted with it. */
static int64_t count_alike(const irrun_model *whole, const ir_layer *layer) {
  int64_t n = 0;
  for (size_t m = 0; m <= whole->graph.n_bodies; m++) {
    const ir_graph *graph = m == 0 ? &whole->graph : &whole->bodies[m - 1]->graph;
    for (size_t i = 0; i < graph->n_layers; i++) {
      const ir_layer *other = &graph->layers[i];
      if (strcmp(other->type, layer->type) != 0 || strcmp(other->opset, layer->opset) != 0)
        continue;
      if (n == 0 && other != layer)
        return 0;
      n++;
    }
  }
  return n;
}

static void check_op(checking *c, const irrun_model *whole, const ir_layer *layer) {
  const int opset = opset_of(layer);
  const int64_t n = opset > c->release->opset ? count_alike(whole, layer) : 0;
  if (n == 0)
    return;
  const char *first = first_with_opset(opset);
  ir_code code = ir_report(&c->model->context->diags, IR215_NEWER_THAN_RELEASE,
                           ir_layer_where(&c->model->graph, layer, layer->opset_at),
                           "OpenVINO %s has no '%s' of %s, here in %s: its last is opset%d", c->text, layer->type,
                           layer->opset, ir_count(n, "layer").text, c->release->opset);
  if (first != NULL)
    ir_hint(&c->model->context->diags, "the first release with %s is %s", layer->opset, first);
  c->worst = code != IR_OK ? code : c->worst;
}

static void check_types(checking *c, const ir_node *node) {
  for (int32_t p = 0; p < node->n_outputs; p++) {
    const ir_type type = node->outputs[p].type;
    if (!ir_type_in(type, c->unknown))
      continue;
    ir_code code = ir_report(&c->model->context->diags, IR215_NEWER_THAN_RELEASE,
                             ir_layer_where(&c->model->graph, node->layer, node->layer->at),
                             "OpenVINO %s has no element type %s", c->text, ir_type_name(type));
    ir_hint(&c->model->context->diags, "the first release with it is %s", first_with_type(type));
    c->unknown &= ~IR_SET(type);
    c->worst = code != IR_OK ? code : c->worst;
  }
}

static void check_layers(checking *c, const irrun_model *whole) {
  for (size_t i = 0; i < c->model->graph.n_layers; i++) {
    check_op(c, whole, &c->model->graph.layers[i]);
    check_types(c, &c->model->nodes[i]);
  }
}

/* Returns the release's name without the prefix "openvino-". */
static const char *name_of(const char *text) {
  static const char prefix[] = "openvino-";
  return strncmp(text, prefix, sizeof prefix - 1) == 0 ? text + sizeof prefix - 1 : text;
}

irrun_status irrun_context_check_release(irrun_context *context, const char *text) {
  char list[N_RELEASES * sizeof "2020.1 to"] = "";
  size_t used = 0;
  if (find_release(name_of(text)) != NULL)
    return IRRUN_OK;
  for (size_t i = 0, first = 0; i < N_RELEASES; i++) {
    if (i + 1 < N_RELEASES && strncmp(releases[i].name, releases[i + 1].name, 4) == 0)
      continue;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s to %s", first > 0 ? ", " : "", releases[first].name,
                             releases[i].name);
    first = i + 1;
  }
  ir_code code = ir_report(&context->diags, IR801_COMMAND_LINE, (ir_where){.at = IR_NOWHERE},
                           "'%s' is no release of OpenVINO that irrun knows", text);
  ir_hint(&context->diags, "give one of %s, as openvino-2023.0", list);
  return ir_status(code);
}

irrun_status irrun_model_check_release(irrun_model *model, const char *text) {
  const char *name = name_of(text);
  checking c = {.model = model, .text = name, .release = find_release(name), .worst = IR_OK};
  ir_diags *diags = &model->context->diags;
  const ir_where root = {.source = model->graph.source, .at = ir_span_of(model->graph.at)};
  if (c.release == NULL)
    return irrun_context_check_release(model->context, text);
  if (model->graph.dialect == IR_NGRAPH)
    return ir_status(ir_report(diags, IR215_NEWER_THAN_RELEASE, root,
                               "no release of OpenVINO reads nGraph's JSON: convert the model to an IR"));
  if (model->graph.version == 11 && c.release->opset < FIRST_OPSET_WITH_IR_11) {
    c.worst = ir_report(diags, IR215_NEWER_THAN_RELEASE, root, "OpenVINO %s does not read IR version 11", name);
    ir_hint(diags, "the first release that does is %s", first_with_opset(FIRST_OPSET_WITH_IR_11));
  }
  for (const release *later = c.release + 1; later < releases + N_RELEASES; later++)
    c.unknown |= later->types;
  check_layers(&c, model);
  for (size_t i = 0; i < model->graph.n_bodies; i++) {
    c.model = model->bodies[i];
    check_layers(&c, model);
  }
  return ir_status(c.worst);
}
