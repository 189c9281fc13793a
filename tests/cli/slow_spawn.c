/* A shared library for LD_PRELOAD: starting a program returns late, as on a busy machine. */
#include <dlfcn.h>
#include <spawn.h>
#include <string.h>
#include <unistd.h>

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                           char *const *, char *const *);

int posix_spawnp(pid_t *child, const char *file, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *arguments, char *const *variables) {
  void *address = dlsym(RTLD_NEXT, "posix_spawnp");
  spawn_function *spawn;
  memcpy(&spawn, &address, sizeof spawn); /* C has no conversion of an object's pointer to a function's */
  const int error = spawn(child, file, actions, attributes, arguments, variables);
  usleep(300000);
  return error;
}
