/* --update: makes the present results of the model the expected values. A file whose values all match within the
 * tolerances stays unchanged to the byte. */
#include "links.h"
#include "run.h"
#include "test.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 200 /* maximum bytes of an output's name in a file name */

static bool is_changed(const cli_expected *expected) {
  return expected->path != NULL && !expected->comparison.match;
}

/* Reports a written output: "UPDATED  pool  pool/expected.npy: output 'y', 3 of 9 elements, the worst at [0,0,2,2]: 15
 * -> 3.75". */
static void report(const cli_run *r, cli_case *test, int64_t output, const char *path, bool is_new) {
  const irrun_comparison *result = &r->expected[output].comparison;
  cli_string *text = &test->report;
  irrun_io io = {.size = sizeof io};
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  test->n_written++;
  if (test->updates != NULL) {
    cli_node *node = cli_node_object(test->updates, NULL);
    cli_node_text(node, "output", io.name);
    cli_node_printable(node, "file", path);
    cli_node_flag(node, "new", is_new);
    return;
  }
  cli_add(text, "UPDATED  ");
  cli_add_name(text, test->name);
  cli_add(text, "  ");
  cli_add_name(text, path);
  cli_add(text, ": output '");
  cli_add_name(text, io.name);
  cli_add(text, "', ");
  if (!is_new && result->comparable) {
    cli_add(text, "%lld of %lld elements, the worst at ", (long long)result->mismatched, (long long)result->count);
    cli_add_index(text, result->worst_index, result->rank);
    cli_add(text, ": %s -> %s", result->worst_expected, result->worst_got);
  } else {
    cli_add(text, is_new ? "new: " : "another shape or type: ");
    cli_add_tensor(text, irrun_run_output(r->run, output));
  }
  cli_add(text, "\n");
}

/* Reports IR702 if the path leads out of the folders that the command line names. */
static irrun_status check_place(const cli_run *r, const cli_options *options, const char *path) {
  char place[PATH_MAX];
  if (cli_is_named_place(options, path, place))
    return IRRUN_OK;
  return cli_report_link(r->c->context, path, place, "to write there, name a folder that holds both");
}

/* ---- .npy ---- */

/* Whether --test reads the file as this output. */
static bool reads_back(const cli_run *r, const char *folder, const char *name, int64_t output) {
  cli_data_file file;
  int64_t index;
  return cli_read_data_file(folder, name, &file) && cli_find_named(r->model, folder, &file, NULL, &index) == IRRUN_OK &&
         index == output;
}

/* Sets `*out_path` to the path of a new file: "expected.npy", "expected_y.npy" or, in ONNX's folders, "output_0.npy".
 * Reports IR801 if no such file reads back as the output: other outputs have these names. */
static irrun_status new_path(const cli_run *r, const char *folder, int64_t output, char **out_path) {
  cli_string name = {0};
  char own[NAME_BYTES];
  irrun_io io = {.size = sizeof io};
  irrun_status status = IRRUN_OK;
  irrun_model_get_io(r->model, IRRUN_OUTPUTS, output, &io);
  if (cli_is_onnx_set(folder))
    cli_add(&name, "output_%lld.npy", (long long)output);
  else if (r->n_outputs == 1)
    cli_add(&name, "expected.npy");
  else
    cli_add(&name, "expected_%s.npy", irrun_file_name(io.name, own, sizeof own));
  if (!reads_back(r, folder, cli_text(&name), output)) {
    cli_clear(&name);
    cli_add(&name, "expected_%lld.npy", (long long)output);
    if (!reads_back(r, folder, cli_text(&name), output))
      status = cli_fault(r->c->context, "IR801", folder, "write its values to an io.npz: docs/regression.md shows it",
                         "no file name means output '%s' alone: other outputs have its name and its number", io.name);
  }
  *out_path = cli_join(folder, cli_text(&name));
  cli_reset(&name);
  return status;
}

static irrun_status write_tensor(cli_run *r, const cli_options *options, cli_case *test, int64_t output,
                                 const char *path, bool is_new) {
  const char *key = irrun_model_get_key(r->model, IRRUN_OUTPUTS, output);
  irrun_status status = key == NULL ? IRRUN_IO : check_place(r, options, path);
  if (status == IRRUN_OK)
    status = irrun_tensor_write(r->c->context, irrun_run_output(r->run, output), key, path);
  if (status == IRRUN_OK)
    report(r, test, output, path, is_new);
  return status;
}

/* ---- io.npz ---- */

/* The tensors and keys of the archive to write. `owned` has those tensors that were read from the old archive and have
 * to be freed. */
typedef struct archive {
  const irrun_tensor **tensors;
  char **keys;
  irrun_tensor **owned;
  int64_t n, n_owned;
} archive;

/* Returns the type of the input that the key "in/NAME" or "NAME" means; IRRUN_DYNAMIC: it means none. */
static irrun_element_type input_type(const cli_run *r, const char *key) {
  const char *names[] = {key, strncmp(key, "in/", 3) == 0 ? key + 3 : key};
  irrun_io io = {.size = sizeof io};
  for (int i = 0; i < 2; i++) {
    const cli_data_file file = {.side = IRRUN_INPUTS, .name = names[i], .name_length = (int)strlen(names[i])};
    int64_t input;
    if (cli_find_named(r->model, "", &file, NULL, &input) == IRRUN_OK &&
        irrun_model_get_io(r->model, IRRUN_INPUTS, input, &io))
      return io.value.type;
  }
  return IRRUN_DYNAMIC;
}

