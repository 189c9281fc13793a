/* --against: runs a peer on the inputs of the run, and compares the run with the results of all its layers. A peer is
 * OpenVINO with the same model, onnxruntime with an ONNX model, or irrun with another model. */
#include "against.h"
#include "against_scripts.h"
#include "folder.h"
#include "peer.h"
#include "run_inner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

typedef enum peer_kind { PEER_OPENVINO, PEER_ONNX, PEER_IRRUN } peer_kind;

/* The files that a peer reads and writes, in a temporary folder. */
enum { INPUTS, RESULTS, MESSAGES, SCRIPT, ARCHIVE_SCRIPT, N_FILES };

typedef struct peer {
  cli_run *r;
  const char *name; /* argument of --against */
  peer_kind kind;
  char folder[4096];
  cli_string files[N_FILES];
} peer;

static peer_kind kind_of(const char *name) {
  return strcmp(name, "openvino") == 0 ? PEER_OPENVINO : cli_ends_in(name, ".onnx") ? PEER_ONNX : PEER_IRRUN;
}

bool cli_peer_needs_python(const char *name) {
  return kind_of(name) != PEER_IRRUN;
}

/* Reports a file that is not there, and a model that the peer cannot read, before any work. */
static irrun_status check_name(const peer *p) {
  static const char *const words[] = {"openvino"};
  cli *c = p->r->c;
  const int version = cli_model_info(p->r->model).ir_version;
  if (p->kind == PEER_OPENVINO && version > 0 && version < 10)
    return cli_fault(c->context, "IR801", p->r->path, "convert it first: --convert OUT.xml",
                     "OpenVINO reads IR versions 10 and 11, and this is one of version %d", version);
  if (p->kind == PEER_OPENVINO)
    return IRRUN_OK;
  if (cli_is_stdin(p->name))
    return cli_claim_stdin(p->r, CLI_OPTION_AGAINST, p->name);
  if (access(p->name, R_OK) == 0)
    return IRRUN_OK;
  return cli_fault(c->context, "IR701", p->name,
                   irrun_did_you_mean(p->name, words, 1) != NULL
                       ? "did you mean 'openvino'?"
                       : "a peer is openvino, a file MODEL.onnx, or another model",
                   "cannot read the model: %s", strerror(errno));
}

/* ---- the folder ---- */

static irrun_status fail_write(const peer *p) {
  return cli_fault(p->r->c->context, "IR702", NULL, "set TMPDIR to a folder with room",
                   "cannot write a temporary file for --against: %s", strerror(errno));
}

static irrun_status make_folder(peer *p) {
  static const char *const names[] = {[INPUTS] = "inputs.npz",
                                      [RESULTS] = "results.npz",
                                      [MESSAGES] = "messages",
                                      [SCRIPT] = "peer.py",
                                      [ARCHIVE_SCRIPT] = "tensor_archive.py"};
  snprintf(p->folder, sizeof p->folder, "%s/irrun-XXXXXX", cli_temporary_folder());
  if (mkdtemp(p->folder) == NULL)
    return fail_write(p);
  for (int i = 0; i < N_FILES; i++)
    cli_add(&p->files[i], "%s/%s", p->folder, names[i]);
  return IRRUN_OK;
}

static const peer *asked;            /* the peer whose folder clean_up removes */
static volatile sig_atomic_t script; /* process of the peer's script; 0: none runs */

static void remove_folder(const peer *p) {
  for (int i = 0; i < N_FILES; i++)
    unlink(cli_text(&p->files[i]));
  rmdir(p->folder);
}

/* Ends the script and removes the folder. */
static void clean_up(void) {
  if (script > 0) {
    kill(script, SIGKILL);
    waitpid(script, NULL, 0); /* an ended script writes no more files */
  }
  remove_folder(asked);
}

/* Lets the signal end the program: SA_RESETHAND has restored its own action. */
static void end_by_signal(int number) {
  clean_up();
  raise(number);
}

static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
enum { N_ENDING = sizeof ending / sizeof *ending };

/* From here on, the folder is removed however the program ends. */
static void watch_ends(const peer *p, struct sigaction *out_before) {
  asked = p;
  cli_set_clean_up(clean_up);
  for (int i = 0; i < N_ENDING; i++) {
    sigaction(ending[i], NULL, &out_before[i]);
    const struct sigaction action = {.sa_handler = end_by_signal, .sa_flags = (int)SA_RESETHAND};
    if (out_before[i].sa_handler != SIG_IGN)
      sigaction(ending[i], &action, NULL);
  }
}

static void unwatch_ends(const struct sigaction *before) {
  cli_set_clean_up(NULL);
  for (int i = 0; i < N_ENDING; i++)
    sigaction(ending[i], &before[i], NULL);
}

/* The name and the number of an input. */
typedef struct named_input {
  const char *name;
  int64_t index;
} named_input;

static int by_name(const void *a, const void *b) {
  return strcmp(((const named_input *)a)->name, ((const named_input *)b)->name);
}

