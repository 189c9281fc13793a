/* Edits models of every origin: files, memory, and other edits. */
#include "io_fixture.h"
#include "irrun_edit.h"

#define MODEL IRRUN_SOURCE_DIR "/models/networks/digits"

typedef struct fixture {
  scratch_folder folder;
  irrun_context *context;
} fixture;

static int begin(void **state) {
  static fixture f;
  f = (fixture){scratch_folder_make(), irrun_context_create(NULL)};
  *state = &f;
  return f.context != NULL ? 0 : -1;
}

static int end(void **state) {
  fixture *f = *state;
  irrun_context_free(f->context);
  scratch_folder_remove(&f->folder);
  return 0;
}

static irrun_model *read_model(fixture *f, const char *path) {
  irrun_model *model;
  assert_int_equal(irrun_model_read(f->context, path, NULL, IRRUN_TO_CONVERT, &model), IRRUN_OK);
  return model;
}

static irrun_edit *edit_model(irrun_model *model, const char *text) {
  irrun_edit *edit;
  assert_int_equal(irrun_edit_create(model, &text, 1, "edited.xml", &edit), IRRUN_OK);
  return edit;
}

/* Writes the edited model to NAME.xml and NAME.bin. */
static void write_edit(const fixture *f, irrun_edit *edit, const char *name) {
  char file[32];
  irrun_conversion out = {.size = sizeof out};
  snprintf(file, sizeof file, "%s.xml", name);
  assert_int_equal(irrun_edit_write(edit, scratch_path(&f->folder, file), &out), IRRUN_OK);
}

static void remove_files(const fixture *f, const char *name) {
  char file[32];
  for (int i = 0; i < 2; i++) {
    snprintf(file, sizeof file, "%s.%s", name, i == 0 ? "xml" : "bin");
    unlink(scratch_path(&f->folder, file));
  }
}

/* Checks that both pairs of files are the same, and removes the first pair. */
static void same_files(const fixture *f, const char *name, const char *expected) {
  for (int i = 0; i < 2; i++) {
    char file[32], other[32];
    size_t n, n_expected;
    snprintf(file, sizeof file, "%s.%s", name, i == 0 ? "xml" : "bin");
    snprintf(other, sizeof other, "%s.%s", expected, i == 0 ? "xml" : "bin");
    unsigned char *bytes = io_read_all(scratch_path(&f->folder, file), &n);
    unsigned char *wanted = io_read_all(scratch_path(&f->folder, other), &n_expected);
    assert_int_equal(n, n_expected);
    assert_memory_equal(bytes, wanted, n);
    free(bytes);
    free(wanted);
  }
  remove_files(f, name);
}

static void an_edited_model_has_the_added_constants(void **state) {
  fixture *f = *state;
  irrun_conversion out = {.size = sizeof out};
  irrun_model *model = read_model(f, MODEL ".xml");
  irrun_edit *edit = edit_model(model, "image: mean=1.5");
  irrun_edit *again = edit_model(irrun_edit_get_model(edit), "image: scale=4");
  write_edit(f, edit, "once");
  assert_int_equal(irrun_model_convert(irrun_edit_get_model(edit), scratch_path(&f->folder, "converted.xml"), &out),
                   IRRUN_OK);
  same_files(f, "converted", "once");
  irrun_model *written = read_model(f, scratch_path(&f->folder, "once.xml"));
  irrun_edit *expected = edit_model(written, "image: scale=4");
  write_edit(f, again, "twice");
  write_edit(f, expected, "expected");
  same_files(f, "twice", "expected");
  remove_files(f, "expected");
  remove_files(f, "once");
  irrun_edit_free(again);
  irrun_edit_free(edit);
  irrun_edit_free(expected);
  irrun_model_free(written);
  irrun_model_free(model);
}

static void a_model_in_memory_is_edited_as_one_in_files(void **state) {
  fixture *f = *state;
  const char *const edits[] = {"image: mean=1.5", "image: rename=x", "model: weights=f16", "model: compact"};
  irrun_buffer text, weights;
  text.data = io_read_all(MODEL ".xml", &text.bytes);
  weights.data = io_read_all(MODEL ".bin", &weights.bytes);
  irrun_model *model = read_model(f, MODEL ".xml"), *in_memory;
  assert_int_equal(
      irrun_model_read_memory(f->context, "in memory", text, &weights, IRRUN_TO_CONVERT, NULL, 0, &in_memory),
      IRRUN_OK);
  for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
    irrun_edit *edit = edit_model(in_memory, edits[i]), *expected = edit_model(model, edits[i]);
    write_edit(f, edit, "memory");
    write_edit(f, expected, "expected");
    same_files(f, "memory", "expected");
    remove_files(f, "expected");
    irrun_edit_free(edit);
    irrun_edit_free(expected);
  }
  irrun_model_free(model);
  irrun_model_free(in_memory);
  free((void *)(uintptr_t)text.data);
  free((void *)(uintptr_t)weights.data);
}

static void a_model_whose_files_were_replaced_keeps_its_constants(void **state) {
  fixture *f = *state;
  irrun_model *original = read_model(f, MODEL ".xml");
  irrun_edit *copy = edit_model(original, "image: rename=pixels");
  write_edit(f, copy, "own");
  irrun_model *model = read_model(f, scratch_path(&f->folder, "own.xml"));
  irrun_edit *edit = edit_model(model, "pixels: rename=x"), *other = edit_model(model, "model: weights=f16");
  write_edit(f, edit, "expected");
  write_edit(f, other, "own");
  irrun_edit *again = edit_model(model, "pixels: rename=x");
  write_edit(f, again, "own");
  same_files(f, "own", "expected");
  remove_files(f, "expected");
  irrun_edit_free(again);
  irrun_edit_free(other);
  irrun_edit_free(edit);
  irrun_edit_free(copy);
  irrun_model_free(model);
  irrun_model_free(original);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(an_edited_model_has_the_added_constants, begin, end),
      cmocka_unit_test_setup_teardown(a_model_in_memory_is_edited_as_one_in_files, begin, end),
      cmocka_unit_test_setup_teardown(a_model_whose_files_were_replaced_keeps_its_constants, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
