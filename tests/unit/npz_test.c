/* Tests .npz archives: NumPy's archives are read, written archives can be read again, and faults are reported. */
#include "io_fixture.h"
#include "runtime/files/npz.h"
#include "runtime/files/npz_key.h"
#include "runtime/files/npz_records.h"
#include "runtime/files/tensor_file.h"
#include "runtime/files/zip_member.h"

#include <sys/mman.h>

static void expect_key(const ir_npz *npz, int64_t index, const char *key) {
  assert_string_equal(ir_npz_key(npz, index), key);
}

/* ---- reading ---- */

static void expect_counting(const ir_tensor *tensor) {
  assert_int_equal(tensor->type, IR_I32);
  assert_int_equal(tensor->rank, 2);
  assert_int_equal(tensor->dims[0], 2);
  assert_int_equal(tensor->dims[1], 3);
  for (int64_t i = 0; i < 6; i++)
    assert_int_equal(ir_tensor_get(tensor, i).i, i);
}

static void test_reads_what_numpy_saves(void **state) {
  io_fixture f;
  ir_tensor_file file;
  ir_tensor tensor;
  (void)state;
  io_begin(&f);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, DATA "savez.npz"), IR_OK);
  assert_int_equal(file.form, IR_FORM_NPZ);
  assert_int_equal(ir_npz_count(file.npz), 3);
  expect_key(file.npz, 0, "x");
  expect_key(file.npz, 1, "a/b.c");
  expect_key(file.npz, 2,
             "gr\xc3\xb6\xc3\x9f"
             "e");
  /* reads members in another order than the file's, and again */
  for (int64_t i = 4; i >= 0; i -= 2) {
    assert_int_equal(ir_tensor_file_read(&file, i % 4, IR_DYNAMIC, NULL, &tensor), IR_OK);
    expect_counting(&tensor);
    ir_tensor_release(&tensor);
  }
  assert_int_equal(ir_tensor_file_read(&file, 1, IR_DYNAMIC, NULL, &tensor), IR_OK);
  assert_int_equal(tensor.type, IR_F32);
  assert_int_equal(tensor.bytes, 32);
  ir_tensor_release(&tensor);
  ir_tensor_file_reset(&file);
  io_end(&f);
}

static void test_reads_packed_members(void **state) {
  io_fixture f;
  ir_tensor_file file;
  ir_tensor tensor;
  (void)state;
  io_begin(&f);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, DATA "savez_compressed.npz"), IR_OK);
  assert_int_equal(ir_npz_count(file.npz), 4);
  assert_int_equal(ir_tensor_file_read(&file, 1, IR_DYNAMIC, NULL, &tensor), IR_OK);
  for (int64_t i = 0; i < 8 * 512; i++)
    assert_true(ir_tensor_get(&tensor, i).f == (i == 3 * 512 + 5 ? 7.0 : 0.0));
  ir_tensor_release(&tensor);
  for (int64_t i = 0; i <= 2; i += 2) {
    assert_int_equal(ir_tensor_file_read(&file, i, IR_DYNAMIC, NULL, &tensor), IR_OK);
    expect_counting(&tensor);
    ir_tensor_release(&tensor);
  }
  assert_int_equal(ir_tensor_file_read(&file, 3, IR_DYNAMIC, NULL, &tensor), IR_OK);
  assert_int_equal(tensor.type, IR_BOOLEAN);
  assert_memory_equal(tensor.data, "\x01\x00", 2);
  ir_tensor_release(&tensor);
  ir_tensor_file_reset(&file);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, DATA "no_members.npz"), IR_OK);
  assert_int_equal(ir_npz_count(file.npz), 0);
  ir_tensor_file_reset(&file);
  io_end(&f);
}

