/* The pass "pack". Before: a MatMul or Gather reads weights that operations unpack: Convert, Subtract a zero point,
 * Multiply by a scale, Reshape. After: the MatMul or Gather reads the packed weights itself. The weights are never
 * unpacked as a whole. */
#include "exec/workers.h"
#include "ops/kernels/numbers.h"
#include "ops/math/binary.h"
#include "program/fast_contraction.h"
#include "program/packed_product.h"
#include "program/passes.h"
#include "program/quantized.h"

#define PACKED_INTEGERS (IR_SET(IR_U8) | IR_SET(IR_I8) | IR_SET(IR_U4) | IR_SET(IR_I4) | IR_SET(IR_U2) | IR_SET(IR_U3))
#define PLAIN_FLOATS    (IR_SET(IR_F16) | IR_SET(IR_BF16) | IR_SET(IR_F32))

extern const ir_op ir_op_mat_mul_1, ir_op_gather_1, ir_op_gather_7, ir_op_gather_8;

/* The values that packed weights are made of; -1: there are none. */
typedef struct packed_parts {
  int32_t weights, zeros, scales;
  int32_t codebook;   /* the weights are numbers of its elements */
  bool has_rows_last; /* the last axis is that of the rows: the parts have to be transposed */
  int n_batch;        /* number of axes in front of those of a matrix */
} packed_parts;

typedef struct packing {
  ir_program *program;
  const ir_value **in;
  bool has_states; /* the model keeps states: it is a language model, and its products have few rows most of the time */
} packing;

static bool is_gather(const ir_op *op) {
  return op == &ir_op_gather_1 || op == &ir_op_gather_7 || op == &ir_op_gather_8;
}

/* Returns the stored constant that conversions to floats make into `value`; -1: it is something else. */
static int32_t stored_constant(const ir_program *program, int32_t value) {
  const int32_t from = ir_program_before_widening(program, value);
  const ir_program_value *v = &program->values[from];
  return v->producer < 0 && v->value.is_constant ? from : -1;
}

/* Returns the constant, stored or computed, that conversions to floats make into `value`; -1: it is something else. */
static int32_t any_constant(const ir_program *program, int32_t value) {
  const int32_t from = ir_program_before_widening(program, value);
  return program->values[from].value.is_constant ? from : -1;
}

/* The operation that makes the value, if it has the function; else NULL. */
static const ir_operation *maker(const ir_program *program, int32_t value, ir_function function) {
  const int32_t producer = program->values[value].producer;
  const ir_operation *operation = producer < 0 ? NULL : &program->operations[producer];
  return operation != NULL && operation->node.op->function == function ? operation : NULL;
}

/* Takes the numbers of a Multiply or Subtract that makes `*value`: sets `*value` to the input with all elements and
 * returns the other input, a constant; -1: `*value` is made in another way. */
static int32_t take_numbers(const ir_program *program, ir_function function, int32_t *value) {
  const int32_t from = ir_program_before_widening(program, *value);
  const ir_operation *binary = maker(program, from, function);
  const ir_binary_params *params = binary == NULL ? NULL : binary->node.params;
  if (params == NULL || params->auto_broadcast == IR_BROADCAST_PDPD)
    return -1;
  for (int i = 1; i >= (function == IR_FUNCTION_MULTIPLY ? 0 : 1); i--) {
    const int32_t numbers = any_constant(program, binary->in[i]), other = binary->in[1 - i];
    if (numbers < 0 || !ir_shapes_equal(&program->values[other].value.shape, &program->values[from].value.shape))
      continue;
    *value = other;
    return numbers;
  }
  return -1;
}

enum { CODEBOOK = 16 };

/* Takes the Gather of a codebook's elements that makes `*value`: sets `*value` to their numbers in the codebook and
 * returns the codebook, a constant of CODEBOOK elements; -1: `*value` is made in another way. */
