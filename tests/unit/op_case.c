#include "op_case.h"
#include "exec/execute.h"
#include "exec/plan_memory.h"
#include "ops/bind.h"
#include "ops/registry.h"
#include "runtime/infer/infer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static ir_scope scope_of(op_case *c) {
  return (ir_scope){.graph = &c->graph, .diags = &c->diags, .arena = &c->arena, .memory = &c->memory};
}

void op_case_begin(op_case *c, const char *type, const char *opset, const char *const *attrs) {
  op_case_begin_in(c, IR_OPENVINO, type, opset, attrs);
}

void op_case_begin_in(op_case *c, ir_dialect dialect, const char *type, const char *opset, const char *const *attrs) {
  memset(c, 0, sizeof *c);
  c->memory = ir_memory_default();
  ir_arena_init(&c->arena, &c->memory, (size_t)IR_MAX_ARENA_BYTES);
  ir_diags_init(&c->diags, &c->memory);
  ir_graph_init(&c->graph, &c->memory);
  c->graph.dialect = dialect;
  ir_op_match match = ir_op_find(dialect, type, opset);
  assert_int_equal(match.result, IR_OP_FOUND);
  int32_t n = 0;
  while (attrs[2 * n] != NULL)
    n++;
  c->layer = (ir_layer){
      .name = "layer", .type = type, .opset = opset, .op_version = match.version, .has_version = true, .n_attrs = n};
  c->layer.attrs = ir_arena_array(&c->arena, (size_t)n + 1, sizeof *c->layer.attrs);
  assert_non_null(c->layer.attrs);
  for (int32_t i = 0; i < n; i++)
    c->layer.attrs[i] = (ir_raw_attr){.name = attrs[2 * i], .value = attrs[2 * i + 1]};
  c->node = (ir_node){.layer = &c->layer, .op = match.op, .outputs = c->out, .inputs = c->links};
  for (int32_t i = 0; i < OP_CASE_INPUTS; i++)
    c->links[i].layer = -1;
  c->node.n_outputs = ir_op_n_outputs(match.op);
  c->node.outputs_read = UINT64_MAX;
  ir_scope scope = scope_of(c);
  assert_int_equal(ir_bind_attributes(&c->node, &scope), IR_OK);
}

void op_case_end(op_case *c) {
  ir_plan_reset(&c->plan);
  ir_plan_release_memory(&c->place);
  ir_graph_reset(&c->graph);
  ir_diags_reset(&c->diags);
  ir_arena_reset(&c->arena);
}

/* ---- values ---- */

static void put_integer(ir_type type, void *data, int64_t at, int64_t number) {
  size_t size = ir_type_size(type);
  memcpy((char *)data + (size_t)at * size, &number, size); /* on a little-endian machine, the low bytes come first */
}

ir_value op_case_list(op_case *c, ir_type type, int rank, const int64_t *items, int64_t n) {
  ir_shape shape = ir_shape_of(rank, &n);
  size_t bytes = (size_t)n * ir_type_size(type);
  ir_tensor *known = ir_arena_alloc(&c->arena, sizeof *known);
  void *data = ir_arena_alloc(&c->arena, bytes + 1);
  assert_true(known != NULL && data != NULL);
  for (int64_t i = 0; i < n; i++)
    put_integer(type, data, i, items[i]);
  *known = ir_tensor_borrow(type, &shape, data, bytes);
  return (ir_value){.type = type, .shape = shape, .contents = known};
}

ir_value op_case_value(ir_type type, ir_shape shape) {
  return (ir_value){.type = type, .shape = shape};
}

/* ---- inferring ---- */

void op_case_infer(op_case *c, int32_t n_inputs, bool run) {
  const ir_value *in[OP_CASE_INPUTS], *checked[OP_CASE_INPUTS];
  assert_true(n_inputs <= OP_CASE_INPUTS);
  ir_rule_policy policy[IR_RULE_COUNT];
  memcpy(policy, c->diags.policy, sizeof policy);
  ir_diags_reset(&c->diags);
  ir_diags_init(&c->diags, &c->memory);
  memcpy(c->diags.policy, policy, sizeof policy);
  c->node.n_inputs = n_inputs;
  for (int32_t i = 0; i < n_inputs; i++) {
    in[i] = &c->in[i];
    checked[i] = &c->checked[i];
    if (!run)
      c->checked[i] = c->in[i];
  }
  c->was_checked = c->was_checked || !run;
  ir_scope scope = scope_of(c);
  scope.running = run;
  scope.checked = run && c->was_checked ? checked : NULL;
  assert_int_equal(ir_infer_node(&c->node, in, &scope), IR_OK);
}

const char *op_case_rules(const op_case *c) {
  static const char *const severities[] = {[IR_NOTE] = "note ", [IR_WARNING] = "warning ", [IR_ERROR] = ""};
  static char text[256];
  size_t used = 0;
  text[0] = '\0';
  for (const ir_diag *diag = c->diags.first; diag != NULL && used < sizeof text; diag = diag->next)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", used > 0 ? " " : "", severities[diag->severity],
                             ir_rule_rows[diag->rule].id);
  return text;
}

/* ---- running ---- */

/* Makes slots for the inputs, then for the outputs. Only output 0 is read. */
static void make_plan(op_case *c, ir_tensor *inputs, int32_t n_inputs) {
  ir_plan *plan = &c->plan;
  ir_plan_reset(plan);
  *plan = (ir_plan){.arena = &c->arena, .memory = &c->memory, .diags = &c->diags, .place = &c->place};
  int32_t *slots = ir_arena_array(&c->arena, (size_t)n_inputs + IR_MAX_OP_PORTS, sizeof *slots);
  assert_non_null(slots);
  for (int32_t i = 0; i <= n_inputs; i++) {
    const ir_value *value = i < n_inputs ? &c->in[i] : &c->out[0];
    slots[i] = ir_plan_temporary(plan, value->type, &value->shape);
    assert_int_equal(slots[i], i);
    plan->slots[i].is_kept = true;
    if (i == n_inputs)
      continue;
    plan->slots[i].tensor = inputs[i];
    plan->slots[i].tensor.release = NULL;
  }
  for (int32_t i = 1; i < IR_MAX_OP_PORTS; i++)
    slots[n_inputs + i] = -1;
  ir_scope scope = scope_of(c);
  const ir_value *in[OP_CASE_INPUTS];
  for (int32_t i = 0; i < n_inputs; i++)
    in[i] = &c->in[i];
  assert_int_equal(ir_plan_prepare(plan, &c->node, in, slots, slots + n_inputs, 0, 0, &scope), IR_OK);
}

const ir_tensor *op_case_run(op_case *c, ir_tensor *inputs, int32_t n_inputs) {
  for (int32_t i = 0; i < n_inputs; i++)
    c->in[i] = (ir_value){.type = inputs[i].type, .shape = ir_tensor_shape(&inputs[i]), .contents = &inputs[i]};
  op_case_infer(c, n_inputs, true);
  assert_int_equal(c->diags.status, IR_OK);
  assert_true(ir_shape_known(&c->out[0].shape));
  make_plan(c, inputs, n_inputs);
  assert_int_equal(ir_plan_lay_out(&c->plan), IR_OK);
  assert_int_equal(ir_plan_execute(&c->plan), IR_OK);
  return &c->plan.slots[n_inputs].tensor;
}
