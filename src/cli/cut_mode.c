/* --cut: writes a part of a model as a model of its own. With --input or --fill, also runs the whole model and writes
 * the inputs that the part gets. */
#include "links.h"
#include "oom_report.h"
#include "report_text.h"
#include "run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { XML, BIN, NPZ, N_FILES };

typedef struct cutter {
  cli_run r; /* a run of the whole model */
  irrun_cut cut;
  cli_string paths[N_FILES];
  bool saves;    /* also write the inputs of the part */
  bool is_whole; /* the part is the model; an input that none of its outputs needs is not written */
  irrun_archive *archive;
  int64_t n_saved;
} cutter;

static irrun_status visit(void *user, int64_t layer, int port, const irrun_tensor *tensor,
                          const irrun_tensor **out_instead) {
  cutter *k = user;
  (void)out_instead;
  for (int64_t i = 0; i < k->cut.n_inputs; i++) {
    const irrun_cut_tensor *input = &k->cut.inputs[i];
    if (input->layer != layer || input->port != port)
      continue;
    k->n_saved++;
    return irrun_archive_add(k->archive, tensor, input->name);
  }
  return IRRUN_OK;
}

static irrun_status run_up_to_cut(cutter *k) {
  cli *c = k->r.c;
  irrun_status status = irrun_archive_open(c->context, cli_text(&k->paths[NPZ]), &k->archive);
  if (status != IRRUN_OK)
    return status;
  irrun_run_visit(k->r.run, visit, k);
  status = irrun_run_execute(k->r.run);
  if (status == IRRUN_OK && !k->is_whole && k->n_saved < k->cut.n_inputs)
    status = cli_fault(c->context, "IR801", NULL, "leave --input and --fill out",
                       "an input of the cut is not computed in a run, for no output needs it");
  return irrun_status_worse(status, irrun_archive_close(k->archive, status == IRRUN_OK));
}

/* Runs the whole model, and saves the inputs of the cut. */
static irrun_status save_inputs(cutter *k) {
  cli_run *r = &k->r;
  const irrun_model_info info = cli_model_info(r->model);
  r->n_inputs = info.n_inputs;
  r->n_outputs = info.n_outputs;
  cli_claim_stdin_for_model(r);
  irrun_status status = irrun_run_create(r->model, &r->run);
  if (status == IRRUN_OK)
    status = cli_bind_expected(r); /* allocates r->expected, which cli_plan_files reads; --cut has no --expect */
  if (status == IRRUN_OK)
    status = cli_plan_files(r);
  if (status == IRRUN_OK)
    status = cli_bind_inputs(r);
  return status == IRRUN_OK ? run_up_to_cut(k) : status;
}

/* Names the files OUT.xml, OUT.bin and OUT.npz. Reports IR801 if one would overwrite a file that irrun reads. */
static irrun_status name_files(cutter *k) {
  irrun_status worst = IRRUN_OK;
  static const char *const suffixes[N_FILES] = {[XML] = "xml", [BIN] = "bin", [NPZ] = "npz"};
  const char *path = cli_options_next(&k->r.c->options, CLI_OPTION_OUTPUT, &(int){0});
  char place[PATH_MAX];
  k->r.targets = cli_allocate(N_FILES, sizeof *k->r.targets);
  k->r.n_targets = N_FILES;
  for (int i = 0; i < N_FILES; i++) {
    cli_add(&k->paths[i], "%.*s%s", (int)(strlen(path) - strlen("xml")), path, suffixes[i]);
    k->r.targets[i] = (cli_target){.path = cli_text(&k->paths[i]), .form = CLI_FORM_TENSOR, .output = -1};
    if (worst == IRRUN_OK && (i != NPZ || k->saves))
      worst = cli_check_kept(k->r.c, CLI_OPTION_OUTPUT, 0, cli_text(&k->paths[i]));
  }
  /* the library checks the .bin */
  if (worst == IRRUN_OK && k->saves && cli_is_link(cli_text(&k->paths[NPZ])) &&
      !cli_leads_beside(cli_text(&k->paths[NPZ]), path, place))
    worst = cli_report_link(k->r.c->context, cli_text(&k->paths[NPZ]), place, "remove the link, or give another name");
  return worst;
}

