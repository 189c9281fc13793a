#include "ops/ngraph/ngraph_pool.h"

/* Rules from nGraph's sources: type rules (src/ngraph/op) and reference kernels (src/ngraph/runtime/reference). In
 * nGraph, an average of no elements is an error; irrun returns NaN, so that users notice the empty window. */
#define RULES                                                                                                          \
  .valid_keeps_pads = true, .same_of_known_shapes = true, .past_pads_undefined = true, .whole_window_always = true,    \
  .empty_average_is_nan = true

const ir_pool_rules ir_ngraph_pool_rules = {RULES};
const ir_pool_rules ir_ngraph_max_pool_0_rules = {RULES, .auto_pad_needs_pads = true};

/* The numbers are in the order of ir_ngraph_pad_words; in nGraph, SAME_LOWER is 1 and SAME_UPPER 2. */
const char *const ir_ngraph_pad_numbers[] = {"0", "2", "1", "3", NULL};
const char *const ir_ngraph_pad_words[] = {"EXPLICIT", "SAME_UPPER", "SAME_LOWER", "VALID", NULL};
const char *const ir_ngraph_rounding_numbers[] = {"0", "1", NULL};
const char *const ir_ngraph_rounding_words[] = {"FLOOR", "CEIL", NULL};
const char *const ir_ngraph_ceil_words[] = {"false", "true", NULL};

/* If auto_pad has an effect in nGraph, an IR needs the same auto_pad and no pads. Otherwise an IR needs the explicit
 * pads. */
ir_code ir_ngraph_pool_translate(const ir_node *node, const ir_value *const *in, void *out_params, ir_scope *scope) {
  static const int64_t zero = 0;
  (void)in, (void)scope;
  ir_pool_params *params = out_params;
  *params = *(const ir_pool_params *)node->params;
  params->auto_pad = (int)ir_pool_auto_pad(node, true);
  if (params->auto_pad != IR_PAD_EXPLICIT)
    params->pads_begin = params->pads_end = (ir_ints){&zero, IR_REPEATED};
  return IR_OK;
}