/* The archive has its sizes and offsets in zip64 fields, as archives above 4 GiB need them. */
static void test_reads_zip64(void **state) {
  io_fixture f;
  ir_tensor_file file;
  ir_tensor tensor;
  (void)state;
  io_begin(&f);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, DATA "zip64.npz"), IR_OK);
  assert_int_equal(ir_npz_count(file.npz), 2);
  assert_int_equal(ir_tensor_file_read(&file, 1, IR_DYNAMIC, NULL, &tensor), IR_OK);
  assert_int_equal(tensor.bytes, 32);
  ir_tensor_release(&tensor);
  assert_int_equal(ir_tensor_file_read(&file, 0, IR_DYNAMIC, NULL, &tensor), IR_OK);
  expect_counting(&tensor);
  ir_tensor_release(&tensor);
  ir_tensor_file_reset(&file);
  io_end(&f);
}

static void test_refuses_other_archives(void **state) {
  static const struct {
    const char *file, *place, *message;
  } cases[] = {
      {"twice.npz", "twice.npz", "two members are named 'x.npy'"},
      {"not_npy.npz", "not_npy.npz", "no .npz: member 'readme.txt' is no .npy"},
      {"bzip2.npz", "bzip2.npz:x", "neither stored nor deflated"},
      {"encrypted.npz", "encrypted.npz:x", "it is encrypted"},
      {"two_ends.npz", "two_ends.npz", "the directory of the zip file is damaged"},
      {"lying.npz", "lying.npz:x", "its place or its data in the zip file are damaged"},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char path[96];
    ir_tensor_file file;
    snprintf(path, sizeof path, DATA "%s", cases[i].file);
    assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, path), IR_BAD_DATA);
    assert_string_equal(f.diags.first->file + strlen(DATA), cases[i].place);
    io_expect(&f, IR505_NPY_MALFORMED, cases[i].message);
  }
  io_end(&f);
}

static void test_names_the_member_at_fault(void **state) {
  static const struct {
    const char *file;
    int64_t index;
    ir_rule rule;
    const char *place, *message;
  } cases[] = {
      {"malformed_member.npz", 1, IR505_NPY_MALFORMED, "malformed_member.npz:cut", "24 bytes, but only 23 follow it"},
      {"malformed_member.npz", 2, IR505_NPY_MALFORMED, "malformed_member.npz:no", "ends after 5 bytes"},
      {"unsupported_member.npz", 0, IR506_NPY_TYPE_UNSUPPORTED, "unsupported_member.npz:z", "complex numbers"},
      {"damaged.npz", 0, IR505_NPY_MALFORMED, "damaged.npz:x", "its checksum is wrong"},
      {"damaged_header.npz", 0, IR505_NPY_MALFORMED, "damaged_header.npz:x", "its checksum is wrong"},
      {"two_names.npz", 0, IR505_NPY_MALFORMED, "two_names.npz:z", "its place or its data in the zip file are damaged"},
      {"lying_packed.npz", 0, IR505_NPY_MALFORMED, "lying_packed.npz:x",
       "its place or its data in the zip file are damaged"},
  };
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char path[96];
    ir_tensor_file file;
    ir_tensor tensor;
    snprintf(path, sizeof path, DATA "%s", cases[i].file);
    assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, path), IR_OK);
    assert_int_equal(ir_tensor_file_read(&file, cases[i].index, IR_DYNAMIC, NULL, &tensor), IR_BAD_DATA);
    assert_null(tensor.data);
    assert_string_equal(f.diags.first->file + strlen(DATA), cases[i].place);
    io_expect(&f, cases[i].rule, cases[i].message);
    /* other members can still be read */
    if (i == 0) {
      assert_int_equal(ir_tensor_file_read(&file, 0, IR_DYNAMIC, NULL, &tensor), IR_OK);
      ir_tensor_release(&tensor);
    }
    ir_tensor_file_reset(&file);
  }
  io_end(&f);
}

/* ---- writing ---- */