static int32_t take_codebook(const ir_program *program, int32_t *value) {
  const int32_t from = ir_program_before_widening(program, *value), producer = program->values[from].producer;
  const ir_operation *gather = producer < 0 ? NULL : &program->operations[producer];
  if (gather == NULL || !is_gather(gather->node.op))
    return -1;
  const int32_t codebook = stored_constant(program, gather->in[0]);
  const ir_operation *widened = maker(program, gather->in[1], IR_FUNCTION_CONVERT);
  const int32_t codes = widened != NULL ? widened->in[0] : -1;
  const ir_shape *shape = codebook < 0 ? NULL : &program->values[codebook].value.shape;
  if (shape == NULL || codes < 0 || shape->rank != 1 || shape->dims[0].lo != CODEBOOK ||
      !ir_shapes_equal(&program->values[codes].value.shape, &program->values[from].value.shape))
    return -1;
  *value = codes;
  return codebook;
}

static bool find_parts(const packing *p, int32_t value, packed_parts *out) {
  const ir_program *program = p->program;
  const ir_operation *view = maker(program, ir_program_before_widening(program, value), IR_FUNCTION_VIEW);
  int32_t from = view != NULL ? view->in[0] : value;
  out->scales = take_numbers(program, IR_FUNCTION_MULTIPLY, &from);
  out->zeros = take_numbers(program, IR_FUNCTION_SUBTRACT, &from);
  out->codebook = take_codebook(program, &from);
  out->weights = stored_constant(program, from);
  if (out->weights < 0)
    return false;
  const ir_type type = program->values[out->weights].value.type;
  if (out->codebook >= 0)
    return type == IR_U4 && out->zeros < 0; /* all numbers are in the codebook */
  return ir_type_in(type, PACKED_INTEGERS | IR_SET_NARROW_FLOATS | (p->has_states ? PLAIN_FLOATS : 0));
}

/* Moves the last axis of a matrix to its front. */
static void turn(ir_shape *shape, int n_batch) {
  const ir_dim rows = shape->dims[shape->rank - 1];
  for (int i = shape->rank - 1; i > n_batch; i--)
    shape->dims[i] = shape->dims[i - 1];
  shape->dims[n_batch] = rows;
}

/* The shape of a part, with axes of size 1 in front up to the rank, and with the axis of the rows in front of its
 * matrix. */
static ir_shape shape_of(const ir_program *program, const packed_parts *parts, int32_t value, int rank) {
  const ir_shape *part = &program->values[value].value.shape;
  ir_shape shape = ir_shape_of_rank(rank);
  for (int i = 0; i < rank; i++) {
    const int own = i - (rank - part->rank);
    shape.dims[i] = own >= 0 ? part->dims[own] : ir_dim_of(1);
  }
  if (parts->has_rows_last)
    turn(&shape, parts->n_batch);
  return shape;
}

/* Number of rows of all matrices. */
static int64_t rows_of(const ir_shape *shape, int n_batch) {
  int64_t rows = 1;
  for (int i = 0; i <= n_batch; i++)
    rows *= shape->dims[i].lo;
  return rows;
}

/* Describes scales or zero points, if there is one for each group or row: their last axis has size 1. Either all rows
 * have their own, or they share them. */
static bool describe_numbers(const ir_program *program, const packed_parts *parts, int32_t value,
                             const ir_shape *weights, ir_group_numbers *out) {
  const ir_value *numbers = &program->values[value].value;
  if (numbers->shape.rank > weights->rank)
    return false;
  const ir_shape shape = shape_of(program, parts, value, weights->rank);
  const int64_t rows = rows_of(&shape, parts->n_batch);
  if (shape.dims[weights->rank - 1].lo != 1 || (rows != 1 && rows != rows_of(weights, parts->n_batch)) ||
      !ir_type_in(numbers->type, PACKED_INTEGERS | IR_SET_NARROW_FLOATS | PLAIN_FLOATS))
    return false;
  const int64_t n_groups = weights->rank == parts->n_batch + 3 ? shape.dims[weights->rank - 2].lo : 1;
  *out = (ir_group_numbers){.elements = ir_elements_of(numbers->type, NULL, IR_COMPUTE_F32),
                            .row_step = rows == 1 ? 0 : n_groups,
                            .group_step = n_groups > 1};
  return true;
}

