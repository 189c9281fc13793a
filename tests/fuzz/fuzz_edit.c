/* Fuzz target: edits a model, writes it and reads it back. Input: edits, one per line, then the model by fuzz_split,
 * whose text begins with '<'. */
#include "fuzz.h"
#include "irrun_edit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EDITS = 8, MOST_BYTES = 2048 };

/* Writes c.npy and c.npz, which edits read: elements for constants of the corpus. */
static void write_constants(void) {
  static const char *const names[] = {"c1", "list", "c0", "Constant_34890"};
  static const int64_t dims[][1] = {{4}, {2}, {1}, {3}};
  enum { N = sizeof names / sizeof *names };
  irrun_context *context = irrun_context_create(NULL);
  irrun_tensor *tensors[N] = {NULL};
  bool ok = true;
  for (int i = 0; i < N && ok; i++)
    ok = irrun_tensor_fill(context, "iota", i % 2 == 0 ? IRRUN_F32 : IRRUN_I64, 1, dims[i], &tensors[i]) == IRRUN_OK;
  if (!ok || irrun_tensor_write(context, tensors[0], "c1", "c.npy") != IRRUN_OK ||
      irrun_archive_write(context, N, (const irrun_tensor *const *)tensors, names, "c.npz") != IRRUN_OK)
    fuzz_fail("cannot write constants");
  for (int i = 0; i < N; i++)
    irrun_tensor_free(tensors[i]);
  irrun_context_free(context);
}

/* Returns the number of bytes before the model. */
static size_t edits_size(const uint8_t *data, size_t size) {
  const uint8_t *model = size == 0 ? NULL : memchr(data, '<', size);
  return model == NULL ? size : (size_t)(model - data);
}

/* Reads the edited model back. Only a model without faults is written. */
static void read_back(irrun_context *context) {
  irrun_model *model = NULL;
  irrun_status status = irrun_model_read(context, "out.xml", NULL, IRRUN_TO_CONVERT, &model);
  fuzz_judge(context, status);
  if (status != IRRUN_OK)
    fuzz_fail("an edited model has a fault");
  irrun_model_free(model);
}

/* Returns whether the edits were done. */
static bool apply(irrun_context *context, irrun_model *model, const char *const *edits, size_t n) {
  irrun_edit *edit = NULL;
  irrun_conversion written = {.size = sizeof written};
  irrun_status status = irrun_edit_create(model, edits, n, "edited", &edit);
  fuzz_judge(context, status);
  const bool is_done = status == IRRUN_OK;
  if (is_done) {
    status = irrun_edit_write(edit, "out.xml", &written);
    fuzz_judge(context, status);
  }
  if (is_done && status == IRRUN_OK && written.weights != NULL)
    read_back(context);
  irrun_edit_free(edit);
  unlink("out.xml");
  unlink("out.bin");
  return is_done;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[MOST_BYTES], *rest = text;
  const char *edits[MOST_EDITS];
  size_t n = 0;
  const size_t bytes = edits_size(data, size);
  if (bytes >= sizeof text)
    return 0;
  memcpy(text, data, bytes);
  text[bytes] = '\0';
  for (char *line; n < MOST_EDITS && (line = strsep(&rest, "\n")) != NULL;)
    if (*line != '\0')
      edits[n++] = line;
  if (fuzz_enter_folder())
    write_constants();
  const fuzz_model model = fuzz_split(data + bytes, size - bytes);
  irrun_context *context = irrun_context_create(NULL);
  irrun_model *read = NULL;
  irrun_context_set_max_memory(context, (size_t)64 << 20);
  irrun_status status = irrun_model_read_memory(
      context, "model.xml", model.text, model.weights.data ? &model.weights : NULL, IRRUN_TO_CONVERT, NULL, 0, &read);
  fuzz_judge(context, status);
  const bool is_done =
      (status == IRRUN_OK || status == IRRUN_INVALID) && read != NULL && apply(context, read, edits, n);
  fuzz_count(is_done);
  if (is_done)
    fuzz_keep_run(data, size);
  irrun_model_free(read);
  irrun_context_free(context);
  return 0;
}

/* ---- the mutator: draws edits from the table of words ---- */

