/* Cube-1, an example of an added op: y = x * x * x for each element. */
#include "ops/kernels/elementwise.h"
#include "ops/math/elementwise_infer.h"

/* Smaller types are widened to one of these types, computed, and converted back. */
IR_ELEMENTWISE_1(cube_f32, float, float, x *x *x)
IR_ELEMENTWISE_1(cube_f64, double, double, x *x *x)
IR_ELEMENTWISE_1(cube_u64, uint64_t, uint64_t, x *x *x)

static const ir_elementwise cube_elementwise = {.name = "cube", .rows = {cube_f32, cube_f64, cube_u64, cube_u64}};

const ir_op ir_op_cube_1 = {
    .dialect = IR_OPENVINO,
    .type = "Cube",
    .version = 1,
    .spec = IR_SPEC_PAGE("arithmetic/cube-1"),
    .inputs = IR_PORTS(IR_PORT_OF_NUMBERS("x")),
    .outputs = IR_PORTS(IR_PORT_OF_NUMBERS("output")),
    .infer = ir_elementwise_infer,
    .elementwise = &cube_elementwise,
    .run = {IR_RUN_PREPARED, .prepare = ir_elementwise_prepare},
    .cost = ir_elementwise_cost,
};
