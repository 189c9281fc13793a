/* Stores weights in another type. For int8 the layers and numbers are those of nncf.compress_weights in its modes
 * INT8_SYM and INT8_ASYM, and for f16 those of OpenVINO's save_model. */
#include "ops/const.h"
#include "runtime/edit/editing.h"
#include "runtime/infer/bin_layout.h"
#include "runtime/model/weight_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A constant, and the layer whose output is its value in the model: itself, or a Convert to f32. */
typedef struct weight {
  const ir_node *constant;
  int32_t source;
  ir_type type;
  ir_shape shape;
  int64_t n;
  const unsigned char *bytes;
} weight;

static double element(ir_type type, const unsigned char *bytes, int64_t i) {
  double wider;
  float wide;
  uint16_t narrow;
  if (type == IR_F64) {
    memcpy(&wider, bytes + 8 * i, sizeof wider);
    return wider;
  }
  if (type == IR_F32) {
    memcpy(&wide, bytes + 4 * i, sizeof wide);
    return wide;
  }
  memcpy(&narrow, bytes + 2 * i, sizeof narrow);
  return type == IR_F16 ? ir_f16_to_f32(narrow) : ir_bf16_to_f32(narrow);
}

/* Reads constant `layer` of floats. Returns IR_OK and w->bytes NULL if it is no such constant, or has a fault: then the
 * check of the result reports it. */
static ir_code find_weight(ir_editing *e, int32_t layer, weight *w) {
  const ir_node *node = &e->scope->model->nodes[layer];
  ir_weights *weights = e->scope->model->graph.weights;
  *w = (weight){.constant = node, .source = layer};
  if (!ir_op_is(node->op, IR_RUN_CONSTANT) || node->layer->n_outputs != 1)
    return IR_OK;
  const ir_const_params *params = node->params;
  w->type = params->element_type;
  w->shape = params->shape;
  if (!ir_type_in(w->type, IR_SET_FLOATS) || !ir_shape_elements(&w->shape, &w->n) || w->n < 2)
    return IR_OK;
  if (weights == NULL || !ir_weights_open(weights))
    return ir_edit_fault(e, "the model's .bin is not there");
  if (!ir_const_is_whole(node, weights))
    return IR_OK;
  w->bytes = ir_weights_bytes(weights, params->offset, params->size);
  return w->bytes != NULL ? IR_OK : ir_report_unreadable_bin(weights, e->diags);
}

/* ---- the account ---- */

/* Sums of squares of one constant. */
typedef struct squares {
  double values, differences;
} squares;

static void add_difference(squares *s, double value, double stored) {
  s->values += value * value;
  s->differences += (value - stored) * (value - stored);
}

/* Adds a constant to the report. If it is kept, `to` is its type. */
static ir_code list_constant(ir_editing *e, const weight *w, ir_type to, int64_t bytes, double error) {
  if (!ir_reserve(&e->scope->model->context->memory, &e->constants, e->n_constants, &e->constants_capacity,
                  sizeof(irrun_edit_constant)))
    return ir_out_of_memory(e->diags);
  ((irrun_edit_constant *)e->constants)[e->n_constants++] =
      (irrun_edit_constant){.name = w->constant->layer->name,
                            .from = (irrun_element_type)w->type,
                            .to = (irrun_element_type)to,
                            .bytes_before = ((const ir_const_params *)w->constant->params)->size,
                            .bytes_after = bytes,
                            .error = error};
  return IR_OK;
}

static ir_code keep(ir_editing *e, const weight *w) {
  e->weights.n_kept++;
  return list_constant(e, w, w->type, ((const ir_const_params *)w->constant->params)->size, 0);
}

static ir_code account(ir_editing *e, const weight *w, ir_type to, const squares *s, size_t bytes, squares *total) {
  const double error = s->values > 0 ? sqrt(s->differences / s->values) : 0;
  e->weights.n_constants++;
  e->weights.bytes_before += ((const ir_const_params *)w->constant->params)->size;
  e->weights.bytes_after += (int64_t)bytes;
  total->values += s->values;
  total->differences += s->differences;
  if (error > e->weights.worst_error) {
    e->weights.worst_error = error;
    e->weights.worst = w->constant->layer->name;
  }
  return list_constant(e, w, to, (int64_t)bytes, error);
}

