#include "watch.h"
#include "folder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Events say when to look. Network drives and links into other folders have none, so irrun looks anyway. */
#define LOOK_MS         2000
#define LOOK_ALONE_MS   300 /* without inotify */
#define SETTLE_MS       50  /* a file that did not change for this long is taken to be written */
#define MOST_SETTLES    100 /* a file that changes all the time is checked after 5 s nevertheless */
#define EVENTS_OF_FILES (IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)

/* A file as it was when it was noted. A file that is missing has the size -1. */
typedef struct noted {
  char *path;
  struct timespec changed;
  off_t size;
  ino_t inode;
} noted;

typedef struct noted_files {
  noted *items;
  size_t n, capacity;
} noted_files;

struct cli_watch {
  char **roots; /* operands, --weights and --baseline */
  int n_roots;
  char *written; /* file of --write-baseline, which each check writes, so it is not noted; or NULL */
  noted_files files;
  char *changed; /* a changed file; NULL: the first check */
  int events;    /* descriptor of inotify; -1: there is none */
  bool is_check; /* this process only does a check */
};

static volatile sig_atomic_t is_ended;

static void end(int signal_number) {
  (void)signal_number;
  is_ended = 1;
}

static void pause_ms(long ms) {
  nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* ---- files ---- */

static bool is_written(const cli_watch *watch, const char *path) {
  char place[IRRUN_PLACE_TEXT], written[IRRUN_PLACE_TEXT];
  return watch->written != NULL && strcmp(irrun_output_place(path, place, sizeof place),
                                          irrun_output_place(watch->written, written, sizeof written)) == 0;
}

static void note(const cli_watch *watch, noted_files *list, const char *path) {
  if (is_written(watch, path))
    return;
  struct stat file;
  noted item = {.size = -1};
  cli_string copy = {0};
  cli_add(&copy, "%s", path);
  item.path = copy.text;
  if (stat(path, &file) == 0) {
    item.changed = file.st_mtim;
    item.size = file.st_size;
    item.inode = file.st_ino;
  }
  list->items = cli_with_room(list->items, list->n, &list->capacity, sizeof *list->items);
  list->items[list->n++] = item;
}

/* Watches the folder that has the file. */
static void watch_folder_of(const cli_watch *watch, const char *path) {
  cli_string folder = {0};
  cli_add_folder(&folder, path);
  if (watch->events >= 0)
    inotify_add_watch(watch->events, cli_text(&folder), EVENTS_OF_FILES);
  cli_reset(&folder);
}

/* Notes the models and weights in a folder, at any depth. */
static void note_folder(const cli_watch *watch, noted_files *list, const char *folder) {
  char **names;
  int n;
  if (watch->events >= 0)
    inotify_add_watch(watch->events, folder, EVENTS_OF_FILES);
  if (!cli_list_folder(folder, &names, &n))
    return;
  for (int i = 0; i < n; i++) {
    struct stat self;
    char *path = cli_join(folder, names[i]);
    if (lstat(path, &self) == 0 && S_ISDIR(self.st_mode))
      note_folder(watch, list, path);
    else if (cli_ends_in(path, ".xml") || cli_ends_in(path, ".json") || cli_ends_in(path, ".bin"))
      note(watch, list, path);
    free(path);
  }
  cli_free_names(names, n);
}

/* Notes a file and, if it is a model, the .bin beside it. */
static void note_file(const cli_watch *watch, noted_files *list, const char *path) {
  watch_folder_of(watch, path);
  note(watch, list, path);
  if (!cli_ends_in(path, ".xml"))
    return;
  cli_string weights = {0};
  cli_add_weights_beside(&weights, path);
  note(watch, list, cli_text(&weights));
  cli_reset(&weights);
}

static noted_files note_all(const cli_watch *watch) {
  noted_files list = {0};
  for (int i = 0; i < watch->n_roots; i++) {
    struct stat root;
    if (stat(watch->roots[i], &root) == 0 && S_ISDIR(root.st_mode))
      note_folder(watch, &list, watch->roots[i]);
    else
      note_file(watch, &list, watch->roots[i]);
  }
  return list;
}

static void reset_files(noted_files *list) {
  for (size_t i = 0; i < list->n; i++)
    free(list->items[i].path);
  free(list->items);
  *list = (noted_files){0};
}

static bool is_same(const noted *a, const noted *b) {
  return strcmp(a->path, b->path) == 0 && a->size == b->size && a->inode == b->inode &&
         a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Returns the path of the first file that differs, is new or is gone; NULL if there is none. */
static const char *find_change(const noted_files *before, const noted_files *now) {
  for (size_t i = 0; i < before->n && i < now->n; i++)
    if (!is_same(&before->items[i], &now->items[i]))
      return now->n < before->n ? before->items[i].path : now->items[i].path;
  if (before->n != now->n)
    return before->n > now->n ? before->items[now->n].path : now->items[before->n].path;
  return NULL;
}

/* ---- the watch ---- */

static char *copy_path(const char *path) {
  cli_string copy = {0};
  if (path != NULL)
    cli_add(&copy, "%s", path);
  return copy.text;
}

static cli_watch *create(const cli *c) {
  static const cli_option files[] = {CLI_OPTION_WEIGHTS, CLI_OPTION_BASELINE};
  const struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND}; /* a second Ctrl-C ends at once */
  cli_watch *watch = cli_allocate(1, sizeof *watch);
  watch->roots = cli_allocate((size_t)c->options.n_models + 2, sizeof *watch->roots);
  for (int i = 0; i < c->options.n_models; i++)
    watch->roots[watch->n_roots++] = copy_path(c->options.models[i]);
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    const char *path = cli_options_next(&c->options, files[i], &(int){0});
    if (path != NULL)
      watch->roots[watch->n_roots++] = copy_path(path);
  }
  watch->written = copy_path(cli_options_next(&c->options, CLI_OPTION_WRITE_BASELINE, &(int){0}));
  watch->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGCHLD, SIG_DFL); /* if it is ignored, a check leaves no status */
  return watch;
}

