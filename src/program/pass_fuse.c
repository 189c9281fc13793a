/* The pass "fuse". Before: convolutions and matrix products, followed by elementwise operations. After: each product
 * that the fast module supports is a contraction, with as many of the following operations as the module can apply
 * before it stores an element. A product here is a convolution or a matrix product. Attention that is written out is
 * one operation (fuse_attention.c). */
#include "exec/workers.h"
#include "ops/math/binary.h"
#include "ops/math/convert_values.h"
#include "program/fuse_attention.h"
#include "program/fuse_chain.h"
#include "program/passes.h"
#include "program/transposes.h"
#include <stdio.h>
#include <string.h>

#define WHY_F32 "oneDNN computes in f32, and the tensor of the model has another type"

/* ---- operations that may follow a product ---- */

static bool take_bias(ir_program *program, ir_chain *c, const ir_match *m) {
  const bool is_float = !ir_fast_is_integer(&c->desc);
  if (!ir_is_pdpd(program, m) && ir_is_per_channel(program, c, m->y) && ir_chain_add_to_shift(program, c, m))
    return true;
  if (ir_is_pdpd(program, m) || c->bias >= 0 || c->desc.n_post_ops > 0 || !ir_is_per_channel(program, c, m->y))
    return false;
  if (!is_float)
    return ir_chain_divide_bias(program, c, m->y);
  c->bias = m->y;
  c->desc.has_bias = true;
  return true;
}

static bool take_add(ir_program *program, ir_chain *c, const ir_match *m) {
  if (ir_is_pdpd(program, m) || c->add >= 0 || !ir_have_one_shape(program, c->out, m->y))
    return false;
  if (ir_chain_add_stored(program, c, m->y))
    return true;
  c->add = m->y;
  return ir_chain_append(c, (ir_post_op){.kind = IR_POST_ADD});
}

static bool take_swish(ir_program *program, ir_chain *c, const ir_match *m) {
  (void)program, (void)m;
  return ir_chain_append(c, (ir_post_op){.kind = IR_POST_SWISH, .a = 1});
}

static bool take_post_op(ir_program *program, ir_chain *c, const ir_match *m) {
  const ir_node *node = &program->operations[m->operations[0]].node;
  ir_post_op post_op;
  return node->op->post_op(node, &post_op) && ir_chain_append(c, post_op);
}

/* ---- Transposes and views ---- */

/* Lets a product read what its operands' Transposes read. */
static bool skip_transposes(const ir_fusing *f, ir_chain *c) {
  ir_program *program = f->program;
  const ir_fast_desc *desc = &c->desc;
  const int64_t a[] = {desc->batch, desc->heads, desc->m, desc->k}, b[] = {desc->batch, desc->heads, desc->k, desc->n};
  const int32_t producers[] = {program->values[c->data].producer, program->values[c->weights].producer};
  const bool skips[] = {ir_skip_transpose(program, a, &c->data, &c->desc.a),
                        !desc->b_is_weights && ir_skip_transpose(program, b, &c->weights, &c->desc.b)};
  for (int i = 0; i < 2; i++) {
    if (!skips[i])
      continue;
    const ir_program_value *made = &program->values[program->operations[producers[i]].out[0]];
    if (made->n_uses == 1 && !made->is_kept && producers[i] < f->n_original && !f->taken[producers[i]])
      c->taken[c->n_taken++] = producers[i];
  }
  return skips[0] || skips[1];
}

/* The heads of the result come to lie side by side; those of an added tensor do not. It is the last link of a chain. */
static bool take_transpose(ir_program *program, ir_chain *c, const ir_match *m) {
  const ir_fast_desc *desc = &c->desc;
  const int64_t sizes[] = {desc->batch, desc->heads, desc->m, desc->n};
  return c->desc.kind == IR_FAST_MATMUL && c->add < 0 &&
         ir_writes_transposed(program, &program->operations[m->operations[0]], sizes, &c->desc.c);
}

static bool take_view(ir_program *program, ir_chain *c, const ir_match *m) {
  (void)program, (void)m;
  return c->desc.kind == IR_FAST_MATMUL;
}

/* ---- the patterns ---- */

