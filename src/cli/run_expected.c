/* Binds --expect, --atol, --rtol, --ulp and --heatmap. */
#include "page_run.h"
#include "peer.h"

#include <stdlib.h>
#include <string.h>

static irrun_status expect(cli_run *r, int64_t output, irrun_tensor_file *file, int64_t key, const char *path) {
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  if (r->expected[output].path != NULL)
    return cli_fault(r->c->context, "IR801", NULL, "give it once", "output '%s' is expected twice: '%s' and '%s'",
                     io.name, r->expected[output].path, path);
  r->expected[output].path = path;
  r->expected[output].file = file;
  r->expected[output].key = key;
  r->requested[output] = true;
  return IRRUN_OK;
}

cli_inner *cli_add_inner(cli_run *r) {
  r->inner = cli_with_room(r->inner, (size_t)r->n_inner, &r->inner_capacity, sizeof *r->inner);
  return &r->inner[r->n_inner++];
}

static void expect_inner(cli_run *r, int64_t layer, int port, irrun_tensor_file *file, int64_t key, const char *path) {
  *cli_add_inner(r) =
      (cli_inner){.layer = layer, .port = port, .output = -1, .file = file, .key = key, .path = path, .order = -1};
}

/* Binds a key of an .npz to the output or inner tensor that the key names. A second key for the same output is compared
 * like an inner tensor. */
static irrun_status expect_key(cli_run *r, irrun_tensor_file *file, int64_t key, const char *path,
                               const cli_key_match *match) {
  if (match->index >= 0 && r->expected[match->index].path != path)
    return expect(r, match->index, file, key, path);
  expect_inner(r, match->layer, match->port, file, key, path);
  return IRRUN_OK;
}

irrun_status cli_expect_keys(cli_run *r, irrun_tensor_file *file, const char *path) {
  irrun_status worst = IRRUN_OK;
  const int64_t n_keys = irrun_tensor_file_count(file), n_alone = r->n_alone;
  for (int64_t key = 0; key < n_keys; key++) {
    const char *name = irrun_tensor_file_key(file, key);
    cli_key_match match;
    irrun_status status =
        r->peer != NULL ? cli_match_peer(r, name, &match) : cli_match_key(r, IRRUN_OUTPUTS, name, &match);
    if (status == IRRUN_OK && (match.index >= 0 || match.layer >= 0))
      status = expect_key(r, file, key, path, &match);
    else if (status == IRRUN_OK && !match.is_of_other_side)
      cli_add_alone(r, IRRUN_OUTPUTS, path, name, false);
    worst = irrun_status_worse(worst, status);
  }
  if (worst == IRRUN_OK && n_keys > 0 && r->n_alone - n_alone == n_keys)
    return cli_refuse_keys(r, IRRUN_OUTPUTS, path, file);
  for (int64_t i = 0; i < r->n_outputs && worst == IRRUN_OK && r->n_inner == 0; i++)
    if (r->expected[i].path == NULL)
      worst = expect(r, i, file, -1, path); /* key -1: there is none */
  return worst;
}

static irrun_status bind_expected(cli_run *r, const char *text) {
  int64_t output, key;
  const char *path;
  irrun_tensor_file *file = NULL;
  irrun_status status = cli_match_option(r, IRRUN_OUTPUTS, CLI_OPTION_EXPECT, text, true, &output, &path);
  if (status == IRRUN_OK)
    status = cli_claim_stdin(r, CLI_OPTION_EXPECT, path);
  if (status == IRRUN_OK)
    status = irrun_tensor_file_open_as(r->c->context, path, r->c->options.form, &file);
  if (status != IRRUN_OK)
    return status;
  r->files[r->n_files++] = file;
  if (output < 0 && irrun_tensor_file_count(file) >= 0)
    return cli_expect_keys(r, file, path);
  if (output < 0 && r->n_outputs != 1)
    return cli_needs_name(r, IRRUN_OUTPUTS, CLI_OPTION_EXPECT, path);
  output = output < 0 ? 0 : output;
  status = cli_find_key(r, IRRUN_OUTPUTS, path, file, output, &key);
  return status == IRRUN_OK ? expect(r, output, file, key, path) : status;
}

static bool is_set(cli_option option, const irrun_tolerance *tolerance) {
  return option == CLI_OPTION_ULP ? tolerance->ulp >= 0
                                  : (option == CLI_OPTION_ATOL ? tolerance->atol : tolerance->rtol) >= 0;
}

/* Sets a tolerance. The number is valid: check_tolerances (options_check.c) or test_settings.c has checked it. */
static void set_tolerance(cli_option option, const char *number, irrun_tolerance *tolerance) {
  if (option == CLI_OPTION_ULP)
    cli_parse_count(number, &tolerance->ulp);
  else
    cli_parse_tolerance(number, option == CLI_OPTION_ATOL ? &tolerance->atol : &tolerance->rtol);
}