/* ---- layers ---- */

static bool add_layer(ir_editing *e, const weight *w, const char *type, const char *suffix, const char *attribute,
                      const char *value, const ir_edit_value *inputs, int32_t n, ir_edit_value *out) {
  ir_raw_attr *attrs = ir_arena_array(&e->arena, 1, sizeof *attrs);
  if (attrs == NULL)
    return false;
  attrs[0] = (ir_raw_attr){.name = attribute, .value = value};
  return ir_add_op(e, type, "opset1", w->constant->layer->name, suffix, attrs, 1, inputs, n, out);
}

static bool add_convert(ir_editing *e, const weight *w, const char *suffix, ir_type to, ir_edit_value *value) {
  ir_edit_value out = *value;
  out.type = to;
  if (!add_layer(e, w, "Convert", suffix, "destination_type", ir_type_name(to), value, 1, &out))
    return false;
  *value = out;
  return true;
}

static bool add_arithmetic(ir_editing *e, const weight *w, const char *type, const char *suffix,
                           const ir_edit_value *other, ir_edit_value *value) {
  const ir_edit_value inputs[] = {*value, *other};
  return add_layer(e, w, type, suffix, "auto_broadcast", "numpy", inputs, 2, value);
}

/* Gives the tensor names of the weight to the output that takes its place: of the layer that was added last, or of the
 * constant itself. */
static ir_code move_names(ir_editing *e, const weight *w, const ir_edit_value *value) {
  const ir_layer *source = e->scope->model->nodes[w->source].layer, *constant = w->constant->layer;
  const ir_port *from = &source->outputs[0], *to = &constant->outputs[0];
  if (from->names == NULL || *from->names == '\0')
    return IR_OK;
  if (value->layer == constant->id)
    return to->names == NULL ? ir_set_port_names(e, to, from->names) : ir_set_value(e, to->names_at, from->names);
  e->scope->added.layers[e->scope->added.n_layers - 1].outputs[0].names = from->names;
  return source == constant ? ir_set_value(e, from->names_at, "") : IR_OK; /* else the source is dropped */
}

/* Puts `value` in the place of the weight. */
static ir_code replace(ir_editing *e, const weight *w, const ir_edit_value *value) {
  ir_code code = move_names(e, w, value);
  e->scope->is_replaced[ir_node_index(e->scope->model, w->constant)] = true;
  e->scope->is_dropped[w->source] =
      e->scope->is_dropped[w->source] || &e->scope->model->nodes[w->source] != w->constant;
  return code == IR_OK ? ir_redirect_edges(e, w->source, 0, value) : code;
}

/* ---- f16 and f32 ---- */

/* save_model of OpenVINO 2026.4 leaves a constant if f16 moves an element by more than 1, or three quarters of them by
 * more than 0.1 %, such as those below 2^-15. It replaces elements above 65504; irrun leaves their constant. */
static ir_code store_as_f16(ir_editing *e, const weight *w, squares *total) {
  const size_t bytes = (size_t)w->n * sizeof(uint16_t);
  uint16_t *halves = ir_alloc(&e->scope->model->context->memory, bytes);
  squares s = {0, 0};
  int64_t n_moved = 0;
  bool fits = true;
  if (halves == NULL)
    return ir_out_of_memory(e->diags);
  for (int64_t i = 0; i < w->n && fits; i++) {
    const double value = element(w->type, w->bytes, i);
    halves[i] = ir_f32_to_f16((float)value);
    const double stored = ir_f16_to_f32(halves[i]);
    fits = !isfinite(value) || fabs(value - stored) <= 1;
    n_moved += !isfinite(value) || fabs(value - stored) > 0.001 * fabs(value);
    if (isfinite(value))
      add_difference(&s, value, stored);
  }
  fits = fits && (double)n_moved < 0.75 * (double)w->n;
  ir_code code = fits ? account(e, w, IR_F16, &s, bytes, total) : keep(e, w);
  if (code == IR_OK && fits) {
    code = ir_set_constant(e, w->constant, IR_F16, &w->shape, halves, bytes);
    ir_edit_value value = ir_edit_value_of(e, w->source, 0);
    value.type = IR_F16;
    if (code == IR_OK && !add_convert(e, w, "convert", w->type, &value))
      code = ir_out_of_memory(e->diags);
    if (code == IR_OK) {
      e->scope->added.layers[e->scope->added.n_layers - 1].rt_attribute = "decompression";
      code = replace(e, w, &value);
    }
  }
  ir_free(&e->scope->model->context->memory, halves);
  return code;
}