static void write_archive(io_fixture *f, const char *path, int64_t n, const ir_tensor *const *tensors,
                          const char *const *keys) {
  ir_out_file file;
  assert_int_equal(ir_out_file_open(&file, &f->diags, &f->memory, path), IR_OK);
  ir_npz_write(&file, n, tensors, keys);
  assert_int_equal(ir_out_file_commit(&file), IR_OK);
}

static void test_reads_what_it_writes(void **state) {
  static const char *const keys[] = {"x", "a/b:0", "gr\xc3\xb6\xc3\x9f"};
  static int64_t big[4096];
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (int64_t i = 0; i < 4096; i++)
    big[i] = i * i;
  int32_t scalar = 7;
  ir_shape empty_shape = ir_shape_of(2, (int64_t[]){0, 3}), big_shape = ir_shape_of(3, (int64_t[]){16, 1, 256});
  ir_shape scalar_shape = ir_shape_of(0, NULL);
  ir_tensor tensors[] = {ir_tensor_borrow(IR_I64, &big_shape, big, sizeof big),
                         ir_tensor_borrow(IR_F32, &empty_shape, big, 0),
                         ir_tensor_borrow(IR_I32, &scalar_shape, &scalar, sizeof scalar)};
  const ir_tensor *const list[] = {&tensors[0], &tensors[1], &tensors[2]};
  scratch_file scratch = scratch_file_make("out.npz", "", 0);
  unsigned char *first = NULL;
  size_t n_first = 0;
  for (int round = 0; round < 2; round++) {
    ir_tensor_file file;
    size_t n;
    write_archive(&f, scratch.path, 3, list, keys);
    unsigned char *bytes = io_read_all(scratch.path, &n);
    if (round == 0) {
      first = bytes;
      n_first = n;
    } else { /* the archive does not contain the time */
      assert_int_equal(n, n_first);
      assert_memory_equal(bytes, first, n);
      free(bytes);
    }
    assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, scratch.path), IR_OK);
    assert_int_equal(ir_npz_count(file.npz), 3);
    for (int64_t i = 0; i < 3; i++) {
      ir_tensor tensor;
      expect_key(file.npz, i, keys[i]);
      assert_int_equal(ir_tensor_file_read(&file, i, IR_DYNAMIC, NULL, &tensor), IR_OK);
      ir_shape got = ir_tensor_shape(&tensor), expected = ir_tensor_shape(list[i]);
      assert_true(ir_shapes_equal(&got, &expected));
      assert_int_equal(tensor.type, list[i]->type);
      assert_memory_equal(tensor.data, list[i]->data, tensor.bytes);
      ir_tensor_release(&tensor);
    }
    ir_tensor_file_reset(&file);
  }
  free(first);
  scratch_file_remove(&scratch);
  io_end(&f);
}

static void test_writes_no_members_and_no_endless_names(void **state) {
  io_fixture f;
  ir_tensor_file file;
  (void)state;
  io_begin(&f);
  scratch_file scratch = scratch_file_make("out.npz", "", 0);
  write_archive(&f, scratch.path, 0, NULL, NULL);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, scratch.path), IR_OK);
  assert_int_equal(ir_npz_count(file.npz), 0);
  ir_tensor_file_reset(&file);

  static char name[65536];
  float value = 1;
  ir_shape shape = ir_shape_of(0, NULL);
  ir_tensor tensor = ir_tensor_borrow(IR_F32, &shape, &value, sizeof value);
  const ir_tensor *const list[] = {&tensor};
  const char *const keys[] = {name};
  memset(name, 'n', 65531);
  write_archive(&f, scratch.path, 1, list, keys);
  assert_int_equal(ir_tensor_file_open(&file, &f.diags, &f.memory, scratch.path), IR_OK);
  expect_key(file.npz, 0, name);
  ir_tensor_file_reset(&file);
  name[65531] = 'n';
  ir_out_file out;
  assert_int_equal(ir_out_file_open(&out, &f.diags, &f.memory, scratch.path), IR_OK);
  ir_npz_write(&out, 1, list, keys);
  assert_int_equal(ir_out_file_commit(&out), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "name too long");
  scratch_file_remove(&scratch);
  io_end(&f);
}

