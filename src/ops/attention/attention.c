/* An item of work is a block of up to IR_LANES query rows of one matrix. It reads key and value in blocks of SOURCES
 * sources, and keeps for each row the greatest score so far, `most`, and two sums over the sources so far: `sums` of
 * w = exp(score - most), and `out` of w * value. If a block raises `most` by d, both sums are multiplied by exp(-d)
 * first. In the end, out / sums is the row's output. No scores of other blocks are kept.
 *
 * In a block of more than FEW rows, a lane is a row: query, scores and out lie transposed, as [E, lanes], [sources,
 * lanes] and [EV, lanes], so that softmax and both products are loops over lanes for any sizes. In a smaller block,
 * such as the single row of a new token, scores are [rows, sources], and lanes are features. */
#include "ops/attention/attention.h"
#include "base/stop.h"
#include "ops/kernels/compute_type.h"
#include "ops/kernels/floats.h"
#include "ops/kernels/functions.h"
#include "ops/kernels/isa.h"
#include "ops/kernels/products.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum {
  LANE_BITS = 5, /* 2^LANE_BITS == IR_LANES */
  FEW = 8,       /* rows that leave three quarters of the lanes empty */
  SOURCES = 128, /* 16 KiB of scores: half of a small L1 cache */
};

typedef struct attention_call {
  const ir_attention *attention;
  const ir_tensor *tensors[IR_ATTENTION_INPUTS]; /* NULL: the node lacks this input */
  const ir_tensor *out;
  double scale;
  int64_t blocks; /* number of blocks of each matrix */
  ir_exec *exec;
} attention_call;

/* An item of work, and a worker's arrays. */
typedef struct attention_block {
  const attention_call *call;
  /* n_rows: rows of the block
   * first: index of the block's first row in the matrix
   * row: the same row, counted through all matrices */
  int64_t n_rows, first, row;
  int64_t at[IR_ATTENTION_INPUTS]; /* offsets of the matrices in the inputs */
  float most[IR_LANES], sums[IR_LANES];
  float *query, *scores, *mask, *out, *hidden, *spare;
  float *widened[3]; /* query, key and value as f32, if they have another type */
} attention_block;

/* ---- the softmax of a block ---- */

/* Scales and masks the scores [n, IR_LANES] and replaces them by weights, and multiplies the sums so far. Weights below
 * the normal numbers become 0: they change no sum, and some processors are slow at them. */
IR_LOOP void weigh_lanes_loop(attention_block *block, const float *mask, int64_t n, float scale) {
  float *scores = block->scores, *out = block->out, *most = block->most, *sums = block->sums;
  const int64_t n_out = block->call->attention->values;
  float greatest[IR_LANES], base[IR_LANES], factors[IR_LANES], sum[IR_LANES];
  for (int l = 0; l < IR_LANES; l++)
    greatest[l] = most[l];
  for (int64_t i = 0; i < n; i++)
    for (int l = 0; l < IR_LANES; l++) {
      const float score = scores[i * IR_LANES + l] * scale + (mask != NULL ? mask[i * IR_LANES + l] : 0);
      scores[i * IR_LANES + l] = score;
      greatest[l] = score > greatest[l] ? score : greatest[l];
    }
  for (int l = 0; l < IR_LANES; l++) {
    base[l] = greatest[l] == -INFINITY ? 0 : greatest[l]; /* -inf - -inf would be NaN */
    factors[l] = ir_exp_f32(most[l] - base[l]);
    most[l] = greatest[l];
    sum[l] = 0;
  }
  for (int64_t i = 0; i < n; i++)
    for (int l = 0; l < IR_LANES; l++) {
      const float power = ir_exp_f32(scores[i * IR_LANES + l] - base[l]), weight = power < 0x1p-126f ? 0 : power;
      scores[i * IR_LANES + l] = weight;
      sum[l] += weight;
    }
  for (int l = 0; l < IR_LANES; l++)
    sums[l] = sums[l] * factors[l] + sum[l];
  for (int64_t i = 0; i < n_out; i++)
    for (int l = 0; l < IR_LANES; l++)
      out[i * IR_LANES + l] *= factors[l];
}
IR_EACH_ISA(weigh_lanes, (attention_block * block, const float *mask, int64_t n, float scale), (block, mask, n, scale))

