/* Helps kernels that compute one float at a time: they read f32 or f64 inputs as doubles, and store doubles in the
 * output's type. */
#ifndef IR_FLOATS_H
#define IR_FLOATS_H

#include "ops/kernels/compute_type.h"
#include "ops/prepare.h"

/* Returns a slot with the elements of `slot` as f32 (if they are f32, f16 or bf16) or as f64 (all other types). If
 * `slot` has this type already, returns `slot`; otherwise appends a step that converts. Returns -1, with a report, if
 * memory is out. */
int32_t ir_widened(ir_plan *plan, const ir_node *node, int32_t slot);
/* The same for float slots; other slots stay as they are. */
int32_t ir_widened_float(ir_plan *plan, const ir_node *node, int32_t slot);
/* Appends the same step as ir_plan_step, but widens all float inputs first (ir_widened). */
ir_code ir_plan_step_of_floats(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                               size_t scratch_bytes);

static inline double ir_float_at(const ir_tensor *tensor, int64_t i) {
  return tensor->type == IR_F64 ? ((const double *)tensor->data)[i] : (double)((const float *)tensor->data)[i];
}
/* Reads an element of any type, for inputs that were not widened. */
static inline double ir_number_at(const ir_tensor *tensor, int64_t i) {
  double value;
  ir_compute_load(tensor->type, ir_tensor_at(tensor, i), IR_COMPUTE_F64, &value, 1);
  return value;
}
static inline void ir_floats_store(const ir_tensor *tensor, int64_t i, const double *values, int64_t n) {
  ir_compute_store(IR_COMPUTE_F64, values, tensor->type, ir_tensor_at(tensor, i), n);
}

/* If `type` is an integer type, rounds x to nearest, ties to even, and clamps it to the type's range. Otherwise returns
 * x. */
double ir_rounded(double x, ir_type type);

/* ---- planes of a map [.., height, width] ---- */

typedef struct ir_plane {
  const ir_tensor *tensor;
  int64_t at, height, width; /* offset of the plane's first element; sizes of the plane */
} ir_plane;

static inline double ir_plane_at(const ir_plane *plane, int64_t y, int64_t x) {
  return ir_float_at(plane->tensor, plane->at + y * plane->width + x);
}

#endif
