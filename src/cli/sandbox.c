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
  bool is_changing;   /* files that are read can be replaced while the program runs: keep their folders */
  bool reads_streams; /* the command line names a stream, which is copied to TMPDIR */
} sandbox;

/* ---- files ---- */

static void allow_folder_of(sandbox *s, const char *path, unsigned rights) {
  cli_string folder = {0};
  cli_add_folder(&folder, path);
  cli_landlock_allow(&s->set, cli_text(&folder), rights);
  cli_reset(&folder);
}

/* Allows to read a file, but not the folder to which a link leads: a link named as the .bin can come with the model. */
static void allow_file(sandbox *s, const char *path) {
  struct stat info;
  if (!cli_is_link(path) || (stat(path, &info) == 0 && !S_ISDIR(info.st_mode)))
    cli_landlock_allow(&s->set, path, CLI_MAY_READ);
}

/* Whether the path is "-", /dev/fd/N, /dev/stdin or the like. */
static bool is_descriptor(const char *path) {
  return strcmp(path, "-") == 0 || strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/dev/std", 8) == 0 ||
         strncmp(path, "/proc/", 6) == 0;
}

/* Whether a path of the command line is a stream, which is copied to TMPDIR. Does not follow links, and takes empty
 * files for no streams: both can come with a model. Their copies are in memory. */
static bool is_stream(const char *path) {
  struct stat info;
  return is_descriptor(path) ||
         (lstat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode) && !S_ISDIR(info.st_mode));
}

/* Sets `place`, of PATH_MAX bytes, to the file to which a link leads; it may be missing. */
static bool find_target(const char *path, char *place) {
  /* if the file is missing, glibc's realpath fails and still writes its path */
  return cli_is_link(path) && (realpath(path, place) != NULL || errno == ENOENT);
}

/* Allows to read the folder of a file that can be replaced. For an option's file, also the folder to which a link
 * leads, and a folder that an earlier step makes; links named as a model or its .bin can come with the model. */
static void allow_changing(sandbox *s, const char *path, bool is_given) {
  char place[PATH_MAX];
  cli_string folder = {0};
  cli_add_folder(&folder, path);
  cli_landlock_allow(&s->set, cli_text(&folder), CLI_MAY_READ);
  if (is_given && access(cli_text(&folder), F_OK) != 0)
    allow_folder_of(s, cli_text(&folder), CLI_MAY_READ);
  if (is_given && find_target(path, place))
    allow_folder_of(s, place, CLI_MAY_READ);
  cli_reset(&folder);
}

static bool allow_read(const cli_read_file *file, void *user) {
  sandbox *s = user;
  s->reads_streams = s->reads_streams || (file->given != NULL && is_stream(file->path));
  allow_file(s, file->path);
  if (s->is_changing)
    allow_changing(s, file->path, file->given != NULL);
  return false;
}

/* Allows an output: its folder, where the file gets a temporary name first, and the folder to which a link leads. A
 * device, a FIFO or an open stream is written in place. */
static void allow_written(sandbox *s, const char *path) {
  struct stat info;
  char place[PATH_MAX];
  cli_string plain = {0};
  cli_add(&plain, "%s", path);
  while (plain.length > 1 && plain.text[plain.length - 1] == '/')
    plain.text[--plain.length] = '\0';
  path = cli_text(&plain);
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    cli_landlock_allow(&s->set, path, S_ISDIR(info.st_mode) ? CLI_MAY_REPLACE : CLI_MAY_WRITE);
  } else if (!is_descriptor(path)) { /* a descriptor is open already */
    allow_folder_of(s, path, CLI_MAY_REPLACE);
    if (find_target(path, place))
      allow_folder_of(s, place, CLI_MAY_REPLACE);
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
      allow_written(s, cli_text(&beside));
    cli_reset(&beside);
  }
}

static void allow_outputs(sandbox *s) {
  for (int i = 0; i < s->options->n_given; i++) {
    for (const char *at = cli_written_value(&s->options->given[i]); at != NULL; at = cli_next_file(at)) {
      if (*at == '\0')
        continue;
      allow_written(s, at);
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
        allow_written(s, path);
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
    if (are_expanded && s->is_changing)
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

/* Before --test reads the settings of folders and lists them: all files can be read, and only outputs written. */
static void restrict_writing(const cli_options *options) {
  sandbox s = {.options = options, .set = cli_landlock_begin()};
  if (s.set.fd < 0)
    return;
  cli_landlock_allow(&s.set, "/", CLI_MAY_READ);
  cli_landlock_allow(&s.set, "/dev/null", CLI_MAY_WRITE);
  allow_outputs(&s);
  for (int i = 0; i < options->n_models && options->update; i++) {
    struct stat info;
    if (stat(options->models[i], &info) == 0 && S_ISDIR(info.st_mode))
      cli_landlock_allow(&s.set, options->models[i], CLI_MAY_REPLACE);
    else
      allow_folder_of(&s, options->models[i], CLI_MAY_REPLACE);
  }
  cli_landlock_enter(&s.set);
}

static void restrict_files(const cli *c, const cli_cases *cases, bool starts_program) {
  const cli_options *options = c->all != NULL ? c->all : &c->options;
  sandbox s = {.options = options,
               .set = cli_landlock_begin(),
               .is_changing =
                   cli_options_have(options, CLI_OPTION_WATCH) || cli_options_have(options, CLI_OPTION_STEP)};
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

static bool is_begun, is_entered; /* --watch checks several times */

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
