#include "runtime/infer/walk.h"
#include "ops/const.h"
#include "runtime/infer/contents.h"
#include "runtime/infer/declared.h"
#include "runtime/infer/infer.h"
#include "runtime/infer/variables.h"
#include "runtime/model/body_models.h"
#include "runtime/model/narrow.h"
#include <string.h>

/* Name of the attribute that sets the type of the outputs, such as a Parameter's or Convert's. NULL: there is none. */
static const char *type_attribute(const ir_op *op) {
  for (const ir_attr_spec *spec = op->attrs; spec != NULL && spec->name != NULL; spec++)
    if (spec->kind == IR_ATTR_TYPE)
      return spec->name;
  return NULL;
}

/* Before a run or a conversion, reports an element type that tensors cannot have, at the layer that introduces it. */
static void check_storable(irrun_model *model, const ir_node *node) {
  if (model->purpose == IRRUN_TO_CHECK || node->op == NULL || node->n_outputs == 0 || node->outputs[0].poisoned)
    return;
  ir_type type = node->outputs[0].type;
  /* If a Parameter leaves the type open, a run uses the type of the input tensor. */
  if (type == IR_DYNAMIC && ir_op_is(node->op, IR_RUN_INPUT) && model->purpose == IRRUN_TO_RUN && model->owner == NULL)
    return;
  const char *attribute = ir_type_in(type, IR_SET_HELD) ? NULL : type_attribute(node->op);
  if (attribute == NULL)
    return;
  ir_scope scope = ir_model_scope(model);
  ir_where where = ir_attr_where(&scope, node, attribute);
  if (type == IR_DYNAMIC)
    ir_report(scope.diags, IR210_NOT_RUNNABLE_HERE, where, "the element type is not given; irrun needs to know it");
  else
    ir_report(scope.diags, IR210_NOT_RUNNABLE_HERE, where, "irrun does not compute with elements of type %s",
              ir_type_name(type));
}

/* ---- unavailable contents ---- */

/* Whether constants have no contents: the offsets are shifted (is_shifted), or a check lacks the .bin. A run or a
 * conversion reports a missing .bin with the first constant that it reads. */
static bool lacks_bin(const irrun_model *model) {
  ir_weights *weights = model->graph.weights;
  if (weights != NULL && weights->is_shifted)
    return true;
  return model->graph.dialect == IR_OPENVINO && model->purpose == IRRUN_TO_CHECK &&
         (weights == NULL || !ir_weights_open(weights));
}

/* Sets contents_unavailable of all outputs if the node is a constant without contents, an op that inference cannot
 * compute, or has an input with unavailable contents. */
static void mark_unavailable(const irrun_model *model, const ir_node *node, const ir_value *const *in,
                             ir_value *outputs) {
  bool unavailable = (ir_op_is(node->op, IR_RUN_CONSTANT) && lacks_bin(model)) ||
                     (ir_op_is_computed(node->op) && !ir_op_is(node->op, IR_RUN_PREPARED));
  for (int32_t i = 0; i < node->n_inputs; i++)
    unavailable = unavailable || (in[i]->contents_unavailable && in[i]->contents == NULL);
  for (int32_t p = 0; p < node->n_outputs; p++)
    outputs[p].contents_unavailable = unavailable;
}

/* The last node that was inferred without reports. A node with the same op, params and input has the same outputs, so
 * it is not inferred. */
typedef struct inferred_last {
  const ir_node *node;
  const ir_value *in;
} inferred_last;

static bool is_same(const inferred_last *last, const ir_node *node, const ir_value *const *in) {
  const ir_node *other = last->node;
  return other != NULL && node->n_inputs == 1 && in[0] == last->in && node->op == other->op &&
         node->params == other->params && node->outputs_read == other->outputs_read && node->attrs_at_fault == 0 &&
         !ir_node_is_broken(node);
}

/* Compares field by field: padding, and dims beyond the rank, can have any bytes. */
static bool same_values(const ir_value *a, const ir_value *b, int32_t n) {
  for (int32_t i = 0; i < n; i++)
    if (a[i].type != b[i].type || a[i].layout != b[i].layout || a[i].is_constant != b[i].is_constant ||
        a[i].poisoned != b[i].poisoned || !ir_shapes_equal(&a[i].shape, &b[i].shape) ||
        a[i].contents != b[i].contents || a[i].is_contents_copy != b[i].is_contents_copy ||
        a[i].reads_input != b[i].reads_input || a[i].ranges != b[i].ranges ||
        a[i].contents_unavailable != b[i].contents_unavailable)
      return false;
  return true;
}

