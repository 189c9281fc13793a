#include "module_dir.h"
#include "ops/fast/fast.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define MODULE "irrun-onednn.so"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const ir_fast_module *module;

/* Returns the path of the program or library that contains this code; NULL if unknown. The caller frees the path. */
static char *find_self(void) {
  Dl_info self, program;
  const unsigned long headers = getauxval(AT_PHDR); /* the program's ELF headers: an address in the program */
  if (dladdr(&once, &self) == 0 || dladdr((const void *)headers, &program) == 0)
    return NULL;
  /* For the program, dli_fname is argv[0], which need not be a path. */
  return realpath(self.dli_fbase == program.dli_fbase ? "/proc/self/exe" : self.dli_fname, NULL);
}

/* Calls `visit` with the path of the module in a folder. False if `visit` returns false, which ends the search. */
static bool visit_in(const char *folder, const char *below, ir_fast_visit *visit, void *user) {
  char path[4096];
  const int n = snprintf(path, sizeof path, "%s/%s" MODULE, folder, below);
  return n <= 0 || (size_t)n >= sizeof path || visit(path, user);
}

/* The first folders are relative to the program or library that contains this code, so that an installation can be
 * moved: that of this code (build folder, wheel), "irrun" beside an installed library, and the module's folder as seen
 * from an installed program. The last one serves the static library as a part of another program. */
void ir_fast_visit_paths(ir_fast_visit *visit, void *user) {
  static const char *const below[] = {"", "irrun/", IRRUN_MODULE_FROM_PROGRAM "/"};
  char *self = find_self();
  bool goes_on = true;
  if (self != NULL)
    *strrchr(self, '/') = '\0';
  for (size_t i = 0; i < sizeof below / sizeof below[0] && self != NULL && goes_on; i++)
    goes_on = visit_in(self, below[i], visit, user);
  free(self);
  if (goes_on)
    visit_in(IRRUN_MODULE_DIR, "", visit, user);
}

static bool open_module(const char *path, void *user) {
  void **handle = user;
  *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return *handle == NULL;
}

/* Makes idle OpenMP threads spin for about 0.1 ms before they sleep: twice the time to wake a thread in a virtual
 * machine. OpenMP's default takes cores from other processes for far longer; with OMP_WAIT_POLICY=passive, threads
 * would sleep between any two layers. Returns false if the user set one of the variables. */
static bool set_spinning(void) {
  return getenv("OMP_WAIT_POLICY") == NULL && getenv("GOMP_SPINCOUNT") == NULL &&
         setenv("GOMP_SPINCOUNT", "2000", 0) == 0;
}

static void load(void) {
  const bool is_set = set_spinning();
  void *handle = NULL;
  ir_fast_visit_paths(open_module, &handle);
  if (is_set) /* OpenMP read the variable while it was loaded; child processes must not inherit it */
    unsetenv("GOMP_SPINCOUNT");
  const ir_fast_module *found = handle == NULL ? NULL : dlsym(handle, "irrun_fast");
  if (found != NULL && found->version == IR_FAST_VERSION)
    module = found;
}

const ir_fast_module *ir_fast(void) {
  pthread_once(&once, load);
  return module;
}