/* Binds a tolerance option, [NAME=]X: with NAME to the item of `outputs`, without NAME to `all`. */
static irrun_status bind_tolerance(cli_run *r, cli_given given, irrun_tolerance *outputs, irrun_tolerance *all) {
  const char *equals = strrchr(given.value, '=');
  irrun_tolerance *tolerance = all;
  char name[40];
  cli_option_name(given.option, name, sizeof name);
  if (equals != NULL) {
    cli_string output_name = {0};
    int64_t output;
    cli_add(&output_name, "%.*s", (int)(equals - given.value), given.value);
    irrun_status status = irrun_model_find_name(r->model, IRRUN_OUTPUTS, cli_text(&output_name), NULL, &output);
    cli_reset(&output_name);
    if (status != IRRUN_OK)
      return status;
    if (r->expected[output].path == NULL && r->n_steps > 0)
      return IRRUN_OK; /* another step may compare the output */
    if (r->expected[output].path == NULL)
      return cli_fault(r->c->context, "IR801", NULL, "give its expected values with --expect",
                       "'%s %s': this output is not compared", name, given.value);
    tolerance = &outputs[output];
  }
  if (is_set(given.option, tolerance))
    return cli_fault(r->c->context, "IR801", NULL, "give it once", "'%s %s': this tolerance is given twice", name,
                     given.value);
  set_tolerance(given.option, equals != NULL ? equals + 1 : given.value, tolerance);
  return IRRUN_OK;
}

static irrun_status bind_tolerances(cli_run *r) {
  static const irrun_tolerance unset = {-1, -1, -1};
  irrun_tolerance all = unset, *outputs = cli_allocate((size_t)r->n_outputs, sizeof *outputs);
  irrun_status worst = IRRUN_OK;
  for (int64_t i = 0; i < r->n_outputs; i++)
    outputs[i] = unset;
  for (int i = 0; i < r->c->options.n_given; i++) {
    cli_given given = r->c->options.given[i];
    if (given.option == CLI_OPTION_ATOL || given.option == CLI_OPTION_RTOL || given.option == CLI_OPTION_ULP)
      worst = irrun_status_worse(worst, bind_tolerance(r, given, outputs, &all));
  }
  for (int64_t i = 0; i < r->n_outputs; i++) {
    irrun_tolerance *tolerance = &r->expected[i].tolerance;
    tolerance->atol = outputs[i].atol >= 0 ? outputs[i].atol : all.atol;
    tolerance->rtol = outputs[i].rtol >= 0 ? outputs[i].rtol : all.rtol;
    tolerance->ulp = outputs[i].ulp >= 0 ? outputs[i].ulp : all.ulp;
    cli_widen_tolerance(r->c, tolerance);
  }
  free(outputs);
  cli_widen_tolerance(r->c, &all);
  r->all_tolerance = all;
  return worst;
}

/* Reports IR801 for a NAME of --heatmap that does not name one output or layer. */
static irrun_status refuse_heatmap(cli_run *r, const char *text, const char *name) {
  const int64_t n_layers = cli_model_info(r->model).n_layers;
  const char **names = cli_allocate((size_t)(r->n_outputs + n_layers), sizeof *names);
  char alike[1024];
  int64_t n_alike;
  irrun_io io = {.size = sizeof io};
  irrun_layer layer = {.size = sizeof layer};
  size_t n = 0;
  cli_string hint = {0};
  for (int64_t i = 0; irrun_model_get_io(r->model, IRRUN_OUTPUTS, i, &io); i++)
    names[n++] = io.name;
  for (int64_t i = 0; irrun_model_get_layer(r->model, i, &layer) && layer.n_inside == 0; i++)
    names[n++] = layer.name;
  irrun_status status = irrun_model_list_tensors(r->model, name, alike, sizeof alike, &n_alike);
  const char *near = irrun_did_you_mean(name, names, n);
  if (n_alike > 1) {
    cli_add(&hint, "name one of %s", alike);
  } else if (near != NULL) {
    cli_add(&hint, "did you mean '");
    cli_add_name(&hint, near);
    cli_add(&hint, "'?");
  } else {
    cli_add(&hint, "'irrun --check-shapes' lists the layers");
  }
  if (status == IRRUN_OK)
    status = cli_fault(r->c->context, "IR801", NULL, cli_text(&hint), "'--heatmap %s': %s has the name '%s'", text,
                       n_alike > 1 ? "more than one tensor" : "no output and no layer", name);
  cli_reset(&hint);
  free(names);
  return status;
}

