/* Changes an input: its type, shape and layout, with the ops that turn the new data into what the model expects. The
 * order of these ops is that of OpenVINO's former model optimizer, mo, and of its PrePostProcessor: type, size, order
 * of channels, mean, scale, layout. */
#include "base/message_text.h"
#include "base/number_text.h"
#include "parser/ir_tag.h"
#include "runtime/edit/editing.h"
#include "runtime/model/names.h"
#include "runtime/model/narrow.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- layouts ---- */

/* Returns the index of an axis, or -1. */
static int axis_of(const ir_axes *axes, char letter) {
  const char *at = letter == '\0' ? NULL : strchr(axes->letters, letter);
  return at == NULL ? -1 : (int)(at - axes->letters);
}

/* The layout that models have for a rank, if nothing else says it. */
static ir_axes usual_axes(int rank) {
  static const char *const usual[] = {"", "", "NC", "CHW", "NCHW", "NCDHW"};
  ir_axes axes = {""};
  if (rank >= 0 && rank < (int)(sizeof usual / sizeof usual[0]))
    strcpy(axes.letters, usual[rank]);
  return axes;
}

/* Prints "[N,H,W,C]", as OpenVINO does. */
static void print_axes(const ir_axes *axes, char out[2 * IR_MAX_RANK + 3]) {
  size_t n = 0;
  out[n++] = '[';
  for (const char *c = axes->letters; *c != '\0'; c++) {
    if (c > axes->letters)
      out[n++] = ',';
    out[n++] = *c;
  }
  out[n++] = ']';
  out[n] = '\0';
}

/* ---- the chain of ops ---- */

/* A chain begins at the Parameter, and `end` is its last output. */
typedef struct chain {
  ir_editing *e;
  const ir_subject *subject;
  const char *name;   /* begins the names of the layers */
  ir_axes axes;       /* layout of `end` */
  ir_axes model_axes; /* layout that the model expects */
  ir_value expected;  /* type and shape that the model expects */
  ir_edit_value end;
} chain;

static ir_code append(chain *c, const char *type, const char *opset, const char *suffix, ir_raw_attr *attrs,
                      int32_t n_attrs, const ir_edit_value *inputs, int32_t n_inputs, const ir_edit_value *out) {
  ir_edit_value result = *out;
  if (!ir_add_op(c->e, type, opset, c->name, suffix, attrs, n_attrs, inputs, n_inputs, &result))
    return ir_out_of_memory(c->e->diags);
  c->end = result;
  return IR_OK;
}

static ir_raw_attr *copy_attrs(chain *c, const ir_raw_attr *attrs, size_t n) {
  ir_raw_attr *copy = ir_arena_array(&c->e->arena, n, sizeof *copy);
  if (copy != NULL)
    memcpy(copy, attrs, n * sizeof *copy);
  return copy;
}

static ir_code append_convert(chain *c) {
  ir_edit_value out = c->end;
  if (c->end.type == c->expected.type)
    return IR_OK;
  out.type = c->expected.type;
  ir_raw_attr *attrs = copy_attrs(c, &(ir_raw_attr){.name = "destination_type", .value = ir_type_name(out.type)}, 1);
  return attrs == NULL ? ir_out_of_memory(c->e->diags)
                       : append(c, "Convert", "opset1", "convert", attrs, 1, &c->end, 1, &out);
}

/* Adds an i64 constant of rank 1. */
static bool add_numbers(chain *c, const char *suffix, const int64_t *numbers, int n, ir_edit_value *out) {
  const ir_shape shape = ir_shape_of(1, (const int64_t[]){n});
  return ir_add_constant(c->e, c->name, suffix, IR_I64, &shape, numbers, (size_t)n * sizeof *numbers, out);
}