/* Returns the type to read a key's elements as if the file does not tell: one byte has the type of the input, and two
 * bytes can only be bf16. */
static irrun_element_type type_of(const cli_run *r, const char *key) {
  const irrun_element_type type = input_type(r, key);
  return type == IRRUN_F8E4M3 || type == IRRUN_F8E5M2 || type == IRRUN_F8E8M0 ? type : IRRUN_BF16;
}

/* Reads all tensors of the old archive except expected values. */
static irrun_status keep_inputs(cli_run *r, const char *path, archive *a) {
  irrun_tensor_file *file;
  irrun_status status = irrun_tensor_file_open(r->c->context, path, &file);
  const int64_t n = status == IRRUN_OK ? irrun_tensor_file_count(file) : 0;
  a->tensors = cli_allocate((size_t)(n + r->n_outputs), sizeof *a->tensors);
  a->keys = cli_allocate((size_t)(n + r->n_outputs), sizeof *a->keys);
  a->owned = cli_allocate((size_t)n, sizeof *a->owned);
  for (int64_t i = 0; i < n && status == IRRUN_OK; i++) {
    const char *key = irrun_tensor_file_key(file, i);
    cli_string copy = {0};
    if (strncmp(key, "out/", 4) == 0)
      continue;
    status = irrun_tensor_file_read(file, i, type_of(r, key), NULL, &a->owned[a->n_owned]);
    if (status != IRRUN_OK)
      break;
    cli_add(&copy, "%s", key);
    a->keys[a->n] = copy.text;
    a->tensors[a->n++] = a->owned[a->n_owned++];
  }
  irrun_tensor_file_free(file);
  return status;
}

static irrun_status write_archive(cli_run *r, const cli_options *options, cli_case *test, const char *path) {
  archive a = {.n = 0};
  irrun_status status = check_place(r, options, path);
  if (status != IRRUN_OK)
    return status;
  status = keep_inputs(r, path, &a);
  for (int64_t i = 0; i < r->n_outputs; i++) {
    cli_string key = {0};
    const char *name = irrun_model_get_key(r->model, IRRUN_OUTPUTS, i);
    if (name == NULL)
      status = IRRUN_IO;
    cli_add(&key, "out/%s", name != NULL ? name : "");
    a.keys[a.n] = key.text;
    a.tensors[a.n++] = irrun_run_output(r->run, i);
  }
  if (status == IRRUN_OK)
    status = irrun_archive_write(r->c->context, a.n, a.tensors, (const char *const *)a.keys, path);
  for (int64_t i = 0; i < r->n_outputs && status == IRRUN_OK; i++)
    if (r->expected[i].path == NULL || is_changed(&r->expected[i]))
      report(r, test, i, path, r->expected[i].path == NULL || r->expected[i].key < 0);
  for (int64_t i = 0; i < a.n; i++)
    free(a.keys[i]);
  for (int64_t i = 0; i < a.n_owned; i++)
    irrun_tensor_free(a.owned[i]);
  free(a.tensors);
  free(a.keys);
  free(a.owned);
  return status;
}

/* Writes all outputs to new files, or none if one has no name. */
static irrun_status write_new(cli_run *r, const cli_options *options, cli_case *test, const char *folder) {
  irrun_status worst = IRRUN_OK;
  char **paths = cli_allocate((size_t)r->n_outputs, sizeof *paths);
  for (int64_t i = 0; i < r->n_outputs; i++)
    worst = irrun_status_worse(worst, new_path(r, folder, i, &paths[i]));
  const bool have_names = worst == IRRUN_OK;
  for (int64_t i = 0; i < r->n_outputs; i++) {
    if (have_names)
      worst = irrun_status_worse(worst, write_tensor(r, options, test, i, paths[i], true));
    free(paths[i]);
  }
  free(paths);
  return worst;
}

irrun_status cli_update_case(cli_run *r, const cli_options *options, cli_case *test, const char *folder,
                             bool has_expected, bool has_archive) {
  irrun_status worst = IRRUN_OK;
  char *archive_path = cli_join(folder, "io.npz");
  bool archive_changed = has_archive && !has_expected;
  if (!has_expected && !has_archive)
    worst = write_new(r, options, test, folder);
  for (int64_t i = 0; i < r->n_outputs; i++) {
    const cli_expected *expected = &r->expected[i];
    if (has_archive && expected->path != NULL && strcmp(expected->path, archive_path) == 0)
      archive_changed = archive_changed || is_changed(expected);
    else if (is_changed(expected))
      worst = irrun_status_worse(worst, write_tensor(r, options, test, i, expected->path, false));
  }
  if (archive_changed)
    worst = irrun_status_worse(worst, write_archive(r, options, test, archive_path));
  free(archive_path);
  test->updated = worst == IRRUN_OK && test->n_written > 0;
  return worst;
}