/* Reports IR801 if the options do not allow several checks. */
static irrun_status check_options(const cli *c) {
  if (c->json != NULL)
    return cli_fault(c->context, "IR801", NULL, "leave one of them out",
                     "'--watch' writes a report after each change, and a document of JSON or SARIF is one report");
  for (int i = 0; i < c->options.n_models; i++)
    if (strcmp(c->options.models[i], "-") == 0)
      return cli_fault(c->context, "IR801", NULL, "give a file", "'--watch' has no effect on stdin, '-'");
  return IRRUN_OK;
}

irrun_status cli_watch_note(cli *c, cli_watch **watch) {
  const irrun_status status = check_options(c);
  if (status != IRRUN_OK)
    return status;
  if (*watch == NULL)
    *watch = create(c);
  cli_watch *w = *watch;
  if (w->changed != NULL) {
    cli_string line = {0};
    cli_add_name(&line, w->changed);
    fprintf(c->results, "\n%s%s has changed%s\n", cli_paint(c->color_results, CLI_BOLD), cli_text(&line),
            cli_paint(c->color_results, CLI_PLAIN));
    cli_reset(&line);
  }
  reset_files(&w->files);
  w->files = note_all(w);
  return IRRUN_OK;
}

bool cli_watch_begin_check(cli_watch *watch, irrun_status *out_status) {
  int ended = 0;
  fflush(NULL);
  const pid_t child = fork();
  watch->is_check = child == 0;
  if (child == 0) { /* the check ends with the first process, whatever it waits for */
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  if (child <= 0)
    return true;
  pid_t waited;
  while ((waited = waitpid(child, &ended, 0)) < 0 && errno == EINTR)
    if (is_ended)
      kill(child, SIGTERM);
  if (waited < 0 || (is_ended && WIFSIGNALED(ended)))
    return false;
  if (WIFSIGNALED(ended)) { /* end in the same way */
    signal(WTERMSIG(ended), SIG_DFL);
    raise(WTERMSIG(ended));
  }
  *out_status = WEXITSTATUS(ended) == CLI_WATCH_LOST ? IRRUN_IO : (irrun_status)WEXITSTATUS(ended);
  if (WEXITSTATUS(ended) == CLI_WATCH_LOST)
    is_ended = 1;
  else if (*out_status == IRRUN_IO)
    raise(SIGPIPE); /* its handler ends the program if the reader of stdout is gone */
  return false;
}

bool cli_watch_is_check(const cli_watch *watch) {
  return watch != NULL && watch->is_check;
}

static void drain(int events) {
  char block[4096];
  while (events >= 0 && read(events, block, sizeof block) > 0)
    continue;
}

/* Waits until two looks at the files see the same. Returns what they see. */
static noted_files settle(const cli_watch *watch) {
  noted_files last = note_all(watch);
  for (int i = 0; i < MOST_SETTLES && !is_ended; i++) {
    pause_ms(SETTLE_MS);
    noted_files now = note_all(watch);
    const bool is_settled = find_change(&last, &now) == NULL;
    reset_files(&last);
    last = now;
    if (is_settled)
      break;
  }
  return last;
}

bool cli_watch_wait(cli_watch *watch) {
  bool is_changed = false;
  if (watch->is_check)
    return false;
  while (!is_ended && !is_changed) {
    struct pollfd events = {.fd = watch->events, .events = POLLIN};
    noted_files now = note_all(watch);
    is_changed = find_change(&watch->files, &now) != NULL;
    reset_files(&now);
    if (!is_changed)
      poll(&events, 1, watch->events >= 0 ? LOOK_MS : LOOK_ALONE_MS);
    drain(watch->events);
  }
  if (is_ended)
    return false;
  noted_files now = settle(watch);
  const char *path = find_change(&watch->files, &now);
  cli_string copy = {0};
  cli_add(&copy, "%s", path != NULL ? path : watch->roots[0]); /* changed, and changed back */
  free(watch->changed);
  watch->changed = copy.text;
  reset_files(&now);
  return !is_ended;
}

void cli_watch_free(cli_watch *watch) {
  if (watch == NULL)
    return;
  for (int i = 0; i < watch->n_roots; i++)
    free(watch->roots[i]);
  free(watch->roots);
  free(watch->written);
  free(watch->changed);
  reset_files(&watch->files);
  if (watch->events >= 0)
    close(watch->events);
  free(watch);
}
