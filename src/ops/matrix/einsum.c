/* Einsum-7 multiplies the inputs and sums over all axes whose labels are not in the output: "ab,bc->ac" is a matrix
 * product. Axes with the same label broadcast by numpy's rules. The ellipsis "..." labels any number of axes. Page:
 * operation-specs/matrix/einsum-7. */
#include "base/message_text.h"
#include "ops/kernels/contraction.h"
#include "ops/math/broadcast.h"
#include "ops/matrix/labelled_product.h"
#include "ops/op.h"
#include <stdio.h>
#include <string.h>

enum { N_LABELS = 52 }; /* A to Z, a to z */

/* The attribute `equation` without blanks. A subscript is the text of one tensor's labels, such as "ab". */
typedef struct einsum_equation {
  const char *text;
  size_t inputs_end; /* end of the inputs' subscripts */
  size_t output;     /* start of the output's subscript; 0: there is no "->", so the output is implied */
} einsum_equation;

typedef struct einsum_sizes {
  ir_dim dims[N_LABELS];
  bool has[N_LABELS], has_dots, any_rank; /* any_rank: the rank of an input with an ellipsis is unknown */
  ir_shape dots;
} einsum_sizes;

static int label_of(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? 26 + c - 'a' : -1;
}

static bool are_dots(const char *text, size_t length) {
  return length >= 3 && memcmp(text, "...", 3) == 0;
}

/* ---- the equation ---- */

static bool report_equation(const ir_node *node, const char *fault, ir_scope *scope) {
  const ir_where where = ir_attr_where(scope, node, "equation");
  ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, where, "equation is '%s': %s",
            ir_shown_text(ir_layer_attr(node->layer, "equation")->value).text, fault);
  return false;
}

/* Whether the text consists of letters and at most one ellipsis. */
static bool is_subscript(const char *text, size_t length) {
  bool had_dots = false;
  for (size_t i = 0; i < length; i++) {
    if (label_of(text[i]) >= 0)
      continue;
    if (had_dots || !are_dots(text + i, length - i))
      return false;
    had_dots = true;
    i += 2;
  }
  return true;
}

/* Reads the input subscript at `*begin`, and moves `*begin` after the next comma. False: no subscript is left. */
static bool next_subscript(const einsum_equation *equation, size_t *begin, const char **text, size_t *length) {
  if (*begin > equation->inputs_end)
    return false;
  *text = equation->text + *begin;
  const char *comma = memchr(*text, ',', equation->inputs_end - *begin);
  *length = comma != NULL ? (size_t)(comma - *text) : equation->inputs_end - *begin;
  *begin += *length + 1;
  return true;
}

static bool check_equation(const ir_node *node, const einsum_equation *equation, ir_scope *scope) {
  size_t begin = 0, length;
  const char *text;
  int32_t n = 0;
  for (; next_subscript(equation, &begin, &text, &length); n++)
    if (!is_subscript(text, length))
      return report_equation(node, "a subscript has letters, and '...' once", scope);
  if (equation->output > 0 &&
      !is_subscript(equation->text + equation->output, strlen(equation->text + equation->output)))
    return report_equation(node, "the output's subscript has letters, and '...' once", scope);
  if (n == node->n_inputs)
    return true;
  char fault[96];
  snprintf(fault, sizeof fault, "it has %d subscript%s, the layer %d input%s", n, n == 1 ? "" : "s", node->n_inputs,
           node->n_inputs == 1 ? "" : "s");
  return report_equation(node, fault, scope);
}

/* Copies the attribute without blanks to `text`, which has room for strlen(value) + 1 bytes. */
static einsum_equation equation_of(const char *value, char *text) {
  char *end = text;
  for (; *value != '\0'; value++)
    if (*value != ' ')
      *end++ = *value;
  *end = '\0';
  const char *arrow = strstr(text, "->");
  const size_t inputs_end = arrow != NULL ? (size_t)(arrow - text) : strlen(text);
  return (einsum_equation){text, inputs_end, arrow != NULL ? inputs_end + 2 : 0};
}

