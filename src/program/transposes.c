#include "program/transposes.h"
#include "ops/shape/transpose.h"

enum { AXES = 4 }; /* batch, heads, rows, columns */

bool ir_program_order(const ir_program *program, const ir_operation *operation, ir_axes *out) {
  if (operation->is_dead || operation->node.op->function != IR_FUNCTION_TRANSPOSE)
    return false;
  const ir_value *in[] = {ir_program_value_of(program, operation->in[0]),
                          ir_program_value_of(program, operation->in[1])};
  ir_scope scope = ir_program_scope(program);
  return ir_transpose_order(&operation->node, in, &scope, out);
}

/* Reads the order of a Transpose of up to four axes. If it has fewer, axes of size 1 precede them. */
static bool read_order(const ir_program *program, const ir_operation *operation, int *order) {
  ir_axes axes;
  if (!ir_program_order(program, operation, &axes) || axes.n > AXES)
    return false;
  const int first = AXES - axes.n;
  for (int i = 0; i < AXES; i++)
    order[i] = i < first ? i : first + axes.items[i - first];
  return true;
}

/* Whether the value has the sizes sizes[axes[0]], sizes[axes[1]], ..., without some axes of size 1 in front. */
static bool has_sizes(const ir_program *program, int32_t value, const int64_t *sizes, const int *axes) {
  const ir_shape *shape = &ir_program_value_of(program, value)->shape;
  bool has = true;
  for (int i = 0; i < AXES && has; i++) {
    const int axis = i - (AXES - shape->rank);
    has = sizes[axes[i]] == (axis < 0 ? 1 : shape->dims[axis].lo);
  }
  return has;
}

/* Whether two orders of axes lie alike in memory. Axes of size 1 have no effect. */
static bool lie_alike(const int *a, const int *b, const int64_t *sizes) {
  int i = 0, j = 0;
  for (;;) {
    while (i < AXES && sizes[a[i]] == 1)
      i++;
    while (j < AXES && sizes[b[j]] == 1)
      j++;
    if (i == AXES || j == AXES)
      return i == j;
    if (a[i++] != b[j++])
      return false;
  }
}

/* Finds flags for matrices whose axes lie in the order `axes`, from the outermost to the innermost. */
static bool find_flags(const int *axes, const int64_t *sizes, ir_fast_matrices *out) {
  for (int flags = 0; flags < 4; flags++) {
    const ir_fast_matrices lie = {.is_transposed = (flags & 1) != 0, .are_beside = (flags & 2) != 0};
    int order[AXES];
    ir_fast_order(lie, order);
    if (lie_alike(order, axes, sizes)) {
      *out = lie;
      return true;
    }
  }
  return false;
}

bool ir_skip_transpose(const ir_program *program, const int64_t *sizes, int32_t *io_value, ir_fast_matrices *io_lie) {
  const int32_t producer = program->values[*io_value].producer;
  int order[AXES], axes[AXES], from[AXES];
  if (producer < 0 || !read_order(program, &program->operations[producer], order))
    return false;
  ir_fast_order(*io_lie, axes);
  for (int i = 0; i < AXES; i++)
    from[order[i]] = axes[i];
  if (!has_sizes(program, *io_value, sizes, axes) || !find_flags(from, sizes, io_lie))
    return false;
  *io_value = program->operations[producer].in[0];
  return true;
}

bool ir_writes_transposed(const ir_program *program, const ir_operation *transpose, const int64_t *sizes,
                          ir_fast_matrices *out_lie) {
  static const int plain[] = {0, 1, 2, 3};
  ir_fast_matrices lie;
  int order[AXES];
  if (!read_order(program, transpose, order) || !has_sizes(program, transpose->in[0], sizes, plain) ||
      !find_flags(order, sizes, &lie) || lie.is_transposed)
    return false;
  *out_lie = lie;
  return true;
}
