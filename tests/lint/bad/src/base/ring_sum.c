/* Calls what calls it, and a folder above. */
void ir_bad_ring(int n);
void ir_bad_sum(int n);
void ir_bad_infer(void);

void ir_bad_sum(int n) {
  ir_bad_ring(n);
  ir_bad_infer();
}
