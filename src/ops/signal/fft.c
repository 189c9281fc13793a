/* DFT-7, IDFT-7, RDFT-9 and IRDFT-9: Fourier transforms over the axes in the second input. The third input,
 * signal_size, has a length for each of these axes; -1 means the input's size. Specification: operation-specs/signals.
 *
 * Complex numbers have a last axis of 2. On the last listed axis, RDFT makes n / 2 + 1 complex numbers of n real
 * numbers, and IRDFT makes 2 * (m - 1) real numbers of m complex numbers. */
#include "ops/agree.h"
#include "ops/axes.h"
#include "ops/kernels/fourier.h"
#include "ops/kernels/numbers.h"
#include "ops/prepare.h"
#include "ops/ranges.h"
#include <string.h>

typedef struct fft_kind {
  bool complex_in, complex_out, is_inverse;
} fft_kind;

static const fft_kind complex_kind = {true, true, false}, inverse_kind = {true, true, true},
                      to_complex = {false, true, false}, to_real = {true, false, true};

static const fft_kind *kind_of(const ir_node *node) {
  return node->op->family;
}

/* Returns true for DFT and IDFT, whose input and output are complex. */
static bool is_complex(const ir_node *node) {
  return kind_of(node)->complex_in && kind_of(node)->complex_out;
}

/* Returns how many complex numbers RDFT makes of n real numbers; 0 of 0, like in OpenVINO. */
static int64_t half(int64_t n) {
  return n <= 0 || n == IR_DIM_MAX ? n : n / 2 + 1;
}

static int64_t twice(int64_t n) {
  int64_t out;
  return n <= 0 ? 0 : ir_mul(n - 1, 2, &out) && n != IR_DIM_MAX ? out : IR_DIM_MAX;
}

/* Returns the output size of a listed axis. On the last listed axis, RDFT and IRDFT change the size (see above). */
static ir_dim output_dim(const fft_kind *kind, ir_dim dim, const ir_dim *size, bool is_last) {
  const bool whole = size == NULL || ir_dims_equal(*size, ir_dim_of(-1));
  if (!whole && size->lo < 0)
    return ir_dim_any();
  const ir_dim n = whole ? dim : *size;
  if (is_last && !kind->complex_in)
    return (ir_dim){half(n.lo), half(n.hi)};
  return is_last && !kind->complex_out && whole ? (ir_dim){twice(n.lo), twice(n.hi)} : n;
}

/* Returns the input's shape without the axis of complex numbers. */
static ir_shape signal_shape(const ir_node *node, const ir_shape *data) {
  ir_shape shape = *data;
  shape.rank -= kind_of(node)->complex_in;
  return shape;
}

static bool check_sizes(const ir_node *node, const ir_value *const *in, ir_scope *scope) {
  ir_dim count = ir_axes_count(in[1]), last = ir_dim_of(2);
  bool fine = ir_dim_agrees(node, in, 2, 0, "the number of axes", &count, scope);
  if (kind_of(node)->complex_in && ir_input_told(node, in, 0))
    fine = ir_dim_agrees(node, in, 0, in[0]->shape.rank - 1, "the size of a complex number", &last, scope) && fine;
  if (node->n_inputs > 2 && ir_has_ranges(in[2]))
    for (int64_t i = 0, n = ir_ranges_count(in[2]); i < n && fine; i++)
      if (ir_range_at(in[2], i).hi < -1) {
        ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
                  "'signal_size' holds %lld; a size is at least 0, and -1 stands for that of the input",
                  (long long)ir_range_at(in[2], i).hi);
        fine = false;
      }
  return fine;
}

/* Sets the output dims if the axes are unknown: any size can change. Without signal_size, DFT and IDFT change no
 * size. */
static void open_all(const ir_node *node, ir_shape *shape) {
  for (int i = 0; i < shape->rank && (node->n_inputs > 2 || !is_complex(node)); i++)
    shape->dims[i] = ir_dim_any();
}

static void transform(const ir_node *node, const ir_value *const *in, const ir_axes *axes, ir_shape *shape) {
  for (int i = 0; i < axes->n; i++) {
    const bool told = node->n_inputs > 2 && ir_ranges_count(in[2]) == axes->n;
    const ir_dim part = told ? ir_range_at(in[2], i) : ir_range_any();
    ir_dim *dim = &shape->dims[axes->items[i]];
    *dim = output_dim(kind_of(node), *dim, node->n_inputs > 2 ? &part : NULL, i == axes->n - 1);
  }
}

