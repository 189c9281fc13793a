/* Declares the params and schema rows of all versions of AvgPool and MaxPool, and reads windows and pads from them. */
#ifndef IR_POOL_FACTS_H
#define IR_POOL_FACTS_H

#include "ops/attr_text.h"
#include "ops/op.h"
#include "ops/pool/pool_windows.h"

typedef struct ir_pool_params {
  ir_ints kernel, strides, pads_begin, pads_end, dilations;
  int auto_pad;      /* ir_auto_pad */
  int rounding_type; /* ir_rounding */
  bool exclude_pad;
  int64_t axis;   /* MaxPool-8 and later: indices count elements of the input's axes from `axis` on */
  int index_type; /* position in ir_index_type_names */
} ir_pool_params;

/* Differences between the pools of OpenVINO and nGraph. The `family` of an op's row points here. */
typedef struct ir_pool_rules {
  bool valid_keeps_pads;     /* auto_pad valid uses the given pads instead of none */
  bool same_of_known_shapes; /* while a size of the input is open, auto_pad same_* uses the given pads */
  bool auto_pad_needs_pads;  /* if pads_begin is not given, auto_pad is ignored */
  bool past_pads_undefined;  /* reports IR320 if a window ends past the padded input and holds input elements */
  bool whole_window_always;  /* if exclude_pad is false, divides by the kernel's volume even if no axis has pads */
  bool empty_average_is_nan; /* the average of no elements is NaN instead of 0; if the type has no NaN, such a window is
                                an error */
  bool compared_with_torch;  /* reports IR310 and IR312: differences from PyTorch and ONNX */
} ir_pool_rules;

extern const ir_pool_rules ir_pool_rules_openvino;
/* Returns the rules in the `family` of the node's op. */
const ir_pool_rules *ir_pool_rules_of(const ir_node *node);

extern const char *const ir_auto_pad_names[];
bool ir_pool_is_same(int auto_pad);                 /* whether auto_pad is same_upper or same_lower */
extern const char *const ir_rounding_names[];       /* floor, ceil */
extern const char *const ir_rounding_torch_names[]; /* floor, ceil, ceil_torch */

/* Whether the file sets auto_pad to a mode other than 'explicit'. pads_begin and pads_end have no effect then and need
 * not be given. */
bool ir_pads_are_automatic(const ir_node *node);
#define IR_NEEDED_PADS                                                                                                 \
  .required = true, .is_needless = ir_pads_are_automatic, .fallback = "0", .fallback_if_allowed = true

/* Attribute rows for the schemas of pools, in the order of the specification's pages. */
#define IR_POOL_LIST(text, field, least, ...)                                                                          \
  {                                                                                                                    \
    .name = text, .kind = IR_ATTR_INT, .count = IR_COUNT_SPATIAL, .offset = offsetof(ir_pool_params, field),           \
    .min = least, .max = INT64_MAX, __VA_ARGS__                                                                        \
  }
#define IR_POOL_WINDOW_ROWS                                                                                            \
  IR_POOL_LIST("kernel", kernel, 1, .required = true), IR_POOL_LIST("strides", strides, 1, .required = true),          \
      IR_POOL_LIST("pads_begin", pads_begin, 0, IR_NEEDED_PADS), IR_POOL_LIST("pads_end", pads_end, 0, IR_NEEDED_PADS)
#define IR_POOL_DILATIONS_ROW IR_POOL_LIST("dilations", dilations, 1, .fallback = "1")
#define IR_POOL_EXCLUDE_PAD_ROW                                                                                        \
  {                                                                                                                    \
    .name = "exclude-pad", .kind = IR_ATTR_BOOL, .offset = offsetof(ir_pool_params, exclude_pad), .required = true,    \
    .fallback = "true", .fallback_if_allowed = true                                                                    \
  }
#define IR_POOL_ROUNDING_ROW(words)                                                                                    \
  {                                                                                                                    \
    .name = "rounding_type", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_pool_params, rounding_type), .names = words,  \
    .fallback = "floor"                                                                                                \
  }
#define IR_POOL_AUTO_PAD_ROW                                                                                           \
  {                                                                                                                    \
    .name = "auto_pad", .kind = IR_ATTR_ENUM, .offset = offsetof(ir_pool_params, auto_pad),                            \
    .names = ir_auto_pad_names, .fallback = "explicit"                                                                 \
  }

#define IR_POOL_AXIS_ROW                                                                                               \
  {                                                                                                                    \
    .name = "axis", .kind = IR_ATTR_INT, .offset = offsetof(ir_pool_params, axis), .min = -5, .max = 4,                \
    .fallback = "0"                                                                                                    \
  }

/* Returns kernel, stride, dilation and the given pads of spatial axis `axis`. auto_pad is not applied. */
ir_window_axis ir_pool_axis(const ir_pool_params *params, int64_t axis);
/* Returns the auto_pad mode to apply: that of the params or, if the op's ir_pool_rules keep the given pads, 'explicit'.
 * `shape_known`: all sizes of the input are known. */
ir_auto_pad ir_pool_auto_pad(const ir_node *node, bool shape_known);
/* Returns kernel, stride and dilation of spatial axis `axis`, and the pads that `auto_pad` computes for input size n.
 */
ir_window_axis ir_pool_resolved_axis(const ir_pool_params *params, ir_auto_pad auto_pad, int64_t axis, int64_t n);

/* For ir_windows_make: reads kernel, stride, dilation and pads from the node's ir_pool_params. */
ir_windows_set ir_pool_set_windows;

/* Whether an average over a window without input elements is NaN. */
bool ir_pool_average_is_nan(const ir_node *node);

#define IR_AXIS_NAME 32
/* Writes the name of spatial axis `axis`, such as "spatial axis 0 (H)", to `buffer`, and returns `buffer`. The letter
 * is D, H or W; if n_spatial exceeds 3, it is omitted. IR_AXIS_NAME is a sufficient size. */
const char *ir_axis_name(int n_spatial, int axis, char *buffer, size_t size);

/* ---- facts about one pool and its input ---- */

typedef struct ir_pool_facts {
  const ir_node *node;
  const ir_pool_params *params;
  const ir_value *in;
  ir_scope *scope;
  ir_auto_pad auto_pad; /* the mode to apply, from ir_pool_auto_pad */
  int n_spatial;
  bool average;
} ir_pool_facts;

ir_pool_facts ir_pool_facts_of(const ir_node *node, const ir_value *in, bool average, ir_scope *scope);
/* Returns the attribute's name in the model's format, for the field of ir_pool_params at `offset`. */
const char *ir_pool_name(const ir_node *node, size_t offset);
/* Returns the text of value number `position` of the enum attribute whose field is at `offset`. */
const char *ir_pool_word(const ir_node *node, size_t offset, int position);
const char *ir_pool_kernel_name(const ir_pool_facts *facts);
/* Returns spatial axis `axis` with the pads that facts->auto_pad computes for input size n. */
ir_window_axis ir_pool_facts_axis(const ir_pool_facts *facts, int axis, int64_t n);

#endif
