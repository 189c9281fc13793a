/* Binds --input and --fill. */
#include "run.h"
#include "run_keys.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Marks an input as given. Reports IR801 if the input was given before. */
static irrun_status claim_input(cli_run *r, int64_t input, const char *source) {
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, IRRUN_INPUTS, input, &io);
  if (r->sources[input] != NULL)
    return cli_fault(r->c->context, "IR801", NULL, "give it once", "input '%s' is given twice: '%s' and '%s'", io.name,
                     r->sources[input], source);
  r->sources[input] = source;
  return IRRUN_OK;
}

static irrun_status set_from_file(cli_run *r, int64_t input, irrun_tensor_file *file, int64_t key, const char *path) {
  irrun_io io = {.size = sizeof io};
  irrun_tensor *tensor;
  irrun_model_get_io(r->model, IRRUN_INPUTS, input, &io);
  irrun_status status = claim_input(r, input, path);
  if (r->fit != IRRUN_OK)
    return status;
  if (status == IRRUN_OK)
    status = irrun_tensor_file_read(file, key, io.value.type, &io.value.shape, &tensor);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(r->run, input, tensor, r->c->options.cast, path);
  return status;
}

/* Binds the keys of an .npz to inputs. Other keys are allowed: a file of --save-all has the results of all layers. */
static irrun_status bind_keys(cli_run *r, irrun_tensor_file *file, const char *path) {
  irrun_status worst = IRRUN_OK;
  const int64_t n_keys = irrun_tensor_file_count(file), n_alone = r->n_alone;
  const char **owners = cli_allocate((size_t)r->n_inputs, sizeof *owners);
  for (int64_t key = 0; key < n_keys; key++) {
    const char *name = irrun_tensor_file_key(file, key);
    cli_key_match match;
    irrun_status status = cli_match_key(r, IRRUN_INPUTS, name, &match);
    if (status == IRRUN_OK && match.index >= 0)
      status = cli_claim_key(r, IRRUN_INPUTS, path, match.index, owners, name);
    r->inputs_unclear = r->inputs_unclear || status != IRRUN_OK;
    if (status == IRRUN_OK && match.index >= 0)
      status = set_from_file(r, match.index, file, key, path);
    else if (status == IRRUN_OK && !match.is_of_other_side)
      cli_add_alone(r, IRRUN_INPUTS, path, name, false);
    worst = irrun_status_worse(worst, status);
  }
  free(owners);
  if (worst == IRRUN_OK && n_keys > 0 && r->n_alone - n_alone == n_keys) {
    worst = cli_refuse_keys(r, IRRUN_INPUTS, path, file);
    r->inputs_unclear = true;
  }
  return worst == IRRUN_OK ? cli_report_alone(r, IRRUN_INPUTS, path) : worst;
}

/* Returns the input for a file without NAME: the only input of the model, or the only input that the requested outputs
 * need. Otherwise returns -1. */
static int64_t only_input(const cli_run *r) {
  int64_t only = -1, n_needed = 0;
  for (int64_t i = 0; r->n_inputs > 1 && i < r->n_inputs; i++)
    if (irrun_run_needs(r->run, i)) {
      only = i;
      n_needed++;
    }
  return r->n_inputs == 1 ? 0 : n_needed == 1 ? only : -1;
}

static irrun_status bind_file(cli_run *r, int64_t input, irrun_tensor_file *file, const char *path) {
  int64_t key;
  if (input < 0 && irrun_tensor_file_count(file) >= 0)
    return bind_keys(r, file, path);
  input = input < 0 ? only_input(r) : input;
  if (input < 0)
    return cli_needs_name(r, IRRUN_INPUTS, CLI_OPTION_INPUT, path);
  irrun_status status = cli_find_key(r, IRRUN_INPUTS, path, file, input, &key);
  return status == IRRUN_OK ? set_from_file(r, input, file, key, path) : status;
}

/* Reports IR210 if the input's element type is open. Numbers and fills have no type of their own, but take that of the
 * input. */