/* An argument of --heatmap, [NAME=]FILE. */
typedef struct heatmap_argument {
  const char *text, *path;
  int64_t output; /* the output NAME; -1: none */
  int64_t layer;  /* the layer NAME, which is no output; -1: none */
  int port;
} heatmap_argument;

static irrun_status read_heatmap(cli_run *r, const char *text, heatmap_argument *out) {
  const char *equals = strrchr(text, '=');
  cli_string name = {0};
  cli_key_match match = {.index = -1, .layer = -1};
  *out = (heatmap_argument){.text = text, .layer = -1};
  irrun_status status = irrun_model_match_name(r->model, IRRUN_OUTPUTS, text, &out->output, &out->path);
  if (status == IRRUN_OK && equals != NULL) {
    cli_add(&name, "%.*s", (int)(equals - text), text);
    status = cli_match_key(r, IRRUN_OUTPUTS, cli_text(&name), &match);
  }
  if (match.index < 0 && match.layer >= 0)
    *out = (heatmap_argument){text, equals + 1, -1, match.layer, match.port};
  else if (status == IRRUN_OK && equals != NULL && out->output < 0)
    status = refuse_heatmap(r, text, cli_text(&name));
  cli_reset(&name);
  if (status == IRRUN_OK && !cli_ends_in(out->path, ".png"))
    status = cli_fault(r->c->context, "IR801", NULL, "a heat map is a PNG",
                       "'--heatmap %s': the name does not end in .png", text);
  return status;
}

/* Checks the arguments of --heatmap before anything is computed. */
static irrun_status check_heatmaps(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  heatmap_argument argument;
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_HEATMAP, &at)) != NULL;)
    worst = irrun_status_worse(worst, read_heatmap(r, text, &argument));
  return worst;
}

irrun_status cli_bind_expected(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  r->files = cli_allocate((size_t)r->c->options.n_given, sizeof *r->files);
  r->expected = cli_allocate((size_t)r->n_outputs, sizeof *r->expected);
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_EXPECT, &at)) != NULL;)
    worst = irrun_status_worse(worst, bind_expected(r, text));
  worst = worst == IRRUN_OK ? bind_tolerances(r) : worst;
  return irrun_status_worse(worst, check_heatmaps(r));
}

static irrun_status find_inner_heatmap(cli_run *r, const heatmap_argument *argument, cli_wanted_heatmap **out) {
  for (int64_t i = 0; i < r->n_inner; i++)
    if (r->inner[i].layer == argument->layer && r->inner[i].port == argument->port) {
      *out = &r->inner[i].heatmap;
      return IRRUN_OK;
    }
  return cli_fault(r->c->context, "IR801", NULL,
                   cli_options_have(&r->c->options, CLI_OPTION_AGAINST)
                       ? "the peer has no result of it"
                       : "give an .npz with a key for it, as --save-all writes: --expect FILE.npz",
                   "'--heatmap %s': this layer is not compared", argument->text);
}

static irrun_status find_output_heatmap(cli_run *r, const char *text, int64_t output, cli_wanted_heatmap **out) {
  int64_t n_compared = 0, only = 0;
  for (int64_t i = 0; i < r->n_outputs; i++)
    if (r->expected[i].path != NULL) {
      only = i;
      n_compared++;
    }
  if (output < 0 && n_compared > 1)
    return cli_needs_name(r, IRRUN_OUTPUTS, CLI_OPTION_HEATMAP, text);
  const cli_expected *expected = &r->expected[output < 0 ? only : output];
  if (expected->path == NULL && output < 0 && r->n_inner > 0)
    return cli_fault(r->c->context, "IR801", NULL, "name a layer: --heatmap NAME=FILE.png",
                     "'--heatmap %s': no output is compared", text);
  if (expected->path == NULL)
    return cli_fault(r->c->context, "IR801", NULL, "give its expected values with --expect",
                     "'--heatmap %s': this output is not compared", text);
  *out = &r->expected[output < 0 ? only : output].heatmap;
  return IRRUN_OK;
}

static irrun_status bind_heatmap(cli_run *r, const char *text) {
  heatmap_argument argument;
  cli_wanted_heatmap *wanted = NULL;
  irrun_status status = read_heatmap(r, text, &argument);
  if (status == IRRUN_OK)
    status = argument.layer >= 0 ? find_inner_heatmap(r, &argument, &wanted)
                                 : find_output_heatmap(r, text, argument.output, &wanted);
  if (status != IRRUN_OK)
    return status;
  if (wanted->path != NULL)
    return cli_fault(r->c->context, "IR801", NULL, "give it once", "'--heatmap %s': the tensor has a heat map already",
                     text);
  status = cli_plan_side_file(r, CLI_OPTION_HEATMAP, argument.path);
  wanted->path = argument.path;
  return status;
}