/* Infers a node. If the node's outputs equal those of `last`, both share them. If `last` is NULL, nothing is shared, so
 * the node can be inferred again into the same memory. */
static ir_code infer_one(irrun_model *model, ir_node *node, const ir_value **in, inferred_last *last, bool is_again,
                         ir_scope *scope) {
  if (last != NULL && is_same(last, node, in)) {
    node->outputs = last->node->outputs;
    return IR_OK;
  }
  const ir_diags *diags = scope->diags;
  int64_t raised = diags->n_raised;
  size_t bytes = (size_t)node->n_outputs * sizeof *node->outputs;
  ir_value few[IR_MAX_OP_PORTS];
  ir_value *inferred = node->n_outputs > IR_MAX_OP_PORTS ? ir_arena_alloc(&model->arena, bytes) : few;
  if (inferred == NULL)
    return ir_out_of_memory(scope->diags);
  memset(inferred, 0, bytes);
  ir_value *before = node->outputs;
  node->outputs = inferred;
  /* without an error before, such as an allowed IR302, the refusal has to be reported */
  const bool is_echo = diags->status != IR_OK && ir_refusal_is_echo(model, node, in);
  scope->diags->muted += is_echo;
  ir_code code = ir_infer_node(node, in, scope);
  scope->diags->muted -= is_echo;
  mark_unavailable(model, node, in, inferred);
  bool assumed = ir_assume_declared(model, node, in);
  bool silent = raised == diags->n_raised;
  if (diags->status != IR_OK && (!silent || is_echo || ir_node_is_broken(node)))
    ir_go_on_as_declared(model, node);
  bool computed =
      ir_op_is_computed(node->op); /* outputs of a constant are not shared, because contents can be added to them */
  bool shared = computed && last != NULL && last->node != NULL && last->node->n_outputs == node->n_outputs &&
                same_values(last->node->outputs, inferred, node->n_outputs);
  if (is_again)
    node->outputs = before;
  else
    node->outputs = shared ? last->node->outputs : ir_arena_alloc(&model->arena, bytes);
  if (node->outputs == NULL) {
    node->outputs = model->poisoned_outputs;
    return ir_out_of_memory(scope->diags);
  }
  if (!shared)
    memcpy(node->outputs, inferred, bytes);
  if (last != NULL)
    *last = computed && silent && !assumed && node->n_inputs == 1 ? (inferred_last){node, in[0]}
                                                                  : (inferred_last){NULL, NULL};
  return code;
}

/* ---- the walk ---- */

/* A model or body that is being inferred, and the current node. */
typedef struct frame {
  irrun_model *model;
  size_t at; /* position in the model's order */
  const ir_value **in;
  bool is_gathered; /* `in` holds the inputs of the current node */
  inferred_last last;
  ir_contents contents;
  int round, body; /* `body`: the body of the current node to infer next; `round`: number of completed rounds over its
                      bodies */
  bool is_again;   /* the body was inferred before: infer it without reports, into the same memory */
} frame;

typedef struct walk {
  frame frames[IR_MAX_BODY_DEPTH + 1]; /* the model of a frame is a body of the current node of the frame before */
  int n;
  int64_t again_left; /* number of nodes that can still be inferred again; initially IR_MAX_AGAIN */
} walk;

static ir_code push(walk *w, irrun_model *model) {
  frame *f = &w->frames[w->n];
  ir_scope scope = ir_model_scope(model);
  *f = (frame){.model = model, .is_again = model->was_inferred};
  f->in = ir_alloc_zero(scope.memory, ir_most_inputs(model->nodes, model->graph.n_layers) + 1, sizeof *f->in);
  if (f->in == NULL)
    return ir_out_of_memory(scope.diags);
  f->contents = ir_contents_begin(model->nodes, model->graph.n_layers, &scope);
  if (w->n > 0)
    f->contents.work_left = w->frames[w->n - 1].contents.work_left;
  scope.diags->muted += f->is_again;
  w->n++;
  return IR_OK;
}