/* Does the same for the n scores of one row, which have room for whole IR_LANES. */
IR_LOOP void weigh_row_loop(attention_block *block, int64_t row, const float *mask, int64_t n, float scale) {
  const int64_t n_padded = (n + IR_LANES - 1) / IR_LANES * IR_LANES, n_out = block->call->attention->values;
  float *scores = block->scores + row * SOURCES, *out = block->out + row * n_out;
  float greatest[IR_LANES], lanes[IR_LANES], most = block->most[row], sum = 0;
  for (int64_t i = 0; i < n; i++)
    scores[i] = scores[i] * scale + (mask != NULL ? mask[i] : 0);
  for (int64_t i = n; i < n_padded; i++)
    scores[i] = -INFINITY;
  for (int l = 0; l < IR_LANES; l++) {
    greatest[l] = most;
    lanes[l] = 0;
  }
  for (int64_t i = 0; i < n_padded; i += IR_LANES)
    for (int l = 0; l < IR_LANES; l++)
      greatest[l] = scores[i + l] > greatest[l] ? scores[i + l] : greatest[l];
  for (int l = 0; l < IR_LANES; l++)
    most = greatest[l] > most ? greatest[l] : most;
  const float base = most == -INFINITY ? 0 : most, factor = ir_exp_f32(block->most[row] - base);
  for (int64_t i = 0; i < n_padded; i += IR_LANES)
    for (int l = 0; l < IR_LANES; l++) {
      const float power = ir_exp_f32(scores[i + l] - base), weight = power < 0x1p-126f ? 0 : power;
      scores[i + l] = weight;
      lanes[l] += weight;
    }
  for (int l = 0; l < IR_LANES; l++)
    sum += lanes[l];
  block->most[row] = most;
  block->sums[row] = block->sums[row] * factor + sum;
  for (int64_t i = 0; i < n_out; i++)
    out[i] *= factor;
}
IR_EACH_ISA(weigh_row, (attention_block * block, int64_t row, const float *mask, int64_t n, float scale),
            (block, row, mask, n, scale))

/* ---- loading ---- */

/* Returns the score of a row's sink, or -inf, which adds nothing to a softmax, if there is no sink. */
static double sink_of(const attention_block *block, int64_t i) {
  const ir_tensor *sink = block->call->tensors[IR_SINK];
  return sink == NULL ? -INFINITY
                      : ir_number_at(sink, block->at[IR_SINK] + (block->first + i) * block->call->attention->sink_row);
}

/* Returns rows [from, from + n) of a matrix of an input, which have `columns` elements each, as f32. */
static const float *load_rows(const attention_block *block, int input, int64_t from, int64_t n, int64_t columns) {
  const ir_tensor *tensor = block->call->tensors[input];
  const void *rows = ir_tensor_at(tensor, block->at[input] + from * columns);
  if (tensor->type == IR_F32)
    return rows;
  ir_compute_load(tensor->type, rows, IR_COMPUTE_F32, block->widened[input], n * columns);
  return block->widened[input];
}

/* Keys of a block of sources as f32, and their steps. */
typedef struct key_rows {
  const float *data;
  int64_t source, feature;
} key_rows;

/* Returns the keys of sources [from, from + n). */
static key_rows load_keys(const attention_block *block, int64_t from, int64_t n) {
  const ir_attention *attention = block->call->attention;
  const ir_tensor *key = block->call->tensors[IR_KEY];
  const int64_t features = attention->features;
  if (!attention->params.is_key_transposed)
    return (key_rows){load_rows(block, IR_KEY, from, n, features), features, 1};
  if (key->type == IR_F32)
    return (key_rows){ir_tensor_at(key, block->at[IR_KEY] + from), 1, attention->sources};
  for (int64_t i = 0; i < features; i++)
    ir_compute_load(key->type, ir_tensor_at(key, block->at[IR_KEY] + i * attention->sources + from), IR_COMPUTE_F32,
                    block->widened[IR_KEY] + i * n, n);
  return (key_rows){block->widened[IR_KEY], 1, n};
}

