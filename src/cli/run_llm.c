/* Fills the inputs of a language model that follow from its ids and its state: --llm. */
#include "irrun_state.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

const char cli_llm_source[] = "--llm";

typedef enum llm_content { ONES, COUNTED_ON, COUNTED_FROM_0 } llm_content;

/* The inputs that --llm fills. Their names are those of optimum-intel's models. */
static const struct {
  const char *name;
  llm_content content;
} filled[] = {{"attention_mask", ONES}, {"position_ids", COUNTED_ON}, {"beam_idx", COUNTED_FROM_0}};
enum { N_FILLED = sizeof filled / sizeof filled[0] };

bool cli_has_llm(const cli_run *r) {
  return r->c->options.mode == CLI_GREEDY || cli_options_have(&r->c->options, CLI_OPTION_LLM);
}

const char *cli_make_prompt(cli_run *r, int64_t input, irrun_value *value) {
  enum { TOKENS = 128 };
  irrun_shape *shape = &value->shape;
  if (!cli_has_llm(r) || r->c->options.mode != CLI_BENCH || input != cli_find_ids(r) || shape->rank < 2)
    return r->default_fill;
  if (shape->dims[0].lo <= 1)
    shape->dims[0].lo = shape->dims[0].hi = 1;
  if (shape->dims[1].hi == INT64_MAX)
    shape->dims[1].hi = TOKENS;
  shape->dims[1].lo = shape->dims[1].hi;
  return shape->rank == 2 ? "0..9:1" : r->default_fill; /* ids that every vocabulary has */
}

void cli_make_one_sequence(const cli_run *r, irrun_value *value) {
  irrun_shape *shape = &value->shape;
  if (!cli_has_llm(r) || shape->rank != 2)
    return;
  if (shape->dims[0].lo <= 1 && shape->dims[0].hi > 1 && shape->dims[1].lo < shape->dims[1].hi)
    shape->dims[0].lo = shape->dims[0].hi = 1;
}

/* Returns the number of an input, or -1. */
static int64_t find_input(cli_run *r, const char *name) {
  cli_string text = {0};
  const char *rest;
  int64_t input;
  cli_add(&text, "%s=", name);
  if (irrun_model_match_name(r->model, IRRUN_INPUTS, text.text, &input, &rest) != IRRUN_OK)
    input = -1;
  cli_reset(&text);
  return input;
}

int64_t cli_find_ids(cli_run *r) {
  const int64_t ids = find_input(r, "input_ids");
  return ids >= 0 ? ids : find_input(r, "inputs_embeds");
}

irrun_status cli_check_llm(cli_run *r) {
  return !cli_has_llm(r) || cli_find_ids(r) >= 0
             ? IRRUN_OK
             : cli_fault(r->c->context, "IR801", NULL, NULL, "'--%s': the model has no input 'input_ids'",
                         r->c->options.mode == CLI_GREEDY ? "greedy" : "llm");
}

bool cli_is_llm_input(cli_run *r, int64_t input) {
  bool found = false;
  for (int i = 0; i < N_FILLED; i++)
    found = found || find_input(r, filled[i].name) == input;
  return found;
}

irrun_status cli_check_variables(cli_run *r, const char *option) {
  irrun_variable variable = {.size = sizeof variable};
  if (irrun_run_get_variable(r->run, 0, &variable))
    return IRRUN_OK;
  return cli_fault(r->c->context, "IR801", NULL, NULL,
                   "'%s' needs a model that keeps what it has read in variables (ReadValue), and this model has none",
                   option);
}

irrun_status cli_check_filled(cli_run *r, const char *option) {
  for (int64_t i = 0; i < r->n_inputs; i++)
    if (cli_is_llm_input(r, i) && r->sources[i] != cli_llm_source)
      return cli_fault(r->c->context, "IR801", NULL, "leave it out",
                       "'%s' fills attention_mask, position_ids and beam_idx itself, and here is '%s'", option,
                       r->sources[i]);
  return IRRUN_OK;
}

/* Sets `*out_length` to the number of ids that the state has: the size of the open axis of its first variable with such
 * an axis. */
