/* Tests tensors through the public header: creating, reading and writing them, and file names. */
#include "io_fixture.h"
#include "irrun_compare.h"
#include "irrun_program.h"

#include <sys/stat.h>

typedef struct api_fixture {
  failing_memory state;
  ir_memory memory;
  irrun_context *context;
  scratch_folder folder;
} api_fixture;

static void begin(api_fixture *a) {
  a->memory = failing_memory_of(&a->state);
  irrun_allocator allocator = {sizeof allocator, failing_alloc, failing_release, &a->state};
  a->context = irrun_context_create(&allocator);
  assert_non_null(a->context);
  a->folder = scratch_folder_make();
}

static void end(api_fixture *a) {
  irrun_context_free(a->context);
  assert_int_equal(a->state.n_alive, 0);
  scratch_folder_remove(&a->folder);
}

static void expect_last(api_fixture *a, const char *rule, const char *message) {
  irrun_diagnostic diagnostic = {.size = sizeof diagnostic};
  assert_true(irrun_context_get_diagnostic(a->context, irrun_context_count(a->context).kept - 1, &diagnostic));
  if (strcmp(diagnostic.rule, rule) != 0 || strstr(diagnostic.message, message) == NULL)
    fail_msg("expected %s \"%s\", got %s \"%s\"", rule, message, diagnostic.rule, diagnostic.message);
}

static irrun_tensor *make_floats(api_fixture *a) {
  irrun_tensor *tensor;
  const float values[] = {1, 2, 3, 0.1f, 5, 6};
  assert_int_equal(irrun_tensor_create(a->context, IRRUN_F32, 2, (int64_t[]){2, 3}, values, sizeof values, &tensor),
                   IRRUN_OK);
  return tensor;
}

/* ---- making ---- */

static void test_create(void **state) {
  api_fixture a;
  char text[40], shortened[4];
  (void)state;
  begin(&a);
  irrun_tensor *tensor = make_floats(&a);
  irrun_tensor_info info = irrun_tensor_get_info(tensor);
  assert_int_equal(info.type, IRRUN_F32);
  assert_int_equal(info.rank, 2);
  assert_int_equal(info.dims[1], 3);
  assert_int_equal(info.elements, 6);
  assert_int_equal(info.bytes, 24);
  assert_true(((const float *)info.data)[5] == 6);
  assert_string_equal(irrun_tensor_text(tensor, 3, text, sizeof text), "0.100000001");
  assert_string_equal(irrun_tensor_text(tensor, 3, shortened, sizeof shortened), "0.1");
  assert_string_equal(irrun_tensor_text(tensor, 6, text, sizeof text), "");
  assert_string_equal(irrun_tensor_text(tensor, -1, text, sizeof text), "");
  irrun_tensor_free(tensor);
  assert_int_equal(irrun_tensor_create(a.context, IRRUN_BOOLEAN, 1, (int64_t[]){3}, "\x00\x02\xff", 3, &tensor),
                   IRRUN_OK);
  assert_memory_equal(irrun_tensor_get_info(tensor).data, "\x00\x01\x01", 3);
  irrun_tensor_free(tensor);
  assert_int_equal(irrun_tensor_create(a.context, IRRUN_I64, 2, (int64_t[]){0, 3}, NULL, 0, &tensor), IRRUN_OK);
  irrun_tensor_free(tensor);
  irrun_tensor_free(NULL);
  end(&a);
}

static void test_types_have_names(void **state) {
  static const char *const names[] = {
      [IRRUN_F32] = "f32",         [IRRUN_F64] = "f64",       [IRRUN_F16] = "f16",       [IRRUN_BF16] = "bf16",
      [IRRUN_I8] = "i8",           [IRRUN_I16] = "i16",       [IRRUN_I32] = "i32",       [IRRUN_I64] = "i64",
      [IRRUN_U8] = "u8",           [IRRUN_U16] = "u16",       [IRRUN_U32] = "u32",       [IRRUN_U64] = "u64",
      [IRRUN_BOOLEAN] = "boolean", [IRRUN_I4] = "i4",         [IRRUN_U1] = "u1",         [IRRUN_U2] = "u2",
      [IRRUN_U3] = "u3",           [IRRUN_U4] = "u4",         [IRRUN_U6] = "u6",         [IRRUN_NF4] = "nf4",
      [IRRUN_F8E4M3] = "f8e4m3",   [IRRUN_F8E5M2] = "f8e5m2", [IRRUN_F8E8M0] = "f8e8m0", [IRRUN_F4E2M1] = "f4e2m1",
      [IRRUN_STRING] = "string"};
  const int n = sizeof names / sizeof names[0];
  (void)state;
  for (int type = IRRUN_DYNAMIC + 1; type < n; type++)
    assert_string_equal(irrun_type_name((irrun_element_type)type), names[type]);
  assert_null(irrun_type_name(IRRUN_DYNAMIC));
  assert_null(irrun_type_name((irrun_element_type)n));
  assert_null(irrun_type_name((irrun_element_type)-1));
}

