/* LSTMCell, GRUCell and RNNCell: the blob of weights has the columns of W before those of R. The gates are in the order
 * of the ops: f, i, c, o of LSTMCell, and z, r, h of GRUCell. */
#include "ops/legacy/legacy.h"

typedef struct params {
  int64_t hidden_size;
  double clip;
  ir_floats alpha, beta;
  bool linear_before_reset;
} params;

#define ROWS                                                                                                           \
  IR_LEGACY_ATTR("hidden_size", INT, ONE, params, hidden_size, .required = true, .min = 1, .max = INT32_MAX),          \
      IR_LEGACY_FLOAT("clip", params, clip, .fallback = "0"), IR_LEGACY_FLOATS("activations_alpha", params, alpha),    \
      IR_LEGACY_FLOATS("activations_beta", params, beta), {                                                            \
    .name = "activations", .kind = IR_ATTR_TEXT, .fallback = ""                                                        \
  }

static const ir_attr_spec attrs[] = {ROWS, IR_LEGACY_END};
static const ir_attr_spec gru_attrs[] = {
    ROWS, IR_LEGACY_BOOL("linear_before_reset", params, linear_before_reset, .fallback = "false"), IR_LEGACY_END};

/* The biases; zeros if the layer has none. */
static ir_wire biases_of(ir_expansion *x, int64_t n) {
  const ir_blob *blob = ir_old_blob(x, "biases");
  if (blob != NULL)
    return ir_new_blob(x, blob, 1, &n);
  return ir_new_broadcast(x, ir_new_number(x, ir_old_type(x, 0), 0), IR_NEW_INTS(x, n));
}

/* An empty attribute counts as absent. */
static void set_attributes(ir_expansion *x, ir_wire made) {
  const params *p = x->node->params;
  const ir_raw_attr *functions = ir_layer_attr(x->node->layer, "activations");
  ir_set_int(x, made, "hidden_size", p->hidden_size);
  if (functions != NULL && functions->value[0] != '\0')
    ir_set_text(x, made, "activations", functions->value);
  if (p->alpha.n > 0)
    ir_set_floats(x, made, "activations_alpha", p->alpha);
  if (p->beta.n > 0)
    ir_set_floats(x, made, "activations_beta", p->beta);
  if (p->clip > 0)
    ir_set_float(x, made, "clip", p->clip);
}

/* A cell with `gates` gates and `n_states` states, which are inputs 1.. and the outputs. */
static ir_wire expand_cell(ir_expansion *x, const char *type, int opset, int64_t gates, int n_states) {
  const params *p = x->node->params;
  const ir_blob *weights = ir_old_blob(x, "weights");
  const int64_t rows = gates * p->hidden_size, columns = ir_old_dim(x, 0, 1);
  ir_wire inputs[6];
  int n = 0;
  if (weights == NULL) {
    ir_refuse_layer(x, "it has no weights");
    return (ir_wire){.layer = -1};
  }
  const ir_wire both[] = {ir_new_blob(x, weights, 2, (const int64_t[]){rows, ir_plus(columns, p->hidden_size)}),
                          ir_new_int(x, 1), IR_NEW_INTS(x, columns, p->hidden_size)};
  const ir_wire parts = ir_new_op(x, "VariadicSplit", 1, 2, 3, both);
  while (n <= n_states) {
    inputs[n] = ir_old_input(x, n);
    n++;
  }
  inputs[n++] = parts;
  inputs[n++] = ir_port_of(parts, 1);
  inputs[n++] = biases_of(x, rows + (p->linear_before_reset ? p->hidden_size : 0));
  const ir_wire made = ir_new_op(x, type, opset, n_states, n, inputs);
  set_attributes(x, made);
  for (int s = 0; s < n_states; s++)
    ir_give_output(x, s, ir_port_of(made, s));
  return made;
}

static void expand_lstm(ir_expansion *x) {
  expand_cell(x, "LSTMCell", 4, 4, 2);
}

static void expand_gru(ir_expansion *x) {
  const params *p = x->node->params;
  const ir_wire made = expand_cell(x, "GRUCell", 3, 3, 1);
  ir_set_bool(x, made, "linear_before_reset", p->linear_before_reset);
}

static void expand_rnn(ir_expansion *x) {
  expand_cell(x, "RNNCell", 3, 1, 1);
}

#define H IR_PORTS(IR_LEGACY_PORT("X"), IR_LEGACY_PORT("H"))
IR_LEGACY_ROW(lstm_cell, "LSTMCell", sizeof(params), attrs,
              IR_PORTS(IR_LEGACY_PORT("X"), IR_LEGACY_PORT("H"), IR_LEGACY_PORT("C")),
              IR_PORTS(IR_LEGACY_PORT("Ho"), IR_LEGACY_PORT("Co")), expand_lstm);
IR_LEGACY_ROW(gru_cell, "GRUCell", sizeof(params), gru_attrs, H, IR_LEGACY_ONE_OUT, expand_gru);
IR_LEGACY_ROW(rnn_cell, "RNNCell", sizeof(params), attrs, H, IR_LEGACY_ONE_OUT, expand_rnn);
