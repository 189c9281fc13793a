/* A part of the pass "fuse": multiplies the constant weights of a product by a constant factor of its data or output,
 * so that the multiplication at run time is left out. A product is a contraction that oneDNN computes. */
#include "ops/math/binary.h"
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

/* Adds an operation, before operation `before`, that multiplies the constants `value` and `scale`; `shape` is the shape
 * with which `scale` broadcasts to `value`. The layer of `of` and `made_as` are the key of the result. Returns the
 * result; -1 if memory is out. */
static int32_t multiply(ir_program *program, int32_t before, const ir_operation *of, int made_as, int32_t value,
                        int32_t scale, const ir_shape *shape) {
  static const ir_binary_params params = {.auto_broadcast = IR_BROADCAST_NUMPY, .axis = -1};
  ir_value flat = program->values[scale].value;
  flat.shape = *shape;
  const int32_t viewed = ir_program_convert(program, before, &view, scale, &flat);
  if (viewed < 0)
    return -1;
  program->values[viewed].key.made = IR_MADE_VIEW;
  ir_program_value made = program->values[value];
  made.is_kept = made.is_given = false;
  made.producer = -1;
  const ir_constant_key *source = &made.key;
  if (source->made != IR_MADE_ITSELF) /* the key must differ from that of a product with the file's own constant */
    made_as += IR_MADE_OF_MADE * (source->layer + 1);
  made.key = (ir_constant_key){.layer = of->layer, .type = made.value.type, .made = made_as};
  const int32_t to = ir_program_add_value(program, &made), in[] = {value, viewed};
  if (to < 0 || ir_program_add(program, before, &ir_op_multiply_1, &params, &of->node, of->layer, in, 2, &to, 1) < 0)
    return -1;
  return to;
}

/* Whether weights can be scaled by the value. */
static bool can_scale(const ir_program *program, const ir_chain *c, int32_t value) {
  const ir_value *weights = ir_program_value_of(program, c->weights), *scale = ir_program_value_of(program, value);
  return program->folds && c->desc.n_post_ops == 0 && c->desc.b_is_weights && weights->is_constant &&
         scale->is_constant && weights->type == IR_F32 && scale->type == IR_F32 && weights->shape.rank >= 2;
}

static bool is_one_number(const ir_program *program, int32_t value, int most_rank) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape;
  int64_t elements;
  return ir_shape_elements(shape, &elements) && elements == 1 && shape->rank <= most_rank;
}

bool ir_chain_take_scale(ir_program *program, ir_chain *c, const ir_match *m) {
  scaling s = {.value = m->y};
  s.is_one = is_one_number(program, m->y, ir_program_value_of(program, c->out)->shape.rank);
  if (ir_is_pdpd(program, m) || !can_scale(program, c, m->y) || (!s.is_one && !ir_is_per_channel(program, c, m->y)) ||
      (c->bias >= 0 && !ir_program_value_of(program, c->bias)->is_constant))
    return false;
  const ir_operation of = program->operations[m->operations[0]];
  const ir_shape shape = scale_shape(c, &ir_program_value_of(program, c->weights)->shape, &s);
  const int32_t weights = multiply(program, c->product, &of, IR_MADE_SCALED, c->weights, m->y, &shape);
  int32_t bias = c->bias;
  if (weights >= 0 && bias >= 0) {
    ir_shape own = ir_program_value_of(program, bias)->shape;
    for (int i = 0; s.is_one && i < own.rank; i++)
      own.dims[i] = ir_dim_of(1);
    bias = multiply(program, c->product, &of, IR_MADE_SCALED_BIAS, bias, m->y, &own);
  }
  if (weights < 0 || (c->bias >= 0 && bias < 0))
    return false;
  c->weights = weights;
  c->bias = bias;
  return true;
}

/* Whether `value` has one number for each channel of the data. */
static bool is_per_data_channel(const ir_program *program, const ir_chain *c, int32_t data, int32_t value) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape, *of = &ir_program_value_of(program, data)->shape;
  const int channel = c->desc.kind == IR_FAST_MATMUL ? of->rank - 1 : 1;
  bool fits = shape->rank <= of->rank && channel >= of->rank - shape->rank && !c->desc.a.is_transposed && of->rank > 1;
  for (int i = 0; i < shape->rank && fits; i++) {
    const int axis = of->rank - shape->rank + i;
    fits = shape->dims[i].lo == (axis == channel ? of->dims[axis].lo : 1);
  }
  return fits;
}

bool ir_chain_take_data_scale(ir_fusing *f, ir_chain *c) {
  static const ir_pattern_node scale = {IR_FUNCTION_MULTIPLY, {IR_X, IR_Y}};
  ir_program *program = f->program;
  const ir_program_value *data = &program->values[c->data];
  const int32_t producer = data->producer;
  if (producer < 0 || producer >= f->n_original || data->n_uses != 1 || data->is_kept || f->taken[producer])
    return false;
  const ir_operation multiplication = program->operations[producer];
  const ir_binary_params *params = multiplication.node.params;
  if (multiplication.is_dead || !ir_pattern_is_of(&multiplication, &scale) ||
      params->auto_broadcast == IR_BROADCAST_PDPD)
    return false;
  for (int i = 0; i < 2; i++) {
    const int32_t from = multiplication.in[i], value = multiplication.in[1 - i];
    scaling s = {.value = value, .is_of_data = true};
    s.is_one = is_one_number(program, value, ir_program_value_of(program, c->data)->shape.rank);
    if (!can_scale(program, c, value) || !ir_have_one_shape(program, from, c->data) ||
        (!s.is_one && !is_per_data_channel(program, c, c->data, value)))
      continue;
    const ir_operation of = program->operations[c->product];
    const ir_shape shape = scale_shape(c, &ir_program_value_of(program, c->weights)->shape, &s);
    const int32_t weights = multiply(program, c->product, &of, IR_MADE_SCALED_IN, c->weights, value, &shape);
    if (weights < 0)
      return false;
    c->weights = weights;
    c->data = from;
    c->taken[c->n_taken++] = producer;
    return true;
  }
  return false;
}
