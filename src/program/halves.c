#include "program/halves.h"
#include "ops/kernels/compute_type.h"
#include "ops/math/convert_values.h"
#include "program/fast_contraction.h"
#include "program/packed_product.h"
#include <math.h>

/* Whether the operation moves elements and computes nothing. A MaxPool has a cost, and is fast only in f32. */
static bool only_moves(const ir_operation *operation) {
  const ir_function function = operation->node.op->function;
  return (function == IR_FUNCTION_MOVE && operation->node.op->cost == NULL) || function == IR_FUNCTION_TRANSPOSE ||
         function == IR_FUNCTION_VIEW;
}

/* ---- values that can have 16 bits ---- */

static bool has_constant_output(const ir_program *program, const ir_operation *operation) {
  return operation->out[0] < 0 || program->values[operation->out[0]].value.is_constant;
}

/* Whether all outputs that are read can have 16 bits. */
static bool outputs_fit(const ir_halves *h, const ir_operation *operation) {
  bool fit = true;
  for (int32_t p = 0; p < operation->n_out && fit; p++)
    fit = operation->out[p] < 0 || ir_halves_fit(h, operation->out[p]);
  return fit;
}

static bool takes_half(const ir_halves *h, const ir_use *use) {
  const ir_operation *reader = &h->program->operations[use->operation];
  if (reader->node.op->contraction != NULL)
    return use->port < 2 && !has_constant_output(h->program, reader);
  return only_moves(reader) && use->port < ir_count_moved(reader) && outputs_fit(h, reader);
}

static bool find_fit(const ir_halves *h, int32_t value) {
  const ir_program_value *v = &h->program->values[value];
  bool fits = v->value.type == IR_F32 && !v->is_kept;
  for (int32_t u = 0; u < v->n_uses && fits; u++)
    fits = takes_half(h, &h->program->uses[v->first_use + u]);
  return fits;
}

ir_code ir_halves_begin(ir_program *program, ir_halves *out) {
  const size_t n = program->n_values;
  *out = (ir_halves){.program = program, .type = program->precision, .n_values = n};
  if (out->type == IR_F32)
    return IR_OK;
  int32_t *order = ir_arena_array(program->arena, program->n_operations + 1, sizeof *order);
  size_t n_operations = 0;
  out->fits = ir_arena_array(program->arena, n + 1, sizeof *out->fits);
  out->copy_of = ir_arena_array(program->arena, n + 1, sizeof *out->copy_of);
  if (order == NULL || out->fits == NULL || out->copy_of == NULL)
    return ir_out_of_memory(program->diags);
  for (size_t i = 0; i < n; i++)
    out->copy_of[i] = -1;
  for (int32_t at = program->first; at >= 0; at = program->operations[at].next)
    order[n_operations++] = at;
  while (n_operations-- > 0) { /* readers come before what they read */
    const ir_operation *operation = &program->operations[order[n_operations]];
    for (int32_t p = 0; p < operation->n_out; p++)
      if (operation->out[p] >= 0)
        out->fits[operation->out[p]] = find_fit(out, operation->out[p]);
  }
  return IR_OK;
}

/* ---- conversions ---- */

/* A Convert to f16, which warns if a finite number becomes infinite. */
typedef struct convert_to_f16 {
  const ir_kernel *kernel; /* of Convert */
  ir_where where;
  ir_diags *diags;
} convert_to_f16;

static ir_code run_to_f16(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const convert_to_f16 *state = step->state;
  const uint16_t *halves = out[0]->data, infinity = ir_f32_to_f16(INFINITY), magnitude = 0x7fff;
  const int64_t n = ir_tensor_elements(out[0]);
  int64_t n_lost = 0;
  bool has_infinity = false;
  const ir_code code = state->kernel->run(step, in, out, exec);
  for (int64_t i = 0; i < n && code == IR_OK; i++)
    has_infinity |= (halves[i] & magnitude) == infinity;
  for (int64_t i = 0; i < n && has_infinity; i++)
    n_lost += (halves[i] & magnitude) == infinity && isfinite(ir_number_as_double(ir_tensor_get(in[0], i)));
  if (n_lost == 0)
    return code;
  return ir_report(state->diags, IR706_PRECISION_NOT_KEPT, state->where,
                   "%lld of %lld numbers that are multiplied exceed 65504, the largest of f16, and become infinite",
                   (long long)n_lost, (long long)n);
}

static ir_code prepare_to_f16(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "convert_to_f16", .isa = "any", .run = run_to_f16, .reads_unaligned = true};
  convert_to_f16 *state = ir_arena_alloc(plan->arena, sizeof *state);
  if (state == NULL)
    return ir_out_of_memory(plan->diags);
  const ir_code code = ir_convert_prepare(node, in, plan, scope);
  ir_step *step = &plan->steps[plan->n_steps - 1];
  *state = (convert_to_f16){step->kernel, ir_node_where(scope, node), plan->diags};
  step->kernel = &kernel;
  step->state = state;
  return code;
}

