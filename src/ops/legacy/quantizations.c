/* FakeQuantize, named Quantize before version 6, and BinaryConvolution. */
#include "ops/legacy/windows.h"

typedef struct quantize_params {
  int64_t levels;
} quantize_params;

static const ir_attr_spec quantize_attrs[] = {IR_LEGACY_INT("levels", quantize_params, levels, .required = true),
                                              IR_LEGACY_END};

/* With two levels, the middle of input_low and input_high parts them. OpenVINO's CPU plugin crashes on a FakeQuantize
 * of two levels, so others take its place. */
static void expand_quantize(ir_expansion *x) {
  const quantize_params *p = x->node->params;
  const ir_wire data = ir_old_input(x, 0), low = ir_old_input_like(x, 1), high = ir_old_input_like(x, 2);
  const ir_wire out_low = ir_old_input_like(x, 3), out_high = ir_old_input_like(x, 4);
  if (p->levels == 2) {
    const ir_wire sum = IR_NEW(x, "Add", 1, low, high);
    const ir_wire middle = IR_NEW(x, "Multiply", 1, sum, ir_new_number(x, ir_old_type(x, 0), 0.5));
    ir_give_output(x, 0, IR_NEW(x, "Select", 1, IR_NEW(x, "Greater", 1, data, middle), out_high, out_low));
    return;
  }
  const ir_wire made = IR_NEW(x, "FakeQuantize", 1, data, low, high, out_low, out_high);
  ir_set_int(x, made, "levels", p->levels);
  ir_give_output(x, 0, made);
}

/* ---- BinaryConvolution ---- */

typedef struct binary_params {
  ir_legacy_window window;
  int64_t input, output, group;
  int mode;
  double pad_value;
} binary_params;

static const char *const modes[] = {"xnor-popcount", NULL};

static const ir_attr_spec binary_attrs[] = {
    IR_LEGACY_WINDOW_ROWS(binary_params),
    IR_LEGACY_INT("input", binary_params, input, .required = true),
    IR_LEGACY_INT("output", binary_params, output, .required = true),
    IR_LEGACY_INT("group", binary_params, group, .fallback = "1"),
    IR_LEGACY_ENUM("mode", binary_params, mode, modes, .fallback = "xnor-popcount"),
    IR_LEGACY_FLOAT("pad_value", binary_params, pad_value, .fallback = "0"),
    IR_LEGACY_END};

/* 1 for elements above 0, else -1. */
static ir_wire signs(ir_expansion *x, ir_wire wire, ir_type from, ir_type type) {
  const ir_wire is_above = IR_NEW(x, "Greater", 1, wire, ir_new_number(x, from, 0));
  return IR_NEW(x, "Select", 1, is_above, ir_new_number(x, type, 1), ir_new_number(x, type, -1));
}

/* The bits of the weights as 1 and -1, the least bit of a byte first. A last byte can have bits that count no weight.
 */
static ir_wire weight_signs(ir_expansion *x, const ir_blob *weights, ir_type type, int n, const int64_t *dims) {
  ir_blob bytes = *weights;
  bytes.type = IR_U8;
  int64_t elements = 1;
  for (int i = 0; i < n; i++)
    elements = ir_times(elements, dims[i]);
  const ir_wire packed = ir_new_convert(x, ir_new_blob(x, &bytes, 2, (int64_t[]){bytes.size, 1}), IR_U8, IR_I64);
  const ir_wire shifted = IR_NEW(x, "Divide", 1, packed, IR_NEW_INTS(x, 1, 2, 4, 8, 16, 32, 64, 128));
  const ir_wire bits = ir_new_reshape(x, IR_NEW(x, "FloorMod", 1, shifted, ir_new_int(x, 2)), 1, (int64_t[]){-1});
  const ir_wire used = IR_NEW(x, "Slice", 8, bits, IR_NEW_INTS(x, 0), IR_NEW_INTS(x, elements), IR_NEW_INTS(x, 1));
  return signs(x, ir_new_reshape(x, used, n, dims), IR_I64, type);
}

/* Pads the plane with `p->pad_value`. Padding of 0 counts neither for nor against a match. */
static ir_wire padded(ir_expansion *x, ir_wire data, const binary_params *p, ir_legacy_full_window *window, int rank) {
  int64_t begin[IR_MAX_RANK] = {0}, end[IR_MAX_RANK] = {0};
  if (p->pad_value == 0 || p->window.auto_pad != IR_LEGACY_PAD_EXPLICIT)
    return data;
  for (int i = 0; i < window->n; i++) {
    begin[rank - window->n + i] = window->pads_begin[i];
    end[rank - window->n + i] = window->pads_end[i];
    window->pads_begin[i] = window->pads_end[i] = 0;
  }
  const ir_wire made = IR_NEW(x, "Pad", 1, data, ir_new_ints(x, rank, begin), ir_new_ints(x, rank, end),
                              ir_new_number(x, ir_old_type(x, 0), p->pad_value));
  ir_set_text(x, made, "pad_mode", "constant");
  return made;
}

/* BinaryConvolution-1 has no groups. The sum of products of 1 and -1 is the number of equal bits less that of unequal
 * ones. */
static void expand_binary(ir_expansion *x) {
  const binary_params *p = x->node->params;
  const ir_blob *weights = ir_old_blob(x, "weights");
  const int rank = ir_old_rank(x, 0);
  if (weights == NULL || rank < 3 || rank > 5) {
    ir_refuse_layer(x, weights == NULL ? "it has no weights" : "its input does not have 1 to 3 spatial axes");
    return;
  }
  ir_legacy_full_window window = ir_legacy_fill_window(&p->window, rank - 2);
  const int64_t groups = p->group > 1 ? p->group : 1;
  const ir_type type = ir_old_type(x, 0);
  int64_t dims[IR_MAX_RANK];
  const int n = ir_legacy_weight_dims(groups, p->output, p->input / groups, &window, dims);
  const ir_wire data = padded(x, signs(x, ir_old_input(x, 0), type, type), p, &window, rank);
  const ir_wire made =
      IR_NEW(x, groups > 1 ? "GroupConvolution" : "Convolution", 1, data, weight_signs(x, weights, type, n, dims));
  ir_legacy_set_window(x, made, &p->window, &window, true);
  ir_give_output(x, 0, made);
}

#define QUANTIZE(name, text)                                                                                           \
  IR_LEGACY_ROW(name, text, sizeof(quantize_params), quantize_attrs,                                                   \
                IR_PORTS(IR_LEGACY_PORT("data"), IR_LEGACY_PORT("input_low"), IR_LEGACY_PORT("input_high"),            \
                         IR_LEGACY_PORT("output_low"), IR_LEGACY_PORT("output_high")),                                 \
                IR_LEGACY_ONE_OUT, expand_quantize)
QUANTIZE(fake_quantize, "FakeQuantize");
QUANTIZE(quantize, "Quantize");
IR_LEGACY_ROW(binary_convolution, "BinaryConvolution", sizeof(binary_params), binary_attrs, IR_LEGACY_ONE_IN,
              IR_LEGACY_ONE_OUT, expand_binary);
