/* failing_test IRRUN LIBRARY SOURCES COMMAND|all [KIND FIRST LAST]: runs one command line, or all, many times; in each
 * run other calls of the C library fail, by fail_call.c's LIBRARY. The first calls of each kind fail one by one;
 * IRRUN_SEED draws some of the later ones, IRRUN_COUNT runs in total. KIND FIRST LAST repeats one run.
 * A run may end as without failure, with the same report and files. Otherwise its exit status must be 6, and its report
 * must name the failure. */
#include "../unit/draw.h"
#include "commands.h"
#include "fail_call.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MAX_TEXT = 1 << 19,
  ALL_OF_FIRST = 15, /* the first calls of each kind, each of which fails in a run of its own */
  SOME_OF_REST = 60, /* how many drawn calls of a command fail, if IRRUN_COUNT is not set */
  MOST_IN_A_ROW = 8,
  IO_STATUS = 6
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const char *const kind_names[N_CALL_KINDS] = {
    [CALL_ALLOC] = "alloc",   [CALL_MAP] = "mmap",      [CALL_READ] = "read",   [CALL_WRITE] = "write",
    [CALL_OPEN] = "open",     [CALL_STAT] = "stat",     [CALL_CLOSE] = "close", [CALL_FOLDER] = "folder",
    [CALL_RENAME] = "rename", [CALL_THREAD] = "thread", [CALL_SPAWN] = "spawn", [CALL_DLOPEN] = "dlopen",
    [CALL_RANDOM] = "random"};

/* EINTR is no real failure: irrun has to repeat the call and succeed. */
typedef struct failure {
  call_kind kind;
  int error;
  bool stays; /* all later calls fail, too */
} failure;

static const failure failures[] = {
    {CALL_ALLOC, ENOMEM, false},  {CALL_ALLOC, ENOMEM, true},  {CALL_MAP, ENOMEM, false},
    {CALL_MAP, ENOMEM, true},     {CALL_READ, EIO, false},     {CALL_READ, EINTR, false},
    {CALL_WRITE, ENOSPC, false},  {CALL_WRITE, ENOSPC, true},  {CALL_WRITE, EINTR, false},
    {CALL_OPEN, EMFILE, false},   {CALL_OPEN, EMFILE, true},   {CALL_STAT, EIO, false},
    {CALL_CLOSE, EIO, false},     {CALL_FOLDER, EIO, false},   {CALL_RENAME, EIO, false},
    {CALL_THREAD, EAGAIN, false}, {CALL_THREAD, EAGAIN, true}, {CALL_SPAWN, EAGAIN, false},
    {CALL_DLOPEN, ENOMEM, false}, {CALL_RANDOM, EIO, false},
};
enum { N_FAILURES = sizeof failures / sizeof failures[0] };

/* Libraries that end the process themselves. irrun cannot prevent it (docs/limits.md#the-one-exception). */
static const char *const excuses[] = {
    /* oneDNN 2.6 does not check each of its own allocations, or throws from functions that must not throw */
    "a signal after a call failed inside oneDNN",
    /* glibc allocates a library's thread-local data when a thread first uses it */
    "cannot allocate memory for thread-local data: ABORT",
    /* glibc loads libgcc_s when a thread first ends by pthread_exit, as OpenMP's threads do */
    "libgcc_s.so.1 must be installed for",
};
enum { N_EXCUSES = sizeof excuses / sizeof excuses[0] };

typedef struct stream {
  char bytes[MAX_TEXT];
  long n; /* bytes of the text; -1: the file does not exist */
} stream;

/* The result of a run: how it ended, its messages and its output files. */
typedef struct result {
  fail_answer answer;
  stream out, errors, outputs[MAX_OUTPUTS];
} result;

static const char before[] = "what was there before";
static const char *irrun, *library;
static regex_t own_lines;
static long n_failed[N_COMMANDS][N_CALL_KINDS], n_excused[N_EXCUSES];
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