static void test_create_refuses(void **state) {
  static const struct {
    irrun_element_type type;
    int rank;
    int64_t dims[2];
    size_t bytes;
    const char *rule, *message;
  } cases[] = {
      {(irrun_element_type)26, 1, {2}, 8, "IR801", "a type that does not exist"},
      {(irrun_element_type)-1, 1, {2}, 8, "IR801", "a type that does not exist"},
      {IRRUN_U4, 1, {3}, 1, "IR801", "a tensor of 2 bytes is made of 1"},
      {IRRUN_STRING, 1, {2}, 1, "IR210", "type string"},
      {IRRUN_DYNAMIC, 1, {2}, 1, "IR801", "a type that does not exist"},
      {IRRUN_F32, 17, {2}, 8, "IR801", "rank"},
      {IRRUN_F32, -1, {2}, 8, "IR801", "rank"},
      {IRRUN_F32, 1, {-2}, 8, "IR801", "a negative dim"},
      {IRRUN_F32, 2, {INT64_MAX, 2}, 8, "IR801", "overflows"},
      {IRRUN_F32, 1, {2}, 7, "IR801", "a tensor of 8 bytes is made of 7"},
  };
  api_fixture a;
  (void)state;
  begin(&a);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    irrun_tensor *tensor;
    assert_int_not_equal(irrun_tensor_create(a.context, cases[i].type, cases[i].rank, cases[i].dims, "12345678",
                                             cases[i].bytes, &tensor),
                         IRRUN_OK);
    assert_null(tensor);
    expect_last(&a, cases[i].rule, cases[i].message);
  }
  end(&a);
}

static void test_fill(void **state) {
  api_fixture a;
  irrun_tensor *tensor;
  char text[40];
  (void)state;
  begin(&a);
  assert_int_equal(irrun_tensor_fill(a.context, "iota", IRRUN_U16, 2, (int64_t[]){2, 3}, &tensor), IRRUN_OK);
  assert_string_equal(irrun_tensor_text(tensor, 5, text, sizeof text), "5");
  irrun_tensor_free(tensor);
  assert_int_equal(irrun_tensor_fill(a.context, "iotta", IRRUN_U16, 0, NULL, &tensor), IRRUN_USAGE);
  assert_null(tensor);
  assert_int_equal(irrun_tensor_fill(a.context, "ones", IRRUN_STRING, 0, NULL, &tensor), IRRUN_UNSUPPORTED);
  assert_null(tensor);
  assert_int_equal(irrun_tensor_fill(a.context, "iota", IRRUN_I4, 1, (int64_t[]){7}, &tensor), IRRUN_OK);
  assert_memory_equal(irrun_tensor_get_info(tensor).data, "\x10\x32\x54\x06", 4);
  irrun_tensor_free(tensor);
  assert_int_equal(irrun_tensor_fill(a.context, "zeros", IRRUN_F64, 1, (int64_t[]){INT64_C(1) << 58}, &tensor),
                   IRRUN_IO);
  assert_null(tensor);
  expect_last(&a, "IR004", "the tensor that is asked for takes 2305843009213693952 bytes; a run may take ");
  end(&a);
}

/* ---- reading ---- */

static void test_files(void **state) {
  api_fixture a;
  irrun_tensor_file *file;
  irrun_tensor *tensor;
  irrun_shape shape = {.rank = 2, .dims = {{1, 1}, {2, 5}}};
  char text[40];
  (void)state;
  begin(&a);
  assert_int_equal(irrun_tensor_file_open(a.context, DATA "savez.npz", &file), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_count(file), 3);
  assert_string_equal(irrun_tensor_file_key(file, 1), "a/b.c");
  assert_null(irrun_tensor_file_key(file, 3));
  assert_null(irrun_tensor_file_key(file, -1));
  assert_int_equal(irrun_tensor_file_read(file, 3, IRRUN_DYNAMIC, NULL, &tensor), IRRUN_USAGE);
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_F32, NULL, &tensor), IRRUN_OK);
  irrun_tensor_file_free(file);
  /* A tensor remains valid after its file is freed. */
  assert_string_equal(irrun_tensor_text(tensor, 5, text, sizeof text), "5");
  irrun_tensor_free(tensor);

  assert_int_equal(irrun_tensor_file_open(a.context, DATA "bf16.npy", &file), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_count(file), -1);
  assert_null(irrun_tensor_file_key(file, 0));
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_F32, NULL, &tensor), IRRUN_BAD_DATA);
  assert_null(tensor);
  expect_last(&a, "IR506", "and here it has f32");
  assert_int_equal(irrun_tensor_file_read(file, 0, (irrun_element_type)99, NULL, &tensor), IRRUN_USAGE);
  assert_int_equal(irrun_tensor_file_read(file, 1, IRRUN_BF16, NULL, &tensor), IRRUN_USAGE);
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_BF16, NULL, &tensor), IRRUN_OK);
  irrun_tensor_file_free(file);
  assert_string_equal(irrun_tensor_text(tensor, 2, text, sizeof text), "-2.25");
  irrun_tensor_free(tensor);

  assert_int_equal(irrun_tensor_file_open(a.context, "tests/data/MAKE.py", &file), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_F32, &shape, &tensor), IRRUN_BAD_DATA);
  expect_last(&a, "IR309", "the open dims of f32[1,2..5]");
  irrun_tensor_file_free(file);
  irrun_tensor_file_free(NULL);
  assert_int_equal(irrun_tensor_file_open(a.context, "nowhere.npy", &file), IRRUN_IO);
  assert_null(file);
  end(&a);
}