static void print_cut(const cutter *k, const irrun_conversion *written) {
  cli *c = k->r.c;
  cli_string line = {0};
  cli_add_written(&line, c, cli_text(&k->paths[XML]));
  cli_add(&line, ", ");
  cli_add_count(&line, k->cut.n_layers, "layer");
  cli_add(&line, ", ");
  cli_add_count(&line, k->cut.n_inputs, "input");
  cli_add(&line, ", ");
  cli_add_count(&line, k->cut.n_outputs, "output");
  cli_add_written_weights(&line, written);
  if (k->saves) {
    cli_add(&line, "; ");
    cli_add_name(&line, cli_text(&k->paths[NPZ]));
    cli_add(&line, ", ");
    cli_add_count(&line, k->n_saved, "tensor");
  }
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static bool is_shown(const irrun_cut *cut, int64_t layer) {
  bool shown = cut->has_layer[layer];
  for (int64_t i = 0; i < cut->n_inputs && !shown; i++)
    shown = cut->inputs[i].layer == layer;
  return shown;
}

/* Prints, for -v, the layers of the cut, and the outside layers whose results become its inputs. */
static void print_layers(const cutter *k) {
  const int64_t n = cli_model_info(k->r.model).n_layers;
  int64_t *layers = cli_allocate((size_t)n, sizeof *layers), n_shown = 0;
  irrun_layer layer = {.size = sizeof layer};
  for (int64_t i = 0; irrun_model_get_layer(k->r.model, i, &layer) && layer.n_inside == 0; i++)
    if (is_shown(&k->cut, i))
      layers[n_shown++] = i;
  cli_print_layers(k->r.c, k->r.model, layers, n_shown);
  free(layers);
}

static irrun_status cut(cutter *k, irrun_conversion *out) {
  cli *c = k->r.c;
  const char *what = cli_options_next(&c->options, CLI_OPTION_CUT, &(int){0});
  irrun_status status = irrun_model_find_cut(k->r.model, what, &k->cut);
  k->is_whole = strcmp(what, "..") == 0;
  if (status == IRRUN_OK && k->saves)
    status = save_inputs(k);
  return status == IRRUN_OK ? irrun_cut_write(k->r.model, &k->cut, cli_text(&k->paths[XML]), out) : status;
}

irrun_status cli_cut_mode(cli *c) {
  cutter k = {.r = {.c = c, .path = c->options.models[0]}, .cut = {.size = sizeof k.cut}};
  irrun_conversion written = {.size = sizeof written};
  k.saves = cli_options_have(&c->options, CLI_OPTION_INPUT) || cli_options_have(&c->options, CLI_OPTION_FILL);
  irrun_status status = irrun_status_worse(name_files(&k), cli_check_fills(c));
  status = irrun_status_worse(status, irrun_context_set_threads(c->context, c->options.threads));
  irrun_context_set_max_memory(c->context, c->options.max_memory);
  irrun_context_set_max_time(c->context, c->options.max_ns);
  irrun_status of_model = IRRUN_OK;
  if (status == IRRUN_OK)
    of_model = cli_read_model(c, k.r.path, k.saves ? IRRUN_TO_RUN : IRRUN_TO_CONVERT, &k.r.model);
  status = irrun_status_worse(status, of_model);
  if (status == IRRUN_OK)
    status = cut(&k, &written);
  if (status == IRRUN_OK)
    cli_choose_oom_report(c, true);
  cli_show_diagnostics(c);
  if (status == IRRUN_OK && c->options.verbose)
    print_layers(&k);
  if (status == IRRUN_OK)
    print_cut(&k, &written);
  else if (of_model != IRRUN_OK)
    cli_print_verdict(c, k.r.model, k.r.path, of_model);
  for (int i = 0; i < N_FILES; i++)
    cli_reset(&k.paths[i]);
  cli_free_run(&k.r);
  return status;
}
