/* Unique-10 returns the distinct elements of the input, or its distinct slices along the axis in input 1. Further
 * outputs are the first position of each distinct element, the output index of each input element, and the counts.
 * Specification: operation-specs/movement/unique-10. */
#include "diag/memory_limit.h"
#include "ops/agree.h"
#include "ops/attr_rows.h"
#include "ops/axes.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/order.h"
#include "ops/pool/pool_indices.h"

typedef struct unique_params {
  int index_type, count_type;
  ir_other_attrs other;
} unique_params;

/* Returns how many of `n` elements or slices can be distinct: from 1 (0 if n is 0) to n. */
static ir_dim different(ir_dim n) {
  return (ir_dim){n.lo > 0, n.hi};
}

/* Finds the output shape with an axis, and the number of slices. Returns false, after a report, if the input lacks the
 * axis. */
static bool slices(const ir_node *node, const ir_value *const *in, ir_shape *shape, ir_dim *n, ir_scope *scope) {
  ir_axes axes;
  const ir_axes_rule rule = {.rank = in[0]->shape.rank};
  *shape = in[0]->shape;
  *n = ir_dim_any();
  if (shape->rank == IR_RANK_UNKNOWN)
    return true;
  if (in[1]->contents == NULL) { /* the axis is unknown: any dim can become smaller */
    for (int i = 0; i < shape->rank; i++)
      shape->dims[i] = different(shape->dims[i]);
    return true;
  }
  if (!ir_axes_read(node, 1, in[1]->contents, rule, scope, &axes) || axes.n != 1)
    return false;
  *n = shape->dims[axes.items[0]];
  shape->dims[axes.items[0]] = different(*n);
  return true;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const unique_params *params = node->params;
  out[0].type = in[0]->type;
  if (ir_outputs_poisoned(node, in, out))
    return IR_OK;
  out[1].type = out[2].type = ir_index_type(params->index_type);
  out[3].type = ir_index_type(params->count_type);
  ir_dim n = ir_size_elements(&in[0]->shape);
  if (node->n_inputs == 1) {
    out[0].shape = (ir_shape){.rank = 1, .dims = {different(n)}};
  } else if ((in[1]->shape.rank == 1 && !ir_size_check(node, in, 1, 0, ir_dim_of(1), "one axis", scope)) ||
             !slices(node, in, &out[0].shape, &n, scope)) {
    ir_poison_outputs(node, out);
    return IR_OK;
  }
  out[1].shape = out[3].shape = (ir_shape){.rank = 1, .dims = {different(n)}};
  out[2].shape = (ir_shape){.rank = 1, .dims = {n}};
  return IR_OK;
}

/* ---- running ---- */

/* Sees the input as [outer, n, inner]. A thing is a slice [outer, inner], or an element without axis. The n things are
 * compared by their keys; groups are sets of equal things. */
typedef struct things {
  int64_t outer, n, inner;
  int64_t *keys;  /* keys of all elements */
  int64_t *order; /* things in sorted order; equal things in input order */
  int64_t *group; /* group of each thing, numbered in output order */
  int64_t *first; /* first thing of each group, in input order */
  int64_t *count; /* number of things in each group */
  int64_t *work;
  int64_t n_groups;
} things;

static bool are_alike(const things *all, int64_t a, int64_t b) {
  for (int64_t o = 0; o < all->outer; o++)
    if (memcmp(&all->keys[(o * all->n + a) * all->inner], &all->keys[(o * all->n + b) * all->inner],
               (size_t)all->inner * sizeof *all->keys) != 0)
      return false;
  return true;
}

/* Sorts the things by radix sort: stable sorts by one key after the other, the last key first. */
static void sort_things(things *all, ir_stop *stop) {
  int64_t *places = all->group, *moved = all->first;
  for (int64_t i = 0; i < all->n; i++)
    all->order[i] = i;
  for (int64_t c = all->outer * all->inner - 1; c >= 0; c--) {
    const int64_t at = c / all->inner * all->n * all->inner + c % all->inner;
    for (int64_t i = 0; i < all->n; i++) {
      all->work[i] = all->keys[at + all->order[i] * all->inner];
      places[i] = i;
    }
    ir_order_sort(all->work, places, all->n, stop, 0);
    if (ir_stop_asked(stop))
      return;
    for (int64_t i = 0; i < all->n; i++)
      moved[i] = all->order[places[i]];
    memcpy(all->order, moved, (size_t)all->n * sizeof *moved);
  }
}

/* Finds the groups, in order of value, or in order of first occurrence. */
static void group_things(things *all, bool is_sorted) {
  int64_t *found = all->work;
  all->n_groups = 0;
  for (int64_t i = 0; i < all->n; i++) {
    const bool is_new = i == 0 || !are_alike(all, all->order[i - 1], all->order[i]);
    if (is_new)
      found[all->n_groups++] = all->order[i];
    all->group[all->order[i]] = is_new ? all->order[i] : found[all->n_groups - 1];
  }
  if (!is_sorted)
    for (int64_t i = 0, n = 0; i < all->n; i++)
      if (all->group[i] == i)
        found[n++] = i;
  for (int64_t g = 0; g < all->n_groups; g++) {
    all->first[g] = found[g];
    all->order[found[g]] = g;
    all->count[g] = 0;
  }
  for (int64_t i = 0; i < all->n; i++) {
    all->group[i] = all->order[all->group[i]];
    all->count[all->group[i]]++;
  }
}