/* If the file's shape does not match, the tensor has no elements. Functions that need elements refuse it. */
static void test_without_elements(void **state) {
  api_fixture a;
  irrun_tensor_file *file;
  irrun_tensor *tensor, *other;
  irrun_comparison comparison = {.size = sizeof comparison};
  irrun_shape shape = {.rank = 1, .dims = {{4, 4}}};
  char text[40];
  (void)state;
  begin(&a);
  assert_int_equal(irrun_tensor_file_open(a.context, DATA "savez.npz", &file), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_F32, &shape, &tensor), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_F32, NULL, &other), IRRUN_OK);
  irrun_tensor_file_free(file);
  irrun_tensor_info info = irrun_tensor_get_info(tensor), whole = irrun_tensor_get_info(other);
  assert_null(info.data);
  assert_int_equal(info.bytes, 0);
  assert_int_equal(info.rank, whole.rank);
  assert_int_equal(info.elements, whole.elements);
  assert_string_equal(irrun_tensor_text(tensor, 0, text, sizeof text), "");
  assert_int_equal(irrun_tensor_statistics(tensor).finite, 0);
  assert_int_equal(
      irrun_tensor_compare(a.context, "y", NULL, other, tensor, false, (irrun_tolerance){-1, -1, -1}, &comparison),
      IRRUN_USAGE);
  expect_last(&a, "IR801", "no elements to compare");
  static const char *const names[] = {"x.npy", "x.npz", "x.raw"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    assert_int_equal(irrun_tensor_write(a.context, tensor, "x", scratch_path(&a.folder, names[i])), IRRUN_USAGE);
    expect_last(&a, "IR801", "no elements to write");
  }
  irrun_tensor_free(tensor);
  irrun_tensor_free(other);
  end(&a);
}

/* ---- writing ---- */

static void test_write_forms(void **state) {
  api_fixture a;
  (void)state;
  begin(&a);
  irrun_tensor *tensor = make_floats(&a), *read;
  irrun_shape shape = {.rank = 2, .dims = {{2, 2}, {3, 3}}};
  static const char *const names[] = {"x.npy", "x.npz", "x.raw", "x.bin", ".x.npy"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    irrun_tensor_file *file;
    assert_int_equal(irrun_tensor_write(a.context, tensor, "the/key", scratch_path(&a.folder, names[i])), IRRUN_OK);
    assert_int_equal(irrun_tensor_file_open(a.context, scratch_path(&a.folder, names[i]), &file), IRRUN_OK);
    assert_int_equal(irrun_tensor_file_count(file), i == 1 ? 1 : -1);
    if (i == 1)
      assert_string_equal(irrun_tensor_file_key(file, 0), "the/key");
    assert_int_equal(irrun_tensor_file_read(file, 0, IRRUN_F32, &shape, &read), IRRUN_OK);
    assert_memory_equal(irrun_tensor_get_info(read).data, irrun_tensor_get_info(tensor).data, 24);
    irrun_tensor_free(read);
    irrun_tensor_file_free(file);
    assert_int_equal(unlink(scratch_path(&a.folder, names[i])), 0);
  }
  assert_int_equal(irrun_tensor_write(a.context, tensor, "x", scratch_path(&a.folder, "x.txt")), IRRUN_USAGE);
  expect_last(&a, "IR801", "does not say which form to write");
  assert_int_equal(irrun_tensor_write(a.context, tensor, "x", ".npy"), IRRUN_USAGE);
  assert_int_equal(irrun_tensor_write(a.context, tensor, "x", scratch_path(&a.folder, "no/x.npy")), IRRUN_IO);
  expect_last(&a, "IR702", "there is no folder");
  irrun_tensor_free(tensor);
  end(&a);
}

