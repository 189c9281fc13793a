/* Const-1: a tensor in the .bin, row-major and little-endian: `size` bytes at `offset`. A layer that was made from an
 * old IR can have its bytes in memory (ir_layer.data). */
#include "ops/const.h"
#include "base/low_bit_types.h"
#include "base/message_text.h"
#include "graph/bin_absence.h"
#include "ops/attr_text.h"
#include "ops/op.h"
#include "ops/prepare.h"
#include <errno.h>
#include <string.h>

static const ir_attr_spec attrs[] = {
    {.name = "element_type", .kind = IR_ATTR_TYPE, .offset = offsetof(ir_const_params, element_type), .required = true},
    {.name = "shape", .kind = IR_ATTR_DIMS, .offset = offsetof(ir_const_params, shape), .required = true},
    {.name = "offset",
     .kind = IR_ATTR_INT,
     .offset = offsetof(ir_const_params, offset),
     .required = true,
     .max = INT64_MAX},
    {.name = "size",
     .kind = IR_ATTR_INT,
     .offset = offsetof(ir_const_params, size),
     .required = true,
     .max = INT64_MAX},
    {.name = NULL}};

/* Computes the size in bytes from type and shape; false if it exceeds 64 bits. */
static bool bytes_needed(const ir_const_params *params, int64_t *out) {
  int64_t elements;
  return ir_shape_elements(&params->shape, &elements) && ir_packed_bytes(params->element_type, elements, out);
}

/* OpenVINO's serializer writes one byte for a constant without elements. */
static bool size_fits(const ir_const_params *params, int64_t needed) {
  return params->size == needed || (needed == 0 && params->size == 1);
}

/* Returns false if the size of the constant is wrong: its place in the .bin cannot be checked. */
static bool check_size(const ir_node *node, ir_value *out, ir_scope *scope) {
  const ir_const_params *params = node->params;
  int64_t needed;
  char shape[IR_SHAPE_TEXT];
  ir_shape_text(&params->shape, shape, sizeof shape);
  if (!bytes_needed(params, &needed)) {
    ir_report(scope->diags, IR308_SIZE_OVERFLOW, ir_attr_where(scope, node, "shape"),
              "the bytes of %s%s do not fit 64 bits", ir_type_name(params->element_type), shape);
    out->poisoned = true;
    return false;
  }
  if (params->element_type == IR_STRING || !ir_attr_usable(node, "size") || size_fits(params, needed))
    return true;
  out->poisoned = true;
  ir_report(scope->diags, IR403_CONSTANT_SIZE_MISMATCH, ir_attr_where(scope, node, "size"),
            "size is %lld, %s%s takes %s", (long long)params->size, ir_type_name(params->element_type), shape,
            ir_count(needed, "byte").text);
  return false;
}

/* Checks that the constant lies in the .bin, if there is one. Constants beyond the end are only counted here: the
 * check of the model reports a short .bin once. */
static void check_place(const ir_node *node, ir_scope *scope) {
  const ir_const_params *params = node->params;
  ir_weights *weights = scope->graph->weights;
  if (weights == NULL || !ir_weights_open(weights))
    return;
  const uint64_t end = (uint64_t)params->offset + (uint64_t)params->size;
  if (weights->used_end < end)
    weights->used_end = end;
  if (weights->is_shifted)
    return;
  if (!ir_weights_have(weights, params->offset, params->size)) {
    if (weights->n_outside++ == 0)
      weights->outside = ir_attr_where(scope, node, "offset");
    return;
  }
  size_t element = ir_type_size(params->element_type);
  if (element > 1 && params->offset % (int64_t)element != 0)
    ir_report(scope->diags, IR404_CONSTANT_MISALIGNED, ir_attr_where(scope, node, "offset"),
              "offset %lld is no multiple of the %zu bytes of %s: kernels that need aligned elements read a copy",
              (long long)params->offset, element, ir_type_name(params->element_type));
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)in;
  const ir_const_params *params = node->params;
  bool shape_usable = ir_attr_usable(node, "shape"), type_usable = ir_attr_usable(node, "element_type");
  out->type = params->element_type;
  out->shape = params->shape;
  out->poisoned = !shape_usable || !type_usable;
  bool sized = !out->poisoned && check_size(node, out, scope);
  if (sized && node->layer->data == NULL && ir_attr_usable(node, "offset") && ir_attr_usable(node, "size"))
    check_place(node, scope);
  return IR_OK;
}

