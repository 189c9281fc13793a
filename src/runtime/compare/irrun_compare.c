/* Implements irrun_tensor_compare and irrun_tensor_statistics. */
#include "irrun_debug.h"
#include "runtime/compare/compare.h"
#include "runtime/compare/compare_order.h"
#include "runtime/model/model.h"
#include "runtime/tensor/cast.h"
#include "runtime/tensor/tensor_block.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

irrun_statistics irrun_tensor_statistics(const irrun_tensor *tensor) {
  return ir_statistics(&tensor->tensor);
}

/* Reports different shapes and different types. If both differ, these are two faults. */
static ir_code check_alike(ir_diags *diags, ir_where where, const char *name, const ir_tensor *got,
                           const ir_tensor *expected) {
  char got_text[IR_SHAPE_TEXT], expected_text[IR_SHAPE_TEXT];
  ir_shape got_shape = ir_tensor_shape(got), expected_shape = ir_tensor_shape(expected);
  ir_code code = IR_OK;
  if (!ir_shapes_equal(&got_shape, &expected_shape)) {
    ir_shape_text(&got_shape, got_text, sizeof got_text);
    ir_shape_text(&expected_shape, expected_text, sizeof expected_text);
    code = ir_report(diags, IR602_EXPECTED_SHAPE_DIFFERS, where, "output '%s' is %s%s, the expected tensor %s%s", name,
                     ir_type_name(got->type), got_text, ir_type_name(expected->type), expected_text);
    ir_hint(diags, "make the expected tensor from a model of the same input shape");
    ir_note_causes(diags, IR_OTHER_SHAPE);
  }
  if (got->type != expected->type) {
    code = ir_code_worse(code, ir_report(diags, IR603_EXPECTED_TYPE_DIFFERS, where,
                                         "output '%s' has elements of type %s, the expected tensor of type %s", name,
                                         ir_type_name(got->type), ir_type_name(expected->type)));
    ir_hint(diags, "convert the expected tensor to %s, or let --cast do it", ir_type_name(got->type));
  }
  return code;
}

static ir_code check_usable(ir_diags *diags, ir_where where, const char *name, const ir_tensor *got,
                            const ir_tensor *expected, irrun_tolerance tolerance) {
  if (isnan(tolerance.atol) || isnan(tolerance.rtol))
    return ir_report(diags, IR801_COMMAND_LINE, where, "output '%s': a tolerance is NaN; expected a number from 0",
                     name);
  if (!ir_type_comparable(got->type))
    return ir_report_firm(diags, IR210_NOT_RUNNABLE_HERE, where,
                          "output '%s': elements of type %s cannot be compared here", name, ir_type_name(got->type));
  if (ir_tensor_is_outline(got) || ir_tensor_is_outline(expected))
    return ir_report(diags, IR801_COMMAND_LINE, where,
                     "output '%s': a tensor was read as another shape, so that it has no elements to compare", name);
  return IR_OK;
}

static ir_code report_not_finite(ir_diags *diags, ir_where where, const char *name, const irrun_comparison *result,
                                 int64_t n_got_not_finite, const char *at) {
  char others[64] = "";
  if (result->mismatched > n_got_not_finite)
    snprintf(others, sizeof others, " and differs in %" PRId64 " more", result->mismatched - n_got_not_finite);
  return ir_report(diags, IR604_OUTPUT_NOT_FINITE, where,
                   "output '%s' is not finite in %" PRId64 " of %" PRId64
                   " elements where the expected tensor is%s; the first at %s: got %s, expected %s",
                   name, n_got_not_finite, result->count, others, at, result->worst_got, result->worst_expected);
}

static ir_code report_differences(ir_diags *diags, ir_where where, const char *name, const irrun_comparison *result,
                                  int64_t n_got_not_finite) {
  char at[IR_SHAPE_TEXT], ulp[32] = "";
  ir_shape worst = ir_shape_of(result->rank, result->worst_index);
  ir_shape_text(&worst, at, sizeof at);
  if (n_got_not_finite > 0)
    return report_not_finite(diags, where, name, result, n_got_not_finite, at);
  if (result->ulp >= 0)
    snprintf(ulp, sizeof ulp, ", ulp %" PRId64, result->ulp);
  return ir_report(diags, IR601_OUTPUT_DIFFERS, where,
                   "output '%s' differs in %" PRId64 " of %" PRId64
                   " elements (atol %g, rtol %g%s); the worst at %s: got %s, expected %s",
                   name, result->mismatched, result->count, result->atol, result->rtol, ulp, at, result->worst_got,
                   result->worst_expected);
}