static const ir_op to_f16 = {.dialect = IR_OPENVINO,
                             .type = "ConvertToF16",
                             .run = {IR_RUN_PREPARED, .prepare = prepare_to_f16},
                             .takes_channels_last = ir_always_channels_last};

void ir_halves_store(const ir_halves *h, int32_t value) {
  h->program->values[value].value.type = h->type;
  h->program->values[value].key.type = h->type;
}

/* Converts the value to the type right behind its producer. */
static int32_t convert(const ir_halves *h, int32_t value, ir_type type, const char *why) {
  ir_program *program = h->program;
  const int32_t producer = program->values[value].producer;
  const int32_t before = producer < 0 ? program->first : program->operations[producer].next;
  ir_value made = program->values[value].value;
  made.type = type;
  const int32_t to = ir_program_convert(program, before, type == IR_F16 ? &to_f16 : &ir_op_convert_1, value, &made);
  if (to >= 0)
    ir_program_producer(program, to)->why = why;
  return to;
}

/* Whether the value gets 16 bits in ir_halves_end, because an operation that only moves elements makes it. */
static bool is_moved(const ir_halves *h, int32_t value) {
  const int32_t producer = h->program->values[value].producer;
  return ir_halves_fit(h, value) && producer >= 0 && only_moves(&h->program->operations[producer]) &&
         outputs_fit(h, &h->program->operations[producer]);
}

int32_t ir_halves_operand(ir_halves *h, int32_t value) {
  const bool is_old = (size_t)value < h->n_values;
  if (h->program->values[value].value.type == h->type || is_moved(h, value))
    return value;
  if (is_old && h->copy_of[value] >= 0)
    return h->copy_of[value];
  const int32_t to = convert(h, value, h->type, "16-bit products were asked for");
  if (is_old)
    h->copy_of[value] = to;
  return to;
}

static ir_code move_half(ir_halves *h, int32_t at) {
  for (int32_t i = 0; i < ir_count_moved(&h->program->operations[at]); i++) {
    const int32_t value = ir_halves_operand(h, h->program->operations[at].in[i]);
    if (value < 0)
      return IR_NO_MEMORY;
    h->program->operations[at].in[i] = value;
  }
  for (int32_t p = 0; p < h->program->operations[at].n_out; p++)
    if (h->program->operations[at].out[p] >= 0)
      ir_halves_store(h, h->program->operations[at].out[p]);
  return IR_OK;
}

/* Converts inputs of a product that oneDNN does not compute in 16 bits. */
static ir_code read_wide(ir_halves *h, int32_t at) {
  for (int32_t i = 0; i < h->program->operations[at].n_in; i++) {
    const int32_t value = h->program->operations[at].in[i];
    if (!ir_halves_fit(h, value) || h->program->values[value].value.type != h->type)
      continue;
    const int32_t wide = convert(h, value, IR_F32, "oneDNN lacks the product in 16 bits, or computes it slowly");
    if (wide < 0)
      return IR_NO_MEMORY;
    h->program->operations[at].in[i] = wide;
  }
  return IR_OK;
}

/* Whether the operation is a product of f32 that could have 16 bits. */
static bool is_wide_product(const ir_halves *h, const ir_operation *operation) {
  const ir_contraction *contraction = ir_is_contraction(operation) ? operation->node.params : NULL;
  const bool is_product = contraction != NULL
                              ? contraction->desc.in_type == IR_FAST_F32
                              : operation->node.op->contraction != NULL || operation->node.op == &ir_op_packed_product;
  return is_product && !has_constant_output(h->program, operation) &&
         ir_compute_type_of(h->program->values[operation->out[0]].value.type) == IR_COMPUTE_F32;
}

/* Notes once for the run that `n` products have f32; `first` is one of them. */
static ir_code report_wide(const ir_halves *h, int n, int32_t first) {
  const ir_program_request *request = h->program->request;
  if (n == 0 || *request->is_f32_said)
    return IR_OK;
  *request->is_f32_said = true;
  const ir_layer *layer = h->program->operations[first].node.layer;
  return ir_report_as(
      h->program->diags, IR706_PRECISION_NOT_KEPT, IR_NOTE, ir_layer_where(request->graph, layer, layer->at),
      "this product%s computed in f32: packed weights are unpacked to f32, or oneDNN lacks %s in %s, or computes %s "
      "slowly",
      n == 1 ? " is" : " and others are", n == 1 ? "it" : "them", ir_type_name(h->type), n == 1 ? "it" : "them");
}

ir_code ir_halves_end(ir_halves *h) {
  ir_code code = IR_OK;
  int32_t first = -1;
  int n = 0;
  for (int32_t next, at = h->program->first; at >= 0 && code == IR_OK && h->type != IR_F32; at = next) {
    next = h->program->operations[at].next;
    const ir_operation *operation = &h->program->operations[at];
    if (operation->is_dead)
      continue;
    if (only_moves(operation) && outputs_fit(h, operation)) {
      code = move_half(h, at);
    } else if (is_wide_product(h, operation)) {
      first = n++ == 0 ? at : first;
      code = read_wide(h, at);
    }
  }
  return code == IR_OK ? report_wide(h, n, first) : code;
}