static ir_code narrow_all(ir_editing *e, squares *total) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < e->scope->model->graph.n_layers && code == IR_OK; i++) {
    weight w;
    code = find_weight(e, (int32_t)i, &w);
    if (code == IR_OK && w.bytes != NULL && ir_type_in(w.type, IR_SET(IR_F32) | IR_SET(IR_F64)) &&
        e->scope->decides[i] == 0)
      code = store_as_f16(e, &w, total);
  }
  return code;
}

/* Returns the constant behind a Convert; NULL: the layer is none, or has a fault. */
static const ir_node *constant_behind(const irrun_model *model, const ir_node *node) {
  if (node->op == NULL || strcmp(node->layer->type, "Convert") != 0 || node->n_inputs != 1 ||
      node->inputs[0].layer < 0 || node->n_outputs != 1 || ir_node_lacks_ports(node))
    return NULL;
  const ir_node *from = &model->nodes[node->inputs[0].layer];
  return ir_op_is(from->op, IR_RUN_CONSTANT) ? from : NULL;
}

/* Finds the constant behind a Convert to f32 or f64. A constant that other layers read, too, must keep its type. */
static ir_code find_converted(ir_editing *e, int32_t layer, weight *w) {
  const ir_node *node = &e->scope->model->nodes[layer], *constant = constant_behind(e->scope->model, node);
  size_t n_readers;
  *w = (weight){.bytes = NULL};
  if (constant == NULL || !ir_type_in(node->outputs[0].type, IR_SET(IR_F32) | IR_SET(IR_F64)))
    return IR_OK;
  ir_code code = find_weight(e, node->inputs[0].layer, w);
  w->source = layer;
  if (code != IR_OK || w->bytes == NULL)
    return code;
  if (ir_edges_from(e, constant->layer->id, constant->layer->outputs[0].id, &n_readers) == NULL)
    return ir_out_of_memory(e->diags);
  if (n_readers == 1)
    return IR_OK;
  w->bytes = NULL;
  e->shared_constant = e->shared_constant == NULL ? constant->layer->name : e->shared_constant;
  return IR_OK;
}

static ir_code widen_all(ir_editing *e, squares *total) {
  ir_code code = IR_OK;
  for (size_t i = 0; i < e->scope->model->graph.n_layers && code == IR_OK; i++) {
    weight w;
    code = find_converted(e, (int32_t)i, &w);
    if (code != IR_OK || w.bytes == NULL || !ir_type_in(w.type, IR_SET(IR_F16) | IR_SET(IR_BF16)))
      continue;
    const ir_type to = e->scope->model->nodes[i].outputs[0].type;
    const size_t bytes = (size_t)w.n * ir_type_size(to);
    void *wide = ir_alloc(&e->scope->model->context->memory, bytes);
    if (wide == NULL)
      return ir_out_of_memory(e->diags);
    for (int64_t k = 0; k < w.n; k++)
      if (to == IR_F64)
        ((double *)wide)[k] = element(w.type, w.bytes, k);
      else
        ((float *)wide)[k] = (float)element(w.type, w.bytes, k);
    code = account(e, &w, to, &(squares){0, 0}, bytes, total);
    if (code == IR_OK)
      code = ir_set_constant(e, w.constant, to, &w.shape, wide, bytes);
    ir_edit_value value = ir_edit_value_of(e, ir_node_index(e->scope->model, w.constant), 0);
    value.type = to;
    if (code == IR_OK)
      code = replace(e, &w, &value);
    ir_free(&e->scope->model->context->memory, wide);
  }
  return code;
}