static irrun_status check_type_given(cli_run *r, int64_t input, const irrun_io *io) {
  cli_string hint = {0};
  if (io->value.type != IRRUN_DYNAMIC)
    return IRRUN_OK;
  cli_add(&hint, "name it, as in ");
  cli_add_named_option(&hint, r, "--shape", IRRUN_INPUTS, input, "f32[1,3]");
  cli_add(&hint, ", or give a file, which has a type: ");
  cli_add_named_option(&hint, r, "--input", IRRUN_INPUTS, input, "FILE");
  const irrun_status status =
      cli_fault(r->c->context, "IR210", NULL, cli_text(&hint),
                "the element type of input '%s' is not given; irrun needs to know it", io->name);
  cli_reset(&hint);
  return status;
}

/* Sets an input to the numbers in `text`, with the input's type and shape. */
static irrun_status set_literal(cli_run *r, int64_t input, const char *text) {
  irrun_io io = {.size = sizeof io};
  irrun_tensor *tensor;
  input = input < 0 ? only_input(r) : input;
  if (input < 0)
    return cli_needs_name(r, IRRUN_INPUTS, CLI_OPTION_INPUT, text);
  irrun_model_get_io(r->model, IRRUN_INPUTS, input, &io);
  cli_make_one_sequence(r, &io.value);
  irrun_status status = claim_input(r, input, text);
  if (status != IRRUN_OK || r->fit != IRRUN_OK)
    return status;
  status = check_type_given(r, input, &io);
  if (status != IRRUN_OK)
    return status;
  status = irrun_tensor_literal(r->c->context, text, io.name, &io.value, &tensor);
  return status == IRRUN_OK ? irrun_run_set_input(r->run, input, tensor, false, "--input") : status;
}

static irrun_status open_and_bind(cli_run *r, int64_t input, const char *path) {
  irrun_tensor_file *file;
  const bool is_list = *path == '[' || *path == '(' || strchr(path, ',') != NULL;
  if (is_list && access(path, F_OK) != 0)
    return cli_fault(r->c->context, "IR801", NULL, "write the numbers one after the other, row-major: x=1,2,3,4",
                     "'--input %s': neither a file nor one list of numbers", path);
  irrun_status status = cli_claim_stdin(r, CLI_OPTION_INPUT, path);
  if (status != IRRUN_OK)
    return status;
  status = irrun_tensor_file_open_as(r->c->context, path, r->c->options.form, &file);
  if (status == IRRUN_OK)
    status = bind_file(r, input, file, r->inputs_name != NULL ? r->inputs_name : path);
  irrun_tensor_file_free(file);
  return status;
}

/* Binds an argument of --input. Text after '@' is a file name; other text is a list of numbers if
 * irrun_tensor_is_literal accepts it, else a file name. */
static irrun_status bind_input(cli_run *r, const char *text) {
  int64_t input;
  const char *path;
  irrun_status status = cli_match_option(r, IRRUN_INPUTS, CLI_OPTION_INPUT, text, true, &input, &path);
  const bool is_numbers = status == IRRUN_OK && irrun_tensor_is_literal(path);
  path += *path == '@' && path[1] != '\0';
  if (status == IRRUN_OK)
    status = is_numbers ? set_literal(r, input, path) : open_and_bind(r, input, path);
  int64_t meant = input < 0 ? only_input(r) : input;
  if (status != IRRUN_OK && meant >= 0 && r->sources[meant] == NULL)
    r->sources[meant] = path;
  else if (status != IRRUN_OK && meant < 0)
    r->inputs_unclear = true;
  return status;
}

/* Writes example sizes for a hint, which fit the shape: the smallest size above 0 of each axis, "1,3,224,1". For an
 * unknown rank, writes the sizes of an image. */
static const char *example_dims(const irrun_shape *shape, char *buffer, size_t size) {
  size_t used = 0;
  snprintf(buffer, size, "%s", shape->rank < 0 ? "1,3,224,224" : "");
  for (int axis = 0; axis < shape->rank && used < size; axis++) {
    int64_t least = shape->dims[axis].lo, most = shape->dims[axis].hi;
    used += (size_t)snprintf(buffer + used, size - used, "%s%lld", axis > 0 ? "," : "",
                             (long long)(least > 0 || most == 0 ? least : 1));
  }
  return buffer;
}