/* The patterns are tried in this order on the chain's output until none matches. */
static const struct {
  ir_pattern pattern;
  bool (*take)(ir_program *program, ir_chain *c, const ir_match *m);
} patterns[] = {
    {{"scale", 1, {{IR_FUNCTION_MULTIPLY, {IR_X, IR_Y}}}}, ir_chain_take_scale},
    {{"bias", 1, {{IR_FUNCTION_ADD, {IR_X, IR_Y}}}}, take_bias},
    {{"add", 1, {{IR_FUNCTION_ADD, {IR_X, IR_Y}}}}, take_add},
    {{"swish", 2, {{IR_FUNCTION_SIGMOID, {IR_X, IR_NO_INPUT}}, {IR_FUNCTION_MULTIPLY, {IR_X, 0}}}}, take_swish},
    {{"quantize", 1, {{IR_FUNCTION_QUANTIZE, {IR_X, IR_NO_INPUT}}}}, ir_chain_take_quantize},
    {{"post-op", 1, {{IR_FUNCTION_OTHER, {IR_X, IR_NO_INPUT}}}}, take_post_op},
    {{"view", 1, {{IR_FUNCTION_VIEW, {IR_X, IR_NO_INPUT}}}}, take_view},
    {{"transpose", 1, {{IR_FUNCTION_TRANSPOSE, {IR_X, IR_NO_INPUT}}}}, take_transpose},
};

/* Tries operations that may end a pattern: the readers of the chain's output, then their readers. */
static bool take_at(ir_fusing *f, ir_chain *c, int32_t last) {
  ir_match match;
  for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
    if (!ir_pattern_match(f->program, &patterns[p].pattern, c->out, last, &match))
      continue;
    bool is_free = true;
    for (int i = 0; i < match.n; i++)
      is_free = is_free && match.operations[i] < f->n_original && !f->taken[match.operations[i]];
    if (!is_free || !patterns[p].take(f->program, c, &match))
      continue;
    for (int i = 0; i < match.n; i++)
      c->taken[c->n_taken++] = match.operations[i];
    c->out = f->program->operations[last].out[0];
    return true;
  }
  return false;
}

static bool take_next(ir_fusing *f, ir_chain *c) {
  enum { MOST_USES = 2 };
  const ir_program_value *out = &f->program->values[c->out];
  const int32_t first = out->first_use, n_uses = out->n_uses;
  for (int32_t u = 0; u < n_uses && n_uses <= MOST_USES && !c->desc.c.are_beside; u++)
    if (take_at(f, c, f->program->uses[first + u].operation))
      return true;
  return false;
}

/* ---- making contractions ---- */

/* A product of bf16 stores bf16, if that is enough for the readers of its output. A product of f16 stores f32, because
 * oneDNN would not say which of its results exceed f16. */
static void choose_out_type(const ir_fusing *f, ir_chain *c) {
  if (c->desc.in_type == IR_FAST_BF16 && ir_halves_fit(&f->halves, c->out))
    c->desc.out_type = c->desc.in_type;
}

/* Tries `chains` from the last, which is the longest, to the first, and makes the primitive of the first one that the
 * fast module accepts. Sets `*io_n` to the number of chains up to that one; 0: the module accepts none. */
static ir_code make_primitive(const ir_fusing *f, ir_chain *chains, int *io_n, ir_fast_primitive **out) {
  *out = NULL;
  for (; *io_n > 0; --*io_n) {
    choose_out_type(f, &chains[*io_n - 1]);
    if (!ir_fast()->create(&chains[*io_n - 1].desc, out))
      return ir_out_of_memory(f->program->diags);
    if (*out != NULL)
      return IR_OK;
  }
  return IR_OK;
}

/* Converts a float value to f32 ahead of the operation. */
static int32_t in_f32(ir_program *program, int32_t before, int32_t value) {
  ir_value wide = program->values[value].value;
  if (wide.type == IR_F32 || !ir_type_in(wide.type, IR_SET_FLOATS))
    return value;
  wide.type = IR_F32;
  const int32_t to = ir_program_convert(program, before, &ir_op_convert_1, value, &wide);
  if (to >= 0)
    ir_program_producer(program, to)->why = WHY_F32;
  return to;
}

