#include "fuzz.h"

/* Limits of one run. Time and memory of what a model asks for are no faults. */
#define MOST_MEMORY ((size_t)64 << 20)
#define MOST_NS     INT64_C(100000000)

/* Allows each rule that can be allowed. Some of their findings stay errors. */
static void allow_all(irrun_context *context) {
  irrun_rule rule = {.size = sizeof rule};
  for (int64_t i = 0; irrun_rule_get(i, &rule); i++)
    if (rule.allow != NULL && irrun_context_allow(context, rule.id) != IRRUN_OK)
      fuzz_fail("a rule that cannot be allowed");
}

static void set_way(irrun_context *context, irrun_kernels kernels, int n_threads) {
  irrun_context_set_kernels(context, kernels);
  if (irrun_context_set_threads(context, n_threads) != IRRUN_OK)
    fuzz_fail("a number of threads is refused");
}

/* A size that the model allows: 2 or the nearest one. */
static int64_t choose_dim(int64_t least, int64_t most) {
  return least > 2 ? least : most < 2 ? most : 2;
}

static irrun_status set_inputs(irrun_context *context, irrun_model *model, irrun_run *run, int turn, fuzz_fill *fill,
                               void *user) {
  irrun_status status = IRRUN_OK;
  irrun_io io = {.size = sizeof io, .value.size = sizeof io.value};
  for (int64_t i = 0; status == IRRUN_OK && irrun_model_get_io(model, IRRUN_INPUTS, i, &io); i++) {
    int64_t dims[IRRUN_MAX_RANK] = {2, 2, 2};
    const int rank = io.value.shape.rank < 0 ? 3 : io.value.shape.rank;
    for (int k = 0; k < io.value.shape.rank; k++)
      dims[k] = choose_dim(io.value.shape.dims[k].lo, io.value.shape.dims[k].hi);
    irrun_tensor *tensor = NULL;
    if (io.value.type == IRRUN_DYNAMIC)
      io.value.type = IRRUN_F32;
    status = fill(user, context, turn, &io, rank, dims, &tensor);
    if (status == IRRUN_OK)
      status = irrun_run_set_input(run, i, tensor, true, "input");
  }
  return status;
}

/* Reads every element of every output, for sanitizers that watch reads. */
static void read_outputs(const irrun_run *run, int64_t n_outputs) {
  for (int64_t i = 0; i < n_outputs; i++) {
    const irrun_tensor *output = irrun_run_output(run, i);
    if (output == NULL)
      fuzz_fail("an output is missing");
    (void)irrun_tensor_statistics(output);
  }
}

static bool run_times(irrun_context *context, irrun_model *model, int n_turns, fuzz_fill *fill, void *user) {
  irrun_model_info info = {.size = sizeof info};
  irrun_run *run = NULL;
  if (!irrun_model_get_info(model, &info))
    fuzz_fail("a model without info");
  irrun_status status = irrun_run_create(model, &run);
  fuzz_judge(context, status);
  for (int turn = 0; status == IRRUN_OK && turn < n_turns; turn++) {
    status = set_inputs(context, model, run, turn, fill, user);
    if (status == IRRUN_OK)
      status = irrun_run_execute(run);
    fuzz_judge(context, status);
    if (status == IRRUN_OK)
      read_outputs(run, info.n_outputs);
  }
  irrun_run_free(run);
  return status == IRRUN_OK;
}

bool fuzz_run_model(const char *name, fuzz_model model, bool lenient, fuzz_fill *fill, void *user) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *read = NULL;
  irrun_context_set_max_memory(context, MOST_MEMORY);
  irrun_context_set_max_time(context, MOST_NS);
  if (lenient)
    allow_all(context);
  irrun_status status = irrun_model_read_memory(context, name, model.text, model.weights.data ? &model.weights : NULL,
                                                IRRUN_TO_RUN, NULL, 0, &read);
  fuzz_judge(context, status);
  bool was_run = false;
  if (status == IRRUN_OK) {
    set_way(context, IRRUN_KERNELS_PLAIN, 1);
    was_run = run_times(context, read, 1, fill, user);
    set_way(context, IRRUN_KERNELS_FAST, 2);
    run_times(context, read, 2, fill, user);
  }
  fuzz_count(was_run);
  irrun_model_free(read);
  irrun_context_free(context);
  return was_run;
}
