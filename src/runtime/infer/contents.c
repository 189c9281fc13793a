#include "runtime/infer/contents.h"
#include "exec/execute.h"
#include "exec/plan_memory.h"
#include "ops/prepare.h"
#include "ops/ranges.h"
#include "runtime/infer/infer.h"
#include <string.h>

ir_contents ir_contents_begin(ir_node *nodes, size_t n_nodes, const ir_scope *scope) {
  return (ir_contents){.nodes = nodes, .n_nodes = n_nodes, .scope = *scope, .work_left = IR_MAX_KNOWN_WORK};
}

void ir_contents_again(ir_contents *contents) {
  contents->pass++;
  contents->work_left = IR_MAX_KNOWN_WORK;
}

void ir_contents_end(ir_contents *contents) {
  ir_free(contents->scope.memory, contents->visits);
  contents->visits = NULL;
}

/* If the op has a range rule, input ranges decide its output ranges, but not its output shapes. Those of an elementwise
 * op decide neither. */
bool ir_contents_decide(const ir_op *op, const ir_port_spec *port) {
  return port != NULL && (port->contents || (port->ranges && op->ranges == NULL && op->elementwise == NULL));
}

/* Whether nothing is concluded from the node: its outputs are as declared, and its inputs or attributes can differ. */
static bool is_at_fault(const ir_node *node) {
  return ir_node_is_broken(node) || node->refused || node->in_cycle;
}

static bool is_any_wanted(const ir_op *op) {
  bool any = false;
  for (int32_t i = 0; i < ir_op_n_inputs(op); i++)
    any = any || op->inputs[i].contents || op->inputs[i].ranges;
  return any;
}

/* Whether the shape is known and the elements have at most IR_MAX_KNOWN_BYTES. */
static bool is_small(const ir_value *value, size_t *out_bytes) {
  return !value->poisoned && ir_shape_known(&value->shape) && ir_tensor_bytes(value->type, &value->shape, out_bytes) &&
         *out_bytes <= (size_t)IR_MAX_KNOWN_BYTES;
}

/* Sets the contents of a value. If `copied` is false, the bytes of `tensor` must belong to other known contents, which
 * stay valid during a check. */
static bool keep(const ir_contents *contents, ir_value *value, const ir_tensor *tensor, bool copied) {
  ir_tensor *known = ir_arena_alloc(contents->scope.arena, sizeof *known);
  void *data = copied ? ir_arena_alloc(contents->scope.arena, tensor->bytes + 1) : tensor->data;
  if (known == NULL || (copied && data == NULL))
    return false;
  if (copied && tensor->bytes > 0)
    memcpy(data, tensor->data, tensor->bytes);
  *known = ir_tensor_borrow(value->type, &value->shape, data, tensor->bytes);
  value->contents = known;
  value->is_contents_copy = true;
  return true;
}

static bool take_work(ir_contents *contents, int64_t work) {
  if (work > contents->work_left)
    return false;
  contents->work_left -= work;
  return true;
}

static ir_code load_constant(ir_contents *contents, ir_node *node) {
  size_t bytes;
  if (is_at_fault(node) || node->n_outputs == 0 || node->outputs[0].contents != NULL ||
      node->outputs[0].contents_unavailable || !is_small(&node->outputs[0], &bytes))
    return IR_OK;
  if (!take_work(contents, (int64_t)bytes))
    return IR_OK;
  if (!ir_own_outputs(node, contents->scope.arena))
    return ir_out_of_memory(contents->scope.diags);
  ir_tensor tensor;
  if (node->op->run.contents(node, node->outputs, &contents->scope, &tensor) != IR_OK) {
    node->outputs[0].poisoned = true; /* the fault was reported: conclude nothing from the value */
    return IR_OK;
  }
  bool kept = keep(contents, &node->outputs[0], &tensor, true); /* a copy, because the mapped file can change */
  ir_tensor_release(&tensor);
  return kept ? IR_OK : ir_out_of_memory(contents->scope.diags);
}

/* Copies the contents of a run's input, because they are read several times and the caller can change them in between.
 */