static bool same_end(const stream *a, const stream *b) {
  const long n = b->n < 8 ? b->n : 8;
  return a->n >= n && (n <= 0 || memcmp(a->bytes + a->n - n, b->bytes + b->n - n, (size_t)n) == 0);
}

/* ---- runs ---- */

static void redirect(const char *path, int flags, int fd) {
  const int file = open(path, flags, 0666);
  if (file < 0 || dup2(file, fd) < 0)
    stop(path);
  close(file);
}

/* The process of irrun that waits before main() and forks a child for each run. */
typedef struct server {
  pid_t process;
  int requests, answers;
} server;

static _Noreturn void begin_irrun(const command *c) {
  char *argv[MAX_ARGUMENTS + 2] = {(char *)(uintptr_t)irrun};
  for (int i = 0; i < MAX_ARGUMENTS; i++)
    argv[1 + i] = (char *)(uintptr_t)c->arguments[i];
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("stdout", O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO);
  redirect("stderr", O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
  setenv("LD_PRELOAD", library, 1);
  execv(irrun, argv);
  _exit(127);
}

static server start(const command *c) {
  int requests[2], answers[2];
  if (pipe2(requests, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
    stop("pipe");
  const pid_t process = fork();
  if (process < 0)
    stop("fork");
  if (process == 0) {
    dup2(requests[0], FAIL_REQUESTS);
    dup2(answers[1], FAIL_ANSWERS);
    begin_irrun(c);
  }
  close(requests[0]);
  close(answers[1]);
  return (server){process, requests[1], answers[0]};
}

static void end(const server *s) {
  close(s->requests);
  close(s->answers);
  waitpid(s->process, NULL, 0);
}

static void remove_outputs(const command *c) {
  for (int i = 0; i < MAX_OUTPUTS && c->outputs[i] != NULL; i++)
    unlink(c->outputs[i]);
  if (c->folder != NULL)
    rmdir(c->folder);
}

static void write_file(const char *path, const void *bytes, size_t n) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
    stop(path);
  close(fd);
}

static void run(const server *s, const command *c, const fail_request *request, result *r) {
  remove_outputs(c);
  if (c->outputs[0] != NULL && !c->is_new)
    write_file(c->outputs[0], before, strlen(before));
  write_file("stdout", "", 0);
  write_file("stderr", "", 0);
  if (write(s->requests, request, sizeof *request) != sizeof *request ||
      read(s->answers, &r->answer, sizeof r->answer) != sizeof r->answer)
    stop("fail_call.c");
  read_text("stdout", &r->out);
  read_text("stderr", &r->errors);
  for (int i = 0; i < MAX_OUTPUTS && c->outputs[i] != NULL; i++)
    read_text(c->outputs[i], &r->outputs[i]);
  remove_outputs(c);
}

/* ---- expectations ---- */

static char at_hand[120]; /* command line and call that fail, for messages */

__attribute__((format(printf, 2, 3))) static void fault(const result *r, const char *format, ...) {
  va_list args;
  printf("%s: ", at_hand);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf("\n  stdout: %.2000s\n  stderr: %.2000s\n", r->out.bytes, r->errors.bytes);
  n_faults++;
}

/* Expects that each reported rule is either a rule of failures or also reported by the run without failure. */
static void expect_rules(const result *r, const stream *said, const result *whole) {
  static const char *const of_failures[] = {"IR004", "IR701", "IR702", "IR703", "IR704"};
  for (const char *at = said->bytes; (at = strstr(at, "IR")) != NULL; at += 2) {
    char rule[6] = "";
    memcpy(rule, at, strnlen(at, sizeof rule - 1));
    bool known = strspn(rule + 2, "0123456789") < 3 || (at > said->bytes && isalnum((unsigned char)at[-1])) ||
                 strstr(whole->out.bytes, rule) != NULL || strstr(whole->errors.bytes, rule) != NULL;
    for (size_t i = 0; i < sizeof of_failures / sizeof of_failures[0]; i++)
      known = known || strcmp(rule, of_failures[i]) == 0;
    if (!known)
      fault(r, "told as %s", rule);
  }
}

static bool says_why(const stream *t) {
  return strstr(t->bytes, "IR004") != NULL || strstr(t->bytes, "IR70") != NULL ||
         strstr(t->bytes, "\"out of memory\"") != NULL; /* SARIF without rules */
}

/* Expects only lines of irrun's format on stderr: diagnostics, their source lines, notes, hints, and the final
 * count. OpenMP adds a line before it ends the process. */
static void compile_lines(void) {
  static const char form[] =
      "^(.+: (error|warning|note): .+ \\[IR[0-9]{3} [a-z0-9-]+\\]|(note|hint|layer): .+| +[0-9]* \\| .*|"
      "[0-9]+ (error|warning).*tells more\\.|[0-9]+ known finding.* not shown|[0-9]+ more .* not shown: no more are "
      "kept|"
      "libgomp: (Thread creation failed|Out of memory allocating).*|)$";
  if (regcomp(&own_lines, form, REG_EXTENDED | REG_NOSUB) != 0)
    stop("regcomp");
}

static void expect_lines(const result *r) {
  static char lines[MAX_TEXT];
  char *rest = lines, *line;
  strcpy(lines, r->errors.bytes);
  while ((line = strsep(&rest, "\n")) != NULL)
    if (regexec(&own_lines, line, 0, NULL, 0) != 0)
      fault(r, "not a line of irrun: %s", line);
}

static void expect_outputs(const command *c, const result *r, const result *whole) {
  for (int i = 0; i < MAX_OUTPUTS && c->outputs[i] != NULL; i++) {
    const stream *t = &r->outputs[i], *complete = &whole->outputs[i];
    const bool as_before = i == 0 && !c->is_new ? strcmp(t->bytes, before) == 0 : t->n < 0;
    const bool failed = WIFSIGNALED(r->answer.status) || WEXITSTATUS(r->answer.status) == IO_STATUS;
    const bool may_differ = c->varies || (c->shows_faults && failed);
    const bool is_complete = may_differ ? t->n >= 0 && same_end(t, complete) : same_text(t, complete);
    if (!is_complete && !(failed && as_before))
      fault(r, "%s has %ld bytes: ...%s", c->outputs[i], t->n, t->n < 40 ? t->bytes : t->bytes + t->n - 40);
  }
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place) {
  (void)info, (void)kind, (void)place;
  return remove(path);
}

/* Expects no file in the folder that irrun created and did not remove. */
static void expect_clean_folder(const result *r) {
  static const char *const given[] = {".", "..", "stdout", "stderr", "sources", "net.bin", "known", "inputs", "bin"};
  DIR *folder = opendir(".");
  if (folder == NULL)
    stop("opendir");
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    bool is_given = false;
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
      is_given = is_given || strcmp(entry->d_name, given[i]) == 0;
    if (!is_given) {
      fault(r, "%s is left behind", entry->d_name);
      nftw(entry->d_name, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
  }
  closedir(folder);
}

static bool is_excused(const failure *f, const result *r) {
  for (int i = 0; i < N_EXCUSES && (f->kind == CALL_ALLOC || f->kind == CALL_MAP); i++)
    if (i == 0 ? r->answer.in_onednn && WIFSIGNALED(r->answer.status) : strstr(r->errors.bytes, excuses[i]) != NULL) {
      n_excused[i]++;
      return true;
    }
  return false;
}

static void expect_end(const command *c, const failure *f, const result *r, const result *whole) {
  const int status = WEXITSTATUS(r->answer.status);
  if (!WIFEXITED(r->answer.status)) {
    fault(r, "signal %d", WTERMSIG(r->answer.status));
  } else if (status == c->status) {
    const bool lacks_places = c->shows_places && f->kind == CALL_READ && f->error == EIO;
    if (!lacks_places && ((!c->varies && !same_text(&r->out, &whole->out)) || !same_text(&r->errors, &whole->errors)))
      fault(r, "status %d, but another report", status);
  } else if (status != IO_STATUS || f->error == EINTR) {
    fault(r, "status %d", status);
  } else {
    if (!says_why(&r->out) && !says_why(&r->errors))
      fault(r, "no reason is given");
    expect_rules(r, &r->out, whole);
    expect_rules(r, &r->errors, whole);
    expect_lines(r);
  }
}

static void expect(const command *c, const failure *f, const result *r, const result *whole) {
  if (!is_excused(f, r))
    expect_end(c, f, r, whole);
  expect_outputs(c, r, whole);
  expect_clean_folder(r);
}

/* ---- which calls fail ---- */

/* A command line to run, with its calls when nothing fails. */
typedef struct job {
  const command *command;
  server server;
  result *whole;
  long n_rest, n_drawn; /* calls after the first of each failure, and how many of them fail */
} job;

static long calls(const job *j, const failure *f) {
  return j->whole->answer.n_calls[f->kind];
}

static void fail_call(const job *j, const failure *f, long first, long last) {
  static result r;
  const command *c = j->command;
  const fail_request request = {f->kind, f->error, first, last};
  snprintf(at_hand, sizeof at_hand, "%s %s %ld %ld (%s)", c->name, kind_names[f->kind], first, last,
           strerror(f->error));
  run(&j->server, c, &request, &r);
  n_failed[c - commands][f->kind] += r.answer.n_calls[f->kind] >= first;
  expect(c, f, &r, j->whole);
}

static void begin_job(job *j, const command *c) {
  *j = (job){c, start(c), calloc(1, sizeof *j->whole), 0, 0};
  if (j->whole == NULL)
    stop("calloc");
  snprintf(at_hand, sizeof at_hand, "%s: nothing fails", c->name);
  run(&j->server, c, &(fail_request){0}, j->whole);
  if (!WIFEXITED(j->whole->answer.status) || WEXITSTATUS(j->whole->answer.status) != c->status)
    fault(j->whole, "status %d", j->whole->answer.status);
  for (int i = 0; i < N_FAILURES; i++)
    j->n_rest += calls(j, &failures[i]) > ALL_OF_FIRST ? calls(j, &failures[i]) - ALL_OF_FIRST : 0;
}

static void fail_first(const job *j) {
  for (int i = 0; i < N_FAILURES; i++)
    for (long at = 1; at <= calls(j, &failures[i]) && at <= ALL_OF_FIRST; at++)
      fail_call(j, &failures[i], at, failures[i].stays ? LONG_MAX : at);
}

static void fail_drawn(const job *j) {
  for (long n = 0; n < j->n_drawn; n++) {
    long at = between(1, j->n_rest);
    int i = 0;
    for (long rest; at > (rest = calls(j, &failures[i]) - ALL_OF_FIRST); i++)
      at -= rest > 0 ? rest : 0;
    at += ALL_OF_FIRST;
    fail_call(j, &failures[i], at, failures[i].stays ? LONG_MAX : one_in(2) ? at : between(at, at + MOST_IN_A_ROW - 1));
  }
}

/* Shares n drawn calls evenly, but gives no command more than three times what it has. */
static void share(job *jobs, int n_jobs, long n) {
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < n_jobs; i++)
      if (n > 0 && jobs[i].n_drawn < 3 * jobs[i].n_rest) {
        jobs[i].n_drawn++;
        n--;
        more = true;
      }
  }
}

static long sum_up(void) {
  long sums[N_CALL_KINDS + 1] = {0};
  for (int i = 0; i < N_COMMANDS; i++) {
    long sum = 0;
    for (int k = 0; k < N_CALL_KINDS; k++) {
      sum += n_failed[i][k];
      sums[k] += n_failed[i][k];
    }
    sums[N_CALL_KINDS] += sum;
    if (sum > 0)
      printf("%-18s %ld\n", commands[i].name, sum);
  }
  printf("failed calls: %ld", sums[N_CALL_KINDS]);
  for (int k = 0; k < N_CALL_KINDS; k++)
    printf(", %s %ld", kind_names[k], sums[k]);
  printf("; faults: %d\n", n_faults);
  for (int i = 0; i < N_EXCUSES; i++)
    if (n_excused[i] > 0)
      printf("not irrun's: %ld x %s\n", n_excused[i], excuses[i]);
  return sums[N_CALL_KINDS];
}

/* Stands for Graphviz's program, which not every machine has. */
static const char dot[] = "#!/bin/sh\ncat >/dev/null\necho '<svg/>'\n";

/* Makes the input files of the commands. */
static void make_files(void) {
  char weights[4608];
  for (size_t i = 0; i < sizeof weights; i++)
    weights[i] = (char)(i * 7 % 5 - 2);
  write_file("net.bin", weights, sizeof weights);
  if (mkdir("inputs", 0777) != 0 || symlink("../" MODELS "demo/x.npy", "inputs/a.npy") != 0 ||
      symlink("../" MODELS "demo/x.npy", "inputs/b.npy") != 0)
    stop("inputs");
  if (mkdir("bin", 0777) != 0)
    stop("bin");
  write_file("bin/dot", dot, strlen(dot));
  if (chmod("bin/dot", 0777) != 0)
    stop("bin/dot");
  const pid_t child = fork();
  if (child == 0) {
    redirect("/dev/null", O_WRONLY, STDERR_FILENO);
    execl(irrun, irrun, "--check-shapes", "-qq", "--write-baseline=known", FAULTY, (char *)NULL);
    _exit(127);
  }
  waitpid(child, NULL, 0);
}

static void repeat(const job *j, char **words) {
  for (int i = 0; i < N_FAILURES; i++)
    if (strcmp(words[0], kind_names[failures[i].kind]) == 0 && !failures[i].stays)
      fail_call(j, &failures[i], strtol(words[1], NULL, 10), strtol(words[2], NULL, 10));
}

static int run_jobs(int argc, char **argv) {
  static job jobs[N_COMMANDS];
  int n_jobs = 0;
  long n_first = 0;
  const char *count = getenv("IRRUN_COUNT");
  for (int i = 0; i < N_COMMANDS; i++)
    if (strcmp(argv[4], "all") == 0 || strcmp(argv[4], commands[i].name) == 0)
      begin_job(&jobs[n_jobs++], &commands[i]);
  if (argc == 8) {
    for (int i = 0; i < n_jobs; i++)
      repeat(&jobs[i], argv + 5);
    return sum_up() == 0 || n_faults > 0;
  }
  for (int i = 0; i < n_jobs; i++)
    fail_first(&jobs[i]);
  for (int i = 0; i < N_COMMANDS; i++)
    for (int k = 0; k < N_CALL_KINDS; k++)
      n_first += n_failed[i][k];
  share(jobs, n_jobs, count != NULL ? strtol(count, NULL, 10) - n_first : (long)SOME_OF_REST * n_jobs);
  for (int i = 0; i < n_jobs; i++)
    fail_drawn(&jobs[i]);
  for (int i = 0; i < n_jobs; i++)
    end(&jobs[i].server);
  return sum_up() == 0 || n_faults > 0;
}

int main(int argc, char **argv) {
  char folder[] = "/tmp/irrun-failing-XXXXXX", path[64];
  if (argc != 5 && argc != 8) {
    fputs("usage: failing_test IRRUN LIBRARY SOURCES COMMAND|all [KIND FIRST LAST]\n", stderr);
    return 2;
  }
  irrun = argv[1];
  library = argv[2];
  setvbuf(stdout, NULL, _IOLBF, 0);
  draw_seed(NULL);
  if (mkdtemp(folder) == NULL || chdir(folder) != 0 || symlink(argv[3], "sources") != 0)
    stop(folder);
  snprintf(path, sizeof path, "%s/bin:/usr/bin:/bin", folder);
  setenv("TERM", "dumb", 1);
  setenv("TMPDIR", folder, 1);
  setenv("PATH", path, 1);
  compile_lines();
  make_files();
  const int status = run_jobs(argc, argv);
  regfree(&own_lines);
  if (chdir("/") != 0 || nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
    stop(folder);
  return status;
}
