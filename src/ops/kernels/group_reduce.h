/* Computes ops over groups of elements along some axes. A reduction makes one element of each group. Softmax, a
 * normalization or a running sum makes an element from each element and the results of its group. An op supplies
 * functions, called rows; the code here iterates, loads and stores. */
#ifndef IR_GROUP_REDUCE_H
#define IR_GROUP_REDUCE_H

#include "base/stop.h"
#include "ops/axes.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/isa.h"
#include "ops/prepare.h"

enum { IR_REDUCE_LANES = 16 }; /* terms of a sum that are added side by side */
/* Begins a loop over lanes. GCC keeps the lanes in vector registers only if the loop is not unrolled before. */
#define IR_EACH_LANE _Pragma("GCC unroll 1") for (int l = 0; l < IR_REDUCE_LANES; l++)

/* Arguments of a row function: a block of elements, or n groups without elements. The elements have the compute type;
 * `a` and `b` have 64 bits, and are doubles if the compute type is IR_COMPUTE_F32. */
typedef struct ir_group_reduce_call {
  const void *x;          /* element i of row r is x[r * x_step + i] */
  void *y;                /* its result is y[r * y_step + i]; y never aliases x */
  int64_t x_step, y_step; /* elements between rows */
  int64_t n_rows, n;      /* rows; elements of a row, which are contiguous */
  bool is_across;         /* element i of each row belongs to group i; otherwise all elements of row r to group r */
  void *a, *b;            /* results of the groups */
  int64_t n_terms;        /* number of elements of a group, which can have further blocks */
  int64_t offset;         /* offset of the first element in input 0 */
  bool is_kept;           /* `last` gets the y that each[1] has written, and changes it in place */
  const ir_tensor *const *in;
  const void *params; /* params of the node */
  ir_stop *stop;      /* asked of `worker` in rows that write a very long line; the results are then discarded */
  int worker;
} ir_group_reduce_call;

typedef void ir_group_reduce_row(const ir_group_reduce_call *call);

/* The functions of an op, in the order of calls; NULL is skipped. Element rows are called for all elements, in several
 * calls. Group rows get `a` and `b` of n groups, but no elements. */
typedef struct ir_group_reduce {
  const char *name;             /* prefix of kernel names: "sum" gives sum_f32 for f32 */
  ir_group_reduce_row *begin;   /* group row: initializes `a` and `b`, which are 0 before */
  ir_group_reduce_row *each[2]; /* element rows: each[i] is one pass over all elements, which updates `a` or `b` */
  ir_group_reduce_row *then[2]; /* group rows: then[i] is called after the pass each[i] */
  bool keeps;                   /* each[1] also makes y, and `last` can change it in place: call->is_kept */
  /* Element row: makes y, the output. If y is a float and the output an integer, y is rounded. If `last` is NULL, the
   * output is `a`, one element for each group, truncated to integers. */
  ir_group_reduce_row *last;
  bool backwards; /* a pass visits the blocks of a group from the last to the first */
} ir_group_reduce;

/* Defines `name`_folded, which reduces the lanes to one result: each lane l with lane l + 8, then 4, 2 and 1 further.
 * In `join`, s and t are two results of the type `wide`. */
#define IR_GROUP_REDUCE_FOLD(name, wide, join)                                                                         \
  IR_LOOP void name##_fold(wide *lanes, int half) {                                                                    \
    for (int l = 0; l < half; l++) {                                                                                   \
      const wide s = lanes[l], t = lanes[l + half];                                                                    \
      lanes[l] = (wide)(join);                                                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_LOOP wide name##_folded(wide *lanes) {                                                                            \
    name##_fold(lanes, 8);                                                                                             \
    name##_fold(lanes, 4);                                                                                             \
    name##_fold(lanes, 2);                                                                                             \
    name##_fold(lanes, 1);                                                                                             \
    return lanes[0];                                                                                                   \
  }

/* Defines an element row for `each`: it reduces elements of type `element` to the groups' values of type `group` in
 * `into`, a or b. In the expression `term`, x is an element, and a is its group's value in a, both of type `wide`. In
 * `join`, which must be associative, s and t are two results for different terms. `start` is a result for no terms;
 * there s is the group's value. The macro SETTLE(row, n, before, s) corrects the result s of a row.
 *
 * If a row is in one group, lanes of every 16th term are reduced side by side, and then each to the lane 8, 4, 2 and 1
 * further, so all instruction sets give the same bits. */
