#include "runtime/compare/compare_order.h"
#include "runtime/tensor/tensor_block.h"

#include <math.h>
#include <stdbool.h>

enum { MOST_ROWS = 1024 };

typedef struct pair {
  const ir_tensor *got, *expected;
  double atol, rtol;
} pair;

/* Whether row a of `got` agrees with row b of `expected`. Rows have n elements. */
static bool agree(const pair *p, int64_t a, int64_t b, int64_t n) {
  double got[IR_BLOCK], expected[IR_BLOCK];
  bool all = true;
  ir_block_values(p->got, a * n, n, got);
  ir_block_values(p->expected, b * n, n, expected);
  for (int64_t i = 0; i < n && all; i++)
    all = got[i] == expected[i] || (isnan(got[i]) && isnan(expected[i])) ||
          (isfinite(got[i]) && fabs(got[i] - expected[i]) <= p->atol + p->rtol * fabs(expected[i]));
  return all;
}

/* Whether rows [first, first + n) of n_row elements agree in some order. */
static bool agree_in_order(const pair *p, int64_t first, int64_t n, int64_t n_row) {
  int64_t left[MOST_ROWS], n_left = 0, n_free;
  for (int64_t i = first; i < first + n; i++) {
    if (agree(p, i, i, n_row))
      continue;
    if (n_left == MOST_ROWS)
      return false;
    left[n_left++] = i;
  }
  int64_t free_rows[MOST_ROWS];
  for (n_free = 0; n_free < n_left; n_free++)
    free_rows[n_free] = left[n_free];
  for (int64_t i = 0; i < n_left; i++) {
    int64_t k = 0;
    while (k < n_free && !agree(p, left[i], free_rows[k], n_row))
      k++;
    if (k == n_free)
      return false;
    free_rows[k] = free_rows[--n_free];
  }
  return true;
}

ir_other_order ir_compare_order(const ir_tensor *got, const ir_tensor *expected, double atol, double rtol) {
  const pair p = {got, expected, atol, rtol};
  const int64_t n_row = got->rank < 2 ? 1 : got->dims[got->rank - 1], n = ir_tensor_elements(got);
  if (n == 0 || n_row > IR_BLOCK)
    return IR_ORDER_NOT;
  if (agree_in_order(&p, 0, n / n_row, n_row))
    return IR_ORDER_OF_ROWS;
  bool all = n_row > 1;
  for (int64_t row = 0; row < n / n_row && all; row++)
    all = agree_in_order(&p, row * n_row, n_row, 1);
  return all ? IR_ORDER_IN_ROWS : IR_ORDER_NOT;
}