/* Returns the offset of the mask of a source and row i of the block. */
static int64_t mask_at(const attention_block *block, int64_t i, int64_t source) {
  const ir_attention *attention = block->call->attention;
  return block->at[IR_MASK] + (block->first + i) * attention->mask_row + source * attention->mask_source;
}

/* The number that false in a boolean mask adds to a score. The lowest number leaves all scores of a hidden row equal.
 */
static float score_of_false(const ir_attention *attention) {
  return attention->params.hidden_row_is_finite ? -FLT_MAX : -INFINITY;
}

/* Loads the mask of n sources, from source `from` on, for each row of the block: [n_rows, n]. */
static void load_mask(const attention_block *block, int64_t from, int64_t n, float *to) {
  const ir_attention *attention = block->call->attention;
  const ir_tensor *mask = block->call->tensors[IR_MASK];
  for (int64_t i = 0; i < block->n_rows; i++, to += n) {
    if (attention->params.is_causal) {
      for (int64_t j = 0; j < n; j++)
        to[j] = from + j > block->first + i ? -INFINITY : 0;
      continue;
    }
    const bool is_spread = attention->mask_source == 0; /* one element masks all sources */
    const int64_t n_loaded = is_spread ? 1 : n;
    const void *elements = ir_tensor_at(mask, mask_at(block, i, from));
    if (mask->type == IR_BOOLEAN)
      for (int64_t j = 0; j < n_loaded; j++)
        to[j] = ((const uint8_t *)elements)[j] != 0 ? 0 : score_of_false(attention);
    else
      ir_compute_load(mask->type, elements, IR_COMPUTE_F32, to, n_loaded);
    for (int64_t j = 1; j < n && is_spread; j++)
      to[j] = to[0];
  }
}

/* Returns the mask of n sources as load_mask has it, or NULL if it is 0 everywhere. */
static float *mask_of(const attention_block *block, int64_t from, int64_t n) {
  const ir_attention *attention = block->call->attention;
  if (attention->params.is_causal ? from + n - 1 <= block->first : attention->input[IR_MASK] < 0)
    return NULL;
  load_mask(block, from, n, block->mask);
  return block->mask;
}

/* ---- blocks of sources ---- */

static void add_to_lanes(attention_block *block, key_rows keys, const float *values, int64_t from, int64_t n) {
  const ir_attention *attention = block->call->attention;
  float *mask = mask_of(block, from, n), *scores = block->scores;
  if (mask != NULL) {
    memset(mask + block->n_rows * n, 0, (size_t)((IR_LANES - block->n_rows) * n) * sizeof *mask);
    ir_transpose(&block->mask, &block->spare, LANE_BITS, n);
    mask = block->mask;
  }
  memset(scores, 0, (size_t)(n * IR_LANES) * sizeof *scores);
  ir_product_add(&(ir_product){.m = n,
                               .n = IR_LANES,
                               .k = attention->features,
                               .a = keys.data,
                               .a_row = keys.source,
                               .a_term = keys.feature,
                               .b = block->query,
                               .b_step = IR_LANES,
                               .c = scores,
                               .c_row = IR_LANES});
  weigh_lanes(block, mask, n, (float)block->call->scale);
  ir_product_add(&(ir_product){.m = attention->values,
                               .n = IR_LANES,
                               .k = n,
                               .a = values,
                               .a_row = 1,
                               .a_term = attention->values,
                               .b = scores,
                               .b_step = IR_LANES,
                               .c = block->out,
                               .c_row = IR_LANES});
}

static void add_to_rows(attention_block *block, key_rows keys, const float *values, int64_t from, int64_t n) {
  const ir_attention *attention = block->call->attention;
  const float *mask = mask_of(block, from, n);
  const bool is_transposed = attention->params.is_key_transposed;
  const ir_product product = {.m = block->n_rows,
                              .n = n,
                              .k = attention->features,
                              .a = block->query,
                              .a_row = attention->features,
                              .a_term = 1,
                              .b = keys.data,
                              .b_step = is_transposed ? keys.feature : keys.source,
                              .c = block->scores,
                              .c_row = SOURCES};
  memset(block->scores, 0, (size_t)(block->n_rows * SOURCES) * sizeof(float));
  (is_transposed ? ir_product_add : ir_product_dots)(&product);
  for (int64_t i = 0; i < block->n_rows; i++)
    weigh_row(block, i, mask == NULL ? NULL : mask + i * n, n, (float)block->call->scale);
  ir_product_add(&(ir_product){.m = block->n_rows,
                               .n = attention->values,
                               .k = n,
                               .a = block->scores,
                               .a_row = SOURCES,
                               .a_term = 1,
                               .b = values,
                               .b_step = attention->values,
                               .c = block->out,
                               .c_row = attention->values});
}

