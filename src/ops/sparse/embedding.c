/* EmbeddingBag ops compute sums or means of rows of a table. A bag is the set of rows of one output row: a slice of
 * `indices` (Offsets), a row of `indices` (Packed), or the indices with the same segment id (Segments). The output is
 * [bags, other axes of the table]. Specification: operation-specs/sparse. */
#include "ops/agree.h"
#include "ops/kernels/segment_reduce.h"
#include "ops/op.h"
#include "ops/ranges.h"

typedef struct embedding_params {
  int reduction;
} embedding_params;

/* Input ports of an op. 0 means that the op lacks the input. */
typedef struct embedding_ports {
  int default_index, weights;
} embedding_ports;

enum { TABLE, INDICES, OFFSETS, SEGMENT_IDS = 2, NUM_SEGMENTS };

static const embedding_ports offsets_ports = {3, 4}, packed_ports = {0, 2}, segments_ports = {4, 5};
static const char *const reductions[] = {"sum", "mean", NULL};

static const embedding_ports *ports_of(const ir_node *node) {
  return node->op->family;
}

static bool check_weights(const ir_node *node, const ir_value *const *in, ir_shape *indices, ir_scope *scope) {
  const int port = ports_of(node)->weights;
  const embedding_params *params = node->params;
  *indices = in[INDICES]->poisoned ? ir_shape_unknown() : in[INDICES]->shape;
  if (port >= node->n_inputs)
    return true;
  bool fine = ir_shapes_agree(node, in, INDICES, port, indices, scope);
  if (ir_attr_usable(node, "reduction") && params->reduction == 1) {
    ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, port, -1),
              "'per_sample_weights' go with reduction=\"sum\" alone, the reduction is mean");
    fine = false;
  }
  return fine;
}

static void set_output(const ir_value *const *in, ir_dim bags, bool fine, int32_t n_needed, ir_value *out) {
  out->type = in[TABLE]->type;
  out->poisoned = !fine;
  for (int32_t i = 0; i < n_needed; i++)
    out->poisoned = out->poisoned || in[i]->poisoned;
  if (out->poisoned || in[TABLE]->shape.rank == IR_RANK_UNKNOWN)
    return;
  out->shape = in[TABLE]->shape;
  out->shape.dims[0] = bags;
}

static ir_code infer_offsets(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_shape indices;
  bool fine = check_weights(node, in, &indices, scope);
  set_output(in, ir_input_told(node, in, OFFSETS) ? in[OFFSETS]->shape.dims[0] : ir_dim_any(), fine, OFFSETS + 1, out);
  return IR_OK;
}

static ir_code infer_packed(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_shape indices;
  const bool fine = check_weights(node, in, &indices, scope);
  set_output(in, indices.rank == IR_RANK_UNKNOWN ? ir_dim_any() : indices.dims[0], fine, INDICES + 1, out);
  return IR_OK;
}

static ir_code infer_segments(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_shape indices;
  bool fine = check_weights(node, in, &indices, scope);
  fine = ir_shapes_agree(node, in, INDICES, SEGMENT_IDS, &indices, scope) && fine;
  fine = ir_elements_check(node, in, NUM_SEGMENTS, 0, scope) && fine;
  const ir_dim n = ir_ranges_count(in[NUM_SEGMENTS]) == 1 ? ir_range_at(in[NUM_SEGMENTS], 0) : ir_range_any();
  set_output(in, n.lo >= 0 ? n : ir_dim_any(), fine, NUM_SEGMENTS + 1, out);
  return IR_OK;
}

/* ---- running ---- */

/* Returns `port` if the node has that input, otherwise -1. */
static int port_or_none(const ir_node *node, int port) {
  return port > 0 && port < node->n_inputs ? port : -1;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  const embedding_ports *ports = ports_of(node);
  const bool is_mean = node->op->attrs != NULL && ((const embedding_params *)node->params)->reduction == 1;
  const ir_segments segments = {.indices = INDICES,
                                .offsets = ports == &offsets_ports ? OFFSETS : -1,
                                .ids = ports == &segments_ports ? SEGMENT_IDS : -1,
                                .weights = port_or_none(node, ports->weights),
                                .default_index = port_or_none(node, ports->default_index),
                                .reduction = is_mean ? IR_SEGMENT_MEAN : IR_SEGMENT_SUM};
  return ir_segment_reduce_step(plan, node, &segments, scope);
}