/* Returns false, after a report, if RDFT or IRDFT has no axes. */
static bool has_axes(const ir_node *node, const ir_axes *axes, ir_scope *scope) {
  if (axes->n > 0 || is_complex(node))
    return true;
  ir_report(scope->diags, IR315_AXES_UNUSABLE, ir_input_where(scope, node, 1, -1), "'axes' is empty; %s-%d needs one",
            node->op->type, node->op->version);
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  bool fine = check_sizes(node, in, scope);
  out->type = in[0]->type;
  out->poisoned = in[0]->poisoned || in[1]->poisoned || !fine;
  if (!ir_input_told(node, in, 0))
    return IR_OK;
  ir_shape shape = signal_shape(node, &in[0]->shape);
  ir_axes axes;
  if (in[1]->poisoned || in[1]->contents == NULL) {
    fine = ir_axes_fit(node, 1, ir_axes_count(in[1]), shape.rank, scope);
    open_all(node, &shape);
  } else {
    fine = ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = shape.rank}, scope, &axes) &&
           has_axes(node, &axes, scope);
    if (fine)
      transform(node, in, &axes, &shape);
  }
  out->poisoned = out->poisoned || !fine;
  if (kind_of(node)->complex_out && fine) {
    if (!ir_rank_fits(node, shape.rank + 1, scope)) {
      out->poisoned = true;
      return IR_OK;
    }
    shape.dims[shape.rank++] = kind_of(node)->complex_in ? in[0]->shape.dims[in[0]->shape.rank - 1] : ir_dim_of(2);
  }
  if (!out->poisoned)
    out->shape = shape;
  return IR_OK;
}

/* ---- running ---- */

/* State of the step that transforms along one axis. A line has the numbers along that axis. */
typedef struct fft_axis {
  ir_fft *fft;
  int64_t n_lines;
  int64_t step;        /* distance between neighbouring numbers of a line */
  int64_t n_in, n_out; /* numbers in a line of the input, and of the output */
  bool is_real, makes_real, is_inverse;
} fft_axis;

typedef struct fft_work {
  const fft_axis *axis;
  const ir_tensor *in;
  ir_tensor *out;
  const ir_exec *exec;
} fft_work;

/* Transforms lines [begin, end). A line shorter than the transform is padded with zeros, a longer one is cut. If the
 * result is real, only the first half of a line is read, because the second half mirrors the first. */
static void transform_lines(void *user, int64_t begin, int64_t end, int worker) {
  const fft_work *work = user;
  const fft_axis *axis = work->axis;
  const int64_t n = axis->fft->n, n_read = least(axis->n_in, axis->makes_real ? n / 2 + 1 : n);
  ir_complex *line = ir_exec_scratch(work->exec, worker);
  for (int64_t i = begin; i < end; i++) {
    const int64_t outer = i / axis->step * axis->step, inner = i % axis->step;
    memset(line, 0, (size_t)n * sizeof *line);
    ir_fft_load(work->in, (ir_fft_place){outer * axis->n_in + inner, axis->step, axis->is_real}, n_read, line);
    if (axis->makes_real)
      ir_fft_mirror(line, n);
    ir_fft_run(axis->fft, axis->is_inverse, line, line + n, work->exec->stop, worker);
    ir_fft_store(line, axis->n_out, work->out,
                 (ir_fft_place){outer * axis->n_out + inner, axis->step, axis->makes_real});
  }
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const fft_axis *axis = step->state;
  if (!ir_fft_ready(axis->fft, exec->stop))
    return IR_OK;
  fft_work work = {axis, in[0], out[0], exec};
  exec->share(exec, axis->n_lines, (int64_t)(in[0]->bytes + out[0]->bytes), transform_lines, &work);
  return IR_OK;
}

static const ir_kernel kernel = {.name = "fft", .isa = "any", .run = run};

/* The steps of a node while they are being added. */
typedef struct fft_steps {
  const ir_node *node;
  ir_plan *plan;
  ir_scope *scope;
  int32_t slot;   /* slot of the next step's input */
  ir_shape shape; /* shape of the tensor in `slot` */
} fft_steps;

/* Adds the step that transforms axis `at` with length n. `ends` is true for the node's last step. */
static ir_code add_axis(fft_steps *steps, int at, int64_t n, bool is_last, bool ends) {
  const fft_kind *kind = kind_of(steps->node);
  ir_shape *shape = &steps->shape;
  fft_axis *axis = ir_arena_alloc(steps->plan->arena, sizeof *axis);
  int64_t bytes;
  if (axis == NULL || (axis->fft = ir_fft_make(n, steps->plan->arena)) == NULL ||
      !ir_mul(n + ir_fft_work(axis->fft), (int64_t)sizeof(ir_complex), &bytes))
    return ir_out_of_memory(steps->scope->diags);
  axis->is_inverse = kind->is_inverse;
  axis->is_real = is_last && !kind->complex_in;
  axis->makes_real = is_last && !kind->complex_out;
  axis->n_in = shape->dims[at].lo;
  axis->n_out = axis->is_real ? n / 2 + 1 : n;
  axis->n_lines = axis->step = 1;
  /* An intermediate tensor can be larger than input and output, so its size can exceed 64 bits. */
  for (int i = 0; i < shape->rank; i++)
    if ((i != at && !ir_mul(axis->n_lines, shape->dims[i].lo, &axis->n_lines)) ||
        (i > at && !ir_mul(axis->step, shape->dims[i].lo, &axis->step)))
      return ir_out_of_memory(steps->scope->diags);
  shape->dims[at] = ir_dim_of(axis->n_out);
  ir_shape made = *shape;
  made.dims[made.rank++] = ir_dim_of(2);
  const int32_t in = steps->slot;
  steps->slot = ends ? ir_plan_output_slot(steps->plan, 0) : ir_plan_temporary(steps->plan, IR_F64, &made);
  if (steps->slot < 0)
    return ir_out_of_memory(steps->scope->diags);
  return ir_plan_step_on(steps->plan, steps->node, &kernel, axis, (size_t)bytes, &in, 1, &steps->slot, 1);
}

