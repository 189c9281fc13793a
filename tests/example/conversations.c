/* Two conversations with one language model at the same time. Each thread has a context and a run, and so a state. The
 * weights are in memory once. usage: conversations MODEL.xml */
#include <irrun.h>
#include <pthread.h>
#include <stdio.h>

enum { IDS, MASK, POSITIONS, BEAMS, N_INPUTS, N_ANSWER = 6 };

static irrun_model *model;
static int64_t inputs[N_INPUTS]; /* their numbers */

typedef struct conversation {
  const int64_t *prompt;
  int64_t n_prompt, answer[N_ANSWER];
  irrun_status status;
} conversation;

/* Sets an input to n numbers: those of `ids`; NULL: `first`, `first` + step and so on. */
static irrun_status set(irrun_context *context, irrun_run *run, int input, int64_t n, const int64_t *ids, int64_t first,
                        int64_t step) {
  const int64_t dims[] = {1, n};
  const int32_t no_beam = 0;
  int64_t numbers[64] = {0};
  irrun_tensor *tensor;
  for (int64_t i = 0; i < n && i < 64; i++)
    numbers[i] = ids != NULL ? ids[i] : first + i * step;
  irrun_status status = input == BEAMS
                            ? irrun_tensor_create(context, IRRUN_I32, 1, dims, &no_beam, 4, &tensor)
                            : irrun_tensor_create(context, IRRUN_I64, 2, dims, numbers, (size_t)n * 8, &tensor);
  return status == IRRUN_OK ? irrun_run_set_input(run, inputs[input], tensor, false, NULL) : status;
}

/* Gives the model n ids after `past` others, and takes the most probable next one. */
static irrun_status step(irrun_context *context, irrun_run *run, const int64_t *ids, int64_t n, int64_t past,
                         int64_t *out_id) {
  irrun_status status = set(context, run, IDS, n, ids, 0, 0);
  if (status == IRRUN_OK)
    status = set(context, run, MASK, past + n, NULL, 1, 0);
  if (status == IRRUN_OK)
    status = set(context, run, POSITIONS, n, NULL, past, 1);
  if (status == IRRUN_OK)
    status = set(context, run, BEAMS, 1, NULL, 0, 0);
  if (status == IRRUN_OK)
    status = irrun_run_execute(run);
  if (status != IRRUN_OK)
    return status;
  const irrun_tensor_info logits = irrun_tensor_get_info(irrun_run_output(run, 0)); /* f32[1, n, vocabulary] */
  const float *last = (const float *)logits.data + (n - 1) * logits.dims[2];
  *out_id = 0;
  for (int64_t i = 1; i < logits.dims[2]; i++)
    *out_id = last[i] > last[*out_id] ? i : *out_id;
  return IRRUN_OK;
}

static void *converse(void *user) {
  conversation *c = user;
  irrun_context *context = irrun_context_create(NULL);
  irrun_run *run = NULL;
  c->status = context == NULL ? IRRUN_IO : irrun_context_set_threads(context, 1);
  if (c->status == IRRUN_OK)
    c->status = irrun_run_create_in(context, model, &run);
  if (c->status == IRRUN_OK)
    c->status = step(context, run, c->prompt, c->n_prompt, 0, &c->answer[0]);
  for (int i = 1; i < N_ANSWER && c->status == IRRUN_OK; i++)
    c->status = step(context, run, &c->answer[i - 1], 1, c->n_prompt + i - 1, &c->answer[i]);
  irrun_run_free(run);
  irrun_context_free(context);
  return NULL;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"input_ids", "attention_mask", "position_ids", "beam_idx"};
  conversation both[] = {{(const int64_t[]){1, 2, 3, 1}, 4, {0}, IRRUN_OK},
                         {(const int64_t[]){7, 8, 7}, 3, {0}, IRRUN_OK}};
  irrun_context *context = irrun_context_create(NULL);
  irrun_status status = argc == 2 && context != NULL ? IRRUN_OK : IRRUN_USAGE;
  pthread_t other;
  if (status == IRRUN_OK)
    status = irrun_model_read(context, argv[1], NULL, IRRUN_TO_RUN, &model);
  for (int i = 0; i < N_INPUTS && status == IRRUN_OK; i++)
    status = irrun_model_find_name(model, IRRUN_INPUTS, names[i], NULL, &inputs[i]);
  if (status == IRRUN_OK && pthread_create(&other, NULL, converse, &both[1]) == 0) {
    converse(&both[0]);
    pthread_join(other, NULL);
    for (int i = 0; i < 2 && status == IRRUN_OK; i++) {
      status = both[i].status;
      for (int k = 0; k < N_ANSWER && status == IRRUN_OK; k++)
        printf("%lld%s", (long long)both[i].answer[k], k + 1 < N_ANSWER ? " " : "\n");
    }
  }
  irrun_model_free(model);
  irrun_context_free(context);
  return status;
}