/* Adds the values of sources that no row of the block sees, with weight 0: they change `hidden` only if they are
 * infinite or NaN, and then make each row NaN, as the formula does. */
static void add_hidden(attention_block *block, const float *values, int64_t n) {
  static const float zero = 0;
  const int64_t columns = block->call->attention->values;
  ir_product_add(&(ir_product){
      .m = 1, .n = columns, .k = n, .a = &zero, .b = values, .b_step = columns, .c = block->hidden, .c_row = columns});
}

/* ---- one row in f64 ---- */

static double masked(const attention_block *block, int64_t i, int64_t source, double score) {
  const ir_attention *attention = block->call->attention;
  const ir_tensor *mask = block->call->tensors[IR_MASK];
  if (attention->params.is_causal)
    return source > block->first + i ? -INFINITY : score;
  if (mask == NULL)
    return score;
  const double number = ir_number_at(mask, mask_at(block, i, source));
  return score + (mask->type != IR_BOOLEAN ? number : number != 0 ? 0 : (double)score_of_false(attention));
}

static void load_key(const attention_block *block, int64_t source, double *to) {
  const ir_attention *attention = block->call->attention;
  const ir_tensor *key = block->call->tensors[IR_KEY];
  const int64_t features = attention->features;
  if (!attention->params.is_key_transposed)
    ir_compute_load(key->type, ir_tensor_at(key, block->at[IR_KEY] + source * features), IR_COMPUTE_F64, to, features);
  else
    for (int64_t i = 0; i < features; i++)
      to[i] = ir_number_at(key, block->at[IR_KEY] + i * attention->sources + source);
}

/* Computes row i of the block in f64, one source after the other: f64 tensors, and rows with results that are not
 * finite. */
static void attend_in_f64(const attention_block *block, int64_t i) {
  const attention_call *call = block->call;
  const ir_attention *attention = call->attention;
  const ir_tensor *query = call->tensors[IR_QUERY], *value = call->tensors[IR_VALUE];
  const int64_t features = attention->features, values = attention->values;
  double *q = (double *)block->spare, *k = q + features, *v = k + features, *out = v + values;
  double most = sink_of(block, i), sum = 1;
  memset(out, 0, (size_t)values * sizeof *out);
  ir_compute_load(query->type, ir_tensor_at(query, block->at[IR_QUERY] + (block->first + i) * attention->query_row),
                  IR_COMPUTE_F64, q, features);
  for (int64_t j = 0; j < attention->sources; j++) {
    double score = 0;
    load_key(block, j, k);
    ir_compute_load(value->type, ir_tensor_at(value, block->at[IR_VALUE] + j * values), IR_COMPUTE_F64, v, values);
    for (int64_t f = 0; f < features; f++)
      score += q[f] * k[f];
    score = masked(block, i, j, score * call->scale);
    const double top = score > most ? score : most, base = top == -INFINITY ? 0 : top;
    const double factor = exp(most - base), weight = exp(score - base);
    for (int64_t f = 0; f < values; f++)
      out[f] = out[f] * factor + weight * v[f];
    sum = sum * factor + weight;
    most = top;
  }
  for (int64_t f = 0; f < values; f++)
    out[f] /= sum;
  ir_compute_store(IR_COMPUTE_F64, out, call->out->type, ir_tensor_at(call->out, (block->row + i) * values), values);
}

/* ---- an item of work ---- */

