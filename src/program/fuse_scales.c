/* A part of the pass "fuse": multiplies the constant weights of a product by a constant factor of its data or output,
 * and makes a bias of a constant that is added to its data, so that these operations are left out at run time. A
 * product is a contraction that oneDNN computes. */
#include "ops/math/binary.h"
#include "ops/prepare.h"
#include "program/fuse_chain.h"

static ir_code prepare_view(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)node, (void)in, (void)scope;
  ir_plan_view(plan);
  return IR_OK;
}

static const ir_op view = {.dialect = IR_OPENVINO, .type = "View", .run = {IR_RUN_PREPARED, .prepare = prepare_view}};

/* A constant factor of a product's output or (is_of_data) of its data: one number for each channel or (is_one) a single
 * number. */
typedef struct scaling {
  int32_t value;
  bool is_one, is_of_data;
} scaling;

/* Returns the shape with which the factor broadcasts to the weights. */
static ir_shape scale_shape(const ir_chain *c, const ir_shape *weights, const scaling *s) {
  const bool is_matmul = c->desc.kind == IR_FAST_MATMUL;
  ir_shape shape = ir_shape_of_rank(weights->rank);
  for (int i = 0; i < weights->rank; i++)
    shape.dims[i] = ir_dim_of(1);
  if (s->is_one)
    return shape;
  if (is_matmul) { /* the weights are [k, n] or, if transposed, [n, k] */
    shape.dims[weights->rank - (c->desc.b.is_transposed != s->is_of_data ? 2 : 1)] =
        ir_dim_of(s->is_of_data ? c->desc.k : c->desc.n);
    return shape;
  }
  /* The weights are [out, in, ..], those of a backprop [in, out, ..]. With groups, an axis of groups comes before
   * these. */
  const bool has_groups = weights->rank == c->desc.n_axes + 3, is_backprop = c->desc.kind == IR_FAST_BACKPROP;
  if (has_groups)
    shape.dims[0] = ir_dim_of(c->desc.groups);
  shape.dims[has_groups + (is_backprop != s->is_of_data)] =
      ir_dim_of(s->is_of_data ? c->desc.channels_in : c->desc.channels_out);
  return shape;
}

ir_shape ir_chain_scales_shape(const ir_chain *c, const ir_shape *weights) {
  return scale_shape(c, weights, &(scaling){.value = -1});
}

int32_t ir_view_constant(ir_program *program, int32_t before, int32_t value, const ir_shape *shape) {
  ir_value flat = program->values[value].value;
  flat.shape = *shape;
  const int32_t viewed = ir_program_convert(program, before, &view, value, &flat);
  if (viewed >= 0)
    program->values[viewed].key.made = IR_MADE_VIEW;
  return viewed;
}

/* Adds an operation `op`, before operation `before`, that multiplies or adds the constants `value` and `scale`; `shape`
 * is the shape with which `scale` broadcasts to `value`. The layer of `of` and `made_as` are the key of the result.
 * Returns the result; -1 if memory is out. */
static int32_t combine(ir_program *program, int32_t before, const ir_op *op, const ir_operation *of, int made_as,
                       int32_t value, int32_t scale, const ir_shape *shape) {
  static const ir_binary_params params = {.auto_broadcast = IR_BROADCAST_NUMPY, .axis = -1};
  const int32_t viewed = ir_view_constant(program, before, scale, shape);
  if (viewed < 0)
    return -1;
  ir_program_value made = program->values[value];
  made.is_kept = made.is_given = false;
  made.producer = -1;
  const ir_constant_key *source = &made.key;
  if (source->made != IR_MADE_ITSELF) /* the key must differ from that of a product with the file's own constant */
    made_as += IR_MADE_OF_MADE * (source->layer + 1);
  made.key = (ir_constant_key){.layer = of->layer, .type = made.value.type, .made = made_as};
  const int32_t to = ir_program_add_value(program, &made), in[] = {value, viewed};
  if (to < 0 || ir_program_add(program, before, op, &params, &of->node, of->layer, in, 2, &to, 1) < 0)
    return -1;
  return to;
}

/* Whether weights can be scaled by the value. */
static bool can_scale(const ir_program *program, const ir_chain *c, int32_t value) {
  const ir_value *weights = ir_program_value_of(program, c->weights), *scale = ir_program_value_of(program, value);
  return program->folds && c->desc.n_post_ops == 0 && c->desc.b_is_weights && weights->is_constant &&
         scale->is_constant && weights->type == IR_F32 && scale->type == IR_F32 && weights->shape.rank >= 2 &&
         ir_has_matrices(program, c);
}

