/* Ops that go through groups of elements, each of what lies along some axes. A reduction makes one element of each
 * group; softmax, a normalization or a running sum makes one of each element and of what was found of its group. An op
 * is its rows; how elements are found, loaded and stored stands here once. */
#ifndef IR_GROUP_REDUCE_H
#define IR_GROUP_REDUCE_H

#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/plan.h"

/* What a row is computed on: elements that lie side by side. */
typedef struct ir_group_reduce_call {
  const void *x;   /* n elements, as the compute type */
  void *a, *b;     /* what is found of their groups, as the compute type: element i's at i * step */
  void *y;         /* what is made of them, as the compute type; never x */
  int64_t n, step; /* step 0: all are of one group, in its order; 1: each is of another group */
  int64_t n_terms; /* elements of a group */
  int64_t offset;  /* of the first one in the input; not told where the op has one input */
  bool is_kept;    /* what the second pass makes of all elements of the groups is kept */
  const ir_tensor *const *in;
  const void *params; /* the node's */
} ir_group_reduce_call;

typedef void ir_group_reduce_row(const ir_group_reduce_call *call);

/* Rows in the order in which they are called; what is NULL is left out. Rows of groups see `a` and `b` of n groups, and
 * no elements. */
typedef struct ir_group_reduce {
  const char *name;             /* of its kernels: "sum" is sum_f32 for f32 */
  ir_group_reduce_row *begin;   /* of groups: sets `a` and `b`, which are 0 */
  bool begins_with_term;        /* `a` is the group's first element, where there is one */
  ir_group_reduce_row *each[2]; /* of elements: one pass over all, into `a` or `b` */
  ir_group_reduce_row *then[2]; /* of groups: behind that pass */
  /* The second pass makes y of elements, too, which `last` is given in place of them where is_kept. */
  bool keeps;
  /* Of elements: makes y, which is rounded where a float becomes an integer. NULL: the output is `a`, one element for
   * each group, which is cut there. */
  ir_group_reduce_row *last;
  bool backwards; /* elements of a group come from the last to the first, in pieces that lie forwards */
} ir_group_reduce;

/* Passes: in the expression x is an element, s what `into` (a or b) has of its group, a what a has. */
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
/* Of groups: a and b are what was found. */
#define IR_GROUP_REDUCE_THEN_ROW(name, type, into, ...)                                                                \
  void name(const ir_group_reduce_call *call) {                                                                        \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const type a = ((const type *)call->a)[i], b = ((const type *)call->b)[i];                                       \
      (void)a, (void)b;                                                                                                \
      ((type *)call->into)[i] = (type)(__VA_ARGS__);                                                                   \
    }                                                                                                                  \
  }
#define IR_GROUP_REDUCE_THEN(...) static IR_GROUP_REDUCE_THEN_ROW(__VA_ARGS__)
/* Of an element x and what was found, doubles. */
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

/* Rows that several ops have, of doubles. */
ir_group_reduce_row ir_group_reduce_sum;        /* a: of elements */
ir_group_reduce_row ir_group_reduce_squares;    /* a: of their squares */
ir_group_reduce_row ir_group_reduce_mean;       /* of groups, a: from the sum */
ir_group_reduce_row ir_group_reduce_deviations; /* b: of the squares of what elements differ from a */

/* Where normalized elements become integers: to the nearest, ties to even, as OpenVINO's CPU plugin does. */
void ir_group_reduce_round(ir_type type, double *y, int64_t n);

/* Appends the step: it reads the first `n_in` inputs, and goes through input 0 as a block of `shape`, which lies as the
 * node reads tensors. The groups lie along `axes`. */
ir_code ir_group_reduce_step(ir_plan *plan, const ir_node *node, const ir_group_reduce *reduce, ir_compute_type compute,
                             const ir_shape *shape, const ir_axes *axes, int32_t n_in, ir_scope *scope);

#endif
