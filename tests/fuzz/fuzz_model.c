/* Fuzz target: reads, checks and runs an IR on inputs that irrun fills. Input: fuzz_split. */
#include "fuzz.h"

static irrun_status fill(void *user, irrun_context *context, int turn, const irrun_io *input, int rank,
                         const int64_t *dims, irrun_tensor **out_tensor) {
  static const char *const kinds[] = {"random:1", "iota", "-3..3:2"};
  (void)user;
  return irrun_tensor_fill(context, kinds[turn], input->value.type, rank, dims, out_tensor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_rng rng = fuzz_seed_of(data, size);
  const bool lenient = !fuzz_one_in(&rng, 4);
  if (fuzz_run_model("model.xml", fuzz_split(data, size), lenient, fill, NULL))
    fuzz_keep_run(data, size);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  fuzz_rng rng = {seed};
  return fuzz_mutate_ir(data, fuzz_take_run(data, size, most, &rng), most, seed);
}
