#include "run_keys.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NAMES_SHOWN 8

/* ---- meanings of keys ---- */

/* Returns the NAME in "in/NAME" (inputs) or "out/NAME" (outputs); NULL if `key` lacks the prefix. */
static const char *name_behind(const char *key, irrun_side side) {
  const char *prefix = side == IRRUN_INPUTS ? "in/" : "out/";
  const size_t length = strlen(prefix);
  return strncmp(key, prefix, length) == 0 ? key + length : NULL;
}

/* Finds the input or output with this name or number. `*out_index` is -1 if there is none, or if `name` is NULL. */
static irrun_status match_text(cli_run *r, irrun_side side, const char *name, int64_t *out_index) {
  cli_string text = {0};
  const char *rest;
  *out_index = -1;
  if (name == NULL)
    return IRRUN_OK;
  cli_add(&text, "%s=", name);
  irrun_status status = irrun_model_match_name(r->model, side, text.text, out_index, &rest);
  if (status == IRRUN_OK && *out_index >= 0 && *rest != '\0')
    *out_index = -1;
  cli_reset(&text);
  return status;
}

static int64_t count_ends(const cli_run *r, irrun_side side) {
  return side == IRRUN_INPUTS ? r->n_inputs : r->n_outputs;
}

void cli_tensor_of(const cli_run *r, irrun_side side, int64_t index, int64_t *out_layer, int *out_port) {
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, side, index, &io);
  *out_layer = side == IRRUN_INPUTS ? io.layer : io.value.from_layer;
  *out_port = side == IRRUN_INPUTS ? 0 : io.value.from_port;
}

static int compare_text(const char *a, const char *b) {
  return a == NULL || b == NULL ? 0 : strcmp(a, b);
}

/* Compares by tensor and name; a name of NULL equals any. */
static int by_tensor(const void *a, const void *b) {
  const cli_end *x = a, *y = b;
  if (x->layer != y->layer)
    return x->layer > y->layer ? 1 : -1;
  return x->port != y->port ? (x->port > y->port) - (x->port < y->port) : compare_text(x->name, y->name);
}

/* Lists the inputs or outputs, sorted by tensor and name. */
static const cli_end *sort_ends(cli_run *r, irrun_side side) {
  const int64_t n = count_ends(r, side);
  irrun_io io = {.size = sizeof io};
  if (r->ends[side] != NULL)
    return r->ends[side];
  cli_end *ends = cli_allocate((size_t)n + 1, sizeof *ends);
  for (int64_t i = 0; i < n && irrun_model_get_io(r->model, side, i, &io); i++) {
    ends[i] = (cli_end){.name = io.name, .index = i};
    cli_tensor_of(r, side, i, &ends[i].layer, &ends[i].port);
  }
  qsort(ends, (size_t)n, sizeof *ends, by_tensor);
  r->ends[side] = ends;
  return ends;
}

/* Finds the input or output that is output `port` of `layer` and that reports call `name` (NULL: any name). Returns -1
 * if none or several fit. */
