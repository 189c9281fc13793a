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
  irrun_run *run;
  pthread_t thread;
  pthread_mutex_t lock; /* protects `ends` */
  pthread_cond_t wakes;
  bool ends;
  _Atomic int64_t step, n_steps;
  _Atomic(const char *) layer; /* name of the step's layer; NULL: no step has begun */
};

bool cli_has_progress(const cli *c) {
  const char *term = getenv("TERM");
  return c->json == NULL && isatty(STDERR_FILENO) == 1 && term != NULL && strcmp(term, "dumb") != 0;
}

static void note(void *user, int64_t step, int64_t n_steps, const char *layer) {
  cli_progress *progress = user;
  progress->step = step;
  progress->n_steps = n_steps;
  progress->layer = layer;
}

static void draw(cli_progress *progress, double seconds) {
  const char *layer = progress->layer;
  cli_string line = {0};
  cli_add(&line, "%.0f s", seconds);
  if (layer != NULL) {
    cli_add(&line, ": step %lld of %lld, ", (long long)progress->step + 1, (long long)progress->n_steps);
    cli_add_name(&line, layer);
  }
  cli_cut_middle(&line, cli_line_width(stderr) - 1);
  fprintf(stderr, "\r\033[K%s", cli_text(&line));
  cli_reset(&line);
}

/* Draws the line until cli_progress_end. Reads only names of the model: the thread that executes the run can change the
 * rest. */
static void *watch(void *user) {
  cli_progress *progress = user;
  struct timespec begin, next;
  clock_gettime(CLOCK_MONOTONIC, &begin);
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

cli_progress *cli_progress_begin(const cli *c, irrun_run *run) {
  if (!cli_has_progress(c))
    return NULL;
  pthread_condattr_t attributes;
  cli_progress *progress = cli_allocate(1, sizeof *progress);
  progress->run = run;
  pthread_mutex_init(&progress->lock, NULL);
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&progress->wakes, &attributes);
  pthread_condattr_destroy(&attributes);
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
