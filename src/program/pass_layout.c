/* The pass "layout". Before: tensors [N, C, D..] are plain. After: convolutions of the fast module read and write [N,
 * D.., C], operations between them do the same if they can, and relayouts connect the two layouts. */
#include "ops/kernels/nd_iter.h"
#include "ops/kernels/strided_copy.h"
#include "program/fast_contraction.h"
#include "program/passes.h"
#include "program/transposes.h"
#include <stdio.h>

/* ---- the copy ---- */

static ir_code prepare_relayout(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)scope;
  const ir_strided_copy copy = ir_strided_copy_between(&in[0]->shape, in[0]->layout, node->outputs[0].layout);
  return ir_strided_copy_step(plan, node, &copy);
}

static const ir_op relayout = {
    .dialect = IR_OPENVINO, .type = "Relayout", .run = {IR_RUN_PREPARED, .prepare = prepare_relayout}};

/* ---- operations that can use channels last ---- */

static int count_long_axes(const ir_shape *shape) {
  int n = 0;
  for (int i = 0; i < shape->rank; i++)
    n += shape->dims[i].lo != 1;
  return n;
}

/* Whether an operation of rank `rank` can read the value with channels last. If the value has a lower rank,
 * broadcasting can align its axes with any of the operation's. So at most one of them may be longer than 1: both
 * layouts of such a value are the same. */
static bool may_lie_last(const ir_value *value, int rank) {
  const ir_shape *shape = &value->shape;
  const bool lies_last = value->layout == IR_LAYOUT_CHANNELS_LAST && !ir_lies_alike(shape);
  if (lies_last || shape->rank >= rank)
    return shape->rank == rank && (lies_last || ir_lies_alike(shape));
  return count_long_axes(shape) <= 1;
}

/* Whether the operation reads a channels-last tensor and can read and write all of its tensors in that layout. */
static bool follows(const ir_program *program, const ir_operation *operation) {
  const ir_op *op = operation->node.op;
  bool any = false;
  if (operation->n_out == 0 || operation->n_in == 0 || (op->elementwise == NULL && op->takes_channels_last == NULL) ||
      (op->takes_channels_last != NULL && !op->takes_channels_last(&operation->node)))
    return false;
  /* an elementwise op broadcasts its inputs to the rank of the output; other ops have the rank of their first input */
  const int rank = op->elementwise != NULL ? operation->node.outputs[0].shape.rank
                                           : ir_program_value_of(program, operation->in[0])->shape.rank;
  for (int32_t p = 0; p < operation->n_out; p++) {
    const ir_shape *shape = &operation->node.outputs[p].shape;
    const bool is_kept = operation->out[p] >= 0 && program->values[operation->out[p]].is_kept;
    /* If at most one axis is longer than 1, both layouts are the same. Else they can differ: a reduction without
     * keep_dims may leave [C, D]. */
    if ((shape->rank != rank && count_long_axes(shape) > 1) || (is_kept && !ir_lies_alike(shape)))
      return false;
  }
  for (int32_t i = 0; i < operation->n_in; i++) {
    const ir_value *value = ir_program_value_of(program, operation->in[i]);
    if (!may_lie_last(value, rank))
      return false;
    any = any || (value->layout == IR_LAYOUT_CHANNELS_LAST && !ir_lies_alike(&value->shape));
  }
  return any;
}

/* Whether other operations than convolutions gain by channels last: their loops over channels fill a vector. */
static bool has_many_channels(const ir_program_value *value) {
  enum { VECTOR = 16 };
  return value->value.shape.dims[1].lo >= VECTOR;
}

static bool feeds_contraction(const ir_program *program, const ir_program_value *value) {
  bool feeds = false;
  for (int32_t u = 0; u < value->n_uses && !feeds; u++)
    feeds = ir_is_contraction(&program->operations[program->uses[value->first_use + u].operation]);
  return feeds;
}

/* Whether a Transpose moves channels from the last axis to axis 1, where it pays. If its output lies with channels
 * last, no element moves. */
static bool brings_channels(const ir_program *program, const ir_operation *operation) {
  ir_axes order;
  const ir_program_value *out = operation->n_out == 1 ? &program->values[operation->out[0]] : NULL;
  if (out == NULL || out->is_kept || !ir_program_order(program, operation, &order) || order.n < 3 ||
      ir_program_value_of(program, operation->in[0])->layout != IR_LAYOUT_PLAIN)
    return false;
  bool brings = order.items[0] == 0 && order.items[1] == order.n - 1;
  for (int i = 2; i < order.n; i++)
    brings = brings && order.items[i] == i - 1;
  return brings && (has_many_channels(out) || feeds_contraction(program, out));
}

/* Also stamps outputs that nothing reads: an operation has the layout of its first output. */
static void stamp(ir_program *program, const ir_operation *operation) {
  for (int32_t p = 0; p < operation->n_out; p++) {
    operation->node.outputs[p].layout = IR_LAYOUT_CHANNELS_LAST;
    if (operation->out[p] >= 0)
      ir_program_lay_last(program, operation->out[p]);
  }
}

