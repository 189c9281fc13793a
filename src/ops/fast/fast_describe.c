#include "ops/fast/fast_primitive.h"
#include <string.h>

enum { MOST_DIMS = IR_FAST_AXES + 3 };

bool ir_fast_is_done(ir_fast_making *m, dnnl_status_t status) {
  m->status = status;
  return status == dnnl_success;
}

/* Computes dense strides. order[] lists the axes from the outermost in memory to the innermost. */
static void lay(int n, const dnnl_dims_t dims, const int *order, dnnl_dims_t strides) {
  dnnl_dim_t step = 1;
  for (int i = n - 1; i >= 0; i--) {
    strides[order[i]] = step;
    step *= dims[order[i]];
  }
}

static dnnl_data_type_t to_dnnl(ir_fast_type type) {
  static const dnnl_data_type_t types[] = {[IR_FAST_F32] = dnnl_f32,
                                           [IR_FAST_BF16] = dnnl_bf16,
                                           [IR_FAST_F16] = dnnl_f16,
                                           [IR_FAST_U8] = dnnl_u8,
                                           [IR_FAST_I8] = dnnl_s8};
  return types[type];
}

/* Describes a tensor [batch, channels, axes..]. `last`: the layout is channels-last. */
static dnnl_status_t describe_data(ir_dnnl_layout *out, const ir_fast_desc *desc, int64_t channels, const int64_t *axes,
                                   bool last, dnnl_data_type_t type) {
  const int n = desc->n_axes + 2;
  dnnl_dims_t dims = {desc->batch, channels}, strides = {0};
  int order[MOST_DIMS] = {0};
  for (int i = 0; i < desc->n_axes; i++)
    dims[2 + i] = axes[i];
  for (int i = 1; i < n; i++)
    order[i] = !last ? i : i < n - 1 ? i + 1 : 1;
  lay(n, dims, order, strides);
  return ir_make_strided(out, n, dims, strides, type);
}

/* Describes the kernel twice: p->plain_weights has the layout of ir_fast_desc; m->weights leaves the layout to oneDNN.
 * oneDNN's order of axes is channels_out, channels_in; a groups axis exists only if groups > 1. */
static bool describe_kernel(ir_fast_making *m) {
  const ir_fast_desc *desc = &m->p->desc;
  const dnnl_data_type_t type = to_dnnl(desc->weights_type);
  dnnl_dims_t dims = {0}, strides = {0};
  int order[MOST_DIMS] = {0}, n = 0;
  if (desc->groups > 1)
    dims[n++] = desc->groups;
  const int first = n;
  dims[n++] = desc->channels_out;
  dims[n++] = desc->channels_in;
  for (int i = 0; i < desc->n_axes; i++)
    dims[n++] = desc->kernel[i];
  for (int i = 0; i < n; i++)
    order[i] = i;
  if (desc->kind == IR_FAST_BACKPROP) {
    order[first] = first + 1;
    order[first + 1] = first;
  }
  lay(n, dims, order, strides);
  return ir_fast_is_done(m, ir_make_strided(&m->p->plain_weights, n, dims, strides, type)) &&
         ir_fast_is_done(m, ir_make_tagged(&m->weights, n, dims, dnnl_format_tag_any, type));
}

static dnnl_status_t append_post_op(const ir_fast_making *m, const ir_post_op *post_op) {
  static const dnnl_alg_kind_t kinds[] = {[IR_POST_RELU] = dnnl_eltwise_relu,
                                          [IR_POST_CLAMP] = dnnl_eltwise_clip_v2,
                                          [IR_POST_SIGMOID] = dnnl_eltwise_logistic,
                                          [IR_POST_TANH] = dnnl_eltwise_tanh,
                                          [IR_POST_SWISH] = dnnl_eltwise_swish,
                                          [IR_POST_HSWISH] = dnnl_eltwise_hardswish,
                                          [IR_POST_ELU] = dnnl_eltwise_elu,
                                          [IR_POST_GELU_ERF] = dnnl_eltwise_gelu_erf,
                                          [IR_POST_GELU_TANH] = dnnl_eltwise_gelu_tanh,
                                          [IR_POST_LINEAR] = dnnl_eltwise_linear};
  _Static_assert(sizeof kinds / sizeof kinds[0] == IR_POST_COUNT, "the last function has its like in oneDNN");
  dnnl_post_ops_t ops = m->post_ops;
  if (post_op->kind == IR_POST_ADD)
    return dnnl_post_ops_append_binary(ops, dnnl_binary_add, m->added);
  /* oneDNN 3 computes x * clamp(alpha * x + beta, 0, 1). oneDNN 2 ignores alpha and beta, and uses these values. */
  if (post_op->kind == IR_POST_HSWISH)
    return ir_append_function(ops, dnnl_eltwise_hardswish, 1.F / 6, 0.5F);
  return ir_append_function(ops, kinds[post_op->kind], post_op->a, post_op->b);
}

static bool make_attributes(ir_fast_making *m) {
  const ir_fast_desc *desc = &m->p->desc;
  bool made =
      ir_fast_is_done(m, dnnl_primitive_attr_create(&m->attributes)) &&
      ir_fast_is_done(m, dnnl_primitive_attr_set_scratchpad_mode(m->attributes, dnnl_scratchpad_mode_user)) &&
      (desc->in_zero_point == 0 || ir_fast_is_done(m, ir_set_zero_point(m->attributes))) &&
      ir_fast_is_done(m, dnnl_post_ops_create(&m->post_ops)) &&
      (desc->scales == NULL || ir_fast_is_done(m, ir_set_scales(m->attributes, m->post_ops, m->scales, desc->n_scales,
                                                                m->channels_mask, desc->scales)));
  for (int i = 0; i < desc->n_post_ops && made; i++)
    made = ir_fast_is_done(m, append_post_op(m, &desc->post_ops[i]));
  return made && ir_fast_is_done(m, dnnl_primitive_attr_set_post_ops(m->attributes, m->post_ops));
}

