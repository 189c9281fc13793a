/* Eye-9, RandomUniform-8 and Multinomial-13 fill a tensor whose sizes are elements of inputs. Eye makes matrices with
 * ones on a diagonal. Multinomial draws classes for each row of probabilities. */
#include "base/stop.h"
#include "ops/axes.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/strided_copy.h"
#include "ops/movement/movement.h"
#include "ops/op.h"
#include "ops/prepare.h"

typedef struct filled_params {
  ir_type output_type;
  int64_t global_seed, op_seed;
  int alignment, convert_type;
  bool with_replacement, log_probs;
} filled_params;

/* Reads the only element of input `port` as a size. Reports a negative element, and an input with several elements. */
static bool size_input(const ir_node *node, int port, const ir_value *value, ir_dim *out, ir_scope *scope) {
  const ir_dim range = ir_has_ranges(value) ? ir_range_at(value, 0) : ir_dim_any();
  *out = ir_size_of_range(range);
  if (!ir_is_single(node, port, value, scope))
    return false;
  if (range.hi >= 0)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
            "'%s' is %lld, expected a size of 0 or more", ir_op_input(node->op, port)->name, (long long)range.hi);
  return false;
}

/* ---- Eye ---- */

static ir_code infer_eye(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim sizes[2];
  const bool is_known = ir_movement_begin(node, in, out);
  out->type = ((const filled_params *)node->params)->output_type;
  out->shape.rank = 0;
  out->poisoned = !is_known || !size_input(node, 0, in[0], &sizes[0], scope) ||
                  !size_input(node, 1, in[1], &sizes[1], scope) || !ir_is_single(node, 2, in[2], scope) ||
                  (node->n_inputs > 3 && !ir_shape_input(node, 3, in[3], &out->shape, scope));
  if (out->poisoned || out->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->poisoned = !ir_rank_fits(node, out->shape.rank + 2, scope);
  for (int i = 0; i < 2 && !out->poisoned; i++)
    out->shape.dims[out->shape.rank++] = sizes[i];
  return IR_OK;
}

/* in[0] is diagonal_index d: the elements [row, row + d] of each matrix are 1, all others 0. */
static ir_code run_eye(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  (void)step;
  static const uint64_t zero = 0; /* zero of any type */
  const int64_t rows = out[0]->dims[out[0]->rank - 2], columns = out[0]->dims[out[0]->rank - 1];
  const int64_t elements = ir_tensor_elements(out[0]), diagonal = ir_index_at(in[0], 0), one = 1;
  int64_t since = 0;
  if (elements == 0)
    return IR_OK;
  ir_fill_tensor(out[0], &zero, exec);
  if (diagonal <= -rows || diagonal >= columns)
    return IR_OK;
  for (int64_t matrix = 0; matrix < elements; matrix += rows * columns)
    for (int64_t row = diagonal < 0 ? -diagonal : 0; row < rows && row + diagonal < columns; row++) {
      if (ir_stop_asked_after(exec->stop, 0, 1, &since))
        return IR_OK;
      ir_index_store(&one, 1, out[0], matrix + row * columns + row + diagonal);
    }
  return IR_OK;
}

static ir_code prepare_eye(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "eye", .isa = "any", .run = run_eye};
  (void)in, (void)scope;
  const int32_t from = ir_plan_input_slot(plan, 2), to = ir_plan_output_slot(plan, 0);
  return ir_plan_step_on(plan, node, &kernel, NULL, 0, &from, 1, &to, 1);
}

/* ---- RandomUniform ---- */

/* Checks that [minval, maxval), the interval of the random numbers, is not empty. */
static bool check_ends(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  char texts[2][IR_NUMBER_TEXT];
  if (in[1]->contents == NULL || in[2]->contents == NULL)
    return true;
  const ir_number least = ir_tensor_get(in[1]->contents, 0), most = ir_tensor_get(in[2]->contents, 0);
  if (least.kind == IR_NUMBER_SIGNED ? least.i < most.i : ir_number_as_double(least) < ir_number_as_double(most))
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
            "'maxval' is %s, 'minval' %s; expected a larger one",
            ir_number_text(in[2]->type, most, texts[0], sizeof texts[0]),
            ir_number_text(in[1]->type, least, texts[1], sizeof texts[1]));
  return false;
}

static ir_code infer_random(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  const bool is_known = ir_movement_begin(node, in, out);
  out->type = ((const filled_params *)node->params)->output_type;
  out->poisoned = !is_known || !ir_shape_input(node, 0, in[0], &out->shape, scope);
  for (int i = 1; i <= 2 && !out->poisoned; i++) {
    out->poisoned = !ir_is_single(node, i, in[i], scope);
    if (out->poisoned || in[i]->type == out->type || in[i]->type == IR_DYNAMIC)
      continue;
    ir_report_firm(scope->diags, IR306_ELEMENT_TYPE_NOT_ALLOWED, ir_input_where(scope, node, i, -1),
                   "'%s' is %s; output_type is %s, and so are the ends", ir_op_input(node->op, i)->name,
                   ir_type_name(in[i]->type), ir_type_name(out->type));
    out->poisoned = true;
  }
  out->poisoned = out->poisoned || !check_ends(node, in, scope);
  return IR_OK;
}

/* ---- Multinomial ---- */

static const ir_type class_types[] = {IR_I64, IR_I32};

