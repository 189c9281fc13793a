/* --check-shapes --save-all FILE.npz: writes the constants of a model. */
#include "irrun_debug.h"
#include "irrun_program.h"
#include "report_text.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

/* Adds the key of a constant in the archive. */
static void add_key(cli_string *key, irrun_model *model, int64_t index) {
  irrun_layer layer = {.size = sizeof layer};
  irrun_model_get_layer(model, index, &layer);
  const char *name = layer.n_inside > 0 ? NULL : irrun_model_get_tensor_key(model, index, 0);
  for (int i = 0; i < layer.n_inside; i++)
    cli_add(key, "%s%s", layer.inside[i], CLI_INSIDE);
  cli_add(key, "%s", name != NULL ? name : layer.name);
}

/* Whether no .npy can have the type of the constant. */
static bool has_no_npy(irrun_model *model, int64_t index) {
  static const irrun_element_type types[] = {IRRUN_U1, IRRUN_U2,  IRRUN_U3,     IRRUN_I4,    IRRUN_U4,
                                             IRRUN_U6, IRRUN_NF4, IRRUN_F4E2M1, IRRUN_STRING};
  irrun_value value = {.size = sizeof value};
  irrun_model_get_layer_output(model, index, 0, &value);
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i] == value.type)
      return true;
  return false;
}

/* Adds a constant to the archive. */
static irrun_status add(cli *c, irrun_model *model, int64_t index, irrun_archive *archive, const char *key) {
  irrun_tensor *tensor = irrun_model_get_constant(model, index);
  irrun_status status;
  if (tensor != NULL)
    status = irrun_archive_add(archive, tensor, key);
  else if (irrun_context_worst(c->context) == IRRUN_IO) /* memory is out, which is reported */
    status = IRRUN_IO;
  else
    status = cli_fault(c->context, "IR401", NULL, "the .bin of the model has to be there",
                       "the elements of constant '%s' cannot be read", key);
  irrun_tensor_free(tensor);
  return status;
}

/* A key, and how many constants have it: names in the two bodies of an If can be the same. */
typedef struct named {
  char *key;
  int64_t n;
} named;

static int compare_named(const void *a, const void *b) {
  const named *x = a, *y = b;
  return strcmp(x->key, y->key);
}

static void free_named(void *name) {
  free(((named *)name)->key);
  free(name);
}

/* Counts the keys of all constants in a tree. */
static void *count_keys(irrun_model *model) {
  void *keys = NULL;
  for (int64_t i = 0; i < cli_model_info(model).n_layers; i++) {
    if (!irrun_model_is_constant(model, i))
      continue;
    cli_string key = {0};
    add_key(&key, model, i);
    named *own = cli_allocate(1, sizeof *own);
    own->key = key.text;
    named *kept = cli_add_to_tree(&keys, own, compare_named);
    kept->n++;
    if (kept != own)
      free_named(own);
  }
  return keys;
}

/* The numbers of constants in the archive, and of those left out. */
typedef struct saved {
  int64_t n, n_typeless, n_ambiguous;
} saved;

static irrun_status save(cli *c, irrun_model *model, irrun_archive *archive, saved *all) {
  irrun_status status = IRRUN_OK;
  void *keys = count_keys(model);
  for (int64_t i = 0; i < cli_model_info(model).n_layers && status == IRRUN_OK; i++) {
    if (!irrun_model_is_constant(model, i))
      continue;
    cli_string key = {0};
    add_key(&key, model, i);
    named *const *found = tfind(&(named){.key = key.text}, &keys, compare_named);
    const bool is_ambiguous = found != NULL && (*found)->n > 1, is_typeless = has_no_npy(model, i);
    all->n_typeless += is_typeless;
    all->n_ambiguous += !is_typeless && is_ambiguous;
    if (!is_typeless && !is_ambiguous) {
      status = add(c, model, i, archive, cli_text(&key));
      all->n++;
    }
    cli_reset(&key);
  }
  tdestroy(keys, free_named);
  return status;
}

void cli_print_saved(cli *c, const char *path, int64_t n, const char *noun) {
  cli_string line = {0};
  cli_add_name(&line, path);
  cli_add(&line, ": written, ");
  cli_add_count(&line, n, noun);
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
}

static const char *path_of(const cli *c) {
  return cli_options_next(&c->options, CLI_OPTION_SAVE_ALL, &(int){0});
}

irrun_status cli_check_constants(cli *c) {
  const char *path = path_of(c);
  if (path == NULL)
    return IRRUN_OK;
  if (c->options.n_models > 1)
    return cli_fault(c->context, "IR801", NULL, "save the constants of the models one by one",
                     "'--save-all' belongs to one MODEL, and here are several");
  if (irrun_output_form(path) != IRRUN_FORM_NPZ)
    return cli_fault(c->context, "IR801", NULL, NULL, "'--save-all %s': the name does not end in .npz", path);
  const irrun_status status = cli_check_kept(c, CLI_OPTION_SAVE_ALL, 0, path);
  return status == IRRUN_OK ? irrun_output_check(c->context, path) : status;
}

irrun_status cli_save_constants(cli *c, irrun_model *model) {
  const char *path = path_of(c);
  irrun_archive *archive;
  saved all = {.n = 0};
  if (path == NULL)
    return IRRUN_OK;
  irrun_status status = irrun_archive_open(c->context, path, &archive);
  if (status != IRRUN_OK)
    return status;
  status = save(c, model, archive, &all);
  status = irrun_status_worse(status, irrun_archive_close(archive, status == IRRUN_OK));
  if (status == IRRUN_OK && c->json == NULL && !c->options.quiet)
    cli_print_saved(c, path, all.n, "constant");
  if (status == IRRUN_OK && all.n_typeless > 0 && c->json == NULL)
    fprintf(c->results, "   %lld left out, whose types .npy does not have\n", (long long)all.n_typeless);
  if (status == IRRUN_OK && all.n_ambiguous > 0 && c->json == NULL)
    fprintf(c->results, "   %lld left out, whose names other constants have\n", (long long)all.n_ambiguous);
  return status;
}
