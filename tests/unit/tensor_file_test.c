/* Tests tensor files: formats, types, orders of bytes and axes, mapping, raw files, and streams. */
#include "element_types.h"
#include "io_fixture.h"
#include "runtime/files/npy.h"
#include "runtime/files/tensor_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static ir_code read_path(io_fixture *f, const char *path, ir_type type, const ir_shape *shape, ir_tensor *out) {
  ir_tensor_file file;
  *out = (ir_tensor){.data = NULL};
  ir_code code = ir_tensor_file_open(&file, &f->diags, &f->memory, path);
  if (code != IR_OK)
    return code;
  code = ir_tensor_file_read(&file, 0, type, shape, out);
  ir_tensor_file_reset(&file);
  return code;
}

static ir_tensor read_data(io_fixture *f, const char *name) {
  char path[96];
  ir_tensor tensor;
  snprintf(path, sizeof path, DATA "%s", name);
  ir_code code = read_path(f, path, IR_BF16, NULL, &tensor);
  io_expect_nothing(f);
  assert_int_equal(code, IR_OK);
  return tensor;
}

static bool is_mapped(const ir_tensor *tensor) {
  return tensor->release != NULL && tensor->memory == NULL;
}

static void expect_same(const ir_tensor *got, const ir_tensor *expected, const char *name) {
  ir_shape a = ir_tensor_shape(got), b = ir_tensor_shape(expected);
  if (got->type != expected->type || !ir_shapes_equal(&a, &b) || got->bytes != expected->bytes ||
      memcmp(got->data, expected->data, got->bytes) != 0)
    fail_msg("%s is read otherwise", name);
}

/* ---- files written by NumPy ---- */

static void test_values_of_every_type(void **state) {
  static const struct {
    const char *file;
    ir_type type;
    const char *values[6];
  } cases[] = {
      {"f2.npy", IR_F16, {"0", "1.5", "-2.25", "nan", "inf", "65504"}},
      {"f4.npy", IR_F32, {"0", "1.5", "-2.25", "nan", "inf", "65504"}},
      {"f8.npy", IR_F64, {"0", "1.5", "-2.25", "nan", "inf", "65504"}},
      {"bf16.npy", IR_BF16, {"0", "1.5", "-2.25", "nan", "inf", "65536"}},
      {"i1.npy", IR_I8, {"0", "1", "-1", "5", "-128", "127"}},
      {"i2.npy", IR_I16, {"0", "1", "-1", "5", "-32768", "32767"}},
      {"i4.npy", IR_I32, {"0", "1", "-1", "5", "-2147483648", "2147483647"}},
      {"i8.npy", IR_I64, {"0", "1", "-1", "5", "-9223372036854775808", "9223372036854775807"}},
      {"u1.npy", IR_U8, {"0", "1", "2", "5", "128", "255"}},
      {"u2.npy", IR_U16, {"0", "1", "2", "5", "32768", "65535"}},
      {"u4.npy", IR_U32, {"0", "1", "2", "5", "2147483648", "4294967295"}},
      {"u8.npy", IR_U64, {"0", "1", "2", "5", "9223372036854775808", "18446744073709551615"}},
      {"b1.npy", IR_BOOLEAN, {"0", "1", "1", "0", "0", "1"}},
      {"bool_bytes.npy", IR_BOOLEAN, {"0", "1", "1", "0", "1", "1"}},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ir_tensor tensor = read_data(&f, cases[i].file);
    assert_int_equal(tensor.type, cases[i].type);
    assert_int_equal(tensor.rank, 2);
    assert_int_equal(tensor.dims[0], 2);
    assert_int_equal(tensor.dims[1], 3);
    for (int64_t k = 0; k < 6; k++) {
      char text[IR_NUMBER_TEXT];
      assert_string_equal(ir_number_text(tensor.type, ir_tensor_get(&tensor, k), text, sizeof text),
                          cases[i].values[k]);
    }
    if (tensor.type == IR_BOOLEAN)
      assert_true(((unsigned char *)tensor.data)[5] == 1);
    ir_tensor_release(&tensor);
  }
  io_end(&f);
}