static ir_code append_resize(chain *c) {
  static const ir_raw_attr attrs[] = {{.name = "mode", .value = "linear"},
                                      {.name = "shape_calculation_mode", .value = "sizes"},
                                      {.name = "coordinate_transformation_mode", .value = "half_pixel"},
                                      {.name = "nearest_mode", .value = "round_prefer_floor"},
                                      {.name = "antialias", .value = "false"},
                                      {.name = "pads_begin", .value = "0"},
                                      {.name = "pads_end", .value = "0"},
                                      {.name = "cube_coeff", .value = "-0.75"}};
  enum { N_ATTRS = sizeof attrs / sizeof attrs[0] };
  if (c->subject->input.resize == NULL)
    return IR_OK;
  int64_t axes[2], sizes[2];
  ir_edit_value inputs[3] = {c->end}, out = c->end;
  for (int i = 0; i < 2; i++) {
    axes[i] = axis_of(&c->axes, "HW"[i]);
    const ir_dim size = c->expected.shape.dims[axis_of(&c->model_axes, "HW"[i])];
    if (!ir_dim_known(size))
      return ir_edit_fault(c->e, "the model's own size of '%c' is open, so 'resize' has no target", "HW"[i]);
    sizes[i] = size.lo;
    out.shape.dims[axes[i]] = size;
  }
  ir_raw_attr *copy = copy_attrs(c, attrs, N_ATTRS);
  if (copy == NULL || !add_numbers(c, "size", sizes, 2, &inputs[1]) ||
      !add_numbers(c, "size_axes", axes, 2, &inputs[2]))
    return ir_out_of_memory(c->e->diags);
  return append(c, "Interpolate", "opset11", "resize", copy, N_ATTRS, inputs, 3, &out);
}

/* Returns the number of channels; -1 if it is open, or no axis is C. */
static int64_t n_channels(const chain *c) {
  const int axis = axis_of(&c->axes, 'C');
  return axis < 0 || !ir_dim_known(c->end.shape.dims[axis]) ? -1 : c->end.shape.dims[axis].lo;
}

static ir_code append_reverse(chain *c) {
  int64_t order[IR_MOST_CHANNELS];
  const int64_t n = n_channels(c), axis = axis_of(&c->axes, 'C');
  const ir_shape scalar = ir_shape_of(0, NULL);
  ir_edit_value inputs[3] = {c->end}, out = c->end;
  if (!c->subject->input.reverse)
    return IR_OK;
  if (n < 0 || n > IR_MOST_CHANNELS)
    return ir_edit_fault(c->e, "'reverse' needs a known number of channels, and the input has %s",
                         axis < 0 ? "no axis C" : "an open one");
  for (int64_t i = 0; i < n; i++)
    order[i] = n - 1 - i;
  ir_raw_attr *attrs = copy_attrs(c, &(ir_raw_attr){.name = "batch_dims", .value = "0"}, 1);
  if (attrs == NULL || !add_numbers(c, "order", order, (int)n, &inputs[1]) ||
      !ir_add_constant(c->e, c->name, "order_axis", IR_I64, &scalar, &axis, sizeof axis, &inputs[2]))
    return ir_out_of_memory(c->e->diags);
  return append(c, "Gather", "opset8", "reverse", attrs, 1, inputs, 3, &out);
}

/* Writes element `i` of a float type; returns its value. */
static double store_float(ir_type type, double number, int64_t i, void *out) {
  if (type == IR_F64)
    return ((double *)out)[i] = number;
  if (type == IR_F32)
    return ((float *)out)[i] = (float)number;
  uint16_t *const half = (uint16_t *)out + i;
  *half = type == IR_F16 ? ir_f64_to_f16(number) : ir_f64_to_bf16(number);
  return type == IR_F16 ? ir_f16_to_f32(*half) : ir_bf16_to_f32(*half);
}