/* Elements that are numbers of a codebook. nf4 is such a type, too: only its numbers differ. */
static ir_elements codebook_elements(const ir_program *program, int32_t codebook) {
  ir_elements elements = ir_elements_of(IR_NF4, NULL, IR_COMPUTE_F32);
  int64_t n;
  const float *numbers = ir_program_numbers(program, codebook, &n);
  for (int i = 0; i < 256 && numbers != NULL; i++) {
    elements.numbers[2 * i] = numbers[i % CODEBOOK];
    elements.numbers[2 * i + 1] = numbers[i / CODEBOOK];
  }
  return elements;
}

/* Describes weights [batch.., n, k] or [batch.., n, k / group, group] and their numbers. */
static bool describe(const ir_program *program, const packed_parts *parts, ir_packed_rows *out) {
  const ir_value *weights = &program->values[parts->weights].value;
  const int rank = weights->shape.rank;
  const bool has_groups = rank == parts->n_batch + 3;
  if (!has_groups && rank != parts->n_batch + 2)
    return false;
  const ir_shape shape = shape_of(program, parts, parts->weights, rank);
  *out = (ir_packed_rows){.n = rows_of(&shape, parts->n_batch),
                          .group = shape.dims[rank - 1].lo,
                          .weights = ir_elements_of(weights->type, NULL, IR_COMPUTE_F32),
                          .has_zeros = parts->zeros >= 0,
                          .has_scales = parts->scales >= 0};
  if (parts->codebook >= 0)
    out->weights = codebook_elements(program, parts->codebook);
  out->k = out->group * (has_groups ? shape.dims[rank - 2].lo : 1);
  const int64_t bits = ir_type_bits(weights->type);
  if (out->k == 0 || out->k * bits % 8 != 0 || (bits == 4 && out->group % 2 != 0) ||
      (out->has_zeros && !describe_numbers(program, parts, parts->zeros, &shape, &out->zeros)) ||
      (out->has_scales && !describe_numbers(program, parts, parts->scales, &shape, &out->scales)))
    return false;
  if (out->zeros.group_step == 0 && out->scales.group_step == 0)
    out->group = out->k;
  return true;
}

/* Replaces operation `at` by one that reads `x` and the parts. Returns it; -1 if memory is out (reported). */
static int32_t add_packed(ir_program *program, int32_t at, const ir_op *op, const void *params, int32_t x,
                          const packed_parts *parts) {
  const ir_operation of = program->operations[at];
  const int32_t read[] = {x, parts->weights, parts->zeros, parts->scales};
  int32_t in[4], n = 0;
  for (int i = 0; i < 4; i++)
    if (read[i] >= 0)
      in[n++] = read[i];
  program->operations[at].is_dead = true;
  const int32_t added = ir_program_add(program, at, op, params, &of.node, of.layer, in, n, of.out, 1);
  if (added >= 0)
    program->operations[added].macs = of.macs;
  return added;
}

/* ---- products ---- */

/* Makes the primitives of a product. `product->tile` stays 0 if the module has none. */
static ir_code make_primitives(ir_program *program, int64_t tile, int n_primitives, ir_packed_product *product) {
  const bool are_plain = ir_packed_are_plain(&product->weights);
  const ir_fast_desc desc = {.kind = IR_FAST_MATMUL,
                             .batch = are_plain ? product->batch : 1,
                             .heads = 1,
                             .m = product->m,
                             .k = product->weights.k,
                             .n = tile,
                             .b.is_transposed = true,
                             .n_threads = product->n_threads};
  product->primitives = ir_arena_alloc(program->arena, (size_t)n_primitives * sizeof(ir_fast_primitive *));
  if (product->primitives == NULL)
    return ir_out_of_memory(program->diags);
  for (int i = 0; i < n_primitives; i++) {
    if (!ir_fast()->create(&desc, &product->primitives[i]))
      return ir_out_of_memory(program->diags);
    if (product->primitives[i] == NULL)
      return IR_OK;
    const ir_code code = ir_own_primitive(program, product->primitives[i]);
    if (code != IR_OK)
      return code;
  }
  product->tile = tile;
  return IR_OK;
}