/* Lists the inputs of a model by name. The caller frees the list. */
static named_input *list_by_name(irrun_model *model, int64_t n) {
  named_input *list = cli_allocate((size_t)n + 1, sizeof *list);
  irrun_io io = {.size = sizeof io};
  for (int64_t i = 0; i < n; i++) {
    const bool has_name = irrun_model_get_io(model, IRRUN_INPUTS, i, &io); /* else memory is out */
    list[i] = (named_input){has_name ? io.name : "", i};
  }
  qsort(list, (size_t)n, sizeof *list, by_name);
  return list;
}

/* Writes the inputs of the run. Each has its own name or, for irrun, that of the other model's input with the same name
 * or number. */
static irrun_status write_inputs(const peer *p, irrun_model *other) {
  cli_run *r = p->r;
  const irrun_tensor **tensors = cli_allocate((size_t)r->n_inputs, sizeof *tensors);
  const char **names = cli_allocate((size_t)r->n_inputs, sizeof *names);
  const int64_t n_theirs = other != NULL ? cli_model_info(other).n_inputs : 0;
  named_input *theirs = list_by_name(other, n_theirs);
  irrun_status status = IRRUN_OK;
  int64_t n = 0;
  for (int64_t i = 0; i < r->n_inputs && status == IRRUN_OK; i++) {
    irrun_io io = {.size = sizeof io};
    const bool has_name = irrun_model_get_io(r->model, IRRUN_INPUTS, i, &io);
    const named_input wanted = {.name = has_name ? io.name : ""};
    const named_input *same = bsearch(&wanted, theirs, (size_t)n_theirs, sizeof *theirs, by_name);
    const int64_t match = same != NULL ? same->index : i;
    tensors[n] = irrun_run_input(r->run, i);
    const bool has_match = match < n_theirs;
    const char *key = irrun_model_get_key(has_match ? other : r->model, IRRUN_INPUTS, has_match ? match : i);
    status = key == NULL ? IRRUN_IO : IRRUN_OK; /* memory is out, also for io.name */
    names[n] = has_match ? key : io.name;
    n += tensors[n] != NULL;
  }
  if (status == IRRUN_OK)
    status = irrun_archive_write(r->c->context, n, tensors, names, cli_text(&p->files[INPUTS]));
  free(theirs);
  free(tensors);
  free(names);
  return status;
}

/* ---- a peer in Python ---- */

static bool write_file(const cli_string *path, const char *text, size_t length) {
  FILE *file = fopen(cli_text(path), "w");
  const bool is_written = file != NULL && fwrite(text, 1, length, file) == length;
  return file != NULL && fclose(file) == 0 && is_written;
}

static bool write_scripts(const peer *p) {
  return write_file(&p->files[ARCHIVE_SCRIPT], script_tensor_archive, sizeof script_tensor_archive) &&
         (p->kind == PEER_ONNX
              ? write_file(&p->files[SCRIPT], script_onnx_tensors, sizeof script_onnx_tensors)
              : write_file(&p->files[SCRIPT], script_openvino_tensors, sizeof script_openvino_tensors));
}

/* Starts the script. A signal that arrives meanwhile waits until end_by_signal knows the process. */
static int start_script(const char *python, const posix_spawn_file_actions_t *actions, const char *const *words) {
  posix_spawnattr_t attributes;
  sigset_t held, before;
  pid_t child;
  sigemptyset(&held);
  for (int i = 0; i < N_ENDING; i++)
    sigaddset(&held, ending[i]);
  sigprocmask(SIG_BLOCK, &held, &before);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawnp(&child, python, actions, &attributes, (char *const *)(uintptr_t)words, environ);
  posix_spawnattr_destroy(&attributes);
  script = error == 0 ? child : 0;
  sigprocmask(SIG_SETMASK, &before, NULL);
  return error;
}

/* Runs the script, which writes to the file of messages. Returns 0, or the errno of a program that did not start. */
static int run_script(const peer *p, const char *python, int *out_ended) {
  const char *weights = cli_options_next(&p->r->c->options, CLI_OPTION_WEIGHTS, &(int){0});
  const char *model = p->kind == PEER_ONNX ? p->name : p->r->path;
  const char *const words[] = {python,
                               "-B",
                               cli_text(&p->files[SCRIPT]),
                               model,
                               cli_text(&p->files[INPUTS]),
                               cli_text(&p->files[RESULTS]),
                               p->kind == PEER_OPENVINO ? weights : NULL,
                               NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, cli_text(&p->files[MESSAGES]),
                                   O_WRONLY | O_CREAT | O_APPEND, S_IRUSR | S_IWUSR);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  const int error = start_script(python, &actions, words);
  posix_spawn_file_actions_destroy(&actions);
  while (error == 0 && waitpid(script, out_ended, 0) < 0 && errno == EINTR)
    continue;
  script = 0;
  return error;
}

/* Shows what the script said: its last line in `out_last`, and with -v all of it. */
static void show_messages(const peer *p, bool shows, cli_string *out_last) {
  FILE *file = fopen(cli_text(&p->files[MESSAGES]), "r");
  char line[1024];
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    cli_string shown = {0};
    line[strcspn(line, "\n")] = '\0';
    cli_add_printable(&shown, line);
    if (shows)
      fprintf(stderr, "%s\n", cli_text(&shown));
    cli_reset(&shown);
    if (*line != '\0') {
      cli_clear(out_last);
      cli_add(out_last, "%s", line);
    }
  }
  if (file != NULL)
    fclose(file);
}

