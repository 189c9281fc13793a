/* Convolution, Deconvolution and DeformableConvolution. Their weights are a blob, or in version 7 an input:
 * [O, I / group, kernel..], of a Deconvolution [I, O / group, kernel..]. The biases are a blob or an input too. */
#include "ops/legacy/windows.h"

typedef struct params {
  ir_legacy_window window;
  int64_t output, group, deformable_group;
} params;

#define ROWS                                                                                                           \
  IR_LEGACY_WINDOW_ROWS(params), IR_LEGACY_INT("output", params, output, .required = true),                            \
      IR_LEGACY_INT("group", params, group, .fallback = "1")

static const ir_attr_spec attrs[] = {ROWS, IR_LEGACY_END};
static const ir_attr_spec deformable_attrs[] = {
    ROWS, IR_LEGACY_INT("deformable_group", params, deformable_group, .fallback = "1"), IR_LEGACY_END};

/* The number of groups, if the layer has more than one. The tools of the time took 0 for 1. */
static int64_t groups_of(const params *p) {
  return p->group > 1 ? p->group : 1;
}

/* The weights as Convolution-1 or GroupConvolution-1 wants them; `second` counts the channels of one group. `port` is
 * the input that can have them. */
static ir_wire weights_of(ir_expansion *x, int32_t port, int64_t first, int64_t second,
                          const ir_legacy_full_window *window) {
  const params *p = x->node->params;
  const ir_blob *blob = ir_old_blob(x, "weights");
  const int64_t groups = groups_of(p);
  int64_t dims[IR_MAX_RANK];
  const int n = ir_legacy_weight_dims(groups, first, second, window, dims);
  if (blob != NULL)
    return ir_new_blob(x, blob, n, dims);
  if (!ir_has_old_input(x, port)) {
    ir_refuse_layer(x, "it has no weights");
    return (ir_wire){.layer = -1};
  }
  if (groups == 1)
    return ir_old_input_like(x, port);
  /* an input says its own kernel */
  for (int i = 0; i < window->n; i++)
    dims[n - window->n + i] = ir_old_dim(x, port, 2 + i);
  return ir_new_reshape(x, ir_old_input_like(x, port), n, dims);
}

/* Adds the biases, if there are any, and gives the output. */
static void give_with_biases(ir_expansion *x, ir_wire product, int32_t port, int rank) {
  const params *p = x->node->params;
  const ir_blob *blob = ir_old_blob(x, "biases");
  int64_t dims[IR_MAX_RANK] = {1, p->output};
  for (int i = 2; i < rank; i++)
    dims[i] = 1;
  if (blob != NULL)
    product = IR_NEW(x, "Add", 1, product, ir_new_blob(x, blob, rank, dims));
  else if (ir_has_old_input(x, port))
    product = IR_NEW(x, "Add", 1, product, ir_new_reshape(x, ir_old_input_like(x, port), rank, dims));
  ir_give_output(x, 0, product);
}

static bool has_axes(ir_expansion *x, int rank) {
  if (rank < 3 || rank > 5)
    ir_refuse_layer(x, "its input does not have 1 to 3 spatial axes");
  return rank >= 3 && rank <= 5;
}

static void expand_convolution(ir_expansion *x) {
  const params *p = x->node->params;
  const int rank = ir_old_rank(x, 0);
  if (!has_axes(x, rank))
    return;
  const ir_legacy_full_window window = ir_legacy_fill_window(&p->window, rank - 2);
  const ir_wire weights = weights_of(x, 1, p->output, ir_old_dim(x, 0, 1) / groups_of(p), &window);
  const ir_wire made = IR_NEW(x, groups_of(p) > 1 ? "GroupConvolution" : "Convolution", 1, ir_old_input(x, 0), weights);
  ir_legacy_set_window(x, made, &p->window, &window, true);
  give_with_biases(x, made, 2, rank);
}

/* With auto_pad "same", the output has the input's size times the stride. The op knows this only from a third input.
 */
static void expand_deconvolution(ir_expansion *x) {
  const params *p = x->node->params;
  const int rank = ir_old_rank(x, 0), n = rank - 2;
  if (!has_axes(x, rank))
    return;
  const ir_legacy_full_window window = ir_legacy_fill_window(&p->window, n);
  const bool is_same = p->window.auto_pad == IR_LEGACY_PAD_SAME_UPPER || p->window.auto_pad == IR_LEGACY_PAD_SAME_LOWER;
  ir_wire inputs[3] = {ir_old_input(x, 0), weights_of(x, 1, ir_old_dim(x, 0, 1), p->output / groups_of(p), &window)};
  int64_t sizes[IR_MAX_RANK];
  for (int i = 0; i < n; i++)
    sizes[i] = ir_times(ir_old_dim(x, 0, 2 + i), window.strides[i]);
  if (is_same)
    inputs[2] = ir_new_ints(x, n, sizes);
  const char *type = groups_of(p) > 1 ? "GroupConvolutionBackpropData" : "ConvolutionBackpropData";
  const ir_wire made = ir_new_op(x, type, 1, 1, is_same ? 3 : 2, inputs);
  ir_legacy_set_window(x, made, &p->window, &window, true);
  give_with_biases(x, made, 2, rank);
}

static void expand_deformable(ir_expansion *x) {
  const params *p = x->node->params;
  const int rank = ir_old_rank(x, 0);
  if (!has_axes(x, rank))
    return;
  const ir_legacy_full_window window = ir_legacy_fill_window(&p->window, rank - 2);
  const int64_t groups = groups_of(p), channels = ir_old_dim(x, 0, 1);
  int64_t dims[IR_MAX_RANK];
  ir_legacy_weight_dims(1, p->output, channels / groups, &window, dims);
  const ir_blob *blob = ir_old_blob(x, "weights");
  if (blob == NULL && !ir_has_old_input(x, 2)) {
    ir_refuse_layer(x, "it has no weights");
    return;
  }
  /* the op has its groups as an attribute, and its weights without an axis for them */
  const ir_wire weights = blob != NULL ? ir_new_blob(x, blob, rank, dims) : ir_old_input_like(x, 2);
  const ir_wire made = IR_NEW(x, "DeformableConvolution", 1, ir_old_input(x, 0), ir_old_input_like(x, 1), weights);
  ir_legacy_set_window(x, made, &p->window, &window, true);
  ir_set_int(x, made, "group", groups);
  ir_set_int(x, made, "deformable_group", p->deformable_group);
  give_with_biases(x, made, 3, rank);
}

#define INPUTS IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("weights"), IR_LEGACY_MORE("biases"))

IR_LEGACY_ROW(convolution, "Convolution", sizeof(params), attrs, INPUTS, IR_LEGACY_ONE_OUT, expand_convolution);
IR_LEGACY_ROW(deconvolution, "Deconvolution", sizeof(params), attrs, INPUTS, IR_LEGACY_ONE_OUT, expand_deconvolution);
IR_LEGACY_ROW(deformable_convolution, "DeformableConvolution", sizeof(params), deformable_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("offsets"), IR_LEGACY_MORE("weights"),
                       IR_LEGACY_MORE("biases")),
              IR_LEGACY_ONE_OUT, expand_deformable);
