/* --test: finds the cases, runs them in parallel, and prints the reports in the order of the cases. */
#include "links.h"
#include "progress.h"
#include "report_text.h"
#include "sandbox.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct case_pool {
  const cli *c;
  cli_cases *cases;
  int threads_a_case;
  pthread_mutex_t lock;
  pthread_cond_t one_is_done;
  int64_t n_taken, n_done;
  bool *is_done;
} case_pool;

static void *work(void *user) {
  case_pool *w = user;
  pthread_mutex_lock(&w->lock);
  while (w->n_taken < w->cases->n) {
    const int64_t at = w->n_taken++;
    pthread_mutex_unlock(&w->lock);
    cli_run_case(w->c, &w->cases->items[at], w->threads_a_case);
    pthread_mutex_lock(&w->lock);
    w->is_done[at] = true;
    w->n_done++;
    pthread_cond_signal(&w->one_is_done);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* Prints each case's report after the case and all earlier cases have ended. On a terminal, also shows a counter. */
static void print_reports(cli *c, case_pool *w) {
  const bool progress = cli_has_progress(c);
  pthread_mutex_lock(&w->lock);
  for (int64_t at = 0; at < w->cases->n; at++) {
    do {
      if (progress)
        fprintf(stderr, "\r\033[K%lld of %lld cases", (long long)w->n_done, (long long)w->cases->n);
      if (!w->is_done[at])
        pthread_cond_wait(&w->one_is_done, &w->lock);
    } while (!w->is_done[at]);
    pthread_mutex_unlock(&w->lock);
    if (progress)
      fputs("\r\033[K", stderr);
    fputs(cli_text(&w->cases->items[at].report), c->results);
    cli_flush_results(c);
    pthread_mutex_lock(&w->lock);
  }
  pthread_mutex_unlock(&w->lock);
}

static void run_cases(cli *c, cli_cases *cases) {
  pthread_t threads[IRRUN_MAX_THREADS];
  const int most = irrun_context_get_threads(c->context), n_wanted = cases->n < most ? (int)cases->n : most;
  case_pool w = {.c = c,
                 .cases = cases,
                 .threads_a_case = most / n_wanted,
                 .lock = PTHREAD_MUTEX_INITIALIZER,
                 .one_is_done = PTHREAD_COND_INITIALIZER,
                 .is_done = cli_allocate((size_t)cases->n, sizeof(bool))};
  int n = 0;
  while (n < n_wanted && pthread_create(&threads[n], NULL, work, &w) == 0)
    n++;
  if (n == 0)
    work(&w);
  print_reports(c, &w);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  free(w.is_done);
}

static void add_part(cli_string *line, int64_t count, const char *one, const char *many) {
  if (count > 0)
    cli_add(line, "%s%lld %s", line->text[line->length - 1] == ':' ? " " : ", ", (long long)count,
            count == 1 ? one : many);
}

static irrun_status sum_up(cli *c, const cli_cases *cases) {
  int64_t n_ok = 0, n_updated = 0, n_differ = 0;
  irrun_status worst = IRRUN_OK;
  cli_string line = {0};
  for (int64_t i = 0; i < cases->n; i++) {
    const cli_case *test = &cases->items[i];
    worst = irrun_status_worse(worst, test->status);
    n_ok += test->status == IRRUN_OK && !test->updated;
    n_updated += test->status == IRRUN_OK && test->updated;
    n_differ += test->differs;
  }
  if (c->json != NULL || c->options.silent)
    return worst;
  cli_add_count(&line, cases->n, "case");
  cli_add(&line, ":");
  add_part(&line, n_ok, "ok", "ok");
  add_part(&line, n_updated, "updated", "updated");
  add_part(&line, n_differ, "differs", "differ");
  add_part(&line, cases->n - n_ok - n_updated - n_differ, "error", "errors");
  if (cases->n_idle > 0) {
    cli_add(&line, "; ");
    cli_add_count(&line, cases->n_idle, "model");
    cli_add(&line, " without a data set");
  }
  fprintf(c->results, "%s\n", cli_text(&line));
  cli_reset(&line);
  return worst;
}

static void list_cases(cli *c, const cli_cases *cases) {
  cli_string names = {0};
  for (int64_t i = 0; i < cases->n && c->json == NULL; i++) {
    cli_add_printable(&names, cases->items[i].name);
    cli_add(&names, "\n");
  }
  fputs(cli_text(&names), c->results);
  cli_reset(&names);
}

/* Adds all cases to the JSON document, also cases that were not run. */
static void fill_json(cli *c, cli_cases *cases) {
  cli_node *root = cli_json_root(c->json), *list = cli_node_array(root, "cases");
  for (int64_t i = 0; i < cases->n; i++) {
    cli_case *test = &cases->items[i];
    if (test->node == NULL) {
      test->node = cli_node_alone();
      cli_name_case(test, test->node);
    }
    cli_node_adopt(list, NULL, test->node);
  }
  cli_node_integer(root, "models_without_cases", cases->n_idle);
}

static irrun_status check_junit(cli *c, const char *path) {
  const irrun_status status = cli_check_kept(c, CLI_OPTION_JUNIT, 0, path);
  return status == IRRUN_OK ? irrun_output_check(c->context, path) : status;
}

irrun_status cli_test_mode(cli *c) {
  cli_cases cases;
  int at = 0;
  const char *junit = cli_options_next(&c->options, CLI_OPTION_JUNIT, &at);
  irrun_status status = irrun_context_set_threads(c->context, c->options.threads);
  cli_begin_sandbox(c);
  status = irrun_status_worse(status, cli_find_cases(c, &cases));
  if (status == IRRUN_OK && junit != NULL)
    status = check_junit(c, junit);
  if (status == IRRUN_OK && cli_options_have(&c->options, CLI_OPTION_LIST_CASES)) {
    list_cases(c, &cases);
  } else if (status == IRRUN_OK) {
    cli_find_named_places(&c->options);
    cli_enter_sandbox(c, &cases);
    run_cases(c, &cases);
    status = sum_up(c, &cases);
    if (junit != NULL)
      status = irrun_status_worse(status, cli_write_junit(c, &cases, junit));
  }
  if (c->json != NULL)
    fill_json(c, &cases);
  cli_free_cases(&cases);
  return status;
}
