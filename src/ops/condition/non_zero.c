/* NonZero-3 computes the coordinates of the non-zero elements: a tensor [rank, number of non-zero elements]. Page:
 * operation-specs/condition/nonzero-3. */
#include "base/stop.h"
#include "base/tensor.h"
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/index_input.h"
#include "ops/pool/pool_indices.h"
#include "ops/ranges.h"
#include <string.h>

typedef struct non_zero_params {
  int output_type;
} non_zero_params;

/* Called for each non-zero element. `nth` counts non-zero elements from 0; `element` is the row-major index. */
typedef void found_element(void *user, int64_t nth, int64_t element);

/* Calls `found` for the first `most` non-zero elements. Returns the number of all non-zero elements. */
static int64_t find(const ir_tensor *tensor, int64_t most, found_element *found, void *user, ir_stop *stop) {
  const int64_t n_elements = ir_tensor_elements(tensor);
  int64_t count = 0, since = 0;
  ir_piece piece;
  for (int64_t at = 0, n = 0; at < n_elements && !ir_stop_asked_after(stop, 0, n, &since); at += n) {
    n = n_elements - at < IR_PIECE ? n_elements - at : IR_PIECE;
    ir_compute_load(tensor->type, ir_tensor_at(tensor, at), IR_COMPUTE_F64, &piece, n);
    for (int64_t i = 0; i < n; i++)
      if (piece.f64[i] != 0) {
        if (count < most)
          found(user, count, at + i);
        count++;
      }
  }
  return count;
}

static int64_t count_of(const ir_tensor *tensor, ir_stop *stop) {
  return find(tensor, 0, NULL, NULL, stop);
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)scope;
  const ir_shape *shape = &in[0]->shape;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out->type = ir_index_type(((const non_zero_params *)node->params)->output_type);
  out->shape = ir_shape_of_rank(2);
  if (shape->rank == IR_RANK_UNKNOWN)
    return IR_OK;
  const bool is_readable = in[0]->contents != NULL && ir_type_in(in[0]->type, IR_SET_STORED);
  const ir_dim count =
      is_readable ? ir_dim_of(count_of(in[0]->contents, NULL)) : (ir_dim){0, ir_size_elements(shape).hi};
  /* For a scalar, OpenVINO's output is [1, 1], or [0, 0] if the scalar is 0. */
  out->shape.dims[0] = shape->rank > 0 ? ir_dim_of(shape->rank) : count;
  out->shape.dims[1] = count;
  return IR_OK;
}

/* Sets the output's elements if the input's are known: row `axis` has the coordinates on that axis. */
static ir_code ranges(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  (void)node;
  const ir_shape *shape = &in[0]->shape;
  ir_dim made[IR_MAX_RANGES];
  int64_t found = 0;
  if (ir_ranges_count(out) <= 0 || in[0]->contents == NULL || shape->rank == 0)
    return IR_OK;
  for (int64_t i = 0; i < ir_tensor_elements(in[0]->contents); i++) {
    int64_t rest = i;
    if (ir_number_as_double(ir_tensor_get(in[0]->contents, i)) == 0)
      continue;
    for (int axis = shape->rank - 1; axis >= 0; axis--) {
      made[axis * out->shape.dims[1].lo + found] = ir_dim_of(rest % shape->dims[axis].lo);
      rest /= shape->dims[axis].lo;
    }
    found++;
  }
  return ir_ranges_set(out, made, scope);
}

typedef struct places {
  const ir_tensor *in;
  ir_tensor *out;
} places;

/* Writes the coordinates of `element` to column `nth` of the output. */
static void write_place(void *user, int64_t nth, int64_t element) {
  const places *to = user;
  for (int axis = to->in->rank - 1; axis >= 0; axis--) {
    const int64_t at = element % to->in->dims[axis];
    ir_index_store(&at, 1, to->out, axis * to->out->dims[1] + nth);
    element /= to->in->dims[axis];
  }
  if (to->in->rank == 0)
    ir_index_store(&element, 1, to->out, 0);
}

static ir_code compute_dynamic(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope) {
  const int64_t count = count_of(in[0], scope->stop);
  const ir_shape shape = ir_shape_of(2, (const int64_t[]){in[0]->rank > 0 ? in[0]->rank : count, count});
  const ir_code code = ir_output_alloc(node->outputs[0].type, &shape, scope, out);
  if (code != IR_OK)
    return code;
  places to = {in[0], out};
  /* If a mapped file changes after the count, `find` can find fewer elements. The remaining coordinates are then 0. */
  const int64_t found = find(in[0], count, write_place, &to, scope->stop);
  for (int64_t row = 0; row < out->dims[0] && found < count && !ir_stop_asked(scope->stop); row++)
    memset(ir_tensor_at(out, row * count + found), 0, (size_t)(count - found) * ir_type_size(out->type));
  return IR_OK;
}

static const ir_attr_spec attrs[] = {
    IR_ENUM_ROW("output_type", offsetof(non_zero_params, output_type), ir_index_type_names, .fallback = "i64"),
    {.name = NULL}};

const ir_op ir_op_non_zero_3 = {
    .dialect = IR_OPENVINO,
    .type = "NonZero",
    .version = 3,
    .spec = IR_SPEC_PAGE("condition/nonzero-3"),
    .params_size = sizeof(non_zero_params),
    .attrs = attrs,
    .inputs =
        IR_PORTS({.name = "data", .type_var = "T", .types = IR_SET_ANY, .rank_max = IR_MAX_RANK, .contents = true}),
    .outputs = IR_PORTS(IR_PORT("output", "T_OUT", IR_SET(IR_I32) | IR_SET(IR_I64), 2)),
    .infer = infer,
    .ranges = ranges,
    .run = {IR_RUN_DYNAMIC, .compute = compute_dynamic},
};