/* ---- the rows ---- */

/* Port row for numbers. OpenVINO also takes booleans, which the specification excludes. */
#define T_PORT(port, least, most, may_be_absent)                                                                       \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN),                         \
    .types_carried = IR_CARRIED_WIDENED, .rank_min = least, .rank_max = most, .optional = may_be_absent                \
  }
#define INDEX_PORT(port, rank, ...)                                                                                    \
  {                                                                                                                    \
    .name = port, .type_var = "T_IND", .types = IR_SET(IR_I32) | IR_SET(IR_I64), .rank_min = rank, .rank_max = rank,   \
    .checked = true, __VA_ARGS__                                                                                       \
  }
#define TABLE_PORT         T_PORT("emb_table", 1, IR_MAX_RANK, false)
#define DEFAULT_PORT       INDEX_PORT("default_index", 0, .optional = true)
#define WEIGHTS_PORT(rank) T_PORT("per_sample_weights", rank, rank, true)
#define EMBEDDING(name, number, page, ports, rule)                                                                     \
  .dialect = IR_OPENVINO, .type = name, .version = number, .spec = IR_SPEC_PAGE("sparse/embedding-" page),             \
  .params_size = sizeof(embedding_params), .family = &ports, .infer = rule,                                            \
  .run = {IR_RUN_PREPARED, .prepare = prepare}, .outputs = IR_PORTS(T_PORT("output", 1, IR_MAX_RANK, false))
#define OFFSETS_INPUTS                                                                                                 \
  IR_PORTS(TABLE_PORT, INDEX_PORT("indices", 1, .optional = false), INDEX_PORT("offsets", 1, 0), DEFAULT_PORT,         \
           WEIGHTS_PORT(1))
#define PACKED_INPUTS IR_PORTS(TABLE_PORT, INDEX_PORT("indices", 2, .optional = false), WEIGHTS_PORT(2))

static const ir_attr_spec reduction_attrs[] = {{.name = "reduction",
                                                .kind = IR_ATTR_ENUM,
                                                .offset = offsetof(embedding_params, reduction),
                                                .names = reductions,
                                                .fallback = "sum"},
                                               {.name = NULL}};

const ir_op ir_op_embedding_bag_offsets_15 = {
    EMBEDDING("EmbeddingBagOffsets", 15, "bag-offsets-15", offsets_ports, infer_offsets), .attrs = reduction_attrs,
    .inputs = OFFSETS_INPUTS};
const ir_op ir_op_embedding_bag_offsets_sum_3 = {
    EMBEDDING("EmbeddingBagOffsetsSum", 3, "bag-offsets-sum-3", offsets_ports, infer_offsets),
    .inputs = OFFSETS_INPUTS};
const ir_op ir_op_embedding_bag_packed_15 = {
    EMBEDDING("EmbeddingBagPacked", 15, "bag-packed-15", packed_ports, infer_packed), .attrs = reduction_attrs,
    .inputs = PACKED_INPUTS};
const ir_op ir_op_embedding_bag_packed_sum_3 = {
    EMBEDDING("EmbeddingBagPackedSum", 3, "bag-packed-sum-3", packed_ports, infer_packed), .inputs = PACKED_INPUTS};
const ir_op ir_op_embedding_segments_sum_3 = {
    EMBEDDING("EmbeddingSegmentsSum", 3, "segments-sum-3", segments_ports, infer_segments),
    .inputs = IR_PORTS(TABLE_PORT, INDEX_PORT("indices", 1, .optional = false), INDEX_PORT("segment_ids", 1, 0),
                       INDEX_PORT("num_segments", 0, .contents = true), DEFAULT_PORT, WEIGHTS_PORT(1))};
