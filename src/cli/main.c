/* Runs the program: parses options, runs the mode, prints reports, returns the exit status. */
#include "baseline.h"
#include "cli.h"
#include "oom_report.h"
#include "report_json.h"
#include "report_sarif.h"
#include "report_text.h"
#include "sandbox.h"
#include "watch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Opens /dev/null for each standard stream that the caller closed, so that no file of irrun gets its descriptor. The
 * access mode is wrong on purpose: reading stdin and writing stdout or stderr then fail. */
static void guard_streams(void) {
  for (int fd = 0; fd <= 2; fd++)
    if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
      (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

/* Handles SIGPIPE. If the reader of stdout has closed the pipe (`irrun | head`), exits silently. For another pipe
 * returns, and the write fails. */
static void end_with_stdout(int signal_number) {
  struct pollfd out = {.fd = STDOUT_FILENO};
  (void)signal_number;
  if (poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0) {
    cli_clean_up(); /* NOLINT(bugprone-signal-handler,cert-sig30-c): text.h allows it */
    _exit(IRRUN_IO);
  }
}

static bool returns; /* main() has ended */

static void end_by_library(void) {
  if (!returns)
    cli_out_of_memory();
}

/* Reports if a library ends the process, because it cannot allocate memory or start a thread. OpenMP calls exit(1); to
 * irrun's callers, status 1 means a difference. oneDNN throws exceptions where they end in abort(), so that operator
 * new must not fail; libstdc++ comes with libxml2's ICU, or not at all before oneDNN. */
static void watch_libraries(void) {
  void (*(*set_new_handler)(void (*)(void)))(void);
  *(void **)&set_new_handler = dlsym(RTLD_DEFAULT, "_ZSt15set_new_handlerPFvvE");
  if (set_new_handler != NULL)
    set_new_handler(cli_out_of_memory);
  atexit(end_by_library);
}

static bool has_color(const cli_options *options, int fd) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  if (options->color != CLI_COLOR_AUTO)
    return options->color == CLI_COLOR_ALWAYS;
  if ((no_color != NULL && *no_color != '\0') || term == NULL || strcmp(term, "dumb") == 0)
    return false;
  return isatty(fd) == 1;
}

static irrun_status do_mode(cli *c) {
  /* these list the files of folders first, and then enter the sandbox themselves */
  const unsigned lists_folders = CLI_CHECK | CLI_RUN | CLI_TEST;
  if ((c->options.mode & lists_folders) == 0 && (cli_option_rows[CLI_OPTION_NO_SANDBOX].modes & c->options.mode) != 0)
    cli_enter_sandbox(c, NULL);
  switch (c->options.mode) {
  case CLI_HELP:
    cli_print_help(c->results);
    return IRRUN_OK;
  case CLI_VERSION:
    cli_version_mode(c);
    return IRRUN_OK;
  case CLI_LIST_OPS:
    return cli_list_mode(c);
  case CLI_LIST_RULES:
    return cli_list_rules_mode(c);
  case CLI_EXPLAIN:
    return cli_explain_mode(c);
  case CLI_GENERATE:
    return cli_generate_mode(c);
  case CLI_CHECK:
    return cli_check_mode(c);
  case CLI_BENCH:
    return cli_bench_mode(c);
  case CLI_GREEDY:
    return cli_greedy_mode(c);
  case CLI_CONVERT:
    return cli_convert_mode(c);
  case CLI_CUT:
    return cli_cut_mode(c);
  case CLI_EDIT:
    return cli_edit_mode(c);
  case CLI_RT_INFO:
    return cli_rt_info_mode(c);
  case CLI_SHOW_PLAN:
    return cli_show_plan_mode(c);
  case CLI_GRAPH:
    return cli_graph_mode(c);
  case CLI_TEST:
    return cli_test_mode(c);
  case CLI_DIFF:
    return cli_diff_mode(c);
  case CLI_RUN:
    break;
  }
  return cli_run_mode(c);
}

/* Does what the options ask for, and reports. */
static irrun_status do_and_report(cli *c, irrun_status status) {
  if (status == IRRUN_OK)
    status = do_mode(c);
  /* some failed allocations are recorded in the context only, because the function returns no status */
  status = irrun_status_worse(status, cli_judge(c, irrun_context_worst(c->context), CLI_ALL_MODELS));
  if (c->options.format == CLI_SARIF) {
    cli_sarif_print(c, status);
  } else if (c->json != NULL) {
    cli_json_print(c, status);
  } else {
    cli_show_diagnostics(c);
    cli_show_totals(c);
  }
  return status;
}

/* Runs the program once. With --watch, notes the files in `*watch`, and then checks them in a process of its own. */
static irrun_status run_program(cli *c, int argc, char **argv, cli_watch **watch) {
  irrun_status status = cli_options_parse(c->context, argc, argv, &c->options);
  /* --test names failed cases among its results, and the picture of --graph is no report */
  const bool silent = c->options.silent && (c->options.mode & (CLI_TEST | CLI_GRAPH)) == 0;
  FILE *nothing = silent ? fopen("/dev/null", "w") : NULL;
  c->results = nothing != NULL ? nothing : stdout;
  c->color_results = has_color(&c->options, STDOUT_FILENO);
  c->color_errors = has_color(&c->options, STDERR_FILENO);
  cli_choose_oom_report(c, false);
  if (c->options.format == CLI_JSON || c->options.format == CLI_SARIF)
    c->json = cli_json_create();
  if (status == IRRUN_OK)
    status = irrun_status_worse(cli_apply_rules(c->context, &c->options), cli_check_apart(c));
  if (status == IRRUN_OK && cli_options_have(&c->options, CLI_OPTION_WATCH))
    status = cli_watch_note(c, watch);
  if (status != IRRUN_OK || *watch == NULL || cli_watch_begin_check(*watch, &status))
    status = do_and_report(c, status);
  cli_json_free(c->json);
  cli_baseline_free(c->baseline);
  cli_findings_reset(&c->findings);
  cli_options_reset(&c->options);
  if (nothing != NULL)
    fclose(nothing);
  return status;
}

/* Closes stdout. Returns IRRUN_IO if output on stdout or stderr was lost. Reports a loss on stdout. `error` is the
 * errno of an earlier failed flush, or 0. */
static irrun_status close_streams(int error) {
  irrun_status status = ferror(stderr) != 0 ? IRRUN_IO : IRRUN_OK;
  bool failed = ferror(stdout) != 0;
  errno = 0;
  if (fclose(stdout) != 0)
    failed = true;
  if (!failed)
    return status;
  error = error != 0 ? error : errno;
  fprintf(stderr, "irrun: error: cannot write to stdout%s%s [IR702 file-not-writable]\n", error != 0 ? ": " : "",
          error != 0 ? strerror(error) : "");
  return IRRUN_IO;
}

int main(int argc, char **argv) {
  guard_streams();
  signal(SIGPIPE, end_with_stdout);
  watch_libraries();
  signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails, instead of ending irrun */
  cli_watch *watch = NULL;
  irrun_status status;
  int write_error;
  do {
    cli c = {.context = irrun_context_create(NULL)};
    if (c.context == NULL) {
      fputs("irrun: error: out of memory [IR703 out-of-memory]\n", stderr);
      return IRRUN_IO;
    }
    status = run_program(&c, argc, argv, &watch);
    write_error = c.write_error;
    irrun_context_free(c.context);
  } while (watch != NULL && write_error == 0 && fflush(stdout) == 0 && cli_watch_wait(watch));
  const bool is_check = cli_watch_is_check(watch);
  cli_watch_free(watch);
  returns = true;
  const irrun_status closed = close_streams(write_error);
  return is_check && closed != IRRUN_OK ? CLI_WATCH_LOST : (int)irrun_status_worse(status, closed);
}