/* ---- int8 ---- */

/* Elements [outer, reduced, inner]: a scale for each index of outer and inner. */
typedef struct groups {
  int64_t outer, reduced, inner;
  ir_shape scales;
} groups;

/* Finds the axes that share a scale: those over which the op sums. Returns false if nncf compresses no such input. */
static bool find_groups(const ir_node *node, int32_t port, const ir_shape *shape, groups *out) {
  const char *type = node->layer->type;
  const ir_raw_attr *transposed = ir_layer_attr(node->layer, port == 0 ? "transpose_a" : "transpose_b");
  const bool is_transposed =
      transposed != NULL && (transposed->value[0] == 't' || transposed->value[0] == 'T' || transposed->value[0] == '1');
  int first = shape->rank - 1, last = first; /* the reduced axes */
  if (strcmp(type, "MatMul") == 0 && shape->rank >= 2)
    first = last = shape->rank - (is_transposed == (port == 1) ? 1 : 2);
  else if ((strcmp(type, "Convolution") == 0 || strcmp(type, "GroupConvolution") == 0) && port == 1)
    first = 1;
  else if (strcmp(type, "Gather") != 0 || port != 0 || shape->rank != 2)
    return false;
  *out = (groups){1, 1, 1, *shape};
  for (int i = 0; i < shape->rank; i++) {
    *(i < first ? &out->outer : i <= last ? &out->reduced : &out->inner) *= shape->dims[i].lo;
    if (i >= first && i <= last)
      out->scales.dims[i] = ir_dim_of(1);
  }
  return true;
}

/* Sets the scales and zero points from the least and the largest element of each group. */
static void find_scales(const weight *w, const groups *g, bool symmetric, float *scales, float *zeros) {
  const int64_t n = g->outer * g->inner;
  float *least = scales, *most = zeros;
  for (int64_t i = 0; i < n; i++) {
    least[i] = symmetric ? INFINITY : 0;
    most[i] = symmetric ? -INFINITY : 0;
  }
  for (int64_t o = 0, at = 0; o < g->outer; o++)
    for (int64_t k = 0; k < g->reduced; k++)
      for (int64_t i = o * g->inner; i < (o + 1) * g->inner; i++, at++) {
        const float value = (float)element(w->type, w->bytes, at);
        least[i] = value < least[i] ? value : least[i];
        most[i] = value > most[i] ? value : most[i];
      }
  for (int64_t i = 0; i < n; i++) {
    const float low = least[i], high = most[i];
    /* nncf's symmetric scale is negative if the largest magnitude is positive, for -128 reaches further than 127 */
    float scale = symmetric ? (fabsf(low) >= high ? fabsf(low) : -high) / 128 : (high - low) / 255;
    scale = fabsf(scale) < FLT_EPSILON ? FLT_EPSILON : scale;
    scales[i] = scale;
    zeros[i] = symmetric ? 0 : fminf(fmaxf(-rintf(low / scale), 0), 255);
  }
}

static void quantize(const weight *w, const groups *g, bool symmetric, const float *scales, const float *zeros,
                     uint8_t *out, squares *s) {
  const float lowest = symmetric ? -128 : 0, highest = symmetric ? 127 : 255;
  for (int64_t o = 0, at = 0; o < g->outer; o++)
    for (int64_t k = 0; k < g->reduced; k++)
      for (int64_t i = o * g->inner; i < (o + 1) * g->inner; i++, at++) {
        const float value = (float)element(w->type, w->bytes, at);
        const float level = fminf(fmaxf(rintf(value / scales[i] + zeros[i]), lowest), highest);
        out[at] = (uint8_t)(int)level;
        add_difference(s, value, (level - zeros[i]) * ir_f16_to_f32(ir_f32_to_f16(scales[i])));
      }
}