/* Reads the layer's equation. If the equation is wrong, reports that and returns IR_INVALID. */
static ir_code read_equation(const ir_node *node, einsum_equation *equation, ir_scope *scope) {
  const char *value = ir_layer_attr(node->layer, "equation")->value;
  char *text = ir_arena_alloc(scope->arena, strlen(value) + 1);
  if (text == NULL)
    return ir_out_of_memory(scope->diags);
  *equation = equation_of(value, text);
  return check_equation(node, equation, scope) ? IR_OK : IR_INVALID;
}

/* ---- sizes ---- */

static bool join_label(einsum_sizes *sizes, int label, ir_dim dim) {
  const ir_shape a = {.rank = 1, .dims = {sizes->dims[label]}}, b = {.rank = 1, .dims = {dim}};
  const ir_broadcast_result result = ir_broadcast_shapes((ir_broadcast){.mode = IR_BROADCAST_NUMPY}, &a, &b);
  const bool is_first = !sizes->has[label];
  sizes->has[label] = true;
  sizes->dims[label] = is_first ? dim : result.shape.dims[0];
  return is_first || result.fit == IR_BROADCAST_FITS;
}

static bool join_dots(einsum_sizes *sizes, const ir_shape *dots) {
  const ir_broadcast_result result =
      ir_broadcast_shapes((ir_broadcast){.mode = IR_BROADCAST_NUMPY}, &sizes->dots, dots);
  sizes->has_dots = true;
  sizes->dots = result.shape;
  return result.fit == IR_BROADCAST_FITS;
}

static bool report_input(const ir_node *node, const ir_value *const *in, int port, int dim, const char *fault,
                         ir_scope *scope) {
  char text[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, dim), "input %d is %s: %s", port,
            ir_shape_text(&in[port]->shape, text, sizeof text), fault);
  return false;
}

static bool has_dots(const char *text, size_t length) {
  return memchr(text, '.', length) != NULL;
}

static bool join_input(const ir_node *node, const ir_value *const *in, int port, const char *text, size_t length,
                       einsum_sizes *sizes, ir_scope *scope) {
  const ir_shape *shape = &in[port]->shape;
  const int64_t n_labels = (int64_t)length - (has_dots(text, length) ? 3 : 0);
  const bool known = shape->rank != IR_RANK_UNKNOWN;
  char fault[160], dims[2][IR_DIM_TEXT];
  if (known && (shape->rank < n_labels || (shape->rank > n_labels && !has_dots(text, length)))) {
    snprintf(fault, sizeof fault, "its subscript has %lld label%s", (long long)n_labels, n_labels == 1 ? "" : "s");
    return report_input(node, in, port, -1, fault, scope);
  }
  int at = 0;
  for (size_t i = 0; i < length; i++) {
    const int label = label_of(text[i]);
    if (label >= 0) {
      const ir_dim before = sizes->dims[label], dim = known ? shape->dims[at] : ir_dim_any();
      if (!join_label(sizes, label, dim)) {
        snprintf(fault, sizeof fault, "label '%c' is %s here, and %s before", text[i],
                 ir_dim_text(dim, dims[0], sizeof dims[0]), ir_dim_text(before, dims[1], sizeof dims[1]));
        return report_input(node, in, port, at, fault, scope);
      }
      at++;
      continue;
    }
    ir_shape dots = ir_shape_of(0, NULL);
    for (; known && dots.rank < shape->rank - n_labels; at++)
      dots.dims[dots.rank++] = shape->dims[at];
    sizes->any_rank = sizes->any_rank || !known;
    if (!join_dots(sizes, &dots))
      return report_input(node, in, port, -1, "what '...' stands for cannot be broadcast", scope);
    i += 2;
  }
  return true;
}

/* ---- the output ---- */

