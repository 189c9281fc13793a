/* Rows of the layer types of IR versions 2 to 7. A row has its type, attributes and ports; its `expand` says which ops
 * of the opsets do the same (expansion.h), and their rows check and compute it. Source: the Legacy IR Layers Catalog of
 * OpenVINO 2020.4, and the readers and shape rules of its Inference Engine. */
#ifndef IR_LEGACY_OPS_H
#define IR_LEGACY_OPS_H

#include "ops/attr_text.h"
#include "ops/legacy/expansion.h"

#define IR_LEGACY_PAGE                                                                                                 \
  "https://docs.openvino.ai/2020.4/openvino_docs_MO_DG_prepare_model_convert_model_Legacy_IR_Layers_Catalog_Spec.html"

/* Schema rows: attribute `text` of kind KIND in field `field` of `params`. Further arguments set further members. */
#define IR_LEGACY_ATTR(text, KIND, COUNT, params, field, ...)                                                          \
  { .name = text, .kind = IR_ATTR_##KIND, .count = IR_COUNT_##COUNT, .offset = offsetof(params, field), __VA_ARGS__ }
#define IR_LEGACY_INT(text, params, field, ...)                                                                        \
  IR_LEGACY_ATTR(text, INT, ONE, params, field, .min = INT64_MIN, .max = INT64_MAX, __VA_ARGS__)
#define IR_LEGACY_INTS(text, params, field, ...)                                                                       \
  IR_LEGACY_ATTR(text, INT, ANY, params, field, .min = INT64_MIN, .max = INT64_MAX, __VA_ARGS__)
/* One item for each spatial axis; the item of an absent list is `least`. */
#define IR_LEGACY_SPATIAL(text, params, field, least)                                                                  \
  IR_LEGACY_ATTR(text, INT, SPATIAL, params, field, .min = least, .max = INT64_MAX)
#define IR_LEGACY_FLOAT(text, params, field, ...) IR_LEGACY_ATTR(text, FLOAT, ONE, params, field, __VA_ARGS__)
#define IR_LEGACY_FLOATS(text, params, field)     IR_LEGACY_ATTR(text, FLOAT, ANY, params, field, .fallback = NULL)
#define IR_LEGACY_BOOL(text, params, field, ...)  IR_LEGACY_ATTR(text, BOOL, ONE, params, field, __VA_ARGS__)
#define IR_LEGACY_ENUM(text, params, field, words, ...)                                                                \
  IR_LEGACY_ATTR(text, ENUM, ONE, params, field, .names = words, __VA_ARGS__)
/* An attribute that an op has too: ir_copy_attributes passes its text on, and the op checks it. The first argument is
 * its name. */
#define IR_LEGACY_TEXT(...)                                                                                            \
  { .kind = IR_ATTR_TEXT, .name = __VA_ARGS__ }
#define IR_LEGACY_END                                                                                                  \
  { .name = NULL }

/* Ports of any type and rank. */
#define IR_LEGACY_PORT(port)                                                                                           \
  { .name = port, .types = IR_SET_ANY, .rank_max = IR_MAX_RANK }
#define IR_LEGACY_MORE(port)                                                                                           \
  { .name = port, .types = IR_SET_ANY, .rank_max = IR_MAX_RANK, .optional = true }
#define IR_LEGACY_MANY(port)                                                                                           \
  { .name = port, .types = IR_SET_ANY, .rank_max = IR_MAX_RANK, .variadic = true }

/* A row. `schema` is an array of attributes, or NULL with a params size of 0. The last argument is the expand function;
 * further arguments set further members. */
#define IR_LEGACY_ROW(name, text, size, schema, in, out, ...)                                                          \
  const ir_op ir_op_legacy_##name = {.dialect = IR_LEGACY,                                                             \
                                     .type = text,                                                                     \
                                     .version = 7,                                                                     \
                                     .spec = IR_LEGACY_PAGE,                                                           \
                                     .params_size = size,                                                              \
                                     .attrs = schema,                                                                  \
                                     .inputs = in,                                                                     \
                                     .outputs = out,                                                                   \
                                     .expand = __VA_ARGS__}
#define IR_LEGACY_ONE_IN  IR_PORTS(IR_LEGACY_PORT("data"))
#define IR_LEGACY_ONE_OUT IR_PORTS(IR_LEGACY_PORT("output"))

#endif
