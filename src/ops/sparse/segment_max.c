/* SegmentMax-16 computes the maximum of each segment of the first axis. OpenVINO writes the attribute fill_mode; the
 * specification calls it empty_segment_value. Specification: operation-specs/arithmetic/segment-max-16. */
#include "ops/agree.h"
#include "ops/kernels/index_input.h"
#include "ops/kernels/segment_reduce.h"
#include "ops/ranges.h"

typedef struct segment_params {
  int fill_mode;
} segment_params;

enum { DATA, IDS, COUNT };

/* Reports segment ids that decrease or are negative. */
static bool check_ids(const ir_node *node, const ir_tensor *ids, ir_scope *scope) {
  int64_t before = 0;
  for (int64_t i = 0, n = ir_tensor_elements(ids); i < n; i++) {
    const int64_t id = ir_index_at(ids, i);
    if (id < before) {
      ir_report(scope->diags, IR322_SHAPES_DO_NOT_FIT, ir_input_where(scope, node, IDS, -1),
                i == 0 ? "'segment_ids' begins with %lld, below 0; %lld or more is expected"
                       : "'segment_ids' holds %lld behind %lld; they have to be sorted",
                (long long)id, (long long)before);
      return false;
    }
    before = id;
  }
  return true;
}

/* Returns the number of segments: the third input if the node has it, otherwise the last id plus 1. */
static ir_dim segments_of(const ir_node *node, const ir_value *const *in) {
  if (node->n_inputs > COUNT) {
    const ir_dim n = ir_ranges_count(in[COUNT]) == 1 ? ir_range_at(in[COUNT], 0) : ir_range_any();
    return n.lo >= 0 ? n : ir_dim_any();
  }
  const ir_tensor *ids = in[IDS]->contents;
  const int64_t n = ids == NULL ? 0 : ir_tensor_elements(ids);
  int64_t segments;
  return n > 0 && ir_add(ir_index_at(ids, n - 1), 1, &segments) ? ir_dim_of(segments) : ir_dim_any();
}

static ir_code infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope) {
  ir_dim first = ir_input_told(node, in, DATA) ? in[DATA]->shape.dims[0] : ir_dim_any();
  bool fine = ir_dim_agrees(node, in, IDS, 0, "the first axis of 'data'", &first, scope);
  if (!in[IDS]->poisoned && in[IDS]->contents != NULL)
    fine = check_ids(node, in[IDS]->contents, scope) && fine;
  fine = (node->n_inputs <= COUNT || ir_elements_check(node, in, COUNT, 0, scope)) && fine;
  out->type = in[DATA]->type;
  out->poisoned = !fine || in[DATA]->poisoned || in[IDS]->poisoned || (node->n_inputs > COUNT && in[COUNT]->poisoned);
  if (out->poisoned || in[DATA]->shape.rank == IR_RANK_UNKNOWN)
    return IR_OK;
  out->shape = in[DATA]->shape;
  out->shape.dims[0] = segments_of(node, in);
  return IR_OK;
}

static ir_code prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope) {
  (void)in;
  const bool is_lowest = ((const segment_params *)node->params)->fill_mode == 1;
  const ir_segments segments = {.indices = -1,
                                .offsets = -1,
                                .ids = IDS,
                                .weights = -1,
                                .default_index = -1,
                                .reduction = IR_SEGMENT_MOST,
                                .empty_is_lowest = is_lowest};
  return ir_segment_reduce_step(plan, node, &segments, scope);
}

static const char *const fill_modes[] = {"zero", "lowest", NULL};

static const ir_attr_spec attrs[] = {{.name = "fill_mode",
                                      .kind = IR_ATTR_ENUM,
                                      .offset = offsetof(segment_params, fill_mode),
                                      .names = fill_modes,
                                      .required = true},
                                     {.name = NULL}};

/* Port row for numbers. OpenVINO also takes booleans, which the specification excludes. */
#define T_PORT(port)                                                                                                   \
  {                                                                                                                    \
    .name = port, .type_var = "T", .types = IR_SET_NUMBERS, .types_noted = IR_SET(IR_BOOLEAN), .rank_min = 1,          \
    .rank_max = IR_MAX_RANK                                                                                            \
  }
#define INDEX_PORT(port, variable, rank, may_be_absent)                                                                \
  {                                                                                                                    \
    .name = port, .type_var = variable, .types = IR_SET(IR_I32) | IR_SET(IR_I64), .rank_min = rank, .rank_max = rank,  \
    .contents = true, .checked = true, .optional = may_be_absent                                                       \
  }

const ir_op ir_op_segment_max_16 = {
    .dialect = IR_OPENVINO,
    .type = "SegmentMax",
    .version = 16,
    .spec = IR_SPEC_PAGE("arithmetic/segment-max-16"),
    .params_size = sizeof(segment_params),
    .attrs = attrs,
    .inputs = IR_PORTS(T_PORT("data"), INDEX_PORT("segment_ids", "T_IDX1", 1, false),
                       INDEX_PORT("num_segments", "T_IDX2", 0, true)),
    .outputs = IR_PORTS(T_PORT("output")),
    .infer = infer,
    .run = {IR_RUN_PREPARED, .prepare = prepare},
};