static void begin_block(attention_block *block, int64_t item) {
  const attention_call *call = block->call;
  const ir_attention *attention = call->attention;
  const int64_t matrix = item / call->blocks;
  block->first = item % call->blocks * IR_LANES;
  block->n_rows = attention->places - block->first < IR_LANES ? attention->places - block->first : IR_LANES;
  block->row = matrix * attention->places + block->first;
  for (int t = 0; t < IR_ATTENTION_INPUTS; t++)
    ir_nd_iter_offsets(&attention->matrices, t, matrix, 1, 0, &block->at[t]);
  for (int64_t i = 0; i < IR_LANES; i++) {
    block->most[i] = i < block->n_rows ? (float)sink_of(block, i) : 0;
    block->sums[i] = 1; /* the sink's; if there is no sink, the first score makes it 0 */
  }
}

/* Loads the query of each row of the block. */
static void load_query(const attention_block *block) {
  const ir_attention *attention = block->call->attention;
  const int64_t features = attention->features;
  const bool is_spread = attention->query_row == 0; /* one query serves all rows */
  const float *rows = load_rows(block, IR_QUERY, is_spread ? 0 : block->first, is_spread ? 1 : block->n_rows, features);
  memset(block->query, 0, (size_t)(features * IR_LANES) * sizeof(float));
  for (int64_t i = 0; i < block->n_rows; i++)
    memcpy(block->query + i * features, rows + i * attention->query_row, (size_t)features * sizeof(float));
}

/* Adds all sources to `out` and `sums`. */
static void add_sources(attention_block *block, int worker) {
  const ir_attention *attention = block->call->attention;
  const int64_t features = attention->features, values = attention->values;
  const bool has_lanes = block->n_rows > FEW;
  memset(block->out, 0, (size_t)(values * IR_LANES) * sizeof(float));
  memset(block->hidden, 0, (size_t)values * sizeof(float));
  load_query(block);
  if (has_lanes)
    ir_transpose(&block->query, &block->spare, LANE_BITS, features);
  for (int64_t from = 0; from < attention->sources && !ir_stop_asked_of(block->call->exec->stop, worker);
       from += SOURCES) {
    const int64_t n = attention->sources - from < SOURCES ? attention->sources - from : SOURCES;
    const float *v = load_rows(block, IR_VALUE, from, n, values);
    if (attention->params.is_causal && from >= block->first + block->n_rows)
      add_hidden(block, v, n);
    else
      (has_lanes ? add_to_lanes : add_to_rows)(block, load_keys(block, from, n), v, from, n);
  }
}

/* Divides a row by its sum and adds `hidden`. Returns in `is_finite` whether all results are finite. */
IR_LOOP void divide_loop(float *row, const float *hidden, int64_t n, float sum, bool *is_finite) {
  int n_not = 0;
  for (int64_t i = 0; i < n; i++) {
    const float x = row[i] / sum + hidden[i];
    row[i] = x;
    n_not += x - x != 0;
  }
  *is_finite = n_not == 0;
}
IR_EACH_ISA(divide, (float *row, const float *hidden, int64_t n, float sum, bool *is_finite),
            (row, hidden, n, sum, is_finite))

/* Whether all sources of row i are hidden, and its output is 0: that is its sum. */
static bool is_hidden(const attention_block *block, int64_t i) {
  return block->call->attention->params.hidden_row_is_finite && block->sums[i] == 0;
}

/* Divides the sums and stores the rows. A row that is not finite is computed again in f64, because its sums may be
 * larger than its results. If all its sources are masked, it stays NaN. */
static void end_block(attention_block *block) {
  const ir_tensor *to = block->call->out;
  const int64_t values = block->call->attention->values;
  if (block->n_rows > FEW)
    ir_transpose_back(&block->out, &block->spare, LANE_BITS, values);
  bool is_finite[IR_LANES];
  for (int64_t i = 0; i < block->n_rows; i++)
    divide(block->out + i * values, block->hidden, values, is_hidden(block, i) ? 1 : block->sums[i], &is_finite[i]);
  ir_compute_store(IR_COMPUTE_F32, block->out, to->type, ir_tensor_at(to, block->row * values), block->n_rows * values);
  for (int64_t i = 0; i < block->n_rows; i++)
    if (block->most[i] != -INFINITY && !is_finite[i])
      attend_in_f64(block, i);
}