/* Adds the layers behind a constant that is now i8 or u8. */
static ir_code add_scaling(ir_editing *e, const weight *w, const groups *g, bool symmetric, const void *halves,
                           const void *zero_bytes, int64_t n) {
  ir_edit_value value = ir_edit_value_of(e, ir_node_index(e->scope->model, w->constant), 0), scale, zero;
  const ir_type type = e->scope->model->nodes[w->source].outputs[0].type;
  const char *name = w->constant->layer->name;
  value.type = symmetric ? IR_I8 : IR_U8;
  bool ok = add_convert(e, w, "convert", IR_F16, &value);
  if (ok && !symmetric)
    ok = ir_add_constant(e, name, "zero_point", IR_U8, &g->scales, zero_bytes, (size_t)n, &zero) &&
         add_convert(e, w, "zero_point/convert", IR_F16, &zero) &&
         add_arithmetic(e, w, "Subtract", "zero_point/subtract", &zero, &value);
  ok = ok && ir_add_constant(e, name, "scale", IR_F16, &g->scales, halves, (size_t)n * 2, &scale) &&
       add_arithmetic(e, w, "Multiply", "fq_weights_1", &scale, &value);
  if (ok && type != IR_F16)
    ok = add_convert(e, w, "fq_weights_1/convert", type, &value);
  return ok ? replace(e, w, &value) : ir_out_of_memory(e->diags);
}

/* Whether f16 holds the scales. */
static bool scales_fit(const float *scales, int64_t n) {
  for (int64_t i = 0; i < n; i++)
    if (!isfinite(ir_f16_to_f32(ir_f32_to_f16(scales[i]))))
      return false;
  return true;
}

/* Replaces each scale by its f16, and each zero point by its u8, at the begin of their arrays. */
static void narrow_scales(float *scales, float *zeros, int64_t n) {
  uint8_t *zero_bytes = (uint8_t *)zeros;
  uint16_t *halves = (uint16_t *)scales;
  for (int64_t i = 0; i < n; i++) { /* each number is read before its place is written */
    const uint16_t half = ir_f32_to_f16(scales[i]);
    const uint8_t zero = (uint8_t)zeros[i];
    memcpy(&halves[i], &half, sizeof half);
    zero_bytes[i] = zero;
  }
}

static ir_code store_as_int8(ir_editing *e, const weight *w, const groups *g, bool symmetric, squares *total) {
  const ir_memory *memory = &e->scope->model->context->memory;
  const int64_t n = g->outer * g->inner;
  const ir_type to = symmetric ? IR_I8 : IR_U8;
  float *scales = ir_alloc(memory, 2 * (size_t)n * sizeof *scales), *zeros = scales + n;
  uint8_t *levels = ir_alloc(memory, (size_t)w->n);
  squares s = {0, 0};
  ir_code code = scales == NULL || levels == NULL ? ir_out_of_memory(e->diags) : IR_OK;
  bool fits = false;
  if (code == IR_OK) {
    find_scales(w, g, symmetric, scales, zeros);
    fits = scales_fit(scales, n);
  }
  if (code == IR_OK && !fits)
    code = keep(e, w);
  if (code == IR_OK && fits) {
    quantize(w, g, symmetric, scales, zeros, levels, &s);
    code = account(e, w, to, &s, (size_t)w->n + (size_t)n * (symmetric ? 2 : 3), total);
    if (code == IR_OK)
      code = ir_set_constant(e, w->constant, to, &w->shape, levels, (size_t)w->n);
    narrow_scales(scales, zeros, n);
    if (code == IR_OK)
      code = add_scaling(e, w, g, symmetric, scales, zeros, n);
  }
  ir_free(memory, scales);
  ir_free(memory, levels);
  return code;
}

static bool is_finite(const weight *w) {
  for (int64_t i = 0; i < w->n; i++)
    if (!isfinite(element(w->type, w->bytes, i)))
      return false;
  return true;
}