/* Appends a dim to `out`. Dims beyond IR_MAX_RANK are only counted in `*rank`. */
static void add_dim(ir_shape *out, ir_dim dim, int *rank) {
  if (*rank < IR_MAX_RANK)
    out->dims[*rank] = dim;
  (*rank)++;
}

static void add_dots(const einsum_sizes *sizes, ir_shape *out, int *rank) {
  for (int i = 0; i < sizes->dots.rank; i++)
    add_dim(out, sizes->dots.dims[i], rank);
}

/* Returns how often a label occurs if only one input has it. If several inputs or none have it, returns 0. */
static int times_alone(const einsum_equation *equation, int label) {
  size_t begin = 0, length;
  const char *text;
  int times = 0;
  while (next_subscript(equation, &begin, &text, &length)) {
    int here = 0;
    for (size_t i = 0; i < length; i++)
      here += label_of(text[i]) == label;
    if (here > 0 && times > 0)
      return 0;
    times = here > 0 ? here : times;
  }
  return times;
}

/* Sets the shape of the implied output: the ellipsis, then all labels that only one input has, in alphabetical order.
 * If that input repeats a label, the output repeats it, too, as in OpenVINO. The specification omits repeated
 * labels. */
static void implied_shape(const einsum_equation *equation, const einsum_sizes *sizes, ir_shape *out, int *rank) {
  add_dots(sizes, out, rank);
  for (int label = 0; label < N_LABELS; label++)
    for (int times = times_alone(equation, label); times > 0; times--)
      add_dim(out, sizes->dims[label], rank);
}

