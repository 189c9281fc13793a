/* ScaleShift, Power and BatchNormalization: a factor and a summand, for the whole tensor or for each channel. */
#include "ops/legacy/legacy.h"

/* ---- ScaleShift ---- */

typedef struct scale_params {
  int64_t broadcast;
} scale_params;

static const ir_attr_spec scale_attrs[] = {IR_LEGACY_INT("broadcast", scale_params, broadcast, .fallback = "0"),
                                           IR_LEGACY_END};

/* x * weights + biases, channel by channel. The two can also be inputs. */
static void expand_scale_shift(ir_expansion *x) {
  const ir_blob *weights = ir_old_blob(x, "weights"), *biases = ir_old_blob(x, "biases");
  const int rank = ir_old_rank(x, 0);
  ir_wire made = ir_old_input(x, 0);
  if (weights != NULL)
    made = IR_NEW(x, "Multiply", 1, made, ir_new_channel_blob(x, weights, rank));
  else if (ir_has_old_input(x, 1))
    made = IR_NEW(x, "Multiply", 1, made, ir_old_input_like(x, 1));
  if (biases != NULL)
    made = IR_NEW(x, "Add", 1, made, ir_new_channel_blob(x, biases, rank));
  else if (ir_has_old_input(x, 2))
    made = IR_NEW(x, "Add", 1, made, ir_old_input_like(x, 2));
  ir_give_output(x, 0, made);
}

/* ---- Power ---- */

typedef struct power_params {
  double power, scale, shift;
} power_params;

static const ir_attr_spec power_attrs[] = {IR_LEGACY_FLOAT("power", power_params, power, .fallback = "1"),
                                           IR_LEGACY_FLOAT("scale", power_params, scale, .fallback = "1"),
                                           IR_LEGACY_FLOAT("shift", power_params, shift, .fallback = "0"),
                                           IR_LEGACY_END};

/* (shift + scale * x) ^ power. */
static void expand_power(ir_expansion *x) {
  const power_params *p = x->node->params;
  const ir_type type = ir_old_type(x, 0);
  ir_wire made = ir_old_input(x, 0);
  if (p->scale != 1)
    made = IR_NEW(x, "Multiply", 1, made, ir_new_number(x, type, p->scale));
  if (p->shift != 0)
    made = IR_NEW(x, "Add", 1, made, ir_new_number(x, type, p->shift));
  if (p->power != 1)
    made = IR_NEW(x, "Power", 1, made, ir_new_number(x, type, p->power));
  ir_give_output(x, 0, made);
}

/* ---- BatchNormalization ---- */

typedef struct norm_params {
  double epsilon;
} norm_params;

static const ir_attr_spec norm_attrs[] = {IR_LEGACY_FLOAT("epsilon", norm_params, epsilon, .required = true),
                                          IR_LEGACY_END};

/* (x - mean) / sqrt(variance + epsilon): the weights are the variances, the biases the means. */
static void expand_batch_norm(ir_expansion *x) {
  const norm_params *p = x->node->params;
  const ir_blob *weights = ir_old_blob(x, "weights"), *biases = ir_old_blob(x, "biases");
  if (weights == NULL || biases == NULL) {
    ir_refuse_layer(x, "it has no blobs 'weights' and 'biases'");
    return;
  }
  const int64_t n = ir_blob_elements(x, weights);
  const ir_type type = ir_old_type(x, 0);
  const ir_wire gamma = ir_new_broadcast(x, ir_new_number(x, type, 1), IR_NEW_INTS(x, n));
  const ir_wire beta = ir_new_broadcast(x, ir_new_number(x, type, 0), IR_NEW_INTS(x, n));
  const ir_wire made = IR_NEW(x, "BatchNormInference", 5, ir_old_input(x, 0), gamma, beta,
                              ir_new_blob(x, biases, 1, &n), ir_new_blob(x, weights, 1, &n));
  ir_set_float(x, made, "epsilon", p->epsilon);
  ir_give_output(x, 0, made);
}

IR_LEGACY_ROW(scale_shift, "ScaleShift", sizeof(scale_params), scale_attrs,
              IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_MORE("scale"), IR_LEGACY_MORE("shift")), IR_LEGACY_ONE_OUT,
              expand_scale_shift);
IR_LEGACY_ROW(power, "Power", sizeof(power_params), power_attrs, IR_LEGACY_ONE_IN, IR_LEGACY_ONE_OUT, expand_power);
IR_LEGACY_ROW(batch_normalization, "BatchNormalization", sizeof(norm_params), norm_attrs, IR_LEGACY_ONE_IN,
              IR_LEGACY_ONE_OUT, expand_batch_norm);
