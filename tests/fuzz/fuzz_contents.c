/* Fuzz target: runs a model on hostile inputs: indices, axes, sizes and lengths that ops read from tensors. Input:
 * fuzz_split; the inputs take their elements from the end of the .bin, backwards. */
#include "fuzz.h"

#include <math.h>

enum { MOST_ELEMENTS = 4096 }; /* of an input with contents */

typedef struct elements {
  const uint8_t *bytes;
  size_t n, used;
} elements;

/* The next byte; repeats the bytes if they are used up. */
static uint8_t next_byte(elements *e) {
  return e->n == 0 ? 0 : e->bytes[e->n - 1 - e->used++ % e->n];
}

/* Makes an element from one byte: below 200 a small integer, else an extreme number. */
static double next_number(elements *e) {
  static const double extremes[] = {NAN,    INFINITY, -INFINITY, -0.0,       0.5,        1e-40,  1e38,
                                    -1e38,  0x1p31,   -0x1p31,   0x1p31 - 1, 0x1p32 - 1, 0x1p63, -0x1p63,
                                    0x1p62, 0x1p16,   0x1p8,     0x1p7,      -0x1p7,     1e9,    -1e9};
  const uint8_t byte = next_byte(e);
  if (byte >= 200)
    return extremes[(byte - 200) % (sizeof extremes / sizeof *extremes)];
  return byte % 20 - 6;
}

static irrun_status fill(void *user, irrun_context *context, int turn, const irrun_io *input, int rank,
                         const int64_t *dims, irrun_tensor **out_tensor) {
  static double numbers[MOST_ELEMENTS];
  int64_t n = 1;
  (void)turn;
  for (int i = 0; i < rank; i++)
    n = n > MOST_ELEMENTS || dims[i] > MOST_ELEMENTS ? MOST_ELEMENTS + 1 : n * dims[i];
  if (n > MOST_ELEMENTS)
    return irrun_tensor_fill(context, "random:1", input->value.type, rank, dims, out_tensor);
  for (int64_t i = 0; i < n; i++)
    numbers[i] = next_number(user);
  return irrun_tensor_create(context, IRRUN_F64, rank, dims, numbers, (size_t)n * sizeof *numbers, out_tensor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const fuzz_model model = fuzz_split(data, size);
  elements e = {model.weights.data, model.weights.bytes, 0};
  if (fuzz_run_model("model.xml", model, true, fill, &e))
    fuzz_keep_run(data, size);
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  fuzz_rng rng = {seed};
  return fuzz_mutate_ir(data, fuzz_take_run(data, size, most, &rng), most, seed);
}
