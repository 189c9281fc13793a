void ir_bad_infer(void);

void ir_bad_infer(void) {}
