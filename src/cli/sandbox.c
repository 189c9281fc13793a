#include "sandbox.h"
#include "against.h"
#include "folder.h"
#include "landlock.h"
#include "links.h"
#include "read_files.h"
#include "seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IN_FOLDER (CLI_MAY_READ | CLI_MAY_REPLACE | CLI_MAY_REMOVE_DIR)

typedef struct sandbox {
  const cli_options *options;
  cli_landlock set;
  bool is_watching;   /* --watch: files that are read can be replaced meanwhile, so their folders are read */
  bool has_steps;     /* --step: what a step has written can be read */
  bool reads_streams; /* the command line names a stream, which is copied to TMPDIR */
} sandbox;

/* ---- files ---- */

static void allow_folder_of(sandbox *s, const char *path, unsigned rights) {
  cli_string folder = {0};
  cli_add_folder(&folder, path);
  cli_landlock_allow(&s->set, cli_text(&folder), rights);
  cli_reset(&folder);
}

/* Allows to read a file, but not the files of a folder, and nothing of one to which a link leads: these can come with a
 * model. */
static void allow_file(sandbox *s, const char *path) {
  struct stat info;
  const bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  if (!is_folder || !cli_is_link(path))
    cli_landlock_allow(&s->set, path, is_folder ? CLI_MAY_LIST : CLI_MAY_READ);
}

/* Whether the path is "-", or names a descriptor: /dev/fd/N, /dev/stdin and the like. */
static bool is_descriptor(const char *path) {
  const bool is_special = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
  return strcmp(path, "-") == 0 || (is_special && irrun_output_descriptor(path) >= 0);
}

/* Whether a path of the command line is a stream, which is copied to TMPDIR. Does not follow links, and takes empty
 * files for no streams: both can come with a model. Their copies are in memory. */
static bool is_stream(const char *path) {
  struct stat info;
  return is_descriptor(path) ||
         (lstat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode) && !S_ISDIR(info.st_mode));
}

static bool allow_read(const cli_read_file *file, void *user) {
  sandbox *s = user;
  s->reads_streams = s->reads_streams || (file->given != NULL && is_stream(file->path));
  allow_file(s, file->path);
  if (s->is_watching)
    allow_folder_of(s, file->path, CLI_MAY_READ);
  return false;
}

/* Allows an output: its folder, where the file gets a temporary name first, and the folder to which a link leads. A
 * device, a FIFO or an open stream is written in place. `is_folder`: files can be written into the folder `path`. A
 * later --step can read what an earlier one has written. */
static void allow_written(sandbox *s, const char *path, bool is_folder) {
  const unsigned rights = CLI_MAY_REPLACE | (s->has_steps ? CLI_MAY_READ : 0);
  struct stat info;
  char place[PATH_MAX];
  cli_string plain = {0};
  cli_add(&plain, "%s", path);
  while (plain.length > 1 && plain.text[plain.length - 1] == '/')
    plain.text[--plain.length] = '\0';
  path = cli_text(&plain);
  const bool exists = stat(path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) {
    if (is_folder)
      cli_landlock_allow(&s->set, path, rights);
  } else if (exists && !S_ISREG(info.st_mode)) {
    cli_landlock_allow(&s->set, path, CLI_MAY_WRITE);
  } else if (!is_descriptor(path)) { /* a descriptor is open already */
    allow_folder_of(s, path, rights);
    /* if a link leads to a missing file, glibc's realpath fails and still writes its path */
    if (cli_is_link(path) && (realpath(path, place) != NULL || errno == ENOENT))
      allow_folder_of(s, place, rights);
  }
  cli_reset(&plain);
}

/* Allows a model that is written, with the .bin, and the .npz of --cut, beside it. Links that lead elsewhere are not
 * followed: they can come with a model. */
static void allow_written_model(sandbox *s, const char *path) {
  static const char *const suffixes[] = {"bin", "npz"};
  char place[PATH_MAX];
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    cli_string beside = {0};
    cli_add(&beside, "%.*s%s", (int)(strlen(path) - strlen("xml")), path, suffixes[i]);
    if (cli_leads_beside(cli_text(&beside), path, place))
      allow_written(s, cli_text(&beside), false);
    cli_reset(&beside);
  }
}

static void allow_outputs(sandbox *s) {
  for (int i = 0; i < s->options->n_given; i++) {
    for (const char *at = cli_written_value(&s->options->given[i]); at != NULL; at = cli_next_file(at)) {
      if (*at == '\0')
        continue;
      allow_written(s, at, s->options->given[i].option == CLI_OPTION_OUTPUT && !cli_ends_in(at, ".xml"));
      if (cli_ends_in(at, ".xml"))
        allow_written_model(s, at);
    }
  }
}

