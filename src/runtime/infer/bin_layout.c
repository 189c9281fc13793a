#include "runtime/infer/bin_layout.h"
#include "base/limits.h"
#include "ops/attr_text.h"
#include "ops/bind.h"
#include "ops/const.h"
#include "ops/kernels/tally.h"
#include <inttypes.h>
#include <stdlib.h>

/* The bytes [begin, end) of a constant in the .bin. */
typedef struct place {
  int64_t begin, end;
  const irrun_model *model; /* the model, or its body, that contains the constant */
  const ir_node *node;
} place;

typedef struct places {
  place *items;
  size_t n;
} places;

static bool is_constant(const ir_node *node) {
  return ir_op_is(node->op, IR_RUN_CONSTANT);
}

/* Finds the place of a constant in the .bin. False if the constant has no elements: OpenVINO writes one byte for it,
 * which nothing reads. False too if its bytes are in memory. */
static bool find_place(const irrun_model *model, const ir_node *node, place *out) {
  const ir_const_params *params = node->params;
  int64_t elements;
  if (!is_constant(node) || node->layer->data != NULL || node->broken || params == NULL || node->attrs_at_fault != 0 ||
      !ir_shape_elements(&params->shape, &elements) || elements == 0 || params->size <= 0)
    return false;
  *out = (place){params->offset, 0, model, node};
  return ir_add(params->offset, params->size, &out->end);
}

static void add_places(const irrun_model *model, places *all) {
  for (size_t i = 0; i < model->graph.n_layers; i++)
    all->n += find_place(model, &model->nodes[i], &all->items[all->n]);
}

static bool collect(const irrun_model *model, places *out) {
  size_t most = model->graph.n_layers + 1;
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    most += model->bodies[i]->graph.n_layers;
  out->items = ir_alloc_zero(&model->context->memory, most, sizeof *out->items);
  if (out->items == NULL)
    return false;
  add_places(model, out);
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    add_places(model->bodies[i], out);
  return true;
}

/* Compares by first byte; then by size, the largest first, so that a part follows its whole; then by file order. */
static int compare(const void *a, const void *b) {
  const place *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  if (x->end != y->end)
    return x->end > y->end ? -1 : 1;
  return (x->node->layer->at.begin > y->node->layer->at.begin) - (x->node->layer->at.begin < y->node->layer->at.begin);
}

static ir_where offset_of(const place *at) {
  ir_scope scope = ir_model_scope((irrun_model *)(uintptr_t)at->model);
  return ir_attr_where(&scope, at->node, "offset");
}

/* Reports constants that overlap partly. Equal places are allowed, and so is a place within another. */
static void report_overlaps(irrun_model *model, const places *all) {
  ir_diags *diags = &model->context->diags;
  const place *last = NULL; /* the earlier place with the largest end */
  for (size_t i = 0; i < all->n; i++) {
    const place *at = &all->items[i];
    if (last != NULL && at->begin < last->end && at->end > last->end) {
      ir_report(diags, IR408_CONSTANTS_OVERLAP, offset_of(at),
                "bytes %" PRId64 " to %" PRId64 " are those of another constant as well, which has %" PRId64
                " to %" PRId64,
                at->begin, at->end - 1, last->begin, last->end - 1);
      ir_note(diags, offset_of(last), "the other is layer '%s' (id %lld)", last->node->layer->name,
              (long long)last->node->layer->id);
      ir_hint(diags, "one of the offsets or sizes is wrong: write the model anew from its original");
    }
    if (last == NULL || at->end > last->end)
      last = at;
  }
}

/* Reports that all offsets are too large by the same number n: the first constant begins at n instead of 0, and the
 * last constant ends n bytes after the end of the .bin. True if reported. */
static bool report_shift(irrun_model *model, const places *all) {
  ir_weights *weights = model->graph.weights;
  int64_t end = 0;
  for (size_t i = 0; i < all->n; i++)
    end = all->items[i].end > end ? all->items[i].end : end;
  const int64_t shift = all->n == 0 ? 0 : all->items[0].begin;
  if (shift == 0 || weights == NULL || !ir_weights_open(weights) || end - weights->size != shift ||
      all->items[all->n - 1].begin == shift)
    return false;
  ir_report(&model->context->diags, IR402_CONSTANT_OUTSIDE_BIN, offset_of(&all->items[0]),
            "every offset is %" PRId64 " too large: the first constant begins there, and the last ends %" PRId64
            " bytes behind the end of %s",
            shift, shift, weights->path);
  ir_hint(&model->context->diags, "take %" PRId64 " from each, or is the .bin without its first %" PRId64 " bytes?",
          shift, shift);
  return true;
}

