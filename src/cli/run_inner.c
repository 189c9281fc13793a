/* Handles inner tensors, the results of layers: --save-all, keys of --expect that name layers, --isolate,
 * --assert-finite and --stats. */
#include "run_inner.h"
#include "page_run.h"
#include "peer.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

/* ---- binding ---- */

/* Adds the compared outputs to r->inner, so that the report has outputs and inner tensors together in running order. */
static void add_outputs(cli_run *r) {
  for (int64_t i = 0; i < r->n_outputs; i++) {
    if (r->expected[i].path == NULL || r->expected[i].key < 0)
      continue;
    cli_inner *inner = cli_add_inner(r);
    *inner = (cli_inner){
        .output = i, .file = r->expected[i].file, .key = r->expected[i].key, .path = r->expected[i].path, .order = -1};
    cli_tensor_of(r, IRRUN_OUTPUTS, i, &inner->layer, &inner->port);
  }
}

static int by_tensor(const void *a, const void *b) {
  const cli_inner *x = *(cli_inner *const *)a, *y = *(cli_inner *const *)b;
  if (x->layer != y->layer)
    return x->layer > y->layer ? 1 : -1;
  return x->port != y->port ? (x->port > y->port) - (x->port < y->port) : (x > y) - (x < y);
}

/* Sorts pointers to the items of r->inner, which is complete now. */
static void sort_inner(cli_run *r) {
  r->inner_by_tensor = cli_allocate((size_t)r->n_inner, sizeof(cli_inner *));
  for (int64_t i = 0; i < r->n_inner; i++)
    r->inner_by_tensor[i] = &r->inner[i];
  qsort(r->inner_by_tensor, (size_t)r->n_inner, sizeof(cli_inner *), by_tensor);
}