/* Allows a data set of --test, its files that are links, and the folders of its steps. With --update, allows to write
 * those of them that lie in folders that the command line names. If a link leads elsewhere, only the files of the
 * folder are allowed, not what lies below. */
static void allow_data_set(sandbox *s, const char *folder, bool has_steps) {
  char **names, place[PATH_MAX];
  int n;
  const bool leads_away = !cli_is_named_place(s->options, folder, place);
  cli_landlock_allow(&s->set, folder,
                     leads_away           ? CLI_MAY_LIST
                     : s->options->update ? CLI_MAY_READ | CLI_MAY_REPLACE
                                          : CLI_MAY_READ);
  if (!cli_list_folder(folder, &names, &n))
    return;
  for (int i = 0; i < n; i++) {
    char *path = cli_join(folder, names[i]);
    struct stat info;
    if (cli_is_link(path) || (leads_away && stat(path, &info) == 0 && !S_ISDIR(info.st_mode))) {
      allow_file(s, path);
      if (s->options->update && cli_is_named_place(s->options, path, place))
        allow_written(s, path, false);
    }
    if (has_steps && cli_is_step(folder, names[i]))
      allow_data_set(s, path, false);
    free(path);
  }
  cli_free_names(names, n);
}

static void allow_operands(sandbox *s) {
  const cli_options *options = s->options;
  const bool are_expanded = options->operands != NULL;
  for (int i = 0; i < (are_expanded ? options->n_operands : options->n_models); i++) {
    const char *operand = are_expanded ? options->operands[i] : options->models[i];
    s->reads_streams = s->reads_streams || is_stream(operand);
    if (are_expanded && s->is_watching && !cli_is_link(operand))
      cli_landlock_allow(&s->set, operand, CLI_MAY_READ);
  }
}

static bool allow_module(const char *path, void *user) {
  sandbox *s = user;
  cli_landlock_allow(&s->set, path, CLI_MAY_READ);
  return true;
}

/* Allows the libraries that the module of oneDNN needs: those of the system, of the user's LD_LIBRARY_PATH, and of the
 * tree in which the program is installed. */
static void allow_libraries(sandbox *s) {
  static const char *const paths[] = {"/etc/ld.so.cache", "/lib", "/lib64", "/nix/store", "/opt", "/usr"};
  const char *given = getenv("LD_LIBRARY_PATH");
  char program[PATH_MAX];
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    cli_landlock_allow(&s->set, paths[i], CLI_MAY_READ);
  irrun_fast_visit_paths(allow_module, s);
  if (given != NULL) {
    cli_string list = {0};
    cli_add(&list, "%s", given);
    for (char *rest = list.text, *path; (path = strsep(&rest, ":;")) != NULL;)
      cli_landlock_allow(&s->set, *path != '\0' ? path : ".", CLI_MAY_READ);
    cli_reset(&list);
  }
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - sizeof "/lib");
  if (n > 0) {
    program[n] = '\0';
    for (int i = 0; i < 2 && strrchr(program, '/') != NULL; i++)
      *strrchr(program, '/') = '\0';
    strcat(program, "/lib");
    cli_landlock_allow(&s->set, program, CLI_MAY_READ);
  }
}

/* Allows what any program reads and writes: facts about the machine and itself, and /dev/null. */
static void allow_system(sandbox *s) {
  cli_landlock_allow(&s->set, "/proc", CLI_MAY_READ);
  cli_landlock_allow(&s->set, "/sys", CLI_MAY_READ);
  cli_landlock_allow(&s->set, "/dev/null", CLI_MAY_READ | CLI_MAY_WRITE);
}

/* Lets --test list folders and read their settings: it can read all files, and write only outputs. */
static void restrict_writing(const cli_options *options) {
  sandbox s = {.options = options, .set = cli_landlock_begin()};
  if (s.set.fd < 0)
    return;
  cli_landlock_allow(&s.set, "/", CLI_MAY_READ);
  cli_landlock_allow(&s.set, "/dev/null", CLI_MAY_WRITE);
  allow_outputs(&s);
  for (int i = 0; i < options->n_models && options->update; i++) {
    cli_string folder = {0};
    cli_add_named_folder(&folder, options->models[i]);
    cli_landlock_allow(&s.set, cli_text(&folder), CLI_MAY_REPLACE);
    cli_reset(&folder);
  }
  cli_landlock_enter(&s.set);
}