/* Returns the length of the transform along listed axis `item`. On the last axis of RDFT, that is the length in
 * signal_size or else the input's size; on other axes, the output's size. */
static int64_t size_of(const ir_node *node, const ir_value *const *in, const ir_axes *axes, int item) {
  const int axis = axes->items[item];
  if (item < axes->n - 1 || kind_of(node)->complex_in)
    return node->outputs[0].shape.dims[axis].lo;
  const int64_t size = node->n_inputs > 2 ? ir_range_at(in[2], item).lo : -1;
  return size < 0 ? in[0]->shape.dims[axis].lo : size;
}

/* Adds a step for each axis. The real numbers lie along the last listed axis, so RDFT transforms that axis first and
 * IRDFT last. A signal shorter than signal_size is padded with zeros, like in the specification. For such signals,
 * OpenVINO's RDFT and IRDFT report an error or read out of bounds. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  fft_steps steps = {node, plan, scope, ir_plan_input_slot(plan, 0), signal_shape(node, &in[0]->shape)};
  ir_axes axes;
  int64_t elements;
  if (!ir_axes_read(node, 1, in[1]->contents, (ir_axes_rule){.rank = steps.shape.rank}, scope, &axes))
    return IR_INVALID;
  ir_shape_elements(&node->outputs[0].shape, &elements);
  if (elements == 0 || axes.n == 0) { /* adds a step that only copies the numbers */
    steps.shape = (ir_shape){.rank = 2, .dims = {ir_dim_of(elements / 2), ir_dim_of(1)}};
    return add_axis(&steps, 1, 1, false, true);
  }
  ir_code code = IR_OK;
  for (int i = 0; i < axes.n && code == IR_OK; i++) {
    const int item = kind_of(node)->complex_in ? i : axes.n - 1 - i;
    code = add_axis(&steps, axes.items[item], size_of(node, in, &axes, item), item == axes.n - 1, i == axes.n - 1);
  }
  return code;
}

/* Implements ir_op.cost: counts additions as if lengths were powers of two. Other lengths take three to six times as
 * many additions. */
static int64_t cost(const ir_node *node, const ir_value *const *in) {
  (void)in;
  const ir_shape *shape = &node->outputs[0].shape;
  int64_t n, sums;
  if (node->outputs[0].poisoned || !ir_shape_known(shape) || !ir_shape_elements(shape, &n))
    return -1;
  int log = 0;
  while (n >> log > 1)
    log++;
  return ir_mul(n, 3 * log, &sums) ? sums : -1;
}

/* Port types without f64, which OpenVINO refuses. */
#define FLOATS (IR_SET(IR_F32) | IR_SET(IR_F16) | IR_SET(IR_BF16))
#define LIST(port, variable, may_be_absent)                                                                            \
  {                                                                                                                    \
    .name = port, .type_var = variable, .types = IR_SET(IR_I32) | IR_SET(IR_I64), .rank_min = 1, .rank_max = 1,        \
    .contents = true, .optional = may_be_absent                                                                        \
  }
#define TENSOR(port, least)                                                                                            \
  { .name = port, .type_var = "T", .types = FLOATS, .rank_min = least, .rank_max = IR_MAX_RANK }
#define FFT(name, number, page, kind, least_in, least_out)                                                             \
  {                                                                                                                    \
    .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("signals/" page),                    \
    .inputs = IR_PORTS(TENSOR("data", least_in), LIST("axes", "T_IND", false), LIST("signal_size", "T_SIZE", true)),   \
    .outputs = IR_PORTS(TENSOR("output", least_out)), .family = &kind, .infer = infer,                                 \
    .run = {IR_RUN_PREPARED, .prepare = prepare}, .cost = cost                                                         \
  }

const ir_op ir_op_dft_7 = FFT("DFT", 7, "dft-7", complex_kind, 2, 2);
const ir_op ir_op_idft_7 = FFT("IDFT", 7, "idft-7", inverse_kind, 2, 2);
const ir_op ir_op_irdft_9 = FFT("IRDFT", 9, "irdft-9", to_real, 2, 1);
const ir_op ir_op_rdft_9 = FFT("RDFT", 9, "rdft-9", to_complex, 1, 2);
