/* ExperimentalSparseWeightedSum adds rows of a table: those that the values of each row of a sparse tensor name. The
 * inputs are the places [N, 2] of the values, the values [N], the shape [2] of the sparse tensor, the table, the value
 * of an empty row, and optionally a weight for each value. */
#include "ops/legacy/legacy.h"

enum { PLACES, VALUES, SHAPE, TABLE, OTHERWISE, WEIGHTS };

/* Element 0 of `wire` on the axis. */
static ir_wire first_of(ir_expansion *x, ir_wire wire, int64_t axis) {
  return IR_NEW(x, "Gather", 1, wire, ir_new_int(x, 0), ir_new_int(x, axis));
}

static void expand_sparse_sum(ir_expansion *x) {
  const bool is_scalar = ir_old_rank(x, OTHERWISE) == 0;
  const ir_wire inputs[] = {ir_old_input(x, TABLE),
                            ir_old_input_as_ints(x, VALUES),
                            first_of(x, ir_old_input_as_ints(x, PLACES), 1),
                            first_of(x, ir_old_input_as_ints(x, SHAPE), 0),
                            is_scalar ? ir_old_input_as_ints(x, OTHERWISE)
                                      : first_of(x, ir_old_input_as_ints(x, OTHERWISE), 0),
                            ir_old_input(x, WEIGHTS)};
  ir_give_output(x, 0, ir_new_op(x, "EmbeddingSegmentsSum", 3, 1, ir_has_old_input(x, WEIGHTS) ? 6 : 5, inputs));
}

IR_LEGACY_ROW(sparse_weighted_sum, "ExperimentalSparseWeightedSum", 0, NULL,
              IR_PORTS(IR_LEGACY_PORT("places"), IR_LEGACY_PORT("values"), IR_LEGACY_PORT("shape"),
                       IR_LEGACY_PORT("table"), IR_LEGACY_PORT("otherwise"), IR_LEGACY_MORE("weights")),
              IR_LEGACY_ONE_OUT, expand_sparse_sum);