static void restrict_files(const cli *c, const cli_cases *cases, bool starts_program) {
  const cli_options *options = c->all != NULL ? c->all : &c->options;
  sandbox s = {.options = options,
               .set = cli_landlock_begin(),
               .is_watching = cli_options_have(options, CLI_OPTION_WATCH),
               .has_steps = cli_options_have(options, CLI_OPTION_STEP)};
  if (s.set.fd < 0)
    return;
  allow_system(&s);
  if ((cli_option_rows[CLI_OPTION_KERNELS].modes & options->mode) != 0)
    allow_libraries(&s);
  cli_visit_read_files(c, allow_read, &s);
  allow_operands(&s);
  for (int64_t i = 0; cases != NULL && i < cases->n; i++)
    allow_data_set(&s, cases->items[i].folder, true);
  allow_outputs(&s);
  if (s.reads_streams)
    cli_landlock_allow(&s.set, cli_temporary_folder(), CLI_MAY_READ | CLI_MAY_WRITE);
  if (cli_options_have(options, CLI_OPTION_AGAINST) || starts_program)
    cli_landlock_allow(&s.set, cli_temporary_folder(), IN_FOLDER);
  if (starts_program) {
    cli_landlock_allow(&s.set, "/", CLI_MAY_READ | CLI_MAY_EXECUTE);
    cli_landlock_allow(&s.set, "/tmp", IN_FOLDER); /* of the C library's tmpfile */
    cli_landlock_allow(&s.set, "/dev/shm", IN_FOLDER);
  }
  cli_landlock_enter(&s.set);
}

/* ---- entering ---- */

/* Whether the command runs another program: Python for --against, or Graphviz for --graph=svg. */
static bool starts_another(const cli_options *options) {
  const char *peer = cli_options_next(options, CLI_OPTION_AGAINST, &(int){0});
  const char *form = cli_options_next(options, CLI_OPTION_GRAPH, &(int){0});
  return (peer != NULL && cli_peer_needs_python(peer)) || (form != NULL && strcmp(form, "svg") == 0);
}

/* Gives up what root may do, except with files. The kernel lets some capabilities see the environment of other
 * processes, and change mounts, in spite of Landlock. */
static void give_up_capabilities(void) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
  struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
  const unsigned kept = 1U << CAP_CHOWN | 1U << CAP_DAC_OVERRIDE | 1U << CAP_DAC_READ_SEARCH | 1U << CAP_FOWNER;
  if (syscall(SYS_capget, &header, sets) != 0 || ((sets[0].permitted & ~kept) | sets[1].permitted) == 0)
    return;
  for (unsigned long i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++)
    if (i >= 32 || (kept >> i & 1) == 0)
      prctl(PR_CAPBSET_DROP, i, 0, 0, 0); /* so that programs do not get it again */
  for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
    const unsigned mask = i == 0 ? kept : 0;
    sets[i].permitted &= mask;
    sets[i].effective &= mask;
    sets[i].inheritable &= mask;
  }
  syscall(SYS_capset, &header, sets);
}

static bool is_begun;   /* the first sandbox of --test has restricted the calls already */
static bool is_entered; /* --watch checks several times */

static bool can_enter(const cli *c) {
  return IRRUN_SANDBOX && !cli_options_have(&c->options, CLI_OPTION_NO_SANDBOX) &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0; /* without it, the kernel refuses both restrictions */
}

static void restrict_calls(bool starts_program) {
  if (!is_begun) {
    give_up_capabilities();
    cli_seccomp_enter(starts_program);
  }
  is_begun = true;
}

void cli_begin_sandbox(const cli *c) {
  if (!can_enter(c))
    return;
  restrict_writing(&c->options);
  restrict_calls(false);
}

void cli_enter_sandbox(const cli *c, const cli_cases *cases) {
  if (is_entered || !can_enter(c))
    return;
  is_entered = true;
  const bool starts_program = starts_another(&c->options);
  restrict_files(c, cases, starts_program);
  restrict_calls(starts_program);
}

void cli_add_sandbox(cli_string *text) {
  const int version = cli_landlock_version();
  if (!IRRUN_SANDBOX) {
    cli_add(text, "none in this build");
    return;
  }
  if (version > 0)
    cli_add(text, "Landlock %d, ", version);
  else
    cli_add(text, "no Landlock in this kernel, ");
  cli_add(text, "%s", cli_has_seccomp() ? "seccomp" : "no seccomp");
}