/* Files with every byte order and axis order give the same tensor. */
static void test_orders(void **state) {
  static const char *const types[] = {"f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s.npy", types[i]);
    ir_tensor plain = read_data(&f, name), other;
    assert_true(is_mapped(&plain));
    snprintf(name, sizeof name, "%s_fortran.npy", types[i]);
    other = read_data(&f, name);
    assert_false(is_mapped(&other));
    expect_same(&other, &plain, name);
    ir_tensor_release(&other);
    if (ir_type_size(plain.type) > 1) {
      snprintf(name, sizeof name, "%s_big.npy", types[i]);
      other = read_data(&f, name);
      assert_false(is_mapped(&other));
      expect_same(&other, &plain, name);
      ir_tensor_release(&other);
    }
    ir_tensor_release(&plain);
  }
  io_end(&f);
}

static void test_ranks(void **state) {
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (int rank = 0; rank <= 5; rank++)
    for (int fortran = 0; fortran < (rank < 2 ? 1 : 2); fortran++) {
      char name[32];
      snprintf(name, sizeof name, "rank%d%s.npy", rank, fortran ? "_fortran" : "");
      ir_tensor tensor = read_data(&f, name);
      assert_int_equal(tensor.rank, rank);
      for (int64_t i = 0; i < ir_tensor_elements(&tensor); i++)
        assert_int_equal(ir_tensor_get(&tensor, i).i, i);
      ir_tensor_release(&tensor);
    }
  ir_tensor tensor = read_data(&f, "empty.npy");
  assert_int_equal(tensor.rank, 3);
  assert_int_equal(tensor.bytes, 0);
  ir_tensor_release(&tensor);
  assert_int_equal(read_path(&f, DATA "rank17.npy", IR_DYNAMIC, NULL, &tensor), IR_BAD_DATA);
  io_expect(&f, IR505_NPY_MALFORMED, "more than 16 dims");
  io_end(&f);
}

static void test_mapping(void **state) {
  static const char *const copied[] = {"misaligned.npy", "bool_bytes.npy", "f4_big.npy", "f4_fortran.npy"};
  io_fixture f;
  (void)state;
  io_begin(&f);
  ir_tensor tensor = read_data(&f, "f4.npy");
  assert_true(is_mapped(&tensor));
  assert_int_equal(f.state.n_alive, 0);
  ir_tensor_release(&tensor);
  assert_null(tensor.data);
  for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) {
    tensor = read_data(&f, copied[i]);
    assert_false(is_mapped(&tensor));
    assert_int_equal((uintptr_t)tensor.data % 64, 0);
    ir_tensor_release(&tensor);
  }
  io_end(&f);
}

/* ---- written files are read with the same bits ---- */