/* Notes that only the order differs. TopK and NonMaxSuppression order elements of equal keys by index; in OpenVINO
 * their order is undefined. */
static void note_order(ir_diags *diags, ir_where where, const ir_tensor *got, const ir_tensor *expected,
                       const irrun_comparison *result) {
  const ir_other_order order = ir_compare_order(got, expected, result->atol, result->rtol);
  if (order != IR_ORDER_NOT)
    ir_note(diags, where, "%s in another order: elements with equal keys may have changed places",
            order == IR_ORDER_OF_ROWS ? "these are the same rows" : "each row has the same elements");
}

irrun_status irrun_tensor_compare(irrun_context *context, const char *name, const char *file, const irrun_tensor *got,
                                  const irrun_tensor *expected, bool cast, irrun_tolerance tolerance,
                                  irrun_comparison *out) {
  return irrun_tensor_compare_each(context, name, file, got, expected, cast, tolerance, NULL, NULL, out);
}

irrun_status irrun_tensor_compare_each(irrun_context *context, const char *name, const char *file,
                                       const irrun_tensor *got, const irrun_tensor *expected, bool cast,
                                       irrun_tolerance tolerance, irrun_see_difference *see, void *user,
                                       irrun_comparison *out) {
  ir_diags *diags = &context->diags;
  irrun_comparison result = {0};
  ir_code code = ir_give_struct(diags, &result, sizeof result, out);
  if (code != IR_OK)
    return ir_status(code);
  ir_source *source;
  code = ir_name_file(diags, file, &source);
  if (code != IR_OK)
    return ir_status(code);
  ir_where where = {.source = source, .at = IR_NOWHERE};
  const ir_tensor *with = &expected->tensor;
  ir_tensor converted = {.data = NULL};
  if (cast && with->type != got->tensor.type) {
    code =
        ir_tensor_cast(diags, &context->memory, IR603_EXPECTED_TYPE_DIFFERS, with, got->tensor.type, where, &converted);
    with = &converted;
  }
  if (code == IR_OK)
    code = check_alike(diags, where, name, &got->tensor, with);
  if (code == IR_OK)
    code = check_usable(diags, where, name, &got->tensor, with, tolerance);
  if (code == IR_OK) {
    int64_t n_got_not_finite;
    ir_compare(&got->tensor, with, tolerance, see, user, &result, &n_got_not_finite);
    if (!result.match) {
      code = report_differences(diags, where, name, &result, n_got_not_finite);
      note_order(diags, where, &got->tensor, with, &result);
      ir_note_causes(diags, IR_OTHER_VALUES);
    }
  }
  ir_give_struct(diags, &result, sizeof result, out);
  ir_tensor_release(&converted);
  ir_source_free(source);
  return ir_status(code);
}

/* ---- layers ---- */

/* Prints " in output 1" if the layer has several outputs, else nothing. */
static const char *output_words(const ir_node *node, int port, char *buffer, size_t size) {
  buffer[0] = '\0';
  if (node->n_outputs > 1)
    snprintf(buffer, size, " in output %d", port);
  return buffer;
}

static ir_code report_layer(irrun_model *model, const ir_node *node, int port, const char *file, const ir_tensor *got,
                            const ir_tensor *expected, const irrun_comparison *result) {
  char output[32], first[IR_SHAPE_TEXT], second[IR_SHAPE_TEXT];
  ir_diags *diags = &model->context->diags;
  const ir_where where = ir_layer_where(&model->graph, node->layer, node->layer->at);
  const ir_shape got_shape = ir_tensor_shape(got), expected_shape = ir_tensor_shape(expected);
  output_words(node, port, output, sizeof output);
  if (!result->comparable)
    return ir_report(diags, IR608_LAYER_DIVERGES, where, "layer '%s' diverges%s: got %s%s, expected %s%s of '%s'",
                     node->layer->name, output, ir_type_name(got->type), ir_shape_text(&got_shape, first, sizeof first),
                     ir_type_name(expected->type), ir_shape_text(&expected_shape, second, sizeof second), file);
  const ir_shape worst = ir_shape_of(result->rank, result->worst_index);
  ir_code code = ir_report(diags, IR608_LAYER_DIVERGES, where,
                           "layer '%s' diverges%s in %" PRId64 " of %" PRId64
                           " elements (atol %g, rtol %g); the worst at %s: got %s, expected %s of '%s'",
                           node->layer->name, output, result->mismatched, result->count, result->atol, result->rtol,
                           ir_shape_text(&worst, first, sizeof first), result->worst_got, result->worst_expected, file);
  ir_note_causes(diags, IR_OTHER_VALUES);
  return code;
}

