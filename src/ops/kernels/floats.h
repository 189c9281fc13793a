/* Helpers of kernels that compute single floats: they read f32 or f64 inputs, and store doubles in the output's
 * type. */
#ifndef IR_FLOATS_H
#define IR_FLOATS_H

#include "ops/kernels/compute_type.h"
#include "ops/prepare.h"

/* A slot with another slot's elements as f32 (from f32, f16, bf16) or f64 (from all others): the same slot if it has
 * that type, else a step converts it. -1 if memory is out (reported). */
int32_t ir_widened(ir_plan *plan, const ir_node *node, int32_t slot);
/* Appends a step as ir_plan_step does, with all float inputs widened. */
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

/* Rounds a number to an integer type: to nearest, ties to even, clamped to its range. Other types: unchanged. */
double ir_rounded(double x, ir_type type);

/* ---- planes of a map [.., height, width] ---- */

typedef struct ir_plane {
  const ir_tensor *tensor;
  int64_t at, height, width; /* offset of its first element, then its sizes */
} ir_plane;

static inline double ir_plane_at(const ir_plane *plane, int64_t y, int64_t x) {
  return ir_float_at(plane->tensor, plane->at + y * plane->width + x);
}
/* Bilinear interpolation at finite coordinates; positions outside the plane use its edge. */
double ir_plane_between(const ir_plane *plane, double y, double x);

#endif
