/* failing_test IRRUN SHIM SOURCES COMMAND: runs one command line many times; in each run another call fails. SHIM is
 * the library of fail_call.c.
 * If irrun ends with status 6, it must report the failure. If it ends with status 0, its report and files must equal
 * those of a run without failure. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MAX_ARGUMENTS = 8,
  MAX_OUTPUTS = 3,
  MAX_TEXT = 1 << 16,
  ALL_OF_FIRST = 60,  /* the first calls, each of which fails in a run of its own */
  SOME_OF_REST = 100, /* how many of the later calls fail, at equal distances */
  MAX_SECONDS = 20,   /* time limit of a run; a run takes some milliseconds */
  IO_STATUS = 6
};

/* The first output file exists before the run. The other output files do not. */
typedef struct command {
  const char *name, *arguments[MAX_ARGUMENTS], *outputs[MAX_OUTPUTS], *folder;
} command;

static const command commands[] = {
    {"check", {"--check-shapes", "sources/models/networks/global_pools.xml"}, {0}, NULL},
    {"json", {"--check-shapes", "--json", "sources/models/networks/global_pools.xml"}, {0}, NULL},
    {"run", {"sources/models/demo/pool.xml", "--threads=1", "--input", "sources/models/demo/x.npy"}, {0}, NULL},
    {"expect",
     {"sources/tests/golden/families/shape.xml", "--threads=1", "--input", "sources/tests/golden/families/shape/io.npz",
      "--expect", "sources/tests/golden/families/shape/io.npz"},
     {0},
     NULL},
    {"output",
     {"sources/models/max_pool/indices_in_plane.xml", "--threads=1", "--fill=iota", "--output=all.npz",
      "--output=folder/"},
     {"all.npz", "folder/y.npy", "folder/indices.npy"},
     "folder"},
    {"save",
     {"sources/models/max_pool/indices_in_plane.xml", "--threads=1", "--fill=iota", "--save-all=all.npz"},
     {"all.npz"},
     NULL},
    {"bench", {"--bench=8", "--parallel=4", "--threads=4", "-q", "sources/models/demo/pool.xml"}, {0}, NULL},
    {"test", {"--test", "--threads=1", "sources/tests/cli/cases"}, {0}, NULL},
    {"convert", {"--convert=out.xml", "sources/models/ngraph/old_spelling.json"}, {"out.xml", "out.bin"}, NULL},
    {"cut",
     {"--cut=stages.2/blocks.0/token_mixer/minus", "sources/models/networks/pool_mixer.xml", "--threads=1",
      "--fill=random", "--output=out.xml"},
     {"out.npz", "out.xml", "out.bin"},
     NULL},
};

/* EINTR is no real failure: irrun has to repeat the call and succeed. */
typedef struct failure {
  const char *kind;
  int error;
} failure;

static const failure failures[] = {
    {"alloc", ENOMEM}, {"read", EIO},    {"read", EINTR},  {"write", ENOSPC},
    {"write", EINTR},  {"mmap", ENOMEM}, {"open", EMFILE}, {"rename", EIO},
};

typedef struct stream {
  char bytes[MAX_TEXT];
  long n; /* bytes of the text; -1: the file does not exist */
} stream;

/* The result of a run: its exit status, its messages and its output files. */
typedef struct result {
  int status; /* wait status of waitpid() */
  stream out, errors, outputs[MAX_OUTPUTS];
} result;

static const char before[] = "what was there before";
static const char *irrun, *shim;
static int n_faults;

static void stop(const char *what) {
  perror(what);
  exit(2);
}

static void read_text(const char *path, stream *t) {
  const int fd = open(path, O_RDONLY);
  t->n = fd < 0 ? -1 : read(fd, t->bytes, MAX_TEXT - 1);
  if (t->n == MAX_TEXT - 1)
    stop("more than expected");
  t->bytes[t->n < 0 ? 0 : t->n] = '\0';
  if (fd >= 0)
    close(fd);
}

static bool same_text(const stream *a, const stream *b) {
  return a->n == b->n && (a->n < 0 || memcmp(a->bytes, b->bytes, (size_t)a->n) == 0);
}

/* ---- one run ---- */

static void set_number(const char *variable, long number) {
  char digits[24];
  snprintf(digits, sizeof digits, "%ld", number);
  setenv(variable, digits, 1);
}