/* Reads the numbers "123.7,116.3,103.5" of `mean` or `scale` as elements of the chain's type. */
static ir_code read_numbers(const chain *c, const char *word, const char *text, void *out, int64_t *out_n) {
  const ir_type type = c->end.type;
  int64_t n = 0;
  if (!ir_type_in(type, IR_SET_FLOATS))
    return ir_edit_fault(c->e, "'%s' needs a model that computes with floats there; this input is %s", word,
                         ir_type_name(type));
  for (const char *at = text, *end = NULL; end == NULL || *end == ','; at = end + 1) {
    double number;
    end = at + strcspn(at, ",");
    if (n == IR_MOST_CHANNELS || !ir_text_double(at, (size_t)(end - at), &number) || !isfinite(number))
      return ir_edit_fault(c->e, "'%s=%s': expected numbers as 123.7,116.3,103.5", word, text);
    const double stored = store_float(type, number, n++, out);
    if (!isfinite(stored) || (stored == 0 && strcmp(word, "scale") == 0))
      return ir_edit_fault(c->e, "'%s=%s': %g becomes %g as %s%s", word, text, number, stored, ir_type_name(type),
                           stored == 0 ? ", and the scale divides" : "");
  }
  *out_n = n;
  return IR_OK;
}

/* Subtracts or divides by a number for each channel, or one for all. */
static ir_code append_arithmetic(chain *c, const char *type, const char *word, const char *text) {
  double elements[IR_MOST_CHANNELS]; /* room for those of any type */
  char suffix[24];
  int64_t n = 0;
  ir_edit_value inputs[2] = {c->end}, out = c->end;
  ir_shape shape = ir_shape_of(0, NULL);
  ir_code code = text == NULL ? IR_OK : read_numbers(c, word, text, elements, &n);
  if (text == NULL || code != IR_OK)
    return code;
  if (n > 1 && n != n_channels(c)) {
    char given[IR_SHAPE_TEXT];
    return ir_edit_fault(c->e, "'%s=%s' has %s, expected 1, or one for each channel: %s%s%s%s", word, text,
                         ir_count(n, "number").text, ir_type_name(c->end.type),
                         ir_shape_text(&c->end.shape, given, sizeof given), c->axes.letters[0] == '\0' ? "" : " is ",
                         c->axes.letters[0] == '\0' ? ", whose layout is not known" : c->axes.letters);
  }
  if (n > 1)
    shape = ir_shape_of_rank(c->end.shape.rank);
  for (int i = 0; i < shape.rank; i++)
    shape.dims[i] = ir_dim_of(i == axis_of(&c->axes, 'C') ? n : 1);
  const size_t bytes = (size_t)n * ir_type_size(c->end.type);
  ir_raw_attr *attrs = copy_attrs(c, &(ir_raw_attr){.name = "auto_broadcast", .value = "numpy"}, 1);
  snprintf(suffix, sizeof suffix, "%s_value", word);
  if (attrs == NULL || !ir_add_constant(c->e, c->name, suffix, c->end.type, &shape, elements, bytes, &inputs[1]))
    return ir_out_of_memory(c->e->diags);
  return append(c, type, "opset1", word, attrs, 1, inputs, 2, &out);
}

static ir_code append_transpose(chain *c) {
  int64_t order[IR_MAX_RANK];
  const int rank = c->end.shape.rank;
  ir_edit_value inputs[2] = {c->end}, out = c->end;
  if (strcmp(c->axes.letters, c->model_axes.letters) == 0)
    return IR_OK;
  for (int i = 0; i < rank; i++) {
    order[i] = axis_of(&c->axes, c->model_axes.letters[i]);
    out.shape.dims[i] = c->end.shape.dims[order[i]];
  }
  if (!add_numbers(c, "layout_order", order, rank, &inputs[1]))
    return ir_out_of_memory(c->e->diags);
  ir_code code = append(c, "Transpose", "opset1", "layout", NULL, 0, inputs, 2, &out);
  c->axes = c->model_axes;
  return code;
}

/* ---- the input itself ---- */

static bool needs_axes(const ir_input_edit *input) {
  return input->tensor.letters[0] != '\0' || input->resize != NULL || input->mean != NULL || input->scale != NULL ||
         input->reverse || input->batch != NULL;
}