static int64_t find_end(cli_run *r, irrun_side side, const char *name, int64_t layer, int port) {
  const cli_end *ends = sort_ends(r, side), wanted = {.layer = layer, .port = port, .name = name};
  const int64_t n = count_ends(r, side);
  int64_t first = 0, end = n;
  while (first < end) {
    const int64_t middle = first + (end - first) / 2;
    if (by_tensor(&ends[middle], &wanted) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  const bool fits = first < n && by_tensor(&ends[first], &wanted) == 0;
  const bool fits_too = first + 1 < n && by_tensor(&ends[first + 1], &wanted) == 0;
  return fits && !fits_too ? ends[first].index : -1;
}

/* Finds the input or output that reports call `name`. Returns -1 if none or several have this name. */
static int64_t find_shown(const cli_run *r, irrun_side side, const char *name) {
  irrun_io io = {.size = sizeof io};
  int64_t found = -1, n = 0;
  for (int64_t i = 0; irrun_model_get_io(r->model, side, i, &io); i++)
    if (strcmp(io.name, name) == 0) {
      found = i;
      n++;
    }
  return n == 1 ? found : -1;
}

void cli_match_tensor(cli_run *r, irrun_side side, int64_t layer, int port, cli_key_match *out) {
  *out = (cli_key_match){.index = find_end(r, side, NULL, layer, port), .layer = layer, .port = port};
}

irrun_status cli_match_key(cli_run *r, irrun_side side, const char *key, cli_key_match *out) {
  const irrun_side other_side = side == IRRUN_INPUTS ? IRRUN_OUTPUTS : IRRUN_INPUTS;
  char candidates[8];
  int64_t n_alike;
  *out = (cli_key_match){.index = -1};
  irrun_status status = irrun_model_find_tensor(r->model, key, &out->layer, &out->port);
  if (status != IRRUN_OK)
    return status;
  if (out->layer >= 0) {
    cli_match_tensor(r, side, out->layer, out->port, out);
    if (out->index < 0)
      out->index = find_end(r, side, key, out->layer, out->port);
    return IRRUN_OK;
  }
  status = irrun_model_list_tensors(r->model, key, candidates, sizeof candidates, &n_alike);
  if (status != IRRUN_OK)
    return status;
  if (n_alike > 0)
    out->index = find_shown(r, side, key);
  else
    status = match_text(r, side, key, &out->index);
  if (status == IRRUN_OK && out->index < 0)
    status = match_text(r, side, name_behind(key, side), &out->index);
  if (out->index >= 0)
    cli_tensor_of(r, side, out->index, &out->layer, &out->port);
  out->is_of_other_side = out->index < 0 && name_behind(key, other_side) != NULL;
  return status;
}

/* ---- faults ---- */

/* Returns the name most similar to `key` among inputs without data, or among outputs without expected values. Returns
 * NULL if none is similar. */
static const char *guess_name(const cli_run *r, irrun_side side, const char *key) {
  const int64_t n = count_ends(r, side);
  const char **names = cli_allocate((size_t)n, sizeof *names);
  size_t n_free = 0;
  irrun_io io = {.size = sizeof io};
  for (int64_t i = 0; i < n && irrun_model_get_io(r->model, side, i, &io); i++)
    if (side == IRRUN_INPUTS ? r->sources[i] == NULL : r->expected[i].path == NULL)
      names[n_free++] = io.name;
  const char *near = irrun_did_you_mean(key, names, n_free);
  free(names);
  return near;
}

/* Adds a hint: the name most similar to `key`. If no name is similar, adds the names that exist. */
static void add_names(cli_string *hint, const cli_run *r, irrun_side side, const char *key) {
  const char *near = guess_name(r, side, key);
  irrun_io io = {.size = sizeof io};
  if (near != NULL) {
    cli_add(hint, "did you mean '");
    cli_add_name(hint, near);
    cli_add(hint, "'?");
    return;
  }
  for (int64_t i = 0; i <= MAX_NAMES_SHOWN && irrun_model_get_io(r->model, side, i, &io); i++) {
    if (i == 0)
      cli_add(hint, "the %ss are ", cli_side_noun(side));
    cli_add(hint, i > 0 ? ", " : "");
    cli_add_name(hint, i < MAX_NAMES_SHOWN ? io.name : "...");
  }
}

irrun_status cli_refuse_keys(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file) {
  const int64_t n_keys = irrun_tensor_file_count(file);
  cli_string keys = {0}, hint = {0};
  if (n_keys == 1 && count_ends(r, side) == 1) {
    cli_add(&hint, "with a name its only key may be any: ");
    cli_add_named_option(&hint, r, side == IRRUN_INPUTS ? "--input" : "--expect", side, 0, path);
  } else {
    add_names(&hint, r, side, irrun_tensor_file_key(file, 0));
  }
  for (int64_t key = 0; key < n_keys && key <= MAX_NAMES_SHOWN; key++) {
    cli_add(&keys, key > 0 ? ", '" : "'");
    cli_add_name(&keys, key < MAX_NAMES_SHOWN ? irrun_tensor_file_key(file, key) : "...");
    cli_add(&keys, "'");
  }
  irrun_status status =
      cli_fault(r->c->context, "IR508", path, cli_text(&hint),
                n_keys == 1 ? "key %s names no %s%s of the model" : "keys %s name no %s%s of the model",
                cli_text(&keys), cli_side_noun(side), side == IRRUN_INPUTS ? "" : " and no layer");
  cli_reset(&keys);
  cli_reset(&hint);
  return status;
}

irrun_status cli_claim_key(cli_run *r, irrun_side side, const char *path, int64_t index, const char **owners,
                           const char *key) {
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, side, index, &io);
  if (owners[index] != NULL)
    return cli_fault(r->c->context, "IR508", path, "leave one of them out", "keys '%s' and '%s' both name %s '%s'",
                     owners[index], key, cli_side_noun(side), io.name);
  owners[index] = key;
  return IRRUN_OK;
}

static irrun_status report_no_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file,
                                  int64_t index) {
  const int64_t n_keys = irrun_tensor_file_count(file);
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, side, index, &io);
  cli_string hint = {0};
  for (int64_t key = 0; key < n_keys && key <= MAX_NAMES_SHOWN; key++) {
    cli_add(&hint, key > 0 ? ", " : "its keys are ");
    cli_add_name(&hint, key < MAX_NAMES_SHOWN ? irrun_tensor_file_key(file, key) : "...");
  }
  irrun_status status =
      cli_fault(r->c->context, "IR508", path, hint.text, "no key is named like %s '%s'", cli_side_noun(side), io.name);
  cli_reset(&hint);
  return status;
}