/* Writes the tensor as a column-major file, optionally big-endian. */
static void write_column_major(const char *path, const ir_tensor *tensor, bool swapped) {
  static const char *const descrs[] = {"f4", "f8", "f2", "V2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
  const size_t size = ir_type_size(tensor->type);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  char text[256];
  int n = snprintf(text, sizeof text, "{'descr':'%c%s','fortran_order':True,'shape':(", swapped ? '>' : '<',
                   descrs[tensor->type - IR_F32]);
  for (int axis = 0; axis < tensor->rank; axis++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%d,", (int)tensor->dims[axis]);
  n += snprintf(text + n, sizeof text - (size_t)n, ")}");
  fprintf(file, "\x93NUMPY\x01%c%c%c%s", 0, n & 255, n >> 8, text);
  for (int64_t i = 0; i < ir_tensor_elements(tensor); i++) {
    int64_t rest = i, row_major = 0, index[IR_MAX_RANK];
    for (int axis = 0; axis < tensor->rank; axis++) {
      index[axis] = rest % tensor->dims[axis];
      rest /= tensor->dims[axis];
    }
    for (int axis = 0; axis < tensor->rank; axis++)
      row_major = row_major * tensor->dims[axis] + index[axis];
    const unsigned char *element = (const unsigned char *)tensor->data + (size_t)row_major * size;
    for (size_t b = 0; b < size; b++)
      putc(element[swapped ? size - 1 - b : b], file);
  }
  assert_int_equal(fclose(file), 0);
}

static bool write_to_file(void *user, const void *data, size_t bytes) {
  return fwrite(data, 1, bytes, user) == bytes;
}

static void round_trip(io_fixture *f, const ir_tensor *tensor, const char *path) {
  ir_tensor read;
  ir_shape shape = ir_tensor_shape(tensor);
  for (int form = 0; form < 4; form++) {
    if (form < 2) {
      write_column_major(path, tensor, form == 1 && tensor->type != IR_BF16);
    } else {
      FILE *file = fopen(path, "wb");
      assert_non_null(file);
      if (form == 2)
        assert_true(ir_npy_write(tensor, (ir_byte_sink){write_to_file, file}));
      else
        assert_true(fwrite(tensor->data, 1, tensor->bytes, file) == tensor->bytes);
      assert_int_equal(fclose(file), 0);
    }
    ir_code code = read_path(f, path, tensor->type, &shape, &read);
    io_expect_nothing(f);
    assert_int_equal(code, IR_OK);
    expect_same(&read, tensor, ir_type_name(tensor->type));
    ir_tensor_release(&read);
  }
}

static void test_round_trips(void **state) {
  static const int64_t shapes[][6] = {
      {0},           {1, 7},          {2, 5, 3},          {2, 40, 70},  {3, 2, 3, 4},
      {3, 4, 1, 33}, {4, 3, 1, 2, 5}, {5, 2, 3, 1, 2, 3}, {3, 2, 0, 3}, {5, 1, 1, 1, 1, 1}};
  uint64_t seed = 5;
  io_fixture f;
  (void)state;
  io_begin(&f);
  scratch_file scratch = scratch_file_make("round.bin", "", 0);
  for (size_t t = 0; t < N_ELEMENT_TYPES; t++)
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
      ir_shape shape = ir_shape_of((int)shapes[s][0], shapes[s] + 1);
      ir_tensor tensor;
      assert_true(ir_tensor_alloc(&tensor, &f.memory, element_types[t], &shape));
      for (size_t i = 0; i < tensor.bytes; i++)
        ((unsigned char *)tensor.data)[i] =
            (unsigned char)(io_random(&seed) & (element_types[t] == IR_BOOLEAN ? 1 : 255));
      round_trip(&f, &tensor, scratch.path);
      ir_tensor_release(&tensor);
    }
  scratch_file_remove(&scratch);
  io_end(&f);
}

/* ---- unexpected shapes ---- */

/* An outline has the file's shape, but no memory for elements. */
static void test_outlines(void **state) {
  static const char *const files[] = {"f4.npy", "f4_big.npy", "f4_fortran.npy", "empty.npy"};
  static const ir_shape others[] = {{.rank = 1, .dims = {{2, 2}}},
                                    {.rank = 2, .dims = {{2, 2}, {4, IR_DIM_MAX}}},
                                    {.rank = 2, .dims = {{3, 3}, {3, 3}}}};
  static const ir_shape fit[] = {{.rank = IR_RANK_UNKNOWN}, {.rank = 2, .dims = {{0, 2}, {3, 3}}}};
  io_fixture f;
  ir_tensor tensor;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[96];
    const bool is_empty = i == 3;
    snprintf(path, sizeof path, DATA "%s", files[i]);
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
      assert_int_equal(read_path(&f, path, IR_F32, &others[k], &tensor), IR_OK);
      assert_int_equal(tensor.type, IR_F32);
      assert_int_equal(tensor.rank, is_empty ? 3 : 2);
      assert_null(tensor.data);
      assert_int_equal(ir_tensor_is_outline(&tensor), !is_empty);
      ir_tensor_release(&tensor);
    }
    for (size_t k = 0; k < sizeof fit / sizeof fit[0] && !is_empty; k++) {
      assert_int_equal(read_path(&f, path, IR_F32, &fit[k], &tensor), IR_OK);
      assert_false(ir_tensor_is_outline(&tensor));
      ir_tensor_release(&tensor);
    }
  }
  io_expect_nothing(&f);
  io_end(&f);
}

/* ---- raw ---- */