static bool given_shape(const ir_node *node, const einsum_equation *equation, const einsum_sizes *sizes, ir_shape *out,
                        int *rank, ir_scope *scope) {
  for (const char *c = equation->text + equation->output; *c != '\0'; c++) {
    const int label = label_of(*c);
    char fault[64];
    if (label >= 0 && sizes->has[label]) {
      add_dim(out, sizes->dims[label], rank);
      continue;
    }
    if (label < 0 && sizes->has_dots) {
      add_dots(sizes, out, rank);
      c += 2;
      continue;
    }
    snprintf(fault, sizeof fault, "the output's '%.*s' stands in no input", label < 0 ? 3 : 1, c);
    return report_equation(node, fault, scope);
  }
  return true;
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  out->type = in[0]->type;
  out->poisoned = node->attrs_at_fault != 0;
  for (int32_t i = 0; i < node->n_inputs; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  einsum_equation equation = {.text = ""};
  const ir_code code = out->poisoned ? IR_OK : read_equation(node, &equation, scope);
  out->poisoned = out->poisoned || code != IR_OK;
  if (out->poisoned)
    return code;
  einsum_sizes sizes = {.dots = ir_shape_of(0, NULL)};
  size_t begin = 0, length;
  const char *text;
  bool fine = true;
  for (int port = 0; next_subscript(&equation, &begin, &text, &length) && fine; port++)
    fine = join_input(node, in, port, text, length, &sizes, scope);
  ir_shape shape;
  int rank = 0;
  if (fine && equation.output > 0)
    fine = given_shape(node, &equation, &sizes, &shape, &rank, scope);
  else if (fine)
    implied_shape(&equation, &sizes, &shape, &rank);
  out->poisoned = !fine || !ir_rank_fits(node, rank, scope);
  shape.rank = rank;
  if (!out->poisoned && !sizes.any_rank)
    out->shape = shape;
  return IR_OK;
}

/* ---- running ---- */

/* Sets the labels of a tensor's axes from its subscript. The last axis of the ellipsis has the label N_LABELS, the axis
 * before N_LABELS + 1, and so on: the ellipses of all tensors are aligned at the last axis. */
static void label_axes(const char *text, size_t length, ir_labelled *labelled) {
  int n_dots = labelled->shape.rank - (int)length + 3, at = 0;
  for (size_t i = 0; i < length; i++) {
    const int label = label_of(text[i]);
    if (label >= 0) {
      labelled->labels[at++] = label;
      continue;
    }
    while (n_dots > 0)
      labelled->labels[at++] = N_LABELS + --n_dots;
    i += 2;
  }
}

/* Sets the labels of the implied output, in the order of implied_shape. */
static void label_implied(const einsum_equation *equation, ir_labelled *out) {
  int at = out->shape.rank;
  for (int label = N_LABELS - 1; label >= 0; label--)
    for (int times = times_alone(equation, label); times > 0; times--)
      out->labels[--at] = label;
  for (int dot = 0; at > 0; dot++)
    out->labels[--at] = N_LABELS + dot;
}

static int place_of(const ir_labelled *labelled, int label) {
  int at = 0;
  while (at < labelled->shape.rank && labelled->labels[at] != label)
    at++;
  return at;
}

static bool has_label(const ir_labelled *labelled, int label) {
  return place_of(labelled, label) < labelled->shape.rank;
}

/* Adds to `to` the axes of `from` whose label is in any of the `n` tensors `others`. False: `to` would have more than
 * IR_MAX_RANK axes. */
static bool add_labels(const ir_labelled *from, const ir_labelled *others, int n, ir_labelled *to) {
  for (int i = 0; i < from->shape.rank; i++) {
    const int label = from->labels[i], at = place_of(to, label);
    bool is_wanted = false;
    for (int j = 0; j < n; j++)
      is_wanted = is_wanted || has_label(&others[j], label);
    if (!is_wanted || (at < to->shape.rank && to->shape.dims[at].lo != 1))
      continue;
    if (at == IR_MAX_RANK)
      return false;
    to->shape.rank += at == to->shape.rank;
    to->labels[at] = label;
    to->shape.dims[at] = from->shape.dims[i];
  }
  return true;
}

/* Appends a step for the product of `a` and `b`, summed over labels that none of the `n` tensors in `others` has. The
 * product of f16 or bf16 tensors is f32, so it is not rounded. */
static ir_code multiply(ir_plan *plan, const ir_node *node, const ir_labelled *a, const ir_labelled *b,
                        const ir_labelled *others, int n, ir_labelled *out, ir_scope *scope) {
  *out = (ir_labelled){.type = ir_compute_type_of(a->type) == IR_COMPUTE_F32 ? IR_F32 : a->type,
                       .shape = ir_shape_of(0, NULL)};
  if (!add_labels(a, others, n, out) || !add_labels(b, others, n, out)) {
    ir_report(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_node_where(scope, node),
              "a product of two inputs has more than %d axes", IR_MAX_RANK);
    return IR_UNSUPPORTED;
  }
  out->slot = ir_plan_temporary(plan, out->type, &out->shape);
  return out->slot < 0 ? IR_NO_MEMORY : ir_contraction_step(plan, node, "einsum", a, b, out, scope);
}

static bool check_output(const ir_node *node, const ir_labelled *out, ir_scope *scope) {
  for (int i = 0; i < out->shape.rank; i++)
    if (place_of(out, out->labels[i]) != i) {
      ir_report(scope->diags, IR210_NOT_RUNNABLE_HERE, ir_attr_where(scope, node, "equation"),
                "irrun does not compute outputs in which a label stands twice");
      return false;
    }
  return true;
}

/* Sets the labels of the inputs, and of the output behind them. Their shapes are set. */
static void label_all(const einsum_equation *equation, int n_inputs, ir_labelled *labelled) {
  size_t begin = 0, length;
  const char *text;
  for (int i = 0; next_subscript(equation, &begin, &text, &length); i++)
    label_axes(text, length, &labelled[i]);
  ir_labelled *out = &labelled[n_inputs];
  if (equation->output > 0)
    label_axes(equation->text + equation->output, strlen(equation->text + equation->output), out);
  else
    label_implied(equation, out);
}

/* Multiplies input 0 by input 1, this product by input 2, and so on. `labelled` has the inputs, then the output. */
static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  const int n = node->n_inputs;
  ir_labelled *labelled = ir_arena_array(plan->arena, (size_t)n + 1, sizeof *labelled), product;
  einsum_equation equation;
  ir_code code = labelled == NULL ? ir_out_of_memory(scope->diags) : read_equation(node, &equation, scope);
  if (code != IR_OK)
    return code;
  ir_labelled *out = &labelled[n];
  for (int i = 0; i < n; i++)
    labelled[i] = ir_labelled_input(plan, in, i);
  *out = ir_labelled_output(plan, node);
  label_all(&equation, n, labelled);
  if (!check_output(node, out, scope))
    return IR_UNSUPPORTED;
  for (int i = 1; i < n - 1 && code == IR_OK; i++) {
    code = multiply(plan, node, &labelled[i - 1], &labelled[i], &labelled[i + 1], n - i, &product, scope);
    labelled[i] = product;
  }
  if (code != IR_OK || n == 1)
    return code != IR_OK ? code : ir_contraction_step(plan, node, "einsum", &labelled[0], NULL, out, scope);
  return ir_contraction_step(plan, node, "einsum", &labelled[n - 2], &labelled[n - 1], out, scope);
}