irrun_status cli_find_key(cli_run *r, irrun_side side, const char *path, irrun_tensor_file *file, int64_t index,
                          int64_t *out_key) {
  const int64_t n_keys = irrun_tensor_file_count(file);
  const char **owners = cli_allocate((size_t)count_ends(r, side), sizeof *owners);
  irrun_status status = IRRUN_OK;
  *out_key = 0;
  for (int64_t key = 0; key < n_keys && n_keys > 1 && status == IRRUN_OK; key++) {
    cli_key_match match;
    const char *name = irrun_tensor_file_key(file, key);
    status = cli_match_key(r, side, name, &match);
    if (status != IRRUN_OK || match.index != index)
      continue;
    status = cli_claim_key(r, side, path, index, owners, name);
    *out_key = key;
  }
  const bool found = owners[index] != NULL || n_keys < 2; /* in a file with one tensor, the key can have any name */
  free(owners);
  return status == IRRUN_OK && !found ? report_no_key(r, side, path, file, index) : status;
}

/* ---- keys and tensors without counterpart ---- */

void cli_add_alone(cli_run *r, irrun_side side, const char *path, const char *name, bool is_tensor) {
  cli_string copy = {0};
  r->alone = cli_with_room(r->alone, (size_t)r->n_alone, &r->alone_capacity, sizeof *r->alone);
  cli_add(&copy, "%s", name);
  r->alone[r->n_alone++] = (cli_alone){side, path, copy.text, is_tensor};
}

void cli_free_keys(cli_run *r) {
  for (int64_t i = 0; i < r->n_alone; i++)
    free(r->alone[i].name);
  free(r->alone);
  free(r->ends[IRRUN_INPUTS]);
  free(r->ends[IRRUN_OUTPUTS]);
}

/* Adds the quoted name. An ambiguous key selects no tensor: adds its candidates too, "'conv4' (of 'relu4',
 * 'conv4/Fused_Add_')". */
static void add_alone(cli_string *list, const cli_run *r, const cli_alone *alone) {
  char candidates[1024];
  int64_t n = 0;
  if (!alone->is_tensor &&
      irrun_model_list_tensors(r->model, alone->name, candidates, sizeof candidates, &n) != IRRUN_OK)
    n = 0;
  cli_add(list, "'");
  cli_add_name(list, alone->name);
  cli_add(list, n > 1 ? "' (of %s)" : "'", candidates);
}

/* Adds "2 keys name no input of the model: 'a', 'b'", or if `tensors`, "1 tensor of the model has no key: 'c'". Adds
 * nothing if the list is empty. */
