#include "ops/matrix/labelled_product.h"

/* Labels of the same role, in the order in which they lie in memory, and the product of their sizes. */
typedef struct label_group {
  int labels[IR_MAX_RANK], n;
  int64_t size;
} label_group;

enum { BATCH, HEADS, ROWS, COLUMNS, N_ROLES };

static int find(const ir_labelled *tensor, int label) {
  int at = 0;
  while (at < tensor->shape.rank && tensor->labels[at] != label)
    at++;
  return at < tensor->shape.rank ? at : -1;
}

static int64_t size_of(const ir_labelled *tensor, int label) {
  const int at = find(tensor, label);
  return at < 0 ? -1 : tensor->shape.dims[at].lo;
}

/* Appends label number `axis` of the tensor. False: the sizes overflow, or are 0. */
static bool append(label_group *group, const ir_labelled *tensor, int axis) {
  group->labels[group->n++] = tensor->labels[axis];
  return ir_mul(group->size, tensor->shape.dims[axis].lo, &group->size) && group->size > 0;
}

/* Whether the tensor has the labels of the four groups, and these lie in the order of `lie`. */
static bool lies(const ir_labelled *tensor, const label_group *const *groups, ir_fast_matrices lie) {
  int order[N_ROLES], at = 0;
  bool does = true;
  ir_fast_order(lie, order);
  for (int i = 0; i < N_ROLES; i++)
    for (int j = 0; j < groups[order[i]]->n && does; j++, at++)
      does = at < tensor->shape.rank && tensor->labels[at] == groups[order[i]]->labels[j];
  return does && at == tensor->shape.rank;
}

static bool find_order(const ir_labelled *tensor, const label_group *const *groups, ir_fast_matrices *out) {
  for (int flags = 0; flags < 4; flags++) {
    *out = (ir_fast_matrices){.is_transposed = (flags & 1) != 0, .are_beside = (flags & 2) != 0};
    if (lies(tensor, groups, *out))
      return true;
  }
  return false;
}

/* Sorts the labels into those of the batch, of rows (in a and out), columns (in b and out) and terms (in a and b).
 * False: another tensor has a label, or an axis is broadcast. */
static bool sort_labels(const ir_labelled *a, const ir_labelled *b, const ir_labelled *out, label_group *batch,
                        label_group *rows, label_group *columns, label_group *terms) {
  bool fits = true;
  for (int i = 0; i < out->shape.rank && fits; i++) {
    const int64_t in_a = size_of(a, out->labels[i]), in_b = size_of(b, out->labels[i]), size = out->shape.dims[i].lo;
    label_group *group = in_a >= 0 && in_b >= 0 ? batch : in_a >= 0 ? rows : columns;
    fits =
        (in_a >= 0 || in_b >= 0) && (in_a < 0 || in_a == size) && (in_b < 0 || in_b == size) && append(group, out, i);
  }
  for (int i = 0; i < a->shape.rank && fits; i++)
    if (find(out, a->labels[i]) < 0)
      fits = size_of(b, a->labels[i]) == a->shape.dims[i].lo && append(terms, a, i);
  return fits;
}

bool ir_labelled_product(const ir_labelled *a, const ir_labelled *b, const ir_labelled *out, ir_fast_desc *out_desc) {
  label_group all = {.size = 1}, rows = {.size = 1}, columns = {.size = 1}, terms = {.size = 1};
  if (!sort_labels(a, b, out, &all, &rows, &columns, &terms))
    return false;
  *out_desc = (ir_fast_desc){.kind = IR_FAST_MATMUL, .m = rows.size, .k = terms.size, .n = columns.size};
  /* Each suffix of the batch's labels can be the heads, the last label first. */
  for (int n = all.n; n >= 0; n--) {
    const int first = n == 0 ? all.n : n - 1;
    label_group batch = {.size = 1}, heads = {.size = 1};
    for (int i = 0; i < all.n; i++)
      append(i < first ? &batch : &heads, out, i);
    const label_group *of_a[] = {&batch, &heads, &rows, &terms}, *of_b[] = {&batch, &heads, &terms, &columns};
    const label_group *of_out[] = {&batch, &heads, &rows, &columns};
    out_desc->batch = batch.size;
    out_desc->heads = heads.size;
    if (lies(out, of_out, out_desc->c) && find_order(a, of_a, &out_desc->a) && find_order(b, of_b, &out_desc->b))
      return true;
  }
  return false;
}