ir_code ir_check_bin_layout(irrun_model *model) {
  places all = {.n = 0};
  if (model->graph.dialect != IR_OPENVINO)
    return IR_OK;
  if (!collect(model, &all))
    return ir_out_of_memory(&model->context->diags);
  qsort(all.items, all.n, sizeof *all.items, compare);
  if (report_shift(model, &all))
    model->graph.weights->is_shifted = true;
  report_overlaps(model, &all);
  ir_free(&model->context->memory, all.items);
  return IR_OK;
}

/* ---- contents ---- */

/* Reports IR409 if f16 cannot hold the constant: a number becomes infinite, or all numbers but 0 become 0. */
static void report_not_in_f16(const ir_node *node, const ir_tensor *tensor, ir_scope *scope) {
  ir_tally tally = {.finite = 0};
  const ir_where where = ir_node_where(scope, node);
  if (!ir_type_in(tensor->type, IR_SET(IR_BF16) | IR_SET(IR_F32) | IR_SET(IR_F64)))
    return;
  ir_tally_elements(tensor, 0, ir_tensor_elements(tensor), &tally, NULL);
  if (tally.f16_overflows > 0) {
    ir_report(scope->diags, IR409_CONSTANT_NOT_IN_F16, where,
              "%lld of %lld elements of the constant become infinite in f16; its numbers are %g to %g",
              (long long)tally.f16_overflows, (long long)tally.finite, tally.min, tally.max);
    ir_hint(scope->diags, "keep it in %s, or clamp it to -65504 to 65504", ir_type_name(tensor->type));
  } else if (tally.f16_vanishes > 0 && tally.f16_vanishes + tally.zeros == tally.finite) {
    ir_report(scope->diags, IR409_CONSTANT_NOT_IN_F16, where,
              "all elements of the constant become 0 in f16; its numbers are %g to %g", tally.min, tally.max);
    ir_hint(scope->diags, "keep it in %s, or take a number from 6e-08", ir_type_name(tensor->type));
  }
}

static void note_contents(irrun_model *model, bool is_check) {
  ir_scope scope = ir_model_scope(model);
  const bool all = ir_is_asked_for(scope.diags, IR407_CONSTANT_NOT_FINITE);
  const bool for_f16 = ir_is_denied(scope.diags, IR409_CONSTANT_NOT_IN_F16);
  for (size_t i = 0; i < model->graph.n_layers; i++) {
    const ir_node *node = &model->nodes[i];
    size_t bytes;
    ir_tensor tensor;
    if (!is_constant(node) || node->n_outputs == 0 || node->outputs[0].poisoned ||
        !ir_type_in(node->outputs[0].type, IR_SET_FLOATS) ||
        !ir_tensor_bytes(node->outputs[0].type, &node->outputs[0].shape, &bytes))
      continue;
    const bool for_infinity = is_check && (all || bytes <= (size_t)IR_MAX_KNOWN_BYTES);
    if ((!for_infinity && !for_f16) || node->op->run.contents(node, &node->outputs[0], &scope, &tensor) != IR_OK)
      continue;
    if (for_infinity)
      ir_note_not_finite(node, &tensor, &scope);
    if (for_f16)
      report_not_in_f16(node, &tensor, &scope);
    if (tensor.is_mapped)
      ir_release_pages(tensor.data, tensor.bytes);
    ir_tensor_release(&tensor);
  }
}

void ir_note_contents(irrun_model *model, bool is_check) {
  if (!is_check && !ir_is_denied(&model->context->diags, IR409_CONSTANT_NOT_IN_F16))
    return;
  note_contents(model, is_check);
  for (size_t i = 0; i < model->graph.n_bodies; i++)
    note_contents(model->bodies[i], is_check);
}