/* Chooses tiles of at most MOST_BYTES, so that a tile stays in the caches; at least one for each worker, because a tile
 * is the work of one. Plain weights are one tile: nothing is unpacked. With fewer than LEAST_ROWS rows, oneDNN 2.6
 * gives wrong results in f32 (seen with 4 and 8 rows). */
static ir_code choose_tiles(ir_program *program, ir_packed_product *product) {
  enum { MOST_BYTES = 1 << 20, LEAST_ROWS = 32 };
  const int64_t n = product->n, n_workers = ir_workers_most(program->request->workers);
  if (!program->is_fast || product->m <= IR_PACKED_FEW_ROWS || n < LEAST_ROWS)
    return IR_OK;
  if (ir_packed_are_plain(&product->weights)) {
    product->n_threads = program->is_small ? 1 : (int)n_workers;
    return make_primitives(program, n, 1, product);
  }
  const int64_t rows = least(MOST_BYTES / (product->weights.k * (int64_t)sizeof(float)), ir_ceil_div(n, n_workers));
  const int64_t tile = least(n, most(rows, LEAST_ROWS)), n_tiles = product->batch * ir_ceil_div(n, tile);
  return make_primitives(program, tile, (int)least(n_workers, n_tiles), product);
}

/* Transposes a part of weights. A part with one number for all rows stays as it is. */
static bool transpose(ir_program *program, int32_t at, const packed_parts *parts, int rank, int32_t *io_part) {
  if (*io_part < 0)
    return true;
  ir_packed_transpose *params = ir_arena_alloc(program->arena, sizeof *params);
  ir_value made = program->values[*io_part].value;
  made.shape = shape_of(program, parts, *io_part, rank);
  const int64_t n = made.shape.dims[parts->n_batch].lo, rows = rows_of(&made.shape, parts->n_batch);
  if (rows == 1)
    return true;
  if (params == NULL) {
    ir_out_of_memory(program->diags);
    return false;
  }
  *params = (ir_packed_transpose){rows / n};
  *io_part = ir_program_convert(program, at, &ir_op_packed_transpose, *io_part, &made);
  if (*io_part < 0)
    return false;
  program->values[*io_part].key.made = rank == parts->n_batch + 2 ? IR_MADE_TRANSPOSED : IR_MADE_TRANSPOSED_GROUPS;
  ir_program_producer(program, *io_part)->node.params = params;
  ir_program_producer(program, *io_part)->why = "packed weights are read row by row";
  return true;
}

/* Transposes the parts if their rows are last. */
static bool lay_rows_first(ir_program *program, int32_t at, packed_parts *parts) {
  const int rank = program->values[parts->weights].value.shape.rank;
  return !parts->has_rows_last ||
         (transpose(program, at, parts, rank, &parts->weights) && transpose(program, at, parts, rank, &parts->zeros) &&
          transpose(program, at, parts, rank, &parts->scales));
}

/* Whether the weights of a product can stay packed. Plain f32 weights whose rows are last are left to the module. */
static bool find_product(const packing *p, const ir_operation *operation, const ir_fast_desc *desc, packed_parts *parts,
                         ir_packed_rows *out) {
  const ir_program *program = p->program;
  parts->has_rows_last = !desc->b.is_transposed;
  parts->n_batch = p->in[1]->shape.rank - 2;
  if (!find_parts(p, operation->in[1], parts) || !describe(program, parts, out) ||
      out->n != desc->batch * desc->heads * desc->n || out->k != desc->k)
    return false;
  return !parts->has_rows_last || program->values[parts->weights].value.type != IR_F32;
}

