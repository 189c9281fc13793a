#include "ops/sequence/rnn.h"
#include "ops/agree.h"
#include "ops/attr_text.h"
#include "ops/op.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *const ir_rnn_directions[] = {"forward", "reverse", "bidirectional", NULL};

static const ir_rnn_shapes *shapes_of(const ir_node *node) {
  return node->op->family;
}

/* ---- activations ---- */

/* Returns true for the activations of the specification, and for hardsigmoid, which OpenVINO also accepts. */
static bool is_activation(const char *word, size_t length) {
  static const char *const words[] = {"relu", "sigmoid", "tanh", "hardsigmoid"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == length && strncasecmp(words[i], word, length) == 0)
      return true;
  return false;
}

void ir_rnn_check_attributes(const ir_node *node, ir_scope *scope) {
  const ir_raw_attr *raw = ir_layer_attr(node->layer, "activations");
  if (raw == NULL || raw->value == NULL)
    return;
  const ir_text_value value = ir_text_value_of(scope->graph, node->layer, raw);
  const int expected = shapes_of(node)->activations;
  ir_wrong_items wrong = {.n = 0};
  if (value.n_items > 0 && value.n_items != expected)
    ir_report(scope->diags, IR208_ATTRIBUTE_WRONG_LENGTH, value.where, "'activations' has %lld functions, expected %d",
              (long long)value.n_items, expected);
  for (int64_t i = 0; i < value.n_items && value.n_items == expected; i++) {
    size_t length;
    ir_where where;
    const char *word = ir_text_item(&value, i, &length, &where);
    if (!is_activation(word, length))
      ir_wrong_items_add(&wrong, word, length, where);
  }
  if (wrong.n > 0)
    ir_report(scope->diags, IR207_ATTRIBUTE_OUT_OF_RANGE, wrong.where,
              "'activations' holds %s; expected relu, sigmoid or tanh", wrong.text);
}

/* ---- shapes ---- */

/* The interval and name of a size that has a letter in ir_rnn_shapes. */
typedef struct rnn_size {
  ir_dim dim;
  char name[32];
} rnn_size;

static const char letters[] = "BSIHDGUP";
enum { N_LETTERS = sizeof letters - 1 };

static rnn_size *size_of(rnn_size *sizes, char letter) {
  return &sizes[strchr(letters, letter) - letters];
}

static void set_multiple(rnn_size *size, int factor, const ir_node *node) {
  const ir_rnn_params *params = node->params;
  if (ir_attr_usable(node, "hidden_size"))
    size->dim = ir_dim_of(factor * params->hidden_size);
  if (factor > 1)
    snprintf(size->name, sizeof size->name, "%d * hidden_size", factor);
}

static void set_sizes(const ir_node *node, rnn_size *sizes) {
  static const char *const names[] = {"batch_size",     "seq_length",  "input_size",  "hidden_size",
                                      "num_directions", "hidden_size", "hidden_size", "hidden_size"};
  const ir_rnn_params *params = node->params;
  const int gates = shapes_of(node)->gates;
  for (int i = 0; i < N_LETTERS; i++) {
    sizes[i].dim = ir_dim_any();
    snprintf(sizes[i].name, sizeof sizes[i].name, "%s", names[i]);
  }
  set_multiple(size_of(sizes, 'H'), 1, node);
  set_multiple(size_of(sizes, 'G'), gates, node);
  if (ir_attr_usable(node, "linear_before_reset"))
    set_multiple(size_of(sizes, 'U'), gates + params->linear_before_reset, node);
  set_multiple(size_of(sizes, 'P'), 3, node);
  size_of(sizes, 'D')->dim =
      ir_attr_usable(node, "direction") ? ir_dim_of(params->direction == 2 ? 2 : 1) : (ir_dim){1, 2};
}

/* Finds a value of an attribute that the inputs agree on and that differs from `unit`, the value in the file. Sizes
 * with the letters `set_by` are multiples of the attribute. Returns 0 if fewer than two input dims have such a size, or
 * if they disagree. *out_port and *out_axis are the first such dim. */
