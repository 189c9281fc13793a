/* Tests output files: a file is written completely or not at all, in its place and with its mode. */
#include "io_fixture.h"
#include "runtime/files/out_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static scratch_folder folder;

static int make_folder(void **state) {
  (void)state;
  folder = scratch_folder_make();
  signal(SIGPIPE, SIG_IGN); /* the program ignores SIGPIPE too */
  return 0;
}

static const char *in_folder(const char *name) {
  return scratch_path(&folder, name);
}

/* Deletes the folder's files and returns their number. */
static int empty_folder(void) {
  int n = 0;
  DIR *listing = opendir(folder.path);
  assert_non_null(listing);
  for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
    if (entry->d_name[0] == '.' && (entry->d_name[1] == '\0' || entry->d_name[1] == '.'))
      continue;
    n++;
    assert_int_equal(remove(in_folder(entry->d_name)), 0);
  }
  closedir(listing);
  return n;
}

static int remove_folder(void **state) {
  (void)state;
  empty_folder();
  scratch_folder_remove(&folder);
  return 0;
}

static void put_text(const char *path, const char *text) {
  scratch_write(path, text, strlen(text));
}

static void expect_text(const char *path, const char *text) {
  size_t n;
  unsigned char *bytes = io_read_all(path, &n);
  assert_non_null(bytes);
  assert_int_equal(n, strlen(text));
  assert_memory_equal(bytes, text, n);
  free(bytes);
}

static ir_code write_text(io_fixture *f, const char *path, const char *text) {
  ir_out_file file;
  ir_code code = ir_out_file_open(&file, &f->diags, &f->memory, path);
  if (code != IR_OK)
    return code;
  ir_out_file_write(&file, text, strlen(text));
  return ir_out_file_commit(&file);
}

/* ---- regular files ---- */