#define IR_GROUP_REDUCE_EACH_ROW(name, element, wide, group, into, start, term, join, join_across, SETTLE)             \
  IR_LOOP void name##_lanes(wide *lanes, const element *xs, int64_t n, wide a) {                                       \
    IR_EACH_LANE {                                                                                                     \
      const wide x = (wide)xs[l], t = (wide)(term), s = lanes[l];                                                      \
      lanes[l] = l < n ? (wide)(join) : s;                                                                             \
    }                                                                                                                  \
    (void)a;                                                                                                           \
  }                                                                                                                    \
  IR_GROUP_REDUCE_FOLD(name, wide, join)                                                                               \
  IR_LOOP wide name##_row(const element *xs, int64_t n, wide s, wide a) {                                              \
    wide lanes[IR_REDUCE_LANES];                                                                                       \
    element left[IR_REDUCE_LANES];                                                                                     \
    int64_t i = 0;                                                                                                     \
    IR_EACH_LANE                                                                                                       \
    lanes[l] = l == 0 ? s : (wide)(start);                                                                             \
    for (; i + IR_REDUCE_LANES <= n; i += IR_REDUCE_LANES)                                                             \
      name##_lanes(lanes, xs + i, IR_REDUCE_LANES, a);                                                                 \
    if (i < n) {                                                                                                       \
      IR_EACH_LANE                                                                                                     \
      left[l] = l < n - i ? xs[i + l] : 0;                                                                             \
      name##_lanes(lanes, left, n - i, a);                                                                             \
    }                                                                                                                  \
    return name##_folded(lanes);                                                                                       \
  }                                                                                                                    \
  IR_LOOP void name##_loop(const ir_group_reduce_call *call) {                                                         \
    const int64_t n = call->n;                                                                                         \
    const group *as = call->a;                                                                                         \
    group *found = call->into;                                                                                         \
    for (int64_t r = 0; r < call->n_rows; r++) {                                                                       \
      const element *xs = (const element *)call->x + r * call->x_step;                                                 \
      if (!call->is_across) {                                                                                          \
        const wide s = name##_row(xs, n, (wide)found[r], (wide)as[r]);                                                 \
        found[r] = (group)SETTLE(xs, n, found[r], s);                                                                  \
        continue;                                                                                                      \
      }                                                                                                                \
      for (int64_t i = 0; i < n; i++) {                                                                                \
        const group x = (group)xs[i], a = as[i], t = (group)(term), s = found[i];                                      \
        (void)a;                                                                                                       \
        found[i] = (group)(join_across);                                                                               \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_group_reduce_call *call), (call))
#define IR_REDUCED(xs, n, before, s) (s)
#define IR_GROUP_REDUCE_EACH(name, element, wide, group, into, start, term, join)                                      \
  IR_GROUP_REDUCE_EACH_ROW(name, element, wide, group, into, start, term, join, join, IR_REDUCED)
/* Defines a group row. In the expression, a and b are the group's values; the result is stored in `into` (a or b). */
#define IR_GROUP_REDUCE_THEN(name, type, into, ...)                                                                    \
  static void name(const ir_group_reduce_call *call) {                                                                 \
    for (int64_t i = 0; i < call->n; i++) {                                                                            \
      const type a = ((const type *)call->a)[i], b = ((const type *)call->b)[i];                                       \
      (void)a, (void)b;                                                                                                \
      ((type *)call->into)[i] = (type)(__VA_ARGS__);                                                                   \
    }                                                                                                                  \
  }
/* Defines an element row for `last`, for elements of type `element`. In the expression, x is an element, a and b are
 * its group's values, all doubles; the result is y. */
#define IR_GROUP_REDUCE_LAST(name, element, ...)                                                                       \
  IR_LOOP void name##_loop(const ir_group_reduce_call *call) {                                                         \
    const int64_t n = call->n;                                                                                         \
    const double *as = call->a, *bs = call->b;                                                                         \
    for (int64_t r = 0; r < call->n_rows; r++) {                                                                       \
      const element *xs = (const element *)call->x + r * call->x_step;                                                 \
      element *ys = (element *)call->y + r * call->y_step;                                                             \
      if (!call->is_across) {                                                                                          \
        const double a = as[r], b = bs[r];                                                                             \
        (void)a, (void)b;                                                                                              \
        for (int64_t i = 0; i < n; i++) {                                                                              \
          const double x = (double)xs[i];                                                                              \
          ys[i] = (element)(__VA_ARGS__);                                                                              \
        }                                                                                                              \
        continue;                                                                                                      \
      }                                                                                                                \
      for (int64_t i = 0; i < n; i++) {                                                                                \
        const double x = (double)xs[i], a = as[i], b = bs[i];                                                          \
        (void)a, (void)b;                                                                                              \
        ys[i] = (element)(__VA_ARGS__);                                                                                \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  IR_EACH_ISA(name, (const ir_group_reduce_call *call), (call))

/* Rows that several ops share. Element rows exist for elements of f32 and f64. */
ir_group_reduce_row ir_group_reduce_sum_f32, ir_group_reduce_sum_f64;         /* a: sum of the elements */
ir_group_reduce_row ir_group_reduce_squares_f32, ir_group_reduce_squares_f64; /* a: sum of their squares */
ir_group_reduce_row ir_group_reduce_mean;                                     /* group row, a: mean, from the sum */
ir_group_reduce_row ir_group_reduce_deviations_f32, ir_group_reduce_deviations_f64; /* b: sum of (x - a)^2 */

/* Returns the compute type of ops that compute integers like floats: IR_COMPUTE_F32 for f32, f16 and bf16, else
 * IR_COMPUTE_F64. */
ir_compute_type ir_group_reduce_compute(ir_type type);
/* If `type` is an integer type, rounds y to nearest, ties to even, as in OpenVINO's CPU plugin. Floats stay. */
void ir_group_reduce_round(ir_type type, double *y, int64_t n);

/* Appends the step, which reads the first n_in inputs. Input 0 is a block of `shape`, and its memory has the layout of
 * the node's output 0. The groups lie along `axes`. */
ir_code ir_group_reduce_step(ir_plan *plan, const ir_node *node, const ir_group_reduce *reduce, ir_compute_type compute,
                             const ir_shape *shape, const ir_axes *axes, int32_t n_in, ir_scope *scope);

#endif
