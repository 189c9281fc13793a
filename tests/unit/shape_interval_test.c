/* Tests shapes that Reshape, Squeeze, Unsqueeze, Transpose and Concat infer from intervals, against all sizes in the
 * intervals.
 * The inferred shape must be the exact hull of all outputs. The rank is open if outputs differ in rank. Intervals
 * without a legal size are an error. */
#include "draw.h"
#include "op_case.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Draws an interval of up to four sizes. */
static ir_dim draw_dim(void) {
  int64_t lo = one_in(4) ? 0 : one_in(3) ? 1 : between(1, 6);
  return (ir_dim){lo, one_in(2) ? lo : lo + between(0, 3)};
}

static ir_shape draw_shape(int rank) {
  ir_shape shape = {.rank = rank};
  for (int i = 0; i < rank; i++)
    shape.dims[i] = draw_dim();
  return shape;
}

/* ---- hulls of shapes ---- */

typedef struct hull {
  bool any, ranks_differ;
  ir_shape shape;
} hull;

static void add_shape(hull *all, const ir_shape *shape) {
  all->ranks_differ = all->ranks_differ || (all->any && shape->rank != all->shape.rank);
  for (int i = 0; i < shape->rank && all->any && !all->ranks_differ; i++)
    all->shape.dims[i] = ir_dims_hull(all->shape.dims[i], shape->dims[i]);
  if (!all->any)
    all->shape = *shape;
  all->any = true;
}

/* Advances to the next choice of one size from each interval. Returns false after the last choice. */
static bool next_sizes(const ir_shape *intervals, ir_shape *sizes) {
  for (int i = 0; i < intervals->rank; i++) {
    if (sizes->dims[i].lo < intervals->dims[i].hi) {
      sizes->dims[i] = ir_dim_of(sizes->dims[i].lo + 1);
      return true;
    }
    sizes->dims[i] = ir_dim_of(intervals->dims[i].lo);
  }
  return false;
}

static ir_shape least_sizes(const ir_shape *intervals) {
  ir_shape sizes = {.rank = intervals->rank};
  for (int i = 0; i < intervals->rank; i++)
    sizes.dims[i] = ir_dim_of(intervals->dims[i].lo);
  return sizes;
}

/* Counts the cases with a known rank, with an open rank, and with an error. Each kind has to occur. */
typedef struct tally {
  int told, open, refused;
} tally;

static void compare(op_case *c, const hull *all, const char *rule, const char *what, tally *n) {
  char in[IR_SHAPE_TEXT], got[IR_SHAPE_TEXT], want[IR_SHAPE_TEXT];
  ir_shape expected = !all->any || all->ranks_differ ? ir_shape_unknown() : all->shape;
  ir_shape_text(&c->in[0].shape, in, sizeof in);
  ir_shape_text(&c->out[0].shape, got, sizeof got);
  ir_shape_text(&expected, want, sizeof want);
  n->told += all->any && !all->ranks_differ;
  n->open += all->ranks_differ;
  n->refused += !all->any;
  if (c->out[0].poisoned == all->any)
    fail_msg("%s of %s: %s, expected %s; reported '%s'", what, in, all->any ? "refused" : got,
             all->any ? want : "a refusal", op_case_rules(c));
  if (!all->any)
    assert_string_equal(op_case_rules(c), rule);
  else if (!ir_shapes_equal(&c->out[0].shape, &expected))
    fail_msg("%s of %s: %s, expected %s", what, in, got, want);
}

static char what_text[512];

static const char *list_text(const char *op, const int64_t *items, int64_t n) {
  size_t used = (size_t)snprintf(what_text, sizeof what_text, "%s", op);
  for (int64_t i = 0; i < n; i++)
    used += (size_t)snprintf(what_text + used, sizeof what_text - used, " %lld", (long long)items[i]);
  return what_text;
}

/* ---- Reshape ---- */

static int64_t count(const ir_shape *sizes) {
  int64_t n = 1;
  for (int i = 0; i < sizes->rank; i++)
    n *= sizes->dims[i].lo;
  return n;
}

/* Applies the specification's rule to known sizes. For -1, the product excludes sizes that a target of 0 copies. If
 * another target is 0, -1 becomes 1. */