bool ir_fast_describe_convolution(ir_fast_making *m) {
  const ir_fast_desc *desc = &m->p->desc;
  const dnnl_dims_t channels = {desc->groups * desc->channels_out};
  ir_dnnl_convolution c = {.is_backprop = desc->kind == IR_FAST_BACKPROP};
  for (int i = 0; i < desc->n_axes; i++) {
    c.strides[i] = desc->strides[i];
    c.dilations[i] = desc->dilations[i] - 1;
    c.pads_begin[i] = desc->pads_begin[i];
    c.pads_end[i] = desc->pads_end[i];
  }
  const int64_t ones[IR_FAST_AXES] = {1, 1, 1}, n_in = desc->groups * desc->channels_in;
  ir_fast_desc one = *desc;
  one.batch = 1;
  m->channels_mask = 1 << 1;
  if (!ir_fast_is_done(m,
                       describe_data(&m->in, desc, n_in, desc->in, desc->in_channels_last, to_dnnl(desc->in_type))) ||
      !ir_fast_is_done(
          m, describe_data(&m->out, desc, channels[0], desc->out, desc->out_channels_last, to_dnnl(desc->out_type))) ||
      !ir_fast_is_done(m, describe_data(&m->added, desc, channels[0], desc->out, desc->out_channels_last,
                                        to_dnnl(desc->added_type))) ||
      !ir_fast_is_done(m, describe_data(&m->scales, &one, desc->n_scales, ones, false, dnnl_f32)) ||
      !describe_kernel(m) || !ir_fast_is_done(m, ir_make_tagged(&m->bias, 1, channels, dnnl_a, dnnl_f32)) ||
      !make_attributes(m))
    return false;
  c.in = m->in;
  c.weights = m->weights;
  c.bias = desc->has_bias ? m->bias : NULL;
  c.out = m->out;
  return ir_fast_is_done(m, ir_describe_convolution(&m->description, &c, m->attributes, m->engine));
}

/* Describes a tensor [batch, heads, rows, columns] of a matrix product by its last n axes. `any`: oneDNN chooses the
 * layout. */
static dnnl_status_t describe_matrices(ir_dnnl_layout *out, int n, const int64_t *sizes, ir_fast_matrices lie,
                                       ir_fast_type type, bool any) {
  enum { AXES = 4 };
  int order[AXES];
  dnnl_dim_t dims[AXES + DNNL_MAX_NDIMS] = {0}, strides[AXES + DNNL_MAX_NDIMS] = {0};
  memcpy(dims, sizes, AXES * sizeof *dims);
  ir_fast_order(lie, order);
  lay(AXES, dims, order, strides);
  return any ? ir_make_tagged(out, n, dims + AXES - n, dnnl_format_tag_any, to_dnnl(type))
             : ir_make_strided(out, n, dims + AXES - n, strides + AXES - n, to_dnnl(type));
}

static bool describe_product(ir_fast_making *m, ir_dnnl_layout b) {
  return ir_fast_is_done(m, ir_describe_matmul(&m->description, m->in, b, m->p->desc.has_bias ? m->bias : NULL, m->out,
                                               m->attributes, m->engine));
}

const char *ir_fast_implementation(const ir_fast_making *m) {
  const char *name = NULL;
  return dnnl_primitive_desc_query(m->description, dnnl_query_impl_info_str, 0, (void *)&name) == dnnl_success ? name
                                                                                                               : "";
}

bool ir_fast_describe_matmul(ir_fast_making *m) {
  const ir_fast_desc *desc = &m->p->desc;
  const int64_t a[] = {desc->batch, desc->heads, desc->m, desc->k}, b[] = {desc->batch, desc->heads, desc->k, desc->n};
  const int64_t c[] = {desc->batch, desc->heads, desc->m, desc->n}, channels[] = {1, 1, 1, desc->n};
  const int64_t scales[] = {1, 1, 1, desc->n_scales};
  /* oneDNN packs weights only if they have no batch axes. */
  const int n = desc->batch * desc->heads == 1 ? 2 : 4;
  const ir_fast_matrices plain = {.is_transposed = false};
  m->channels_mask = 1 << (n - 1);
  if (!ir_fast_is_done(m, describe_matrices(&m->in, n, a, desc->a, desc->in_type, false)) ||
      !ir_fast_is_done(m, describe_matrices(&m->p->plain_weights, n, b, desc->b, desc->weights_type, false)) ||
      !ir_fast_is_done(m, describe_matrices(&m->out, n, c, desc->c, desc->out_type, false)) ||
      !ir_fast_is_done(m, describe_matrices(&m->added, n, c, desc->c, desc->added_type, false)) ||
      !ir_fast_is_done(m, describe_matrices(&m->scales, n, scales, plain, IR_FAST_F32, false)) ||
      !ir_fast_is_done(m, describe_matrices(&m->bias, n, channels, plain, IR_FAST_F32, false)) || !make_attributes(m))
    return false;
  if (!desc->b_is_weights)
    return describe_product(m, m->p->plain_weights);
  if (!ir_fast_is_done(m, describe_matrices(&m->weights, n, b, plain, desc->weights_type, true)) ||
      !describe_product(m, m->weights))
    return false;
  /* The general product ("gemm:..") reads matrices as they lie, equally fast: do not copy the weights. */
  if (strncmp(ir_fast_implementation(m), "gemm", 4) != 0)
    return true;
  dnnl_primitive_desc_destroy(m->description);
  m->description = NULL;
  return describe_product(m, m->p->plain_weights);
}
