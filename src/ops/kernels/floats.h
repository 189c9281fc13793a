/* Kernels that compute with single elements of floats: their inputs are f32 or f64 when they run, and what they make is
 * stored from doubles in the output's type. */
#ifndef IR_FLOATS_H
#define IR_FLOATS_H

#include "ops/kernels/compute_type.h"
#include "ops/plan.h"

/* A slot with the elements of another one as f32 (of f32 and halves) or f64 (of all others): that one itself when it
 * is of the type, else made by a step. -1 when memory is out (reported). */
int32_t ir_widened(ir_plan *plan, const ir_node *node, int32_t slot);
/* Appends a step as ir_plan_step does, with all inputs of floats widened. */
ir_code ir_plan_step_of_floats(ir_plan *plan, const ir_node *node, const ir_kernel *kernel, const void *state,
                               size_t scratch_bytes);

static inline double ir_float_at(const ir_tensor *tensor, int64_t i) {
  return tensor->type == IR_F64 ? ((const double *)tensor->data)[i] : (double)((const float *)tensor->data)[i];
}
/* Of any type, where nothing was widened. */
static inline double ir_number_at(const ir_tensor *tensor, int64_t i) {
  double value;
  ir_compute_load(tensor->type, ir_tensor_at(tensor, i), IR_COMPUTE_F64, &value, 1);
  return value;
}
static inline void ir_floats_store(const ir_tensor *tensor, int64_t i, const double *values, int64_t n) {
  ir_compute_store(IR_COMPUTE_F64, values, tensor->type, ir_tensor_at(tensor, i), n);
}

/* A number as an integer type has it: rounded, halves to even, and held in its range. Of other types itself. */
double ir_rounded(double x, ir_type type);

/* ---- planes of a map [.., height, width] ---- */

typedef struct ir_plane {
  const ir_tensor *tensor;
  int64_t at, height, width; /* its first element */
} ir_plane;

static inline double ir_plane_at(const ir_plane *plane, int64_t y, int64_t x) {
  return ir_float_at(plane->tensor, plane->at + y * plane->width + x);
}
/* Between four elements; outside of the plane as at its edge. Both are numbers. */
double ir_plane_between(const ir_plane *plane, double y, double x);

#endif
