/* The params, attribute rows and shape rule that all versions of AvgPool and MaxPool share. */
#ifndef IR_POOL_H
#define IR_POOL_H

#include "ops/attr_text.h"
#include "ops/bind.h"
#include "ops/pool/pool_windows.h"

typedef struct ir_pool_params {
  ir_ints kernel, strides, pads_begin, pads_end, dilations;
  int auto_pad;      /* ir_auto_pad */
  int rounding_type; /* ir_rounding */
  bool exclude_pad;
  int64_t axis;   /* MaxPool-8 and later: indices count from this axis of the input on */
  int index_type; /* position in ir_index_type_names */
} ir_pool_params;

/* Where the dialects' pools differ: the `family` of their rows. */
typedef struct ir_pool_rules {
  bool valid_keeps_pads;     /* auto_pad valid: pads as they are given; else none */
  bool same_of_known_shapes; /* auto_pad same_*: while a size of the input is open, pads as they are given */
  bool auto_pad_needs_pads;  /* without both lists of pads auto_pad is not looked at */
  bool past_pads_undefined;  /* a window that ends past the padded input and holds elements: IR320 */
  bool whole_window_always;  /* pads not excluded: divided by the window's size without any pad, too */
  bool empty_average_is_nan; /* the average of no element: NaN, and an error of types that have none; else 0 */
  bool compared_with_torch;  /* what PyTorch and ONNX do otherwise is worth a note: IR310, IR312 */
} ir_pool_rules;

extern const ir_pool_rules ir_pool_rules_openvino;
/* The row's. */
const ir_pool_rules *ir_pool_rules_of(const ir_node *node);

extern const char *const ir_auto_pad_names[];
bool ir_pool_is_same(int auto_pad);                 /* same_upper or same_lower */
extern const char *const ir_rounding_names[];       /* floor, ceil */
extern const char *const ir_rounding_torch_names[]; /* and ceil_torch */

/* Pads that the layer's text leaves to auto_pad, so that given ones have no effect. */
bool ir_pads_are_automatic(const ir_node *node);
#define IR_NEEDED_PADS                                                                                                 \
  .required = true, .is_needless = ir_pads_are_automatic, .fallback = "0", .fallback_if_allowed = true

/* Rows of a schema, in the order of the pages. */
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

/* Spatial axis `axis` of the window, pads as the file gives them. */
ir_window_axis ir_pool_axis(const ir_pool_params *params, int64_t axis);
/* What decides the pads of an input, all sizes of which are known or not. */
ir_auto_pad ir_pool_auto_pad(const ir_node *node, bool shape_known);
/* The axis with the pads that this gives it for input size n. */
ir_window_axis ir_pool_resolved_axis(const ir_pool_params *params, ir_auto_pad auto_pad, int64_t axis, int64_t n);

/* The windows of a run. */
extern const ir_windows_rule ir_pool_windows;

/* Shape and type of output 0 from in[0] [N, C, D..]; `average` adds the rule that exclude-pad windows are larger than
 * their pads. Reports all that is wrong with the window, and what may surprise (empty windows, ceil against
 * ceil_torch). */
ir_code ir_pool_infer(const ir_node *node, const ir_value *in, ir_value *out, bool average, ir_scope *scope);
/* A size of `in` is known on this spatial axis and, in a run, was not when the model was checked: what follows from it
 * has not been said yet. */
bool ir_pool_is_news(const ir_scope *scope, const ir_shape *in, int axis);
/* Whether a window without any element of the input has no average. */
bool ir_pool_average_is_nan(const ir_node *node);
/* Pads that `auto_pad` makes meaningless: a note. */
void ir_pool_check_attributes(const ir_node *node, ir_scope *scope);
/* "floor((32 + 0 + 1 - 2) / 2) + 1 = 16" for every axis. */
void ir_pool_formula(const ir_node *node, const ir_value *const *in, char *buffer, size_t size);
/* Taps of all windows: additions of an average, comparisons of a maximum. -1 when a size is not known, or
 * their number does not fit 64 bits. */
int64_t ir_pool_cost(const ir_node *node, const ir_value *const *in);

#define IR_AXIS_NAME 32
/* "spatial axis 0 (H)": D, H, W by rank. Writes at most `size` bytes, returns `buffer`. */
const char *ir_axis_name(int n_spatial, int axis, char *buffer, size_t size);

/* What all versions of AvgPool share, of every dialect: rows with ir_pool_params and `family`. */
ir_code ir_avg_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_avg_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);
/* Pads in force on any axis of an input of that rank, whose sizes are known where pads are of same_*. */
bool ir_avg_pool_has_pads(const ir_node *node, const ir_shape *in);

/* What all versions of MaxPool share, likewise. */
/* Of the versions with one output. */
ir_code ir_max_pool_infer(const ir_node *node, const ir_value *const *in, ir_value *out, ir_scope *scope);
ir_code ir_max_pool_prepare(const ir_node *node, const ir_value *const *in, ir_plan *plan, ir_scope *scope);

#endif