static void test_new_file(void **state) {
  io_fixture f;
  ir_out_file file;
  struct stat info;
  (void)state;
  io_begin(&f);
  mode_t before = umask(027);
  assert_int_equal(ir_out_file_open(&file, &f.diags, &f.memory, in_folder("new")), IR_OK);
  assert_true(ir_out_file_write(&file, "te", 2));
  assert_int_not_equal(access(in_folder("new"), F_OK), 0);
  assert_true(ir_out_file_write(&file, "xt", 2));
  assert_true(ir_out_file_write(&file, NULL, 0));
  assert_int_equal(ir_out_file_commit(&file), IR_OK);
  umask(before);
  expect_text(in_folder("new"), "text");
  assert_int_equal(stat(in_folder("new"), &info), 0);
  assert_int_equal(info.st_mode & 07777, 0640);
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

static void test_old_file(void **state) {
  io_fixture f;
  ir_out_file file;
  struct stat info;
  (void)state;
  io_begin(&f);
  put_text(in_folder("old"), "old and long");
  assert_int_equal(chmod(in_folder("old"), 0606), 0);
  assert_int_equal(ir_out_file_open(&file, &f.diags, &f.memory, in_folder("old")), IR_OK);
  assert_true(ir_out_file_write(&file, "new", 3));
  expect_text(in_folder("old"), "old and long");
  assert_int_equal(ir_out_file_commit(&file), IR_OK);
  expect_text(in_folder("old"), "new");
  assert_int_equal(stat(in_folder("old"), &info), 0);
  assert_int_equal(info.st_mode & 07777, 0606);
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

static void test_discarded(void **state) {
  io_fixture f;
  ir_out_file file;
  (void)state;
  io_begin(&f);
  put_text(in_folder("old"), "old");
  assert_int_equal(ir_out_file_open(&file, &f.diags, &f.memory, in_folder("old")), IR_OK);
  ir_out_file_write(&file, "new", 3);
  ir_out_file_discard(&file);
  ir_out_file_discard(&file);
  expect_text(in_folder("old"), "old");
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

static void test_failed_write(void **state) {
  io_fixture f;
  ir_out_file file;
  (void)state;
  io_begin(&f);
  put_text(in_folder("old"), "old");
  assert_int_equal(ir_out_file_open(&file, &f.diags, &f.memory, in_folder("old")), IR_OK);
  ir_out_file_write(&file, "n", 1);
  ir_out_file_fail(&file, ENOSPC);
  assert_false(ir_out_file_write(&file, "ew", 2));
  ir_out_file_fail(&file, EIO);
  assert_int_equal(ir_out_file_commit(&file), IR_IO);
  assert_string_equal(f.diags.first->file, in_folder("old"));
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "No space left on device");
  expect_text(in_folder("old"), "old");
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

/* If the file system supports unnamed files (O_TMPFILE), a killed process leaves no file behind. */
static void test_killed(void **state) {
  (void)state;
  int fd = open(folder.path, O_TMPFILE | O_WRONLY, 0600);
  if (fd < 0)
    skip();
  close(fd);
  put_text(in_folder("old"), "old");
  static const char *const names[] = {"old", "new"};
  for (size_t i = 0; i < 2; i++) {
    int status;
    pid_t child = fork();
    if (child == 0) {
      io_fixture f;
      ir_out_file file;
      io_begin(&f);
      if (ir_out_file_open(&file, &f.diags, &f.memory, in_folder(names[i])) == IR_OK &&
          ir_out_file_write(&file, "text", 4))
        raise(SIGKILL);
      _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }
  expect_text(in_folder("old"), "old");
  assert_int_equal(empty_folder(), 1);
}

/* Another process creates the same file between open and commit. */
static void test_made_meanwhile(void **state) {
  io_fixture f;
  ir_out_file file;
  (void)state;
  io_begin(&f);
  assert_int_equal(ir_out_file_open(&file, &f.diags, &f.memory, in_folder("new")), IR_OK);
  assert_true(ir_out_file_write(&file, "text", 4));
  put_text(in_folder("new"), "theirs");
  assert_int_equal(ir_out_file_commit(&file), IR_OK);
  expect_text(in_folder("new"), "text");
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

/* If writing fails before the commit, both old files stay. If the second file cannot be put in its place at the
 * commit, the first one is new already. */
static void test_two_files(void **state) {
  io_fixture f;
  (void)state;
  io_begin(&f);
  enum { WELL, FULL_DISK, NO_PLACE };
  for (int way = WELL; way <= NO_PLACE; way++) {
    ir_out_file files[2];
    ir_out_file *const both[] = {&files[0], &files[1]};
    static const char *const names[] = {"a", "b"};
    for (size_t i = 0; i < 2; i++) {
      if (i == 0 || way != NO_PLACE)
        put_text(in_folder(names[i]), "old");
      assert_int_equal(ir_out_file_open(both[i], &f.diags, &f.memory, in_folder(names[i])), IR_OK);
      assert_true(ir_out_file_write(both[i], "new", 3));
    }
    if (way == FULL_DISK)
      ir_out_file_fail(both[1], ENOSPC);
    if (way == NO_PLACE)
      assert_int_equal(mkdir(in_folder("b"), 0700), 0);
    assert_int_equal(ir_out_files_commit(both, 2), way == WELL ? IR_OK : IR_IO);
    if (way != WELL) {
      assert_string_equal(f.diags.first->file, in_folder("b"));
      io_expect(&f, IR702_FILE_NOT_WRITABLE, strerror(way == FULL_DISK ? ENOSPC : EISDIR));
    }
    expect_text(in_folder("a"), way == FULL_DISK ? "old" : "new");
    if (way != NO_PLACE)
      expect_text(in_folder("b"), way == FULL_DISK ? "old" : "new");
    assert_int_equal(empty_folder(), 2);
  }
  io_end(&f);
}

/* ---- links ---- */

static void test_links(void **state) {
  io_fixture f;
  struct stat info;
  (void)state;
  io_begin(&f);
  put_text(in_folder("file"), "old");
  assert_int_equal(symlink("file", in_folder("relative")), 0);
  assert_int_equal(symlink(in_folder("relative"), in_folder("absolute")), 0);
  assert_int_equal(symlink("later", in_folder("dangling")), 0);
  assert_int_equal(symlink("loop", in_folder("loop")), 0);
  assert_int_equal(write_text(&f, in_folder("absolute"), "new"), IR_OK);
  expect_text(in_folder("file"), "new");
  assert_int_equal(lstat(in_folder("absolute"), &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(write_text(&f, in_folder("dangling"), "made"), IR_OK);
  expect_text(in_folder("later"), "made");
  assert_int_equal(write_text(&f, in_folder("loop"), "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "Too many levels of symbolic links");
  assert_int_equal(empty_folder(), 6);
  io_end(&f);
}

/* ---- places that cannot be written ---- */

static void test_refusals(void **state) {
  io_fixture f;
  char name[300];
  (void)state;
  io_begin(&f);
  assert_int_equal(write_text(&f, in_folder("no/x.npy"), "text"), IR_IO);
  char message[sizeof folder.path + 64];
  snprintf(message, sizeof message, "there is no folder '%s/no'", folder.path);
  assert_string_equal(f.diags.first->hint, "make the folder first");
  io_expect(&f, IR702_FILE_NOT_WRITABLE, message);
  put_text(in_folder("file"), "old");
  assert_int_equal(write_text(&f, in_folder("file/x.npy"), "text"), IR_IO);
  snprintf(message, sizeof message, "'%s/file' is a file, not a folder", folder.path);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, message);
  assert_int_equal(write_text(&f, in_folder("file/no/x.npy"), "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, message);
  assert_int_equal(write_text(&f, in_folder("file/"), "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, message);
  assert_int_equal(write_text(&f, folder.path, "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "Is a directory");
  assert_int_equal(write_text(&f, "", "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "No such file");
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = '\0';
  assert_int_equal(write_text(&f, in_folder(name), "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "File name too long");
  static char path[IR_MAX_PATH + 1];
  memset(path, '/', sizeof path - 1);
  assert_int_equal(write_text(&f, path, "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "File name too long");
  if (geteuid() != 0) {
    assert_int_equal(chmod(in_folder("file"), 0444), 0);
    assert_int_equal(write_text(&f, in_folder("file"), "text"), IR_IO);
    io_expect(&f, IR702_FILE_NOT_WRITABLE, "Permission denied");
  }
  expect_text(in_folder("file"), "old");
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

/* ---- devices, pipes and open files, which are written in place ---- */

static void test_devices(void **state) {
  io_fixture f;
  struct stat info;
  (void)state;
  io_begin(&f);
  assert_int_equal(write_text(&f, "/dev/null", "text"), IR_OK);
  assert_int_equal(write_text(&f, "/dev/full", "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "No space left on device");
  assert_int_equal(symlink("/dev/null", in_folder("null.npy")), 0);
  assert_int_equal(write_text(&f, in_folder("null.npy"), "text"), IR_OK);
  assert_int_equal(stat(in_folder("null.npy"), &info), 0);
  assert_true(S_ISCHR(info.st_mode));
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

static void test_fifo(void **state) {
  io_fixture f;
  struct stat info;
  char got[16];
  int status;
  (void)state;
  io_begin(&f);
  assert_int_equal(mkfifo(in_folder("fifo"), 0600), 0);
  pid_t child = fork();
  if (child == 0) {
    int in = open(in_folder("fifo"), O_RDONLY);
    ssize_t n, all = 0;
    while ((n = read(in, got + all, sizeof got - (size_t)all)) > 0)
      all += n;
    _exit(all == 4 && memcmp(got, "text", 4) == 0 ? 0 : 1);
  }
  assert_int_equal(write_text(&f, in_folder("fifo"), "text"), IR_OK);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_int_equal(lstat(in_folder("fifo"), &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

static void test_closed_pipe(void **state) {
  io_fixture f;
  int ends[2];
  char path[32];
  (void)state;
  io_begin(&f);
  assert_int_equal(pipe(ends), 0);
  close(ends[0]);
  snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
  assert_int_equal(write_text(&f, path, "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "whoever reads it has closed it");
  close(ends[1]);
  assert_int_equal(write_text(&f, path, "text"), IR_IO);
  io_expect(&f, IR702_FILE_NOT_WRITABLE, "Bad file descriptor");
  io_end(&f);
}

/* All names of stdout write to the open file at its position, and do not replace the file. */
static void test_stdout(void **state) {
  static const char *const names[] = {"-", "/dev/stdout", "/proc/self/fd/1", "/dev/fd/1"};
  io_fixture f;
  struct stat before, after;
  (void)state;
  io_begin(&f);
  put_text(in_folder("out"), "head ");
  assert_int_equal(stat(in_folder("out"), &before), 0);
  fflush(stdout);
  int saved = dup(STDOUT_FILENO), out = open(in_folder("out"), O_WRONLY | O_APPEND);
  dup2(out, STDOUT_FILENO);
  close(out);
  ir_code code = IR_OK;
  for (size_t i = 0; i < 4; i++)
    code = ir_code_worse(code, write_text(&f, names[i], "text "));
  dup2(saved, STDOUT_FILENO);
  close(saved);
  assert_int_equal(code, IR_OK);
  expect_text(in_folder("out"), "head text text text text ");
  assert_int_equal(stat(in_folder("out"), &after), 0);
  assert_true(before.st_ino == after.st_ino);
  assert_int_equal(empty_folder(), 1);
  io_end(&f);
}

static void test_without_memory(void **state) {
  (void)state;
  for (int64_t refuse = 0;; refuse++) {
    io_fixture f;
    io_begin(&f);
    f.state.refuse_at = refuse;
    ir_code code = write_text(&f, in_folder("x"), "text");
    if (code != IR_OK)
      assert_int_equal(f.diags.first->rule, IR703_OUT_OF_MEMORY);
    io_end(&f);
    assert_int_equal(empty_folder(), code == IR_OK);
    if (code == IR_OK)
      break;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_new_file),     cmocka_unit_test(test_old_file),       cmocka_unit_test(test_discarded),
      cmocka_unit_test(test_failed_write), cmocka_unit_test(test_killed),         cmocka_unit_test(test_made_meanwhile),
      cmocka_unit_test(test_two_files),    cmocka_unit_test(test_links),          cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_devices),      cmocka_unit_test(test_fifo),           cmocka_unit_test(test_closed_pipe),
      cmocka_unit_test(test_stdout),       cmocka_unit_test(test_without_memory),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
