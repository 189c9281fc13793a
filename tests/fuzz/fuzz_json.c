/* Fuzz target: reads, checks and runs a model of nGraph: JSON, or a cpio archive of JSON and constants. */
#include "fuzz.h"

static irrun_status fill(void *user, irrun_context *context, int turn, const irrun_io *input, int rank,
                         const int64_t *dims, irrun_tensor **out_tensor) {
  (void)user;
  return irrun_tensor_fill(context, turn == 0 ? "random:1" : "iota", input->value.type, rank, dims, out_tensor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_rng rng = fuzz_seed_of(data, size);
  const fuzz_model model = {.text = {data, size}};
  (void)fuzz_run_model("model.json", model, !fuzz_one_in(&rng, 4), fill, NULL);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  return fuzz_mutate_json(data, size, most, seed);
}