static void pop(walk *w) {
  frame *f = &w->frames[--w->n];
  irrun_model *model = f->model;
  model->context->diags.muted -= f->is_again;
  model->was_inferred = true;
  if (w->n > 0)
    w->frames[w->n - 1].contents.work_left = f->contents.work_left;
  ir_contents_end(&f->contents);
  ir_free(&model->context->memory, f->in);
}

/* Sets ir_body.results to the values that feed the body's Results. */
static void hand_out(const irrun_model *model) {
  ir_body *bodies = model->owner->bodies;
  for (int32_t i = 0; bodies != NULL && i < model->n_outputs; i++) {
    const ir_node *result = &model->nodes[model->outputs[i]];
    const ir_value **to = &bodies[model->graph.number].results[i];
    if (result->n_inputs > 0)
      ir_gather_inputs(model->nodes, result, to);
    else
      *to = ir_poisoned_value();
  }
}

/* Compares a body's Parameter with the value that enters it. Another shape is a warning, because OpenVINO uses the
 * value's shape. Another type is an error, because OpenVINO keeps the Parameter's type. */
static void compare_given(irrun_model *model, const ir_node *node, const ir_body_param *param) {
  const ir_value *own = &node->outputs[0], *given = &param->value;
  ir_scope scope = ir_model_scope(model);
  char shape[2][IR_SHAPE_TEXT];
  const ir_layer *layer = model->owner->layer;
  const bool types_differ = own->type != IR_DYNAMIC && given->type != IR_DYNAMIC && own->type != given->type;
  if (types_differ)
    ir_report_firm(scope.diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_attr_where(&scope, node, "element_type"),
                   "the Parameter is %s, and what it gets is %s", ir_type_name(own->type), ir_type_name(given->type));
  else if (!ir_shapes_meet(&own->shape, &given->shape))
    ir_report_as(scope.diags, IR301_DECLARED_SHAPE_DIFFERS, IR_WARNING, ir_attr_where(&scope, node, "shape"),
                 "the Parameter declares %s, and what it gets is %s",
                 ir_shape_text(&own->shape, shape[0], sizeof shape[0]),
                 ir_shape_text(&given->shape, shape[1], sizeof shape[1]));
  else
    return;
  if (param->port >= 0)
    ir_note(scope.diags, ir_layer_where(&model->outer->graph, layer, layer->inputs[param->port].at),
            "that is input %d of layer '%s' (id %lld)", param->port, layer->name, (long long)layer->id);
}

/* Sets the shape of a body's Parameter to that of the value that enters it, and compares both shapes and types. */
static void take_given(irrun_model *model, ir_node *node) {
  const ir_body *bodies = model->owner == NULL ? NULL : model->owner->bodies;
  if (bodies == NULL || node->outputs[0].poisoned)
    return;
  const int32_t i = ir_model_input_number(model, ir_node_index(model, node));
  const ir_body_param *param = &bodies[model->graph.number].params[i];
  if (!param->is_given)
    return;
  if (!param->value.poisoned)
    compare_given(model, node, param);
  node->outputs[0].shape = param->value.shape;
  node->outputs[0].poisoned = param->value.poisoned;
}

/* Finds the contents of the value that feeds a Loop's condition Result. */
static ir_code want_condition(frame *f) {
  const irrun_model *model = f->model;
  const ir_body *bodies = model->owner == NULL ? NULL : model->owner->bodies;
  const int32_t condition = bodies == NULL ? -1 : bodies[model->graph.number].condition;
  if (condition < 0)
    return IR_OK;
  const ir_node *result = &model->nodes[model->outputs[condition]];
  return result->n_inputs > 0 ? ir_contents_want_input(&f->contents, result, 0) : IR_OK;
}

static bool has_enterable_bodies(const ir_node *node) {
  return node->op != NULL && node->bodies != NULL && !ir_node_is_broken(node) && !node->in_cycle;
}

/* After too many rounds, sets the shapes of all Results to unknown, because each further round can change a shape. */
static ir_code give_up(const ir_node *node, irrun_model *model) {
  for (int b = 0; b < node->op->run.bodies->n_bodies; b++)
    for (int32_t i = 0; i < node->bodies[b].n_results; i++) {
      ir_value *open = ir_arena_alloc(&model->arena, sizeof *open);
      if (open == NULL)
        return ir_out_of_memory(&model->context->diags);
      *open = *node->bodies[b].results[i];
      open->shape = ir_shape_unknown();
      node->bodies[b].results[i] = open;
    }
  return IR_OK;
}

