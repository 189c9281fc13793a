/* These functions hide the differences between oneDNN 2 and 3. In oneDNN 3, a memory descriptor (ir_dnnl_layout) is an
 * object that must be freed. For oneDNN 2, this header also allocates and frees descriptors. */
#ifndef IR_FAST_DNNL_H
#define IR_FAST_DNNL_H

#include <dnnl.h>
#include <dnnl_version.h>
#include <stdbool.h>
#include <stdlib.h>

#if DNNL_VERSION_MAJOR >= 3
typedef dnnl_memory_desc_t ir_dnnl_layout;
typedef const_dnnl_memory_desc_t ir_const_layout;
#else
typedef dnnl_memory_desc_t *ir_dnnl_layout;
typedef const dnnl_memory_desc_t *ir_const_layout;
#endif

/* Arguments of a convolution or deconvolution. A dilation is the number of input elements between two neighbouring
 * kernel elements: 0 if they are adjacent. */
typedef struct ir_dnnl_convolution {
  bool is_backprop;
  ir_dnnl_layout in, weights, bias, out; /* bias: NULL if absent */
  dnnl_dims_t strides, dilations, pads_begin, pads_end;
} ir_dnnl_convolution;

#if DNNL_VERSION_MAJOR >= 3

/* The instruction set with which oneDNN computes products of f16; 0: this oneDNN computes none. */
#define IR_ISA_F16 ((unsigned)dnnl_cpu_isa_avx512_core_fp16)

static inline dnnl_status_t ir_make_strided(ir_dnnl_layout *out, int n, const dnnl_dims_t dims,
                                            const dnnl_dims_t strides, dnnl_data_type_t type) {
  return dnnl_memory_desc_create_with_strides(out, n, dims, type, strides);
}

static inline dnnl_status_t ir_make_tagged(ir_dnnl_layout *out, int n, const dnnl_dims_t dims, dnnl_format_tag_t tag,
                                           dnnl_data_type_t type) {
  return dnnl_memory_desc_create_with_tag(out, n, dims, type, tag);
}

static inline dnnl_status_t ir_copy_layout(ir_dnnl_layout *out, ir_const_layout layout) {
  return dnnl_memory_desc_clone(out, layout);
}

static inline void ir_free_layout(ir_dnnl_layout layout) {
  if (layout != NULL)
    dnnl_memory_desc_destroy(layout);
}

static inline dnnl_status_t ir_append_function(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float alpha, float beta) {
  return dnnl_post_ops_append_eltwise(ops, kind, alpha, beta);
}

/* The zero point of the data is an argument of each run. */
static inline dnnl_status_t ir_set_zero_point(dnnl_primitive_attr_t attributes) {
  return dnnl_primitive_attr_set_zero_points_mask(attributes, DNNL_ARG_SRC, 0);
}

/* Scales multiply the sum and the bias. oneDNN 3 scales the sum only, so a post-op, the first one, does it. */
#define IR_SCALES_ARE_POST_OP 1
static inline dnnl_status_t ir_set_scales(dnnl_primitive_attr_t attributes, dnnl_post_ops_t ops, ir_const_layout layout,
                                          int64_t n, int mask, const float *scales) {
  (void)attributes, (void)n, (void)mask, (void)scales;
  return dnnl_post_ops_append_binary(ops, dnnl_binary_mul, layout);
}

static inline dnnl_status_t ir_set_data(dnnl_memory_t memory, void *data, dnnl_stream_t stream) {
  (void)stream;
  return dnnl_memory_set_data_handle(memory, data);
}

static inline dnnl_status_t ir_describe_convolution(dnnl_primitive_desc_t *out, const ir_dnnl_convolution *c,
                                                    dnnl_primitive_attr_t attributes, dnnl_engine_t engine) {
  return c->is_backprop ? dnnl_deconvolution_forward_primitive_desc_create(
                              out, engine, dnnl_forward_inference, dnnl_deconvolution_direct, c->in, c->weights,
                              c->bias, c->out, c->strides, c->dilations, c->pads_begin, c->pads_end, attributes)
                        : dnnl_convolution_forward_primitive_desc_create(
                              out, engine, dnnl_forward_inference, dnnl_convolution_direct, c->in, c->weights, c->bias,
                              c->out, c->strides, c->dilations, c->pads_begin, c->pads_end, attributes);
}

static inline dnnl_status_t ir_describe_matmul(dnnl_primitive_desc_t *out, ir_dnnl_layout a, ir_dnnl_layout b,
                                               ir_dnnl_layout bias, ir_dnnl_layout c, dnnl_primitive_attr_t attributes,
                                               dnnl_engine_t engine) {
  return dnnl_matmul_primitive_desc_create(out, engine, a, b, bias, c, attributes);
}