static bool reshape(const ir_shape *in, const int64_t *target, int n, bool special_zero, ir_shape *out) {
  int64_t fixed = 1, rest = 1;
  int rest_at = -1;
  *out = (ir_shape){.rank = n};
  for (int i = 0; i < n || i < in->rank; i++) {
    bool copied = i < n && target[i] == 0 && special_zero;
    if (!copied && i < in->rank)
      rest *= in->dims[i].lo;
    if (!copied && i < n && target[i] >= 0)
      fixed *= target[i];
    if (i < n && target[i] < 0)
      rest_at = i;
    if (i < n)
      out->dims[i] = copied ? in->dims[i] : ir_dim_of(target[i]);
  }
  if (rest_at < 0)
    return count(in) == count(out);
  if (fixed == 0 ? rest != 0 : rest % fixed != 0)
    return false;
  out->dims[rest_at] = ir_dim_of(fixed == 0 ? 1 : rest / fixed);
  return true;
}

static int draw_target(const ir_shape *in, bool special_zero, int64_t *target) {
  int n = (int)between(0, 4);
  for (int i = 0; i < n; i++) {
    target[i] = between(0, 6);
    if (one_in(3) || (target[i] == 0 && special_zero))
      target[i] = special_zero && i < in->rank ? 0 : between(1, 3);
  }
  if (n > 0 && one_in(2))
    target[between(0, n - 1)] = -1;
  return n;
}

static void reshapes(void **state) {
  (void)state;
  tally n = {0};
  for (int i = 0; i < 8000; i++) {
    bool special_zero = one_in(2);
    int64_t target[4];
    op_case c;
    op_case_begin(&c, "Reshape", "opset1",
                  (const char *const[]){"special_zero", special_zero ? "true" : "false", NULL});
    ir_shape in = draw_shape((int)between(0, 4)), sizes = least_sizes(&in), out;
    int n_target = draw_target(&in, special_zero, target);
    hull all = {.any = false};
    do {
      if (reshape(&sizes, target, n_target, special_zero, &out))
        add_shape(&all, &out);
    } while (next_sizes(&in, &sizes));
    c.in[0] = op_case_value(IR_F32, in);
    c.in[1] = op_case_list(&c, IR_I64, 1, target, n_target);
    op_case_infer(&c, 2, false);
    compare(&c, &all, "IR317", list_text(special_zero ? "Reshape, special zeros, to" : "Reshape to", target, n_target),
            &n);
    op_case_end(&c);
  }
  assert_true(n.told > 1000 && n.refused > 1000 && n.open == 0);
}

/* ---- Squeeze ---- */

/* A listed axis whose interval contains 1 must have size 1. */
static bool squeeze(const ir_shape *in, const ir_shape *intervals, unsigned listed, bool all, bool skip,
                    ir_shape *out) {
  *out = (ir_shape){.rank = 0};
  for (int i = 0; i < in->rank; i++) {
    bool named = (listed >> i & 1) != 0, one = in->dims[i].lo == 1;
    if (named && !skip && !one && ir_dims_meet(intervals->dims[i], ir_dim_of(1)))
      return false;
    if (!one || !(named || all))
      out->dims[out->rank++] = in->dims[i];
  }
  return true;
}

static int64_t list_axes(unsigned set, int rank, int64_t *axes) {
  int64_t n = 0;
  for (int i = 0; i < rank; i++)
    if ((set >> i & 1) != 0)
      axes[n++] = one_in(2) ? i : i - rank;
  return n;
}

static void squeezes(void **state) {
  (void)state;
  tally n = {0};
  for (int i = 0; i < 6000; i++) {
    bool skip = one_in(3);
    int64_t axes[5];
    op_case c;
    op_case_begin(&c, "Squeeze", skip ? "opset15" : "opset1",
                  (const char *const[]){skip ? "allow_axis_skip" : NULL, "true", NULL});
    ir_shape in = draw_shape((int)between(0, 4)), sizes = least_sizes(&in), out;
    unsigned listed = (unsigned)between(0, (INT64_C(1) << in.rank) - 1);
    hull all = {.any = false};
    do {
      if (squeeze(&sizes, &in, listed, listed == 0, skip, &out))
        add_shape(&all, &out);
    } while (next_sizes(&in, &sizes));
    int64_t n_axes = list_axes(listed, in.rank, axes);
    c.in[0] = op_case_value(IR_F32, in);
    c.in[1] = op_case_list(&c, IR_I32, n_axes == 1 && one_in(2) ? 0 : 1, axes, n_axes);
    op_case_infer(&c, listed == 0 && one_in(2) ? 1 : 2, false);
    compare(&c, &all, "", list_text(skip ? "Squeeze, skipping," : "Squeeze", axes, n_axes), &n);
    op_case_end(&c);
  }
  assert_true(n.told > 1000 && n.open > 100 && n.refused == 0);
}