/* ---- matrix products ---- */

/* ir_op.cost: the number of multiplications; -1 if unknown. */
static int64_t cost(const ir_node *node, const ir_value *const *in) {
  const char *value = ir_layer_attr(node->layer, "equation")->value, *subscript;
  char text[256];
  int64_t sizes[IR_N_LABELS], products = 1;
  size_t begin = 0, length;
  if (node->outputs[0].poisoned || strlen(value) >= sizeof text)
    return -1;
  for (int i = 0; i < IR_N_LABELS; i++)
    sizes[i] = 1;
  const einsum_equation equation = equation_of(value, text);
  for (int i = 0; next_subscript(&equation, &begin, &subscript, &length); i++) {
    ir_labelled labelled = {.shape = in[i]->shape};
    if (!ir_shape_known(&labelled.shape))
      return -1;
    label_axes(subscript, length, &labelled);
    for (int axis = 0; axis < labelled.shape.rank; axis++)
      if (labelled.shape.dims[axis].lo != 1)
        sizes[labelled.labels[axis]] = labelled.shape.dims[axis].lo;
  }
  for (int i = 0; i < IR_N_LABELS; i++)
    if (!ir_mul(products, sizes[i], &products))
      return -1;
  return products;
}

/* Describes the product of two inputs for the fast module. */
static bool contraction(const ir_node *node, const ir_value *const *in, ir_scope *scope, ir_fast_desc *out) {
  ir_labelled labelled[3];
  einsum_equation equation;
  if (node->n_inputs != 2 || ir_compute_type_of(node->outputs[0].type) != IR_COMPUTE_F32 ||
      read_equation(node, &equation, scope) != IR_OK)
    return false;
  for (int i = 0; i < 3; i++)
    labelled[i] = (ir_labelled){.shape = i < 2 ? in[i]->shape : node->outputs[0].shape};
  label_all(&equation, 2, labelled);
  return ir_labelled_product(&labelled[0], &labelled[1], &labelled[2], out);
}

static const ir_attr_spec attrs[] = {{.name = "equation", .kind = IR_ATTR_TEXT, .required = true}, {.name = NULL}};

const ir_op ir_op_einsum_7 = {
    .dialect = IR_OPENVINO,
    .type = "Einsum",
    .version = 7,
    .spec = IR_SPEC_PAGE("matrix/einsum-7"),
    .attrs = attrs,
    .inputs = IR_PORTS({.name = "inputs",
                        .type_var = "T",
                        .types = IR_SET_NUMBERS,
                        .types_carried = IR_CARRIED_WIDENED,
                        .rank_max = IR_MAX_RANK,
                        .variadic = true}),
    .outputs = IR_PORTS(IR_PORT_OF_ANY_RANK("output", "T", IR_SET_NUMBERS)),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
    .contraction = contraction,
    .cost = cost,
    .multiplies = true,
};
