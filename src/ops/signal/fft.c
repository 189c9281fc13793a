/* DFT-7, IDFT-7, RDFT-9, IRDFT-9: Fourier transforms over the axes that the second input lists; checked and not run.
 * Complex numbers lie in a last axis of 2. `signal_size` gives the sizes on those axes, -1 for the input's; of a real
 * signal the last listed axis has n / 2 + 1 complex numbers, and back 2 * (m - 1). Pages: operation-specs/signals. */
#include "ops/agree.h"
#include "ops/axes.h"
#include "ops/parts.h"

typedef struct fft_kind {
  bool complex_in, complex_out;
} fft_kind;

static const fft_kind complex_kind = {true, true}, to_complex = {false, true}, to_real = {true, false};

static const fft_kind *kind_of(const ir_node *node) {
  return node->op->choices;
}

/* An empty axis stays empty, as in OpenVINO. */
static int64_t half(int64_t n) {
  return n <= 0 || n == IR_DIM_MAX ? n : n / 2 + 1;
}

static int64_t twice(int64_t n) {
  int64_t out;
  return n <= 0 ? 0 : ir_mul(n - 1, 2, &out) && n != IR_DIM_MAX ? out : IR_DIM_MAX;
}

/* Which of the listed axes: the last one of a real signal has another size in the input than in the output. */
static ir_dim output_dim(const fft_kind *kind, ir_dim dim, const ir_dim *size, bool is_last) {
  const bool whole = size == NULL || ir_dims_equal(*size, ir_dim_of(-1));
  if (!whole && size->lo < 0)
    return ir_dim_any();
  const ir_dim n = whole ? dim : *size;
  if (is_last && !kind->complex_in)
    return (ir_dim){half(n.lo), half(n.hi)};
  return is_last && !kind->complex_out && whole ? (ir_dim){twice(n.lo), twice(n.hi)} : n;
}

/* The input's sizes without the last axis of complex numbers. */
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
  if (node->n_inputs > 2 && ir_has_parts(in[2]))
    for (int64_t i = 0, n = ir_parts_count(in[2]); i < n && fine; i++)
      if (ir_part_at(in[2], i).hi < -1) {
        ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, 2, -1),
                  "'signal_size' holds %lld; a size is at least 0, and -1 stands for that of the input",
                  (long long)ir_part_at(in[2], i).hi);
        fine = false;
      }
  return fine;
}

/* Axes that only a run knows: any of them may change, but those of a whole complex signal. */
static void open_all(const ir_node *node, ir_shape *shape) {
  for (int i = 0; i < shape->rank && (node->n_inputs > 2 || kind_of(node) != &complex_kind); i++)
    shape->dims[i] = ir_dim_any();
}

static void transform(const ir_node *node, const ir_value *const *in, const ir_axes *axes, ir_shape *shape) {
  for (int i = 0; i < axes->n; i++) {
    const bool told = node->n_inputs > 2 && ir_parts_count(in[2]) == axes->n;
    const ir_dim part = told ? ir_part_at(in[2], i) : ir_part_any();
    ir_dim *dim = &shape->dims[axes->items[i]];
    *dim = output_dim(kind_of(node), *dim, node->n_inputs > 2 ? &part : NULL, i == axes->n - 1);
  }
}

/* False, and reported, for a real signal without axes: its last one is not there. */
static bool has_axes(const ir_node *node, const ir_axes *axes, ir_scope *scope) {
  if (axes->n > 0 || kind_of(node) == &complex_kind)
    return true;
  ir_report(scope->diags, IR315_AXES_UNUSABLE, ir_input_where(scope, node, 1, -1), "'axes' is empty; %s-%d needs one",
            node->op->type, node->op->version);
  return false;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  bool fine = check_sizes(node, in, scope);
  out->type = in[0]->type;
  out->unknown = in[0]->unknown || in[1]->unknown || !fine;
  if (!ir_input_told(node, in, 0))
    return IR_OK;
  ir_shape shape = signal_shape(node, &in[0]->shape);
  ir_axes axes;
  if (in[1]->unknown || in[1]->known == NULL) {
    fine = ir_axes_fit(node, 1, ir_axes_count(in[1]), shape.rank, scope);
    open_all(node, &shape);
  } else {
    fine = ir_axes_read(node, 1, in[1]->known, (ir_axes_rule){.rank = shape.rank}, scope, &axes) &&
           has_axes(node, &axes, scope);
    if (fine)
      transform(node, in, &axes, &shape);
  }
  out->unknown = out->unknown || !fine;
  if (kind_of(node)->complex_out && fine) {
    if (!ir_rank_fits(node, shape.rank + 1, scope)) {
      out->unknown = true;
      return IR_OK;
    }
    shape.dims[shape.rank++] = kind_of(node)->complex_in ? in[0]->shape.dims[in[0]->shape.rank - 1] : ir_dim_of(2);
  }
  if (!out->unknown)
    out->shape = shape;
  return IR_OK;
}

/* OpenVINO refuses f64. */
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
    .inputs = {TENSOR("data", least_in), LIST("axes", "T_IND", false), LIST("signal_size", "T_SIZE", true)},           \
    .outputs = {TENSOR("output", least_out)}, .choices = &kind, .infer = infer                                         \
  }

const ir_op ir_op_dft_7 = FFT("DFT", 7, "dft-7", complex_kind, 2, 2);
const ir_op ir_op_idft_7 = FFT("IDFT", 7, "idft-7", complex_kind, 2, 2);
const ir_op ir_op_irdft_9 = FFT("IRDFT", 9, "irdft-9", to_real, 2, 1);
const ir_op ir_op_rdft_9 = FFT("RDFT", 9, "rdft-9", to_complex, 1, 2);