static irrun_status find_length(cli_run *r, int64_t *out_length) {
  irrun_variable variable = {.size = sizeof variable};
  bool is_set = false;
  *out_length = 0;
  for (int64_t i = 0; irrun_run_get_variable(r->run, i, &variable); i++) {
    const int axis = variable.is_set ? variable.token_axis : -1;
    is_set = is_set || variable.is_set;
    if (axis < 0)
      continue;
    *out_length = variable.info.dims[axis];
    return IRRUN_OK;
  }
  return !is_set
             ? IRRUN_OK
             : cli_fault(r->c->context, "IR801", NULL, "give attention_mask and position_ids with --input",
                         "'--llm': the length of the state is unknown: no variable has exactly one open size behind "
                         "the first axis, the batch");
}

static irrun_status fill(cli_run *r, int64_t input, llm_content content, int64_t first, const int64_t *dims, int rank) {
  const int64_t n_rows = rank == 2 ? dims[0] : 1, n_columns = dims[rank - 1];
  int64_t *elements = cli_allocate((size_t)(n_rows * n_columns), sizeof *elements);
  irrun_tensor *tensor;
  for (int64_t i = 0; i < n_rows * n_columns; i++)
    elements[i] = content == ONES ? 1 : first + i % n_columns;
  irrun_status status = irrun_tensor_create(r->c->context, IRRUN_I64, rank, dims, elements,
                                            (size_t)(n_rows * n_columns) * sizeof *elements, &tensor);
  free(elements);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(r->run, input, tensor, true, cli_llm_source);
  r->sources[input] = cli_llm_source;
  return status;
}

irrun_status cli_fill_llm(cli_run *r) {
  const irrun_tensor *given = cli_has_llm(r) ? irrun_run_input(r->run, cli_find_ids(r)) : NULL;
  int64_t past = -1; /* the length of the state; -1: not known yet */
  const irrun_tensor_info info = given != NULL ? irrun_tensor_get_info(given) : (irrun_tensor_info){.rank = 0};
  if (given == NULL || info.rank < 2)
    return IRRUN_OK; /* without a batch and a length, the shapes are unknown */
  irrun_status status = IRRUN_OK;
  for (int i = 0; i < N_FILLED && status == IRRUN_OK; i++) {
    const int64_t input = find_input(r, filled[i].name);
    const llm_content content = filled[i].content;
    if (input < 0 || (r->sources[input] != NULL && r->sources[input] != cli_llm_source))
      continue;
    if (content != COUNTED_FROM_0 && past < 0)
      status = find_length(r, &past);
    const int64_t dims[] = {info.dims[0], content == ONES ? past + info.dims[1] : info.dims[1]};
    if (status == IRRUN_OK)
      status = fill(r, input, content, content == COUNTED_ON ? past : 0, dims, content == COUNTED_FROM_0 ? 1 : 2);
  }
  return status;
}

void cli_print_llm(cli_run *r) {
  cli_string line = {0};
  for (int i = 0; i < N_FILLED && cli_has_llm(r) && r->sources != NULL; i++) {
    const int64_t input = find_input(r, filled[i].name);
    const irrun_tensor *tensor =
        input >= 0 && r->sources[input] == cli_llm_source ? irrun_run_input(r->run, input) : NULL;
    char first[48];
    if (tensor == NULL || irrun_tensor_get_info(tensor).elements == 0)
      continue;
    cli_add(&line, "%s%s ", line.length > 0 ? ", " : "", filled[i].name);
    cli_add_tensor(&line, tensor);
    if (filled[i].content == ONES)
      cli_add(&line, " ones");
    else
      cli_add(&line, " from %s", irrun_tensor_text(tensor, 0, first, sizeof first));
  }
  if (line.length > 0)
    fprintf(r->c->results, "filled  %s\n", cli_text(&line));
  cli_reset(&line);
}

void cli_json_llm(cli_run *r, cli_node *node) {
  cli_node *list = NULL;
  for (int i = 0; i < N_FILLED && cli_has_llm(r) && r->sources != NULL; i++) {
    const int64_t input = find_input(r, filled[i].name);
    if (input < 0 || r->sources[input] != cli_llm_source)
      continue;
    list = list != NULL ? list : cli_node_array(node, "filled");
    cli_node_text(list, NULL, filled[i].name);
  }
}