/* The axes are known only in a run. The result is therefore unknown, or the input's shape if no axis can be removed. */
static void squeezes_of_axes_of_the_run(void **state) {
  (void)state;
  tally n = {0};
  for (int i = 0; i < 2000; i++) {
    op_case c;
    op_case_begin(&c, "Squeeze", "opset1", (const char *const[]){NULL});
    ir_shape in = draw_shape((int)between(0, 3)), sizes = least_sizes(&in), out;
    hull all = {.any = false};
    do {
      for (unsigned listed = 1; listed < 1U << in.rank; listed++)
        if (squeeze(&sizes, &in, listed, false, true, &out))
          add_shape(&all, &out);
      add_shape(&all, &sizes);
    } while (next_sizes(&in, &sizes));
    c.in[0] = op_case_value(IR_F32, in);
    c.in[1] = op_case_value(IR_I64, ir_shape_of(1, &(int64_t){between(1, 2)}));
    op_case_infer(&c, 2, false);
    compare(&c, &all, "", "Squeeze of axes of the run", &n);
    op_case_end(&c);
  }
  assert_true(n.told > 100 && n.open > 100 && n.refused == 0);
}

/* ---- Unsqueeze ---- */

static ir_shape unsqueeze(const ir_shape *in, unsigned set, int n_axes) {
  ir_shape out = {.rank = in->rank + n_axes};
  for (int i = 0, from = 0; i < out.rank; i++)
    out.dims[i] = (set >> i & 1) != 0 ? ir_dim_of(1) : in->dims[from++];
  return out;
}

static int members(unsigned set) {
  int n = 0;
  for (; set != 0; set &= set - 1)
    n++;
  return n;
}

static void unsqueezes(void **state) {
  (void)state;
  tally n = {0};
  for (int i = 0; i < 2000; i++) {
    int64_t axes[8];
    bool known = one_in(2);
    ir_shape in = draw_shape((int)between(0, 4));
    int n_axes = (int)between(1, 3), rank = in.rank + n_axes;
    unsigned chosen;
    do {
      chosen = (unsigned)between(0, (INT64_C(1) << rank) - 1);
    } while (members(chosen) != n_axes);
    hull all = {.any = false};
    for (unsigned set = 0; set < 1U << rank; set++) {
      ir_shape out = unsqueeze(&in, set, n_axes);
      if (members(set) == n_axes && (!known || set == chosen))
        add_shape(&all, &out);
    }
    op_case c;
    op_case_begin(&c, "Unsqueeze", "opset1", (const char *const[]){NULL});
    list_axes(chosen, rank, axes);
    c.in[0] = op_case_value(IR_F32, in);
    c.in[1] = op_case_list(&c, IR_I64, 1, axes, n_axes);
    c.in[1].contents = known ? c.in[1].contents : NULL;
    op_case_infer(&c, 2, false);
    compare(&c, &all, "", list_text(known ? "Unsqueeze" : "Unsqueeze of the run", axes, n_axes), &n);
    op_case_end(&c);
  }
  assert_int_equal(n.told, 2000);
}

/* ---- Transpose ---- */

static void draw_order(int rank, int64_t *order) {
  for (int i = 0; i < rank; i++)
    order[i] = i;
  for (int i = rank - 1; i > 0; i--) {
    int j = (int)between(0, i);
    int64_t axis = order[i];
    order[i] = order[j];
    order[j] = axis;
  }
}

static bool is_permutation(int64_t code, int rank, int64_t *order) {
  unsigned seen = 0;
  for (int i = 0; i < rank; i++, code /= rank) {
    order[i] = code % rank;
    seen |= 1U << order[i];
  }
  return seen == (1U << rank) - 1;
}

