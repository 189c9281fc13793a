/* Ops over groups of elements along some axes. A reduction makes one element of each group; softmax, a normalization or
 * a running sum makes one of each element and its group's results. An op supplies its rows; iteration, loading and
 * storing are here. */
#ifndef IR_GROUP_REDUCE_H
#define IR_GROUP_REDUCE_H

#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/prepare.h"

/* Arguments of a row: contiguous elements. */
typedef struct ir_group_reduce_call {
  const void *x;   /* n elements, in the compute type */
  void *a, *b;     /* results of their groups, in the compute type: element i's is at i * step */
  void *y;         /* results for the elements, in the compute type; never aliases x */
  int64_t n, step; /* step 0: all elements are in one group, in its order; 1: each is in another group */
  int64_t n_terms; /* elements in a group */
  int64_t offset;  /* offset of the first element in the input; unset if the op has one input */
  bool is_kept;    /* the second pass stores its result of each element, which the last pass reads */
  const ir_tensor *const *in;
  const void *params; /* params of the node */
} ir_group_reduce_call;

typedef void ir_group_reduce_row(const ir_group_reduce_call *call);

/* Rows in the order of calls; NULL is skipped. Group rows get `a` and `b` of n groups, but no elements. */
typedef struct ir_group_reduce {
  const char *name;             /* prefix of its kernels: "sum" gives sum_f32 for f32 */
  ir_group_reduce_row *begin;   /* group row: initializes `a` and `b`, which are 0 */
  bool begins_with_term;        /* `a` starts as the group's first element, if it has any */
  ir_group_reduce_row *each[2]; /* element rows: one pass over all into `a` or `b` */
  ir_group_reduce_row *then[2]; /* group rows: called after that pass */
  /* The second pass also makes y of the elements; if is_kept, `last` gets it in place of the elements. */
  bool keeps;
  /* Element row: makes y, rounded if a float becomes an integer. NULL: the output is `a`, one element for each group,
   * truncated to integers. */
  ir_group_reduce_row *last;
  bool backwards; /* pieces of a group come last to first; within a piece the order is forward */
} ir_group_reduce;

/* Passes: in the expression x is an element, s its group's value in `into` (a or b), and a the value in a. */
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
/* Group rows: a and b are the group's results. */
#define IR_GROUP_REDUCE_THEN_ROW(name, type, into, ...)                                                                \
  void name(const ir_group_reduce_call *call) {                                                                        \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const type a = ((const type *)call->a)[i], b = ((const type *)call->b)[i];                                       \
      (void)a, (void)b;                                                                                                \
      ((type *)call->into)[i] = (type)(__VA_ARGS__);                                                                   \
    }                                                                                                                  \
  }
#define IR_GROUP_REDUCE_THEN(...) static IR_GROUP_REDUCE_THEN_ROW(__VA_ARGS__)
/* For an element x and its group's results, as doubles. */
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

/* Shared rows, for doubles. */
ir_group_reduce_row ir_group_reduce_sum;        /* a: sum of the elements */
ir_group_reduce_row ir_group_reduce_squares;    /* a: sum of their squares */
ir_group_reduce_row ir_group_reduce_mean;       /* group row, a: mean from the sum */
ir_group_reduce_row ir_group_reduce_deviations; /* b: sum of the squared differences from a */

/* Rounds normalized elements for an integer type: to nearest, ties to even, as OpenVINO's CPU plugin does. */
void ir_group_reduce_round(ir_type type, double *y, int64_t n);

/* Appends the step: it reads the first `n_in` inputs and treats input 0 as a block of `shape`, in the layout in which
 * the node reads tensors. The groups lie along `axes`. */
ir_code ir_group_reduce_step(ir_plan *plan, const ir_node *node, const ir_group_reduce *reduce, ir_compute_type compute,
                             const ir_shape *shape, const ir_axes *axes, int32_t n_in, ir_scope *scope);

#endif
