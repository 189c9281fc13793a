/* Reductions that are checked and not run: ReduceSum, ReduceProd, ReduceMin, ReduceL1, ReduceL2, and those of booleans.
 * A sum, product or least of all elements of a small list is told before a run: exports count elements so. */
#include "ops/math/reduce.h"

#define AXES                                                                                                           \
  { .name = "axes", .type_var = "T_IND", .types = IR_SET_INTEGERS, .rank_min = 0, .rank_max = 1, .contents = true }
#define NUMBERS                                                                                                        \
  { .name = "data", .type_var = "T", .types = IR_SET_NUMBERS, .rank_min = 0, .rank_max = IR_MAX_RANK, .parts = true }
#define REDUCTION(name, number, page, told, ...)                                                                       \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("reduction/reduce-" page),           \
    .params_size = sizeof(ir_reduce_params), .attrs = ir_reduce_attrs, .infer = ir_reduce_infer, .parts = told,        \
    .cost = ir_reduce_cost, __VA_ARGS__                                                                                \
  }
#define OF_NUMBERS .inputs = {NUMBERS, AXES}, .outputs = {IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)}
#define OF_BOOLEANS                                                                                                    \
  .inputs = {IR_PORT_WITH_PARTS("data", "T_BOOL", IR_SET(IR_BOOLEAN)), AXES},                                          \
  .outputs = {IR_PORT_OF_ANY_RANK("output", "T_BOOL", IR_SET(IR_BOOLEAN))}

const ir_op ir_op_reduce_l1_4 = REDUCTION("ReduceL1", 4, "l1-4", NULL, OF_NUMBERS);
const ir_op ir_op_reduce_l2_4 = REDUCTION("ReduceL2", 4, "l2-4", NULL, OF_NUMBERS);
const ir_op ir_op_reduce_logical_and_1 =
    REDUCTION("ReduceLogicalAnd", 1, "logical-and-1", ir_reduce_least_parts, OF_BOOLEANS);
const ir_op ir_op_reduce_logical_or_1 =
    REDUCTION("ReduceLogicalOr", 1, "logical-or-1", ir_reduce_most_parts, OF_BOOLEANS);
const ir_op ir_op_reduce_min_1 = REDUCTION("ReduceMin", 1, "min-1", ir_reduce_least_parts, OF_NUMBERS);
const ir_op ir_op_reduce_prod_1 = REDUCTION("ReduceProd", 1, "prod-1", ir_reduce_product_parts, OF_NUMBERS);
const ir_op ir_op_reduce_sum_1 = REDUCTION("ReduceSum", 1, "sum-1", ir_reduce_sum_parts, OF_NUMBERS);