static void test_raw(void **state) {
  io_fixture f;
  ir_tensor tensor;
  (void)state;
  io_begin(&f);
  scratch_file scratch = scratch_file_make("x.raw", "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
  ir_shape two = ir_shape_of(1, (int64_t[]){2}), open_shape = {.rank = 2, .dims = {{1, 1}, {0, IR_DIM_MAX}}};
  ir_shape three = ir_shape_of(1, (int64_t[]){3}), none = ir_shape_unknown();
  ir_shape huge = ir_shape_of(2, (int64_t[]){INT64_MAX, INT64_MAX});
  assert_int_equal(read_path(&f, scratch.path, IR_U32, &two, &tensor), IR_OK);
  assert_int_equal(ir_tensor_get(&tensor, 1).u, 0x08070605);
  assert_true(is_mapped(&tensor));
  ir_tensor_release(&tensor);
  assert_int_equal(read_path(&f, scratch.path, IR_U32, &three, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "a raw file of 8 bytes; u32[3] has 12");
  assert_int_equal(read_path(&f, scratch.path, IR_U8, &two, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "a raw file of 8 bytes; u8[2] has 2");
  assert_int_equal(read_path(&f, scratch.path, IR_DYNAMIC, &two, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "raw bytes do not tell what tensor they are");
  assert_int_equal(read_path(&f, scratch.path, IR_U32, NULL, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "raw bytes do not tell what tensor they are");
  assert_int_equal(read_path(&f, scratch.path, IR_U32, &open_shape, &tensor), IR_BAD_DATA);
  io_expect(&f, IR309_SHAPE_UNKNOWN, "the open dims of u32[1,?]");
  assert_int_equal(read_path(&f, scratch.path, IR_U32, &none, &tensor), IR_BAD_DATA);
  io_expect(&f, IR309_SHAPE_UNKNOWN, "u32[...]");
  assert_int_equal(read_path(&f, scratch.path, IR_U32, &huge, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "overflows");
  assert_int_equal(read_path(&f, scratch.path, IR_U4, &two, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "a raw file of 8 bytes; u4[2] has 1");
  assert_int_equal(read_path(&f, scratch.path, IR_STRING, &two, &tensor), IR_UNSUPPORTED);
  io_expect(&f, IR210_NOT_RUNNABLE_HERE, "type string");
  scratch_file_remove(&scratch);
  io_end(&f);
}

/* ---- recognizing files ---- */

static void expect_refused(io_fixture *f, const char *name, const void *bytes, size_t n, ir_rule rule,
                           const char *message) {
  ir_tensor_file file;
  scratch_file scratch = scratch_file_make(name, bytes, n);
  assert_int_equal(ir_tensor_file_open(&file, &f->diags, &f->memory, scratch.path), ir_rule_rows[rule].status);
  io_expect(f, rule, message);
  scratch_file_remove(&scratch);
}

static void test_known_by_first_bytes(void **state) {
  io_fixture f;
  ir_tensor tensor;
  size_t n;
  (void)state;
  io_begin(&f);
  expect_refused(&f, "x.npy", "", 0, IR505_NPY_MALFORMED, "named .npy, but it is empty");
  expect_refused(&f, "x.npy", "1 2 3", 5, IR505_NPY_MALFORMED, "named .npy, but it does not begin as one");
  expect_refused(&f, "x.npy", "PK\x03\x04 and more", 14, IR505_NPY_MALFORMED, "named .npy, but it is a zip archive");
  expect_refused(&f, "x.npz", "\x93NUMPY\x01", 8, IR505_NPY_MALFORMED, "named .npz, but it is a NumPy .npy file");
  expect_refused(&f, "x.npz", "", 0, IR505_NPY_MALFORMED, "named .npz, but it is empty");
  expect_refused(&f, "x.npz", "1 2 3", 5, IR505_NPY_MALFORMED, "named .npz, but it does not begin as one");
  expect_refused(&f, "x.npz", "PK\x03\x04 and more", 14, IR505_NPY_MALFORMED, "has no end of one; is it cut short?");
  static const char lfs[] = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 25\n";
  static const char *const names[] = {"x.npy", "x.npz", "x.bin", "x.raw"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    expect_refused(&f, names[i], lfs, sizeof lfs - 1, IR505_NPY_MALFORMED,
                   "the file is a Git LFS pointer, not a tensor");
  expect_refused(&f, "x.npy", "<!DOCTYPE html>", 15, IR505_NPY_MALFORMED, "named .npy, but it is an HTML page");
  /* the contents decide, not the name */
  unsigned char *bytes = io_read_all(DATA "i4.npy", &n);
  scratch_file scratch = scratch_file_make("x.bin", bytes, n);
  assert_int_equal(read_path(&f, scratch.path, IR_F64, NULL, &tensor), IR_OK);
  assert_int_equal(tensor.type, IR_I32);
  ir_tensor_release(&tensor);
  free(bytes);
  scratch_file_remove(&scratch);
  io_end(&f);
}

static void test_unreadable(void **state) {
  io_fixture f;
  ir_tensor_file file;
  (void)state;
  io_begin(&f);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, "no/such.npy"), IR_IO);
  assert_string_equal(f.diags.first->file, "no/such.npy");
  io_expect(&f, IR701_FILE_NOT_READABLE, "No such file or directory");
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, "tests"), IR_IO);
  io_expect(&f, IR701_FILE_NOT_READABLE, "Is a directory");
  io_end(&f);
}

/* ---- streams ---- */

static pid_t feed(const char *from, int to, const char *to_path) {
  pid_t child = fork();
  if (child != 0)
    return child;
  size_t n;
  unsigned char *bytes = io_read_all(from, &n);
  int fd = to_path != NULL ? open(to_path, O_WRONLY) : to;
  /* writes two pieces, so that the reader has to continue */
  bool ok = bytes != NULL && write(fd, bytes, 50) == 50 && usleep(1000) == 0 && write(fd, bytes + 50, n - 50) > 0;
  _exit(ok ? 0 : 1);
}

static void expect_counting(const ir_tensor *tensor) {
  assert_int_equal(ir_tensor_elements(tensor), 24);
  for (int64_t i = 0; i < 24; i++)
    assert_int_equal(ir_tensor_get(tensor, i).i, i);
}

static void test_stdin_and_fifo(void **state) {
  io_fixture f;
  ir_tensor tensor;
  int ends[2], status;
  (void)state;
  io_begin(&f);
  assert_int_equal(pipe(ends), 0);
  int stdin_before = dup(STDIN_FILENO);
  pid_t child = feed(DATA "rank3.npy", ends[1], NULL);
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  ir_code code = read_path(&f, "-", IR_DYNAMIC, NULL, &tensor);
  dup2(stdin_before, STDIN_FILENO);
  close(stdin_before);
  assert_int_equal(code, IR_OK);
  expect_counting(&tensor);
  ir_tensor_release(&tensor);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);

  scratch_file scratch = scratch_file_make("fifo", "", 0);
  unlink(scratch.path);
  assert_int_equal(mkfifo(scratch.path, 0600), 0);
  child = feed(DATA "rank3.npy", -1, scratch.path);
  assert_int_equal(read_path(&f, scratch.path, IR_DYNAMIC, NULL, &tensor), IR_OK);
  expect_counting(&tensor);
  ir_tensor_release(&tensor);
  assert_int_equal(waitpid(child, &status, 0), child);
  scratch_file_remove(&scratch);
  io_end(&f);
}

/* An endless stream is read only as far as needed. */
static void test_endless_streams(void **state) {
  io_fixture f;
  ir_tensor tensor;
  int ends[2], status;
  char path[32];
  ir_shape two = ir_shape_of(1, (int64_t[]){2}), open_shape = {.rank = 1, .dims = {{0, 9}}};
  (void)state;
  io_begin(&f);
  assert_int_equal(read_path(&f, "/dev/zero", IR_U32, &two, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "a raw file of at least 512 bytes; u32[2] has 8");
  assert_int_equal(read_path(&f, "/dev/zero", IR_U32, &open_shape, &tensor), IR_BAD_DATA);
  io_expect(&f, IR309_SHAPE_UNKNOWN, "u32[0..9]");
  assert_int_equal(read_path(&f, "/dev/null", IR_U32, &two, &tensor), IR_BAD_DATA);
  io_expect(&f, IR507_RAW_SIZE_DIFFERS, "a raw file of 0 bytes; u32[2] has 8");
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    size_t n;
    unsigned char *bytes = io_read_all(DATA "i4.npy", &n);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    while (bytes != NULL && write(ends[1], bytes, n) > 0)
      ;
    _exit(0);
  }
  close(ends[1]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
  ir_code code = read_path(&f, path, IR_I32, NULL, &tensor);
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(code, IR_BAD_DATA);
  io_expect(&f, IR505_NPY_MALFORMED, "the header says i32[2,3], 24 bytes, and more than that follow it");
  io_end(&f);
}

/* ---- failing allocations ---- */

static void test_without_memory(void **state) {
  static const char *const files[] = {"f4.npy", "f4_fortran.npy", "f4_big.npy", "empty.npy"};
  (void)state;
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    for (int64_t refuse = 0;; refuse++) {
      io_fixture f;
      ir_tensor tensor;
      char path[96];
      snprintf(path, sizeof path, DATA "%s", files[i]);
      io_begin(&f);
      f.state.refuse_at = refuse;
      ir_code code = read_path(&f, path, IR_DYNAMIC, NULL, &tensor);
      if (code != IR_OK)
        assert_int_equal(f.diags.first->rule, IR703_OUT_OF_MEMORY);
      ir_tensor_release(&tensor);
      io_end(&f);
      if (code == IR_OK)
        break;
      assert_true(refuse < 20);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values_of_every_type),
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_ranks),
      cmocka_unit_test(test_mapping),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_outlines),
      cmocka_unit_test(test_raw),
      cmocka_unit_test(test_known_by_first_bytes),
      cmocka_unit_test(test_unreadable),
      cmocka_unit_test(test_stdin_and_fifo),
      cmocka_unit_test(test_endless_streams),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