enum {
  N_ARRAYS = 6,                             /* those of a block, each of `width` floats */
  N_WIDENED = 1 + 2 * (SOURCES / IR_LANES), /* widths of `widened` */
};

static void work(void *user, int64_t begin, int64_t end, int worker) {
  const attention_call *call = user;
  attention_block *block = ir_exec_scratch(call->exec, worker);
  float **const arrays[N_ARRAYS] = {&block->query, &block->scores, &block->mask,
                                    &block->out,   &block->hidden, &block->spare};
  float *next = (float *)(block + 1);
  const int64_t width = call->attention->width;
  block->call = call;
  for (size_t i = 0; i < N_ARRAYS; i++, next += width)
    *arrays[i] = next;
  block->widened[IR_QUERY] = next;
  block->widened[IR_KEY] = next + width;
  block->widened[IR_VALUE] = next + width * (1 + SOURCES / IR_LANES);
  for (; begin < end && !ir_stop_asked_of(call->exec->stop, worker); begin++) {
    begin_block(block, begin);
    if (call->out->type == IR_F64) {
      for (int64_t i = 0; i < block->n_rows; i++)
        attend_in_f64(block, i);
      continue;
    }
    add_sources(block, worker);
    end_block(block);
  }
}

ir_code ir_attend(const ir_attention *attention, const ir_tensor *const *tensors, ir_tensor *out, ir_exec *exec) {
  attention_call call = {.attention = attention, .out = out, .exec = exec};
  memcpy(call.tensors, tensors, sizeof call.tensors);
  const ir_tensor *scale = call.tensors[IR_SCALE];
  call.scale = scale != NULL                      ? ir_number_at(scale, 0)
               : attention->params.is_written_out ? 1
                                                  : 1 / sqrt((double)attention->features);
  call.blocks = ir_ceil_div(attention->places, IR_LANES);
  const int64_t matrices = ir_nd_iter_elements(&attention->matrices);
  if (ir_tensor_elements(out) == 0)
    return IR_OK;
  /* The cost of the work counts bytes. Four multiplications cost about as much as reading a byte. */
  int64_t products;
  const bool fits = ir_mul(matrices * attention->places, attention->sources, &products) &&
                    ir_mul(products, attention->features + attention->values, &products);
  exec->share(exec, matrices * call.blocks, fits ? products / 4 : INT64_MAX, work, &call);
  return IR_OK;
}

bool ir_attention_scratch(ir_attention *attention, ir_type type, size_t *out_bytes) {
  const int64_t most = attention->features > attention->values ? attention->features : attention->values;
  const int64_t n_arrays = type == IR_F32 || type == IR_F64 ? N_ARRAYS : N_ARRAYS + N_WIDENED;
  int64_t bytes;
  if (!ir_mul(most > SOURCES ? most : SOURCES, IR_LANES, &attention->width) ||
      !ir_mul(attention->width, n_arrays * (int64_t)sizeof(float), &bytes))
    return false;
  *out_bytes = sizeof(attention_block) + (size_t)bytes;
  return true;
}

static ir_code run(const ir_step *step, const ir_tensor *const *in, ir_tensor *const *out, ir_exec *exec) {
  const ir_attention *attention = step->state;
  const ir_tensor *tensors[IR_ATTENTION_INPUTS];
  for (int i = 0; i < IR_ATTENTION_INPUTS; i++)
    tensors[i] = attention->input[i] >= 0 ? in[attention->input[i]] : NULL;
  return ir_attend(attention, tensors, out[0], exec);
}

ir_code ir_attention_step(ir_plan *plan, const ir_node *node, const ir_attention *attention, const int32_t *in,
                          int32_t n_in, ir_scope *scope) {
  static const ir_kernel kernel = {.name = "attention", .isa = "any", .run = run};
  ir_attention *state = ir_arena_alloc(plan->arena, sizeof *state);
  size_t scratch;
  if (state == NULL)
    return ir_out_of_memory(scope->diags);
  *state = *attention;
  if (!ir_attention_scratch(state, node->outputs[0].type, &scratch))
    return ir_out_of_memory(scope->diags);
  return ir_plan_step_on(plan, node, &kernel, state, scratch, in, n_in, &(int32_t){ir_plan_output_slot(plan, 0)}, 1);
}