/* Returns the first place of the tensor in r->inner_by_tensor. */
static int64_t first_inner(const cli_run *r, int64_t layer, int port) {
  int64_t first = 0, end = r->n_inner;
  while (first < end) {
    const int64_t middle = first + (end - first) / 2;
    const cli_inner *inner = r->inner_by_tensor[middle];
    if (inner->layer < layer || (inner->layer == layer && inner->port < port))
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

irrun_status cli_bind_save_all(cli_run *r) {
  r->save_all = cli_options_next(&r->c->options, CLI_OPTION_SAVE_ALL, &(int){0});
  if (r->save_all != NULL && irrun_output_form(r->save_all) != IRRUN_FORM_NPZ)
    return cli_fault(r->c->context, "IR801", NULL, NULL, "'--save-all %s': the name does not end in .npz", r->save_all);
  return IRRUN_OK;
}

irrun_status cli_bind_inner(cli_run *r) {
  const bool isolated = cli_options_have(&r->c->options, CLI_OPTION_ISOLATE);
  r->asserts_finite = cli_options_have(&r->c->options, CLI_OPTION_ASSERT_FINITE);
  r->asked_layer = -1;
  if (r->asserts_finite)
    r->infinite = cli_allocate((size_t)cli_model_info(r->model).n_layers, sizeof *r->infinite);
  if (isolated && r->n_inner == 0)
    return cli_fault(r->c->context, "IR801", NULL, "give an .npz that names what layers compute: --expect FILE.npz",
                     "'--isolate' needs expected tensors that lie inside the model");
  if (r->n_inner > 0) {
    add_outputs(r);
    sort_inner(r);
  }
  for (int64_t i = 0; i < r->n_outputs && (r->n_inner > 0 || r->save_all != NULL); i++)
    r->requested[i] = true;
  return IRRUN_OK;
}

/* ---- during the run ---- */

/* Compares a computed tensor with the expected one. Reports only the first tensor that differs, because it causes later
 * differences. With --isolate, reports every tensor that differs. */
static irrun_status compare(cli_run *r, cli_inner *inner, const irrun_tensor *got, irrun_tensor **out_expected) {
  const bool reports = cli_options_have(&r->c->options, CLI_OPTION_ISOLATE) || r->n_inner_differ == 0;
  cli_expected *output = inner->output >= 0 ? &r->expected[inner->output] : NULL;
  irrun_status status = cli_read_expected(inner->file, inner->key, got, out_expected);
  inner->order = r->n_visited++;
  inner->unreadable = status != IRRUN_OK;
  inner->comparison.size = sizeof inner->comparison;
  if (!inner->unreadable && output != NULL && reports) {
    status = cli_compare_with(r, inner->output, got, *out_expected, &inner->comparison);
  } else if (!inner->unreadable) {
    const char *key = irrun_tensor_file_key(inner->file, inner->key);
    cli_string file = {0};
    cli_add(&file, "%s:%s", inner->path, key != NULL ? key : "");
    cli_wanted_heatmap *heatmap = output != NULL ? &output->heatmap : &inner->heatmap;
    irrun_see_difference *see = cli_start_heatmap(heatmap, got);
    const irrun_tolerance given = output != NULL ? output->tolerance : r->all_tolerance;
    status = irrun_model_compare_layer(
        r->model, inner->layer, inner->port, reports ? cli_text(&file) : NULL, got, *out_expected, r->c->options.cast,
        cli_tolerance_against(r, given, got, *out_expected), see, heatmap->map, &inner->comparison);
    status = irrun_status_worse(
        status, cli_judge_similarity(r->c, "IR608", key, reports ? cli_text(&file) : NULL, &inner->comparison));
    cli_reset(&file);
  }
  if (!inner->unreadable)
    cli_page_keep(r, inner->layer, inner->port, &inner->comparison, got, *out_expected);
  if (output != NULL) {
    output->comparison = inner->comparison;
    output->unreadable = inner->unreadable;
    output->is_compared = true;
  }
  return status;
}

static bool has_infinities(const irrun_tensor *tensor) {
  return irrun_tensor_statistics(tensor).infinities > 0;
}

/* Whether the layer's result has infinities that originate in a constant. Examines a constant here, at its first use;
 * check_finite has examined other layers. */
static bool is_infinite(cli_run *r, int64_t layer) {
  cli_infinite *known = &r->infinite[layer];
  irrun_tensor *constant = *known == CLI_INFINITE_UNKNOWN && irrun_model_is_constant(r->model, layer)
                               ? irrun_model_get_constant(r->model, layer)
                               : NULL;
  if (constant != NULL)
    *known = has_infinities(constant) ? CLI_INFINITE : CLI_FINITE;
  irrun_tensor_free(constant);
  return *known == CLI_INFINITE;
}

/* Whether an input of the layer has infinities that originate in a constant. Looks at the inputs once for all ports,
 * which are checked one after the other. */
static bool reads_infinities(cli_run *r, int64_t layer, int port) {
  const bool is_known = r->asked_layer == layer && r->asked_port < port;
  irrun_value value = {.size = sizeof value};
  r->asked_layer = layer;
  r->asked_port = port;
  if (!is_known)
    r->reads_infinities = false;
  for (int i = 0; !is_known && !r->reads_infinities && irrun_model_get_layer_input(r->model, layer, i, &value); i++)
    r->reads_infinities = value.from_layer >= 0 && is_infinite(r, value.from_layer);
  return r->reads_infinities;
}

/* Reports a NaN, and an infinity that does not originate in a constant. With --assert-finite=nan, reports only NaN. */
static irrun_status check_finite(cli_run *r, int64_t layer, int port, const irrun_tensor *tensor) {
  const bool nan_alone = cli_options_next(&r->c->options, CLI_OPTION_ASSERT_FINITE, &(int){0}) != NULL;
  const bool meant = reads_infinities(r, layer, port) && has_infinities(tensor);
  if (r->infinite[layer] != CLI_INFINITE)
    r->infinite[layer] = meant ? CLI_INFINITE : CLI_FINITE;
  return irrun_model_check_finite(r->model, layer, port, tensor, nan_alone || meant);
}

/* Saves, checks and compares a computed tensor. A difference does not end the run. A callback of type irrun_visit. */
static irrun_status visit(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                          const irrun_tensor **out_instead) {
  cli_run *r = user;
  if (r->archive != NULL) {
    const char *key = irrun_model_get_tensor_key(r->model, layer, port);
    irrun_status status = key == NULL ? IRRUN_IO : irrun_archive_add(r->archive, tensor, key);
    if (status != IRRUN_OK)
      return status;
    r->n_saved++;
  }
  if (r->asserts_finite) {
    irrun_status status = check_finite(r, layer, port, tensor);
    r->inner_status = irrun_status_worse(r->inner_status, status);
    r->asserts_finite = status == IRRUN_OK;
  }
  bool has_key = false;
  for (int64_t i = first_inner(r, layer, port); i < r->n_inner; i++) {
    cli_inner *inner = r->inner_by_tensor[i];
    irrun_tensor *expected = NULL;
    if (inner->layer != layer || inner->port != port)
      break;
    has_key = true;
    r->inner_status = irrun_status_worse(r->inner_status, compare(r, inner, tensor, &expected));
    r->n_inner_differ += !inner->unreadable && !inner->comparison.match;
    irrun_tensor_free(r->instead);
    r->instead = expected;
    if (cli_options_have(&r->c->options, CLI_OPTION_ISOLATE))
      *out_instead = expected;
  }
  if (r->n_inner > 0 && !has_key) {
    const char *name = irrun_model_get_tensor_key(r->model, layer, port);
    if (name == NULL)
      return IRRUN_IO;
    cli_add_alone(r, IRRUN_OUTPUTS, r->inner[0].path, name, true);
  }
  return IRRUN_OK;
}

/* Adds a computed tensor to the statistics. The other options leave out the layers of bodies. A callback of type
 * irrun_visit. */
static irrun_status visit_with_stats(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                                     const irrun_tensor **out_instead) {
  const cli_run *r = user;
  const irrun_status status = cli_stats_add(r->stats, layer, port, tensor);
  const bool in_body = layer >= r->stats->n_own_layers;
  return status != IRRUN_OK || in_body ? status : visit(user, layer, port, tensor, out_instead);
}

irrun_status cli_execute(cli_run *r) {
  irrun_status status = IRRUN_OK;
  if (r->save_all != NULL)
    status = irrun_archive_open(r->c->context, r->save_all, &r->archive);
  if (status != IRRUN_OK)
    return status;
  r->is_visited = r->archive != NULL || r->n_inner > 0 || r->asserts_finite || r->stats != NULL;
  if (r->stats != NULL)
    irrun_run_visit_bodies(r->run, visit_with_stats, r);
  else if (r->is_visited || (r->before != NULL && r->before->is_visited))
    irrun_run_visit(r->run, r->is_visited ? visit : NULL, r);
  cli_progress *progress = cli_progress_begin(r->c, r->run);
  r->is_executed = true;
  status = irrun_run_execute(r->run);
  cli_progress_end(progress);
  if (r->archive != NULL)
    status = irrun_status_worse(status, irrun_archive_close(r->archive, status == IRRUN_OK));
  r->is_saved = r->archive != NULL && status == IRRUN_OK;
  r->archive = NULL;
  return status;
}

void cli_free_inner(cli_run *r) {
  irrun_tensor_free(r->instead);
  for (int64_t i = 0; i < r->n_inner; i++)
    cli_heatmap_free(r->inner[i].heatmap.map);
  free(r->inner);
  free(r->inner_by_tensor);
  free(r->infinite);
}