/* Reports results of the script that cannot be read. A context of its own checks them, because its messages name the
 * temporary file. */
static irrun_status check_results(const peer *p, const char *said) {
  irrun_context *context = irrun_context_create(NULL);
  irrun_tensor_file *file = NULL;
  irrun_diagnostic fault = {.size = sizeof fault};
  cli_string hint = {0};
  if (context == NULL)
    cli_out_of_memory();
  irrun_status status = irrun_tensor_file_open(context, cli_text(&p->files[RESULTS]), &file);
  if (*said != '\0')
    cli_add(&hint, "it said: %s", said);
  if (status != IRRUN_OK)
    status = cli_fault(p->r->c->context, "IR704", NULL, hint.text, "'%s' gave no results: %s", p->name,
                       irrun_context_get_diagnostic(context, 0, &fault) ? fault.message : "");
  irrun_tensor_file_free(file);
  irrun_context_free(context);
  cli_reset(&hint);
  return status;
}

static irrun_status ask_python(const peer *p) {
  static const char hint[] = "name a Python that has the packages numpy and openvino (or onnx and onnxruntime) by the "
                             "environment variable PYTHON";
  cli *c = p->r->c;
  const char *given = getenv("PYTHON"), *python = given != NULL && *given != '\0' ? given : "python3";
  irrun_status status = write_inputs(p, NULL);
  int ended = 0;
  if (status != IRRUN_OK)
    return status;
  if (!write_scripts(p))
    return fail_write(p);
  const int error = run_script(p, python, &ended);
  if (error != 0)
    return cli_fault(c->context, "IR704", NULL, hint, "--against needs Python: '%s' does not start: %s", python,
                     strerror(error));
  const bool is_good = WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
  cli_string last = {0};
  show_messages(p, c->options.verbose && is_good, &last);
  if (!is_good)
    status = cli_fault(c->context, "IR704", NULL, hint, "'%s' did not run: %s", p->name,
                       last.length > 0 ? cli_text(&last) : "Python ended without a message");
  else
    status = check_results(p, cli_text(&last));
  cli_reset(&last);
  return status;
}

/* ---- irrun with another model ---- */

/* Runs the other model, which saves the results of its layers. */
static irrun_status ask_irrun(const peer *p, cli_run *other) {
  cli *c = p->r->c;
  const cli_options all = c->options;
  cli_given given[] = {{.option = CLI_OPTION_INPUT, .value = cli_text(&p->files[INPUTS])},
                       {.option = CLI_OPTION_SAVE_ALL, .value = cli_text(&p->files[RESULTS])}};
  c->options.given = given;
  c->options.n_given = sizeof given / sizeof *given;
  c->options.cast = true;
  irrun_status status = cli_read_model(c, p->name, IRRUN_TO_RUN, &other->model);
  if (status == IRRUN_OK)
    status = write_inputs(p, other->model);
  if (status == IRRUN_OK)
    status = cli_compute_run(other);
  c->options = all;
  return status;
}

/* ---- expected values ---- */

static irrun_status expect_results(const peer *p, irrun_model *other) {
  cli_run *r = p->r;
  irrun_tensor_file *file;
  cli_peer pair = {.old.model = other, .old.path = p->name, .new.model = r->model, .new.path = r->path};
  irrun_status status = irrun_tensor_file_open(r->c->context, cli_text(&p->files[RESULTS]), &file);
  if (status != IRRUN_OK)
    return status;
  r->files[r->n_files++] = file;
  if (other != NULL) {
    cli_diff_pair(&pair.old, &pair.new);
    r->peer = &pair;
  }
  status = cli_expect_keys(r, file, p->name);
  r->peer = NULL;
  r->c->options.cast = true; /* the peer's tensors can have other types */
  if (other != NULL) {
    cli_diff_free(&pair.old);
    cli_diff_free(&pair.new);
  }
  return status == IRRUN_OK ? cli_bind_inner(r) : status;
}

irrun_status cli_ask_peer(cli_run *r) {
  peer p = {.r = r, .name = cli_options_next(&r->c->options, CLI_OPTION_AGAINST, &(int){0})};
  if (p.name == NULL)
    return IRRUN_OK;
  struct sigaction before[N_ENDING];
  cli_run other = {.c = r->c, .path = p.name, .inputs_name = p.name};
  p.kind = kind_of(p.name);
  irrun_status status = check_name(&p);
  if (status != IRRUN_OK)
    return status;
  watch_ends(&p, before);
  status = make_folder(&p);
  if (status == IRRUN_OK)
    status = p.kind == PEER_IRRUN ? ask_irrun(&p, &other) : ask_python(&p);
  if (status == IRRUN_OK)
    status = expect_results(&p, other.model);
  cli_free_run(&other);
  remove_folder(&p);
  unwatch_ends(before);
  for (int i = 0; i < N_FILES; i++)
    cli_reset(&p.files[i]);
  return status;
}