/* A key such as "../x" is escaped, so that unpacking cannot write outside of the folder. */
static void test_members_do_not_climb(void **state) {
  static const char *const pairs[][2] = {{"/conv/out", "/conv/out"},
                                         {"../x", "%2E%2E/x"},
                                         {"a/../..", "a/%2E%2E/%2E%2E"},
                                         {"/../x", "/%2E%2E/x"},
                                         {"\\a\\..\\b", "\\a\\%2E%2E\\b"},
                                         {"a..b/...", "a..b/..."},
                                         {"100%", "100%"},
                                         {"%2E%25", "%252E%2525"},
                                         {"%2F", "%2F"},
                                         {"a%00b", "a%2500b"},
                                         {"a/b.1", "a/b.1"},
                                         {"", ""}};
  const ir_memory memory = ir_memory_default();
  (void)state;
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    char *name = ir_npz_member_name(&memory, pairs[i][0]);
    assert_non_null(name);
    assert_string_equal(name, pairs[i][1]);
    ir_npz_read_name(name);
    assert_string_equal(name, pairs[i][0]);
    ir_free(&memory, name);
  }
  char nul[] = "a%00b"; /* %00 stays as it is, because no name has a NUL */
  ir_npz_read_name(nul);
  assert_string_equal(nul, "a%00b");
}

static bool write_to_descriptor(void *user, const void *data, size_t bytes) {
  return ir_write_all(*(const int *)user, data, bytes);
}

/* The file has holes instead of the members' bytes, so 5 GiB take no space. */
static void test_writes_zip64(void **state) {
  enum { MANY = 70000 };
  const uint64_t large = UINT64_C(5) << 30;
  static ir_npz_entry entries[MANY];
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (int way = 0; way < 2; way++) {
    const size_t n = way == 0 ? 3 : MANY;
    int fd = memfd_create("npz", MFD_CLOEXEC), error;
    const ir_byte_sink sink = {write_to_descriptor, &fd};
    static char keys[MANY][24];
    uint64_t end = 0;
    for (size_t i = 0; i < n; i++) {
      snprintf(keys[i], sizeof keys[i], "k%zu", i);
      entries[i] = (ir_npz_entry){.key = keys[i], .at = end, .size = way == 0 && i == 0 ? large : 7, .crc = 5};
      assert_true(ir_npz_write_header(sink, &entries[i], &end));
      end += entries[i].size;
      assert_int_equal(lseek(fd, (off_t)end, SEEK_SET), end);
    }
    assert_true(ir_npz_write_directory(sink, entries, n, end));
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ir_source *source = ir_source_open(&f.memory, IR_SOURCE_BYTES, path, &error);
    assert_non_null(source);
    ir_zip_directory directory;
    assert_int_equal(ir_zip_directory_open(source, &f.memory, &directory), IR_ZIP_OK);
    assert_int_equal(directory.n, n);
    static char name[IR_ZIP_MAX_NAME + 1];
    for (size_t i = 0; i < n; i++) {
      ir_zip_member member;
      ir_unzip *unzip = NULL;
      int64_t length;
      assert_int_equal(ir_zip_directory_next(&directory, name, &length, &member), IR_ZIP_OK);
      assert_int_equal(strncmp(name, keys[i], (size_t)length - 4), 0);
      assert_int_equal(member.size, entries[i].size);
      assert_int_equal(member.header_at, entries[i].at);
      assert_int_equal(member.crc, 5);
      if (way == 0) /* compares the local header's fields with the directory's */
        assert_int_equal(ir_unzip_create(source, &member, &f.memory, &unzip), IR_ZIP_OK);
      ir_unzip_free(unzip);
    }
    assert_int_equal(directory.at, directory.end);
    ir_source_free(source);
    close(fd);
  }
  io_end(&f);
}