static int64_t unit_of_inputs(const ir_node *node, const ir_value *const *in, rnn_size *sizes, const char *set_by,
                              int64_t unit, int32_t *out_port, int *out_axis) {
  int64_t common = 0, n = 0;
  for (int32_t port = 0; port < node->n_inputs; port++) {
    const char *axes = shapes_of(node)->inputs[port];
    for (int i = 0; axes[i] != '\0' && ir_input_told(node, in, port); i++) {
      const ir_dim size = size_of(sizes, axes[i])->dim, dim = in[port]->shape.dims[i];
      if (strchr(set_by, axes[i]) == NULL || !ir_dim_known(size) || !ir_dim_known(dim))
        continue;
      const int64_t factor = size.lo / unit, found = dim.lo / factor;
      if (found * factor != dim.lo || found == 0 || (n > 0 && found != common))
        return 0;
      common = found;
      *out_port = n++ == 0 ? port : *out_port;
      *out_axis = n == 1 ? i : *out_axis;
    }
  }
  return n > 1 && common != unit ? common : 0;
}

/* If all inputs agree and only the attribute differs, reports the attribute instead of each input. */
static bool check_attribute(const ir_node *node, const ir_value *const *in, rnn_size *sizes, const char *name,
                            const char *set_by, int64_t unit, ir_scope *scope) {
  int32_t port = 0;
  int axis = 0;
  const int64_t found =
      ir_attr_usable(node, name) && unit > 0 ? unit_of_inputs(node, in, sizes, set_by, unit, &port, &axis) : 0;
  if (found == 0)
    return true;
  char shape[IR_SHAPE_TEXT];
  ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_attr_where(scope, node, name),
            "%s is %lld, and all inputs are made for %lld: input %d ('%s') is %s%s", size_of(sizes, set_by[0])->name,
            (long long)unit, (long long)found, port, node->op->inputs[port].name, ir_type_name(in[port]->type),
            ir_shape_text(&in[port]->shape, shape, sizeof shape));
  for (const char *letter = set_by; *letter != '\0'; letter++)
    size_of(sizes, *letter)->dim = ir_dim_any();
  return false;
}

static bool check_attributes_by_inputs(const ir_node *node, const ir_value *const *in, rnn_size *sizes,
                                       ir_scope *scope) {
  const ir_rnn_params *params = node->params;
  const bool hidden = check_attribute(node, in, sizes, "hidden_size", "HGUP", params->hidden_size, scope);
  return check_attribute(node, in, sizes, "direction", "D", params->direction == 2 ? 2 : 1, scope) && hidden;
}

static bool check_inputs(const ir_node *node, const ir_value *const *in, rnn_size *sizes, ir_scope *scope) {
  bool fine = true;
  for (int32_t port = 0; port < node->n_inputs; port++) {
    const char *axes = shapes_of(node)->inputs[port];
    for (int i = 0; axes[i] != '\0'; i++) {
      rnn_size *size = size_of(sizes, axes[i]);
      if (ir_dim_agrees(node, in, port, i, size->name, &size->dim, scope))
        continue;
      fine = false;
      /* The size comes from inputs, not from an attribute. Report only one contradiction: the wrong input is
       * unknown. */
      if (strchr("BSI", axes[i]) != NULL)
        size->dim = ir_dim_any();
    }
  }
  return fine;
}

ir_code ir_rnn_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  rnn_size sizes[N_LETTERS];
  set_sizes(node, sizes);
  const bool attributes = check_attributes_by_inputs(node, in, sizes, scope);
  const bool fine = check_inputs(node, in, sizes, scope) && attributes;
  for (int32_t p = 0; p < node->n_outputs; p++) {
    const char *axes = shapes_of(node)->outputs[p];
    out[p].type = in[0]->type;
    out[p].poisoned = !fine || in[0]->poisoned || in[1]->poisoned;
    out[p].shape = ir_shape_of_rank((int)strlen(axes));
    for (int i = 0; axes[i] != '\0'; i++)
      out[p].shape.dims[i] = size_of(sizes, axes[i])->dim;
  }
  return IR_OK;
}