irrun_status cli_bind_heatmaps(cli_run *r) {
  irrun_status worst = IRRUN_OK;
  const char *text;
  for (int at = 0; (text = cli_options_next(&r->c->options, CLI_OPTION_HEATMAP, &at)) != NULL;) {
    if (worst == IRRUN_OK)
      worst = cli_heatmap_check_library(r->c);
    if (worst == IRRUN_OK)
      worst = bind_heatmap(r, text);
  }
  return worst;
}

irrun_status cli_read_expected(irrun_tensor_file *file, int64_t key, const irrun_tensor *got,
                               irrun_tensor **out_expected) {
  irrun_tensor_info info = irrun_tensor_get_info(got);
  irrun_shape shape = {.rank = info.rank};
  for (int axis = 0; axis < info.rank; axis++)
    shape.dims[axis].lo = shape.dims[axis].hi = info.dims[axis];
  return irrun_tensor_file_read(file, key, info.type, &shape, out_expected);
}

irrun_see_difference *cli_start_heatmap(cli_wanted_heatmap *wanted, const irrun_tensor *got) {
  if (wanted->path == NULL)
    return NULL;
  wanted->map = cli_heatmap_create(got, CLI_HEATMAP_PIXELS);
  return cli_heatmap_see;
}

irrun_status cli_compare_with(cli_run *r, int64_t output, const irrun_tensor *got, const irrun_tensor *expected,
                              irrun_comparison *out) {
  cli_expected *e = &r->expected[output];
  irrun_see_difference *see = cli_start_heatmap(&e->heatmap, got);
  irrun_io io = {.size = sizeof io};
  cli_string file = {0};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  out->size = sizeof *out;
  cli_add(&file, "%s", e->path);
  if (irrun_tensor_file_count(e->file) >= 0)
    cli_add(&file, ":%s", irrun_tensor_file_key(e->file, e->key));
  irrun_status status =
      irrun_tensor_compare_each(r->c->context, io.name, file.text, got, expected, r->c->options.cast,
                                cli_tolerance_against(r, e->tolerance, got, expected), see, e->heatmap.map, out);
  status = irrun_status_worse(status, cli_judge_similarity(r->c, "IR601", io.name, cli_text(&file), out));
  cli_reset(&file);
  return status;
}

static irrun_status compare_output(cli_run *r, int64_t output) {
  cli_expected *expected = &r->expected[output];
  const irrun_tensor *got = irrun_run_output(r->run, output);
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  if (expected->key < 0)
    return cli_fault(r->c->context, "IR605", expected->path, "compare single outputs with --expect NAME=FILE",
                     "there is no expected value for output '%s'", io.name);
  irrun_tensor *tensor;
  irrun_status status = cli_read_expected(expected->file, expected->key, got, &tensor);
  expected->unreadable = status != IRRUN_OK;
  if (expected->unreadable)
    return status;
  status = cli_compare_with(r, output, got, tensor, &expected->comparison);
  int64_t layer;
  int port;
  cli_tensor_of(r, IRRUN_OUTPUTS, output, &layer, &port);
  cli_page_keep(r, layer, port, &expected->comparison, got, tensor);
  irrun_tensor_free(tensor);
  return status;
}

static irrun_status write_heatmap(cli *c, cli_wanted_heatmap *wanted, const irrun_comparison *comparison) {
  if (wanted->map == NULL || !comparison->comparable)
    return IRRUN_OK;
  const irrun_status status = cli_heatmap_write(c, wanted->map, wanted->path);
  wanted->is_written = status == IRRUN_OK;
  return status;
}

irrun_status cli_compare_outputs(cli_run *r) {
  irrun_status worst = cli_report_expected_alone(r);
  if (r->n_inner > 0 && r->n_visited == 0)
    worst = cli_fault(r->c->context, "IR605", r->inner[0].path, NULL,
                      "nothing was compared: its keys name constants, or layers that no output needs");
  for (int64_t i = 0; i < r->n_outputs; i++) {
    if (r->expected[i].path != NULL && !r->expected[i].is_compared)
      worst = irrun_status_worse(worst, compare_output(r, i));
    worst = irrun_status_worse(worst, write_heatmap(r->c, &r->expected[i].heatmap, &r->expected[i].comparison));
  }
  for (int64_t i = 0; i < r->n_inner; i++)
    worst = irrun_status_worse(worst, write_heatmap(r->c, &r->inner[i].heatmap, &r->inner[i].comparison));
  return worst;
}

void cli_free_expected(cli_run *r) {
  for (int64_t i = 0; i < r->n_outputs && r->expected != NULL; i++)
    cli_heatmap_free(r->expected[i].heatmap.map);
  free(r->expected);
}