ir_code ir_pass_layout(ir_program *program, int64_t *count) {
  const ir_value **in = ir_program_room(program);
  if (in == NULL)
    return IR_NO_MEMORY;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next) {
    ir_operation *operation = &program->operations[at];
    ir_program_gather(program, operation, in);
    if (brings_channels(program, operation) || (!ir_is_contraction(operation) && follows(program, operation)))
      stamp(program, operation);
  }
  for (size_t i = 0; i < program->n_values; i++)
    *count += program->values[i].producer >= 0 && !program->operations[program->values[i].producer].is_dead &&
              program->values[i].value.layout == IR_LAYOUT_CHANNELS_LAST &&
              !ir_lies_alike(&program->values[i].value.shape);
  return IR_OK;
}

/* ---- copies where layouts meet ---- */

typedef struct layouts {
  ir_program *program;
  int32_t *copy_of; /* one per value of the original program: its copy in the other layout; -1: none */
  size_t n_values;
} layouts;

/* "MatMul 'fc' reads it plain, and it lies with channels last". */
static const char *explain_copy(const layouts *l, int32_t reader, ir_layout wanted) {
  static const char *const words[] = {[IR_LAYOUT_PLAIN] = "plain", [IR_LAYOUT_CHANNELS_LAST] = "with channels last"};
  const ir_layer *layer = l->program->operations[reader].node.layer;
  const ir_layout other = wanted == IR_LAYOUT_PLAIN ? IR_LAYOUT_CHANNELS_LAST : IR_LAYOUT_PLAIN;
  enum { MOST = 256 };
  char *text = ir_arena_alloc(l->program->arena, MOST);
  if (text != NULL)
    snprintf(text, MOST, "%s '%s' reads it %s, and it lies %s", layer->type, layer->name, words[wanted], words[other]);
  return text;
}

/* The value in the layout: itself if it has that layout or is the same in both, else a copy made before `operation`. */
static int32_t in_layout(const layouts *l, int32_t operation, int32_t value, ir_layout layout) {
  const ir_value *from = ir_program_value_of(l->program, value);
  if (from->layout == layout || ir_lies_alike(&from->shape))
    return value;
  if (l->copy_of[value] < 0) {
    ir_value wanted = *from;
    wanted.layout = layout;
    l->copy_of[value] = ir_program_convert(l->program, operation, &relayout, value, &wanted);
    if (l->copy_of[value] >= 0)
      ir_program_producer(l->program, l->copy_of[value])->why = explain_copy(l, operation, layout);
  }
  return l->copy_of[value];
}

/* An operation reads its inputs in the layout of its first output. A contraction reads weights and bias plain, and its
 * other inputs as its primitive wants. Input 0 of an op with `reads_any_layout` stays as it is. */
static ir_layout wanted_layout(const ir_program *program, const ir_operation *operation, int32_t port) {
  if (operation->node.op->reads_any_layout && port == 0)
    return ir_program_value_of(program, operation->in[port])->layout;
  if (ir_is_contraction(operation)) {
    const ir_contraction *c = operation->node.params;
    const int32_t n_plain = 1 + c->desc.has_bias;
    if (!c->desc.in_channels_last || (port >= 1 && port <= n_plain))
      return IR_LAYOUT_PLAIN;
    return IR_LAYOUT_CHANNELS_LAST;
  }
  return operation->n_out > 0 ? operation->node.outputs[0].layout : IR_LAYOUT_PLAIN;
}

/* A convolution whose output has to be plain writes a new value, which a relayout copies to it. */
static bool copy_output(ir_program *program, int32_t at) {
  const int32_t out = program->operations[at].out[0];
  ir_program_value made = program->values[out];
  if (made.value.layout == IR_LAYOUT_CHANNELS_LAST || ir_lies_alike(&made.value.shape))
    return true;
  made.is_kept = false;
  const int32_t last = ir_program_add_value(program, &made);
  if (last < 0)
    return false;
  program->operations[at].out[0] = last;
  program->values[last].producer = at;
  ir_program_lay_last(program, last);
  const ir_node of = program->operations[at].node;
  if (ir_program_add(program, program->operations[at].next, &relayout, NULL, &of, made.layer, &last, 1, &out, 1) < 0)
    return false;
  ir_program_producer(program, out)->why =
      program->values[out].is_kept ? "oneDNN writes channels last, and an output of the plan lies plain"
                                   : "oneDNN writes channels last, and without the pass layout all else lies plain";
  return true;
}

ir_code ir_program_insert_copies(ir_program *program) {
  layouts l = {.program = program, .n_values = program->n_values};
  const ir_value **in = ir_program_room(program);
  l.copy_of = ir_arena_array(program->arena, l.n_values + 1, sizeof *l.copy_of);
  if (in == NULL || l.copy_of == NULL)
    return ir_out_of_memory(program->diags);
  for (size_t i = 0; i < l.n_values; i++)
    l.copy_of[i] = -1;
  for (int32_t next, at = program->first; at >= 0; at = next) {
    next = program->operations[at].next;
    ir_program_gather(program, &program->operations[at], in);
    for (int32_t i = 0; i < program->operations[at].n_in; i++) {
      const ir_layout layout = wanted_layout(program, &program->operations[at], i);
      const int32_t value = in_layout(&l, at, program->operations[at].in[i], layout);
      if (value < 0)
        return IR_NO_MEMORY;
      program->operations[at].in[i] = value;
    }
    const ir_contraction *c = program->operations[at].node.params;
    if (ir_is_contraction(&program->operations[at]) && c->desc.out_channels_last && !copy_output(program, at))
      return IR_NO_MEMORY;
  }
  return IR_OK;
}
