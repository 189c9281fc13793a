/* Params, attribute rows, windows and pads of all versions of AvgPool and MaxPool. */
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
  int64_t axis;   /* MaxPool-8 and later: indices count from this axis of the input */
  int index_type; /* index in ir_index_type_names */
} ir_pool_params;

/* Differences between the dialects' pools: the `family` of their rows. */
typedef struct ir_pool_rules {
  bool valid_keeps_pads;     /* auto_pad valid keeps the given pads; else they are ignored */
  bool same_of_known_shapes; /* auto_pad same_* keeps the given pads while a size of the input is open */
  bool auto_pad_needs_pads;  /* auto_pad is ignored unless both lists of pads are given */
  bool past_pads_undefined;  /* a window that ends past the padded input and holds elements is IR320 */
  bool whole_window_always;  /* with pads included, divide by the window's size even without pads */
  bool empty_average_is_nan; /* the average of no elements is NaN, and an error in types without NaN; else 0 */
  bool compared_with_torch;  /* notes where PyTorch and ONNX differ: IR310, IR312 */
} ir_pool_rules;

extern const ir_pool_rules ir_pool_rules_openvino;
/* The rules of the node's row. */
const ir_pool_rules *ir_pool_rules_of(const ir_node *node);

extern const char *const ir_auto_pad_names[];
bool ir_pool_is_same(int auto_pad);                 /* same_upper or same_lower */
extern const char *const ir_rounding_names[];       /* floor, ceil */
extern const char *const ir_rounding_torch_names[]; /* and ceil_torch */

/* Whether the file's text leaves pads to auto_pad, so that given ones have no effect. */
bool ir_pads_are_automatic(const ir_node *node);
#define IR_NEEDED_PADS                                                                                                 \
  .required = true, .is_needless = ir_pads_are_automatic, .fallback = "0", .fallback_if_allowed = true

/* Rows of a schema, in the pages' order. */
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

/* Spatial axis `axis` of the window, with the file's pads. */
ir_window_axis ir_pool_axis(const ir_pool_params *params, int64_t axis);
/* The auto_pad that applies to an input, depending on whether all its sizes are known. */
ir_auto_pad ir_pool_auto_pad(const ir_node *node, bool shape_known);
/* The axis with the pads that auto_pad resolves to for input size n. */
ir_window_axis ir_pool_resolved_axis(const ir_pool_params *params, ir_auto_pad auto_pad, int64_t axis, int64_t n);

/* Makes the windows in a run. */
extern const ir_windows_rule ir_pool_windows;

/* Whether the average is NaN for a window without input elements. */
bool ir_pool_average_is_nan(const ir_node *node);

#define IR_AXIS_NAME 32
/* Name of an axis, "spatial axis 0 (H)": D, H, W by rank. Writes at most `size` bytes; returns `buffer`. */
const char *ir_axis_name(int n_spatial, int axis, char *buffer, size_t size);

/* ---- of one pool and its input ---- */

typedef struct ir_pool_facts {
  const ir_node *node;
  const ir_pool_params *params;
  const ir_value *in;
  ir_scope *scope;
  ir_auto_pad auto_pad; /* the one that applies */
  int n_spatial;
  bool average;
} ir_pool_facts;

ir_pool_facts ir_pool_facts_of(const ir_node *node, const ir_value *in, bool average, ir_scope *scope);
/* The file's name for the attribute in a field of ir_pool_params, and its word for a position of an enum. */
const char *ir_pool_name(const ir_node *node, size_t offset);
const char *ir_pool_word(const ir_node *node, size_t offset, int position);
const char *ir_pool_kernel_name(const ir_pool_facts *facts);
/* Spatial axis `axis` with resolved pads. */
ir_window_axis ir_pool_facts_axis(const ir_pool_facts *facts, int axis, int64_t n);

#endif