static void add_list(cli_string *line, const cli_run *r, irrun_side side, const char *path, bool tensors) {
  const char *noun = tensors ? "tensor" : "key", *verb = tensors ? "have" : "name",
             *verb_of_one = tensors ? "has" : "names";
  const char *object = tensors ? "no key" : side == IRRUN_INPUTS ? "no input of the model" : "no tensor of the model";
  cli_string list = {0};
  int64_t n = 0;
  for (int64_t i = 0; i < r->n_alone; i++) {
    const cli_alone *alone = &r->alone[i];
    if (alone->side != side || strcmp(alone->path, path) != 0 || alone->is_tensor != tensors || n++ > MAX_NAMES_SHOWN)
      continue;
    cli_add(&list, n > 1 ? ", " : "");
    if (n <= MAX_NAMES_SHOWN)
      add_alone(&list, r, alone);
    else
      cli_add(&list, "...");
  }
  if (n > 0) {
    cli_add(line, line->length > 0 ? "; " : "");
    cli_add_count(line, n, noun);
    cli_add(line, "%s %s %s: %s", tensors ? " of the model" : "", n == 1 ? verb_of_one : verb, object, cli_text(&list));
  }
  cli_reset(&list);
}

/* Adds "did you mean 'y' by 'yy'?" for the first unmatched key that resembles the name of an input or output without
 * data. */
static void add_guess(cli_string *hint, const cli_run *r, irrun_side side, const char *path) {
  for (int64_t i = 0, n = 0; i < r->n_alone && n < MAX_NAMES_SHOWN && hint->length == 0; i++) {
    const cli_alone *alone = &r->alone[i];
    if (alone->side != side || alone->is_tensor || strcmp(alone->path, path) != 0)
      continue;
    const char *near = guess_name(r, side, alone->name);
    n++;
    if (near == NULL)
      continue;
    cli_add(hint, "did you mean '");
    cli_add_name(hint, near);
    cli_add(hint, "' by '");
    cli_add_name(hint, alone->name);
    cli_add(hint, "'?");
  }
}

irrun_status cli_report_alone(cli_run *r, irrun_side side, const char *path) {
  cli_string line = {0}, hint = {0};
  add_list(&line, r, side, path, false);
  add_list(&line, r, side, path, true);
  add_guess(&hint, r, side, path);
  irrun_status status =
      line.length == 0 ? IRRUN_OK : cli_fault(r->c->context, "IR510", path, hint.text, "%s", cli_text(&line));
  cli_reset(&line);
  cli_reset(&hint);
  return status;
}

irrun_status cli_report_expected_alone(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  for (int64_t i = 0; i < r->n_alone; i++) {
    bool told = r->alone[i].side == IRRUN_INPUTS;
    for (int64_t k = 0; k < i && !told; k++)
      told = r->alone[k].side == IRRUN_OUTPUTS && strcmp(r->alone[k].path, r->alone[i].path) == 0;
    if (!told)
      worst = irrun_status_worse(worst, cli_report_alone(r, IRRUN_OUTPUTS, r->alone[i].path));
  }
  return worst;
}

void cli_print_alone(const cli_run *r) {
  cli_string line = {0};
  for (int64_t i = 0; i < r->n_alone; i++) {
    cli_add(&line, "only in ");
    cli_add_name(&line, r->alone[i].is_tensor ? r->path : r->alone[i].path);
    cli_add(&line, ": ");
    add_alone(&line, r, &r->alone[i]);
    cli_add(&line, "\n");
  }
  fputs(cli_text(&line), r->c->results);
  cli_reset(&line);
}

void cli_json_alone(const cli_run *r, cli_node *model) {
  cli_node *list = cli_node_array(model, "alone");
  for (int64_t i = 0; i < r->n_alone; i++) {
    cli_node *node = cli_node_object(list, NULL);
    cli_node_text(node, "file", r->alone[i].is_tensor ? r->path : r->alone[i].path);
    cli_node_text(node, "name", r->alone[i].name);
  }
}
