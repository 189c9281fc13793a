/* Input, Const, and the ends that irrun adds (runtime/read/modernize.c). */
#include "ops/legacy/legacy.h"

/* ---- <pre-process> ---- */

enum { MOST_CHANNELS = 64 };

static const ir_channel *channel_of(const ir_graph *graph, int64_t id) {
  for (size_t i = 0; i < graph->n_channels; i++)
    if (graph->channels[i].id == id)
      return &graph->channels[i];
  return NULL;
}

/* The means of a channel for each pixel, as [1, 1, H, W]. */
static ir_wire new_image(ir_expansion *x, const ir_channel *channel) {
  const int64_t dims[4] = {1, 1, ir_old_output_dim(x, 0, 2), ir_old_output_dim(x, 0, 3)};
  const ir_blob blob = {.name = "mean",
                        .type = x->old->mean_precision,
                        .offset = channel->image_offset,
                        .size = channel->image_size,
                        .at = channel->at,
                        .offset_at = channel->at,
                        .size_at = channel->at};
  return ir_new_blob(x, &blob, 4, dims);
}

/* Why <pre-process> does not fit an input with n channels; NULL: it fits. */
static const char *misfit(const ir_expansion *x, int64_t n) {
  const ir_graph *graph = x->old;
  size_t n_images = 0, n_values = 0;
  if (ir_old_output_rank(x, 0) != 4 || n < 1 || n > MOST_CHANNELS)
    return "<pre-process> needs an input [N, C, H, W] with 1 to 64 channels";
  for (size_t i = 0; i < graph->n_channels; i++) {
    const ir_channel *channel = &graph->channels[i];
    if (channel->id < 0 || channel->id >= n)
      return "<pre-process> has a channel that the input has not";
    if (channel_of(graph, channel->id) != channel)
      return "<pre-process> has two channels of the same id";
    n_images += channel->image_size > 0;
    n_values += channel->has_mean;
  }
  if (n_images > 0 && (n_images < (size_t)n || n_values > 0))
    return "<pre-process> has an image of means for some channels, and none or a mean for others";
  return NULL;
}

/* (x - mean) / scale, channel by channel: the Model Optimizer wrote what an input is divided by. */
static ir_wire preprocess(ir_expansion *x, ir_wire wire) {
  const ir_graph *graph = x->old;
  const ir_type type = ir_old_output_type(x, 0);
  const int64_t n = ir_old_output_dim(x, 0, 1), shape[4] = {1, n, 1, 1};
  double means[MOST_CHANNELS], scales[MOST_CHANNELS];
  ir_wire images[MOST_CHANNELS];
  int64_t n_images = 0;
  bool has_scales = false;
  const char *why = misfit(x, n);
  if (why != NULL) {
    ir_report_as(x->scope->diags, IR217_OLD_PREPROCESS, IR_ERROR,
                 (ir_where){.source = graph->source, .at = ir_span_of(graph->pre_process_at)}, "%s", why);
    return wire;
  }
  for (int64_t i = 0; i < n; i++) {
    const ir_channel *channel = channel_of(graph, i);
    means[i] = channel == NULL ? 0 : channel->mean;
    scales[i] = channel == NULL ? 1 : channel->scale;
    has_scales = has_scales || scales[i] != 1;
    if (channel != NULL && channel->image_size > 0)
      images[n_images++] = new_image(x, channel);
  }
  if (n_images == n) {
    const ir_wire joined = ir_new_op(x, "Concat", 1, 1, (int)n, images);
    ir_set_int(x, joined, "axis", 1);
    wire = IR_NEW(x, "Subtract", 1, wire, ir_new_convert(x, joined, graph->mean_precision, type));
  } else {
    wire = IR_NEW(x, "Subtract", 1, wire, ir_new_reshape(x, ir_new_floats(x, type, n, means), 4, shape));
  }
  if (has_scales)
    wire = IR_NEW(x, "Divide", 1, wire, ir_new_reshape(x, ir_new_floats(x, type, n, scales), 4, shape));
  return wire;
}

/* ---- layers ---- */

static void expand_input(ir_expansion *x) {
  const ir_wire made = ir_new_op(x, "Parameter", 1, 1, 0, NULL);
  int64_t dims[IR_MAX_RANK];
  const int rank = ir_old_output_dims(x, 0, dims);
  ir_set_text(x, made, "element_type", ir_type_name(ir_old_output_type(x, 0)));
  ir_set_ints(x, made, "shape", rank, dims);
  ir_give_output(x, 0, made);
  if (x->preprocessed == x->node->layer)
    x->outputs[x->node - x->nodes][0] = preprocess(x, made);
}

static void expand_const(ir_expansion *x) {
  const ir_blob *blob = x->node->layer->blobs;
  int64_t dims[IR_MAX_RANK];
  const int rank = ir_old_output_dims(x, 0, dims);
  if (blob == NULL)
    ir_refuse_layer(x, "it has no blob");
  else
    ir_give_output(x, 0, ir_new_blob(x, blob, rank, dims));
}

static void expand_result(ir_expansion *x) {
  const ir_wire input = ir_old_input(x, 0), made = ir_new_op(x, "Result", 1, 0, 1, &input);
  if (x->failed)
    return;
  x->graph->layers[made.layer].id = x->node->layer->id;
  x->graph->layers[made.layer].name = x->node->layer->name;
}

IR_LEGACY_ROW(input, "Input", 0, NULL, NULL, IR_LEGACY_ONE_OUT, expand_input);
IR_LEGACY_ROW(const, "Const", 0, NULL, NULL, IR_LEGACY_ONE_OUT, expand_const);
IR_LEGACY_ROW(result, "Result", 0, NULL, IR_LEGACY_ONE_IN, NULL, expand_result);