static ir_code quantize_all(ir_editing *e, bool symmetric, squares *total) {
  const irrun_model *model = e->scope->model;
  bool *done = ir_arena_array(&e->arena, model->graph.n_layers + 1, sizeof *done);
  ir_code code = done == NULL ? ir_out_of_memory(e->diags) : IR_OK;
  for (size_t i = 0; i < model->graph.n_layers && code == IR_OK; i++) {
    const ir_node *node = &model->nodes[i];
    for (int32_t p = 0; p < node->n_inputs && p < 2 && code == IR_OK; p++) {
      const int32_t from = node->inputs[p].layer;
      weight w;
      groups g;
      if (from < 0)
        continue;
      code = find_converted(e, from, &w);
      if (code == IR_OK && w.bytes == NULL)
        code = find_weight(e, from, &w);
      if (code != IR_OK || w.bytes == NULL || model->nodes[from].outputs[0].type == IR_F64 ||
          !find_groups(node, p, &w.shape, &g) || done[ir_node_index(model, w.constant)])
        continue;
      done[ir_node_index(model, w.constant)] = true;
      code = is_finite(&w) ? store_as_int8(e, &w, &g, symmetric, total) : keep(e, &w);
    }
  }
  return code;
}

/* ---- the word ---- */

/* Reports, if no constant was converted, a weight of few bits that is not stored as `to`. If there is none, the model
 * is already as it should be, and the caller says so. */
static ir_code check_converted(const ir_editing *e, ir_type to) {
  for (size_t s = 0; s < e->n_scopes; s++)
    for (size_t i = 0; i < e->scopes[s].model->graph.n_layers; i++) {
      const ir_node *node = &e->scopes[s].model->nodes[i], *from = constant_behind(e->scopes[s].model, node);
      int64_t n = 0;
      if (from == NULL || !ir_type_in(node->outputs[0].type, IR_SET_FLOATS))
        continue;
      const ir_const_params *params = from->params;
      if (params->element_type != to && ir_type_in(params->element_type, IR_FEW_BITS) &&
          ir_shape_elements(&params->shape, &n) && n > 1)
        return ir_edit_fault(e, "weights such as '%s' are stored as %s, and only floats can be converted",
                             from->layer->name, ir_type_name(params->element_type));
    }
  return IR_OK;
}

ir_code ir_edit_weights(ir_editing *e, ir_subject *subject, const char *word, const char *value) {
  static const char *const types[] = {"f16", "f32", "int8_sym", "int8_asym"};
  enum { F16, F32, INT8_SYM, N_TYPES = sizeof types / sizeof types[0] };
  (void)subject;
  (void)word;
  squares total = {0, 0};
  ir_code code = IR_OK;
  int type = 0;
  while (type < N_TYPES && strcmp(value, types[type]) != 0)
    type++;
  if (type == N_TYPES)
    return ir_edit_fault(e, "'weights=%s': expected f16, f32, int8_sym or int8_asym", value);
  const int64_t n_errors = e->diags->n_errors;
  code = ir_check_bin_layout(e->scopes[0].model); /* the new constants would hide such faults */
  if (code == IR_OK && e->diags->n_errors > n_errors)
    return IR_INVALID;
  const ir_node *quantized = type == F16 ? ir_find_quantized(e->scopes[0].model) : NULL;
  if (code == IR_OK && quantized != NULL)
    return ir_edit_fault(e, "the model is quantized, as by '%s' (%s): f16 would move its limits or scales",
                         quantized->layer->name, quantized->layer->type);
  if (code == IR_OK && type == F16 && !ir_find_deciding(e))
    code = ir_out_of_memory(e->diags);
  for (size_t i = 0; i < e->n_scopes && code == IR_OK; i++) {
    e->scope = &e->scopes[i];
    code = type == F16   ? narrow_all(e, &total)
           : type == F32 ? widen_all(e, &total)
                         : quantize_all(e, type == INT8_SYM, &total);
  }
  e->scope = e->scopes;
  if (e->shared_constant != NULL)
    ir_report_as(e->diags, IR801_COMMAND_LINE, IR_WARNING, (ir_where){.at = IR_NOWHERE},
                 "'--edit %s' leaves constants such as '%s' as they are: several layers read them", e->edit,
                 e->shared_constant);
  e->weights.error = total.values > 0 ? sqrt(total.differences / total.values) : 0;
  if (code == IR_OK && e->n_constants == 0)
    return check_converted(e, type == F16 || type == F32 ? IR_DYNAMIC : type == INT8_SYM ? IR_I8 : IR_U8);
  e->compacts = true; /* the old constants are unused bytes now */
  return code;
}
