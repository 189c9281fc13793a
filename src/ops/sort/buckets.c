/* Bucketize-3 and SearchSorted-15: for each element its place in a sorted sequence.
 * Pages: operation-specs/condition/bucketize-3, sort/search-sorted-15. */
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/bind.h"
#include "ops/pool/pool_indices.h"

typedef struct buckets_params {
  int output_type;
  ir_other_attrs other;
} buckets_params;

#define AT(field) offsetof(buckets_params, field)
#define T_IND     IR_SET(IR_I32) | IR_SET(IR_I64)
#define TYPE_ROW  IR_ENUM_ROW("output_type", AT(output_type), ir_index_type_names, .fallback = "i64")

static ir_type type_of(const ir_node *node) {
  return ir_index_type(((const buckets_params *)node->params)->output_type);
}

/* ---- Bucketize ---- */

static ir_code infer_buckets(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  ir_warn_of_default(node, "output_type", "i64", "refused", scope);
  out->type = type_of(node);
  out->shape = in[0]->shape;
  return IR_OK;
}

static const ir_attr_spec bucket_attrs[] = {
    TYPE_ROW, IR_BOOL_ROW("with_right_bound", AT(other.flag[0]), "true"), {.name = NULL}};

const ir_op ir_op_bucketize_3 = {
    .dialect = IR_OPENVINO,
    .type = "Bucketize",
    .version = 3,
    .spec = IR_SPEC_PAGE("condition/bucketize-3"),
    .params_size = sizeof(buckets_params),
    .attrs = bucket_attrs,
    .inputs = {IR_PORT_OF_ANY_RANK("data", "T", IR_SET_NUMBERS), IR_PORT("buckets", "T_BOUNDARIES", IR_SET_NUMBERS, 1)},
    .outputs = {IR_PORT_OF_ANY_RANK("output", "T_IND", T_IND)},
    .infer = infer_buckets,
};

/* ---- SearchSorted ---- */

enum { SORTED, VALUES };

/* One sequence for all values, or one for each of their lines: then all axes but the last are the same. */
static bool fits(const ir_node *node, const ir_value *const *in, ir_shape *out, ir_scope *scope) {
  const ir_shape *sorted = &in[SORTED]->shape, *values = &in[VALUES]->shape;
  *out = *values;
  if (sorted->rank == IR_RANK_UNKNOWN || sorted->rank == 1)
    return true;
  if (values->rank == IR_RANK_UNKNOWN) {
    *out = *sorted;
    out->dims[out->rank - 1] = ir_dim_any();
    return true;
  }
  if (sorted->rank != values->rank) {
    char texts[2][IR_SHAPE_TEXT];
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, VALUES, -1),
              "the sorted sequences %s have rank %d, the values %s rank %d; expected one sequence, or one rank",
              ir_shape_text(sorted, texts[0], sizeof texts[0]), sorted->rank,
              ir_shape_text(values, texts[1], sizeof texts[1]), values->rank);
    return false;
  }
  for (int i = 0; i + 1 < sorted->rank; i++) {
    ir_size size = ir_size_of("the size there");
    if (!ir_size_join(node, in, SORTED, i, &size, scope) || !ir_size_join(node, in, VALUES, i, &size, scope))
      return false;
    out->dims[i] = size.dim;
  }
  return true;
}

static ir_code infer_search(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  if (ir_outputs_unknown(node, in, out))
    return IR_OK;
  out->type = type_of(node);
  out->unknown = !fits(node, in, &out->shape, scope);
  return IR_OK;
}

/* right_mode is `right` on the page, which has no output_type; OpenVINO writes and reads both. */
static const ir_attr_spec search_attrs[] = {
    IR_BOOL_ROW("right_mode", AT(other.flag[1]), "false"), TYPE_ROW, {.name = NULL}};

const ir_op ir_op_search_sorted_15 = {
    .dialect = IR_OPENVINO,
    .type = "SearchSorted",
    .version = 15,
    .spec = IR_SPEC_PAGE("sort/search-sorted-15"),
    .params_size = sizeof(buckets_params),
    .attrs = search_attrs,
    .inputs = {{.name = "sorted_sequence",
                .type_var = "T",
                .types = IR_SET_NUMBERS,
                .types_noted = IR_SET(IR_BOOLEAN),
                .rank_min = 1,
                .rank_max = IR_MAX_RANK},
               {.name = "values",
                .type_var = "T",
                .types = IR_SET_NUMBERS,
                .types_noted = IR_SET(IR_BOOLEAN),
                .rank_max = IR_MAX_RANK}},
    .outputs = {IR_PORT_OF_ANY_RANK("output", "TOut", T_IND)},
    .infer = infer_search,
};