static bool enough_classes(const ir_node *node, const ir_value *const *in, ir_dim samples, ir_scope *scope) {
  const ir_shape *shape = &in[0]->shape;
  char texts[2][IR_DIM_TEXT];
  if (((const filled_params *)node->params)->with_replacement || shape->rank == IR_RANK_UNKNOWN ||
      samples.lo <= shape->dims[1].hi)
    return true;
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 1, -1),
            "'num_samples' is %s; without replacement there are %s classes",
            ir_dim_text(samples, texts[0], sizeof texts[0]), ir_dim_text(shape->dims[1], texts[1], sizeof texts[1]));
  return false;
}

static ir_code infer_multinomial(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim samples;
  const bool is_known = ir_movement_begin(node, in, out);
  out->type = class_types[((const filled_params *)node->params)->convert_type];
  out->poisoned =
      !is_known || !size_input(node, 1, in[1], &samples, scope) || !enough_classes(node, in, samples, scope);
  if (out->poisoned)
    return IR_OK;
  out->shape = ir_shape_of_rank(2);
  if (in[0]->shape.rank == 2)
    out->shape.dims[0] = in[0]->shape.dims[0];
  out->shape.dims[1] = samples;
  return IR_OK;
}

/* ---- rows of the op table ---- */

#define OUTPUT_TYPE                                                                                                    \
  { .name = "output_type", .kind = IR_ATTR_TYPE, .offset = offsetof(filled_params, output_type), .required = true }
#define SEED(field)                                                                                                    \
  { .name = #field, .kind = IR_ATTR_INT, .offset = offsetof(filled_params, field), .max = INT64_MAX, .fallback = "0" }
#define FLAG(field)                                                                                                    \
  { .name = #field, .kind = IR_ATTR_BOOL, .offset = offsetof(filled_params, field), .required = true }

static const char *const alignments[] = {"tensorflow", "pytorch", NULL};
static const char *const class_type_names[] = {"i64", "i32", NULL};
static const ir_attr_spec eye_attrs[] = {OUTPUT_TYPE, {.name = NULL}};
static const ir_attr_spec random_attrs[] = {OUTPUT_TYPE,
                                            SEED(global_seed),
                                            SEED(op_seed),
                                            {.name = "alignment",
                                             .kind = IR_ATTR_ENUM,
                                             .offset = offsetof(filled_params, alignment),
                                             .names = alignments,
                                             .fallback = "tensorflow"},
                                            {.name = NULL}};
static const ir_attr_spec multinomial_attrs[] = {{.name = "convert_type",
                                                  .kind = IR_ATTR_ENUM,
                                                  .offset = offsetof(filled_params, convert_type),
                                                  .names = class_type_names,
                                                  .required = true},
                                                 FLAG(with_replacement),
                                                 FLAG(log_probs),
                                                 SEED(global_seed),
                                                 SEED(op_seed),
                                                 {.name = NULL}};

#define SIZE(port)                                                                                                     \
  { IR_INDEX_NUMBERS(port, "", 0, 1), .contents = true }
#define SIZES(port, var) IR_INDEX_NUMBERS(port, var, 1, 1), .contents = true

const ir_op ir_op_eye_9 = {
    .dialect = IR_OPENVINO,
    .type = "Eye",
    .version = 9,
    .spec = IR_SPEC_PAGE("generation/eye-9"),
    .params_size = sizeof(filled_params),
    .attrs = eye_attrs,
    .inputs = IR_PORTS(SIZE("num_rows"), SIZE("num_columns"), {IR_INDEX_NUMBERS("diagonal_index", "", 0, 1)},
                       {SIZES("batch_shape", ""), .optional = true}),
    .outputs = IR_PORTS({.name = "output", .types = IR_SET_NUMBERS, .rank_min = 2, .rank_max = IR_MAX_RANK}),
    .infer = infer_eye,
    .run = {IR_RUN_PREPARED, .prepare = prepare_eye},
};

#define END(port)                                                                                                      \
  {                                                                                                                    \
    .name = port, .types = IR_SET_FLOATS | IR_SET_I32_I64, .types_carried = IR_CARRIED_NONE, .rank_min = 0,            \
    .rank_max = 1, .contents = true                                                                                    \
  }

const ir_op ir_op_random_uniform_8 = {
    .dialect = IR_OPENVINO,
    .type = "RandomUniform",
    .version = 8,
    .spec = IR_SPEC_PAGE("generation/random-uniform-8"),
    .params_size = sizeof(filled_params),
    .attrs = random_attrs,
    .inputs = IR_PORTS({SIZES("shape", "T_SHAPE")}, END("minval"), END("maxval")),
    .outputs =
        IR_PORTS({.name = "output", .types = IR_SET_FLOATS | IR_SET_I32_I64, .rank_min = 0, .rank_max = IR_MAX_RANK}),
    .infer = infer_random,
};

const ir_op ir_op_multinomial_13 = {
    .dialect = IR_OPENVINO,
    .type = "Multinomial",
    .version = 13,
    .spec = IR_SPEC_PAGE("generation/multinomial-13"),
    .params_size = sizeof(filled_params),
    .attrs = multinomial_attrs,
    .inputs = IR_PORTS(
        {.name = "probs", .type_var = "T_IN", .types = IR_SET_FLOATS, .rank_min = 2, .rank_max = 2},
        {IR_INDEX_NUMBERS("num_samples", "T_SAMPLES", 0, 1), .types_noted = IR_SET_INTEGERS, .contents = true}),
    .outputs = IR_PORTS({.name = "output", .types = IR_SET_I32_I64, .rank_min = 2, .rank_max = 2}),
    .infer = infer_multinomial,
};