static ir_code copy_input(ir_contents *contents, ir_node *node) {
  ir_value *value = &node->outputs[0];
  if (value->contents == NULL || value->is_contents_copy)
    return IR_OK;
  return keep(contents, value, value->contents, true) ? IR_OK : ir_out_of_memory(contents->scope.diags);
}

/* ---- computing one node ---- */

/* A plan of one node. Its slots are the inputs of the node, followed by the outputs. */
typedef struct lone_node {
  ir_arena arena;
  ir_diags diags; /* reports of the plan are dropped; a node that cannot be prepared or run has no contents */
  ir_plan plan;
  ir_plan_memory place;
  int32_t *slots;
  const ir_value **in;
} lone_node;

/* Makes the slots. An input without contents gets an outline, because the op uses only its shape. */
static bool make_lone_slots(const ir_node *node, lone_node *lone) {
  ir_plan *plan = &lone->plan;
  const int32_t n_in = node->n_inputs, n_slots = n_in + node->n_outputs;
  for (int32_t i = 0; i < n_slots; i++) {
    const ir_value *value = i < n_in ? lone->in[i] : &node->outputs[i - n_in];
    lone->slots[i] = ir_plan_temporary(plan, value->type, &value->shape);
    if (lone->slots[i] < 0)
      return false;
    plan->slots[i].is_kept = true; /* the tensor stays until its contents are stored */
    if (i < n_in) {
      plan->slots[i].tensor =
          value->contents != NULL ? *value->contents : ir_tensor_outline(value->type, &value->shape);
      plan->slots[i].tensor.release = NULL; /* the slot borrows the elements */
    }
  }
  return true;
}

static bool run_lone(const ir_contents *contents, const ir_node *node, lone_node *lone) {
  ir_scope scope = contents->scope;
  const size_t n_in = (size_t)node->n_inputs;
  ir_type type;
  scope.arena = &lone->arena;
  scope.diags = &lone->diags;
  lone->plan = (ir_plan){.arena = &lone->arena, .memory = scope.memory, .diags = &lone->diags, .place = &lone->place};
  lone->in = ir_arena_array(&lone->arena, n_in + 1, sizeof *lone->in);
  lone->slots = ir_arena_array(&lone->arena, n_in + (size_t)node->n_outputs + 1, sizeof *lone->slots);
  if (lone->in == NULL || lone->slots == NULL) {
    ir_out_of_memory(&lone->diags);
    return false;
  }
  ir_gather_inputs(contents->nodes, node, lone->in);
  return make_lone_slots(node, lone) && !ir_lacks_kernel(node, lone->in, &type) &&
         ir_plan_prepare(&lone->plan, node, lone->in, lone->slots, lone->slots + n_in, 0, 0, &scope) == IR_OK &&
         ir_plan_lay_out(&lone->plan) == IR_OK && ir_plan_execute(&lone->plan) == IR_OK;
}

static ir_code compute(ir_contents *contents, ir_node *node) {
  lone_node lone = {.slots = NULL};
  ir_arena_init(&lone.arena, contents->scope.memory, (size_t)IR_MAX_ARENA_BYTES);
  ir_diags_init(&lone.diags, contents->scope.memory);
  bool kept = ir_own_outputs(node, contents->scope.arena), computed = kept && run_lone(contents, node, &lone);
  for (int32_t p = 0; computed && kept && p < node->n_outputs; p++) {
    const ir_slot *slot = &lone.plan.slots[node->n_inputs + p];
    kept = keep(contents, &node->outputs[p], &slot->tensor, slot->view_of < 0 || contents->scope.running);
    node->outputs[p].reads_input = ir_reads_input(contents->nodes, node);
  }
  if (lone.diags.memory_is_out)
    kept = false;
  ir_plan_reset(&lone.plan);
  ir_plan_release_memory(&lone.place);
  ir_diags_reset(&lone.diags);
  ir_arena_reset(&lone.arena);
  return kept ? IR_OK : ir_out_of_memory(contents->scope.diags);
}

/* ---- ranges, without a kernel ---- */

/* Whether the op's range rule can add ranges to a small output. Inference ran the rule before the contents of all
 * inputs were known, so it is run again. */