/* Sets both layouts of the chain, if a word needs one. If the edit names none, both are that of the file, or the usual
 * one. */
static ir_code find_layouts(chain *c) {
  const ir_input_edit *input = &c->subject->input;
  const ir_port *port = &c->e->scope->model->nodes[c->subject->layer].layer->outputs[0];
  const int rank = c->expected.shape.rank;
  c->model_axes = input->model;
  if (input->model.letters[0] == '\0' && !needs_axes(input))
    return IR_OK;
  if (c->model_axes.letters[0] == '\0' && !ir_port_layout(c->e, port, &c->model_axes))
    return ir_edit_fault(c->e, "the layout in the file does not have a letter for each axis: say model=LAYOUT");
  if (c->model_axes.letters[0] == '\0')
    c->model_axes = usual_axes(rank);
  c->axes = input->tensor.letters[0] != '\0' ? input->tensor : c->model_axes;
  const ir_axes *const both[] = {&c->axes, &c->model_axes};
  for (int i = 0; i < 2; i++) {
    char shape[IR_SHAPE_TEXT];
    if (both[i]->letters[0] != '\0' && (int)strlen(both[i]->letters) != rank)
      return ir_edit_fault(c->e, "the layout %s has %zu axes, and the input is %s%s", both[i]->letters,
                           strlen(both[i]->letters), ir_type_name(c->expected.type),
                           ir_shape_text(&c->expected.shape, shape, sizeof shape));
  }
  for (const char *at = c->axes.letters; *at != '\0'; at++)
    if (axis_of(&c->model_axes, *at) < 0)
      return ir_edit_fault(c->e, "the layout %s cannot become %s, the layout of the model: name that with model=LAYOUT",
                           c->axes.letters,
                           c->model_axes.letters[0] == '\0' ? "an unknown one" : c->model_axes.letters);
  return IR_OK;
}

/* Sets the size of an axis that the input gets to the first `length` characters of `text`, a part of 'WORD=VALUE'. */
static ir_code set_dim(chain *c, int axis, const char *word, const char *value, const char *text, size_t length) {
  const char *shape = c->subject->input.shape;
  ir_dim size;
  if (ir_text_dim(text, length, IR_DIM_IN_SHAPE, &size) != IR_DIM_OK || size.hi < 1)
    return ir_edit_fault(c->e, "'%s=%s': expected sizes of at least 1, or ?", word, value);
  if (shape != NULL && !ir_dims_equal(size, c->end.shape.dims[axis]))
    return ir_edit_fault(c->e, "'shape=%s' and '%s=%s' give an axis two sizes", shape, word, value);
  c->end.shape.dims[axis] = size;
  return IR_OK;
}

/* Sets the height and width that the input gets. */
static ir_code set_resized(chain *c, const char *text) {
  const int h = axis_of(&c->axes, 'H'), w = axis_of(&c->axes, 'W');
  const size_t comma = strcspn(text, ",");
  if (h < 0 || w < 0)
    return ir_edit_fault(c->e, "'resize' needs the axes H and W, and the layout of the input is %s",
                         c->axes.letters[0] == '\0' ? "not known" : c->axes.letters);
  if (text[comma] == '\0')
    return ir_edit_fault(c->e, "'resize=%s': expected the height and width of the data, as 480,640 or ?,?", text);
  ir_code code = set_dim(c, h, "resize", text, text, comma);
  return code == IR_OK ? set_dim(c, w, "resize", text, text + comma + 1, strlen(text + comma + 1)) : code;
}

static ir_code set_batch(chain *c, const char *text) {
  const int n = c->axes.letters[0] == '\0' ? 0 : axis_of(&c->axes, 'N');
  if (n < 0 || c->end.shape.rank < 1)
    return ir_edit_fault(c->e, "'batch=%s': the layout %s has no axis N; if it is wrong, name the axes: model=N??",
                         text, c->axes.letters);
  return set_dim(c, n, "batch", text, text, strlen(text));
}