/* ---- damage ---- */

/* Reads all members. Each failing call makes exactly one error. */
static void read_all_members(io_fixture *f, const char *path) {
  ir_tensor_file file;
  ir_code code = ir_tensor_file_open(&file, &f->diags, &f->memory, path);
  assert_int_equal(f->diags.n_errors, code == IR_OK ? 0 : 1);
  if (code != IR_OK)
    return;
  int64_t n = file.form == IR_FORM_NPZ ? ir_npz_count(file.npz) : 0;
  for (int64_t i = 0; i < n; i++) {
    ir_tensor tensor;
    int64_t before = f->diags.n_errors;
    code = ir_tensor_file_read(&file, i, IR_DYNAMIC, NULL, &tensor);
    assert_int_equal(f->diags.n_errors - before, code == IR_OK ? 0 : 1);
    ir_tensor_release(&tensor);
  }
  ir_tensor_file_reset(&file);
}

static void test_survives_damage(void **state) {
  static const char *const files[] = {"savez.npz", "savez_compressed.npz", "plain.npz", "zip64.npz"};
  uint64_t seed = 3;
  io_fixture f;
  (void)state;
  io_begin(&f);
  for (int i = 0; i < 2000; i++) {
    char path[96];
    size_t n;
    snprintf(path, sizeof path, DATA "%s", files[i % 4]);
    unsigned char *bytes = io_read_all(path, &n);
    assert_non_null(bytes);
    for (uint64_t changes = 1 + io_random(&seed) % 4; changes > 0; changes--) {
      /* half of the changes hit the last 200 bytes, which have the archive's directory */
      size_t reach = io_random(&seed) % 2 == 0 ? n : 200 < n ? 200 : n;
      bytes[n - 1 - io_random(&seed) % reach] = (unsigned char)(io_random(&seed) >> 16);
    }
    if (io_random(&seed) % 8 == 0)
      n = 4 + io_random(&seed) % (n - 4);
    int fd = memfd_create("npz", MFD_CLOEXEC);
    assert_int_equal(write(fd, bytes, n), (ssize_t)n);
    free(bytes);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_all_members(&f, path);
    close(fd);
    ir_diags_reset(&f.diags);
    assert_true(f.state.largest < 4 << 20);
  }
  io_end(&f);
}

static void test_without_memory(void **state) {
  io_fixture f;
  ir_tensor_file file;
  (void)state;
  for (int64_t refuse = 0;; refuse++) {
    io_begin(&f);
    f.state.refuse_at = refuse;
    ir_code code = ir_tensor_file_open(&file, &f.diags, &f.memory, DATA "savez.npz");
    for (int64_t i = 0; i < 3 && code == IR_OK; i++) {
      ir_tensor tensor;
      code = ir_tensor_file_read(&file, i, IR_DYNAMIC, NULL, &tensor);
      ir_tensor_release(&tensor);
      if (i == 2 || code != IR_OK)
        ir_tensor_file_reset(&file);
    }
    if (code != IR_OK)
      assert_int_equal(f.diags.first->rule, IR703_OUT_OF_MEMORY);
    io_end(&f);
    if (code == IR_OK)
      break;
    assert_true(refuse < 100);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reads_what_numpy_saves),
      cmocka_unit_test(test_reads_packed_members),
      cmocka_unit_test(test_reads_zip64),
      cmocka_unit_test(test_refuses_other_archives),
      cmocka_unit_test(test_names_the_member_at_fault),
      cmocka_unit_test(test_reads_what_it_writes),
      cmocka_unit_test(test_writes_no_members_and_no_endless_names),
      cmocka_unit_test(test_members_do_not_climb),
      cmocka_unit_test(test_writes_zip64),
      cmocka_unit_test(test_survives_damage),
      cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