static bool may_be_told(const ir_node *node) {
  bool any = false;
  if (!ir_op_is_computed(node->op) || node->op->ranges == NULL || is_at_fault(node))
    return false;
  for (int32_t p = 0; p < node->n_outputs; p++)
    any = any || (ir_ranges_count(&node->outputs[p]) >= 0 && node->outputs[p].contents == NULL);
  return any;
}

static ir_code tell(ir_contents *contents, ir_node *node) {
  const ir_value **in = ir_alloc_zero(contents->scope.memory, (size_t)node->n_inputs + 1, sizeof *in);
  if (in == NULL || !ir_own_outputs(node, contents->scope.arena)) {
    ir_free(contents->scope.memory, in);
    return ir_out_of_memory(contents->scope.diags);
  }
  ir_gather_inputs(contents->nodes, node, in);
  ir_code code = ir_infer_ranges(node, in, node->outputs, &contents->scope);
  for (int32_t p = 0; p < node->n_outputs; p++)
    node->outputs[p].reads_input = ir_reads_input(contents->nodes, node);
  ir_free(contents->scope.memory, in);
  return code;
}

/* ---- the walk ---- */

static const ir_value *input_of(const ir_contents *contents, const ir_node *node, int32_t i) {
  const ir_link link = node->inputs[i];
  return link.layer >= 0 ? &contents->nodes[link.layer].outputs[link.port] : NULL;
}

/* Whether the op uses only the input's type and shape. */
static bool is_shape_only(const ir_node *node, int32_t i) {
  const ir_port_spec *spec = ir_op_input(node->op, i);
  return spec != NULL && spec->shape_only;
}

/* Whether the node's row asks for the contents or ranges of its input i. */
static bool is_asked_for(const ir_contents *contents, const ir_node *node, int32_t i) {
  const ir_port_spec *spec = ir_op_input(node->op, i);
  const ir_value *value = input_of(contents, node, i);
  return spec != NULL && value != NULL && (spec->contents || (spec->ranges && ir_ranges_count(value) >= 0));
}

/* Whether inference can compute the node: its tensors are small, and its work fits work_left. The work is the number of
 * additions or comparisons, plus the bytes of the outputs. */
static bool may_be_computed(const ir_contents *contents, const ir_node *node, int64_t *out_work) {
  const ir_value *in[IR_MAX_OP_PORTS];
  size_t bytes, kept = 0;
  int64_t cost = 0;
  if (!ir_op_is(node->op, IR_RUN_PREPARED) || is_at_fault(node) || node->n_outputs == 0)
    return false;
  for (int32_t p = 0; p < node->n_outputs; p++) {
    if (!is_small(&node->outputs[p], &bytes))
      return false;
    kept += bytes;
  }
  for (int32_t i = 0; i < node->n_inputs; i++) {
    ir_link link = node->inputs[i];
    if (link.layer < 0)
      return false;
    const ir_value *value = &contents->nodes[link.layer].outputs[link.port];
    if (is_shape_only(node, i) ? value->poisoned || !ir_shape_known(&value->shape) : !is_small(value, &bytes))
      return false;
    if (i < IR_MAX_OP_PORTS)
      in[i] = &contents->nodes[link.layer].outputs[link.port];
  }
  if (node->op->cost != NULL && node->n_inputs <= IR_MAX_OP_PORTS)
    cost = node->op->cost(node, in);
  /* all shapes are known, so a negative cost means an overflow of 64 bits */
  return cost >= 0 && ir_add(cost, (int64_t)kept, out_work) && *out_work <= contents->work_left;
}

static bool has_known_inputs(const ir_contents *contents, const ir_node *node) {
  for (int32_t i = 0; i < node->n_inputs; i++)
    if (!is_shape_only(node, i) && input_of(contents, node, i)->contents == NULL)
      return false;
  return true;
}

static ir_code settle(ir_contents *contents, ir_node *node) {
  if (ir_op_is(node->op, IR_RUN_CONSTANT))
    return load_constant(contents, node);
  if (ir_op_is(node->op, IR_RUN_INPUT))
    return copy_input(contents, node);
  int64_t work;
  if (may_be_computed(contents, node, &work) && node->outputs[0].contents == NULL && has_known_inputs(contents, node))
    return take_work(contents, work) ? compute(contents, node) : IR_OK;
  return may_be_told(node) ? tell(contents, node) : IR_OK;
}