/* Sets `expected` to what the model expects after --edit, and `end` to what the input gets. */
static ir_code find_values(chain *c) {
  const ir_input_edit *input = &c->subject->input;
  const ir_value *value = &c->e->scope->model->nodes[c->subject->layer].outputs[0];
  ir_shape given;
  c->expected = *value;
  c->end = ir_edit_value_of(c->e, c->subject->layer, 0);
  if (input->shape != NULL && !ir_shape_from_text(&c->e->scope->model->context->memory, input->shape, &given))
    return ir_edit_fault(c->e, "'shape=%s': expected dims as 1,3,?,1..640", input->shape);
  if (input->shape != NULL && c->expected.shape.rank < 0)
    c->expected.shape = ir_shape_of_rank(given.rank);
  ir_code code = find_layouts(c);
  if (code != IR_OK)
    return code;
  c->end.shape = c->expected.shape;
  for (int i = 0; i < c->end.shape.rank && input->tensor.letters[0] != '\0'; i++)
    c->end.shape.dims[i] = c->expected.shape.dims[axis_of(&c->model_axes, c->axes.letters[i])];
  if (input->shape != NULL)
    c->end.shape = given;
  if (c->axes.letters[0] != '\0' && c->end.shape.rank != (int)strlen(c->axes.letters))
    return ir_edit_fault(c->e, "'shape=%s' has another rank than the layout %s", input->shape, c->axes.letters);
  if (input->type != IR_DYNAMIC)
    c->end.type = input->type;
  if (input->resize != NULL)
    code = set_resized(c, input->resize);
  return code == IR_OK && input->batch != NULL ? set_batch(c, input->batch) : code;
}

static ir_code change_parameter(chain *c) {
  ir_editing *e = c->e;
  const ir_layer *layer = e->scope->model->nodes[c->subject->layer].layer;
  const ir_value *before = &e->scope->model->nodes[c->subject->layer].outputs[0];
  char layout[2 * IR_MAX_RANK + 3];
  ir_code code = IR_OK;
  if (c->end.type != before->type)
    code = ir_set_attribute(e, layer, "element_type", ir_type_name(c->end.type));
  if (code == IR_OK && !ir_shapes_equal(&c->end.shape, &before->shape)) {
    const char *dims = ir_dims_attribute(&e->arena, &c->end.shape);
    code = dims == NULL ? ir_out_of_memory(e->diags) : ir_set_attribute(e, layer, "shape", dims);
  }
  if (code == IR_OK && c->subject->input.layout != NULL)
    return ir_set_layout(e, &layer->outputs[0], c->subject->input.layout);
  if (code == IR_OK && c->subject->input.tensor.letters[0] != '\0') {
    print_axes(&c->axes, layout);
    code = ir_set_layout(e, &layer->outputs[0], layout);
  }
  return code;
}

ir_code ir_edit_input(ir_editing *e, const ir_subject *subject) {
  const ir_node *node = &e->scope->model->nodes[subject->layer];
  chain c = {.e = e, .subject = subject, .name = node->layer->name};
  ir_code (*const steps[])(chain *) = {append_convert, append_resize, append_reverse};
  ir_code code = find_values(&c);
  if (code == IR_OK)
    code = change_parameter(&c);
  const ir_edit_value from = c.end;
  for (size_t i = 0; i < sizeof steps / sizeof steps[0] && code == IR_OK; i++)
    code = steps[i](&c);
  if (code == IR_OK)
    code = append_arithmetic(&c, "Subtract", "mean", subject->input.mean);
  if (code == IR_OK)
    code = append_arithmetic(&c, "Divide", "scale", subject->input.scale);
  if (code == IR_OK)
    code = append_transpose(&c);
  if (code == IR_OK && (c.end.layer != from.layer))
    code = ir_redirect_edges(e, subject->layer, 0, &c.end);
  return code;
}