/* Sets `*out_body` to the next body to infer before the current node; NULL: there is none. */
static ir_code next_body(const walk *w, frame *f, ir_node *node, irrun_model **out_body) {
  const ir_body_rule *rule = node->op->run.bodies;
  ir_scope scope = ir_model_scope(f->model);
  if (f->body == rule->n_bodies) {
    f->body = 0;
    f->round++;
  }
  *out_body = NULL;
  if (f->body == 0 && f->round > 0 && w->again_left <= 0)
    return give_up(node, f->model);
  if (f->body > 0 || rule->enter(node, f->in, f->round, &scope))
    *out_body = ir_body_model(f->model, node, f->body++);
  return IR_OK;
}

static ir_code infer_node(walk *w, frame *f, ir_node *node) {
  irrun_model *model = f->model;
  ir_scope scope = ir_model_scope(model);
  ir_code code;
  if (node->op != NULL && node->n_outputs > 0)
    code = infer_one(model, node, f->in, model->owner == NULL ? &f->last : NULL, f->is_again, &scope);
  else
    code = ir_infer_node(node, f->in, &scope);
  if (ir_op_is(node->op, IR_RUN_INPUT) && code == IR_OK) {
    if (!f->is_again)
      ir_check_parameter_port(model, node);
    take_given(model, node);
    ir_narrow_input(model, node);
  }
  w->again_left -= f->is_again;
  if (f->is_again)
    return code;
  check_storable(model, node);
  /* do not compare unneeded layers of a body: OpenVINO's writer leaves wrong sizes there */
  if (!node->broken && (model->owner == NULL || node->live))
    ir_compare_declared(model, node, f->in);
  return code;
}

static ir_code gather(frame *f, const ir_node *node) {
  ir_code code = f->is_gathered ? IR_OK : ir_contents_want(&f->contents, node);
  ir_gather_inputs(f->model->nodes, node, f->in);
  f->is_gathered = true;
  return code;
}

/* Infers the current node, or enters one of its bodies. */
static ir_code step(walk *w) {
  frame *f = &w->frames[w->n - 1];
  ir_node *node = &f->model->nodes[f->model->order[f->at]];
  ir_code code = gather(f, node);
  irrun_model *body = NULL;
  if (code == IR_OK && has_enterable_bodies(node))
    code = next_body(w, f, node, &body);
  if (body != NULL)
    return push(w, body);
  /* A constant in a body is inferred only once. */
  if (code == IR_OK && !(f->is_again && ir_op_is(node->op, IR_RUN_CONSTANT)))
    code = infer_node(w, f, node);
  f->at++;
  f->round = f->body = 0;
  f->is_gathered = false;
  return code;
}

static ir_code end(walk *w) {
  frame *f = &w->frames[w->n - 1];
  ir_code code = want_condition(f);
  if (f->model->owner != NULL)
    hand_out(f->model);
  if (code == IR_OK && !f->is_again)
    code = ir_check_variables(f->model);
  pop(w);
  return code;
}

static ir_code walk_from(walk *w, irrun_model *model) {
  ir_code code = push(w, model);
  while (w->n > 0 && code == IR_OK)
    code = w->frames[w->n - 1].at < w->frames[w->n - 1].model->graph.n_layers ? step(w) : end(w);
  while (w->n > 0)
    pop(w);
  return code;
}

ir_code ir_model_walk(irrun_model *model) {
  walk *w = ir_alloc_zero(&model->context->memory, 1, sizeof *w);
  if (w == NULL)
    return ir_out_of_memory(&model->context->diags);
  w->again_left = IR_MAX_AGAIN;
  ir_code code = walk_from(w, model);
  /* infer the bodies that the walk did not enter, because their layers are at fault */
  for (size_t i = 0; i < model->graph.n_bodies && code == IR_OK; i++)
    if (!model->bodies[i]->was_inferred)
      code = walk_from(w, model->bodies[i]);
  ir_free(&model->context->memory, w);
  return code;
}