#define DRAW(rng, list) list[fuzz_below(rng, sizeof list / sizeof *list)]

/* Prints a word, a row of the table, with a value; most often a row for this kind of subject. */
static int draw_word(fuzz_rng *rng, const char *kind, irrun_buffer name, char *out, size_t size) {
  static const char *const types[] = {"u8", "f16", "f32", "i64", "bf16", "u1", "i4", "string", "f8e4m3"};
  static const char *const layouts[] = {"nchw", "nhwc", "nc", "chw", "n", "ncdhw", "n?"};
  static const char *const attributes[] = {"shape", "element_type", "offset",      "size",         "axis",
                                           "axes",  "strides",      "transpose_b", "variable_id",  "destination_type",
                                           "name",  "keep_dims",    "auto_pad",    "special_zero", "num_splits"};
  static const char *const values[] = {"f16",   "f32", "int8_sym", "int8_asym", "c.npy",
                                       "c.npz", "2,2", "1,?,4",    "true",      "new name"};
  irrun_edit_word row = {.size = sizeof row};
  int64_t n = 0;
  while (irrun_edit_get_word(n, &row))
    n++;
  do
    irrun_edit_get_word((int64_t)fuzz_below(rng, (size_t)n), &row);
  while (strstr(row.subjects, kind) == NULL && !fuzz_one_in(rng, 50));
  const char *word = strcmp(row.word, "TYPE") == 0        ? DRAW(rng, types)
                     : strcmp(row.word, "LAYOUT") == 0    ? DRAW(rng, layouts)
                     : strcmp(row.word, "ATTRIBUTE") == 0 ? DRAW(rng, attributes)
                                                          : row.word;
  if (row.argument == NULL)
    return snprintf(out, size, " %s", word);
  if (fuzz_one_in(rng, 8))
    return snprintf(out, size, " %s=\"%.*s\"", word, (int)name.bytes, (const char *)name.data);
  const char *value = strcmp(row.argument, "LAYOUT") == 0 ? DRAW(rng, layouts)
                      : fuzz_one_in(rng, 2)               ? DRAW(rng, values)
                      : fuzz_one_in(rng, 4)               ? DRAW(rng, types)
                                                          : fuzz_number(rng);
  return snprintf(out, size, " %s=%s", word, value);
}

/* Prints one or two edits of one or two words. Returns the number of bytes. */
static size_t draw_edits(fuzz_rng *rng, irrun_buffer model, char *out, size_t size) {
  static const struct {
    const char *kind, *type;
  } subjects[] = {{"input", "Parameter"}, {"output", "Result"}, {"tensor", ""}, {"layer", ""},
                  {"layer", "Const"},     {"model", ""},        {"model", ""}};
  size_t used = 0;
  for (size_t n = 1 + fuzz_below(rng, 2); n > 0; n--) {
    const size_t i = fuzz_below(rng, sizeof subjects / sizeof *subjects);
    const char *kind = subjects[i].kind;
    const irrun_buffer name = fuzz_draw_name(rng, model, subjects[i].type);
    if (strcmp(kind, "model") == 0)
      used += (size_t)snprintf(out + used, size - used, "model:");
    else
      used += (size_t)snprintf(out + used, size - used, "%s%s%.*s:", kind, fuzz_one_in(rng, 4) ? "" : " ",
                               (int)name.bytes, (const char *)name.data);
    for (size_t words = 1 + fuzz_one_in(rng, 3); words > 0; words--)
      used += (size_t)draw_word(rng, kind, fuzz_draw_name(rng, model, ""), out + used, size - used);
    out[used++] = '\n';
  }
  return used;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  fuzz_rng rng = {seed};
  char edits[MOST_BYTES];
  size = fuzz_take_run(data, size, most, &rng);
  const size_t before = edits_size(data, size);
  if (before > 0 && fuzz_one_in(&rng, 2))
    return before + fuzz_mutate_ir(data + before, size - before, most - before, seed);
  const size_t n = draw_edits(&rng, (irrun_buffer){data + before, size - before}, edits, sizeof edits);
  if (size - before + n > most)
    return fuzz_mutate_ir(data, size, most, seed);
  memmove(data + n, data + before, size - before);
  memcpy(data, edits, n);
  return size - before + n;
}