/* The visit of the node in this pass; a visit of an earlier pass is reset. */
static ir_contents_visit *visit_of(const ir_contents *contents, int32_t node) {
  ir_contents_visit *visit = &contents->visits[node];
  if (visit->pass != contents->pass)
    *visit = (ir_contents_visit){.pass = contents->pass};
  return visit;
}

static void open_visit(const ir_contents *contents, const ir_node *node, ir_contents_visit *visit) {
  int64_t work;
  visit->state = IR_CONTENTS_OPEN;
  visit->needs_all = may_be_computed(contents, node, &work) && node->outputs[0].contents == NULL;
  visit->next_input = visit->needs_all || may_be_told(node) ? 0 : node->n_inputs;
}

/* Finds the contents of `target` after those of its producers. The walk is not recursive, because a chain of producers
 * can be as long as the model. */
static ir_code ask(ir_contents *contents, int32_t target) {
  ir_code code = IR_OK;
  int32_t at = target;
  visit_of(contents, target)->from = -1;
  while (at >= 0 && code == IR_OK) {
    ir_contents_visit *visit = visit_of(contents, at);
    ir_node *node = &contents->nodes[at];
    if (visit->state == IR_CONTENTS_UNASKED)
      open_visit(contents, node, visit);
    if (visit->next_input < node->n_inputs) {
      int32_t i = visit->next_input++, producer = node->inputs[i].layer;
      if (is_shape_only(node, i) || (!visit->needs_all && !is_asked_for(contents, node, i)))
        continue;
      if (visit_of(contents, producer)->state == IR_CONTENTS_UNASKED) {
        visit_of(contents, producer)->from = at;
        at = producer;
      }
      continue;
    }
    code = settle(contents, node);
    visit->state = IR_CONTENTS_TRIED;
    at = visit->from;
  }
  return code;
}

/* Whether any input has ranges. If none has, ir_contents_want leaves out float inputs, because small floats are mostly
 * weights. */
static bool tells_some_input(const ir_contents *contents, const ir_node *node) {
  bool tells = false;
  for (int32_t i = 0; i < node->n_inputs && !tells; i++)
    tells = node->inputs[i].layer >= 0 && ir_has_ranges(input_of(contents, node, i));
  return tells;
}

/* Allocates the visits on first use. False when memory is out. */
static bool begin_visits(ir_contents *contents) {
  if (contents->visits == NULL)
    contents->visits = ir_alloc_zero(contents->scope.memory, contents->n_nodes + 1, sizeof *contents->visits);
  return contents->visits != NULL;
}

ir_code ir_contents_want_input(ir_contents *contents, const ir_node *node, int32_t input) {
  const int32_t from = node->inputs[input].layer;
  if (node->in_cycle || from < 0)
    return IR_OK;
  if (!begin_visits(contents))
    return ir_out_of_memory(contents->scope.diags);
  return visit_of(contents, from)->state == IR_CONTENTS_UNASKED ? ask(contents, from) : IR_OK;
}

ir_code ir_contents_want(ir_contents *contents, const ir_node *node) {
  if (node->op == NULL || node->in_cycle || !is_any_wanted(node->op))
    return IR_OK;
  if (!begin_visits(contents))
    return ir_out_of_memory(contents->scope.diags);
  const bool floats_too = tells_some_input(contents, node);
  ir_code code = IR_OK;
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++) {
    int32_t from = node->inputs[i].layer;
    if (is_asked_for(contents, node, i) && visit_of(contents, from)->state == IR_CONTENTS_UNASKED &&
        (floats_too || ir_op_input(node->op, i)->contents ||
         !ir_type_in(input_of(contents, node, i)->type, IR_SET_FLOATS)))
      code = ask(contents, from);
  }
  return code;
}

ir_code ir_contents_hold(ir_contents *contents, const ir_node *node) {
  ir_code code = IR_OK;
  for (int32_t i = 0; i < node->n_inputs && code == IR_OK; i++) {
    ir_node *from = &contents->nodes[node->inputs[i].layer];
    if (is_asked_for(contents, node, i) && ir_op_is(from->op, IR_RUN_INPUT))
      code = copy_input(contents, from);
  }
  return code;
}