static void copy_groups(const things *all, const ir_tensor *in, ir_tensor *out) {
  const size_t bytes = (size_t)all->inner * ir_type_size(in->type);
  for (int64_t o = 0; o < all->outer; o++)
    for (int64_t g = 0; g < all->n_groups; g++)
      memcpy((char *)out->data + (size_t)(o * all->n_groups + g) * bytes,
             (const char *)in->data + (size_t)(o * all->n + all->first[g]) * bytes, bytes);
}

static ir_code make_outputs(const ir_node *node, const things *all, const ir_tensor *in, int axis, ir_tensor *out,
                            ir_scope *scope) {
  const int64_t *const lists[] = {all->first, all->group, all->count};
  ir_shape shape = axis < 0 ? ir_shape_of(1, &all->n_groups) : ir_tensor_shape(in);
  if (axis >= 0)
    shape.dims[axis] = ir_dim_of(all->n_groups);
  ir_code code = ir_output_alloc(in->type, &shape, scope, &out[0]);
  if (code != IR_OK)
    return code;
  copy_groups(all, in, &out[0]);
  for (int i = 0; i < 3 && i + 1 < node->n_outputs; i++) {
    const int64_t n = i == 1 ? all->n : all->n_groups;
    shape = ir_shape_of(1, &n);
    code = ir_output_alloc(node->outputs[i + 1].type, &shape, scope, &out[i + 1]);
    if (code != IR_OK)
      return code;
    ir_index_store(lists[i], n, &out[i + 1], 0);
  }
  return IR_OK;
}

static ir_code compute_dynamic(const ir_node *node, const ir_tensor *const *in, ir_tensor *out, ir_scope *scope) {
  const int64_t n_elements = ir_tensor_elements(in[0]);
  things all = {.outer = 1, .n = n_elements, .inner = 1};
  int axis = -1;
  if (node->n_inputs > 1) {
    ir_axes axes;
    if (!ir_axes_read(node, 1, in[1], (ir_axes_rule){.rank = in[0]->rank}, scope, &axes))
      return IR_BAD_DATA;
    axis = axes.items[0];
    all.n = in[0]->dims[axis];
    for (int i = 0; i < in[0]->rank; i++)
      if (i != axis)
        *(i < axis ? &all.outer : &all.inner) *= n_elements > 0 ? in[0]->dims[i] : 0;
  }
  const int64_t most = INT64_MAX / 64; /* an empty tensor can have a huge dim: do not overflow */
  const size_t n_numbers = all.n > most ? SIZE_MAX / sizeof(int64_t) : (size_t)(n_elements + 5 * all.n + 1);
  int64_t *numbers = ir_alloc_zero(scope->memory, n_numbers, sizeof *numbers);
  if (numbers == NULL)
    return ir_out_of_memory(scope->diags);
  all.keys = numbers;
  all.order = numbers + n_elements;
  all.group = all.order + all.n;
  all.first = all.group + all.n;
  all.count = all.first + all.n;
  all.work = all.count + all.n;
  ir_order_keys(in[0]->type, in[0]->data, 1, n_elements, all.keys);
  sort_things(&all, scope->stop);
  ir_code code = IR_OK;
  if (!ir_stop_asked(scope->stop)) {
    group_things(&all, ((const unique_params *)node->params)->other.flag[0]);
    code = make_outputs(node, &all, in[0], axis, out, scope);
  }
  ir_free(scope->memory, numbers);
  return code;
}

/* ---- the row ---- */

#define AT(field) offsetof(unique_params, field)
static const ir_attr_spec attrs[] = {
    IR_BOOL_ROW("sorted", AT(other.flag[0]), "true"),
    IR_ENUM_ROW("index_element_type", AT(index_type), ir_index_type_names, .fallback = "i64"),
    IR_ENUM_ROW("count_element_type", AT(count_type), ir_index_type_names, .fallback = "i64"),
    {.name = NULL}};

#define INDICES(port, var) IR_PORT(port, var, IR_SET(IR_I32) | IR_SET(IR_I64), 1)

const ir_op ir_op_unique_10 = {
    .dialect = IR_OPENVINO,
    .type = "Unique",
    .version = 10,
    .spec = IR_SPEC_PAGE("movement/unique-10"),
    .params_size = sizeof(unique_params),
    .attrs = attrs,
    .inputs = IR_PORTS(IR_PORT_OF_ANY_RANK("data", "T", IR_SET_ANY), {.name = "axis",
                                                                      .type_var = "T_AXIS",
                                                                      .types = IR_SET(IR_I32) | IR_SET(IR_I64),
                                                                      .rank_max = 1,
                                                                      .contents = true,
                                                                      .optional = true}),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("unique_elements", "T", IR_SET_ANY), INDICES("first_indices", "T_IND"),
                        INDICES("reverse_indices", "T_IND"), INDICES("counts", "T_COUNT")),
    .infer = infer,
    .run = {IR_RUN_DYNAMIC, .compute = compute_dynamic},
};