bool ir_chain_take_scale(ir_program *program, ir_chain *c, const ir_match *m) {
  scaling s = {.value = m->y};
  s.is_one = ir_is_one_number(program, m->y, ir_program_value_of(program, c->out)->shape.rank);
  if (ir_is_pdpd(program, m) || !can_scale(program, c, m->y) || (!s.is_one && !ir_is_per_channel(program, c, m->y)) ||
      (c->bias >= 0 && !ir_program_value_of(program, c->bias)->is_constant))
    return false;
  const ir_operation of = program->operations[m->operations[0]];
  const ir_shape shape = scale_shape(c, &ir_program_value_of(program, c->weights)->shape, &s);
  const int32_t weights =
      combine(program, c->product, &ir_op_multiply_1, &of, IR_MADE_SCALED, c->weights, m->y, &shape);
  int32_t bias = c->bias;
  if (weights >= 0 && bias >= 0) {
    ir_shape own = ir_program_value_of(program, bias)->shape;
    for (int i = 0; s.is_one && i < own.rank; i++)
      own.dims[i] = ir_dim_of(1);
    bias = combine(program, c->product, &ir_op_multiply_1, &of, IR_MADE_SCALED_BIAS, bias, m->y, &own);
  }
  if (weights < 0 || (c->bias >= 0 && bias < 0))
    return false;
  c->weights = weights;
  c->bias = bias;
  return true;
}

/* Whether the value has one number for each channel of the data, or one for all. */
static bool fits_data(const ir_program *program, const ir_chain *c, int32_t value) {
  const ir_shape *data = &ir_program_value_of(program, c->data)->shape;
  const int channel = c->desc.kind == IR_FAST_MATMUL ? data->rank - 1 : 1;
  return ir_is_one_number(program, value, data->rank) ||
         (data->rank > 1 && !c->desc.a.is_transposed &&
          ir_is_along(&ir_program_value_of(program, value)->shape, data, channel));
}

/* If a multiplication or addition, as `function` says, of a fitting constant makes the data, and nothing else reads its
 * result: takes it, so that the chain reads its other input, and returns the constant. Else returns -1. */
static int32_t take_operand_of_data(ir_fusing *f, ir_chain *c, ir_function function) {
  const ir_pattern_node wanted = {function, {IR_X, IR_Y}};
  const ir_program *program = f->program;
  const ir_program_value *data = &program->values[c->data];
  const int32_t producer = data->producer;
  if (producer < 0 || producer >= f->n_original || data->n_uses != 1 || data->is_kept || f->taken[producer])
    return -1;
  const ir_operation *operation = &program->operations[producer];
  const ir_binary_params *params = operation->node.params;
  if (operation->is_dead || !ir_pattern_is_of(operation, &wanted) || params->auto_broadcast == IR_BROADCAST_PDPD)
    return -1;
  for (int i = 0; i < 2; i++) {
    const int32_t from = operation->in[i], value = operation->in[1 - i];
    if (!can_scale(program, c, value) || !ir_have_one_shape(program, from, c->data) || !fits_data(program, c, value))
      continue;
    c->data = from;
    c->taken[c->n_taken++] = producer;
    return value;
  }
  return -1;
}

bool ir_chain_take_data_scale(ir_fusing *f, ir_chain *c) {
  ir_program *program = f->program;
  ir_chain with = *c;
  const int32_t value = take_operand_of_data(f, &with, IR_FUNCTION_MULTIPLY);
  if (value < 0)
    return false;
  const ir_operation of = program->operations[c->product];
  const scaling s = {.value = value, .is_one = ir_is_one_number(program, value, IR_MAX_RANK), .is_of_data = true};
  const ir_shape shape = scale_shape(c, &ir_program_value_of(program, c->weights)->shape, &s);
  with.weights = combine(program, c->product, &ir_op_multiply_1, &of, IR_MADE_SCALED_IN, c->weights, value, &shape);
  if (with.weights < 0)
    return false;
  *c = with;
  return true;
}

/* ---- an addition to the data ---- */

/* The sums of weights [groups, out, in, inner] times a shift of the data: one number for each data channel, or one for
 * all (n_shifts 1). in_step and out_step are distances in the weights. */
typedef struct shift_sums {
  int64_t groups, n_out, n_in, inner, out_step, in_step, n_shifts;
} shift_sums;

