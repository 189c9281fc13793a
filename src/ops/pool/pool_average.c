#include "ops/pool/pool_plain.h"
#include "ops/pool/pool_step.h"

static int64_t round_narrow(int64_t sum, int64_t n) {
  int64_t quotient = sum / n, rest = sum % n;
  if (rest < 0) {
    quotient--;
    rest += n;
  }
  return quotient + (rest > n - rest || (rest == n - rest && (quotient & 1) != 0));
}

ir_wide ir_round_half_even(ir_wide sum, ir_wide n) {
  /* What is divided by 0 or overflows does not come here; a division of 128 bits takes several times as long. */
  if (n <= INT64_MAX && sum <= INT64_MAX / 2 && sum >= INT64_MIN / 2)
    return round_narrow((int64_t)sum, (int64_t)n);
  ir_wide quotient = sum / n, rest = sum % n;
  if (rest < 0) {
    quotient--;
    rest += n;
  }
  bool up = rest > n - rest || (rest == n - rest && (quotient & 1) != 0);
  return quotient + up;
}

ir_code ir_average_step(ir_plan *plan, const ir_node *node, const ir_average *average, ir_scope *scope) {
  bool done = false;
  ir_code code = ir_pool_step(plan, node, average, IR_POOL_SUM, IR_MAX_FROM_LOWEST, scope, &done);
  const ir_plain_what what = {.op = IR_PLAIN_AVERAGE,
                              .type = node->outputs[0].type,
                              .divisor = average->divisor,
                              .nan_if_empty = average->nan_if_empty};
  /* A second input, sizes or axes, did its work when the shape was inferred. */
  return done || code != IR_OK ? code : ir_plain_step(plan, node, &average->windows, &what, scope);
}
