/* SparseFillEmptyRows-16 adds an entry to every empty row of a sparse matrix. An entry is a position [row, column] in
 * `indices` and an element of `values`. Specification: operation-specs/sparse/fill-empty-rows-16. */
#include "base/stop.h"
#include "ops/agree.h"
#include "ops/kernels/index_input.h"
#include "ops/prepare.h"
#include "ops/ranges.h"
#include <string.h>

enum { VALUES, DENSE_SHAPE, INDICES, DEFAULT };

static bool check_shapes(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  ir_dim two = ir_dim_of(2), entries = ir_dim_any();
  bool fine = ir_dim_agrees(node, in, VALUES, 0, "the number of values", &entries, scope);
  fine = ir_dim_agrees(node, in, INDICES, 0, "the number of values", &entries, scope) && fine;
  fine = ir_dim_agrees(node, in, INDICES, 1, "the rank of the matrix", &two, scope) && fine;
  return ir_dim_agrees(node, in, DENSE_SHAPE, 0, "the rank of the matrix", &two, scope) && fine;
}

/* Reports the first index outside the matrix. */
static bool check_indices(const ir_node *node, const ir_tensor *indices, const ir_dim *sizes, ir_scope *scope) {
  for (int64_t i = 0, n = ir_tensor_elements(indices); i < n; i++) {
    const int64_t index = ir_tensor_get(indices, i).i;
    const ir_dim size = sizes[i % 2];
    if (index >= 0 && index < size.hi)
      continue;
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, INDICES, -1),
              "'indices' holds the %s %lld, the matrix has %lld", i % 2 == 0 ? "row" : "column", (long long)index,
              (long long)size.hi);
    return false;
  }
  return true;
}

/* Returns the number of output entries: those of the input, plus one for each empty row. If the input is not sorted by
 * row, the number is unknown. */
static ir_dim entries_of(const ir_tensor *indices, ir_dim rows) {
  int64_t n = ir_tensor_elements(indices) / 2, n_filled = 0, before = -1, out;
  for (int64_t i = 0; i < n; i++) {
    const int64_t row = ir_tensor_get(indices, 2 * i).i;
    if (row < before)
      return ir_dim_any();
    n_filled += row > before;
    before = row;
  }
  return ir_dim_known(rows) && ir_add(n, rows.lo - n_filled, &out) ? ir_dim_of(out) : ir_dim_any();
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim sizes[2] = {ir_dim_any(), ir_dim_any()}, entries = ir_dim_any();
  bool fine = check_shapes(node, in, scope) && ir_elements_check(node, in, DENSE_SHAPE, 0, scope);
  for (int i = 0; i < 2 && ir_ranges_count(in[DENSE_SHAPE]) == 2; i++) {
    const ir_dim part = ir_range_at(in[DENSE_SHAPE], i);
    sizes[i] = part.lo >= 0 ? part : ir_dim_any();
  }
  if (fine && !in[INDICES]->poisoned && in[INDICES]->contents != NULL) {
    fine = check_indices(node, in[INDICES]->contents, sizes, scope);
    entries = fine ? entries_of(in[INDICES]->contents, sizes[0]) : entries;
  }
  for (int32_t p = 0; p < node->n_outputs; p++)
    for (int i = VALUES; i <= DEFAULT; i++)
      out[p].poisoned = out[p].poisoned || !fine || in[i]->poisoned;
  const ir_value outputs[3] = {
      {.type = in[INDICES]->type, .shape = {.rank = 2, .dims = {entries, ir_dim_of(2)}}},
      {.type = in[VALUES]->type, .shape = {.rank = 1, .dims = {entries}}},
      {.type = IR_BOOLEAN, .shape = {.rank = 1, .dims = {sizes[0]}}},
  };
  for (int32_t p = 0; p < node->n_outputs && p < 3; p++) {
    out[p].type = outputs[p].type;
    out[p].shape = outputs[p].shape;
  }
  return IR_OK;
}

/* ---- running ---- */

enum { OUT_INDICES, OUT_VALUES, OUT_EMPTY };

/* Writes output entry `at`: its position [row, column] and its value. */
static void write_entry(ir_tensor *const *out, int64_t at, const int64_t *place, const void *value) {
  if (out[OUT_INDICES] != NULL)
    ir_index_store(place, 2, out[OUT_INDICES], 2 * at);
  if (out[OUT_VALUES] != NULL) {
    const size_t size = ir_type_size(out[OUT_VALUES]->type);
    memcpy((char *)out[OUT_VALUES]->data + (size_t)at * size, value, size);
  }
}

/* Copies the entries, which must be sorted by row. Each empty row gets an entry with the default value in column 0. */
static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  const int64_t n = in[VALUES]->dims[0], n_rows = ir_index_at(in[DENSE_SHAPE], 0);
  int64_t at = 0, entry = 0, since = 0, place[2];
  for (int64_t row = 0; row < n_rows && !ir_stop_asked_after(exec->stop, 0, 1, &since); row++) {
    const int64_t before = entry;
    for (; entry < n && !ir_stop_asked_after(exec->stop, 0, 1, &since); entry++) {
      ir_index_load(in[INDICES], 2 * entry, 2, place);
      if (place[0] != row)
        break;
      const size_t size = ir_type_size(in[VALUES]->type);
      write_entry(out, at++, place, (const char *)in[VALUES]->data + (size_t)entry * size);
    }
    if (entry == before)
      write_entry(out, at++, (const int64_t[]){row, 0}, in[DEFAULT]->data);
    if (out[OUT_EMPTY] != NULL)
      ((bool *)out[OUT_EMPTY]->data)[row] = entry == before;
  }
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "sparse_fill_empty_rows", .isa = "any", .run = run};
  (void)in, (void)scope;
  return ir_plan_step(plan, node, &kernel, NULL, 0);
}

/* Port row for numbers. OpenVINO also takes booleans and strings, which the specification excludes. */
#define T_PORT(port, rank)                                                                                             \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN) | IR_SET(IR_STRING),     \
    .types_may_differ = true, .rank_min = rank, .rank_max = rank                                                       \
  }
#define INDEX_PORT(port, rank)                                                                                         \
  {                                                                                                                    \
    .name = port, .type_var = "T_IDX", .types = IR_SET(IR_I32) | IR_SET(IR_I64), .rank_min = rank, .rank_max = rank,   \
    .contents = true                                                                                                   \
  }

const ir_op ir_op_sparse_fill_empty_rows_16 = {
    .dialect = IR_OPENVINO,
    .type = "SparseFillEmptyRows",
    .version = 16,
    .spec = IR_SPEC_PAGE("sparse/fill-empty-rows-16"),
    .inputs = IR_PORTS(T_PORT("values", 1), INDEX_PORT("dense_shape", 1), INDEX_PORT("indices", 2),
                       T_PORT("default_value", 0)),
    .outputs = IR_PORTS(INDEX_PORT("output_indices", 2), T_PORT("output_values", 1),
                        {.name = "empty_row_indicator", .types = IR_SET(IR_BOOLEAN), .rank_min = 1, .rank_max = 1}),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
};
