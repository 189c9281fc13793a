/* Fills the inputs of a language model that follow from its ids and its state: --llm. */
#include "irrun_state.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

const char cli_llm_source[] = "--llm";

typedef enum llm_content { ONES, COUNTED_ON, WINDOW, COUNTED_FROM_0 } llm_content;

/* The inputs that --llm fills. Their names are those of optimum-intel's models.
 * cache_position belongs to models such as Mamba, which keep a window of fixed size, not all ids. The first step has
 * the numbers of the window's columns, however many ids it reads. A later step reads one id, and has its position. */
static const char window_input[] = "cache_position", window_variable[] = "cache_params.past.conv";
static const struct {
  const char *name;
  llm_content content;
} filled[] = {
    {"attention_mask", ONES}, {"position_ids", COUNTED_ON}, {window_input, WINDOW}, {"beam_idx", COUNTED_FROM_0}};
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
                       "'%s' fills attention_mask, position_ids, cache_position and beam_idx itself, and here is '%s'",
                       option, r->sources[i]);
  return IRRUN_OK;
}

/* Returns the number of ids that the state has: the size of the open axis of its first variable with such an axis, or
 * the number of ids of the steps before. -1: unknown. */
static int64_t find_length(const cli_run *r) {
  irrun_variable variable = {.size = sizeof variable};
  const int64_t given = r->n_ids > 0 || r->before == NULL ? r->n_ids : r->before->n_ids;
  bool is_set = false;
  for (int64_t i = 0; irrun_run_get_variable(r->run, i, &variable); i++) {
    is_set = is_set || variable.is_set;
    if (variable.is_set && variable.token_axis >= 0)
      return variable.info.dims[variable.token_axis];
  }
  return !is_set ? 0 : given > 0 ? given : -1;
}

/* Returns the number of columns of a model's window, or -1. */
static int64_t find_window(const cli_run *r) {
  irrun_variable variable = {.size = sizeof variable};
  irrun_value value = {.size = sizeof value};
  for (int64_t i = 0; irrun_run_get_variable(r->run, i, &variable); i++) {
    if (strncmp(variable.id, window_variable, strlen(window_variable)) != 0 ||
        !irrun_model_get_layer_output(r->model, variable.layer, 0, &value) || value.shape.rank < 1)
      continue;
    const int last = value.shape.rank - 1;
    return value.shape.dims[last].lo == value.shape.dims[last].hi ? value.shape.dims[last].lo : -1;
  }
  return -1;
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

/* Fills an input for ids of the given shape, which follow `past` ids; -1: so many that nobody knows. */
static irrun_status fill_for(cli_run *r, int64_t input, llm_content content, const irrun_tensor_info *ids,
                             int64_t past) {
  const bool is_window = find_input(r, window_input) >= 0;
  const bool is_counted = content == COUNTED_ON || content == WINDOW || (content == ONES && !is_window);
  if (is_counted && past < 0)
    return cli_fault(r->c->context, "IR801", NULL, "give attention_mask, position_ids and cache_position with --input",
                     "'--llm': the length of the state is unknown: it was loaded, and no variable has exactly one "
                     "open size behind the first axis, the batch");
  int64_t dims[] = {ids->dims[0], ids->dims[1]};
  if (content == WINDOW)
    dims[0] = past > 0 ? 1 : find_window(r);
  if (dims[0] < 0)
    return cli_fault(
        r->c->context, "IR801", NULL, "give cache_position with --input",
        "'--llm': the size of the window is unknown: the model has no variable '%s.0' with a known last size",
        window_variable);
  if (content == ONES && !is_window)
    dims[1] += past;
  return fill(r, input, content, is_counted ? past : 0, dims, content == ONES || content == COUNTED_ON ? 2 : 1);
}

irrun_status cli_fill_llm(cli_run *r) {
  const irrun_tensor *given = cli_has_llm(r) ? irrun_run_input(r->run, cli_find_ids(r)) : NULL;
  const irrun_tensor_info info = given != NULL ? irrun_tensor_get_info(given) : (irrun_tensor_info){.rank = 0};
  if (given == NULL || info.rank < 2)
    return IRRUN_OK; /* without a batch and a length, the shapes are unknown */
  const int64_t past = find_length(r);
  irrun_status status = IRRUN_OK;
  for (int i = 0; i < N_FILLED && status == IRRUN_OK; i++) {
    const int64_t input = find_input(r, filled[i].name);
    if (input >= 0 && (r->sources[input] == NULL || r->sources[input] == cli_llm_source))
      status = fill_for(r, input, filled[i].content, &info, past);
  }
  r->n_ids = past < 0 ? 0 : past + info.dims[1];
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