ir_code ir_report_unreadable_bin(ir_weights *weights, ir_diags *diags) {
  if (weights->error == ENOMEM)
    return ir_out_of_memory(diags);
  if (weights->missing_reported)
    return IR_IO;
  weights->missing_reported = true;
  return ir_report(diags, IR701_FILE_NOT_READABLE, (ir_where){.source = weights->source, .at = IR_NOWHERE},
                   "cannot read: %s", ir_weights_fault(weights));
}

/* Reports a missing .bin once for a model. The cases that return without a report are reported by the check of the
 * model. */
static ir_code report_missing(const ir_node *node, ir_weights *weights, ir_scope *scope) {
  ir_where where = ir_attr_where(scope, node, "offset");
  ir_code code = IR_IO;
  switch (ir_bin_absence_of(weights)) {
  case IR_BIN_NOT_NAMED:
    code = ir_report_firm(scope->diags, IR401_BIN_MISSING, where,
                          "the constant's bytes are in a .bin file, and none is given");
    ir_hint(scope->diags, "name it with --weights FILE");
    break;
  case IR_BIN_UNREADABLE:
    return ir_report_unreadable_bin(weights, scope->diags);
  case IR_BIN_NOT_THERE:
  case IR_BIN_NO_FILE:
    if (weights->missing_reported || weights->given)
      break;
    weights->missing_reported = true;
    code = ir_report_firm(scope->diags, IR401_BIN_MISSING, where, "the constant's bytes are in %s: %s", weights->path,
                          ir_weights_fault(weights));
    ir_hint(scope->diags, "put it beside the model, or name it with --weights FILE");
    break;
  case IR_BIN_OTHER_FILE:
  case IR_BIN_PRESENT:
    break;
  }
  return code;
}

ir_code ir_constant_of_bytes(const ir_value *out, const void *bytes, ir_scope *scope, ir_tensor *out_tensor) {
  size_t needed;
  *out_tensor = (ir_tensor){.data = NULL};
  if (!ir_tensor_bytes(out->type, &out->shape, &needed))
    return IR_INVALID;
  if (out->type != IR_BOOLEAN) {
    *out_tensor = ir_tensor_borrow(out->type, &out->shape, (void *)(uintptr_t)bytes, needed);
    return IR_OK;
  }
  if (!ir_tensor_alloc(out_tensor, scope->memory, out->type, &out->shape))
    return ir_out_of_memory(scope->diags);
  if (needed > 0)
    memcpy(out_tensor->data, bytes, needed);
  ir_clean_booleans(out_tensor->data, out_tensor->bytes);
  return IR_OK;
}

/* Whether no attribute is at fault, and the .bin has the bytes that type and shape need. */
static bool is_whole(const ir_node *node, int64_t needed, const ir_weights *weights) {
  const ir_const_params *params = node->params;
  return node->attrs_at_fault == 0 && size_fits(params, needed) &&
         ir_weights_have(weights, params->offset, params->size);
}

bool ir_const_is_whole(const ir_node *node, ir_weights *weights) {
  int64_t needed;
  return weights != NULL && ir_weights_open(weights) && bytes_needed(node->params, &needed) &&
         is_whole(node, needed, weights);
}

bool ir_has_foreign_bytes(const ir_node *node) {
  const ir_layer *layer = node->layer;
  const bool has_place = ir_layer_attr(layer, "offset") != NULL && ir_layer_attr(layer, "size") != NULL;
  return layer->passes_bytes || (node->op == NULL && (has_place || strcmp(layer->type, "Const") == 0));
}

static ir_code find_bytes(const ir_node *node, int64_t needed, ir_scope *scope, const unsigned char **out_bytes) {
  const ir_const_params *params = node->params;
  ir_weights *weights = scope->graph->weights;
  if (node->layer->data != NULL) {
    *out_bytes = node->layer->data;
    return IR_OK;
  }
  if (weights == NULL || !ir_weights_open(weights))
    return report_missing(node, weights, scope);
  if (!is_whole(node, needed, weights))
    return IR_INVALID; /* infer reported the fault */
  *out_bytes = ir_weights_bytes(weights, params->offset, params->size);
  return *out_bytes == NULL && needed > 0 ? report_missing(node, weights, scope) : IR_OK;
}

/* Computes the bytes of the constant. False if the output has others: after a fault, it has the declared type and
 * shape. */