static void test_archive_keys(void **state) {
  static const char *const names[] = {"a", "", "a", "a_2", NULL, "a", "../b"};
  static const char *const keys[] = {"a", "output", "a_2", "a_2_2", "output_2", "a_3", "../b"};
  api_fixture a;
  irrun_tensor_file *file;
  (void)state;
  begin(&a);
  irrun_tensor *tensor = make_floats(&a);
  const irrun_tensor *const tensors[] = {tensor, tensor, tensor, tensor, tensor, tensor, tensor};
  assert_int_equal(irrun_archive_write(a.context, 7, tensors, names, scratch_path(&a.folder, "x.npz")), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_open(a.context, scratch_path(&a.folder, "x.npz"), &file), IRRUN_OK);
  assert_int_equal(irrun_tensor_file_count(file), 7);
  for (int64_t i = 0; i < 7; i++)
    assert_string_equal(irrun_tensor_file_key(file, i), keys[i]);
  irrun_tensor_file_free(file);
  assert_int_equal(unlink(scratch_path(&a.folder, "x.npz")), 0);
  assert_int_equal(irrun_archive_write(a.context, -1, tensors, names, scratch_path(&a.folder, "x.npz")), IRRUN_USAGE);
  irrun_tensor_free(tensor);
  end(&a);
}

/* ---- names of files ---- */

static void test_file_names(void **state) {
  static const struct {
    const char *name;
    size_t size;
    const char *file;
  } cases[] = {
      {"pool", 40, "pool"},
      {"a/b:0", 40, "a_b:0"},
      {"../../etc/passwd", 40, "_._.._etc_passwd"},
      {".", 40, "_"},
      {"..", 40, "_."},
      {".hidden.npy", 40, "_hidden.npy"},
      {"", 40, "_"},
      {"a\nb\tc\x7f\x1b[0m", 40, "a_b_c__[0m"},
      {"gr\xc3\xb6\xc3\x9f"
       "e",
       40,
       "gr\xc3\xb6\xc3\x9f"
       "e"},
      {"a\xc2\x85z\xc2", 40, "a_z\xc2"},
      {"abcdef", 4, "abc"},
      {"abc", 4, "abc"},
      {"ab\xc3\xb6", 4, "ab"},
      {"ab\xc3\xb6", 5, "ab\xc3\xb6"},
      {"\xe2\x82\xac", 3, "_"},
      {"abc", 2, "a"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char buffer[40];
    assert_string_equal(irrun_file_name(cases[i].name, buffer, cases[i].size), cases[i].file);
  }
}

/* ---- failing allocations ---- */

static irrun_status all_calls(api_fixture *a, const char *npy, const char *npz) {
  irrun_tensor *made = NULL, *filled = NULL, *read = NULL;
  irrun_tensor_file *file = NULL;
  const float values[] = {1, 2};
  irrun_status status = irrun_tensor_create(a->context, IRRUN_F32, 1, (int64_t[]){2}, values, sizeof values, &made);
  if (status == IRRUN_OK)
    status = irrun_tensor_fill(a->context, "random", IRRUN_F16, 1, (int64_t[]){2}, &filled);
  if (status == IRRUN_OK)
    status = irrun_tensor_write(a->context, made, "x", npy);
  const irrun_tensor *const tensors[] = {made, filled};
  const char *const names[] = {"x", "x"};
  if (status == IRRUN_OK)
    status = irrun_archive_write(a->context, 2, tensors, names, npz);
  if (status == IRRUN_OK)
    status = irrun_tensor_file_open(a->context, npz, &file);
  if (status == IRRUN_OK)
    status = irrun_tensor_file_read(file, 1, IRRUN_DYNAMIC, NULL, &read);
  irrun_tensor_file_free(file);
  irrun_tensor_free(made);
  irrun_tensor_free(filled);
  irrun_tensor_free(read);
  return status;
}

static void test_without_memory(void **state) {
  irrun_status status = IRRUN_IO;
  (void)state;
  for (int64_t refuse = 1; status != IRRUN_OK; refuse++) {
    api_fixture a;
    char npy[128], npz[128];
    begin(&a);
    strcpy(npy, scratch_path(&a.folder, "x.npy"));
    strcpy(npz, scratch_path(&a.folder, "x.npz"));
    a.state.refuse_at = refuse;
    status = all_calls(&a, npy, npz);
    if (status != IRRUN_OK) {
      assert_int_equal(status, IRRUN_IO);
      expect_last(&a, "IR703", "out of memory");
    }
    unlink(npy);
    unlink(npz);
    end(&a);
    assert_true(refuse < 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_create),           cmocka_unit_test(test_types_have_names),
      cmocka_unit_test(test_create_refuses),   cmocka_unit_test(test_fill),
      cmocka_unit_test(test_without_elements), cmocka_unit_test(test_files),
      cmocka_unit_test(test_write_forms),      cmocka_unit_test(test_archive_keys),
      cmocka_unit_test(test_file_names),       cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