irrun_status irrun_model_compare_layer(irrun_model *model, int64_t layer, int port, const char *file,
                                       const irrun_tensor *got, const irrun_tensor *expected, bool cast,
                                       irrun_tolerance tolerance, irrun_see_difference *see, void *user,
                                       irrun_comparison *out) {
  irrun_context *context = model->context;
  const ir_node *node =
      layer < (int64_t)model->graph.n_layers ? &model->nodes[layer] : NULL; /* NULL: the layer is in a body */
  const ir_tensor *with = &expected->tensor;
  ir_tensor converted = {.data = NULL};
  irrun_comparison result = {0};
  ir_code code = ir_give_struct(&context->diags, &result, sizeof result, out);
  if (code != IR_OK)
    return ir_status(code);
  if (cast && with->type != got->tensor.type) {
    code = ir_tensor_cast(&context->diags, &context->memory, IR603_EXPECTED_TYPE_DIFFERS, with, got->tensor.type,
                          (ir_where){.at = IR_NOWHERE}, &converted);
    with = &converted;
  }
  const ir_shape got_shape = ir_tensor_shape(&got->tensor), expected_shape = ir_tensor_shape(with);
  if (code == IR_OK && with->type == got->tensor.type && ir_shapes_equal(&got_shape, &expected_shape)) {
    int64_t n_got_not_finite;
    code = check_usable(&context->diags, (ir_where){.at = IR_NOWHERE}, node != NULL ? node->layer->name : "",
                        &got->tensor, with, tolerance);
    if (code == IR_OK)
      ir_compare(&got->tensor, with, tolerance, see, user, &result, &n_got_not_finite);
  }
  if (code == IR_OK && !result.match)
    code =
        file == NULL || node == NULL ? IR_DIFFERS : report_layer(model, node, port, file, &got->tensor, with, &result);
  ir_give_struct(&context->diags, &result, sizeof result, out);
  ir_tensor_release(&converted);
  return ir_status(code);
}

/* Returns the indices and the value of the first NaN. If `nan_alone` is false, infinities count too. The tensor must
 * have such an element. */
static ir_shape first_not_finite(const ir_tensor *tensor, bool nan_alone, double *out_value) {
  double values[IR_BLOCK];
  int64_t at = 0, index[IR_MAX_RANK];
  do {
    if (at % IR_BLOCK == 0)
      ir_block_values(tensor, at, ir_block_size(ir_tensor_elements(tensor), at), values);
    *out_value = values[at++ % IR_BLOCK];
  } while (nan_alone ? !isnan(*out_value) : isfinite(*out_value));
  at--;
  for (int axis = tensor->rank - 1; axis >= 0; axis--) {
    index[axis] = at % tensor->dims[axis];
    at /= tensor->dims[axis];
  }
  return ir_shape_of(tensor->rank, index);
}

irrun_status irrun_model_check_finite(irrun_model *model, int64_t layer, int port, const irrun_tensor *tensor,
                                      bool nan_alone) {
  const irrun_statistics counts = ir_statistics(&tensor->tensor);
  const int64_t n = counts.nans + (nan_alone ? 0 : counts.infinities);
  const ir_node *node = &model->nodes[layer];
  char output[32], at[IR_SHAPE_TEXT];
  double value;
  if (n == 0)
    return IRRUN_OK;
  const ir_shape first = first_not_finite(&tensor->tensor, nan_alone, &value);
  return (irrun_status)ir_report(
      &model->context->diags, IR609_LAYER_NOT_FINITE, ir_layer_where(&model->graph, node->layer, node->layer->at),
      "layer '%s' is %s%s in %" PRId64 " of %" PRId64 " elements; the first at %s: %s", node->layer->name,
      nan_alone ? "nan" : "not finite", output_words(node, port, output, sizeof output), n,
      ir_tensor_elements(&tensor->tensor), ir_shape_text(&first, at, sizeof at),
      isnan(value) ? "nan"
      : value > 0  ? "inf"
                   : "-inf");
}