/* Lists the ops fused into the product: "Add+Relu". */
static const char *describe(const ir_program *program, const ir_chain *c) {
  enum { MOST = 256 };
  char *text = ir_arena_alloc(program->arena, MOST);
  int used = 0;
  for (int i = 0; i < c->n_taken && text != NULL && used < MOST; i++)
    used += snprintf(text + used, (size_t)(MOST - used), "%s%s", i > 0 ? "+" : "",
                     program->operations[c->taken[i]].node.op->type);
  return c->n_taken > 0 ? text : NULL;
}

static const char *why_contraction(const ir_contraction *c) {
  if (ir_fast_is_integer(&c->desc))
    return "oneDNN computes products of 8-bit integers; their sums are exact";
  if (ir_fast_is_half(&c->desc))
    return c->desc.in_type == IR_FAST_BF16 ? "oneDNN computes products of bf16, as asked for; their sums are f32"
                                           : "oneDNN computes products of f16, as asked for; their sums are f32";
  return c->has_constant_weights ? "oneDNN computes products; its weights are laid out once for the model"
                                 : "oneDNN computes products";
}

/* Replaces the chain by a contraction at the position of its last operation. */
static ir_code replace_chain(ir_fusing *f, const ir_chain *c, ir_fast_primitive *primitive) {
  ir_program *program = f->program;
  ir_contraction *params = ir_arena_alloc(program->arena, sizeof *params);
  if (params == NULL)
    return ir_out_of_memory(program->diags);
  const int32_t at = program->values[c->out].producer;
  const int32_t read[] = {c->data, c->weights, c->bias, c->add};
  const bool is_half = ir_fast_is_half(&c->desc);
  int32_t in[4], n = 0, out = c->out;
  for (int i = 0; i < 4; i++)
    if (read[i] >= 0 &&
        (in[n++] = is_half && i < 2 ? ir_halves_operand(&f->halves, read[i]) : in_f32(program, at, read[i])) < 0)
      return IR_NO_MEMORY;
  const ir_program_value *weights = &program->values[in[1]];
  *params =
      (ir_contraction){.desc = c->desc,
                       .primitive = primitive,
                       .has_constant_weights = c->desc.b_is_weights && weights->value.is_constant && program->folds,
                       .are_weights_local = weights->is_local};
  const ir_operation product = program->operations[c->product];
  const ir_program_value narrow = program->values[out];
  if (c->desc.out_type == IR_FAST_BF16) {
    ir_halves_store(&f->halves, out);
  } else if (narrow.value.type != IR_F32 && c->desc.out_type == IR_FAST_F32) {
    ir_program_value wide = narrow;
    wide.value.type = IR_F32;
    wide.is_kept = false;
    out = ir_program_add_value(program, &wide);
    if (out < 0)
      return IR_NO_MEMORY;
  }
  const int32_t added =
      ir_program_add(program, at, &ir_op_contraction, params, &product.node, product.layer, in, n, &out, 1);
  if (added < 0)
    return IR_NO_MEMORY;
  program->operations[added].macs = product.macs;
  program->operations[added].fused = describe(program, c);
  program->operations[added].why = why_contraction(params);
  if (out != c->out) {
    if (ir_program_add(program, at, &ir_op_convert_1, NULL, narrow.node, product.layer, &out, 1, &c->out, 1) < 0)
      return IR_NO_MEMORY;
    ir_program_producer(program, c->out)->why = WHY_F32;
  }
  if (c->desc.out_channels_last && !program->values[out].is_kept &&
      (program->request->skipped_passes & IRRUN_PASS_LAYOUT) == 0)
    ir_program_lay_last(program, out);
  program->operations[c->product].is_dead = true;
  for (int i = 0; i < c->n_taken; i++)
    program->operations[c->taken[i]].is_dead = true;
  return IR_OK;
}