#else

#define IR_ISA_F16 0U

/* If `status`, the result of the call that filled `*out`, is a failure, frees `*out` and sets it to NULL. Returns
 * `status`. */
static inline dnnl_status_t ir_keep_layout(ir_dnnl_layout *out, dnnl_status_t status) {
  if (status != dnnl_success) {
    free(*out);
    *out = NULL;
  }
  return status;
}

static inline dnnl_status_t ir_make_strided(ir_dnnl_layout *out, int n, const dnnl_dims_t dims,
                                            const dnnl_dims_t strides, dnnl_data_type_t type) {
  *out = calloc(1, sizeof **out);
  return *out == NULL ? dnnl_out_of_memory
                      : ir_keep_layout(out, dnnl_memory_desc_init_by_strides(*out, n, dims, type, strides));
}

static inline dnnl_status_t ir_make_tagged(ir_dnnl_layout *out, int n, const dnnl_dims_t dims, dnnl_format_tag_t tag,
                                           dnnl_data_type_t type) {
  *out = calloc(1, sizeof **out);
  return *out == NULL ? dnnl_out_of_memory
                      : ir_keep_layout(out, dnnl_memory_desc_init_by_tag(*out, n, dims, type, tag));
}

static inline dnnl_status_t ir_copy_layout(ir_dnnl_layout *out, ir_const_layout layout) {
  *out = calloc(1, sizeof **out);
  if (*out == NULL)
    return dnnl_out_of_memory;
  **out = *layout;
  return dnnl_success;
}

static inline void ir_free_layout(ir_dnnl_layout layout) {
  free(layout);
}

static inline dnnl_status_t ir_append_function(dnnl_post_ops_t ops, dnnl_alg_kind_t kind, float alpha, float beta) {
  return dnnl_post_ops_append_eltwise(ops, 1, kind, alpha, beta);
}

static inline dnnl_status_t ir_set_zero_point(dnnl_primitive_attr_t attributes) {
  const int32_t when_run = DNNL_RUNTIME_S32_VAL;
  return dnnl_primitive_attr_set_zero_points(attributes, DNNL_ARG_SRC, 1, 0, &when_run);
}

#define IR_SCALES_ARE_POST_OP 0
/* Post-ops would compute the same, in twice the time of a small product. */
static inline dnnl_status_t ir_set_scales(dnnl_primitive_attr_t attributes, dnnl_post_ops_t ops, ir_const_layout layout,
                                          int64_t n, int mask, const float *scales) {
  (void)ops, (void)layout;
  return dnnl_primitive_attr_set_output_scales(attributes, n, n == 1 ? 0 : mask, scales);
}

static inline dnnl_status_t ir_set_data(dnnl_memory_t memory, void *data, dnnl_stream_t stream) {
  return dnnl_memory_set_data_handle_v2(memory, data, stream);
}

static inline dnnl_status_t ir_describe_convolution(dnnl_primitive_desc_t *out, const ir_dnnl_convolution *c,
                                                    dnnl_primitive_attr_t attributes, dnnl_engine_t engine) {
  dnnl_convolution_desc_t op; /* also the descriptor type of deconvolutions */
  const dnnl_status_t status =
      c->is_backprop
          ? dnnl_dilated_deconvolution_forward_desc_init(&op, dnnl_forward_inference, dnnl_deconvolution_direct, c->in,
                                                         c->weights, c->bias, c->out, c->strides, c->dilations,
                                                         c->pads_begin, c->pads_end)
          : dnnl_dilated_convolution_forward_desc_init(&op, dnnl_forward_inference, dnnl_convolution_direct, c->in,
                                                       c->weights, c->bias, c->out, c->strides, c->dilations,
                                                       c->pads_begin, c->pads_end);
  return status == dnnl_success ? dnnl_primitive_desc_create(out, &op, attributes, engine, NULL) : status;
}

static inline dnnl_status_t ir_describe_matmul(dnnl_primitive_desc_t *out, ir_dnnl_layout a, ir_dnnl_layout b,
                                               ir_dnnl_layout bias, ir_dnnl_layout c, dnnl_primitive_attr_t attributes,
                                               dnnl_engine_t engine) {
  dnnl_matmul_desc_t op;
  const dnnl_status_t status = dnnl_matmul_desc_init(&op, a, b, bias, c);
  return status == dnnl_success ? dnnl_primitive_desc_create(out, &op, attributes, engine, NULL) : status;
}

#endif

#endif