static void redirect(const char *path, int fd) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, fd) < 0)
    stop(path);
  close(file);
}

/* Runs in the child process: sets fail_call.c's variables and starts irrun. */
static void begin_irrun(const command *c, const failure *f, long at, int count_fd) {
  char *argv[MAX_ARGUMENTS + 2] = {(char *)irrun};
  for (int i = 0; i < MAX_ARGUMENTS; i++)
    argv[1 + i] = (char *)c->arguments[i];
  redirect("stdout", STDOUT_FILENO);
  redirect("stderr", STDERR_FILENO);
  setenv("IRRUN_FAIL", f->kind, 1);
  set_number("IRRUN_FAIL_AT", at);
  set_number("IRRUN_FAIL_ERRNO", f->error);
  set_number("IRRUN_FAIL_COUNT", count_fd);
  setenv("LD_PRELOAD", shim, 1);
  alarm(MAX_SECONDS);
  execv(irrun, argv);
  _exit(127);
}

static void remove_outputs(const command *c) {
  for (int i = 0; i < MAX_OUTPUTS && c->outputs[i] != NULL; i++)
    unlink(c->outputs[i]);
  if (c->folder != NULL)
    rmdir(c->folder);
}

static void prepare_outputs(const command *c) {
  remove_outputs(c);
  if (c->outputs[0] == NULL)
    return;
  const int fd = open(c->outputs[0], O_WRONLY | O_CREAT, 0666);
  if (fd < 0 || write(fd, before, strlen(before)) < 0)
    stop(c->outputs[0]);
  close(fd);
}

/* Returns the number of the program's calls of kind `f->kind`. */
static long run(const command *c, const failure *f, long at, result *r) {
  int ends[2];
  char count[24] = "";
  prepare_outputs(c);
  if (pipe(ends) != 0)
    stop("pipe");
  const pid_t child = fork();
  if (child == 0)
    begin_irrun(c, f, at, ends[1]);
  close(ends[1]);
  if (child < 0 || waitpid(child, &r->status, 0) != child || read(ends[0], count, sizeof count - 1) < 0)
    stop("fork");
  close(ends[0]);
  read_text("stdout", &r->out);
  read_text("stderr", &r->errors);
  for (int i = 0; i < MAX_OUTPUTS && c->outputs[i] != NULL; i++)
    read_text(c->outputs[i], &r->outputs[i]);
  remove_outputs(c);
  return strtol(count, NULL, 10);
}

/* ---- expectations ---- */

static const char *at_hand; /* command line and call that fail, for messages */

__attribute__((format(printf, 2, 3))) static void fault(const result *r, const char *format, ...) {
  va_list args;
  printf("%s: ", at_hand);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n  stdout: %s\n  stderr: %s\n", r->out.bytes, r->errors.bytes);
  n_faults++;
}

/* Expects that each reported rule is either a rule of failures or also reported by the run without failure. */
static void expect_rules(const result *r, const stream *said, const result *whole) {
  static const char *const of_failures[] = {"IR004", "IR701", "IR702", "IR703"};
  for (const char *at = said->bytes; (at = strstr(at, "IR")) != NULL; at += 2) {
    char rule[6] = "";
    memcpy(rule, at, strnlen(at, sizeof rule - 1));
    bool known = strspn(rule + 2, "0123456789") < 3 || strstr(whole->out.bytes, rule) != NULL ||
                 strstr(whole->errors.bytes, rule) != NULL;
    for (size_t i = 0; i < sizeof of_failures / sizeof of_failures[0]; i++)
      known = known || strcmp(rule, of_failures[i]) == 0;
    if (!known)
      fault(r, "told as %s", rule);
  }
}

static bool says_why(const stream *t) {
  return strstr(t->bytes, "IR004") != NULL || strstr(t->bytes, "IR70") != NULL;
}

/* Expects only lines of irrun's format on stderr: diagnostics, their source lines, notes, hints, and the final
 * count. */