/* Fills an input by `kind`; if it is NULL, by the default. */
static irrun_status fill_input(cli_run *r, int64_t input, const char *kind) {
  irrun_io io = {.size = sizeof io};
  irrun_tensor *tensor;
  int64_t dims[IRRUN_MAX_RANK];
  /* the run cannot be planned, whatever the input */
  if (r->fit != IRRUN_OK)
    return IRRUN_OK;
  irrun_model_get_io(r->model, IRRUN_INPUTS, input, &io);
  if (kind == NULL)
    kind = r->sources[input] = cli_make_prompt(r, input, &io.value);
  const irrun_shape *shape = &io.value.shape;
  bool known = shape->rank >= 0;
  for (int axis = 0; axis < shape->rank; axis++) {
    known = known && shape->dims[axis].lo == shape->dims[axis].hi;
    dims[axis] = shape->dims[axis].lo;
  }
  if (!known) {
    char text[IRRUN_SHAPE_TEXT];
    cli_string hint = {0};
    char dims_text[IRRUN_SHAPE_TEXT], example[IRRUN_SHAPE_TEXT + sizeof "f32[]"];
    cli_add(&hint, "say how large it is: ");
    example_dims(shape, dims_text, sizeof dims_text);
    snprintf(example, sizeof example, io.value.type == IRRUN_DYNAMIC ? "f32[%s]" : "%s", dims_text);
    cli_add_named_option(&hint, r, "--shape", IRRUN_INPUTS, input, example);
    cli_add(&hint, ", or give a file, which has a shape: ");
    cli_add_named_option(&hint, r, "--input", IRRUN_INPUTS, input, "FILE");
    irrun_status status = cli_fault(r->c->context, "IR309", NULL, cli_text(&hint),
                                    "input '%s' cannot be filled: its shape %s is not known", io.name,
                                    irrun_shape_text(shape, text, sizeof text));
    cli_reset(&hint);
    return status;
  }
  irrun_status status = check_type_given(r, input, &io);
  if (status != IRRUN_OK)
    return status;
  status = irrun_tensor_fill(r->c->context, kind, io.value.type, shape->rank, dims, &tensor);
  if (status == IRRUN_OK)
    status = irrun_run_set_input(r->run, input, tensor, false, "--fill");
  return status;
}

/* Binds each --fill with a NAME. `*out_rest` is the KIND of the --fill without NAME, for all other inputs, or NULL. */
static irrun_status bind_fills(cli_run *r, const char **out_rest) {
  irrun_status worst = IRRUN_OK;
  const char *text, *kind;
  *out_rest = NULL;
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_FILL, &at)) != NULL;) {
    int64_t input;
    irrun_status status = cli_match_option(r, IRRUN_INPUTS, CLI_OPTION_FILL, text, false, &input, &kind);
    r->inputs_unclear = r->inputs_unclear || status != IRRUN_OK;
    if (status == IRRUN_OK && input >= 0) {
      status = claim_input(r, input, text);
      if (status == IRRUN_OK)
        status = fill_input(r, input, kind);
    } else if (status == IRRUN_OK && *out_rest != NULL) {
      status = cli_fault(r->c->context, "IR801", NULL, "name an input: --fill NAME=KIND",
                         "'--fill %s' and '--fill %s' are both for all inputs", *out_rest, kind);
    } else if (status == IRRUN_OK) {
      *out_rest = kind;
    }
    worst = irrun_status_worse(worst, status);
  }
  return worst;
}

static void add_way(cli_string *hint, const cli_run *r, int64_t input, const char *option, const char *argument) {
  if (r->n_inputs > 1)
    cli_add_named_option(hint, r, option, IRRUN_INPUTS, input, argument);
  else
    cli_add_option(hint, option, NULL, argument);
}

/* Inputs without data: their number `n`, and the first of them, `named`, which messages name. */
enum { MAX_NAMED = 4 };
typedef struct missing_inputs {
  int64_t named[MAX_NAMED], n;
} missing_inputs;

static void add_missing(missing_inputs *missing, int64_t input) {
  if (missing->n < MAX_NAMED)
    missing->named[missing->n] = input;
  missing->n++;
}

static void add_ways(cli_string *hint, const cli_run *r, const missing_inputs *missing) {
  for (int64_t i = 0; i < missing->n && i < MAX_NAMED; i++) {
    cli_add(hint, "%s", i > 0 ? " " : "");
    add_way(hint, r, missing->named[i], "--input", "FILE");
  }
  if (missing->n > MAX_NAMED)
    cli_add(hint, " ...");
  cli_add(hint, " or ");
  if (missing->n > 1)
    cli_add(hint, "--fill random");
  else
    add_way(hint, r, missing->named[0], "--fill", "random");
}