static bool bytes_of_output(const ir_node *node, const ir_value *out, int64_t *out_needed) {
  size_t bytes;
  return bytes_needed(node->params, out_needed) && ir_tensor_bytes(out->type, &out->shape, &bytes) &&
         (int64_t)bytes == *out_needed;
}

static ir_code contents(const ir_node *node, const ir_value *out, ir_scope *scope, ir_tensor *out_tensor) {
  ir_weights *weights = scope->graph->weights;
  const unsigned char *bytes = NULL;
  int64_t needed;
  *out_tensor = (ir_tensor){.data = NULL};
  if (ir_type_bits(out->type) == 0)
    return ir_report_no_kernel(scope, ir_attr_where(scope, node, "element_type"), out->type);
  if (!bytes_of_output(node, out, &needed))
    return IR_INVALID; /* infer reported the fault */
  if (weights != NULL)
    pthread_mutex_lock(&weights->lock);
  ir_code code = find_bytes(node, needed, scope, &bytes);
  if (weights != NULL)
    pthread_mutex_unlock(&weights->lock);
  if (code != IR_OK)
    return code;
  code = ir_constant_of_bytes(out, bytes, scope, out_tensor);
  out_tensor->is_mapped = code == IR_OK && out_tensor->release == NULL && node->layer->data == NULL &&
                          weights->source->bytes == NULL &&
                          !ir_weights_in_tail(weights, ((const ir_const_params *)node->params)->offset);
  return code;
}

/* ---- contents ---- */

enum { BLOCK = 1024 };

typedef bool has_not_finite(const char *data, int64_t n);

/* The function `name`: whether one of n elements is infinite or NaN. `bits` is the exponent's mask: such elements
 * have all exponent bits set. */
#define HAS_NOT_FINITE(name, element, bits)                                                                            \
  static bool name(const char *data, int64_t n) {                                                                      \
    unsigned any = 0;                                                                                                  \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      element number;                                                                                                  \
      memcpy(&number, data + (size_t)i * sizeof number, sizeof number);                                                \
      any |= (number & (bits)) == (bits);                                                                              \
    }                                                                                                                  \
    return any != 0;                                                                                                   \
  }

HAS_NOT_FINITE(has_not_finite_f16, uint16_t, 0x7C00)
HAS_NOT_FINITE(has_not_finite_bf16, uint16_t, 0x7F80)
HAS_NOT_FINITE(has_not_finite_f32, uint32_t, UINT32_C(0x7F800000))
HAS_NOT_FINITE(has_not_finite_f64, uint64_t, UINT64_C(0x7FF0000000000000))

/* Returns the index of the first element that is infinite or NaN; -1 if there is none. */
static int64_t first_not_finite(const ir_tensor *tensor) {
  static has_not_finite *const tests[] = {[IR_F16] = has_not_finite_f16,
                                          [IR_BF16] = has_not_finite_bf16,
                                          [IR_F32] = has_not_finite_f32,
                                          [IR_F64] = has_not_finite_f64};
  if (!ir_type_in(tensor->type, IR_SET(IR_F16) | IR_SET(IR_BF16) | IR_SET(IR_F32) | IR_SET(IR_F64)))
    return -1;
  has_not_finite *const has = tests[tensor->type];
  const char *data = tensor->data;
  const int64_t n = ir_tensor_elements(tensor);
  const int64_t size = (int64_t)ir_type_size(tensor->type);
  int64_t at = 0;
  while (n - at >= BLOCK && !has(data + at * size, BLOCK))
    at += BLOCK;
  while (at < n && !has(data + at * size, 1))
    at++;
  return at < n ? at : -1;
}

void ir_note_not_finite(const ir_node *node, const ir_tensor *tensor, ir_scope *scope) {
  const int64_t first = first_not_finite(tensor);
  if (first < 0)
    return;
  char number[IR_NUMBER_TEXT];
  ir_report(scope->diags, IR407_CONSTANT_NOT_FINITE, ir_node_where(scope, node), "element %lld of the constant is %s",
            (long long)first, ir_number_text(tensor->type, ir_tensor_get(tensor, first), number, sizeof number));
}

const ir_op ir_op_const_1 = {
    .dialect = IR_OPENVINO,
    .type = "Const",
    .version = 1,
    .spec = IR_SPEC_PAGE("infrastructure/constant-1"),
    .params_size = sizeof(ir_const_params),
    .attrs = attrs,
    .attrs_only_known = true,
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_ANY)),
    .infer = infer,
    .run = {IR_RUN_CONSTANT, .contents = contents},
};