/* Whether the module may compute the operation as a product; if so, fills the first members of the chain. */
static bool begin_chain(ir_fusing *f, int32_t at, ir_chain *c) {
  ir_operation *operation = &f->program->operations[at];
  ir_scope scope = ir_program_scope(f->program);
  *c = (ir_chain){.product = at, .bias = -1, .add = -1};
  if (operation->is_dead || f->taken[at] || operation->node.op->contraction == NULL)
    return false;
  ir_program_gather(f->program, operation, f->in);
  if (!operation->node.op->contraction(&operation->node, f->in, &scope, &c->desc) || operation->out[0] < 0) {
    operation->why = "oneDNN does not compute this product: its type, or its shape, is not one that oneDNN takes";
    return false;
  }
  c->data = operation->in[0];
  c->weights = operation->in[1];
  c->out = operation->out[0];
  const bool is_conv = c->desc.kind != IR_FAST_MATMUL;
  c->desc.b_is_weights = is_conv || (f->program->folds && ir_program_value_of(f->program, c->weights)->is_constant);
  c->desc.in_channels_last = c->desc.out_channels_last = is_conv;
  c->desc.n_threads = f->program->is_small ? 1 : ir_workers_most(f->program->request->workers);
  return !ir_program_value_of(f->program, c->out)->is_constant;
}

/* Whether products stay alone; the pass still makes contractions of them. */
static bool is_fuse_skipped(const ir_program *program) {
  return (program->request->skipped_passes & IRRUN_PASS_FUSE) != 0;
}

/* Makes the longest chain that begins with chains[0] and has a primitive. `*out_n` is its length; 0: there is none. */
static ir_code extend_chain(ir_fusing *f, ir_chain *chains, int *out_n, ir_fast_primitive **out_primitive) {
  const bool is_skipped = is_fuse_skipped(f->program);
  int n = 1;
  if (!is_skipped) {
    chains[n] = chains[n - 1];
    n += chains[n].desc.kind == IR_FAST_MATMUL && skip_transposes(f, &chains[n]);
    chains[n] = chains[n - 1];
    n += ir_chain_take_data_shift(f, &chains[n]);
    chains[n] = chains[n - 1];
    n += ir_chain_take_data_scale(f, &chains[n]);
  }
  for (; n < IR_MOST_LINKS; n++) {
    chains[n] = chains[n - 1];
    if (is_skipped || !take_next(f, &chains[n]))
      break;
  }
  *out_n = n;
  return make_primitive(f, chains, out_n, out_primitive);
}

static ir_code fuse_at(ir_fusing *f, int32_t at, int64_t *count) {
  ir_chain chains[IR_MOST_LINKS], first;
  ir_fast_primitive *primitive = NULL;
  int n = 0;
  ir_code code = IR_OK;
  if (!begin_chain(f, at, &first))
    return IR_OK;
  chains[0] = first;
  if (ir_chain_quantize(f->program, &chains[0]))
    code = extend_chain(f, chains, &n, &primitive);
  for (int is_half = f->program->precision != IR_F32; is_half >= 0 && code == IR_OK && n == 0; is_half--) {
    chains[0] = first;
    if (is_half)
      chains[0].desc.in_type = chains[0].desc.weights_type =
          f->program->precision == IR_BF16 ? IR_FAST_BF16 : IR_FAST_F16;
    code = extend_chain(f, chains, &n, &primitive);
  }
  if (code == IR_OK && n == 0)
    f->program->operations[at].why = "oneDNN lacks this product, or computes it slowly";
  if (code != IR_OK || n == 0)
    return code;
  const ir_chain *c = &chains[n - 1];
  f->taken[c->product] = true;
  for (int i = 0; i < c->n_taken; i++)
    f->taken[c->taken[i]] = true;
  *count += c->n_taken;
  const ir_code owned = ir_own_primitive(f->program, primitive);
  return owned == IR_OK ? replace_chain(f, c, primitive) : owned;
}

ir_code ir_pass_fuse(ir_program *program, int64_t *count) {
  ir_code code = is_fuse_skipped(program) ? IR_OK : ir_fuse_attention(program, count);
  if (code != IR_OK)
    return code;
  ir_fusing f = {.program = program, .in = ir_program_room(program), .n_original = (int32_t)program->n_operations};
  f.taken = ir_arena_array(program->arena, program->n_operations + 1, sizeof *f.taken);
  if (f.in == NULL || f.taken == NULL)
    return ir_out_of_memory(program->diags);
  code = ir_halves_begin(program, &f.halves);
  for (int32_t next, at = program->first; at >= 0 && code == IR_OK; at = next) {
    next = program->operations[at].next;
    if (at < f.n_original)
      code = fuse_at(&f, at, count);
  }
  return code == IR_OK ? ir_halves_end(&f.halves) : code;
}
