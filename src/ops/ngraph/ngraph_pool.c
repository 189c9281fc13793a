#include "ops/ngraph/ngraph_pool.h"

/* Of nGraph's type rules and reference kernels (src/ngraph/op, src/ngraph/runtime/reference). The average of nothing
 * is an error there, and NaN here, which says so in the result. */
#define RULES                                                                                                          \
  .valid_keeps_pads = true, .same_of_known_shapes = true, .past_pads_undefined = true, .whole_window_always = true,    \
  .empty_average_is_nan = true

const ir_pool_rules ir_ngraph_pool_rules = {RULES};
const ir_pool_rules ir_ngraph_max_pool_0_rules = {RULES, .auto_pad_needs_pads = true};

/* nGraph counts SAME_LOWER before SAME_UPPER. */
const char *const ir_ngraph_pad_numbers[] = {"0", "2", "1", "3", NULL};
const char *const ir_ngraph_pad_words[] = {"EXPLICIT", "SAME_UPPER", "SAME_LOWER", "VALID", NULL};
const char *const ir_ngraph_rounding_numbers[] = {"0", "1", NULL};
const char *const ir_ngraph_rounding_words[] = {"FLOOR", "CEIL", NULL};
const char *const ir_ngraph_ceil_words[] = {"false", "true", NULL};