static ir_code run_shift(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const shift_sums *s = step->state;
  const float *shifts = in[1]->data;
  (void)exec;
  for (int64_t g = 0; g < s->groups; g++)
    for (int64_t o = 0; o < s->n_out; o++) {
      const float *weights = (const float *)in[0]->data + g * s->n_out * s->n_in * s->inner + o * s->out_step;
      double sum = 0;
      for (int64_t i = 0; i < s->n_in; i++)
        for (int64_t k = 0; k < s->inner; k++)
          sum += (double)weights[i * s->in_step + k] * (double)shifts[s->n_shifts == 1 ? 0 : g * s->n_in + i];
      ((float *)out[0]->data)[g * s->n_out + o] = (float)sum;
    }
  return IR_OK;
}

static ir_code prepare_shift(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "shift_sums", .isa = "any", .run = run_shift};
  (void)in, (void)scope;
  return ir_plan_step(plan, node, &kernel, node->params, 0);
}

static const ir_op shift_op = {
    .dialect = IR_OPENVINO, .type = "ShiftSums", .run = {IR_RUN_PREPARED, .prepare = prepare_shift}};

/* Whether each output is a sum of the same terms. */
static bool has_no_pads(const ir_fast_desc *desc) {
  bool none = desc->kind != IR_FAST_BACKPROP;
  for (int i = 0; i < desc->n_axes && desc->kind == IR_FAST_CONVOLUTION; i++)
    none = none && desc->pads_begin[i] == 0 && desc->pads_end[i] == 0;
  return none;
}

static shift_sums sums_of(const ir_chain *c, int64_t n_shifts) {
  const ir_fast_desc *desc = &c->desc;
  if (desc->kind == IR_FAST_MATMUL)
    return (shift_sums){.groups = 1,
                        .n_out = desc->n,
                        .n_in = desc->k,
                        .inner = 1,
                        .out_step = desc->b.is_transposed ? desc->k : 1,
                        .in_step = desc->b.is_transposed ? 1 : desc->n,
                        .n_shifts = n_shifts};
  int64_t inner = 1;
  for (int i = 0; i < desc->n_axes; i++)
    inner *= desc->kernel[i];
  return (shift_sums){.groups = desc->groups,
                      .n_out = desc->channels_out,
                      .n_in = desc->channels_in,
                      .inner = inner,
                      .out_step = desc->channels_in * inner,
                      .in_step = inner,
                      .n_shifts = n_shifts};
}

/* Makes the bias; -1 when memory is out. */
static int32_t make_shift(ir_program *program, const ir_chain *c, int32_t value) {
  const ir_operation of = program->operations[c->product];
  shift_sums *sums = ir_arena_alloc(program->arena, sizeof *sums);
  int64_t n_shifts;
  if (sums == NULL || !ir_shape_elements(&ir_program_value_of(program, value)->shape, &n_shifts))
    return -1;
  *sums = sums_of(c, n_shifts);
  const int64_t n = sums->groups * sums->n_out;
  ir_program_value made = {.value = {.type = IR_F32, .shape = ir_shape_of(1, &n)},
                           .producer = -1,
                           .layer = of.layer,
                           .node = program->values[c->weights].node,
                           .key = {.layer = of.layer, .type = IR_F32, .made = IR_MADE_SHIFT}};
  const int32_t to = ir_program_add_value(program, &made), in[] = {c->weights, value};
  return to < 0 || ir_program_add(program, c->product, &shift_op, sums, &of.node, of.layer, in, 2, &to, 1) < 0 ? -1
                                                                                                               : to;
}

bool ir_chain_take_data_shift(ir_fusing *f, ir_chain *c) {
  ir_chain with = *c;
  if (c->bias >= 0 || !has_no_pads(&c->desc) ||
      (c->desc.kind == IR_FAST_MATMUL && ir_program_value_of(f->program, c->weights)->shape.rank != 2))
    return false;
  const int32_t value = take_operand_of_data(f, &with, IR_FUNCTION_ADD);
  with.bias = value < 0 ? -1 : make_shift(f->program, c, value);
  with.desc.has_bias = with.is_shift = true;
  if (with.bias < 0)
    return false;
  *c = with;
  return true;
}

bool ir_chain_add_to_shift(ir_program *program, ir_chain *c, const ir_match *m) {
  const ir_value *value = ir_program_value_of(program, m->y);
  if (!c->is_shift || c->desc.n_post_ops > 0 || !value->is_constant || value->type != IR_F32)
    return false;
  const ir_operation of = program->operations[m->operations[0]];
  const ir_shape shape = ir_program_value_of(program, c->bias)->shape;
  const int32_t sum = combine(program, c->product, &ir_op_add_1, &of, IR_MADE_SHIFTED_BIAS, c->bias, m->y, &shape);
  if (sum < 0)
    return false;
  c->bias = sum;
  c->is_shift = false;
  return true;
}