/* Reports all missing inputs as one fault. */
static irrun_status report_missing(cli_run *r, const missing_inputs *missing) {
  cli_string message = {0}, hint = {0};
  if (missing->n > 1)
    cli_add(&message, "%lld inputs are missing: ", (long long)missing->n);
  for (int64_t i = 0; i < missing->n && i < MAX_NAMED; i++) {
    irrun_io io = {.size = sizeof io};
    irrun_model_get_io(r->model, IRRUN_INPUTS, missing->named[i], &io);
    cli_add(&message, missing->n > 1 ? "%s'%s' " : "%sinput '%s', ", i > 0 ? ", " : "", io.name);
    cli_add_value(&message, &io.value);
  }
  cli_add(&message, missing->n == 1 ? ", is missing" : missing->n > MAX_NAMED ? ", ..." : "");
  add_ways(&hint, r, missing);
  irrun_status status = cli_fault(r->c->context, "IR501", NULL, cli_text(&hint), "%s", cli_text(&message));
  cli_reset(&message);
  cli_reset(&hint);
  return status;
}

/* Checks a KIND of --fill before the model is read, by filling an empty tensor. */
static irrun_status check_kind(irrun_context *context, const char *kind) {
  static const int64_t none[] = {0};
  irrun_tensor *tensor;
  irrun_status status = irrun_tensor_fill(context, kind, IRRUN_F64, 1, none, &tensor);
  irrun_tensor_free(tensor);
  return status;
}

irrun_status cli_check_fills(cli *c) {
  int at = 0;
  irrun_status worst = IRRUN_OK;
  for (const char *text; (text = cli_options_next(&c->options, CLI_OPTION_FILL, &at)) != NULL;) {
    const char *sign = strrchr(text, '=');
    worst = irrun_status_worse(worst, check_kind(c->context, sign != NULL ? sign + 1 : text));
  }
  return worst;
}

static irrun_status complete_input(cli_run *r, int64_t input, const char *kind, missing_inputs *missing) {
  if (kind != NULL)
    return fill_input(r, input, kind);
  if (r->default_fill == NULL) {
    add_missing(missing, input);
    return IRRUN_OK;
  }
  return fill_input(r, input, NULL);
}

/* Fills the needed inputs that have no data with `kind`; if `kind` is NULL, with r->default_fill. If both are NULL,
 * reports these inputs as missing. */
static irrun_status complete_inputs(cli_run *r, const char *kind) {
  irrun_status worst = IRRUN_OK, status = IRRUN_OK;
  missing_inputs missing = {.n = 0};
  /* a faulty KIND fails for every input: report the fault once */
  for (int64_t i = 0; i < r->n_inputs && status != IRRUN_USAGE; i++) {
    if (r->sources[i] != NULL || r->inputs_unclear || !irrun_run_needs(r->run, i) || cli_is_filled_later(r, i))
      continue;
    status = complete_input(r, i, kind, &missing);
    worst = irrun_status_worse(worst, status);
  }
  return missing.n > 0 && !r->may_lack_inputs ? irrun_status_worse(worst, report_missing(r, &missing)) : worst;
}

irrun_status cli_bind_inputs(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text, *kind;
  r->sources = cli_allocate((size_t)r->n_inputs, sizeof *r->sources);
  r->fit = irrun_status_worse(cli_check_llm(r), irrun_run_plan(r->run));
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_INPUT, &at)) != NULL;)
    worst = irrun_status_worse(worst, bind_input(r, text));
  if (r->fit == IRRUN_OK && worst == IRRUN_OK)
    r->fit = irrun_run_plan(r->run); /* plan again: tensors from files can close shapes that were open */
  worst = irrun_status_worse(worst, bind_fills(r, &kind));
  worst = irrun_status_worse(worst, complete_inputs(r, kind));
  if (worst == IRRUN_OK && r->fit == IRRUN_OK)
    worst = cli_fill_llm(r);
  return irrun_status_worse(worst, r->fit);
}
