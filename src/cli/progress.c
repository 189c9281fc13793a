#include "progress.h"
#include "irrun_debug.h"
#include "text.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_SECONDS = 2, NEXT_NS = 250000000 };

struct cli_progress {
  irrun_model *model;
  irrun_run *run;
  pthread_t thread;
  pthread_mutex_t lock; /* of ends */
  pthread_cond_t wakes;
  bool ends;
  _Atomic int64_t step, n_steps, layer; /* n_steps 0: it is not at one yet */
};

bool cli_has_progress(const cli *c) {
  const char *term = getenv("TERM");
  return c->json == NULL && isatty(STDERR_FILENO) == 1 && term != NULL && strcmp(term, "dumb") != 0;
}

static void note(void *user, int64_t step, int64_t n_steps, int64_t layer) {
  cli_progress *progress = user;
  progress->step = step;
  progress->layer = layer;
  progress->n_steps = n_steps;
}

static void draw(cli_progress *progress, double seconds) {
  irrun_layer layer = {.size = sizeof layer};
  cli_string line = {0};
  cli_add(&line, "%.0f s", seconds);
  if (progress->n_steps > 0 && irrun_get_layer(progress->model, progress->layer, &layer)) {
    cli_add(&line, ": step %lld of %lld, ", (long long)progress->step + 1, (long long)progress->n_steps);
    cli_add_name(&line, layer.name);
  }
  fprintf(stderr, "\r\033[K%.*s", cli_line_width(stderr) - 1, cli_text(&line));
  cli_reset(&line);
}

static void *watch(void *user) {
  cli_progress *progress = user;
  struct timespec begin, next;
  clock_gettime(CLOCK_REALTIME, &begin);
  next = begin;
  next.tv_sec += FIRST_SECONDS;
  bool is_drawn = false;
  pthread_mutex_lock(&progress->lock);
  while (!progress->ends) {
    if (pthread_cond_timedwait(&progress->wakes, &progress->lock, &next) == 0)
      continue;
    draw(progress, (double)(next.tv_sec - begin.tv_sec) + (double)(next.tv_nsec - begin.tv_nsec) / 1e9);
    is_drawn = true;
    next.tv_nsec += NEXT_NS;
    next.tv_sec += next.tv_nsec / 1000000000;
    next.tv_nsec %= 1000000000;
  }
  pthread_mutex_unlock(&progress->lock);
  if (is_drawn)
    fputs("\r\033[K", stderr);
  return NULL;
}

cli_progress *cli_progress_begin(const cli *c, irrun_model *model, irrun_run *run) {
  if (!cli_has_progress(c))
    return NULL;
  cli_progress *progress = cli_allocate(1, sizeof *progress);
  progress->model = model;
  progress->run = run;
  pthread_mutex_init(&progress->lock, NULL);
  pthread_cond_init(&progress->wakes, NULL);
  if (pthread_create(&progress->thread, NULL, watch, progress) != 0) {
    free(progress);
    return NULL;
  }
  irrun_run_follow(run, note, progress);
  return progress;
}

void cli_progress_end(cli_progress *progress) {
  if (progress == NULL)
    return;
  irrun_run_follow(progress->run, NULL, NULL);
  pthread_mutex_lock(&progress->lock);
  progress->ends = true;
  pthread_cond_signal(&progress->wakes);
  pthread_mutex_unlock(&progress->lock);
  pthread_join(progress->thread, NULL);
  free(progress);
}
