/* Computes ops over groups of elements along some axes. A reduction makes one element of each group. Softmax, a
 * normalization or a running sum makes an element from each element and the results of its group. An op supplies
 * functions, called rows; the code here iterates, loads and stores. */
#ifndef IR_GROUP_REDUCE_H
#define IR_GROUP_REDUCE_H

#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/prepare.h"

/* Arguments of a row function: n contiguous elements, or n groups. */
typedef struct ir_group_reduce_call {
  const void *x; /* n elements, in the compute type */
  void *a, *b;   /* results of the elements' groups, in the compute type: element i's are a[i * step] and b[i * step] */
  void *y;       /* n results of an element row, in the compute type; never aliases x */
  int64_t n, step; /* step 0: all elements are in one group, in order; 1: each element is in a different group */
  int64_t n_terms; /* number of elements of a group */
  int64_t offset;  /* offset of the first element in input 0; valid only if the op has several inputs */
  bool is_kept;    /* each[1] has to write y, which `last` gets as x */
  const ir_tensor *const *in;
  const void *params; /* params of the node */
} ir_group_reduce_call;

typedef void ir_group_reduce_row(const ir_group_reduce_call *call);

/* The functions of an op, in the order of calls; NULL is skipped. Element rows are called for all elements, in several
 * calls. Group rows get `a` and `b` of n groups, but no elements. */
typedef struct ir_group_reduce {
  const char *name;             /* prefix of kernel names: "sum" gives sum_f32 for f32 */
  ir_group_reduce_row *begin;   /* group row: initializes `a` and `b`, which are 0 before */
  bool begins_with_term;        /* `a` starts as the group's first element; if the group is empty, as `begin` left it */
  ir_group_reduce_row *each[2]; /* element rows: each[i] is one pass over all elements, which updates `a` or `b` */
  ir_group_reduce_row *then[2]; /* group rows: then[i] is called after the pass each[i] */
  /* If true, each[1] also makes y. If call->is_kept, `last` gets this y in place of the elements. */
  bool keeps;
  /* Element row: makes y, the output. If y is a float and the output an integer, y is rounded. If `last` is NULL, the
   * output is `a`, one element for each group, truncated to integers. */
  ir_group_reduce_row *last;
  bool backwards; /* a pass visits the pieces of a group from the last to the first; in a piece, elements stay in order
                   */
} ir_group_reduce;

/* Defines an element row for `each`. In the expression x is an element, and s and a are its group's values in `into` (a
 * or b) and in a. The result replaces s. */
#define IR_GROUP_REDUCE_EACH_ROW(name, type, into, ...)                                                                \
  void name(const ir_group_reduce_call *call) {                                                                        \
    const type *xs = call->x, *as = call->a;                                                                           \
    type *found = call->into;                                                                                          \
    const int64_t n = call->n, step = call->step;                                                                      \
    type s = found[0], a = as[0];                                                                                      \
    for (int64_t i = 0; i < n; i++) {                                                                                  \
      const type x = xs[i];                                                                                            \
      if (step != 0) {                                                                                                 \
        s = found[i];                                                                                                  \
        a = as[i];                                                                                                     \
      }                                                                                                                \
      s = (type)(__VA_ARGS__);                                                                                         \
      if (step != 0)                                                                                                   \
        found[i] = s;                                                                                                  \
    }                                                                                                                  \
    if (step == 0)                                                                                                     \
      found[0] = s;                                                                                                    \
    (void)a;                                                                                                           \
  }
#define IR_GROUP_REDUCE_EACH(...) static IR_GROUP_REDUCE_EACH_ROW(__VA_ARGS__)
/* Defines a group row. In the expression, a and b are the group's values; the result is stored in `into` (a or b). */
#define IR_GROUP_REDUCE_THEN_ROW(name, type, into, ...)                                                                \
  void name(const ir_group_reduce_call *call) {                                                                        \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const type a = ((const type *)call->a)[i], b = ((const type *)call->b)[i];                                       \
      (void)a, (void)b;                                                                                                \
      ((type *)call->into)[i] = (type)(__VA_ARGS__);                                                                   \
    }                                                                                                                  \
  }
#define IR_GROUP_REDUCE_THEN(...) static IR_GROUP_REDUCE_THEN_ROW(__VA_ARGS__)
/* Defines an element row for `last`. In the expression, x is an element, a and b are its group's values, all doubles;
 * the result is y. */
#define IR_GROUP_REDUCE_LAST(name, ...)                                                                                \
  static void name(const ir_group_reduce_call *call) {                                                                 \
    const double *xs = call->x, *as = call->a, *bs = call->b;                                                          \
    double *ys = call->y;                                                                                              \
    for (int64_t i = 0; call->step == 0 && i < call->n; i++) {                                                         \
      const double x = xs[i], a = as[0], b = bs[0];                                                                    \
      (void)a, (void)b;                                                                                                \
      ys[i] = (__VA_ARGS__);                                                                                           \
    }                                                                                                                  \
    for (int64_t i = 0; call->step != 0 && i < call->n; i++) {                                                         \
      const double x = xs[i], a = as[i], b = bs[i];                                                                    \
      (void)a, (void)b;                                                                                                \
      ys[i] = (__VA_ARGS__);                                                                                           \
    }                                                                                                                  \
  }

/* Rows that several ops share, for doubles. */
ir_group_reduce_row ir_group_reduce_sum;        /* a: sum of the elements */
ir_group_reduce_row ir_group_reduce_squares;    /* a: sum of their squares */
ir_group_reduce_row ir_group_reduce_mean;       /* group row, a: mean, from the sum in a */
ir_group_reduce_row ir_group_reduce_deviations; /* b: sum of the squared differences from a */

/* If `type` is an integer type, rounds y to nearest, ties to even, as in OpenVINO's CPU plugin. Floats stay. */
void ir_group_reduce_round(ir_type type, double *y, int64_t n);

/* Appends the step, which reads the first n_in inputs. Input 0 is a block of `shape`, and its memory has the layout of
 * the node's output 0. The groups lie along `axes`. */
ir_code ir_group_reduce_step(ir_plan *plan, const ir_node *node, const ir_group_reduce *reduce, ir_compute_type compute,
                             const ir_shape *shape, const ir_axes *axes, int32_t n_in, ir_scope *scope);

#endif