static ir_shape transpose(const ir_shape *in, const int64_t *order) {
  ir_shape out = {.rank = in->rank};
  for (int i = 0; i < in->rank; i++)
    out.dims[i] = in->dims[order[i]];
  return out;
}

static void transposes(void **state) {
  (void)state;
  tally n = {0};
  for (int i = 0; i < 2000; i++) {
    int64_t order[4], other[4], n_codes = 1;
    bool known = one_in(2);
    ir_shape in = draw_shape((int)between(1, 4));
    draw_order(in.rank, order);
    ir_shape out = transpose(&in, order);
    hull all = {.any = known, .shape = out};
    for (int axis = 0; axis < in.rank; axis++)
      n_codes *= in.rank;
    for (int64_t code = 0; !known && code < n_codes; code++)
      if (is_permutation(code, in.rank, other)) {
        out = transpose(&in, other);
        add_shape(&all, &out);
      }
    op_case c;
    op_case_begin(&c, "Transpose", "opset1", (const char *const[]){NULL});
    c.in[0] = op_case_value(IR_BOOLEAN, in);
    c.in[1] = op_case_list(&c, IR_U8, 1, order, in.rank);
    c.in[1].contents = known ? c.in[1].contents : NULL;
    op_case_infer(&c, 2, false);
    compare(&c, &all, "", list_text("Transpose", order, in.rank), &n);
    op_case_end(&c);
  }
  assert_int_equal(n.told, 2000);
}

/* ---- Concat ---- */

/* The dims of all inputs stand one after the other in `row`. */
static bool concat(const ir_shape *row, int n_inputs, int rank, int axis, ir_shape *out) {
  *out = (ir_shape){.rank = rank};
  for (int i = 0; i < n_inputs; i++)
    for (int a = 0; a < rank; a++) {
      int64_t size = row->dims[i * rank + a].lo;
      if (a != axis && i > 0 && size != out->dims[a].lo)
        return false;
      out->dims[a] = ir_dim_of(size + (a == axis ? out->dims[a].lo : 0));
    }
  return true;
}

/* Draws inputs. Outside of `axis`, the dims usually agree. */
static ir_shape draw_row(int n_inputs, int rank, int axis) {
  ir_shape row = draw_shape(n_inputs * rank);
  for (int i = rank; i < row.rank; i++) {
    if (i % rank == axis || one_in(10))
      continue;
    ir_dim first = row.dims[i % rank];
    int64_t lo = between(first.lo, first.hi);
    row.dims[i] = (ir_dim){lo > 0 ? lo - between(0, 1) : lo, lo + between(0, 1)};
  }
  return row;
}

static void concats(void **state) {
  (void)state;
  tally n = {0};
  for (int i = 0; i < 4000; i++) {
    int n_inputs = (int)between(1, 3), rank = (int)between(1, 3), axis = (int)between(0, rank - 1);
    char text[8];
    snprintf(text, sizeof text, "%d", one_in(2) ? axis : axis - rank);
    op_case c;
    op_case_begin(&c, "Concat", "opset1", (const char *const[]){"axis", text, NULL});
    ir_shape row = draw_row(n_inputs, rank, axis), sizes = least_sizes(&row), out;
    hull all = {.any = false};
    do {
      if (concat(&sizes, n_inputs, rank, axis, &out))
        add_shape(&all, &out);
    } while (next_sizes(&row, &sizes));
    for (int j = 0; j < n_inputs; j++) {
      ir_shape in = {.rank = rank};
      memcpy(in.dims, row.dims + j * rank, (size_t)rank * sizeof *in.dims);
      c.in[j] = op_case_value(IR_F32, in);
    }
    op_case_infer(&c, n_inputs, false);
    compare(&c, &all, "IR318", "Concat", &n);
    op_case_end(&c);
  }
  assert_true(n.told > 1000 && n.refused > 100 && n.open == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reshapes),   cmocka_unit_test(squeezes),   cmocka_unit_test(squeezes_of_axes_of_the_run),
      cmocka_unit_test(unsqueezes), cmocka_unit_test(transposes), cmocka_unit_test(concats),
  };
  return cmocka_run_group_tests(tests, draw_seed, NULL);
}
