/* Shared code of nGraph's AvgPool and MaxPool: port rows, and rules that differ from an IR's. Params, shape rules and
 * kernels are those of ops/pool. Version 0 has its own attribute names, version 1 those of an IR. Enums are words, or
 * numbers in older files. */
#ifndef IR_NGRAPH_POOL_H
#define IR_NGRAPH_POOL_H

#include "ops/pool/pool.h"
#include "ops/pool/pool_notes.h"

/* Ops of an IR that rows of nGraph's ops name as their `counterpart`. */
extern const ir_op ir_op_avg_pool_1, ir_op_max_pool_1, ir_op_parameter_1, ir_op_const_1, ir_op_result_1;

/* Address of nGraph's documentation of an op. */
#define IR_NGRAPH_PAGE(name) "https://github.com/NervanaSystems/ngraph/blob/master/doc/sphinx/source/ops/" name ".rst"

/* Rules of AvgPool and of MaxPool-1. */
extern const ir_pool_rules ir_ngraph_pool_rules;
/* Rules of MaxPool-0: if a list of pads is missing, pad_type is ignored. */
extern const ir_pool_rules ir_ngraph_max_pool_0_rules;

/* Numbers and words of nGraph's enums, in the order of ir_auto_pad and ir_rounding. */
extern const char *const ir_ngraph_pad_numbers[];
extern const char *const ir_ngraph_pad_words[];
extern const char *const ir_ngraph_rounding_numbers[];
extern const char *const ir_ngraph_rounding_words[];
extern const char *const ir_ngraph_ceil_words[]; /* words of ceil_mode */

/* Schema rows: windows and modes of version 0, and all common attributes of version 1. */
#define IR_NGRAPH_POOL_0_WINDOW_ROWS                                                                                   \
  IR_POOL_LIST("window_shape", kernel, 1, .required = true),                                                           \
      IR_POOL_LIST("window_movement_strides", strides, 1, .required = true, .fallback = "1",                           \
                   .fallback_if_empty = true)
#define IR_NGRAPH_POOL_0_MODE_ROWS                                                                                     \
  {.name = "pad_type",                                                                                                 \
   .kind = IR_ATTR_ENUM,                                                                                               \
   .offset = offsetof(ir_pool_params, auto_pad),                                                                       \
   .names = ir_ngraph_pad_words,                                                                                       \
   .other_names = ir_ngraph_pad_numbers,                                                                               \
   .fallback = "0"},                                                                                                   \
  {                                                                                                                    \
    .name = "ceil_mode", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_pool_params, rounding_type),                      \
    .names = ir_ngraph_ceil_words, .fallback = "false"                                                                 \
  }
#define IR_NGRAPH_POOL_1_ROWS                                                                                          \
  IR_POOL_LIST("kernel", kernel, 1, .required = true),                                                                 \
      IR_POOL_LIST("strides", strides, 1, .fallback = "1", .fallback_if_empty = true),                                 \
      IR_POOL_LIST("pads_begin", pads_begin, 0, .fallback = "0", .fallback_if_empty = true),                           \
      IR_POOL_LIST("pads_end", pads_end, 0, .fallback = "0", .fallback_if_empty = true),                               \
      {.name = "auto_pad",                                                                                             \
       .kind = IR_ATTR_ENUM,                                                                                           \
       .offset = offsetof(ir_pool_params, auto_pad),                                                                   \
       .names = ir_ngraph_pad_words,                                                                                   \
       .other_names = ir_ngraph_pad_numbers,                                                                           \
       .fallback = "EXPLICIT"},                                                                                        \
  {                                                                                                                    \
    .name = "rounding_type", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_pool_params, rounding_type),                  \
    .names = ir_ngraph_rounding_words, .other_names = ir_ngraph_rounding_numbers, .fallback = "FLOOR"                  \
  }

/* Port row of any element type, with one or more spatial axes. */
#define IR_NGRAPH_POOL_PORT(port)                                                                                      \
  { .name = port, .type_var = "T", .types = IR_SET_ANY, .rank_min = 3, .rank_max = IR_MAX_RANK }

#define IR_NGRAPH_POOL(op, number, schema, rules, page, infer_rule, prepare_rule, ...)                                 \
  {                                                                                                                    \
    .dialect = IR_NGRAPH, .type = op, .version = number, .spec = page, .params_size = sizeof(ir_pool_params),          \
    .attrs = schema, .family = rules, .inputs = IR_PORTS(IR_NGRAPH_POOL_PORT("arg")),                                  \
    .outputs = IR_PORTS(IR_NGRAPH_POOL_PORT("output")), .check_attributes = ir_pool_check_attributes,                  \
    .infer = infer_rule, .run = {IR_RUN_PREPARED, .prepare = prepare_rule}, .formula = ir_pool_formula,                \
    .cost = ir_pool_cost, __VA_ARGS__                                                                                  \
  }

/* Implements ir_op.translate of pools: sets the pads by nGraph's rules. */
ir_code ir_ngraph_pool_translate(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope);

#endif