static void expect_lines(const result *r) {
  static const char form[] = "^(.+: (error|warning|note): .+ \\[IR[0-9]{3} [a-z0-9-]+\\]|(note|hint|layer): .+|"
                             " +[0-9]* \\| .*|[0-9]+ (error|warning).*tells more\\.)$";
  regex_t own;
  if (regcomp(&own, form, REG_EXTENDED | REG_NOSUB) != 0)
    stop("regcomp");
  char lines[MAX_TEXT], *rest = lines, *line;
  strcpy(lines, r->errors.bytes);
  while ((line = strsep(&rest, "\n")) != NULL)
    if (line[0] != '\0' && regexec(&own, line, 0, NULL, 0) != 0)
      fault(r, "not a line of irrun: %s", line);
  regfree(&own);
}

static void expect_outputs(const command *c, const result *r, const result *whole) {
  for (int i = 0; i < MAX_OUTPUTS && c->outputs[i] != NULL; i++) {
    const stream *t = &r->outputs[i];
    const bool as_before = i == 0 ? strcmp(t->bytes, before) == 0 : t->n < 0;
    const bool complete = same_text(t, &whole->outputs[i]);
    if (!complete && (WEXITSTATUS(r->status) == 0 || !as_before))
      fault(r, "%s has %ld bytes", c->outputs[i], t->n);
  }
}

/* Expects no file in the folder that irrun created and did not remove. */
static void expect_clean_folder(const result *r) {
  DIR *folder = opendir(".");
  if (folder == NULL)
    stop("opendir");
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, "stdout") != 0 &&
        strcmp(name, "stderr") != 0 && strcmp(name, "sources") != 0)
      fault(r, "%s is left behind", name);
  }
  closedir(folder);
}

static void expect(const command *c, const failure *f, const result *r, const result *whole) {
  const int status = WEXITSTATUS(r->status);
  if (!WIFEXITED(r->status)) {
    fault(r, "signal %d", WTERMSIG(r->status));
  } else if (status == 0) {
    const bool has_times = strcmp(c->name, "bench") == 0;
    if ((!has_times && !same_text(&r->out, &whole->out)) || !same_text(&r->errors, &whole->errors))
      fault(r, "status 0, but another report");
  } else if (status != IO_STATUS || f->error == EINTR) {
    fault(r, "status %d", status);
  } else {
    if (!says_why(&r->out) && !says_why(&r->errors))
      fault(r, "no reason is given");
    expect_rules(r, &r->out, whole);
    expect_rules(r, &r->errors, whole);
    expect_lines(r);
  }
  expect_outputs(c, r, whole);
  expect_clean_folder(r);
}

/* ---- every call of a kind ---- */

static void fail_calls(const command *c, const failure *f) {
  static result whole, r;
  char text[80];
  at_hand = text;
  const long n = run(c, f, 0, &whole);
  snprintf(text, sizeof text, "%s: nothing fails", c->name);
  if (whole.status != 0)
    fault(&whole, "status %d", whole.status);
  if (n == 0 && strcmp(f->kind, "alloc") == 0)
    fault(&whole, "no call is seen");
  const long step = n > ALL_OF_FIRST + SOME_OF_REST ? (n - ALL_OF_FIRST) / SOME_OF_REST : 1;
  for (long at = 1; at <= n; at += at < ALL_OF_FIRST ? 1 : step) {
    snprintf(text, sizeof text, "%s: %s %ld of %ld fails: %s", c->name, f->kind, at, n, strerror(f->error));
    run(c, f, at, &r);
    expect(c, f, &r, &whole);
  }
  printf("%s %s: %ld calls\n", c->name, f->kind, n);
}

static const command *find_command(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(commands[i].name, name) == 0)
      return &commands[i];
  return NULL;
}

int main(int argc, char **argv) {
  char folder[] = "/tmp/irrun-failing-XXXXXX";
  const command *c = argc == 5 ? find_command(argv[4]) : NULL;
  if (c == NULL) {
    fputs("usage: failing_test IRRUN SHIM SOURCES COMMAND\n", stderr);
    return 2;
  }
  irrun = argv[1];
  shim = argv[2];
  if (mkdtemp(folder) == NULL || chdir(folder) != 0 || symlink(argv[3], "sources") != 0)
    stop(folder);
  setenv("TERM", "dumb", 1);
  for (size_t k = 0; k < sizeof failures / sizeof failures[0]; k++)
    fail_calls(c, &failures[k]);
  unlink("stdout");
  unlink("stderr");
  unlink("sources");
  if (chdir("/") != 0 || rmdir(folder) != 0)
    stop(folder);
  return n_faults > 0;
}
