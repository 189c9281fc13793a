/* SoftMax, LogSoftmax, Norm (LRN), Normalize, MVN and GRN. */
#include "ops/legacy/legacy.h"

/* ---- SoftMax ---- */

typedef struct soft_params {
  int64_t axis;
} soft_params;

static const ir_attr_spec soft_attrs[] = {IR_LEGACY_INT("axis", soft_params, axis, .fallback = "1"), IR_LEGACY_END};
static const ir_attr_spec log_soft_attrs[] = {IR_LEGACY_INT("axis", soft_params, axis, .fallback = "-1"),
                                              IR_LEGACY_END};

static void expand_soft(ir_expansion *x, const char *type, int opset) {
  const soft_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, type, opset, ir_old_input(x, 0));
  ir_set_int(x, made, "axis", p->axis);
  ir_give_output(x, 0, made);
}

static void expand_soft_max(ir_expansion *x) {
  expand_soft(x, "SoftMax", 1);
}

static void expand_log_softmax(ir_expansion *x) {
  expand_soft(x, "LogSoftmax", 5);
}

/* ---- Norm ---- */

typedef struct norm_params {
  double alpha, beta;
  int64_t k, size, size_7; /* local-size, and local_size of later files; 0: absent */
  int region;
} norm_params;

static const char *const regions[] = {"across", "same", NULL};
enum { ACROSS, SAME };

static const ir_attr_spec norm_attrs[] = {IR_LEGACY_FLOAT("alpha", norm_params, alpha, .required = true),
                                          IR_LEGACY_FLOAT("beta", norm_params, beta, .required = true),
                                          IR_LEGACY_INT("k", norm_params, k, .fallback = "1"),
                                          IR_LEGACY_INT("local-size", norm_params, size, .fallback = "0"),
                                          IR_LEGACY_INT("local_size", norm_params, size_7, .fallback = "0"),
                                          IR_LEGACY_ENUM("region", norm_params, region, regions, .required = true),
                                          IR_LEGACY_END};

/* The window lies across the channels, or in the plane of a channel. Its sum of squares counts alpha / n for a window
 * of n elements, as in LRN-1. */
static void expand_norm(ir_expansion *x) {
  const norm_params *p = x->node->params;
  const ir_wire axes = p->region == ACROSS ? IR_NEW_INTS(x, 1) : IR_NEW_INTS(x, 2, 3);
  const ir_wire made = IR_NEW(x, "LRN", 1, ir_old_input(x, 0), axes);
  ir_set_float(x, made, "alpha", p->alpha);
  ir_set_float(x, made, "beta", p->beta);
  ir_set_int(x, made, "bias", p->k);
  ir_set_int(x, made, "size", p->size_7 != 0 ? p->size_7 : p->size);
  ir_give_output(x, 0, made);
}

/* ---- Normalize ---- */

typedef struct normalize_params {
  double eps;
  bool across_spatial, channel_shared;
} normalize_params;

static const ir_attr_spec normalize_attrs[] = {
    IR_LEGACY_FLOAT("eps", normalize_params, eps, .required = true),
    IR_LEGACY_BOOL("across_spatial", normalize_params, across_spatial, .fallback = "false"),
    IR_LEGACY_BOOL("channel_shared", normalize_params, channel_shared, .fallback = "false"), IR_LEGACY_END};

/* x / (|x| + eps) * weights. NormalizeL2-1 has its eps inside the root, so that it is not used. */
static void expand_normalize(ir_expansion *x) {
  const normalize_params *p = x->node->params;
  const ir_blob *weights = ir_old_blob(x, "weights");
  const int rank = ir_old_rank(x, 0);
  int64_t axes[IR_MAX_RANK];
  const int n = p->across_spatial ? rank - 1 : 1;
  for (int i = 0; i < n; i++)
    axes[i] = 1 + i;
  if (weights == NULL || rank < 2) {
    ir_refuse_layer(x, weights == NULL ? "it has no weights" : "its input has no channels");
    return;
  }
  ir_blob blob = *weights;
  const int64_t elements = ir_blob_elements(x, weights);
  if (p->channel_shared && elements > 0)
    blob.size /= elements; /* the first weight is that of all channels */
  ir_wire length = IR_NEW(x, "ReduceL2", 4, ir_old_input(x, 0), ir_new_ints(x, n, axes));
  ir_set_bool(x, length, "keep_dims", true);
  length = IR_NEW(x, "Add", 1, length, ir_new_number(x, ir_old_type(x, 0), p->eps));
  const ir_wire made = IR_NEW(x, "Divide", 1, ir_old_input(x, 0), length);
  ir_give_output(x, 0, IR_NEW(x, "Multiply", 1, made, ir_new_channel_blob(x, &blob, rank)));
}

/* ---- MVN and GRN ---- */

typedef struct mvn_params {
  double eps;
  bool across_channels, normalize_variance;
} mvn_params;

static const ir_attr_spec mvn_attrs[] = {
    IR_LEGACY_FLOAT("eps", mvn_params, eps, .required = true),
    IR_LEGACY_BOOL("across_channels", mvn_params, across_channels, .fallback = "false"),
    IR_LEGACY_BOOL("normalize_variance", mvn_params, normalize_variance, .fallback = "true"), IR_LEGACY_END};

static void expand_mvn(ir_expansion *x) {
  const mvn_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, "MVN", 2, ir_old_input(x, 0));
  ir_set_float(x, made, "eps", p->eps);
  ir_set_bool(x, made, "across_channels", p->across_channels);
  ir_set_bool(x, made, "normalize_variance", p->normalize_variance);
  ir_give_output(x, 0, made);
}

typedef struct grn_params {
  double bias;
} grn_params;

static const ir_attr_spec grn_attrs[] = {IR_LEGACY_FLOAT("bias", grn_params, bias, .fallback = "0"), IR_LEGACY_END};

static void expand_grn(ir_expansion *x) {
  const grn_params *p = x->node->params;
  const ir_wire made = IR_NEW(x, "GRN", 1, ir_old_input(x, 0));
  ir_set_float(x, made, "bias", p->bias);
  ir_give_output(x, 0, made);
}

#define NORMALIZATION(name, text, params, schema, function)                                                            \
  IR_LEGACY_ROW(name, text, sizeof(params), schema, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, function)

NORMALIZATION(soft_max, "SoftMax", soft_params, soft_attrs, expand_soft_max);
NORMALIZATION(log_softmax, "LogSoftmax", soft_params, log_soft_attrs, expand_log_softmax);
NORMALIZATION(norm, "Norm", norm_params, norm_attrs, expand_norm);
NORMALIZATION(lrn, "LRN", norm_params, norm_attrs, expand_norm);
NORMALIZATION(normalize, "Normalize", normalize_params, normalize_attrs, expand_normalize);
NORMALIZATION(mvn, "MVN", mvn_params, mvn_attrs, expand_mvn);
NORMALIZATION(grn, "GRN", grn_params, grn_attrs, expand_grn);
