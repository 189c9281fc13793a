/* Calls what calls it. */
void ir_bad_ring(int n);
void ir_bad_sum(int n);

void ir_bad_ring(int n) {
  if (n > 0)
    ir_bad_sum(n - 1);
}