static ir_code pack_product(packing *p, int32_t at, int64_t *count) {
  ir_program *program = p->program;
  ir_operation *operation = &program->operations[at];
  ir_scope scope = ir_program_scope(program);
  ir_fast_desc desc;
  packed_parts parts;
  ir_packed_rows weights;
  ir_program_gather(program, operation, p->in);
  if (operation->out[0] < 0 || p->in[0]->type != IR_F32 || operation->node.outputs[0].type != IR_F32 ||
      p->in[1]->shape.rank < 2 || !operation->node.op->contraction(&operation->node, p->in, &scope, &desc) ||
      desc.a.is_transposed || ir_program_quantization(program, operation->in[0]) != NULL ||
      !find_product(p, operation, &desc, &parts, &weights))
    return IR_OK;
  ir_packed_product *product = ir_arena_alloc(program->arena, sizeof *product);
  if (product == NULL)
    return ir_out_of_memory(program->diags);
  *product = (ir_packed_product){
      .weights = weights, .batch = desc.batch * desc.heads, .m = desc.m, .n = desc.n, .n_threads = 1};
  const ir_code code = choose_tiles(program, product);
  if (code != IR_OK)
    return code;
  if (!lay_rows_first(program, at, &parts))
    return IR_NO_MEMORY;
  const int32_t added = add_packed(program, at, &ir_op_packed_product, product, program->operations[at].in[0], &parts);
  if (added < 0)
    return IR_NO_MEMORY;
  program->operations[added].why = product->tile == 0 ? "its weights stay packed, and are unpacked row by row"
                                   : ir_packed_are_plain(&weights)
                                       ? "oneDNN reads its weights as they lie, without a copy"
                                       : "its weights stay packed; oneDNN multiplies unpacked tiles";
  ++*count;
  return IR_OK;
}

/* ---- gathered rows ---- */

static bool is_zero(const ir_program *program, int32_t value) {
  int64_t n;
  const float *numbers = ir_program_numbers(program, value, &n);
  return numbers != NULL && n == 1 && numbers[0] == 0;
}

/* Whether a Gather copies rows of a matrix. */
static bool gathers_rows(const ir_program *program, const ir_operation *gather) {
  const ir_shape *data = &program->values[gather->in[0]].value.shape;
  const int n_batch = program->values[gather->in[1]].value.shape.rank;
  return data->rank == 2 && program->values[gather->out[0]].value.shape.rank == n_batch + 1 &&
         is_zero(program, gather->in[2]);
}

/* Replaces a Gather of unpacked rows by one of packed rows. */
static ir_code pack_gather(packing *p, int32_t at, int64_t *count) {
  ir_program *program = p->program;
  const ir_operation gather = program->operations[at];
  const packing any = {program, p->in, true}; /* rows of f16 need no table in f32, whatever the model */
  packed_parts parts = {.has_rows_last = false};
  ir_packed_rows weights;
  if (gather.out[0] < 0 || program->values[gather.out[0]].value.is_constant || !gathers_rows(program, &gather) ||
      program->values[gather.out[0]].value.type != IR_F32 || !find_parts(&any, gather.in[0], &parts) ||
      parts.weights == gather.in[0] || !describe(program, &parts, &weights))
    return IR_OK;
  const ir_shape *data = &program->values[gather.in[0]].value.shape;
  if (weights.n != data->dims[0].lo || weights.k != data->dims[1].lo)
    return IR_OK;
  ir_packed_rows *params = ir_arena_alloc(program->arena, sizeof *params);
  if (params == NULL)
    return ir_out_of_memory(program->diags);
  *params = weights;
  const int32_t added = add_packed(program, at, &ir_op_packed_gather, params, gather.in[1], &parts);
  if (added < 0)
    return IR_NO_MEMORY;
  program->operations[added].why = "only the gathered rows are unpacked";
  ++*count;
  return IR_OK;
}

/* Whether the model has states: it is a language model then, whose products have one row in most of its runs. */
static bool has_states(const ir_program *program) {
  const ir_program_request *request = program->request;
  bool any = false;
  for (size_t i = 0; i < request->graph->n_layers && !any; i++)
    any = ir_op_has_variable(request->model_nodes[i].op);
  return any;
}

ir_code ir_pass_pack(ir_program *program, int64_t *count) {
  packing p = {program, ir_program_room(program), has_states(program)};
  ir_code code = p.in == NULL ? IR_NO_MEMORY : IR_OK;
  for (int32_t next, at = program->first; at >= 0 && code == IR_OK; at = next) {
    next = program->operations[at].next;
    const ir_op *op = program->operations[at].node.op;
    if (op == &ir_op_mat_mul_1)
      code = pack_product(&p, at, count);
    else if (is_gather(op))
      code = pack_gather(&p, at, count);
  }
  return code;
}
